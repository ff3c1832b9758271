// Which card a list means, and how much memory it has.
#include <algorithm>

#include "catalog/import/builder.hpp"
#include "catalog/import/machines.hpp"
#include "core/text.hpp"

namespace gpuplan::detail {
namespace {

constexpr std::int64_t kMiB = std::int64_t{1} << 20;
constexpr std::int64_t kGiB = std::int64_t{1} << 30;

// Drivers, lists and data sheets give the memory of a card up to 8 % apart.
bool near(Bytes stated, Bytes known) {
  const std::int64_t apart = stated.count() > known.count() ? stated.count() - known.count() : known.count() - stated.count();
  return known.count() > 0 && apart <= known.count() / 100 * 8;
}
bool has_memory(const Card& card, Bytes stated) {
  return near(stated, card.memory) || near(stated, card.memory_nominal);
}

std::vector<const Card*> candidates(const CardTable::Found& found) {
  std::vector<const Card*> all{found.card};
  all.insert(all.end(), found.others.begin(), found.others.end());
  return all;
}

std::vector<const Card*> with_memory(const CardTable::Found& found, Bytes stated) {
  std::vector<const Card*> fitting;
  for (const Card* card : candidates(found))
    if (has_memory(*card, stated)) fitting.push_back(card);
  return fitting;
}

std::string with_size(const std::string& name, Bytes memory) {
  return name + " " + std::to_string((memory.count() + kGiB / 2) / kGiB) + "GB";
}

}  // namespace

void ImportBuilder::settle_memory(ImportRow& row, const CardTable::Found& found, const std::string& name) {
  Offer& offer = row.offer;
  const auto take = [&](const std::vector<const Card*>& fitting) {
    if (fitting.size() == 1) {
      offer.card = fitting.front()->name;
      return;
    }
    // Cards of one memory in several forms: the name says the memory, not the form.
    const std::string sized = with_size(name, fitting.front()->memory_nominal);
    const auto again = cards_->find(sized);
    const bool same = again && !again->others.empty() && again->others.size() + 1 == fitting.size();
    offer.card = fitting.size() == found.others.size() + 1 ? name : same ? sized : fitting.front()->name;
  };
  if (!row.memory) {
    offer.card = found.others.empty() ? found.card->name : name;
    return;
  }
  Bytes stated = *row.memory;
  if (stated.count() < kGiB && stated.count() % kMiB == 0 && stated.count() >= kMiB) {
    findings_.add(Find::memory_in_gib, row.where, row.type, std::to_string(stated.count() / kMiB));
    stated = Bytes::of(stated.count() * 1024);
  }
  if (const auto fitting = with_memory(found, stated); !fitting.empty()) return take(fitting);
  const Bytes each = Bytes::of(stated.count() / offer.gpus);
  if (const auto fitting = with_memory(found, each); offer.gpus > 1 && !row.memory_certain && !fitting.empty()) {
    findings_.add(Find::memory_of_all_cards, row.where, row.type, std::to_string(stated.count() / kMiB) + " MiB");
    return take(fitting);
  }
  findings_.add(Find::memory_differs, row.where, row.type, name + ", " + std::to_string(stated.count() / kMiB) + " MiB");
  if (const auto board = cards_->find(with_size(name, stated)); board && has_memory(*board->card, stated)) {
    offer.card = board->card->name;
    return;
  }
  offer.card = found.others.empty() ? found.card->name : name;
  offer.memory = stated;
}

void ImportBuilder::settle_card(std::size_t platform, ImportRow& row) {
  Offer& offer = row.offer;
  if (const auto type = machine_type(catalog_.platforms[platform].id, row.type)) {
    row.cards.insert(row.cards.begin(), std::string(type->card));
    if (row.cards.size() == 1) row.cards.push_back(std::string(type->card));
    if (type->parts > 1) {
      findings_.add(Find::count_taken_from_table, row.where, row.type, "1/" + std::to_string(type->parts));
      offer.share = over(Decimal::of(1), type->parts);
      offer.memory = Bytes::gib(type->part_gib);
      row.memory.reset();
    }
  }
  for (const std::string& name : row.cards)
    if (const auto found = cards_->find(name)) return settle_memory(row, *found, name);
  offer.card = row.cards.back();
  if (row.memory) offer.memory = row.memory;
  findings_.add(Find::card_unknown, row.where, row.type, offer.card);
}

}  // namespace gpuplan::detail
