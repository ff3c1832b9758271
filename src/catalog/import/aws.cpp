// AWS: answers of the price list (one product, a list of them, or a whole offer file), and the data
// of the spot advisor, which adds rates of interruption to prices read in the same run.
#include <algorithm>
#include <array>
#include <map>

#include "catalog/import/json_list.hpp"
#include "catalog/import/machines.hpp"
#include "catalog/rules.hpp"
#include "core/text.hpp"

namespace gpuplan::detail {
namespace {

// Attributes that a price of a plain Linux machine has; one that is absent says nothing.
struct Wanted {
  std::string_view key, value;
  Find otherwise;
};
constexpr std::array kWanted{Wanted{"operatingSystem", "Linux", Find::not_linux},
                             Wanted{"preInstalledSw", "NA", Find::not_linux},
                             Wanted{"tenancy", "Shared", Find::not_on_demand},
                             Wanted{"capacitystatus", "Used", Find::not_on_demand}};

class PriceList {
 public:
  PriceList(const ImportFile& file, std::size_t platform, ImportBuilder& builder)
      : file_(&file), platform_(platform), builder_(&builder) {}

  void set_date(std::string_view published) { date_ = parse_date(published.substr(0, 10)); }

  // `terms` is the object with OnDemand and Reserved of this product.
  void add(const JsonNode& product, const JsonNode* on_demand, const JsonNode* reserved, const std::string& pointer) {
    builder_->count_rows(1);
    ImportRow row;
    row.where = file_->name + pointer;
    const JsonNode* attributes = member(product, "attributes");
    if (attributes == nullptr || text_at(*attributes, "instanceType").empty()) {
      if (!text_at(product, "productFamily").empty() && text_at(product, "productFamily") != "Compute Instance")
        return builder_->findings().count(Find::no_accelerator);
      return builder_->findings().add(Find::malformed_row, row.where, clean(text_at(product, "sku")), "attributes.instanceType is missing");
    }
    row.type = clean(text_at(*attributes, "instanceType"));
    const auto type = machine_type("aws-ec2", row.type);
    const auto gpus = Decimal::parse(text_at(*attributes, "gpu"));
    if (!gpus || gpus->is_zero()) {
      if (type && type->gpus == 0)
        return builder_->findings().add(Find::machine_unknown, row.where, row.type, "the attribute gpu is missing");
      return builder_->findings().count(Find::no_accelerator);
    }
    if (!type) return builder_->findings().add(Find::machine_unknown, row.where, row.type);
    for (const Wanted& wanted : kWanted)
      if (const auto value = text_at(*attributes, wanted.key); !value.empty() && value != wanted.value)
        return builder_->findings().add(wanted.otherwise, row.where, row.type, std::string(value));
    if (!set_count(row, *gpus)) return builder_->findings().add(Find::malformed_row, row.where, row.type, "gpu is " + gpus->to_string());
    row.cards = {std::string(type->card)};
    Offer& offer = row.offer;
    offer.region = text_at(*attributes, text_at(*attributes, "regionCode").empty() ? "location" : "regionCode");
    offer.vcpus = above_zero_at(*attributes, "vcpu");
    const auto memory = text_at(*attributes, "memory");  // "1,152 GiB"
    std::string gib;
    for (const char c : memory.substr(0, memory.find(' ')))
      if (c != ',') gib += c;
    if (memory.ends_with("GiB")) offer.ram_gb = gib_to_gb(gib);
    offer.as_of = date_;
    if (on_demand != nullptr) read_on_demand(*on_demand, row);
    if (reserved != nullptr) read_reserved(*reserved, row);
    builder_->add(platform_, std::move(row));
  }

 private:
  static bool set_count(ImportRow& row, const Decimal& gpus) {
    if (const auto whole = gpus.whole()) {
      row.offer.gpus = *whole;
      return *whole <= 100'000;
    }
    if (gpus > Decimal::of(1)) return false;
    row.offer.share = gpus;
    return true;
  }

  struct Dimensions {
    std::optional<Decimal> hourly, upfront;
  };
  Dimensions dimensions(const JsonNode& term, const ImportRow& row) {
    Dimensions found;
    const JsonNode* list = member(term, "priceDimensions");
    if (list == nullptr) return found;
    for (const JsonNode& dimension : list->children) {
      const JsonNode* price = member(dimension, "pricePerUnit");
      const std::string_view unit = text_at(dimension, "unit");
      const std::string_view amount = price == nullptr ? std::string_view{} : text_at(*price, "USD");
      if (amount.empty() || (unit != "Hrs" && unit != "Quantity")) {
        builder_->findings().add(Find::unit_unknown, row.where, row.type, std::string(unit));
        continue;
      }
      (unit == "Hrs" ? found.hourly : found.upfront) = builder_->price(amount, row);
    }
    return found;
  }

  void read_on_demand(const JsonNode& terms, ImportRow& row) {
    for (const JsonNode& term : terms.children)
      if (const auto hourly = dimensions(term, row).hourly) row.offer.price.on_demand = hourly;
  }

  void read_reserved(const JsonNode& terms, ImportRow& row) {
    for (const JsonNode& term : terms.children) {
      const JsonNode* attributes = member(term, "termAttributes");
      const std::string length(attributes == nullptr ? std::string_view{} : text_at(*attributes, "LeaseContractLength"));
      const auto years = whole_number(std::string_view(length).substr(0, length.find("yr")));
      if (!years || *years < 1 || *years > 10) {
        builder_->findings().add(Find::unit_unknown, row.where, row.type, length);
        continue;
      }
      Commitment commitment;
      commitment.name = clean(length + " " + std::string(text_at(*attributes, "OfferingClass")) + " " + std::string(text_at(*attributes, "PurchaseOption")));
      commitment.hours = Decimal::of(8760 * *years);
      const Dimensions prices = dimensions(term, row);
      commitment.price = prices.upfront.value_or(Decimal{});
      if (prices.hourly && !prices.hourly->is_zero()) commitment.hourly = prices.hourly;
      const bool twice = std::ranges::find(row.offer.price.commitments, commitment.name, &Commitment::name) != row.offer.price.commitments.end();
      if (commitment.price.is_zero() && !commitment.hourly) continue;
      if (twice) builder_->findings().add(Find::duplicate_row, row.where, row.type, commitment.name);
      else row.offer.price.commitments.push_back(std::move(commitment));
    }
  }

  const ImportFile* file_;
  std::size_t platform_;
  ImportBuilder* builder_;
  std::optional<Date> date_;
};

// Percent of interruptions a month by type and region, from the upper edges of the classes.
void read_advisor(const JsonNode& root, const ImportFile& file, ImportBuilder& builder) {
  std::map<std::string, Decimal> edges;
  if (const JsonNode* ranges = member(root, "ranges"))
    for (const JsonNode& range : ranges->children)
      if (const auto most = number_at(range, "max"); most && *most < Decimal::of(100)) edges[std::string(text_at(range, "index"))] = *most;
  for (const JsonNode& region : member(root, "spot_advisor")->children) {
    const JsonNode* linux_types = member(region, "Linux");
    if (linux_types == nullptr) continue;
    builder.count_rows(linux_types->children.size());
    for (const JsonNode& type : linux_types->children) {
      const std::string where = file.name + "#/spot_advisor/" + pointer_token(region.key) + "/Linux/" + pointer_token(type.key);
      if (!machine_type("aws-ec2", type.key)) {
        builder.findings().count(Find::no_accelerator);
        continue;
      }
      const std::string index(text_at(type, "r"));
      // No saving in the lowest class means that there are no data.
      const bool silent = text_at(type, "s") == "0" && index == "0";
      const auto edge = edges.find(index);
      if (silent) builder.findings().add(Find::nothing_to_rent, where, std::string(type.key), "saving 0 in the lowest class: no data");
      else if (edge == edges.end()) builder.findings().add(Find::interruption_open_ended, where, std::string(type.key));
      else if (!builder.add_rule(type.key, region.key, "{\"spot\":{\"interruption_percent_month\":" + edge->second.to_string() + "}}"))
        builder.findings().add(Find::unmatched_region, where, std::string(type.key), std::string(region.key));
    }
  }
}

const JsonNode* of_sku(const JsonNode* terms, std::string_view kind, std::string_view sku) {
  const JsonNode* all = terms == nullptr ? nullptr : member(*terms, kind);
  return all == nullptr ? nullptr : member(*all, sku);
}

}  // namespace

Diagnostics import_aws(const ImportFile& file, const ImportOptions& options, ImportBuilder& builder) {
  const auto document = parse_json(file.text, file.name, {.text_bytes = std::size_t{1} << 26});
  if (!document) return document.errors();
  const JsonNode& root = document->root();
  const std::size_t platform = builder.platform(options.platform.empty() ? "aws" : options.platform, "USD", source_of(ImportFormat::aws, file));
  if (member(root, "spot_advisor") != nullptr) {
    read_advisor(root, file, builder);
    return {};
  }
  PriceList reader(file, platform, builder);
  reader.set_date(text_at(root, "publicationDate"));
  const auto add_answer = [&](const JsonNode& answer, const std::string& pointer) {
    const JsonNode* terms = member(answer, "terms");
    reader.add(*member(answer, "product"), terms == nullptr ? nullptr : member(*terms, "OnDemand"),
               terms == nullptr ? nullptr : member(*terms, "Reserved"), pointer);
  };
  if (member(root, "product") != nullptr) {
    add_answer(root, "#/product");
    return {};
  }
  const JsonNode* list = root.is(JsonNode::Kind::array) ? &root : member(root, "PriceList");
  if (list != nullptr && list->is(JsonNode::Kind::array)) {
    for (std::size_t i = 0; i < list->children.size(); ++i) {
      const std::string pointer = (list == &root ? "#/" : "#/PriceList/") + std::to_string(i);
      const JsonNode& entry = list->children[i];
      // The command line prints each product as text of its own.
      if (entry.is(JsonNode::Kind::string)) {
        const auto inner = parse_json(entry.text, file.name + pointer);
        if (!inner) return inner.errors();
        if (member(inner->root(), "product") != nullptr) reader.set_date(text_at(inner->root(), "publicationDate")), add_answer(inner->root(), pointer);
      } else if (member(entry, "product") != nullptr) {
        reader.set_date(text_at(entry, "publicationDate"));
        add_answer(entry, pointer);
      } else {
        builder.count_rows(1);
        builder.findings().add(Find::malformed_row, file.name + pointer, {}, "no product");
      }
    }
    return {};
  }
  const JsonNode* products = member(root, "products");
  if (products == nullptr || !products->is(JsonNode::Kind::object))
    return not_such_a_list(file, "a product with its terms, a list of them, an offer file or the data of the spot advisor");
  const JsonNode* terms = member(root, "terms");
  for (const JsonNode& product : products->children)
    reader.add(product, of_sku(terms, "OnDemand", product.key), of_sku(terms, "Reserved", product.key),
               "#/products/" + pointer_token(product.key));
  return {};
}

}  // namespace gpuplan::detail
