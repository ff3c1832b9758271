#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/import/findings.hpp"
#include "gpuplan/import.hpp"

namespace gpuplan::detail {

// What a list says of one machine, before names and sizes are settled.
struct ImportRow {
  std::string where;  // in messages
  std::string type;   // the vendor's name of the machine; may be empty
  // The vendor's names of the card, the fullest first; the last is kept as the card's own name.
  std::vector<std::string> cards = {};
  std::optional<Bytes> memory = {};  // of one card, as stated
  bool memory_certain = false;       // it is that of one card, not of all together
  Offer offer = {};  // prices, place, size of the host; card and id are not yet there
};

// Makes a catalog of rows: finds cards, gives ids, drops what stands twice, adds what is known of
// the platform.
class ImportBuilder {
 public:
  ImportBuilder(const CardTable& cards, const Catalog& known) : cards_(&cards), known_(&known) {}

  ImportFindings& findings() { return findings_; }
  void count_rows(std::size_t rows) { rows_ += rows; }
  // The platform of this name, as the built-in catalog or other tools call it; made at first use.
  std::size_t platform(std::string_view name, const std::string& currency, const std::string& source);
  std::string platform_id(std::size_t platform) const { return catalog_.platforms[platform].id; }
  void add(std::size_t platform, ImportRow row);
  // Adds rules to the offers of this machine type and region; false when there are none.
  bool add_rule(std::string_view type, std::string_view region, const std::string& json);
  // A price an hour as a list writes it; nothing when there is none. What is odd is noted.
  std::optional<Decimal> price(std::string_view text, const ImportRow& row);
  // The same of a spot price, of which 0 means none.
  std::optional<Decimal> spot_price(std::string_view text, const ImportRow& row);
  Imported take(const ImportOptions& options);

 private:
  void settle_card(std::size_t platform, ImportRow& row);
  void settle_memory(ImportRow& row, const CardTable::Found& found, const std::string& name);
  void note_prices(const ImportRow& row);
  bool stands_already(std::size_t platform, const ImportRow& row);
  std::string id_of(std::size_t platform, const ImportRow& row);

  const CardTable* cards_;
  const Catalog* known_;
  ImportFindings findings_;
  std::size_t rows_ = 0;
  Catalog catalog_;
  std::map<std::string, std::set<std::string>> prices_;  // by machine
  std::set<std::pair<std::size_t, std::string>> ids_;
  std::map<std::pair<std::size_t, std::string>, std::size_t> repeats_;
};

// The id in the built-in catalog of a cloud that other tools call otherwise.
std::string platform_id(std::string_view name);
// Text of a file made fit for a document: no control characters, no broken UTF-8, no more bytes than
// a name may have.
std::string clean(std::string_view text, std::size_t most = 200);
std::optional<Decimal> gib_to_gb(std::string_view gib);  // "2048.0" -> 2199.023
// A whole number such as 8 or 8.0.
std::optional<std::int64_t> whole_number(std::string_view text);
// a x b, exact; nothing when it has too many digits.
std::optional<Decimal> times(const Decimal& a, const Decimal& b);
std::optional<Decimal> plus(const Decimal& a, const Decimal& b);
std::optional<Decimal> over(const Decimal& a, std::int64_t divisor);  // to nine decimals

}  // namespace gpuplan::detail
