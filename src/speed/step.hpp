#pragma once

#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "gpuplan/speed.hpp"

namespace gpuplan::detail {

// A maximum with a soft corner: two limits that nearly meet cost more than either alone.
inline double soft_max(double a, double b) { return std::pow(std::pow(a, 4) + std::pow(b, 4), 0.25); }

// One part of a step: how long it takes, what sets that, and where the figure comes from.
struct Part {
  std::string name;
  double seconds = 0;
  Bound bound = Bound::compute;
  std::string formula;
  std::string inputs;
  std::string_view source;
};

// Parts that run one after the other.
class Step {
 public:
  void add(Part part) {
    if (part.seconds > 0) parts_.push_back(std::move(part));
  }
  // What a limit that runs beside the parts so far adds to them.
  void add_beside(Part part) {
    part.seconds = soft_max(seconds(), part.seconds) - seconds();
    add(std::move(part));
  }
  double seconds() const;
  double seconds(Bound bound) const;
  const std::vector<Part>& parts() const { return parts_; }
  // This step `factor` times, in one.
  Step times(double factor) const;
  void append(const Step& other);

 private:
  std::vector<Part> parts_;
};

// What takes the largest share of these seconds.
Bound dominant(const Step& step);
// The parts as lines of `--explain`, each name behind `prefix`.
void explain_step(const Step& step, std::string_view prefix, std::vector<Explained>& lines);

// "12.3 ms", "2.04 TB/s", "13.5 GB": for the inputs of a line.
std::string show_time(double seconds);
std::string show_amount(double amount, std::string_view unit);

}  // namespace gpuplan::detail
