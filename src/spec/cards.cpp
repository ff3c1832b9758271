#include "gpuplan/cards.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "core/text.hpp"
#include "spec/card_names.hpp"

namespace gpuplan {
namespace {

// Three indexes in one: names as they are, names without brand words, and names that also lack
// memory size and form factor. A later one is asked only when the ones before know nothing.
std::string whole_key(const CardName& name) { return "1" + name.whole; }
std::string unbranded_key(const CardName& name) { return "2" + name.unbranded; }
std::string formless_key(const CardName& name) { return "2" + name.formless; }
std::string base_key(const CardName& name) { return "3" + name.base; }

CardForm form_of(const Card& card) { return parse_card_name(card.name).form; }

// The sizes in GB that may stand in a name of this card: as sold, as offers print it, and the GiB
// that the driver shows, cut and rounded (an L4 is written with 24, 22 and 23).
std::set<int> sizes_of(const Card& card) {
  std::set<int> sizes(card.memory_labels_gb.begin(), card.memory_labels_gb.end());
  const auto gib = [](Bytes bytes) { return static_cast<int>(bytes.count() >> 30); };
  sizes.insert(gib(card.memory_nominal));
  sizes.insert(gib(card.memory));
  sizes.insert(gib(card.memory + Bytes::mib(512)));
  return sizes;
}

bool agrees(const Card& card, const std::vector<int>& sizes_gb) {
  const std::set<int> own = sizes_of(card);
  return std::ranges::all_of(sizes_gb, [&](int size) { return own.contains(size); });
}

// Less memory first, then less bandwidth, arithmetic and interconnect: the careful reading.
auto modesty(const Card& card) {
  const auto rate = [](const auto& value) { return value ? value->per_second() : 0.0; };
  return std::tuple(card.memory_nominal.count(), rate(card.bandwidth), rate(card.rates.fp16),
                    rate(card.link_total), std::string_view(card.name));
}

CardTable::Found pick(std::vector<const Card*> cards) {
  std::ranges::sort(cards, {}, [](const Card* card) { return modesty(*card); });
  return {.card = cards.front(), .others = {cards.begin() + 1, cards.end()}, .other_form = false};
}

std::vector<std::string> names_of(const std::vector<const Card*>& cards) {
  std::vector<std::string> names;
  for (const Card* card : cards) names.push_back(card->name);
  return names;
}

}  // namespace

CardTable::CardTable(std::vector<Card> cards)
    : cards_(std::move(cards)), index_(std::make_shared<Index>()) {}

const std::vector<CardTable::Key>& CardTable::index() const {
  std::call_once(index_->made, [this] { index_->keys = keys_of(cards_); });
  return index_->keys;
}

std::vector<CardTable::Key> CardTable::keys_of(const std::vector<Card>& cards) {
  std::vector<Key> keys;
  const auto add = [&](const std::string& spelling, std::size_t card, bool alias) {
    const CardName name = parse_card_name(spelling);
    if (!name.whole.empty()) keys.push_back({whole_key(name), card});
    // An alias with a brand in it holds as it stands only: one cloud's "nvidia-tesla-a100" is the
    // 40 GB card, and that says nothing about "A100".
    if (alias && name.whole != name.unbranded) return;
    if (!name.unbranded.empty()) keys.push_back({unbranded_key(name), card});
    if (!name.base.empty()) keys.push_back({base_key(name), card});
  };
  for (std::size_t i = 0; i < cards.size(); ++i) {
    add(cards[i].name, i, false);
    for (const std::string& alias : cards[i].aliases) add(alias, i, true);
  }
  std::ranges::sort(keys, {}, [](const Key& key) { return std::tie(key.key, key.card); });
  const auto same = [](const Key& a, const Key& b) { return a.key == b.key && a.card == b.card; };
  keys.erase(std::unique(keys.begin(), keys.end(), same), keys.end());
  return keys;
}

std::vector<const Card*> CardTable::cards_of(std::string_view key) const {
  std::vector<const Card*> cards;
  const std::vector<Key>& keys = index();
  auto at = std::ranges::lower_bound(keys, key, {}, &Key::key);
  for (; at != keys.end() && at->key == key; ++at) cards.push_back(&cards_[at->card]);
  return cards;
}

std::optional<CardTable::Found> CardTable::find(std::string_view text) const {
  const CardName name = parse_card_name(text);
  if (auto cards = cards_of(whole_key(name)); !cards.empty()) return pick(std::move(cards));
  if (auto cards = cards_of(unbranded_key(name)); !cards.empty()) return pick(std::move(cards));

  std::vector<const Card*> cards = cards_of(formless_key(name));
  if (cards.empty()) cards = cards_of(base_key(name));
  std::erase_if(cards, [&](const Card* card) { return !agrees(*card, name.sizes_gb); });
  if (cards.empty()) return std::nullopt;
  if (name.form == CardForm::unstated) return pick(std::move(cards));

  std::vector<const Card*> fitting = cards;
  std::erase_if(fitting, [&](const Card* card) {
    const CardForm form = form_of(*card);
    return form != CardForm::unstated && form != name.form;
  });
  if (!fitting.empty()) return pick(std::move(fitting));
  Found found = pick(std::move(cards));
  found.other_form = true;
  return found;
}

std::vector<std::string> CardTable::similar(std::string_view text) const {
  const CardName name = parse_card_name(text);
  std::vector<std::string> names = names_of(cards_of(base_key(name)));
  if (names.empty()) {
    std::vector<std::string_view> spellings;
    for (const Key& key : index())
      if (key.key.front() != '1') spellings.push_back(std::string_view(key.key).substr(1));
    for (const std::string& spelling : similar_words(name.unbranded, spellings, 8))
      for (const char index : {'2', '3'})
        for (const std::string& found : names_of(cards_of(index + spelling)))
          if (std::ranges::find(names, found) == names.end()) names.push_back(found);
  }
  if (names.size() > 3) names.resize(3);
  return names;
}

CardTable CardTable::with(std::vector<Card> more) const {
  if (more.empty()) return *this;  // with the names that are known by now
  std::set<std::string> taken;  // every spelling of the added cards, with and without brand words
  std::set<std::string> names;  // of the added cards, without brand words
  const auto take = [&](const std::string& spelling) {
    const CardName name = parse_card_name(spelling);
    taken.insert({name.whole, name.unbranded});
    return name.unbranded;
  };
  for (const Card& card : more) {
    names.insert(take(card.name));
    for (const std::string& alias : card.aliases) take(alias);
  }
  std::vector<Card> all;
  for (Card card : cards_) {
    const CardName name = parse_card_name(card.name);
    if (taken.contains(name.whole) || names.contains(name.unbranded)) continue;
    std::erase_if(card.aliases, [&](const std::string& alias) {
      return taken.contains(parse_card_name(alias).unbranded);
    });
    all.push_back(std::move(card));
  }
  std::ranges::move(more, std::back_inserter(all));
  return CardTable(std::move(all));
}

std::optional<Warning> ambiguity_warning(std::string_view name, const CardTable::Found& found) {
  if (!found.others.empty())
    return Warning{
        .code = "card_ambiguous",
        .message = fmt::format("{} fits several cards: {} is taken, the one with the "
                               "least memory and bandwidth; it can also mean {}",
                               quote(name), found.card->name, join(names_of(found.others), ", ")),
        .where = std::string(name)};
  if (found.other_form)
    return Warning{.code = "card_form_factor",
                   .message = fmt::format("{} names a form factor that the {} is not sold in",
                                          quote(name), found.card->name),
                   .where = std::string(name)};
  return std::nullopt;
}

}  // namespace gpuplan
