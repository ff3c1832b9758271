// Several machines: which cards idle, what they cost, what to give back.
#include <algorithm>

#include "advice/check.hpp"
#include "billing/exact.hpp"
#include "billing/plan_cost.hpp"
#include "core/text.hpp"

namespace gpuplan::detail {
namespace {

// A card that shows no more than this at any reading computes nothing.
constexpr int kIdlePercent = 5;
constexpr Bytes kQuiet = Bytes::gib(1);

enum class Use { busy, held, idle };

Use use_of(const CheckedCard& card) {
  const bool holds = card.processes > 0 || (card.used && *card.used > kQuiet);
  if (card.utilisation && *card.utilisation > kIdlePercent) return Use::busy;
  // Without a reading of the utilisation nobody knows whether memory in use is worked on.
  if (holds) return card.utilisation ? Use::held : Use::busy;
  return Use::idle;
}

const Offer* offer_of(const CheckState& state, const std::string& host) {
  const Offer* any = nullptr;
  for (const HostOffer& entry : state.request.offers) {
    if (entry.host == host) return entry.offer;
    if (entry.host.empty()) any = entry.offer;
  }
  return any;
}

// On demand, an hour of the machine.
std::optional<Money> price_of(CheckState& state, const Offer& offer) {
  Warnings warnings;
  const auto plans = billing::plan_costs(*state.request.catalog, offer, Job{},
                                         state.result.currency, warnings);
  const auto plan =
      std::ranges::find(plans, std::string("on_demand"), &billing::PlanCost::plan);
  if (plan == plans.end()) {
    state.find(Severity::note, "price_unknown",
               "offer " + quote(offer.id) + " states no price on demand: what idle cards cost is "
               "not known",
               "name another with --offer HOST=ID");
    return std::nullopt;
  }
  return billing::share(plan->rate, 1, static_cast<std::uint64_t>(billing::kManyHours));
}

std::string money(const CheckState& state, Money amount) {
  return to_string(amount, minor_digits(state.result.currency)) + " " + state.result.currency;
}

std::string cards_text(std::int64_t count) {
  return std::to_string(count) + (count == 1 ? " card" : " cards");
}

void count_machines(CheckState& state) {
  for (const CheckedCard& card : state.result.cards) {
    auto& machines = state.result.machines;
    auto machine = std::ranges::find(machines, card.host, &CheckedMachine::host);
    if (machine == machines.end()) {
      machines.push_back({.host = card.host});
      machine = machines.end() - 1;
      machine->offer = offer_of(state, card.host);
    }
    ++machine->cards;
    const Use use = use_of(card);
    ++(use == Use::busy ? machine->busy : use == Use::held ? machine->held : machine->idle);
  }
}

void price_machines(CheckState& state) {
  bool all = true;
  Money sum;
  for (CheckedMachine& machine : state.result.machines) {
    machine.release = machine.busy == 0 && machine.held == 0;
    if (machine.offer != nullptr) machine.cost_per_hour = price_of(state, *machine.offer);
    if (machine.offer != nullptr && machine.offer->gpus != machine.cards)
      state.find(Severity::warn, "offer_has_other_cards",
                 (machine.host.empty() ? "the machine" : machine.host) + " shows " +
                     cards_text(machine.cards) + ", offer " + quote(machine.offer->id) + " has " +
                     std::to_string(machine.offer->gpus),
                 "name the right one with --offer " +
                     (machine.host.empty() ? "ID" : machine.host + "=ID"));
    if (machine.cost_per_hour) {
      machine.idle_cost_per_hour =
          billing::share(*machine.cost_per_hour, static_cast<std::uint64_t>(machine.idle),
                         static_cast<std::uint64_t>(machine.cards));
      sum += *machine.idle_cost_per_hour;
    } else {
      all = all && machine.idle == 0;
    }
  }
  if (all) state.result.idle_cost_per_hour = sum;
}

// Machines that the cards in use would fill, by the size of the machines that there are.
std::int64_t needed(const std::vector<CheckedMachine>& machines) {
  std::int64_t in_use = 0;
  std::vector<std::int64_t> sizes;
  for (const CheckedMachine& machine : machines) {
    in_use += machine.busy + machine.held;
    sizes.push_back(machine.cards);
  }
  std::ranges::sort(sizes, std::ranges::greater{});
  std::int64_t count = 0;
  for (const std::int64_t size : sizes) {
    if (in_use <= 0) break;
    in_use -= size;
    ++count;
  }
  return count;
}

void tell_machine(CheckState& state, const CheckedMachine& machine) {
  const std::string name = machine.host.empty() ? "this machine" : machine.host;
  const std::string an_hour =
      machine.idle_cost_per_hour ? ", " + money(state, *machine.idle_cost_per_hour) + " an hour"
                                 : "";
  if (machine.release)
    state.find(Severity::warn, "machine_idle",
               name + ": " + cards_text(machine.cards) + ", none of them in use" + an_hour,
               "release it: save what is on its disk, then terminate it");
  else if (machine.idle > 0)
    state.find(Severity::warn, "cards_idle",
               name + ": " + std::to_string(machine.idle) + " of " + cards_text(machine.cards) +
                   " in no use" + an_hour,
               "start a shard on each, or move what runs here and release the machine");
  if (machine.held > 0)
    state.find(Severity::warn, "cards_held",
               name + ": " + cards_text(machine.held) +
                   (machine.held == 1 ? " holds memory and computes nothing"
                                      : " hold memory and compute nothing"),
               "look whether the job hangs, waits for data, or has ended without closing");
}

}  // namespace

void check_machines(CheckState& state) {
  const bool hosts = std::ranges::any_of(
      state.result.cards, [](const CheckedCard& card) { return !card.host.empty(); });
  if (!hosts && state.request.offers.empty()) return;
  count_machines(state);
  price_machines(state);
  for (const CheckedMachine& machine : state.result.machines) tell_machine(state, machine);
  state.result.machines_needed = needed(state.result.machines);
  const auto have = static_cast<std::int64_t>(state.result.machines.size());
  const auto empty =
      std::ranges::count_if(state.result.machines, [](const auto& one) { return one.release; });
  if (state.result.machines_needed < have - empty)
    state.find(Severity::warn, "machines_half_used",
               "what runs on " + std::to_string(have - empty) + " machines would fill " +
                   std::to_string(state.result.machines_needed),
               "let the next shards start on the fullest machines, and release those that run dry");
}

}  // namespace gpuplan::detail
