#include "rank/requirements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/text.hpp"
#include "plan/requirements.hpp"

namespace gpuplan::detail {
namespace {

using Image = EnvironmentRules::Image;

struct View {
  const Offer& offer;
  const Card* card;
  const CompatTable* compat;
  const std::map<std::string, std::string>& require;
  const EnvironmentRules& environment() const { return offer.rules->environment; }
};

constexpr std::string_view kNotStated = "not stated";

// What the offer says, and whether that is what is wanted.
struct Answer {
  std::string says = std::string(kNotStated);
  bool met = false;
};

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
  const auto listed = [&](std::string_view one) {
    return std::ranges::any_of(list, [&](const std::string& c) { return lower(c) == lower(one); });
  };
  bool all = true;  // of several that are asked for
  for (std::size_t from = 0; from <= wanted.size();) {
    const std::size_t to = std::min(wanted.find(',', from), wanted.size());
    all = all && listed(wanted.substr(from, to - from));
    from = to + 1;
  }
  return {join(list, ","), all || wanted == "true"};
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

std::string show_image(const Image& image, bool with_python) {
  std::string shown = image.framework + (image.version.empty() ? "" : "=" + image.version);
  if (!image.cuda.empty()) shown += " (CUDA " + image.cuda + ")";
  if (with_python && !image.python.empty()) shown += " (Python " + image.python + ")";
  return shown;
}

std::string show_images(const View& v) {
  std::vector<std::string> shown;
  const bool with_python = v.require.contains("python");
  for (const Image& image : v.environment().images) shown.push_back(show_image(image, with_python));
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

bool same_text(std::string_view a, std::string_view b) { return lower(a) == lower(b); }

// "torch=2.9": of that name, and not older.
bool is_framework(const Image& image, std::string_view wanted) {
  const auto equals = wanted.find('=');
  return same_text(image.framework, wanted.substr(0, equals)) &&
         (equals == std::string_view::npos || at_least(image.version, wanted.substr(equals + 1)));
}

bool has_framework(const Image& image, std::string_view wanted) { return is_framework(image, wanted); }
bool is_listed(const Image& image, std::string_view wanted) {
  return wanted == "true" || is_framework(image, wanted);
}
bool has_version(const Image& image, std::string_view wanted) { return at_least(image.version, wanted); }
bool has_python(const Image& image, std::string_view wanted) { return at_least(image.python, wanted); }

struct ImageKey {
  std::string_view name;
  bool (*met)(const Image& image, std::string_view wanted);
};
constexpr std::array kImageKeys{ImageKey{"framework", has_framework}, ImageKey{"images", is_listed},
                                ImageKey{"version", has_version}, ImageKey{"python", has_python}};

bool meets(const Image& image, const ImageKey& key, const View& v) {
  const auto asked = v.require.find(std::string(key.name));
  return asked == v.require.end() || key.met(image, asked->second);
}

// All that is asked of images must be met by one of them; an image of one's own brings anything along.
// Of keys that are not met together, those that no image meets at all are to blame, if there are any.
template <std::size_t index>
Answer image(const View& v, std::string_view) {
  std::vector<Image> images;
  for (const Image& one : v.environment().images)
    if (card_takes(v, one.cuda)) images.push_back(one);
  const auto alone = [&](const ImageKey& key) {
    return std::ranges::any_of(images, [&](const Image& one) { return meets(one, key, v); });
  };
  const bool together = std::ranges::any_of(images, [&](const Image& one) {
    return std::ranges::all_of(kImageKeys, [&](const ImageKey& key) { return meets(one, key, v); });
  });
  const bool others_fault = alone(kImageKeys[index]) && !std::ranges::all_of(kImageKeys, alone);
  return {show_images(v), v.environment().custom_images.value_or(false) || together || others_fault};
}

struct Key {
  std::string_view name;
  std::string_view code;  // of the reason
  Answer (*ask)(const View& view, std::string_view wanted);
};
using S = ServiceRules;
using E = EnvironmentRules;
constexpr std::array kKeys{
    Key{"driver", "driver_cuda", driver},
    Key{"cuda", "driver_cuda", cuda},
    Key{"framework", "framework_image", image<0>},
    Key{"images", "framework_image", image<1>},
    Key{"version", "framework_image", image<2>},
    Key{"python", "framework_image", image<3>},
    Key{"custom_images", "custom_images", environment_truth<&E::custom_images>},
    Key{"containers", "containers", environment_truth<&E::containers>},
    Key{"graphics", "graphics", environment_truth<&E::graphics>},
    Key{"root", "root", environment_truth<&E::root>},
    Key{"interconnect", "interconnect", interconnect},
    Key{"region", "region", region},
    Key{"compliance", "compliance", compliance},
    Key{"exclusive", "exclusive", service_truth<&S::exclusive>},
    Key{"min_up_mbps", "bandwidth", up_mbps},
    Key{"data_wiped", "data_wiped", service_truth<&S::data_wiped>},
    Key{"itemised_bill", "itemised_bill", service_truth<&S::itemised_bill>},
    Key{"sub_accounts", "sub_accounts", service_truth<&S::sub_accounts>},
    Key{"quotas", "quotas", service_truth<&S::quotas>},
    Key{"resumable_transfer", "resumable_transfer", service_truth<&S::resumable_transfer>},
    Key{"object_storage", "object_storage", service_truth<&S::object_storage>},
    Key{"education", "education", service_truth<&S::education>},
    Key{"performance_factor", "performance_factor", performance_factor},
    Key{"isolation", "isolation", service_text<&S::isolation>},
    Key{"support_hours", "support_hours", service_text<&S::support_hours>},
};

}  // namespace

Diagnostics check_requirements(const Job& job) {
  Diagnostics faults;
  for (const auto& [name, wanted] : job.require)
    if (auto wrong = wrong_requirement(name, wanted)) {
      wrong->source = "--require";
      faults.push_back(std::move(*wrong));
    }
  return faults;
}

// In the order of the table: what the job runs on, then where it is, then the service.
void add_missing(const Offer& offer, const Card* card, const Job& job, const CompatTable* compat,
                 std::vector<Reason>& reasons) {
  if (job.require.empty()) return;
  const View view{offer, card, compat, job.require};
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
