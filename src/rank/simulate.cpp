#include <fmt/format.h>

#include "core/text.hpp"
#include "gpuplan/rank.hpp"
#include "rank/steps.hpp"

namespace gpuplan {

namespace detail {

Sizing Sizer::size_anyway(const Offer& offer) {
  Sizing sizing = *size(offer);
  if (sizing.run || sizing.card == nullptr) return sizing;
  if (job_->work.run_hours) {
    sizing.run = job_->work.run_hours;
    return sizing;
  }
  const auto layout = find_layout(*job_, *model_, Bytes::of(INT64_MAX), offer.gpus, offer.gpus);
  if (!layout) return sizing;
  auto speed = estimate_speed(*model_, layout->workload, *sizing.card);
  if (!speed) return sizing;
  if (const auto run =
          work_time(*job_, *model_, layout->workload, *sizing.card, *speed, *tables_.cards);
      run && *run)
    sizing.run = *run;
  return sizing;
}

}  // namespace detail

Result<SimulateResult> simulate_offer(const Job& job, const ModelShape& model,
                                      const Catalog& catalog, const Offer& offer,
                                      const std::string& plan, const std::string& currency,
                                      const Tables& tables) {
  SimulateResult result{.job = job, .catalog = &catalog, .offer = &offer, .plan = plan};
  detail::Sizer sizer(result.job, model, catalog, tables);
  const Sizing sizing = sizer.size_anyway(offer);
  for (const Reason& reason : sizing.reasons) {
    const bool memory = reason.code == "memory" || reason.code == "gpus";
    result.warnings.push_back({memory ? "does_not_fit" : reason.code, reason.message, offer.card});
  }
  result.warnings.insert(result.warnings.end(), sizing.warnings.begin(), sizing.warnings.end());
  const auto run = job.work.run_hours ? job.work.run_hours : sizing.run;
  if (!run)
    return Diagnostic{ErrorCode::usage, "--run-hours", "",
                      "the time of the work on " + quote(offer.card) + " cannot be estimated",
                      "say how long it runs: --run-hours 10"};
  const BillRequest request{.catalog = &catalog,
                            .offer = &offer,
                            .job = &result.job,
                            .run = *run,
                            .plan = plan,
                            .currency = currency.empty() ? catalog.currency : currency};
  auto bill = simulate_bill(request);
  if (!bill) {
    Diagnostics errors = bill.errors();
    for (Diagnostic& error : errors)
      error.hint.clear();  // a code for the ranking, no hint for people
    return errors;
  }
  result.bill = std::move(*bill);
  return result;
}

}  // namespace gpuplan
