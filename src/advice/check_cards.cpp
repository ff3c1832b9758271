// Is each card what its name says, whole, and nobody else's?
#include <algorithm>
#include <cctype>

#include "advice/check.hpp"
#include "core/text.hpp"
#include "spec/card_rates.hpp"

namespace gpuplan::detail {
namespace {

// A board's memory within this share of the table's is the same board: drivers differ by less.
constexpr std::int64_t kSameMemory = 20;  // one part in
// What a card shows in use when nobody works on it: the driver's own share and a desktop.
constexpr Bytes kQuiet = Bytes::gib(1);
// Of the published rate. A large matrix product reaches the upper part of it; our judgement where
// the line is drawn. Half of the rate is what a card gives that serves two.
constexpr double kHalf = 0.55, kLow = 0.7, kAbove = 1.05;

std::int64_t off(Bytes a, Bytes b) { return std::abs(a.count() - b.count()); }
bool same_memory(Bytes shown, Bytes known) { return off(shown, known) <= known.count() / kSameMemory; }

// "NVIDIA A40-48Q", "GRID A100D-20C": a part that the host's driver cut off, by its profile.
bool is_virtual(std::string_view name) {
  const std::size_t dash = name.rfind('-');
  if (dash == std::string_view::npos || name.size() < dash + 3) return false;
  const std::string_view profile = name.substr(dash + 1);
  const char kind = profile.back();
  const bool digits =
      std::ranges::all_of(profile.substr(0, profile.size() - 1),
                          [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; });
  return digits && (kind == 'Q' || kind == 'C' || kind == 'A' || kind == 'B');
}

// Of several cards of one name the one with the memory that is shown.
const Card* board_of(const CardTable::Found& found, const std::optional<Bytes>& memory) {
  if (!memory || same_memory(*memory, found.card->memory)) return found.card;
  for (const Card* other : found.others)
    if (same_memory(*memory, other->memory)) return other;
  return found.card;
}

std::string label_of(const CheckedCard& card) {
  std::string label = card.host.empty() ? "" : card.host + " ";
  if (!card.index.empty()) label += "GPU " + card.index + " ";
  return label;
}

void add_card(CheckState& state, CheckedCard card) {
  if (!card.name.empty()) {
    const auto found = state.cards.find(card.name);
    if (found) {
      card.card = board_of(*found, card.memory);
      if (!card.capability) card.capability = Version::parse(card.card->compute_capability);
      const auto warning = ambiguity_warning(card.name, *found);
      if (warning && !card.memory) state.find(Severity::warn, warning->code, warning->message);
    } else if (!is_virtual(card.name)) {
      const Diagnostic why = state.cards.unknown(card.name, "");
      state.find(Severity::warn, "card_unknown",
                 label_of(card) + why.message + ": memory, rates and generation are not checked",
                 why.hint);
    }
  }
  state.result.cards.push_back(std::move(card));
}

// The card that was rented and the one that is there.
void check_named(CheckState& state) {
  for (const std::string& name : state.request.cards) {
    const auto wanted = state.cards.find(name);
    if (!wanted) continue;
    for (const CheckedCard* card : kinds_of(state.result.cards)) {
      if (card->card == nullptr || card->card == wanted->card ||
          std::ranges::find(wanted->others, card->card) != wanted->others.end())
        continue;
      state.find(Severity::fail, "card_not_as_named",
                 label_of(*card) + "is " + card->card->name + ", not " + wanted->card->name,
                 "if " + wanted->card->name + " was rented, ask for it or for the money back");
    }
  }
}

void check_memory(CheckState& state, const CheckedCard& card) {
  if (is_virtual(card.name) || card.name.find(" MIG ") != std::string::npos)
    return state.find(Severity::fail, "card_sliced",
                      label_of(card) + "is " + quote(card.name) + ": a part of a card",
                      "rent a whole card, or compare the price of the part with that of its memory");
  if (card.card == nullptr || !card.memory) return;
  const Bytes known = card.card->memory;
  if (same_memory(*card.memory, known)) return;
  const std::string text = label_of(card) + "calls itself " + quote(card.name) + " and shows " +
                           show_gib(*card.memory) + "; that card has " + show_gib(known);
  if (*card.memory < known)
    return state.find(Severity::fail, "card_memory_smaller",
                      text + ": a part of a card, or another one under its name",
                      "ask the platform what it is, and pay for what it has");
  state.find(Severity::warn, "card_modified", text + ": the board was rebuilt with more memory",
             "it may be slower or less reliable than the maker's; run your own test for an hour");
}

void check_use(CheckState& state, const CheckedCard& card) {
  if (!card.host.empty()) return;  // of one's own machines: see check_machines
  if (card.processes > 0)
    state.find(Severity::warn, "card_in_use",
               label_of(card) + "is used by " + std::to_string(card.processes) +
                   (card.processes == 1 ? " process" : " processes") +
                   (card.used ? " with " + show_gib(*card.used) : ""),
               "if it is none of yours, the card is shared: ask for another one");
  else if (card.used && *card.used > kQuiet)
    state.find(Severity::warn, "memory_in_use",
               label_of(card) + "has " + show_gib(*card.used) +
                   " in use and lists no process: a container does not see those of others",
               "if nothing of yours runs, somebody else is on this card: ask for another one");
}

}  // namespace

void gather_cards(CheckState& state) {
  const CheckRequest& request = state.request;
  std::optional<Version> capability;
  if (request.seen && !request.seen->card_capabilities.empty())
    capability = request.seen->card_capabilities.front();
  if (request.seen && request.seen->gpus)
    for (const LoggedGpu& gpu : request.seen->gpus->gpus)
      add_card(state, {.host = gpu.host,
                       .index = gpu.index,
                       .name = gpu.name,
                       .card = nullptr,
                       .capability = Version::parse(gpu.capability),
                       .memory = gpu.total,
                       .used = gpu.peak,
                       .utilisation = gpu.utilisation,
                       .processes = gpu.processes});
  const auto named = [&](const std::string& name) {
    add_card(state, {.host = {},
                     .index = {},
                     .name = name,
                     .card = nullptr,
                     .capability = capability,
                     .memory = {},
                     .used = {},
                     .utilisation = {}});
  };
  if (state.result.cards.empty() && request.seen)
    for (const std::string& name : request.seen->cards) named(name);
  if (state.result.cards.empty())
    for (const std::string& name : request.cards) named(name);
}

void check_cards(CheckState& state) {
  check_named(state);
  for (const CheckedCard& card : state.result.cards) {
    check_memory(state, card);
    check_use(state, card);
  }
  if (!state.request.seen || !state.request.seen->gpus) return;
  for (const LoggedGpu& gpu : state.request.seen->gpus->gpus)
    if (gpu.sliced)
      state.find(Severity::fail, "card_sliced",
                 "GPU " + gpu.index + (gpu.name.empty() ? "" : " (" + gpu.name + ")") +
                     " is cut into MIG slices: a program sees one of them",
                 "rent a whole card, or compare the price of the part with that of its memory");
}

void check_rate(CheckState& state) {
  const CheckRequest& request = state.request;
  const auto known = std::ranges::find(kRateNames, request.rate, &RateName::key);
  if (known == kRateNames.end()) {
    std::vector<std::string_view> names;
    for (const RateName& name : kRateNames) names.push_back(name.key);
    state.errors.push_back({ErrorCode::usage, "--precision", "",
                            "no rate of cards is called " + quote(request.rate),
                            did_you_mean(request.rate, names)});
    return;
  }
  if (!request.measured_tflops) return;
  const auto card = std::ranges::find_if(
      state.result.cards, [](const CheckedCard& one) { return one.card != nullptr; });
  const auto published = card == state.result.cards.end()
                             ? std::optional<FlopRate>{}
                             : card->card->rates.*known->rate;
  if (!published)
    return state.find(Severity::warn, "rate_unknown",
                      card == state.result.cards.end()
                          ? "which card was measured is not said"
                          : "no " + request.rate + " rate of " + card->card->name + " is known",
                      "name the card with --card, or measure another precision");
  const double share = request.measured_tflops->approximate() * 1e12 / published->per_second();
  const auto percent = static_cast<int>(share * 100 + 0.5);
  const Decimal tflops =
      Decimal::of(static_cast<std::int64_t>(published->per_second() / 1e11 + 0.5), 1);
  const std::string text = request.measured_tflops->to_string() + " TFLOPS are " +
                           std::to_string(percent) + " % of the " + tflops.to_string() +
                           " that are published for " + request.rate + " of " + card->card->name;
  if (share > kAbove)
    return state.find(Severity::warn, "rate_above_published", text + ": that cannot be",
                      "was it another precision, a sparse product, or another card?");
  if (share < kHalf)
    return state.find(Severity::fail, "rate_half",
                      text + ": it is shared, held back by power or heat, or another card",
                      "measure again after a minute, with 8192 x 8192 matrices; if it stays, ask "
                      "for another machine");
  if (share < kLow)
    return state.find(Severity::warn, "rate_low", text,
                      "measure again with 8192 x 8192 matrices, and look at clocks and heat with "
                      "nvidia-smi -q -d PERFORMANCE");
  state.find(Severity::note, "rate_as_published", text + ": a whole card");
}

}  // namespace gpuplan::detail
