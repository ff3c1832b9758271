#include <algorithm>

#include "billing/account.hpp"
#include "billing/cover.hpp"
#include "billing/disks.hpp"
#include "billing/spot.hpp"
#include "billing/traffic.hpp"
#include "gpuplan/billing.hpp"

namespace gpuplan {
namespace {

using namespace billing;

bool exchangeable(const Catalog& catalog, const std::string& currency) {
  if (currency == catalog.currency) return true;
  const auto rate = catalog.fx.find(currency);
  return rate != catalog.fx.end() && !rate->second.is_zero();
}

std::optional<Refusal> no_exchange(const BillRequest& request) {
  const std::string& own = request.catalog->platforms[request.offer->platform].currency;
  if (own == request.currency) return std::nullopt;
  for (const std::string* currency : {&own, &request.currency})
    if (!exchangeable(*request.catalog, *currency))
      return Refusal{.code = "fx_missing",
                     .message = "the catalog has no rate of exchange for " + *currency,
                     .pointer = "/fx/" + *currency};
  return std::nullopt;
}

std::optional<Refusal> not_sold(const BillRequest& request) {
  if (request.plan == "on_demand" || request.plan == "spot")
    return price_running(*request.offer, request.plan == "spot").refusal;
  bool named = false;
  for (const Commitment& sold : request.offer->price.commitments) {
    if (request.plan != "reserved" && request.plan != sold.name) continue;
    named = true;
    if (!sold.price.is_zero() || sold.hourly || request.offer->free) return std::nullopt;
  }
  if (named)
    return Refusal{.code = "price_missing",
                   .message = "a price of 0 for a term means unknown",
                   .pointer = "/price/" + request.plan};
  return Refusal{.code = "plan_not_sold",
                 .message = "the offer has no plan \"" + request.plan + "\"",
                 .pointer = "/price"};
}

Warning to_warning(const Refusal& refusal) {
  return {.code = refusal.code, .message = refusal.message, .where = refusal.pointer};
}

// A start that somebody may have to pay for, and nobody says from when.
void assume_begin(const Setup& setup, Notes& notes) {
  const bool matters = setup.start.count() > 0 || setup.queue.count() > 0;
  if (matters && !setup.rules->meter.billed_from)
    notes.warn(
        "metering_assumed",
        "how card time is metered is not stated in full: by the second, rounded up, without a "
        "minimum, from provisioning on is assumed",
        "meter");
}

std::vector<Block> counted(std::span<const BlockUse> uses) {
  std::vector<Block> blocks;
  for (const BlockUse& use : uses) {
    const auto known = std::ranges::find(blocks, use.term->name, &Block::term);
    if (known != blocks.end())
      ++known->count;
    else
      blocks.push_back(
          {.term = use.term->name, .count = 1, .price = Money::rounded(use.term->price)});
  }
  return blocks;
}

}  // namespace

std::optional<Warning> why_no_bill(const BillRequest& request) {
  if (auto refusal = no_exchange(request)) return to_warning(*refusal);
  if (auto refusal = not_sold(request)) return to_warning(*refusal);
  return std::nullopt;
}

Result<Bill> simulate_bill(const BillRequest& request) {
  if (const auto refusal = why_no_bill(request))
    return Diagnostic{.code = ErrorCode::usage,
                      .source = request.offer->id,
                      .pointer = refusal->where,
                      .message = refusal->message,
                      .hint = refusal->code};
  Notes notes;
  Setup setup = set_up(request, notes);
  setup.running = price_running(*request.offer, setup.spot).charges;
  const std::unique_ptr<Lives> lives = setup.spot ? stated_lives(setup, notes) : nullptr;
  const Line line = build_line(setup, lives.get(), notes);
  if (!line.finished)
    notes.warn("never_finishes",
               "no session is long enough for any progress: the work is never done", "schedule");
  const Cuts cuts = cuts_for(setup, line);
  assume_begin(setup, notes);
  const std::vector<Term> terms = setup.reserved ? terms_of(setup) : std::vector<Term>{};
  const std::vector<BlockUse> blocks = cover_line(setup, line, terms);
  warn_overrun(line, setup, terms, blocks, notes);

  Drafts drafts;
  bill_compute(setup, line, cuts, blocks, notes, drafts);
  for (Draft& draft : drafts) draft.count = setup.machines;
  bill_blocks(setup, terms, blocks, drafts);
  bill_disks(setup, line, cuts, notes, drafts);
  bill_network(setup, line, cuts, notes, drafts);
  bill_refund(setup, line, terms, blocks, notes, drafts);
  bill_account(setup, line, cuts, drafts);

  Bill bill;
  bill.currency = request.currency;
  write_ledger(setup, drafts, bill);
  bill.blocks = counted(blocks);
  bill.time = line.sums;
  bill.complete = notes.missing.empty();
  bill.unpriced = std::move(notes.missing);
  bill.warnings = std::move(notes.warnings);
  return bill;
}

}  // namespace gpuplan
