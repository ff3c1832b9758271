#include <algorithm>

#include "billing/account.hpp"
#include "billing/cover.hpp"
#include "billing/crews.hpp"
#include "billing/disks.hpp"
#include "billing/quota.hpp"
#include "billing/serverless.hpp"
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

// Requests on an offer that is sold by the request need its rule.
std::optional<Refusal> no_request_rule(const BillRequest& request) {
  const Work& work = request.job->work;
  const bool requests = work.requests && work.seconds_per_request;
  const bool stated = request.offer->rules && request.offer->rules->serverless;
  if (!requests || stated || request.offer->tier != "serverless") return std::nullopt;
  return Refusal{.code = "serverless_rule_missing",
                 .message = "how long a worker starts and stays idle after a request is not stated",
                 .pointer = "/serverless"};
}

// Values that no renter means; sums of what is below them always fit.
std::optional<Refusal> out_of_bounds(const BillRequest& request) {
  const Job& job = *request.job;
  const CheckpointPlan checkpoint = job.checkpoint.value_or(CheckpointPlan{});
  for (const Duration time :
       {request.run, job.idle, job.keep.days, job.down, job.auto_stop.value_or(Duration{0}),
        checkpoint.every, checkpoint.write.value_or(Duration{0}), checkpoint.restore})
    if (time > kLongest || time.count() < 0)
      return Refusal{.code = "out_of_bounds",
                     .message = "a time of the job is longer than a hundred years",
                     .pointer = "/work"};
  constexpr std::int64_t kMostMachines = 100'000;
  if (job.machines < 1 || job.machines > kMostMachines)
    return Refusal{.code = "out_of_bounds",
                   .message = "a bill is made for 1 to 100000 machines",
                   .pointer = "/machines"};
  return std::nullopt;
}

Diagnostic refused(const BillRequest& request, const Warning& why) {
  return {.code = ErrorCode::usage,
          .source = request.offer->id,
          .pointer = why.where,
          .message = why.message,
          .hint = why.code};
}

Warning to_warning(const Refusal& refusal) {
  return {.code = refusal.code, .message = refusal.message, .where = refusal.pointer};
}

// A price a month was used, and nobody says how many hours a month has.
bool month_assumed(const Setup& setup, const Drafts& drafts) {
  if (setup.rules->meter.month_hours) return false;
  const bool part = std::ranges::any_of(
      setup.running, [](const Charge& charge) { return charge.per == PriceUnit::month; });
  const bool address = setup.rules->network.ip_per_month && !setup.rules->network.ip_per_hour;
  return std::ranges::any_of(drafts, [&](const Draft& draft) {
    if (draft.amount.is_zero()) return false;
    if (draft.item == Item::network) return address && draft.unit == Unit::hour;
    if (draft.item != Item::storage) return part && draft.unit == Unit::hour;
    return std::ranges::any_of(setup.rules->storage, [](const auto& rule) {
      return rule.second.per == PricePer::month && priced(&rule.second);
    });
  });
}

// A start that somebody may have to pay for, and nobody says from when.
void assume_begin(const Setup& setup, const Drafts& drafts, Notes& notes) {
  const bool start = setup.start.count() > 0 || setup.queue.count() > 0;
  if ((start && !setup.rules->meter.billed_from) || month_assumed(setup, drafts))
    notes.warn("metering_assumed", kMeteringAssumed, "meter");
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

Duration billed_time(const Setup& setup, const Line& line) {
  Duration sum{0};
  for (const Piece& piece : billed_stretches(setup, line)) sum += piece.to - piece.from;
  return repeated(sum, setup.machines);
}

Duration lost_time(const Line& line) {
  Duration sum{0};
  for (const Segment& segment : line.segments)
    if (segment.activity == Activity::lost) sum += segment.to - segment.from;
  return sum;
}

// A request is served with the stated probability and waits the stated time; one that is not is
// made again, so that tries follow a geometric law with the mean 1 / probability.
void expect_start(const Setup& setup, Expected& expected) {
  const ProvisionRules& provision = setup.rules->provision;
  if (provision.queue_s) expected.queue = setup.queue;
  if (!provision.available || provision.available->is_zero()) return;
  const Decimal& chance = *provision.available;
  constexpr std::int64_t kNine = 1'000'000'000;
  const Wide tries = Ratio{}.times(kNine).over(chance).whole();
  if (tries < static_cast<Wide>(kNine) * kNine)
    expected.start_tries =
        product(Decimal::of(static_cast<std::int64_t>(tries), 9), Decimal::of(1));
  if (!provision.queue_s) return;
  const Wide wait = Ratio{}.times(setup.queue).over(chance).whole();
  expected.queue = Duration{static_cast<std::int64_t>(std::min(wait, Wide{kHorizon.count()}))};
}

}  // namespace

std::optional<Warning> why_no_bill(const BillRequest& request) {
  for (const auto& check : {out_of_bounds, no_exchange, no_request_rule})
    if (auto refusal = check(request)) return to_warning(*refusal);
  if (auto refusal = not_sold(request)) return to_warning(*refusal);
  return std::nullopt;
}

namespace billing {

Prepared::Prepared(const BillRequest& asked) : request(asked), setup(set_up(request, notes)) {
  resolve_prices(setup, notes);
}

Result<Bill> bill_line(const Prepared& prepared, const Line& line, Notes notes) {
  const Crew all{.prepared = &prepared, .line = &line};
  return bill_crews({&all, 1}, std::move(notes));
}

namespace {

// What one crew adds to the bill before the account has its say.
struct Account {
  const Cuts& cuts;
  Notes& notes;
  Drafts& drafts;
  Bill& bill;
};

std::optional<Refusal> add_crew(const Crew& crew, const Account& to) {
  const Setup& setup = crew.prepared->setup;
  const Line& line = *crew.line;
  const bool requests = by_request(setup);
  const std::vector<Term> terms = setup.reserved ? terms_of(setup) : std::vector<Term>{};
  const std::vector<BlockUse> blocks = cover_line(setup, line, terms);
  if (setup.reserved && blocks.empty() && !billed_stretches(setup, line).empty())
    return Refusal{.code = "out_of_bounds",
                   .message = "the work needs more blocks than anybody would buy",
                   .pointer = "/price"};
  warn_overrun(line, setup, terms, blocks, to.notes);
  warn_quota(setup, line, to.notes);

  Drafts drafts;
  drafts.reserve(4 * line.segments.size() + 16);
  if (requests)
    bill_requests(setup, line, to.cuts, drafts);
  else
    bill_compute(setup, line, to.cuts, blocks, to.notes, drafts);
  for (Draft& draft : drafts) draft.count = setup.machines;
  bill_blocks(setup, terms, blocks, drafts);
  bill_disks(setup, line, to.cuts, to.notes, drafts);
  bill_network(setup, line, to.cuts, to.notes, drafts);
  assume_begin(setup, drafts, to.notes);
  bill_refund(setup, line, terms, blocks, to.notes, drafts);
  for (Draft& draft : drafts) draft.first += crew.first;
  to.bill.billed += requests ? billed_by_requests(setup, line) : billed_time(setup, line);
  if (crew.first == 0) to.bill.blocks = counted(blocks);
  if (to.drafts.empty())
    to.drafts = std::move(drafts);
  else
    to.drafts.insert(to.drafts.end(), drafts.begin(), drafts.end());
  return std::nullopt;
}

}  // namespace

Result<Bill> bill_crews(std::span<const Crew> crews, Notes notes) {
  const Setup& setup = crews.front().prepared->setup;
  const BillRequest& request = crews.front().prepared->request;
  const Line& line = *crews.front().line;
  if (!line.finished)
    notes.warn("never_finishes",
               "no session is long enough for any progress: the work is never done", "schedule");
  const Cuts cuts = cuts_for(setup, line);
  Drafts drafts;
  Bill bill;
  for (const Crew& crew : crews)
    if (const auto refusal = add_crew(crew, {cuts, notes, drafts, bill}))
      return refused(request, to_warning(*refusal));
  const Exchange exchange(*request.catalog, setup.platform->currency, request.currency);
  convert(drafts, exchange);
  bill_account(setup, line, cuts, exchange, drafts, bill.expected);
  expect_start(setup, bill.expected);
  bill.currency = request.currency;
  write_ledger(setup, drafts, bill);
  bill.time = line.sums;
  bill.reclaims = line.reclaims;
  bill.lost = lost_time(line);
  bill.finished = line.finished;
  bill.complete = notes.missing.empty();
  for (Unpriced& missing : notes.missing)  // each crew has told the same of its disks
    if (std::ranges::find(bill.unpriced, missing) == bill.unpriced.end())
      bill.unpriced.push_back(std::move(missing));
  bill.warnings = std::move(notes.warnings);
  return bill;
}

}  // namespace billing

Result<Bill> simulate_bill(const BillRequest& request) {
  if (const auto refusal = why_no_bill(request)) return refused(request, *refusal);
  if (dealt_unevenly(request)) return bill_tasks(request);
  Prepared prepared(request);
  Notes notes = std::move(prepared.notes);
  const Setup& setup = prepared.setup;
  const std::unique_ptr<Lives> lives = setup.spot ? stated_lives(setup, notes) : nullptr;
  const Line line =
      by_request(setup) ? build_request_line(setup) : build_line(setup, lives.get(), notes);
  return bill_line(prepared, line, std::move(notes));
}

}  // namespace gpuplan
