#pragma once

#include <string>

#include "gpuplan/units.hpp"

namespace gpuplan {

// Times as decimals without rounding, for documents and for sums done again: "36000", "2.5". Of hours,
// whose parts may never end, nine decimals at most.
std::string exact_seconds(Duration time);
std::string exact_hours(Duration time);
// With so many decimals, rounded.
std::string exact_hours(Duration time, int decimals);

}  // namespace gpuplan
