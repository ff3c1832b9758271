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
  // The job of --job FILE and the options over it. Where they have mistakes, those that only tables and
  // other files can show are told as well: unknown names of models and cards, a wrong policy.
  Result<Job> read(const Common& common) const;
  // The same for each --job FILE; one job when none is named.
  Result<std::vector<Job>> read_all(const Common& common) const;
  // Faults that name an option, where they stand: in that job's file when it was the file that said so.
  Diagnostics placed(Diagnostics faults, std::size_t job = 0) const;
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
  bool typed_in(std::string_view option) const;
  Diagnostics found_later(const Job& job, std::size_t index, const Diagnostics& known,
                          const Common& common) const;

  std::vector<std::string> job_files_;
  struct Document {
    std::string name, text;
  };
  mutable std::vector<Document> documents_;  // of the jobs that were read
};

}  // namespace gpuplan::cli
