#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

// Logarithm and exponential of our own, made of additions, multiplications and divisions alone:
// draws and sums come out the same with every C library and compiler. Errors: below 2 units in the
// last place.
namespace gpuplan::spot {

double natural_log(double x);  // x > 0, finite
double exponential(double x);  // 0 below -745, infinity above 709
double exponential_minus_1(double x);
// x of 1 - x = e^-(x + c), c > 0: the part of the mean life that is best worked between two
// checkpoints that take c mean lives; 1 + W0(-e^(-c-1)) in terms of Lambert's function.
double best_piece(double c);

// A sequence of random numbers for one run: counted, so that a run is the same whoever makes it, and
// number i of a run is the same for every offer.
class Stream {
 public:
  Stream(std::uint64_t seed, std::uint64_t run);
  // Above 0 and below 1, a multiple of 2^-54. `lane`: further numbers of the same place.
  double uniform(std::uint64_t place, std::uint64_t lane = 0) const;
  // natural_log of so many of them from `place` on, to the last digit: together they take a fraction of
  // the time, since none waits for another.
  static constexpr std::size_t kTogether = 8;
  std::array<double, kTogether> logs(std::uint64_t place, std::uint64_t lane) const;

 private:
  std::uint64_t key_;
};

}  // namespace gpuplan::spot
