#pragma once

#include <optional>
#include <vector>

#include "gpuplan/plan.hpp"

namespace gpuplan::detail {

inline constexpr std::int64_t kMostGpus = 64;

// The layouts that a job may take, cheapest first: fewer cards before more, less traffic before
// more. Memory does not depend on the card, so each layout is estimated once for all cards.
class Layouts {
 public:
  Layouts(const Job& job, const ModelShape& model, std::int64_t at_least, std::int64_t at_most);
  // The first layout whose memory with the headroom fits; nothing when none does.
  const Layout* first_that_fits(Bytes available, const Decimal& headroom);

 private:
  struct Candidate {
    Workload workload;
    std::optional<Layout> layout;
    bool impossible = false;
  };
  const Layout* at(std::size_t index);

  const ModelShape* model_;
  std::optional<Bytes> measured_;
  std::vector<Candidate> candidates_;
};

}  // namespace gpuplan::detail
