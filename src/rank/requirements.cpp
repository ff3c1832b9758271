#include "rank/requirements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/text.hpp"

namespace gpuplan::detail {
namespace {

using Image = EnvironmentRules::Image;

struct View {
  const Offer& offer;
  const Card* card;
  const CompatTable* compat;
  const EnvironmentRules& environment() const { return offer.rules->environment; }
};

constexpr std::string_view kNotStated = "not stated";

// What the offer says, and whether that is what is wanted.
struct Answer {
  std::string says = std::string(kNotStated);
  bool met = false;
};

// ---- kinds of values ----

struct Kind {
  std::string_view wanted;  // how messages describe a value; empty: any text
  bool (*well_formed)(std::string_view value);
};

bool any_text(std::string_view value) { return !value.empty(); }
bool is_truth(std::string_view value) { return value == "true" || value == "false"; }
bool is_number(std::string_view value) { return Decimal::parse(value).has_value(); }
bool is_version(std::string_view value) { return Version::parse(value).has_value(); }
bool is_framework(std::string_view value) {
  const auto equals = value.find('=');
  return equals != 0 && (equals == std::string_view::npos || is_version(value.substr(equals + 1)));
}

constexpr Kind kTruth{"true or false", is_truth};
constexpr Kind kNumber{"a number", is_number};
constexpr Kind kVersion{"a version such as 570 or 12.8", is_version};
constexpr Kind kFramework{"a name, or NAME=VERSION such as torch=2.9", is_framework};
constexpr Kind kText{"a text", any_text};

bool at_least(std::string_view has, std::string_view wanted) {
  const auto left = Version::parse(has), right = Version::parse(wanted);
  return left && right && *left >= *right;
}

Answer truth(const std::optional<bool>& value, std::string_view wanted) {
  if (!value) return {};
  return {*value ? "true" : "false", *value == (wanted == "true")};
}

// A bare key asks only that something is stated.
Answer text(std::string_view value, std::string_view wanted) {
  if (value.empty()) return {};
  return {std::string(value), wanted == "true" || lower(wanted) == lower(value)};
}

Answer number(const std::optional<Decimal>& value, std::string_view wanted) {
  if (!value) return {};
  const auto least = Decimal::parse(wanted);
  return {value->to_string(), least && *least <= *value};
}

template <auto member>
Answer service_truth(const View& v, std::string_view wanted) {
  return truth(v.offer.rules->service.*member, wanted);
}
template <auto member>
Answer service_text(const View& v, std::string_view wanted) {
  const auto& value = v.offer.rules->service.*member;
  return text(value ? std::string_view(*value) : std::string_view{}, wanted);
}
template <auto member>
Answer environment_truth(const View& v, std::string_view wanted) {
  return truth(v.environment().*member, wanted);
}

Answer compliance(const View& v, std::string_view wanted) {
  const std::vector<std::string>& list = v.offer.rules->service.compliance;
  if (list.empty()) return {};
  const bool listed = std::ranges::any_of(list, [&](const std::string& c) { return lower(c) == lower(wanted); });
  return {join(list, ","), listed || wanted == "true"};
}
Answer performance_factor(const View& v, std::string_view wanted) {
  return number(v.offer.rules->service.performance_factor, wanted);
}
Answer region(const View& v, std::string_view wanted) { return text(v.offer.region.str(), wanted); }
Answer interconnect(const View& v, std::string_view wanted) {
  return text(v.offer.interconnect ? name_of(*v.offer.interconnect) : std::string_view{}, wanted);
}
Answer up_mbps(const View& v, std::string_view wanted) { return number(v.offer.rules->network.up_mbps, wanted); }

// ---- driver, CUDA, framework ----

Answer driver(const View& v, std::string_view wanted) {
  const auto& has = v.environment().driver;
  if (!has) return {};
  return {*has, at_least(*has, wanted)};
}

// Chips leave CUDA at some version, and come into it at another.
bool card_takes(const View& v, const std::string& cuda) {
  if (v.card == nullptr || v.compat == nullptr) return true;
  const auto capability = Version::parse(v.card->compute_capability);
  const auto version = Version::parse(cuda);
  if (!capability || !version) return true;
  const Architecture* chip = v.compat->architecture(*capability);
  return chip == nullptr || (*version >= chip->first_cuda && (!chip->last_cuda || *version <= *chip->last_cuda));
}

std::string show_image(const Image& image) {
  std::string shown = image.framework + (image.version.empty() ? "" : "=" + image.version);
  if (!image.cuda.empty()) shown += " (CUDA " + image.cuda + ")";
  return shown;
}

std::string show_images(const View& v) {
  std::vector<std::string> shown;
  for (const Image& image : v.environment().images) shown.push_back(show_image(image));
  if (v.environment().custom_images.value_or(false)) shown.emplace_back("images of your own");
  return shown.empty() ? std::string(kNotStated) : join(shown, ", ");
}

// The newest CUDA that the offer's driver knows.
std::optional<Version> cuda_of_driver(const View& v) {
  const auto& stated = v.environment().driver;
  const auto version = stated ? Version::parse(*stated) : std::nullopt;
  const DriverBranch* branch = version && v.compat != nullptr ? v.compat->branch(*version) : nullptr;
  return branch == nullptr ? std::nullopt : branch->cuda;
}

Answer cuda(const View& v, std::string_view wanted) {
  if (const auto newest = cuda_of_driver(v))
    return {fmt::format("driver {}, up to CUDA {}", *v.environment().driver, newest->to_string()),
            *newest >= *Version::parse(wanted) && card_takes(v, std::string(wanted))};
  Answer answer{.says = show_images(v)};
  answer.met = std::ranges::any_of(v.environment().images, [&](const Image& image) {
    return at_least(image.cuda, wanted) && card_takes(v, image.cuda);
  });
  return answer;
}

// An image of one's own brings any framework along.
Answer framework(const View& v, std::string_view wanted) {
  const auto equals = wanted.find('=');
  const std::string_view name = wanted.substr(0, equals);
  Answer answer{.says = show_images(v)};
  answer.met = v.environment().custom_images.value_or(false) ||
               std::ranges::any_of(v.environment().images, [&](const Image& image) {
                 return lower(image.framework) == lower(name) && card_takes(v, image.cuda) &&
                        (equals == std::string_view::npos || at_least(image.version, wanted.substr(equals + 1)));
               });
  return answer;
}

struct Key {
  std::string_view name;
  std::string_view code;  // of the reason
  Kind kind;
  Answer (*ask)(const View& view, std::string_view wanted);
};
using S = ServiceRules;
using E = EnvironmentRules;
constexpr std::array kKeys{
    Key{"driver", "driver_cuda", kVersion, driver},
    Key{"cuda", "driver_cuda", kVersion, cuda},
    Key{"framework", "framework_image", kFramework, framework},
    Key{"custom_images", "custom_images", kTruth, environment_truth<&E::custom_images>},
    Key{"containers", "containers", kTruth, environment_truth<&E::containers>},
    Key{"graphics", "graphics", kTruth, environment_truth<&E::graphics>},
    Key{"root", "root", kTruth, environment_truth<&E::root>},
    Key{"interconnect", "interconnect", kText, interconnect},
    Key{"region", "region", kText, region},
    Key{"compliance", "compliance", kText, compliance},
    Key{"exclusive", "exclusive", kTruth, service_truth<&S::exclusive>},
    Key{"min_up_mbps", "bandwidth", kNumber, up_mbps},
    Key{"data_wiped", "data_wiped", kTruth, service_truth<&S::data_wiped>},
    Key{"itemised_bill", "itemised_bill", kTruth, service_truth<&S::itemised_bill>},
    Key{"sub_accounts", "sub_accounts", kTruth, service_truth<&S::sub_accounts>},
    Key{"quotas", "quotas", kTruth, service_truth<&S::quotas>},
    Key{"resumable_transfer", "resumable_transfer", kTruth, service_truth<&S::resumable_transfer>},
    Key{"object_storage", "object_storage", kTruth, service_truth<&S::object_storage>},
    Key{"education", "education", kTruth, service_truth<&S::education>},
    Key{"performance_factor", "performance_factor", kNumber, performance_factor},
    Key{"isolation", "isolation", kText, service_text<&S::isolation>},
    Key{"support_hours", "support_hours", kText, service_text<&S::support_hours>},
};

}  // namespace

Diagnostics check_requirements(const Job& job) {
  std::vector<std::string_view> names;
  for (const Key& key : kKeys) names.push_back(key.name);
  Diagnostics faults;
  for (const auto& [name, wanted] : job.require) {
    const auto key = std::ranges::find(kKeys, name, &Key::name);
    if (key == kKeys.end()) {
      const std::string hint = did_you_mean(name, names);
      const std::vector<std::string> all(names.begin(), names.end());
      faults.push_back({ErrorCode::unknown_name, "--require", "",
                        "nothing that an offer can state is named " + quote(name),
                        hint.empty() ? "one of " + join(all, ", ") : hint});
    } else if (!key->kind.well_formed(wanted)) {
      faults.push_back({ErrorCode::usage, "--require", "",
                        fmt::format("{}={}: {} is wanted", name, wanted, key->kind.wanted), {}});
    }
  }
  return faults;
}

// In the order of the table: what the job runs on, then where it is, then the service.
void add_missing(const Offer& offer, const Card* card, const Job& job, const CompatTable* compat,
                 std::vector<Reason>& reasons) {
  if (job.require.empty()) return;
  const View view{offer, card, compat};
  for (const Key& key : kKeys) {
    const auto asked = job.require.find(std::string(key.name));
    if (asked == job.require.end()) continue;
    const Answer answer = key.ask(view, asked->second);
    if (answer.met) continue;
    reasons.push_back({std::string(key.code), fmt::format("{} = {} is asked for, the offer says: {}", key.name,
                                                          asked->second, answer.says)});
  }
}

}  // namespace gpuplan::detail
