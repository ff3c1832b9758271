#include "cli/trials.hpp"

#include <algorithm>
#include <thread>

#include "cli/files.hpp"
#include "cli/offers.hpp"
#include "core/text.hpp"

namespace gpuplan::cli {
namespace {

void read_whole(const std::string& option, const std::string& text, std::int64_t least,
                std::int64_t most, std::int64_t& value, Diagnostics& faults) {
  if (text.empty()) return;
  const auto number = Decimal::parse(text);
  const auto whole = number ? number->whole() : std::nullopt;
  if (whole && *whole >= least && *whole <= most)
    value = *whole;
  else
    faults.push_back({ErrorCode::usage, option, "",
                      "expected a whole number from " + std::to_string(least) + " to " +
                          std::to_string(most) + ", got " + quote(text),
                      unit_hint(text, UnitKind::integer)});
}

}  // namespace

void read_trials(const Common& common, const std::string& trials, TrialOptions& options,
                 Diagnostics& faults) {
  constexpr unsigned kMostUnasked = 8;  // threads: more find little to do in a thousand runs
  const auto all = std::clamp(std::thread::hardware_concurrency(), 1U, kMostUnasked);
  std::int64_t seed = static_cast<std::int64_t>(options.seed), threads = all;
  read_whole("--trials", trials, 1, 10'000'000, options.trials, faults);
  read_whole("--seed", common.seed, 0, INT64_MAX, seed, faults);
  read_whole("--threads", common.threads, 1, 256, threads, faults);
  options.seed = static_cast<std::uint64_t>(seed);
  options.threads = static_cast<int>(threads);
}

Result<AvailabilityFiles> spot_traces(const Catalog& catalog, std::span<const JobModel> jobs,
                                      const Offer* only) {
  AvailabilityFiles traces;
  const auto says_it = [](const JobModel& work) { return work.job.reclaim_mean.has_value(); };
  if (std::ranges::all_of(jobs, says_it)) return traces;
  Diagnostics faults;
  const auto read = [&](const Offer& offer) {
    const SpotRules& rules = offer.rules->spot;
    if (!rules.availability_file || rules.reclaim_after_s ||
        traces.contains(*rules.availability_file))
      return;
    Availability& trace = traces[*rules.availability_file];
    const std::string& path = *rules.availability_file;
    auto text = read_file(path);
    auto parsed = text ? read_availability(*text, path) : Result<Availability>(text.errors());
    if (parsed)
      trace = std::move(*parsed);
    else
      faults.insert(faults.end(), parsed.errors().begin(), parsed.errors().end());
  };
  if (only != nullptr)
    read(*only);
  else
    for (const Offer& offer : catalog.offers) read(offer);
  if (!faults.empty()) return faults;
  return traces;
}

}  // namespace gpuplan::cli
