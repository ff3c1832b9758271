#pragma once

#include <array>
#include <memory>
#include <string>

#include "core/json.hpp"
#include "gpuplan/catalog.hpp"

namespace gpuplan {

// The rules of one level as they were written: a JSON object with the groups in it. Kept as text,
// since most catalogs repeat a few of them a thousand times.
struct RuleLayer {
  std::string json;
  std::shared_ptr<const RuleLayer> below = {};  // of an overlaid catalog: laid first
  std::string source = {};  // the catalog, where a file beside it is named; else empty
};

namespace detail {

// The groups of rules; each is a key of `defaults`, of a platform and of an offer.
inline constexpr std::array<std::string_view, 11> kRuleKeys{
    "meter",   "stop",        "storage", "network",    "spot", "terms", "provision",
    "environment", "service", "serverless", "quota"};

// Lays an object of rule groups over rules, key by key. Keys of other kinds are left alone.
void lay_rules(const JsonReader& reader, Rules& rules);
// The same with rules that have been read and found good before.
void lay_rules(const RuleLayer& layer, Rules& rules);
// The rule groups of an object, to be kept when its tree is gone; null when it has none.
std::shared_ptr<const RuleLayer> layer_of(const JsonReader& object);
// What a layer and those below it state, as one JSON object that says the same.
std::string flattened(const RuleLayer& layer);
// The same for comparing: short forms written out and keys in the order of the alphabet, so that two
// layers that say the same are one text.
std::string spelled_out(const RuleLayer& layer);
// What only the merged rules can show: a group that some level began and none completed.
void check_merged(const Rules& rules, const JsonReader& holder);

// One function for each group.
void lay_meter(const JsonReader& reader, MeterRules& meter);
void lay_stop(const JsonReader& reader, StopRules& stop);
void lay_provision(const JsonReader& reader, ProvisionRules& provision);
void lay_environment(const JsonReader& reader, EnvironmentRules& environment);
void lay_service(const JsonReader& reader, ServiceRules& service);
void lay_serverless(const JsonReader& reader, std::optional<ServerlessRules>& serverless);
void lay_quota(const JsonReader& reader, std::optional<QuotaRules>& quota);
void lay_storage(const JsonReader& reader, std::map<StorageKind, StorageRule>& storage);
void lay_network(const JsonReader& reader, NetworkRules& network);
void lay_spot(const JsonReader& reader, SpotRules& spot);
void lay_terms(const JsonReader& reader, TermRules& terms);
Refund read_refund(const JsonReader& reader);

}  // namespace detail
}  // namespace gpuplan
