// How fast a card does the job, in sentences.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "render/estimate_parts.hpp"
#include "speed/tasks.hpp"

namespace gpuplan {

std::string verdict_line(const Estimate& estimate, const CardFit& fit) {
  if (!memory_known(estimate)) return fmt::format("{}: {}", fit.card->name, show_gib(fit.available, 2));
  const std::string verdict = fit.fits         ? "fits"
                              : fit.total_fits ? "headroom too thin"
                                               : "does not fit";
  const std::string others = !fit.gpus_needed                    ? "; not even 64 would do"
                             : *fit.gpus_needed == estimate.gpus ? ""
                                                                 : fmt::format("; {} would do", *fit.gpus_needed);
  return fmt::format("{}: {} ({:.0f} % of {}{})", fit.card->name, verdict, 100 * fit.used_fraction,
                     show_gib(fit.available, 2), others);
}

std::string speed_line(const SpeedEstimate& speed) {
  if (const auto& t = speed.training)
    return fmt::format("{:.0f} tokens/s ({:.0f} to {:.0f}), MFU {:.0f} %, bound by {}",
                       t->tokens_per_s, t->tokens_per_s * speed.range.low,
                       t->tokens_per_s * speed.range.high, 100 * t->mfu, name_of(speed.bound));
  if (const auto& i = speed.inference)
    return fmt::format(
        "{:.1f} tokens/s a user ({:.1f} to {:.1f}), {:.0f} all users, first token after {:.0f} ms, "
        "bound by {}",
        i->decode_tokens_per_s_per_user, i->decode_tokens_per_s_per_user * speed.range.low,
        i->decode_tokens_per_s_per_user * speed.range.high, i->decode_tokens_per_s,
        1000 * i->ttft.count(), name_of(speed.bound));
  if (speed.rate)
    return fmt::format("{}: a rate to rank cards by; --measured-run turns it into hours",
                       detail::show_task(speed.rate->per_second, speed.rate->unit));
  const double samples = speed.samples_per_s.value_or(0);
  return fmt::format("{:.4g} samples/s ({:.4g} to {:.4g}), bound by {}", samples,
                     samples * speed.range.low, samples * speed.range.high, name_of(speed.bound));
}

namespace {

// A wish as people say it: times in ms or s, all else as a rate.
struct WishName {
  std::string_view name, words;
  bool time;
};
constexpr std::array<WishName, 4> kWishes{{{"ttft", "first token after", true},
                                           {"tpot", "time per token", true},
                                           {"answer_time", "whole answer", true},
                                           {"throughput", "throughput", false}}};

std::string target_line(const Target& target) {
  const auto* wish = std::ranges::find(kWishes, target.name, &WishName::name);
  const bool known = wish != kWishes.end();
  const auto show = [&](double value) {
    if (known && wish->time)
      return value < 1 ? fmt::format("{:.0f} ms", 1000 * value) : fmt::format("{:.1f} s", value);
    return fmt::format("{:.4g} a second", value);
  };
  return fmt::format("{} {}, {} wished: {}",
                     known ? wish->words : std::string_view(target.name), show(target.value),
                     show(target.limit), target.met ? "kept" : "missed");
}

}  // namespace

// What several cards bring, how busy they are, wishes that are kept or not, replicas.
std::vector<std::string> speed_notes(const SpeedEstimate& speed) {
  std::vector<std::string> notes;
  if (speed.scaling)
    notes.push_back(fmt::format("{} cards do the work of {:.2f}", speed.scaling->gpus,
                                speed.scaling->speedup));
  if (speed.feeding)
    notes.push_back(
        fmt::format("the cards work {:.0f} % of the time", 100 * speed.feeding->utilisation));
  for (const Target& target : speed.targets) notes.push_back(target_line(target));
  if (speed.batch_for_throughput)
    notes.push_back(fmt::format("the throughput needs a batch of {}", *speed.batch_for_throughput));
  if (const auto& r = speed.replicas)
    notes.push_back(fmt::format(
        "{:.4g} requests/s need {} replica{} ({} card{}, {:.0f} % busy): 95 of 100 wait at most "
        "{:.2g} s",
        r->requests_per_s, r->replicas, r->replicas == 1 ? "" : "s", r->gpus,
        r->gpus == 1 ? "" : "s", 100 * r->utilisation, r->wait_p95.count()));
  return notes;
}

std::string work_line(const Job& job, Seconds work) {
  const auto show = [](Seconds time) {
    return show_duration(Duration{std::llround(time.count() * 1e6)});
  };
  const bool measured = job.work.measured && !job.work.run_hours;
  if (job.machines <= 1) return "the work takes " + show(work) + (measured ? ", by the measured run" : "");
  return fmt::format("the work takes {} on {} machines, {} on one",
                     show(share_of_machine(job, work)), job.machines, show(work));
}

}  // namespace gpuplan
