#pragma once

#include <string>
#include <vector>

#include "core/text.hpp"
#include "gpuplan/rank.hpp"

namespace gpuplan::detail {

// The share of this name, added behind the others when it is new.
BillShare& share_of(std::vector<BillShare>& shares, const std::string& name);
void add_bill(const Bill& bill, Duration card_time, BillShare& share);

// The gates of a share: what it may spend, and card hours.
void share_gates(const BillShare& share, const std::string& kind, std::vector<Gate>& gates);
// Seconds as exact decimal text.
std::string seconds_text(Duration time);

// A limit for somebody who has no job is most likely a slip of the pen.
template <class Limits>
void warn_of_strangers(const Limits& limits, const std::vector<BillShare>& shares,
                       const std::string& kind, Warnings& warnings) {
  for (const auto& [name, limit] : limits) {
    bool known = false;
    for (const BillShare& share : shares) known = known || share.name == name;
    if (!known)
      warnings.push_back(
          {"no_such_" + kind,
           "no job names the " + kind + " " + quote(name) + ": its limit holds nobody", kind});
  }
}

}  // namespace gpuplan::detail
