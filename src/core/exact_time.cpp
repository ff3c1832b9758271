#include "core/exact_time.hpp"

#include "gpuplan/money.hpp"

namespace gpuplan {
namespace {

// The decimals of money have as many digits as are wanted here.
constexpr std::int64_t kNanos = 1'000, kMicrosOfHour = 3'600'000'000;

Money hours(Duration time) { return Money::nanos(Wide{time.count()} * 1'000'000'000 / kMicrosOfHour); }

}  // namespace

std::string exact_seconds(Duration time) { return to_string(Money::nanos(Wide{time.count()} * kNanos)); }
std::string exact_hours(Duration time) { return to_string(hours(time)); }
std::string exact_hours(Duration time, int decimals) { return to_string(hours(time), decimals); }

}  // namespace gpuplan
