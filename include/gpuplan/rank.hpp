#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gpuplan/billing.hpp"
#include "gpuplan/catalog.hpp"
#include "gpuplan/compat.hpp"
#include "gpuplan/plan.hpp"
#include "gpuplan/spot.hpp"

namespace gpuplan {

enum class SortKey { cost, time, unit_cost, risk, score };

// Why an offer is not in the ranking. Codes are stable; see examples/CODES.md.
struct Reason {
  std::string code = {};
  std::string message = {};
};

// The layout and speed of the job on one kind of machine; shared by all offers of that kind.
struct Sizing {
  const Card* card = nullptr;
  Bytes available = {};  // of each GPU
  std::optional<Layout> layout = {};
  std::optional<SpeedEstimate> speed = {};
  std::optional<Duration> run = {};  // that one such machine needs for all the work
  std::int64_t machines = 1;         // that share it: of a job in shards, replicas of a server
  Warnings warnings = {};
  std::vector<Reason> reasons = {};  // why the job cannot run on it
};

struct UnitCost {
  std::string per = {};  // "million tokens", "sample", "run"
  Money amount = {};
};

// How much work a budget pays for, on one offer under one plan: whole minutes.
struct Affords {
  Duration run{0};                     // of one machine, all the work that it can do
  std::optional<double> tokens = {};   // in that time, where the speed is known
  std::optional<double> samples = {};  // images, or texts of an encoder
  std::optional<double> units = {};    // of tasks without a model, which cards are ranked by
  std::string unit = {};               // of `units`: "32-bit FLOP"
};
// "1.2 B tokens"; the time where no speed is known.
std::string show_amount(const Affords& affords);

struct RankedOffer {
  const Offer* offer = nullptr;
  const Platform* platform = nullptr;
  std::shared_ptr<const Sizing> sizing = {};
  std::string plan = "on_demand";
  std::int64_t machines = 1;
  Bill bill = {};  // of a spot plan: totals and times are means of the runs, the ledger is the median's
  std::optional<Trials> trials = {};  // of a spot plan
  std::optional<UnitCost> unit_cost = {};
  std::optional<Affords> affords = {};  // when the question is what a budget pays for
  // With `RankOptions::alike_as_one`: how many others that stand further down differ from it in
  // nothing that a row shows but the price; and whether it is such a one itself.
  std::size_t more_alike = 0;
  bool is_alike = false;
  double score = 0;
  std::map<std::string, double> scores = {};  // parts between 0 and 1
  Warnings warnings = {};
};

struct RejectedOffer {
  const Offer* offer = nullptr;
  const Platform* platform = nullptr;
  std::vector<Reason> reasons = {};     // in the order of the decision: card, environment, price, ...
  std::shared_ptr<const RankedOffer> bill = {};  // when it was a gate that it failed; else null
};

// The nearest change of one input at which another offer wins. Found by search, and true: with the
// changed input that offer is first.
struct Flip {
  std::string knob = {};   // "work", "upload", "price", "schedule"
  std::string when = {};   // in words, with the number
  std::string then = {};
  Decimal value = {};      // factor of work or upload; hours of the daily window; the new price of `offer` (an hour, its own currency)
  const Offer* of = nullptr;      // whose price it is; null: of the job
  const Offer* winner = nullptr;
  const Platform* platform = nullptr;  // of the winner
  std::string plan = {};
};

struct Gate {
  std::string name = {};
  std::string limit, value;  // decimal text; value of the best offer; empty = none
  bool passed = false;
  std::string of = {};  // of several: "job 2", "member ann", "project vision"
  std::string why = {};  // it is not passed although the value is within the limit
};

struct RankOptions {
  std::vector<std::string> plans = {};  // empty: every plan that an offer is sold under
  std::vector<std::string> platforms = {}, regions = {}, exclude = {};  // empty: all
  std::string offer = {};                                     // one offer only
  std::optional<SortKey> sort = {};                           // absent: score with a profile, else cost
  std::map<std::string, double> weights = {};                 // over the profile's
  std::string currency = {};                                  // absent: the catalog's
  std::optional<Date> as_of = {};
  std::optional<int> max_age_days = {};
  // Most that an hour of all machines may cost, by plan; "" holds for those that are not named.
  std::map<std::string, Money> max_hourly = {};
  // Rows that the reader wants. Offers that cannot be among them may be left without a bill when
  // there are very many; the rows, their order and the decision are the same. 0: all.
  std::size_t rows = 0;
  // Offers of one platform, machine, rules, region, tier and plan count as one row, that of the first.
  bool alike_as_one = false;
  std::size_t price_all_up_to = 1000;  // pairs of offer and plan that all get a bill in any case
  std::size_t most_rejected = 1000;  // to list; all are counted
  // Which CUDA a driver runs and a card takes, for `require`; null: versions are compared as written.
  const CompatTable* compat = nullptr;
  bool flips = true;  // false: nobody wants to know what would change the choice
  TrialOptions trials = {.trials = 1'000, .advice = false};
};

struct Ranking {
  RankOptions asked = {};
  Job job = {};
  ModelShape model = {};
  const Catalog* catalog = nullptr;
  std::string currency = {};
  SortKey sort = SortKey::cost;
  std::map<std::string, double> weights = {};
  std::vector<RankedOffer> ranked = {};
  std::size_t listed = 0;        // of `ranked`, in order; behind them may stand the backup
  std::size_t ranked_total = 0;  // with those that were not listed
  std::vector<RejectedOffer> rejected = {};  // at most `most_rejected`
  std::size_t rejected_total = 0;
  bool any_gated = false;  // an offer could do the job and missed only a gate
  std::map<std::string, std::size_t> rejected_by_reason = {};  // by the first reason
  std::optional<std::size_t> primary = {};  // into `ranked`
  std::optional<std::size_t> backup = {};
  std::vector<std::string> why = {};
  std::vector<Flip> flips = {};
  std::vector<Gate> gates = {};
  Warnings warnings = {};
};

// Sizes, rejects with reasons, bills, orders and decides. The catalog must outlive the ranking. A
// job with a budget and no stated work is asked another question: how much work each offer does for
// that money; then they are ordered by it.
Result<Ranking> rank_offers(const Job& job, const ModelShape& model, const Catalog& catalog,
                            const Tables& tables, const RankOptions& options);

// A job with the model that it names.
struct JobModel {
  Job job = {};
  ModelShape model = {};
};

struct SimulateOptions {
  std::string plan = "on_demand";
  std::string currency = {};  // absent: the catalog's
  TrialOptions trials = {};   // of the plan "spot"
  // What members and projects may spend, and card hours that members may use, by name.
  std::map<std::string, Money> member_budgets = {}, project_budgets = {};
  std::map<std::string, Duration> member_quotas = {};
};

struct SimulatedJob {
  Job job = {};
  Bill bill = {};  // of a spot plan: of the median run
  std::optional<UnitCost> unit_cost = {};
  std::optional<Trials> trials = {};  // of a spot plan
  std::optional<CheckpointAdvice> checkpoint = {};
  SpotOutlook outlook = {};
};

// What one project or member has to pay.
struct BillShare {
  std::string name = {};  // empty: of the jobs that name none
  std::map<Item, Money> totals = {};
  Money total = {};
  Duration card_time{0};  // billed time x cards
  std::size_t jobs = 0;
  std::optional<Money> budget = {};
  std::optional<Duration> quota = {};  // of card time
};

// Jobs billed on one offer, whether they fit it or not. They are jobs of one account: free amounts,
// credits and monthly fees are used up in the order of the jobs.
struct SimulateResult {
  const Catalog* catalog = nullptr;
  const Offer* offer = nullptr;
  std::string plan = {}, currency = {};
  std::vector<SimulatedJob> jobs = {};
  std::map<Item, Money> totals = {};
  Money total = {};
  bool complete = true;
  std::vector<BillShare> by_project = {}, by_member = {};  // in the order of the jobs
  std::vector<Gate> gates = {};
  Warnings warnings = {};  // `does_not_fit`, ...; those of the bills stand there
};
Result<SimulateResult> simulate_offer(std::span<const JobModel> jobs, const Catalog& catalog,
                                      const Offer& offer, const SimulateOptions& options,
                                      const Tables& tables);

// Trial and monthly credits make an offer look free that is not: only the profile "student" counts
// them. Takes them out of the catalog otherwise and says so.
void settle_credits(const Job& job, Catalog& catalog, Warnings& warnings);

// The names of the parts of a score, and the weights of a profile.
std::vector<std::string_view> score_parts();
std::map<std::string, double> profile_weights(std::string_view profile);

}  // namespace gpuplan
