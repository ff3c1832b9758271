// RunPod's gpuTypes: prices for one card an hour, in two tiers; machines have 1 to maxGpuCount cards.
#include <algorithm>
#include <array>

#include "catalog/import/json_list.hpp"
#include "core/text.hpp"

namespace gpuplan::detail {
namespace {

constexpr std::int64_t kMostCounts = 64;

struct Tier {
  std::string_view name, on_demand, spot, offered;
};
constexpr std::array kTiers{Tier{"secure", "securePrice", "secureSpotPrice", "secureCloud"},
                            Tier{"community", "communityPrice", "communitySpotPrice", "communityCloud"}};

// Plans are paid in advance and hold for secure machines. Months of 730 hours.
struct Plan {
  std::string_view key, name;
  std::int64_t hours;
};
constexpr std::array kPlans{Plan{"oneWeekPrice", "1-week", 168}, Plan{"oneMonthPrice", "1-month", 730},
                            Plan{"threeMonthPrice", "3-month", 2190}, Plan{"sixMonthPrice", "6-month", 4380}};

std::optional<Decimal> of_all(const std::optional<Decimal>& one, std::int64_t gpus) {
  return one ? times(*one, Decimal::of(gpus)) : std::nullopt;
}

class RunPod {
 public:
  RunPod(std::size_t platform, ImportBuilder& builder) : platform_(platform), builder_(&builder) {}

  void add(const JsonNode& node, const std::string& where) {
    ImportRow row;
    row.where = where;
    const std::string full = clean(text_at(node, "id")), shown = clean(text_at(node, "displayName"));
    row.type = full.empty() ? shown : full;
    if (row.type.empty() || lower(row.type) == "unknown")
      return builder_->findings().add(Find::malformed_row, where, row.type, "id or displayName is needed");
    // The display name tells the form (H100 SXM), the id the product: which one the card table knows.
    if (!shown.empty()) row.cards.push_back(shown);
    if (!full.empty()) row.cards.push_back(full);
    if (const auto size = whole_number(text_at(node, "memoryInGb")); size && *size > 0 && *size < 100'000) row.memory = Bytes::gib(*size);
    const std::int64_t most = std::min(kMostCounts, count_at(node, "maxGpuCount").value_or(1));
    bool any = false;
    for (const Tier& tier : kTiers) any = add_tier(node, row, tier, most) || any;
    if (!any) builder_->findings().add(Find::nothing_to_rent, where, row.type);
  }

 private:
  bool add_tier(const JsonNode& node, ImportRow row, const Tier& tier, std::int64_t most) {
    const auto price = builder_->price(text_at(node, tier.on_demand), row);
    const auto spot = builder_->spot_price(text_at(node, tier.spot), row);
    if ((!price && !spot) || truth_at(node, tier.offered) == false) return false;
    row.offer.tier = tier.name;
    const JsonNode* lowest = member(node, "lowestPrice");
    if (lowest != nullptr) {
      const JsonNode* stock = lowest->find("stockStatus");
      if (stock != nullptr) row.offer.stock = stock->is(JsonNode::Kind::null) ? "none" : clean(stock->text);
    }
    const std::string type = row.type;
    for (std::int64_t gpus = 1; gpus <= most; ++gpus) {
      ImportRow machine = row;
      Offer& offer = machine.offer;
      offer.gpus = gpus;
      machine.type = type + " x" + std::to_string(gpus);
      offer.price.on_demand = of_all(price, gpus);
      offer.price.spot = of_all(spot, gpus);
      if (tier.name == "secure") add_plans(node, machine);
      if (lowest != nullptr) {
        offer.vcpus = of_all(above_zero_at(*lowest, "minVcpu"), gpus);
        offer.ram_gb = of_all(above_zero_at(*lowest, "minMemory"), gpus);
      }
      builder_->add(platform_, std::move(machine));
    }
    return true;
  }

  void add_plans(const JsonNode& node, ImportRow& row) {
    for (const Plan& plan : kPlans) {
      const auto rate = builder_->spot_price(text_at(node, plan.key), row);
      const auto total = rate ? of_all(times(*rate, Decimal::of(plan.hours)), row.offer.gpus) : std::nullopt;
      if (!total) continue;
      Commitment& term = row.offer.price.commitments.emplace_back();
      term.name = plan.name;
      term.hours = Decimal::of(plan.hours);
      term.price = *total;
    }
  }

  std::size_t platform_;
  ImportBuilder* builder_;
};

}  // namespace

Diagnostics import_runpod(const ImportFile& file, const ImportOptions& options, ImportBuilder& builder) {
  const auto document = parse_json(file.text, file.name);
  if (!document) return document.errors();
  const JsonNode* data = document->root().find("data");
  const JsonNode* types = (data == nullptr ? document->root() : *data).find("gpuTypes");
  std::string pointer = data == nullptr ? "#/gpuTypes/" : "#/data/gpuTypes/";
  if (types == nullptr || !types->is(JsonNode::Kind::array)) return not_such_a_list(file, "an object with the list data.gpuTypes");
  RunPod reader(builder.platform(options.platform.empty() ? "runpod" : options.platform, "USD", source_of(ImportFormat::runpod, file)), builder);
  builder.count_rows(types->children.size());
  for (std::size_t i = 0; i < types->children.size(); ++i) reader.add(types->children[i], file.name + pointer + std::to_string(i));
  return {};
}

}  // namespace gpuplan::detail
