#pragma once

#include <memory>

#include "billing/run.hpp"
#include "spot/law.hpp"

namespace gpuplan::spot {

// The lives of one run after another. With several machines that work together the first reclaim
// stops them all.
class DrawnLives : public billing::Lives {
 public:
  DrawnLives(const Law& law, std::int64_t machines, std::uint64_t seed);
  void begin_run(std::int64_t run);
  std::optional<Duration> next() override;
  Duration longest() const override;

 private:
  const Law& law_;
  std::uint64_t machines_, seed_, session_ = 0;
  Stream stream_;
};

}  // namespace gpuplan::spot
