#pragma once

#include <map>
#include <string>
#include <vector>

#include "rank/groups.hpp"
#include "rank/steps.hpp"
#include "rank/usual.hpp"

namespace gpuplan::detail {

// The offers of a catalog, as far as no bill is needed to tell: which can do the job, and why others
// cannot.
struct Collected {
  explicit Collected(const Catalog& catalog) : usual(catalog) {}
  std::vector<Group> groups;  // in the order of their first offers
  std::size_t candidates = 0;  // members of all groups
  std::vector<RejectedOffer> rejected;  // the first, in the catalog's order: as many as are to be listed
  std::size_t rejected_total = 0;
  std::map<std::string, std::size_t> rejected_by_reason;
  UsualPrices usual;
};

// The answer does not depend on the number of threads (0: as many as the machine has, for a catalog
// that is worth them).
Collected collect_offers(const Ranking& ranking, Sizer& sizer, const RankOptions& options, unsigned threads = 0);

// All candidates in the catalog's order, the plans of one offer together and in the order in which they
// were asked for.
std::vector<Candidate> listed_candidates(const std::vector<Group>& groups, const RankOptions& options);

}  // namespace gpuplan::detail
