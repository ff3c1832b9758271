#include "catalog/import/findings.hpp"

#include <array>
#include <utility>

namespace gpuplan::detail {
namespace {

constexpr std::size_t kMostRows = 1000;

struct Reason {
  Find what;
  bool skipped;
  std::string_view code, message;
};
constexpr std::array kReasons{
    Reason{Find::no_accelerator, true, "no_accelerator", "machines without a GPU or other accelerator"},
    Reason{Find::malformed_row, true, "malformed_row", "the row does not have the form of the list"},
    Reason{Find::duplicate_row, true, "duplicate_row", "the same machine at the same price stands twice"},
    Reason{Find::accelerator_missing, true, "accelerator_missing",
           "the host is listed, but in this zone no price of the cards that it holds"},
    Reason{Find::host_missing, true, "host_missing",
           "the cards are listed, but in this zone no host that can hold them"},
    Reason{Find::part_missing, true, "part_missing", "a part of the machine has no price in this region"},
    Reason{Find::not_linux, true, "not_linux", "the price includes another operating system or software"},
    Reason{Find::not_on_demand, true, "not_on_demand", "a price of another kind (commitment, dedicated host, low priority, test)"},
    Reason{Find::unit_unknown, true, "unit_unknown", "the price is not one of an hour, or in another currency"},
    Reason{Find::machine_unknown, true, "machine_unknown", "an accelerator machine whose cards no table names"},
    Reason{Find::nothing_to_rent, true, "nothing_to_rent", "no price of any kind is listed"},
    Reason{Find::unmatched_region, true, "unmatched", "no price is listed for this machine and region"},
    Reason{Find::price_zero, false, "price_zero", "a price of 0 means unknown: kept, and rejected when offers are compared"},
    Reason{Find::price_missing, false, "price_missing", "no price on demand is listed: kept, and rejected when offers are compared on demand"},
    Reason{Find::price_not_a_number, false, "price_not_a_number", "the price is no number: kept without it"},
    Reason{Find::price_rounded, false, "price_rounded", "more than nine decimals are dust of binary sums: rounded to six"},
    Reason{Find::spot_zero, false, "spot_zero", "a spot price of 0 means that there is none: left out"},
    Reason{Find::not_available, false, "not_available", "nothing is free now: kept, marked as sold out"},
    Reason{Find::memory_in_gib, false, "memory_in_gib", "the memory of a card is in GiB where MiB belong: read as GiB"},
    Reason{Find::memory_of_all_cards, false, "memory_of_all_cards", "the memory is that of all cards together, not of one: read so"},
    Reason{Find::memory_differs, false, "memory_differs", "the memory is not that of the card: kept as a modified board or a part of it"},
    Reason{Find::card_unknown, false, "card_unknown", "the card table has no such card: kept, and rejected when offers are compared"},
    Reason{Find::count_taken_from_table, false, "part_of_a_card", "the machine has a part of a card: the list says a whole one"},
    Reason{Find::prices_differ, false, "prices_differ", "the same machine stands at several prices: all are kept"},
    Reason{Find::rules_unknown, false, "rules_unknown", "no billing rules of this platform are known: bills assume the defaults"},
    Reason{Find::rules_left_out, false, "rules_left_out", "the known prices of storage, traffic and fees are in another currency: left out"},
    Reason{Find::platform_not_stated, false, "platform_not_stated", "the list does not say of which cloud it is: --platform NAME adds its rules"},
    Reason{Find::interruption_open_ended, false, "interruption_open_ended", "\"more than 20 %\" of interruptions a month has no upper edge: no rate is stated"},
};

const Reason& reason_of(Find what) {
  for (const Reason& reason : kReasons)
    if (reason.what == what) return reason;
  return kReasons.front();
}

}  // namespace

void ImportFindings::add(Find what, std::string where, std::string machine, std::string detail) {
  Found& found = found_[what];
  ++found.count;
  if (found.rows.size() < kMostRows)
    found.rows.push_back({std::move(where), std::move(machine), std::move(detail)});
}

std::vector<ImportFinding> ImportFindings::take() const {
  std::vector<ImportFinding> findings;
  for (const bool skipped : {true, false})
    for (const auto& [what, found] : found_) {
      const Reason& reason = reason_of(what);
      if (reason.skipped != skipped) continue;
      findings.push_back({std::string(reason.code), std::string(reason.message), skipped, found.count, found.rows});
    }
  return findings;
}

}  // namespace gpuplan::detail
