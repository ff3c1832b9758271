#pragma once

#include "billing/meter.hpp"
#include "billing/timeline.hpp"

namespace gpuplan::billing {

// Requests that each wake a worker: no machine is kept, card time is counted by the request.
bool by_request(const Setup& setup);
Line build_request_line(const Setup& setup);
// The least of the wall time and of what all requests need with start and idle time.
Duration billed_by_requests(const Setup& setup, const Line& line);
void bill_requests(const Setup& setup, const Line& line, const Cuts& cuts, Drafts& out);

}  // namespace gpuplan::billing
