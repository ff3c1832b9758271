#pragma once

#include "gpuplan/plan.hpp"
#include "gpuplan/rank.hpp"

namespace gpuplan::cli {

// Warns that a usual model is assumed where a mode was stated without one: a language model stands for
// the others of its size. An image model stands for none: an error.
Diagnostics check_model_stated(const Job& job, bool mode_stated, Warnings& warnings);
// Warns that a server of requests at a rate is taken to serve one user at a time.
void warn_of_one_user(const Job& job, Warnings& warnings);
// A job as it was read, with its model found, its amount of work assumed where none was stated, its
// log of a trial run read, and its draft model looked up.
Result<JobModel> settle(Job job, bool mode_stated, const Tables& tables, Warnings& warnings);

}  // namespace gpuplan::cli
