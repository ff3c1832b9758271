#pragma once

#include "core/json.hpp"
#include "gpuplan/job.hpp"

namespace gpuplan::detail {

// Each reads its part of a job document and complains about what is wrong in it.
void read_workload(const JsonReader& root, Workload& workload);
void read_work(const JsonReader& section, Work& work);
void read_data(const JsonReader& section, DataPlan& data);
void read_keep(const JsonReader& section, Keep& keep);
void read_schedule(const JsonReader& value, Job& job);
void read_checkpoint(const JsonReader& section, Job& job);
void read_spot_model(const JsonReader& section, SpotModel& model);

std::optional<MeasuredRun> parse_measured_run(std::string_view text);

}  // namespace gpuplan::detail
