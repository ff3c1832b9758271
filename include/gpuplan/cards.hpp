#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gpuplan/result.hpp"
#include "gpuplan/units.hpp"

namespace gpuplan {

enum class CardClass { datacenter, workstation, consumer, accelerator, slice };
enum class Link { unknown, none, pcie, nvlink, nvswitch, other };

// Dense rates; a rate that no source states is absent, never 0.
struct CardRates {
  std::optional<FlopRate> fp64, fp64_tensor, fp32, tf32;
  std::optional<FlopRate> fp16;        // tensor units, accumulating in fp32
  std::optional<FlopRate> fp16_acc16;  // accumulating in fp16
  std::optional<FlopRate> bf16, fp8, fp8_acc16, fp6, fp4;
  std::optional<FlopRate> int8, int4;  // operations a second
};

// Where one or several fields of a card come from.
struct CardSource {
  std::vector<std::string> fields;
  std::string source;
};

struct Card {
  std::string name;
  std::vector<std::string> aliases;
  std::string vendor;
  std::string architecture;
  int year = 0;     // 0: not stated
  int devices = 1;  // that frameworks see in one card (2 for the halves of an MI250X)
  CardClass card_class = CardClass::datacenter;
  Bytes memory;          // as the driver reports it
  Bytes memory_nominal;  // as it is sold (GiB)
  bool memory_estimated = false;
  std::string memory_estimated_from;
  std::vector<int> memory_labels_gb;  // further sizes that offers print for the same memory
  std::string memory_type;
  std::string ecc;
  std::optional<Bandwidth> bandwidth;
  CardRates rates;
  Link link = Link::unknown;
  std::string link_name;                  // "nvlink", "infinity_fabric", ...
  std::optional<Bandwidth> link_total;    // both directions
  int link_cards = 0;                     // most cards that it joins; 0: the cards of a machine
  std::optional<Bandwidth> bridge_total;  // of a bridge that is sold apart, both directions
  int bridge_cards = 0;                   // cards that such a bridge joins
  int pcie_gen = 0;                     // 0: not stated
  int pcie_lanes = 0;
  std::string compute_capability;
  int watts = 0;  // 0: not stated
  std::optional<int> encoders, decoders;
  std::optional<bool> graphics;
  std::string mig;
  std::vector<std::string> native;  // precisions that run natively: "fp16", "bf16", ...
  std::vector<std::string> traps;
  std::vector<CardSource> sources;
  std::vector<CardSource> derived;  // `source` is the rule in words
  std::vector<std::string> unsourced;
};

// The card table: the built-in one, or one read from a file of the same format.
class CardTable {
 public:
  explicit CardTable(std::vector<Card> cards);
  const std::vector<Card>& all() const { return cards_; }

  struct Found {
    const Card* card = nullptr;
    std::vector<const Card*> others = {};  // further cards of the same name that differ
    bool other_form = false;  // the name says SXM or PCIe, and the card is not sold so
  };
  // Looks a name up as clouds, drivers and people write it: normalised, then exactly. Never a
  // substring. With several candidates the one with less memory and bandwidth is taken and the
  // rest is listed in `others`. Nothing when no card has this name.
  std::optional<Found> find(std::string_view name) const;
  // Names that look like it, best first, at most three.
  std::vector<std::string> similar(std::string_view name) const;
  // Why a name is not found: no such card, a memory size that the card does not have, a slice.
  Diagnostic unknown(std::string_view name, const std::string& source) const;
  // This table with cards added; one of the same name is replaced, and the spellings of the added
  // cards are theirs alone.
  CardTable with(std::vector<Card> more) const;

 private:
  struct Key {
    std::string key;
    std::size_t card;
  };
  // Made when a name is first asked for: an estimate over all cards asks for none.
  struct Index {
    std::once_flag made;
    std::vector<Key> keys;  // sorted
  };
  static std::vector<Key> keys_of(const std::vector<Card>& cards);
  const std::vector<Key>& index() const;
  std::vector<const Card*> cards_of(std::string_view key) const;

  std::vector<Card> cards_;
  std::shared_ptr<Index> index_;
};

// Reads `gpuplan.cards/1` text (data/README.md); the units of the file are GB/s, TFLOPS, MiB.
Result<CardTable> read_cards(std::string_view text, const std::string& source);
// The table that was built into the program; parsed at each call, so keep what it returns.
Result<CardTable> builtin_card_table();
// `card_ambiguous` with the list when a found name fits several cards, `card_form_factor` when it
// names a form that the card does not have.
std::optional<Warning> ambiguity_warning(std::string_view name, const CardTable::Found& found);

}  // namespace gpuplan
