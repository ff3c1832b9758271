#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gpuplan/rank.hpp"
#include "rank/spot_floor.hpp"

namespace gpuplan::detail {

// A pair of offer and plan that can do the job, as far as a bill is not needed to tell.
struct Candidate {
  const Offer* offer = nullptr;
  const Platform* platform = nullptr;
  const std::shared_ptr<const Sizing>* sizing = nullptr;  // kept by the sizer
  const std::string* plan = nullptr;
  MaybeDecimal price = {};  // an hour under this plan; nothing for a plan that has none
};

// Changed inputs under which candidates are priced again; as it is, nothing is changed.
struct Setting {
  Decimal work = Decimal::of(1);    // times as much
  Decimal upload = Decimal::of(1);  // times as much
  std::optional<int> window_hours = {};  // of the job's daily window, from its begin
  const Offer* offer = nullptr;     // whose price an hour is another, ...
  bool spot = false;                // ... of spot or on demand, ...
  Decimal price = {};               // ... namely this, in its own currency
  // Instead of a price: how long a spot machine lives on average, in hours. Of that offer, or of all
  // where none is named.
  std::optional<Decimal> life = {};
};

struct Priced {
  std::optional<RankedOffer> ranked;  // with its bill, whether or not it passes the gates
  std::vector<Reason> reasons;        // why it has no bill, or which gates it misses
  bool passes() const { return ranked && reasons.empty(); }
};

// Whether independent parts of the work can run on machines that do not know of each other.
bool can_be_split(const Job& job);

// Makes the bills of candidates. The ranking's job and catalog must outlive it.
class Pricer {
 public:
  Pricer(const Ranking& ranking, const RankOptions& options, const Setting& setting = {});
  // With as many machines as the deadline asks for where the work can be split.
  Priced price(const Candidate& candidate, bool ledger = true);
  // Of settings that change one offer only: what others come to, kept for the next such setting.
  // Candidates must stay where they are.
  using Known = std::map<const Candidate*, Priced>;
  void keep_in(Known& known) { known_ = &known; }
  // What its mean bill is at least; nothing for other plans, and where nothing is known.
  std::optional<SpotFloor> floor(const Candidate& candidate);
  // What closed forms expect of a spot plan by chance; nothing where they say nothing.
  std::optional<Money> expected(const Candidate& candidate, Duration run, std::int64_t machines);
  struct Made {
    Bill bill;                     // of a spot plan: what its runs come to on average
    std::optional<Trials> trials;  // of a spot plan
  };
  // The request that the bill of this candidate is made for; what it points to stays as long as the
  // pricer.
  BillRequest request_for(const Candidate& candidate, Duration run, std::int64_t machines);
  // The bill for so much running time instead of the job's.
  Result<Made> bill(const Candidate& candidate, Duration run, std::int64_t machines, bool ledger);

 private:
  Result<Made> spot_bill(const BillRequest& request) const;
  struct Request {
    BillRequest request;
    std::unique_ptr<const Offer> changed = nullptr;  // what `request` points to, where the setting has another
  };
  Request request_of(const Candidate& candidate, Duration run, std::int64_t machines);
  Duration run_of(const Candidate& candidate) const;
  std::int64_t machines_of(const Candidate& candidate) const;
  const Job& job_on(std::int64_t machines);
  Offer changed(const Offer& offer) const;
  Priced judge(const Candidate& candidate, Duration run, std::int64_t machines, bool ledger);
  Priced make(const Candidate& candidate, bool ledger);

  const Ranking* ranking_;
  const RankOptions* options_;
  Setting setting_;
  Known* known_ = nullptr;
  std::map<std::int64_t, Job> jobs_;  // the job on so many machines
};

}  // namespace gpuplan::detail
