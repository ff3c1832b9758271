#pragma once

#include "gpuplan/plan.hpp"
#include "gpuplan/rank.hpp"

namespace gpuplan::cli {

// A job as it was read, with its model found, its amount of work assumed where none was stated, its
// log of a trial run read, and its draft model looked up.
Result<JobModel> settle(Job job, bool mode_stated, const Tables& tables, Warnings& warnings);

}  // namespace gpuplan::cli
