// Rules of machines that can be taken back, and of paid terms.
#include <algorithm>

#include "catalog/fields.hpp"
#include "catalog/names.hpp"
#include "catalog/rules.hpp"

namespace gpuplan::detail {
namespace {

constexpr double kMostHours = 1e7;
constexpr std::array<std::string_view, 5> kLifetimes{"exponential", "weibull", "uniform", "mixture",
                                                     "observed"};
constexpr std::array<std::string_view, 2> kInterruptions{"interruption_percent_hour",
                                                         "interruption_percent_month"};

double positive_number(const JsonReader& reader) {
  const auto value = Decimal::parse(reader.node().text);
  if (value && value->is_zero()) reader.complain_expected("a number above 0");
  return reader.number(0, kMostHours);
}

double mean_hours(const JsonReader& reader) { return hours(reader).approximate(); }

void become(Lifetime& life, Lifetime::Kind kind) {
  // 0 stands for "not stated": neither a shape nor a length can be 0.
  if (life.kind != kind) life = Lifetime{.kind = kind, .shape = 0, .hours = 0, .parts = {}};
}

void lay_exponential(const JsonReader& reader, Lifetime& life) {
  become(life, Lifetime::Kind::exponential);
  Fields fields(reader);
  fields.set("mean_hours", life.hours, mean_hours);
}

void lay_weibull(const JsonReader& reader, Lifetime& life) {
  become(life, Lifetime::Kind::weibull);
  Fields fields(reader);
  fields.set("shape", life.shape, positive_number);
  fields.set("scale_hours", life.hours, mean_hours);
}

void lay_uniform(const JsonReader& reader, Lifetime& life) {
  become(life, Lifetime::Kind::uniform);
  Fields fields(reader);
  fields.set("hours", life.hours, mean_hours);
}

void read_mixture(const JsonReader& reader, Lifetime& life) {
  life = Lifetime{.kind = Lifetime::Kind::mixture, .shape = 1, .hours = 0, .parts = {}};
  for (const JsonReader& item : reader.items()) {
    Fields fields(item);
    Lifetime::Part& part = life.parts.emplace_back();
    part.weight = positive_number(fields.at("weight"));
    part.mean_hours = mean_hours(fields.at("mean_hours"));
  }
  if (life.parts.empty()) reader.complain_expected("a list of {\"weight\", \"mean_hours\"}");
}

std::vector<double> read_hours(const std::optional<JsonReader>& list) {
  std::vector<double> values;
  if (!list) return values;
  for (const JsonReader& item : list->items()) values.push_back(mean_hours(item));
  std::ranges::sort(values);
  return values;
}

// Kaplan and Meier, 1958: of those that are watched until a reclaim, this share goes on. Machines
// that their renter stopped were watched until then and say nothing of what would have come.
void read_observed(const JsonReader& reader, Lifetime& life) {
  life = Lifetime{.kind = Lifetime::Kind::observed, .shape = 1, .hours = 0};
  Fields fields(reader);
  const std::vector<double> reclaimed = read_hours(fields.at("reclaimed_after_hours"));
  const std::vector<double> stopped = read_hours(fields.find("stopped_after_hours"));
  if (reclaimed.empty()) {
    reader.complain_expected("reclaimed_after_hours: a list of lives in hours");
    return;
  }
  double left = 1;
  for (auto at = reclaimed.begin(); at != reclaimed.end();) {
    const auto next = std::upper_bound(at, reclaimed.end(), *at);
    const auto watched = (reclaimed.end() - at) +
                         (stopped.end() - std::ranges::lower_bound(stopped, *at));
    left *= 1 - static_cast<double>(next - at) / static_cast<double>(watched);
    life.steps.push_back({.hours = *at, .left = left});
    at = next;
  }
  // What nobody has seen the end of ends with the longest that was watched: the dear reading.
  if (!stopped.empty() && stopped.back() > life.steps.back().hours)
    life.steps.push_back({.hours = stopped.back(), .left = 0});
  life.steps.back().left = 0;
}

void lay_lifetime(const JsonReader& reader, std::optional<Lifetime>& life) {
  Fields fields(reader);
  fields.known(kLifetimes);
  const auto stated = fields.one_of(kLifetimes);
  if (stated.empty() && reader.node().is(JsonNode::Kind::object))
    reader.complain("one of exponential, weibull, uniform, mixture, observed is needed");
  if (stated.size() != 1) return;
  if (!life) life.emplace();
  const JsonReader value = reader.at(stated.front());
  if (stated.front() == "exponential") lay_exponential(value, *life);
  else if (stated.front() == "weibull") lay_weibull(value, *life);
  else if (stated.front() == "uniform") lay_uniform(value, *life);
  else if (stated.front() == "mixture") read_mixture(value, *life);
  else read_observed(value, *life);
}

std::vector<std::int64_t> read_lives(const JsonReader& reader) {
  std::vector<std::int64_t> lives;
  for (const JsonReader& item : reader.items()) lives.push_back(whole_seconds(item, 0));
  return lives;
}

void lay_availability(const JsonReader& reader, SpotRules& spot) {
  Fields fields(reader);
  fields.set("file", spot.availability_file, path_beside);
  fields.set("start_index", spot.availability_start,
             [](const JsonReader& r) { return r.integer(0, 1'000'000'000); });
  fields.set("share", spot.availability_share, fraction);
  fields.set("gap_s", spot.availability_gap_s,
             [](const JsonReader& r) { return whole_seconds(r, 1); });
}

// A chance of 100 % leaves no life at all, so it is refused.
Decimal interruption(const JsonReader& reader) {
  const auto value = Decimal::parse(reader.node().text);
  if (value && *value == Decimal::of(100)) {
    reader.complain_expected("a number from 0 to below 100", "at 100 % no machine would ever run");
    return {};
  }
  return percent(reader);
}

void lay_interruptions(Fields& fields, SpotRules& spot) {
  if (fields.is_null(kInterruptions[0])) spot.interruption_percent_hour.reset();
  if (fields.is_null(kInterruptions[1])) spot.interruption_percent_month.reset();
  fields.one_of(kInterruptions);
  // The two are one figure over two periods: the one that is stated drives out the other.
  if (const auto value = fields.find(kInterruptions[0])) {
    spot.interruption_percent_hour = interruption(*value);
    spot.interruption_percent_month.reset();
  }
  if (const auto value = fields.find(kInterruptions[1])) {
    spot.interruption_percent_month = interruption(*value);
    spot.interruption_percent_hour.reset();
  }
}

template <std::size_t n>
auto word_of(const std::array<std::string_view, n>& words) {
  return [&words](const JsonReader& reader) { return std::string(words[reader.choice(words)]); };
}

constexpr std::array<std::string_view, 3> kEffects{"terminate", "stop", "pause"};
constexpr std::array<std::string_view, 2> kPriceModels{"fixed", "market"};

Refund refund_figure(const JsonReader& reader) {
  Fields fields(reader);
  constexpr std::array<std::string_view, 2> kFigures{"multiplier", "clawback_percent"};
  fields.known(kFigures);
  const auto stated = fields.one_of(kFigures);
  if (stated.empty()) reader.complain("one of multiplier, clawback_percent is needed");
  if (stated.size() != 1) return {};
  const JsonReader value = reader.at(stated.front());
  if (stated.front() == "multiplier") return {Refund::Kind::multiplier, positive(value)};
  return {Refund::Kind::clawback, percent(value)};
}

}  // namespace

void lay_spot(const JsonReader& reader, SpotRules& spot) {
  const auto whole = [](const JsonReader& r) { return whole_seconds(r, 0); };
  Fields fields(reader);
  fields.set("reclaim_after_s", spot.reclaim_after_s, read_lives);
  if (fields.is_null("availability")) {
    spot.availability_file.reset();
    spot.availability_start = 0;
    spot.availability_share.reset();
    spot.availability_gap_s.reset();
  }
  if (const auto value = fields.find("availability")) lay_availability(*value, spot);
  fields.lay("lifetime", spot.lifetime, lay_lifetime);
  fields.set("mean_hours_between_reclaims", spot.mean_hours_between_reclaims, hours);
  fields.set("zone_mean_hours_between_reclaims", spot.zone_mean_hours_between_reclaims, hours);
  fields.lay("restart_delay_law", spot.restart_delay_law, lay_lifetime);
  lay_interruptions(fields, spot);
  fields.set("notice_s", spot.notice_s, whole);
  fields.set("effect", spot.effect, word_of(kEffects));
  fields.set("disk", spot.disk_kept, [](const JsonReader& r) { return choice(r, kSpotDisk); });
  fields.set("restart_delay_s", spot.restart_delay_s, whole);
  fields.set("protect_s", spot.protect_s, whole);
  fields.set("free_if_reclaimed_within_s", spot.free_if_reclaimed_within_s, whole);
  fields.set("free_last_quantum", spot.free_last_quantum, truth);
  fields.set("max_run_s", spot.max_run_s, [](const JsonReader& r) { return whole_seconds(r, 1); });
  fields.set("can_stop", spot.can_stop, truth);
  fields.set("price_model", spot.price_model, word_of(kPriceModels));
}

Refund read_refund(const JsonReader& reader) {
  if (reader.node().is(JsonNode::Kind::object)) return refund_figure(reader);
  constexpr std::array<std::string_view, 3> kWords{"none", "pro_rata", "service_credit"};
  constexpr std::array kKinds{Refund::Kind::none, Refund::Kind::pro_rata, Refund::Kind::service_credit};
  return {kKinds[word(reader, kWords, "{\"multiplier\": m}, {\"clawback_percent\": p}")], {}};
}

void lay_terms(const JsonReader& reader, TermRules& terms) {
  Fields fields(reader);
  fields.set("refund", terms.refund, read_refund);
  fields.set("covers", terms.covers_gpu_only, [](const JsonReader& r) { return choice(r, kCovers); });
  fields.set("at_end", terms.at_end, [](const JsonReader& r) { return choice(r, kAtEnds); });
  fields.set("stop_forfeits", terms.stop_forfeits, truth);
}

}  // namespace gpuplan::detail
