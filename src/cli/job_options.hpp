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
  // `several`: --job may be given more than once.
  void declare(CLI::App& command, bool several = false);
  // The job of --job FILE and the options over it.
  Result<Job> read() const;
  // The same for each --job FILE; one job when none is named.
  Result<std::vector<Job>> read_all() const;
  // As one types them for another command: " --model 7b --precision int4". What only judges a card is
  // left out, and what was read from standard input.
  std::string typed() const;
  // In the options, or in the file of that job.
  bool given(std::string_view key, std::size_t job = 0) const;

 private:
  struct Slot {
    const JobField* field;
    std::vector<std::string> values;
    bool flag = false;
  };
  std::deque<Slot> slots_;  // addresses stay valid: the parser holds them
  std::vector<OptionValue> values() const;

  std::vector<std::string> job_files_;
  mutable std::vector<std::string> job_texts_;
};

}  // namespace gpuplan::cli
