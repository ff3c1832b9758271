#pragma once

#include <memory>

#include "billing/timeline.hpp"

namespace gpuplan::billing {

// The lives that the job or the offer states one by one; without such a list no session is
// reclaimed, and the bill says what that leaves out.
std::unique_ptr<Lives> stated_lives(const Setup& setup, Notes& notes);

}  // namespace gpuplan::billing
