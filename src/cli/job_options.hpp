#pragma once

#include <deque>
#include <string>
#include <vector>

#include "cli/outcome.hpp"
#include "gpuplan/plan.hpp"

namespace CLI {
class App;
}

namespace gpuplan::cli {

// The options of a job on one command, made from the table of fields.
class JobOptions {
 public:
  void declare(CLI::App& command);
  // The job of --job FILE and the options over it.
  Result<Job> read() const;
  bool given(std::string_view key) const;

 private:
  struct Slot {
    const JobField* field;
    std::vector<std::string> values;
    bool flag = false;
  };
  std::deque<Slot> slots_;  // addresses stay valid: the parser holds them
  std::string job_file_;
  mutable std::string job_text_;
};

}  // namespace gpuplan::cli
