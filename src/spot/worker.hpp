#pragma once

#include <array>
#include <optional>

#include "spot/statistics.hpp"
#include "spot/tasks.hpp"

namespace gpuplan::spot {

// Sums over runs; whole numbers, so that no order of the runs changes them. Times in microseconds of
// one machine, but `billed`: of all.
struct Sums {
  std::array<Wide, kItems.size()> items{};  // money; of quick runs only after `Worker::price`
  std::array<Quick::Shares, 6> card_time{};  // of quick runs, by way
  std::array<bool, kItems.size()> seen{};
  Wide queue = 0, startup = 0, transfer = 0, run = 0;
  std::int64_t zone_reclaims = 0, sessions = 0;

  // A sum with that of its squares; times in milliseconds there.
  struct Moments {
    Wide sum = 0, squares = 0;
    void add(std::int64_t value, std::int64_t of_square) {
      sum += value;
      squares += Wide{of_square} * of_square;
    }
    double standard_error(std::int64_t n, Wide unit) const;  // in units of the squares
  };
  Moments reclaims, billed, lost;

  void add(const Sums& other);
};

// One thread's runs.
class Worker {
 public:
  Worker(const BillRequest& request, const Plan& plan);
  Outcome run(std::int64_t number);
  const Sums& sums();
  // Puts the card time of quick runs, of all threads, into the money of items.
  void price(Sums& sums);
  std::int64_t sessions() const { return sums_.sessions; }

 private:
  // What one machine's part of a run came to.
  struct Part {
    Money total;
    Duration wall{0}, billed{0}, lost{0};
    std::int64_t reclaims = 0;
  };
  std::optional<Part> do_part(Way& way, billing::Lives& lives, std::int64_t number, Duration from,
                              AccountUse* account);
  std::optional<Part> do_quick(Way& way, billing::Lives& lives, Duration from);
  std::optional<Part> do_full(Way& way, billing::Lives& lives, std::int64_t number, Duration from,
                              AccountUse* account);

  const Plan& plan_;
  AccountUse* shared_;  // of earlier bills of the account
  Ways ways_;
  std::optional<DrawnLives> drawn_;
  Sums sums_;
};

}  // namespace gpuplan::spot
