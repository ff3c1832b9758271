#include "speed/wishes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "speed/step.hpp"

namespace gpuplan {
namespace {

// Chance that a request has to wait at c counters under load a (Erlang C), by the stable recurrence
// for the chance that all counters are taken (Erlang B).
double waiting_chance(double counters, double load) {
  double taken = 1;
  for (double k = 1; k <= counters; ++k) taken = load * taken / (k + load * taken);
  return counters * taken / (counters - load * (1 - taken));
}

}  // namespace

std::optional<Replicas> replicas_for(double rate, Seconds service, std::int64_t places,
                                     std::int64_t gpus_each, Seconds longest_wait) {
  if (!(rate > 0) || !(service.count() > 0) || places < 1) return std::nullopt;
  const double load = rate * service.count();  // places that are taken on average
  constexpr double kMost = 1e6;
  const auto each = static_cast<double>(places);
  if (!(load / each < kMost)) return std::nullopt;
  Replicas r{.requests_per_s = rate, .places = places};
  for (r.replicas = static_cast<std::int64_t>(load / each) + 1;; ++r.replicas) {
    const double counters = each * static_cast<double>(r.replicas);
    r.utilisation = load / counters;
    r.wait_probability = waiting_chance(counters, load);
    const double drained = (counters - load) / service.count();  // requests a second
    r.wait_mean = Seconds{r.wait_probability / drained};
    r.wait_p95 =
        Seconds{r.wait_probability > 0.05 ? std::log(r.wait_probability / 0.05) / drained : 0};
    if (r.wait_p95 <= longest_wait) break;
  }
  r.gpus = r.replicas * gpus_each;
  return r;
}

double SpeedEstimate::rate_per_s() const {
  if (training && !samples_per_s) return training->tokens_per_s;
  if (inference) return inference->output_tokens_per_s;
  if (samples_per_s) return *samples_per_s;
  return rate ? rate->per_second : 0;
}

namespace detail {
namespace {

// Below this utilisation with the disk at its limit, the job is one of reading; above that one, a
// card is busy enough for another to help.
constexpr double kReadingJob = 0.5, kBusy = 0.8;
// A second card that brings less than half of itself.
constexpr double kPoorScaling = 0.5;

void slow_down(double share, SpeedEstimate& estimate) {
  if (auto& t = estimate.training) {
    t->tokens_per_s *= share;
    t->tokens_per_s_per_gpu *= share;
    t->mfu *= share;
    t->step /= share;
  }
  if (estimate.samples_per_s) *estimate.samples_per_s *= share;
}

void warn_hungry(bool disk, const Feeding& feeding, SpeedEstimate& estimate) {
  const double busy = 100 * feeding.utilisation;
  if (disk && feeding.utilisation < kReadingJob)
    estimate.warnings.push_back(
        {"io_bound",
         fmt::format("the disk gives {:.4g} samples a second and the cards would take {:.4g}: they "
                     "work {:.0f} % of the time; a faster disk helps, a faster card does not",
                     *feeding.disk_per_s, feeding.wanted_per_s, busy),
         "speed"});
  else if (feeding.utilisation < 1)
    estimate.warnings.push_back(
        {disk ? "disk_limits" : "loader_limits",
         fmt::format("the {} gives {:.4g} samples a second, less than the {:.4g} that the cards "
                     "would take: they work {:.0f} % of the time",
                     disk ? "disk" : "loader", disk ? *feeding.disk_per_s : *feeding.loader_per_s,
                     feeding.wanted_per_s, busy),
         "speed"});
  if (feeding.utilisation < kBusy)
    estimate.warnings.push_back(
        {"single_card_underused",
         fmt::format("a card that is busy {:.0f} % of the time gains nothing from another beside "
                     "it: feed it first",
                     busy),
         "speed"});
}

}  // namespace

void apply_feed(const ResolvedWorkload& work, double samples_per_s, double machines,
                SpeedEstimate& estimate) {
  const Feed& feed = work.feed;
  const bool reads = feed.sample_bytes && feed.disk_bytes_per_s && *feed.sample_bytes > 0;
  if ((!reads && !feed.loader_samples_per_s) || !(samples_per_s > 0)) return;
  Feeding feeding{.wanted_per_s = samples_per_s};
  double given = samples_per_s;
  bool disk = false;
  if (reads) {
    feeding.disk_per_s = machines * *feed.disk_bytes_per_s / *feed.sample_bytes;
    disk = *feeding.disk_per_s < given;
    given = std::min(given, *feeding.disk_per_s);
  }
  if (feed.loader_samples_per_s) {
    feeding.loader_per_s = machines * *feed.loader_samples_per_s;
    if (*feeding.loader_per_s < given) disk = false;
    given = std::min(given, *feeding.loader_per_s);
  }
  feeding.utilisation = given / samples_per_s;
  if (feeding.utilisation < 1) {
    estimate.bound = disk ? Bound::storage : Bound::host;
    if (feeding.utilisation > 0) slow_down(feeding.utilisation, estimate);
  }
  estimate.explain.push_back(
      {"feed", "the least of what cards, disk and loader do",
       fmt::format(
           "cards {:.4g}/s, disk {}, loader {}", samples_per_s,
           feeding.disk_per_s ? fmt::format("{:.4g}/s", *feeding.disk_per_s) : "not stated",
           feeding.loader_per_s ? fmt::format("{:.4g}/s", *feeding.loader_per_s) : "not stated"),
       "--sample-size, --disk-speed, --loader-rate"});
  warn_hungry(disk, feeding, estimate);
  estimate.feeding = feeding;
}

void add_scaling(const ResolvedWorkload& work, double alone_per_s, const Card& card,
                 SpeedEstimate& estimate) {
  if (!(alone_per_s > 0)) return;
  Scaling scaling{.gpus = work.gpus};
  scaling.speedup = estimate.rate_per_s() / alone_per_s;
  scaling.efficiency = scaling.speedup / static_cast<double>(work.gpus);
  if (scaling.efficiency < kPoorScaling)
    estimate.warnings.push_back(
        {"cards_bring_little",
         fmt::format("{} cards do the work of {:.2g} ({})", work.gpus, scaling.speedup,
                     estimate.bound == Bound::interconnect
                         ? "they wait for each other: a faster link or fewer cards"
                         : "most of the time does not shrink with cards"),
         card.name});
  estimate.scaling = scaling;
}

bool keeps_targets(const ResolvedWorkload& work, const InferenceSpeed& speed) {
  return (!work.ttft || speed.ttft <= *work.ttft) && (!work.tpot || speed.tpot <= *work.tpot) &&
         (!work.answer || speed.answer <= *work.answer);
}

void add_targets(const ResolvedWorkload& work, SpeedEstimate& estimate) {
  const auto add = [&](std::string_view name, double limit, double value, bool met,
                       std::string_view unit) {
    estimate.targets.push_back({std::string(name), limit, value, met});
    if (!met)
      estimate.warnings.push_back(
          {"target_missed",
           fmt::format("{}: {:.4g} {} wished, {:.4g} {} estimated", name, limit, unit, value, unit),
           "--" + std::string(name == "answer_time" ? "answer-time" : name)});
  };
  if (const auto& i = estimate.inference) {
    const auto time = [&](std::string_view name, const std::optional<Seconds>& limit,
                          Seconds value) {
      if (limit) add(name, limit->count(), value.count(), value <= *limit, "s");
    };
    time("ttft", work.ttft, i->ttft);
    time("tpot", work.tpot, i->tpot);
    time("answer_time", work.answer, i->answer);
  }
  if (work.throughput) {
    const double rate = estimate.rate_per_s();
    add("throughput", *work.throughput, rate, rate >= *work.throughput, "a second");
  }
}

void add_replicas(const ResolvedWorkload& work, SpeedEstimate& estimate) {
  if (!work.rate || !estimate.inference) return;
  const InferenceSpeed& speed = *estimate.inference;
  const std::int64_t places =
      work.concurrency_max ? speed.max_concurrency : std::max<std::int64_t>(1, work.batch);
  // Without a wish for the first token nobody should wait longer than a tenth of an answer.
  const Seconds wait =
      work.ttft && *work.ttft > speed.ttft ? *work.ttft - speed.ttft : speed.answer / 10;
  estimate.replicas = replicas_for(*work.rate, speed.answer, places, work.gpus, wait);
  if (!estimate.replicas) return;
  const Replicas& r = *estimate.replicas;
  estimate.explain.push_back(
      {"replicas", "least c with P(wait > limit) <= 5 %: M/M/c, c = replicas x users of each",
       fmt::format("{:.4g} requests/s x {} an answer over {} x {} places, limit {}",
                   r.requests_per_s, show_time(speed.answer.count()), r.replicas, r.places,
                   show_time(wait.count())),
       "Erlang C"});
}

}  // namespace detail
}  // namespace gpuplan
