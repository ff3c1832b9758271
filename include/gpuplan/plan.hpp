#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gpuplan/cards.hpp"
#include "gpuplan/gpu_log.hpp"
#include "gpuplan/job.hpp"
#include "gpuplan/memory.hpp"
#include "gpuplan/models.hpp"
#include "gpuplan/result.hpp"
#include "gpuplan/speed.hpp"

namespace gpuplan {

// How one card, or several, takes the job.
struct CardFit {
  const Card* card = nullptr;
  bool fits = false;                      // on `gpus` of them, with the headroom
  bool total_fits = false;                // without the headroom
  std::optional<std::int64_t> gpus_needed = {};  // least number with the best layout; within 64
  double used_fraction = 0;               // required / memory of the card
  Bytes available = {};                        // memory of the card less what others use
  std::optional<SpeedEstimate> speed = {};     // for cards that the user names
  std::optional<Seconds> work = {};  // time for the work that was stated, on one machine
  Warnings warnings = {};
};

struct Advice {
  std::string code = {};
  std::string message = {};
  Bytes saves = {};
  double slowdown = 1;  // run time relative to now; 1 = no cost in speed
};

// The answer of `gpuplan estimate`.
struct Estimate {
  Job job = {};
  ModelShape model = {};
  MemoryEstimate memory = {};
  std::int64_t gpus = 1;
  Bytes required = {};  // total x headroom, on each GPU
  bool measured = false;  // required comes from a measured peak
  std::optional<GpuLog> peak_log = {};  // where that was read
  std::vector<CardFit> cards = {};
  std::vector<Advice> advice = {};
  std::optional<Work> work = {};
  Warnings warnings = {};
};

// The tables that every answer is computed from.
struct Tables {
  const CardTable* cards = nullptr;
  const ModelTable* models = nullptr;
};

// Finds the model of a job: name, size or file. `read_file` gives the text of a file that the user
// named; nothing else is opened.
using FileReader = std::function<Result<std::string>(const std::string& path)>;
Result<ModelShape> find_model(const Job& job, const ModelTable& models, const FileReader& read_file,
                              Warnings& warnings);

// Turns `measured_peak` into bytes: a size, or the largest memory that any GPU of an `nvidia-smi`
// log shows, with that log. Warns of logs that look shared, growing or too short, and of cards whose
// memory is not what their name says. Errors: neither a size nor a log; an unreadable file.
Result<std::optional<GpuLog>> settle_measured_peak(Job& job, const FileReader& read_file,
                                                   const CardTable& cards, Warnings& warnings);

Result<Estimate> make_estimate(const Job& job, const ModelShape& model, const Tables& tables);

// The least number of cards of `memory` each, at most 64, and the layout with which the job fits:
// powers of two, data parallel with the stage of sharding that is needed, tensor parallel in
// inference. Nothing when even 64 are not enough.
struct Layout {
  ResolvedWorkload workload = {};
  MemoryEstimate memory = {};
};
std::optional<Layout> find_layout(const Job& job, const ModelShape& model, Bytes memory,
                                  std::int64_t at_least, std::int64_t at_most);

// Tokens that the stated work comes to. Nothing when no amount was stated in these terms.
std::optional<double> work_tokens(const Work& work, const ResolvedWorkload& workload);
// Without an amount of work a bill needs one: 50 million tokens of training, or one million tokens
// of answers. Adds the warning `work_assumed`, or `default_job` when no model and mode is stated
// either: then it is LoRA on a 7B model.
void assume_work(Job& job, bool mode_stated, Warnings& warnings);
// How long the work takes at this speed; a stated or measured time wins over the estimate.
Result<std::optional<Duration>> work_time(const Job& job, const ModelShape& model,
                                          const ResolvedWorkload& workload, const Card& card,
                                          const SpeedEstimate& speed, const CardTable& cards);

// What one of the job's machines does of it: an even share, or whole tasks where the work is cut
// into some (`splits`), so that five tasks on two machines last as long as three.
Seconds share_of_machine(const Job& job, Seconds work);

// ---- the job document and its options: one table for both ----

enum class FieldKind {
  text, texts, integer, count, decimal, bytes, sizes, hours, days, time, line, boolean, flag, choice,
  measured, schedule, weekdays, require
};

struct JobField {
  std::string_view option = {};  // "--run-hours"; empty: only in a file
  std::string_view key = {};     // "work.run_hours"
  FieldKind kind = {};
  std::string_view group = {};   // heading in help
  std::string_view help = {};
  std::span<const std::string_view> choices = {};
};
std::span<const JobField> job_fields();

// A value that an option gave, as text, for the field of that option.
struct OptionValue {
  const JobField* field;
  std::vector<std::string> values = {};
};
// Reads a `gpuplan.job/1` document (or none, when `text` is empty) with options laid over it: an
// option wins. Every mistake of both is reported.
Result<Job> read_job(std::string_view text, const std::string& source,
                     std::span<const OptionValue> options);

}  // namespace gpuplan
