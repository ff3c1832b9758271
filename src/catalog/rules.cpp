#include "catalog/rules.hpp"

#include "catalog/fields.hpp"

namespace gpuplan::detail {
namespace {

// A member that is a group: null sets all of it back, a value is laid over it.
template <class Group>
void lay(const JsonReader& reader, std::string_view key, Group& group,
         void (*apply)(const JsonReader&, Group&)) {
  const JsonNode* node = reader.node().find(key);
  if (node != nullptr && node->is(JsonNode::Kind::null)) group = Group{};
  if (const auto value = reader.find(key)) apply(*value, group);
}

bool offers(const StopRules& stop, State state) {
  for (const auto& verb : {stop.guest_shutdown, stop.stop, stop.hibernate, stop.cardless, stop.terminate})
    if (verb == state) return true;
  return false;
}

void check_stop(const StopRules& stop, const JsonReader& holder) {
  if (!offers(stop, State::cardless)) return;
  const auto factor = stop.factor.find(State::cardless);
  if (factor != stop.factor.end() && (factor->second.compute || factor->second.flat)) return;
  holder.complain("stop/factor/cardless does not say what the state costs",
                  "state compute (a multiplier of the running rate) or flat (a price an hour)");
}

void check_lifetime(const Lifetime& life, const std::string& key, const JsonReader& holder) {
  if (life.kind == Lifetime::Kind::weibull && (life.shape <= 0 || life.hours <= 0))
    holder.complain("spot/" + key + "/weibull needs both shape and scale_hours");
  if (life.kind == Lifetime::Kind::uniform && life.hours <= 0)
    holder.complain("spot/" + key + "/uniform needs hours");
  if (life.kind == Lifetime::Kind::exponential && life.hours <= 0)
    holder.complain("spot/" + key + "/exponential needs mean_hours");
}

void check_spot(const SpotRules& spot, const JsonReader& holder) {
  if (spot.lifetime) check_lifetime(*spot.lifetime, "lifetime", holder);
  if (spot.restart_delay_law) check_lifetime(*spot.restart_delay_law, "restart_delay_law", holder);
  if (spot.availability_start > 0 && !spot.availability_file)
    holder.complain("spot/availability has a start_index but no file");
  if (spot.availability_share && spot.availability_file)
    holder.complain("spot/availability has both a file and a share");
  if (spot.availability_share.has_value() != spot.availability_gap_s.has_value())
    holder.complain("spot/availability needs share and gap_s together",
                    "share: of the ticks in which a machine is there; gap_s: the length of a tick");
}

}  // namespace

void lay_rules(const JsonReader& reader, Rules& rules) {
  lay(reader, "meter", rules.meter, lay_meter);
  lay(reader, "stop", rules.stop, lay_stop);
  lay(reader, "storage", rules.storage, lay_storage);
  lay(reader, "network", rules.network, lay_network);
  lay(reader, "spot", rules.spot, lay_spot);
  lay(reader, "terms", rules.terms, lay_terms);
  lay(reader, "provision", rules.provision, lay_provision);
  lay(reader, "environment", rules.environment, lay_environment);
  lay(reader, "service", rules.service, lay_service);
  lay(reader, "serverless", rules.serverless, lay_serverless);
  lay(reader, "quota", rules.quota, lay_quota);
}

std::shared_ptr<const RuleLayer> layer_of(const JsonReader& object) {
  std::string groups;
  for (const JsonNode& child : object.node().children)
    if (std::ranges::find(kRuleKeys, child.key) != kRuleKeys.end()) {
      groups += groups.empty() ? '{' : ',';
      write_json_text(child.key, groups);
      groups += ':';
      write_json(child, groups);
    }
  if (groups.empty()) return nullptr;
  const bool names_file = groups.find("\"availability\"") != std::string::npos;
  return std::make_shared<const RuleLayer>(
      RuleLayer{.json = groups + "}", .below = {}, .source = names_file ? object.source() : std::string{}});
}

void lay_rules(const RuleLayer& layer, Rules& rules) {
  if (layer.below) lay_rules(*layer.below, rules);
  const auto document = parse_json(layer.json, {});
  Diagnostics none;
  const JsonContext context{.source = layer.source, .faults = &none};
  if (document) lay_rules(JsonReader(document->root(), context), rules);
}

void check_merged(const Rules& rules, const JsonReader& holder) {
  check_stop(rules.stop, holder);
  check_spot(rules.spot, holder);
  if (rules.serverless && !(rules.serverless->idle_s && rules.serverless->start_s))
    holder.complain("serverless needs both idle_s and start_s");
  if (rules.quota && rules.quota->hours.has_value() == rules.quota->per.empty())
    holder.complain("quota needs hours together with per");
}

}  // namespace gpuplan::detail
