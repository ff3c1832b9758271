// Azure's retail prices: an item for each price of a machine size in a region. What stands in a size
// is known from its name alone (machines.cpp).
#include <algorithm>
#include <array>
#include <map>
#include <vector>

#include "catalog/import/json_list.hpp"
#include "catalog/import/machines.hpp"
#include "core/text.hpp"

namespace gpuplan::detail {
namespace {

bool says(std::string_view text, std::string_view word) { return lower(text).find(lower(word)) != std::string::npos; }

struct Machine {
  ImportRow row;
  MachineType type;
  std::string currency;
  std::vector<std::optional<Decimal>> on_demand, spot;  // more than one when items contradict
  std::vector<Commitment> terms;
};

// Hours of "1 Hour", "100 Hours"; nothing for another unit.
std::optional<std::int64_t> hours_of(std::string_view unit) {
  const auto blank = unit.find(' ');
  if (blank == std::string_view::npos || !lower(unit.substr(blank + 1)).starts_with("hour")) return std::nullopt;
  const auto hours = whole_number(unit.substr(0, blank));
  return hours && *hours > 0 && *hours <= 10'000 ? hours : std::nullopt;
}

class Azure {
 public:
  Azure(const ImportFile& file, const ImportOptions& options, ImportBuilder& builder)
      : file_(&file), options_(&options), builder_(&builder) {}

  void add(const JsonNode& item, const std::string& where, std::string_view currency) {
    const std::string sku = clean(text_at(item, "armSkuName"));
    const auto type = machine_type("azure", sku);
    if (!type) {
      // Sizes of the N family have cards.
      if (sku.starts_with("Standard_N")) return builder_->findings().add(Find::machine_unknown, where, sku);
      return builder_->findings().count(Find::no_accelerator);
    }
    const std::string_view product = text_at(item, "productName");
    if (says(product, "Windows") || product.ends_with(" Win")) return left_out(Find::not_linux, where, sku, product);
    const std::string names = std::string(text_at(item, "meterName")) + " " + std::string(text_at(item, "skuName"));
    if (says(names, "Low Priority") || says(product, "Dedicated")) return left_out(Find::not_on_demand, where, sku, names);
    const std::string_view kind = text_at(item, "type");
    if (kind == "DevTestConsumption") return left_out(Find::not_on_demand, where, sku, kind);
    const std::string own(text_at(item, "currencyCode"));
    Machine& machine = machine_of(sku, clean(text_at(item, "armRegionName")), own.empty() ? std::string(currency) : own, *type, where);
    const std::string_view price_key = text_at(item, "retailPrice").empty() ? "unitPrice" : "retailPrice";
    ImportRow at{.where = where, .type = sku};
    if (kind == "Reservation") return add_term(machine, item, builder_->price(text_at(item, price_key), at), where);
    const auto hours = hours_of(text_at(item, "unitOfMeasure"));
    if (!hours) return left_out(Find::unit_unknown, where, sku, text_at(item, "unitOfMeasure"));
    const bool spot = says(names, "Spot");
    auto price = spot ? builder_->spot_price(text_at(item, price_key), at) : builder_->price(text_at(item, price_key), at);
    if (price && *hours > 1) price = over(*price, *hours);
    auto& prices = spot ? machine.spot : machine.on_demand;
    if (std::ranges::find(prices, price) == prices.end()) prices.push_back(price);
    else builder_->findings().add(Find::duplicate_row, where, sku);
  }

  void finish() {
    for (const auto& key : order_) {
      Machine& machine = machines_.at(key);
      if (machine.on_demand.empty() && machine.spot.empty() && machine.terms.empty()) continue;
      const std::size_t platform = builder_->platform(options_->platform.empty() ? "azure" : options_->platform,
                                                      machine.currency, source_of(ImportFormat::azure, *file_));
      const std::size_t offers = std::max<std::size_t>({1, machine.on_demand.size(), machine.spot.size()});
      for (std::size_t i = 0; i < offers; ++i) {
        ImportRow row = machine.row;
        if (i < machine.on_demand.size()) row.offer.price.on_demand = machine.on_demand[i];
        if (i < machine.spot.size()) row.offer.price.spot = machine.spot[i];
        if (i == 0) row.offer.price.commitments = machine.terms;
        builder_->add(platform, std::move(row));
      }
    }
  }

 private:
  void left_out(Find why, const std::string& where, const std::string& sku, std::string_view detail) {
    builder_->findings().add(why, where, sku, std::string(detail));
  }

  Machine& machine_of(const std::string& sku, const std::string& region, const std::string& currency,
                      const MachineType& type, const std::string& where) {
    const std::array key{sku, region, currency};
    const auto [entry, fresh] = machines_.try_emplace(key);
    Machine& machine = entry->second;
    if (fresh) {
      order_.push_back(key);
      machine.type = type;
      machine.currency = currency;
      machine.row.where = where;
      machine.row.type = sku;
      machine.row.cards = {std::string(type.card)};
      machine.row.offer.gpus = type.gpus;
      machine.row.offer.region = region;
    }
    return machine;
  }

  // A reservation's price is that of the whole term.
  void add_term(Machine& machine, const JsonNode& item, const std::optional<Decimal>& price, const std::string& where) {
    const std::string term = clean(text_at(item, "reservationTerm"));
    const auto years = whole_number(term.substr(0, term.find(' ')));
    if (!price || price->is_zero() || !says(term, "year") || !years || *years < 1 || *years > 10)
      return left_out(Find::unit_unknown, where, machine.row.type, term);
    Commitment commitment;
    commitment.name = std::to_string(*years) + "-year";
    commitment.hours = Decimal::of(8760 * *years);
    commitment.price = *price;
    if (std::ranges::find(machine.terms, commitment.name, &Commitment::name) != machine.terms.end())
      return left_out(Find::duplicate_row, where, machine.row.type, term);
    machine.terms.push_back(std::move(commitment));
  }

  const ImportFile* file_;
  const ImportOptions* options_;
  ImportBuilder* builder_;
  std::map<std::array<std::string, 3>, Machine> machines_;
  std::vector<std::array<std::string, 3>> order_;
};

}  // namespace

Diagnostics import_azure(const ImportFile& file, const ImportOptions& options, ImportBuilder& builder) {
  const auto document = parse_json(file.text, file.name);
  if (!document) return document.errors();
  const JsonNode& root = document->root();
  const bool bare = root.is(JsonNode::Kind::array);
  const JsonNode* items = bare ? &root : root.find("Items");
  if (items == nullptr || !items->is(JsonNode::Kind::array)) return not_such_a_list(file, "an object with the list \"Items\"");
  const std::string_view stated = bare ? std::string_view{} : text_at(root, "BillingCurrency");
  Azure reader(file, options, builder);
  builder.count_rows(items->children.size());
  for (std::size_t i = 0; i < items->children.size(); ++i)
    reader.add(items->children[i], file.name + (bare ? "#/" : "#/Items/") + std::to_string(i), stated.empty() ? "USD" : stated);
  reader.finish();
  return {};
}

}  // namespace gpuplan::detail
