#pragma once

#include "billing/timeline.hpp"

namespace gpuplan::billing {

// Hours that the platform gives at most in a week or month, and the longest session: they change no
// bill, but the work as planned may not be possible.
void warn_quota(const Setup& setup, const Line& line, Notes& notes);

}  // namespace gpuplan::billing
