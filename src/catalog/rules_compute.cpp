// Rules of the machine: metering, what "stop" means, start-up, environment, service, quota.
#include "catalog/fields.hpp"
#include "catalog/names.hpp"
#include "catalog/rules.hpp"
#include "core/text.hpp"

namespace gpuplan::detail {
namespace {

State read_state(const JsonReader& reader) { return choice(reader, kStates); }

std::int64_t month_hours(const JsonReader& reader) {
  const std::string_view text = reader.node().text;
  for (const std::int64_t hours : {720, 730, 744})
    if (text == std::to_string(hours)) return hours;
  if (text != "calendar") reader.complain_expected("720, 730, 744 or \"calendar\"");
  return 0;
}

DiskOnStop read_disk(const JsonReader& reader) {
  if (reader.node().is(JsonNode::Kind::object)) {
    Fields fields(reader);
    return {DiskOnStop::Kind::wipe, hour_span(fields.at("wipe_after_h"))};
  }
  constexpr std::array<std::string_view, 2> kWords{"keep", "reset"};
  const bool keep = word(reader, kWords, "{\"wipe_after_h\": hours}") == 0;
  return {keep ? DiskOnStop::Kind::keep : DiskOnStop::Kind::reset, Duration{0}};
}

void lay_factor(const JsonReader& reader, StateFactor& factor) {
  constexpr std::array<std::string_view, 5> kShares{"compute", "system", "data", "volume", "ip"};
  const bool shares = std::ranges::any_of(kShares, [&](std::string_view key) { return reader.has(key); });
  // A price an hour stands instead of the multipliers: the one that is stated last drives the
  // other out.
  if (shares && reader.has("flat"))
    reader.complain("flat is a price an hour instead of the multipliers: state one or the other");
  else if (reader.has("flat")) factor = StateFactor{};
  else if (shares) factor.flat.reset();
  Fields fields(reader);
  fields.set("compute", factor.compute, price);
  fields.set("system", factor.system, price);
  fields.set("data", factor.data, price);
  fields.set("volume", factor.volume, price);
  fields.set("ip", factor.ip, price);
  fields.set("flat", factor.flat, price);
}

void lay_factors(const JsonReader& reader, std::map<State, StateFactor>& factors) {
  Fields fields(reader);
  for (const State state : {State::held, State::released, State::hibernated, State::cardless, State::gone}) {
    if (fields.is_null(name_of(state))) factors.erase(state);
    if (const auto value = fields.find(name_of(state))) lay_factor(*value, factors[state]);
  }
}

void lay_auto_stop(const JsonReader& reader, ProvisionRules& provision) {
  Fields fields(reader);
  fields.set("idle_s", provision.auto_stop_idle_s, seconds);
  fields.set("wall_s", provision.auto_stop_wall_s, seconds);
  fields.set("default_on", provision.auto_stop_default_on, truth);
}

std::vector<EnvironmentRules::Image> read_images(const JsonReader& reader) {
  std::vector<EnvironmentRules::Image> images;
  for (const JsonReader& item : reader.items()) {
    Fields fields(item);
    EnvironmentRules::Image& image = images.emplace_back();
    fields.set("framework", image.framework, name);
    fields.set("version", image.version, any_text);
    fields.set("cuda", image.cuda, any_text);
    fields.set("python", image.python, any_text);
  }
  return images;
}

std::vector<std::string> read_texts(const JsonReader& reader) {
  std::vector<std::string> texts;
  for (const JsonReader& item : reader.items()) texts.push_back(name(item));
  return texts;
}

std::string read_period(const JsonReader& reader) {
  constexpr std::array<std::string_view, 2> kPeriods{"week", "month"};
  return std::string(kPeriods[reader.choice(kPeriods)]);
}

}  // namespace

void lay_meter(const JsonReader& reader, MeterRules& meter) {
  Fields fields(reader);
  fields.set("quantum_s", meter.quantum_s, [](const JsonReader& r) { return whole_seconds(r, 1); });
  fields.set("round", meter.round, [](const JsonReader& r) { return choice(r, kRounds); });
  fields.set("minimum_s", meter.minimum_s, [](const JsonReader& r) { return whole_seconds(r, 0); });
  fields.set("align", meter.align, [](const JsonReader& r) { return choice(r, kAligns); });
  fields.set("billed_from", meter.billed_from, [](const JsonReader& r) { return choice(r, kBilledFrom); });
  fields.set("month_hours", meter.month_hours, month_hours);
  fields.set("cap_month", meter.cap_month, positive);
}

void lay_stop(const JsonReader& reader, StopRules& stop) {
  if (reader.node().is(JsonNode::Kind::string)) {  // short for {"stop": ...}
    stop.stop = read_state(reader);
    return;
  }
  Fields fields(reader);
  fields.set("guest_shutdown", stop.guest_shutdown, read_state);
  fields.set("stop", stop.stop, read_state);
  fields.set("hibernate", stop.hibernate, read_state);
  fields.set("cardless", stop.cardless, read_state);
  fields.set("terminate", stop.terminate, read_state);
  fields.lay("factor", stop.factor, lay_factors);
  fields.set("gpu_kept", stop.gpu_kept, truth);
  fields.set("system_disk", stop.system_disk, read_disk);
  fields.set("data_disk", stop.data_disk, read_disk);
  fields.set("release_after_h", stop.release_after, hour_span);
}

void lay_provision(const JsonReader& reader, ProvisionRules& provision) {
  Fields fields(reader);
  fields.set("queue_s", provision.queue_s, seconds);
  fields.set("start_s", provision.start_s, seconds);
  fields.set("available", provision.available, fraction);
  if (fields.is_null("auto_stop")) {
    provision.auto_stop_idle_s.reset();
    provision.auto_stop_wall_s.reset();
    provision.auto_stop_default_on.reset();
  }
  if (const auto value = fields.find("auto_stop")) lay_auto_stop(*value, provision);
}

void lay_environment(const JsonReader& reader, EnvironmentRules& environment) {
  Fields fields(reader);
  fields.set("driver", environment.driver, any_text);
  fields.set("images", environment.images, read_images);
  fields.set("custom_images", environment.custom_images, truth);
  fields.set("containers", environment.containers, truth);
  fields.set("graphics", environment.graphics, truth);
  fields.set("root", environment.root, truth);
}

void lay_service(const JsonReader& reader, ServiceRules& service) {
  Fields fields(reader);
  fields.set("exclusive", service.exclusive, truth);
  fields.set("performance_factor", service.performance_factor, positive);
  fields.set("isolation", service.isolation, name);
  fields.set("data_wiped", service.data_wiped, truth);
  fields.set("support_hours", service.support_hours, any_text);
  fields.set("itemised_bill", service.itemised_bill, truth);
  fields.set("sub_accounts", service.sub_accounts, truth);
  fields.set("quotas", service.quotas, truth);
  fields.set("compliance", service.compliance, read_texts);
  fields.set("resumable_transfer", service.resumable_transfer, truth);
  fields.set("object_storage", service.object_storage, truth);
  fields.set("education", service.education, truth);
}

void lay_serverless(const JsonReader& reader, std::optional<ServerlessRules>& serverless) {
  if (!serverless) serverless.emplace();
  Fields fields(reader);
  fields.set("idle_s", serverless->idle_s, seconds);
  fields.set("start_s", serverless->start_s, seconds);
}

void lay_quota(const JsonReader& reader, std::optional<QuotaRules>& quota) {
  if (!quota) quota.emplace();
  Fields fields(reader);
  fields.set("hours", quota->hours, hours);
  fields.set("per", quota->per, read_period);
  fields.set("session_max_s", quota->session_max_s, seconds);
}

}  // namespace gpuplan::detail
