#pragma once

#include "billing/meter.hpp"
#include "billing/timeline.hpp"

namespace gpuplan::billing {

// Every disk of the machines, and the images and objects of the job.
void bill_disks(const Setup& setup, const Line& line, const Cuts& cuts, Notes& notes, Drafts& out);

}  // namespace gpuplan::billing
