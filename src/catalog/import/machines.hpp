#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "gpuplan/money.hpp"
#include "gpuplan/units.hpp"

namespace gpuplan::detail {

// What a cloud's machine type holds, where its price list does not say it or says it vaguely.
struct MachineType {
  std::string_view platform;  // as in the built-in catalog
  std::string_view name;      // the type; one that ends with "." or "-" stands for all that begin so
  std::string_view card;
  std::int64_t gpus = 0;   // 0: as the list says
  std::int64_t parts = 1;  // of so many equal parts of a card the machine has one
  std::int64_t part_gib = 0;  // memory of that part
};
std::optional<MachineType> machine_type(std::string_view platform, std::string_view type);

// A Google machine of which host and cards have prices of their own.
struct GoogleHost {
  std::string_view type;
  std::string_view family;  // as descriptions of prices name it
  std::string_view card;    // as price lists name it
  std::int64_t gpus, vcpus, ram_gib;
};
std::span<const GoogleHost> google_hosts();
const GoogleHost* google_host(std::string_view type);
// Most vCPUs that a general-purpose N1 host may have with so many of these cards; 0: not offered.
std::int64_t most_n1_vcpus(std::string_view card, std::int64_t gpus);

}  // namespace gpuplan::detail
