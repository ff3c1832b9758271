#include "plan/requirements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "core/text.hpp"
#include "gpuplan/compat.hpp"
#include "gpuplan/money.hpp"

namespace gpuplan::detail {
namespace {

bool any_text(std::string_view value) { return !value.empty(); }
bool is_truth(std::string_view value) { return value == "true" || value == "false"; }
bool is_number(std::string_view value) { return Decimal::parse(value).has_value(); }
bool is_version(std::string_view value) { return Version::parse(value).has_value(); }
bool is_framework(std::string_view value) {
  const auto equals = value.find('=');
  return !value.empty() && equals != 0 &&
         (equals == std::string_view::npos || is_version(value.substr(equals + 1)));
}

constexpr std::string_view kTruth = "true or false", kNumber = "a number", kText = "a text",
                           kVersion = "a version such as 570 or 12.8",
                           kFramework = "a name, or NAME=VERSION such as torch=2.9";

// Every key of the catalog's `environment` and `service`, and what else of an offer decides.
constexpr std::array kKeys{
    RequirementKey{"driver", kVersion, is_version},
    RequirementKey{"cuda", kVersion, is_version},
    RequirementKey{"framework", kFramework, is_framework},
    RequirementKey{"images", kFramework, is_framework},
    RequirementKey{"version", kVersion, is_version},
    RequirementKey{"python", kVersion, is_version},
    RequirementKey{"custom_images", kTruth, is_truth},
    RequirementKey{"containers", kTruth, is_truth},
    RequirementKey{"graphics", kTruth, is_truth},
    RequirementKey{"root", kTruth, is_truth},
    RequirementKey{"interconnect", kText, any_text},
    RequirementKey{"region", kText, any_text},
    RequirementKey{"compliance", kText, any_text},
    RequirementKey{"exclusive", kTruth, is_truth},
    RequirementKey{"min_up_mbps", kNumber, is_number},
    RequirementKey{"data_wiped", kTruth, is_truth},
    RequirementKey{"itemised_bill", kTruth, is_truth},
    RequirementKey{"sub_accounts", kTruth, is_truth},
    RequirementKey{"quotas", kTruth, is_truth},
    RequirementKey{"resumable_transfer", kTruth, is_truth},
    RequirementKey{"object_storage", kTruth, is_truth},
    RequirementKey{"education", kTruth, is_truth},
    RequirementKey{"performance_factor", kNumber, is_number},
    RequirementKey{"isolation", kText, any_text},
    RequirementKey{"support_hours", kText, any_text},
};

}  // namespace

std::span<const RequirementKey> requirement_keys() { return kKeys; }

std::optional<Diagnostic> wrong_requirement(std::string_view key, std::string_view value) {
  const auto known = std::ranges::find(kKeys, key, &RequirementKey::name);
  if (known == kKeys.end()) {
    std::vector<std::string_view> names;
    for (const RequirementKey& one : kKeys) names.push_back(one.name);
    const std::string hint = did_you_mean(key, names);
    const std::vector<std::string> all(names.begin(), names.end());
    return Diagnostic{ErrorCode::unknown_name, {}, {},
                      "nothing that an offer can state is named " + quote(key),
                      hint.empty() ? "one of " + join(all, ", ") : hint};
  }
  if (known->well_formed(value)) return std::nullopt;
  return Diagnostic{ErrorCode::usage, {}, {}, fmt::format("{}={}: {} is wanted", key, value, known->wanted), {}};
}

}  // namespace gpuplan::detail
