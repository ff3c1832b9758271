#include <cmath>

#include "core/text.hpp"
#include "gpuplan/plan.hpp"
#include "plan/work_amount.hpp"
#include "spec/modes.hpp"

namespace gpuplan {

bool Work::stated() const {
  return tokens || samples || steps || requests || per_day || run_hours || measured;
}

void assume_work(Job& job, bool mode_stated, Warnings& warnings) {
  const bool no_job = !job.model_stated && !mode_stated && !job.work.stated();
  if (!job.model_stated && !mode_stated) job.workload.mode = Mode::lora;
  if (!job.work.stated() && job.workload.rate) {
    constexpr std::chrono::hours kMonth{730};
    job.work.run_hours = kMonth;
    warnings.push_back({"work_assumed",
                        "for how long the requests come was not stated: a month of 730 hours is "
                        "assumed (--run-hours says it)",
                        "work"});
    return;
  }
  if (!job.work.stated()) {
    job.work.tokens = job.workload.training() ? 50'000'000 : 1'000'000;
    // The default job is one with an amount of work, unless it is asked what a budget buys.
    job.work_assumed = !no_job || job.budget;
  } else if (!no_job) {
    return;
  }
  const std::string amount =
      job.workload.training() ? "50 million tokens" : "one million tokens of answers";
  if (no_job)
    warnings.push_back({"default_job",
                        "no job was stated: LoRA fine-tuning of a 7B model " +
                            (job.budget ? std::string("is assumed") : "over " + amount + " is assumed"),
                        "job"});
  else if (!job.budget)
    warnings.push_back({"work_assumed",
                        "no amount of work was stated: " + amount +
                            " is assumed (--tokens, --samples, --run-hours say it)",
                        "work"});
}

std::optional<double> work_tokens(const Work& work, const ResolvedWorkload& workload) {
  if (!counts_tokens(workload.mode)) return std::nullopt;
  const double epochs = work.epochs ? work.epochs->approximate() : 1;
  if (work.tokens) return static_cast<double>(*work.tokens) * epochs;
  if (work.samples) {
    const auto each = work.tokens_per_sample.value_or(workload.sequence);
    return static_cast<double>(*work.samples) * static_cast<double>(each) * epochs;
  }
  if (work.steps && workload.training())
    return static_cast<double>(*work.steps) * static_cast<double>(workload.batch) *
           static_cast<double>(workload.sequence) * static_cast<double>(workload.grad_accum) *
           static_cast<double>(workload.ranks());
  if (work.requests && workload.mode == Mode::inference)
    return static_cast<double>(*work.requests) * static_cast<double>(workload.output_tokens);
  return std::nullopt;
}

namespace {

// Images or texts that the stated work comes to.
std::optional<double> work_samples(const Work& work, const ResolvedWorkload& workload) {
  const double epochs = work.epochs ? work.epochs->approximate() : 1;
  if (work.samples) return static_cast<double>(*work.samples) * epochs;
  if (work.requests && !workload.training()) return static_cast<double>(*work.requests);
  if (work.steps && workload.training())
    return static_cast<double>(*work.steps) * static_cast<double>(workload.batch) *
           static_cast<double>(workload.grad_accum) * static_cast<double>(workload.ranks());
  return std::nullopt;
}

Duration to_duration(double seconds) {
  // Longer than a thousand years is as good as never; the number stays on the time line's scale.
  const double capped = std::min(seconds, 3.2e10);
  return Duration{std::llround(capped * 1e6)};
}

// The user's own run, scaled by the ratio of the model's speeds: the common error cancels.
Result<std::optional<Duration>> scaled_run(const MeasuredRun& run, const ModelShape& model,
                                           const ResolvedWorkload& workload,
                                           const SpeedEstimate& speed, const CardTable& cards) {
  const auto found = cards.find(run.card);
  if (!found) return cards.unknown(run.card, "--measured-run");
  ResolvedWorkload there = workload;
  there.gpus = run.gpus;
  there.tp = there.pp = there.cp = there.ep = 1;
  there.dp = run.gpus;
  const auto measured = estimate_speed(model, there, *found->card);
  if (!measured) return measured.errors();
  const double ratio = measured->rate_per_s() / speed.rate_per_s();
  if (!std::isfinite(ratio) || ratio <= 0) return std::optional<Duration>{};
  return std::optional{to_duration(static_cast<double>(run.time.count()) * 1e-6 * ratio)};
}

}  // namespace

Result<std::optional<Duration>> work_time(const Job& job, const ModelShape& model,
                                          const ResolvedWorkload& workload, const Card&,
                                          const SpeedEstimate& speed, const CardTable& cards) {
  const Work& work = job.work;
  if (work.run_hours) return std::optional{*work.run_hours};
  if (work.measured) return scaled_run(*work.measured, model, workload, speed, cards);
  if (work.requests && work.seconds_per_request)
    return std::optional{to_duration(static_cast<double>(*work.requests) *
                                     static_cast<double>(work.seconds_per_request->count()) *
                                     1e-6)};
  const auto seconds = detail::seconds_at(work, workload, speed);
  return seconds ? std::optional{to_duration(*seconds)} : std::optional<Duration>{};
}

std::optional<double> detail::seconds_at(const Work& work, const ResolvedWorkload& workload,
                                         const SpeedEstimate& speed) {
  // Images are counted one by one, texts by their tokens.
  if (speed.samples_per_s) {
    const auto samples = work_samples(work, workload);
    if (samples && *speed.samples_per_s > 0) return *samples / *speed.samples_per_s;
  }
  const auto tokens = work_tokens(work, workload);
  const double rate = speed.training ? speed.training->tokens_per_s : speed.rate_per_s();
  if (!tokens || rate <= 0 || speed.rate) return std::nullopt;
  return *tokens / rate;
}

Seconds share_of_machine(const Job& job, Seconds work) {
  const auto machines = static_cast<double>(job.machines);
  if (job.splits <= 1) return work / machines;
  // Whole tasks: the machine with most of them is the last to finish.
  const auto tasks = static_cast<double>(job.splits);
  return work * std::ceil(tasks / machines) / tasks;
}

}  // namespace gpuplan
