// Google's billing SKUs: prices of a card, a core and a GiB of memory in a region. A machine is the sum
// of what it holds; the card stands in the description only.
#include <map>
#include <set>

#include "catalog/import/json_list.hpp"
#include "catalog/import/machines.hpp"
#include "core/text.hpp"

namespace gpuplan::detail {
namespace {

struct Price {
  std::optional<Decimal> on_demand, spot;
};
struct Region {
  std::map<std::string, Price> gpu;         // by card, as google_hosts() names it
  std::map<std::string, Price> core, ram;   // by family; RAM for a GiB
};

bool says(std::string_view text, std::string_view word) { return text.find(word) != std::string_view::npos; }

// "Nvidia Tesla A100 80GB GPU running in Americas" -> "A100-80GB".
std::string card_of(std::string_view description) {
  std::string text(description.substr(0, description.find(" GPU")));
  for (const std::string_view word : {"Spot Preemptible ", "Preemptible ", "Nvidia ", "NVIDIA ", "Tesla ", "attached to Spot Preemptible VMs ", "Attached to Spot Preemptible VMs "})
    if (const auto at = text.find(word); at != std::string::npos) text.erase(at, word.size());
  if (const auto at = text.find(" 80GB"); at != std::string::npos) {
    // The H100 has one size only; of the A100 it tells two apart.
    const bool mega = says(text, "Mega") || says(text, "Plus");
    text = text.substr(0, at);
    if (text == "A100") text += "-80GB";
    if (mega) text += "-MEGA";
  }
  if (text.starts_with("H200")) text = "H200";
  return text;
}

// "A2 Instance Core running in Americas" -> "A2".
std::string family_of(std::string_view description) {
  std::string text(description.substr(0, description.find(" Instance ")));
  for (const std::string_view word : {"Spot Preemptible ", "Preemptible "})
    if (text.starts_with(word)) text.erase(0, word.size());
  return text;
}

// units + nanos / 10^9 of the first rate that is not 0, in dollars.
std::optional<Decimal> rate_of(const JsonNode& sku, std::string_view unit, std::string& odd) {
  const JsonNode* info = member(sku, "pricingInfo");
  if (info == nullptr || info->children.empty()) return odd = "no pricingInfo", std::nullopt;
  const JsonNode* expression = member(info->children.back(), "pricingExpression");
  const JsonNode* rates = expression == nullptr ? nullptr : member(*expression, "tieredRates");
  if (rates == nullptr || rates->children.empty()) return odd = "no tieredRates", std::nullopt;
  if (text_at(*expression, "usageUnit") != unit) return odd = "unit " + std::string(text_at(*expression, "usageUnit")), std::nullopt;
  const JsonNode* price = member(rates->children.back(), "unitPrice");
  if (price == nullptr) return odd = "no unitPrice", std::nullopt;
  if (text_at(*price, "currencyCode") != "USD") return odd = "currency " + std::string(text_at(*price, "currencyCode")), std::nullopt;
  const auto units = text_at(*price, "units").empty() ? Decimal{} : Decimal::parse(text_at(*price, "units"));
  const auto nanos = whole_number(text_at(*price, "nanos").empty() ? "0" : text_at(*price, "nanos"));
  if (!units || !nanos || *nanos >= 1'000'000'000) return odd = "price", std::nullopt;
  return plus(*units, Decimal::of(*nanos, 9));
}

class Skus {
 public:
  Skus(const ImportFile& file, std::size_t platform, ImportBuilder& builder) : file_(&file), platform_(platform), builder_(&builder) {}

  void add(const JsonNode& sku, const std::string& where) {
    const std::string description = clean(text_at(sku, "description"));
    const JsonNode* category = member(sku, "category");
    const std::string_view resource = category == nullptr ? std::string_view{} : text_at(*category, "resourceGroup");
    const bool gpu = resource == "GPU", core = says(description, " Instance Core"), ram = says(description, " Instance Ram");
    if (!gpu && !core && !ram) return builder_->findings().count(Find::no_accelerator);
    // Some commitments say that they are on demand: the description tells.
    const std::string_view usage = text_at(*category, "usageType");
    const bool spot = usage == "Preemptible" || says(description, "Preemptible") || says(description, "Spot");
    if (description.starts_with("Commitment") || usage.starts_with("Commit") || says(description, "DWS") || says(description, "Reserved") ||
        says(description, "Sole Tenancy") || says(description, "Custom"))
      return builder_->findings().add(Find::not_on_demand, where, description, std::string(usage));
    std::string odd;
    const auto rate = rate_of(sku, ram ? "GiBy.h" : "h", odd);
    if (!rate) return builder_->findings().add(Find::unit_unknown, where, description, odd);
    const std::string name = gpu ? card_of(description) : family_of(description);
    const JsonNode* regions = member(sku, "serviceRegions");
    if (regions == nullptr) return builder_->findings().add(Find::malformed_row, where, description, "no serviceRegions");
    for (const JsonNode& region : regions->children) {
      Region& here = regions_[clean(region.text)];
      Price& price = gpu ? here.gpu[name] : core ? here.core[name] : here.ram[name];
      (spot ? price.spot : price.on_demand) = rate;
    }
  }

  void finish() {
    std::set<std::string> used;
    for (const auto& [region, prices] : regions_)
      for (const GoogleHost& host : google_hosts()) make(region, prices, host, used);
    std::set<std::string> told;
    for (const auto& [region, prices] : regions_)
      for (const auto& [card, price] : prices.gpu)
        if (!used.contains(card) && told.insert(card).second)
          builder_->findings().add(Find::host_missing, file_->name, card, "no machine with this card and prices of all its parts");
  }

 private:
  static const Price* in(const std::map<std::string, Price>& prices, std::string_view key) {
    const auto found = prices.find(std::string(key));
    return found == prices.end() ? nullptr : &found->second;
  }

  void make(const std::string& region, const Region& prices, const GoogleHost& host, std::set<std::string>& used) {
    const Price* gpu = in(prices.gpu, host.card);
    const Price* core = in(prices.core, host.family);
    const Price* ram = in(prices.ram, host.family);
    if (gpu == nullptr && (core == nullptr || host.family == "A2" || host.family == "A3")) return;
    const std::string where = file_->name + " " + region;
    if (gpu == nullptr || core == nullptr || ram == nullptr)
      return builder_->findings().add(Find::part_missing, where, std::string(host.type), gpu == nullptr ? "card" : core == nullptr ? "core" : "memory");
    used.insert(std::string(host.card));
    ImportRow row{.where = where, .type = std::string(host.type), .cards = {std::string(host.card)}};
    Offer& offer = row.offer;
    offer.gpus = host.gpus;
    offer.region = region;
    offer.vcpus = Decimal::of(host.vcpus);
    offer.ram_gb = gib_to_gb(std::to_string(host.ram_gib));
    // Memory is priced by the GiB, which a component does not know: its sum is a part of its own.
    const auto of_ram = [&](const std::optional<Decimal>& rate) { return rate ? times(*rate, Decimal::of(host.ram_gib)) : std::nullopt; };
    offer.components = {{.what = "gpu", .price = gpu->on_demand, .spot = gpu->spot},
                        {.what = "vcpu", .price = core->on_demand, .spot = core->spot},
                        {.what = "fee", .price = of_ram(ram->on_demand), .spot = of_ram(ram->spot)}};
    offer.note = "the fee is " + std::to_string(host.ram_gib) + " GiB of memory";
    builder_->add(platform_, std::move(row));
  }

  const ImportFile* file_;
  std::size_t platform_;
  ImportBuilder* builder_;
  std::map<std::string, Region> regions_;
};

}  // namespace

Diagnostics import_gcp(const ImportFile& file, const ImportOptions& options, ImportBuilder& builder) {
  const auto document = parse_json(file.text, file.name);
  if (!document) return document.errors();
  const JsonNode* skus = document->root().find("skus");
  if (skus == nullptr || !skus->is(JsonNode::Kind::array)) return not_such_a_list(file, "an object with the list \"skus\"");
  Skus reader(file, builder.platform(options.platform.empty() ? "gcp" : options.platform, "USD", source_of(ImportFormat::gcp, file)), builder);
  builder.count_rows(skus->children.size());
  for (std::size_t i = 0; i < skus->children.size(); ++i) reader.add(skus->children[i], file.name + "#/skus/" + std::to_string(i));
  reader.finish();
  return {};
}

}  // namespace gpuplan::detail
