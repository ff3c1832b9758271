#include "billing/serverless.hpp"

#include <algorithm>

namespace gpuplan::billing {
namespace {

Duration stated(const std::optional<Decimal>& seconds) {
  return seconds ? duration_of(*seconds, kSecond) : Duration{0};
}

// What all requests take, shared evenly by the machines.
Duration all(const Setup& setup, Duration each) {
  const Wide micros =
      Ratio{}.times(*setup.job->work.requests).times(each).over(setup.machines).whole();
  return Duration{static_cast<std::int64_t>(std::min(micros, Wide{kLongest.count()}))};
}

// Evenly spread: as many days as the requests take at so many a day; without that, one after the
// other.
Duration wall_of(const Setup& setup) {
  const Work& work = setup.job->work;
  const Duration busy = all(setup, *work.seconds_per_request);
  if (!work.per_day || work.per_day->is_zero()) return busy;
  const Wide micros = Ratio{}.times(*work.requests).times(kDay).over(*work.per_day).whole();
  const Duration spread{static_cast<std::int64_t>(std::min(micros, Wide{kLongest.count()}))};
  return std::max(spread, busy);
}

}  // namespace

bool by_request(const Setup& setup) {
  // Under a term or on the spot market it is a machine like any other.
  return !setup.reserved && !setup.spot && setup.rules->serverless && setup.job->work.requests && setup.job->work.seconds_per_request;
}

Line build_request_line(const Setup& setup) {
  Line line;
  line.end = wall_of(setup);
  line.keep_end = line.end + setup.keep;
  line.sums.wall = line.end;
  line.sums.run = all(setup, *setup.job->work.seconds_per_request);
  line.sums.startup = all(setup, stated(setup.rules->serverless->start_s));
  // Data goes with the requests: over all of the time.
  if (setup.job->data.upload.count() > 0) line.transfers.push_back({.from = Duration{0}, .to = line.end});
  if (setup.job->data.download.count() > 0)
    line.transfers.push_back({.from = Duration{0}, .to = line.end, .out = true});
  if (line.end.count() > 0)
    line.segments.push_back({.from = Duration{0},
                             .to = line.end,
                             .state = State::running,
                             .activity = Activity::work,
                             .free = true});
  if (setup.keep.count() > 0)
    line.segments.push_back({.from = line.end,
                             .to = line.keep_end,
                             .state = State::gone,
                             .activity = Activity::retention});
  return line;
}

Duration billed_by_requests(const Setup& setup, const Line& line) {
  const Duration awake =
      line.sums.run + line.sums.startup + all(setup, stated(setup.rules->serverless->idle_s));
  return repeated(std::min(line.end, awake), setup.machines);
}

void bill_requests(const Setup& setup, const Line& line, const Cuts& cuts, Drafts& out) {
  const ServerlessRules& rules = *setup.rules->serverless;
  const Duration wall = line.end;
  const Duration run = line.sums.run;
  const Duration start = std::min(line.sums.startup, wall - run);
  const Duration idle = std::min(all(setup, stated(rules.idle_s)), wall - run - start);
  // One after the other on the ledger, though in truth they are spread over all of the time.
  const std::array pieces{
      Piece{.from = Duration{0}, .to = start, .item = Item::startup, .state = "running"},
      Piece{.from = start, .to = start + run, .item = Item::compute, .state = "running"},
      Piece{.from = start + run, .to = start + run + idle, .item = Item::idle, .state = "running"}};
  MonthCap cap(setup.rules->meter.cap_month);
  bill_exact(setup, cuts, pieces, {.charges = setup.running}, cap, out);
}

}  // namespace gpuplan::billing
