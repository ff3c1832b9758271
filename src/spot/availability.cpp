// Traces of availability, as the public data sets write them.
#include "billing/exact.hpp"
#include "core/json.hpp"
#include "gpuplan/spot.hpp"

namespace gpuplan {

Result<Availability> read_availability(std::string_view text, const std::string& source) {
  constexpr std::int64_t kMostTicks = 10'000'000, kMostGap = 7 * 86'400;
  auto document = parse_json(text, source);
  if (!document) return document.errors();
  Diagnostics faults;
  const JsonContext context{.source = source, .faults = &faults};
  const JsonReader root(document->root(), context);
  Availability trace;
  if (root.is_object()) {
    const JsonReader metadata = root.at("metadata");
    if (metadata.is_object())
      trace.gap = billing::seconds_of(metadata.at("gap_seconds").integer(1, kMostGap));
    for (const JsonReader& tick : root.at("data").items()) {
      if (static_cast<std::int64_t>(trace.up.size()) == kMostTicks) {
        tick.complain("more than 10000000 ticks");
        break;
      }
      trace.up.push_back(tick.integer(0, 1'000'000'000) > 0 ? 1 : 0);
    }
    if (faults.empty() && trace.up.empty())
      root.at("data").complain_expected("a list of 0 (not there) and 1 (there), one for each tick");
  }
  if (!faults.empty()) return faults;
  return trace;
}

}  // namespace gpuplan
