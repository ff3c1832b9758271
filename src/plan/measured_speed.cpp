#include "plan/measured_speed.hpp"

#include <fmt/format.h>

#include <cmath>

#include "plan/work_amount.hpp"

namespace gpuplan::detail {
namespace {

void scale(SpeedEstimate& speed, double factor) {
  if (auto& t = speed.training) {
    t->tokens_per_s *= factor;
    t->tokens_per_s_per_gpu *= factor;
    t->mfu *= factor;
    t->step /= factor;
  }
  if (auto& i = speed.inference) {
    for (double* rate : {&i->prefill_tokens_per_s, &i->decode_tokens_per_s, &i->decode_tokens_per_s_per_user,
                         &i->output_tokens_per_s})
      *rate *= factor;
    for (Seconds* time : {&i->ttft, &i->tpot, &i->answer}) *time /= factor;
  }
  if (speed.samples_per_s) *speed.samples_per_s *= factor;
  for (Target& target : speed.targets) {
    const bool rate = target.name == "throughput";
    target.value *= rate ? factor : 1 / factor;
    target.met = rate ? target.value >= target.limit : target.value <= target.limit;
  }
}

}  // namespace

void follow_measured_run(const Job& job, const ResolvedWorkload& workload, std::optional<Duration> work,
                         SpeedEstimate& speed) {
  // How many copies keep a queue short was computed from the estimate, and its speed stays beside it.
  if (!job.work.measured || job.work.run_hours || speed.replicas || !work || work->count() <= 0) return;
  const auto estimated = seconds_at(job.work, workload, speed);
  if (!estimated || *estimated <= 0) return;
  const double told = static_cast<double>(work->count()) * 1e-6, factor = *estimated / told;
  if (!std::isfinite(factor) || factor <= 0) return;
  scale(speed, factor);
  speed.explain.push_back({"measured_run", "time by the model / time by the measured run: all rates are multiplied by it",
                           fmt::format("{:.6g} s / {:.6g} s = {:.4g}", *estimated, told, factor), "--measured-run"});
  if (speed.training && speed.training->mfu > 1)
    speed.warnings.push_back({"measured_run_too_fast",
                              fmt::format("by the measured run the card would compute {:.3g} times its peak rate: does its "
                                          "time belong to this amount of work, and to this model?",
                                          speed.training->mfu),
                              "measured_run"});
}

}  // namespace gpuplan::detail
