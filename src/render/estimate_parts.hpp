#pragma once

#include <string>
#include <vector>

#include "gpuplan/plan.hpp"
#include "render/documents.hpp"
#include "render/text_table.hpp"

namespace gpuplan {

// What the table of an estimate, its page and its Markdown have in common.
std::string estimate_heading(const Estimate& estimate);
// What one GPU needs, in a sentence.
std::string estimate_decision(const Estimate& estimate);
std::string settings_line(const ResolvedWorkload& workload);
TextTable estimate_rows(const Estimate& estimate);  // the parts of the memory
std::string verdict_line(const Estimate& estimate, const CardFit& fit);
std::string speed_line(const SpeedEstimate& speed);
// What several cards bring, how busy they are, wishes that are kept or not, replicas.
std::vector<std::string> speed_notes(const SpeedEstimate& speed);
std::string work_line(const Job& job, Seconds work);

}  // namespace gpuplan
