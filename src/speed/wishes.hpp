#pragma once

#include "gpuplan/speed.hpp"

namespace gpuplan::detail {

// Disk and loader: what the cards get of what they would take. Lowers the rates of `estimate`.
void apply_feed(const ResolvedWorkload& workload, double samples_per_s, double machines,
                SpeedEstimate& estimate);

// Against one card; warns when further cards bring little.
void add_scaling(const ResolvedWorkload& workload, double alone_per_s, const Card& card,
                 SpeedEstimate& estimate);

// Wishes of the user against what comes out, and replicas for a request rate.
void add_targets(const ResolvedWorkload& workload, SpeedEstimate& estimate);
void add_replicas(const ResolvedWorkload& workload, SpeedEstimate& estimate);

// Whether these times keep the targets for time.
bool keeps_targets(const ResolvedWorkload& workload, const InferenceSpeed& speed);

}  // namespace gpuplan::detail
