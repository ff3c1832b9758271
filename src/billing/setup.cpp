// Job + offer with every default filled in.
#include "billing/setup.hpp"

#include <algorithm>

namespace gpuplan::billing {
namespace {

const Decimal kOne = Decimal::of(1), kZero = Decimal::of(0);

StateRate all_at(const Decimal& compute) {
  return {.compute = compute, .system = kOne, .data = kOne, .volume = kOne, .ip = kOne, .flat = {}};
}

StateRate default_rate(State state) {
  switch (state) {
    case State::released:
    case State::hibernated:
      return all_at(kZero);
    case State::gone:
      return {
          .compute = kZero, .system = kZero, .data = kOne, .volume = kOne, .ip = kZero, .flat = {}};
    default:
      return all_at(kOne);
  }
}

Duration stated(const std::optional<Decimal>& seconds) {
  return seconds ? duration_of(*seconds, kSecond) : Duration{0};
}

void resolve_checkpoint(Setup& setup) {
  if (!setup.job->checkpoint) return;
  const CheckpointPlan& plan = *setup.job->checkpoint;
  setup.checkpoint_every = plan.every;
  setup.restore = plan.restore;
  if (plan.write) {
    setup.checkpoint_write = *plan.write;
    return;
  }
  const StorageKind kind = plan.to == CheckpointTo::object ? StorageKind::object
                           : setup.home == Home::data      ? StorageKind::data
                           : setup.home == Home::volume    ? StorageKind::volume
                                                           : StorageKind::system;
  const StorageRule* rule = setup.storage(kind);
  if (rule == nullptr || !rule->mb_per_s || rule->mb_per_s->is_zero()) return;
  const Wide micros = Ratio{}.times(plan.size.count()).over(*rule->mb_per_s).whole();
  setup.checkpoint_write =
      Duration{static_cast<std::int64_t>(std::min(micros, Wide{kLongest.count()}))};
}

struct VerbRule {
  Verb verb;
  std::string_view name;
  std::optional<State> StopRules::*rule;
  State otherwise;
};
constexpr std::array kVerbs{
    VerbRule{Verb::guest_shutdown, "guest_shutdown", &StopRules::guest_shutdown, State::running},
    VerbRule{Verb::stop, "stop", &StopRules::stop, State::held},
    VerbRule{Verb::hibernate, "hibernate", &StopRules::hibernate, State::not_offered},
    VerbRule{Verb::cardless, "cardless", &StopRules::cardless, State::not_offered},
    VerbRule{Verb::terminate, "terminate", &StopRules::terminate, State::gone}};

}  // namespace

void Notes::warn(std::string_view code, std::string message, std::string where) {
  Warning warning{
      .code = std::string(code), .message = std::move(message), .where = std::move(where)};
  if (std::ranges::find(warnings, warning) == warnings.end())
    warnings.push_back(std::move(warning));
}

void Notes::unpriced(std::string_view item, std::string quantity, std::string_view unit,
                     std::string key) {
  warn("price_not_stated", "no price is stated for " + key + ": the bill leaves it out", key);
  missing.push_back({.item = std::string(item),
                     .quantity = std::move(quantity),
                     .unit = std::string(unit),
                     .key = std::move(key)});
}

bool priced(const StorageRule* rule) {
  return rule != nullptr && (rule->price || !rule->tiers.empty());
}

const StorageRule* Setup::storage(StorageKind kind) const {
  const auto found = rules->storage.find(kind);
  return found == rules->storage.end() ? nullptr : &found->second;
}

bool Setup::with_instance(StorageKind kind) const {
  const StorageRule* rule = storage(kind);
  const bool otherwise = kind == StorageKind::system;
  return rule == nullptr ? otherwise : rule->with_instance.value_or(otherwise);
}

Duration Setup::month_length(std::int64_t month) const {
  constexpr std::int64_t kUsualMonthHours = 730;
  const std::int64_t hours = rules->meter.month_hours.value_or(kUsualMonthHours);
  return hours == 0 ? calendar.month_length(month) : hours * kHour;
}

std::string_view label(State state) {
  constexpr std::array<std::string_view, 7> kNames{"running",  "held", "released",   "hibernated",
                                                   "cardless", "gone", "not_offered"};
  return kNames[static_cast<std::size_t>(state)];
}

std::string_view label(StorageKind kind) {
  constexpr std::array<std::string_view, 5> kNames{"system", "data", "volume", "image", "object"};
  return kNames[static_cast<std::size_t>(kind)];
}

StateRate state_rate(const Rules& rules, State state) {
  StateRate rate = default_rate(state);
  const auto stated = rules.stop.factor.find(state);
  if (stated == rules.stop.factor.end()) return rate;
  const StateFactor& factor = stated->second;
  rate.compute = factor.compute.value_or(rate.compute);
  rate.system = factor.system.value_or(rate.system);
  rate.data = factor.data.value_or(rate.data);
  rate.volume = factor.volume.value_or(rate.volume);
  rate.ip = factor.ip.value_or(rate.ip);
  if (factor.flat)
    rate = {.compute = kZero,
            .system = kZero,
            .data = kZero,
            .volume = kZero,
            .ip = kZero,
            .flat = factor.flat};
  return rate;
}

State after(Verb verb, const Setup& setup, Notes& notes, bool on_demand) {
  const auto found = std::ranges::find(kVerbs, verb, &VerbRule::verb);
  if (found == kVerbs.end()) return State::running;  // run
  const auto& rule = setup.rules->stop.*(found->rule);
  State state = rule.value_or(found->otherwise);
  if (verb == Verb::stop && setup.spot && !on_demand && !setup.rules->spot.can_stop.value_or(false))
    state = State::not_offered;
  else if (verb == Verb::stop && !rule)
    notes.warn("stop_rule_unknown",
               "what stop does to the bill is not stated: taken as held, which bills on", "stop");
  else if (verb == Verb::guest_shutdown && !rule)
    notes.warn("guest_shutdown_unknown",
               "what a shutdown from inside does to the bill is not stated: taken as running on, which bills on",
               "stop.guest_shutdown");
  if (state != State::not_offered) return state;
  notes.warn("verb_not_offered",
             std::string(found->name) + " is not offered: the machine runs on and is billed",
             "stop." + std::string(found->name));
  return State::running;
}

Setup set_up(const BillRequest& request, Notes& notes) {
  static const Rules kNoRules;
  Setup setup;
  setup.request = &request;
  setup.offer = request.offer;
  setup.platform = &request.catalog->platforms[request.offer->platform];
  setup.rules = request.offer->rules ? request.offer->rules.get() : &kNoRules;
  setup.job = request.job;
  const Job& job = *request.job;
  const ProvisionRules& provision = setup.rules->provision;
  setup.calendar = Calendar{job.start};
  setup.spot = request.plan == "spot";
  setup.reserved = !setup.spot && request.plan != "on_demand";
  setup.machines = std::max<std::int64_t>(job.machines, 1);
  setup.work = Duration{(request.run.count() + setup.machines / 2) / setup.machines};
  setup.down = job.down;
  setup.queue = stated(provision.queue_s);
  setup.start = stated(provision.start_s);
  setup.idle = job.idle;
  setup.keep = job.keep.days;
  setup.auto_stop = job.auto_stop;
  if (!setup.auto_stop && provision.auto_stop_idle_s &&
      provision.auto_stop_default_on.value_or(false))
    setup.auto_stop = stated(provision.auto_stop_idle_s);
  if (provision.auto_stop_wall_s) setup.wall_limit = stated(provision.auto_stop_wall_s);
  for (std::size_t i = 0; i < setup.rates.size(); ++i)
    setup.rates[i] = state_rate(*setup.rules, static_cast<State>(i));
  setup.release_after = setup.rules->stop.release_after;
  if (setup.release_after) setup.release_after = std::min(*setup.release_after, kHorizon);
  setup.billed_from = setup.rules->meter.billed_from.value_or(BilledFrom::provisioning);
  resolve_disks(setup, notes);
  resolve_transfers(setup, notes);
  resolve_checkpoint(setup);
  if (setup.spot) resolve_spot(setup);
  return setup;
}

}  // namespace gpuplan::billing
