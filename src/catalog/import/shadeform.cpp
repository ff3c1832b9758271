// Shadeform's instance types: prices of many clouds in whole cents, by region, spot prices as text in
// dollars beside them.
#include "catalog/import/json_list.hpp"
#include "core/text.hpp"

namespace gpuplan::detail {
namespace {

class Shadeform {
 public:
  Shadeform(std::size_t platform, ImportBuilder& builder) : platform_(platform), builder_(&builder) {}

  void add(const JsonNode& node, const std::string& where) {
    ImportRow row;
    row.where = where;
    const JsonNode* inner = member(node, "configuration");
    // Older answers keep the figures in `configuration`, newer ones beside it.
    const auto at = [&](std::string_view key) {
      const auto outer = text_at(node, key);
      return outer.empty() && inner != nullptr ? text_at(*inner, key) : outer;
    };
    const std::string cloud = clean(text_at(node, "cloud"));
    row.type = clean(text_at(node, "shade_instance_type"));
    if (!cloud.empty()) row.type = cloud + "_" + row.type;
    const auto gpus = whole_number(at("num_gpus"));
    const std::string card = clean(at("gpu_type"));
    if (gpus == 0) return builder_->findings().count(Find::no_accelerator);
    if (!gpus || *gpus < 0 || *gpus > 100'000 || card.empty())
      return builder_->findings().add(Find::malformed_row, where, row.type, "gpu_type and num_gpus are needed");
    Offer& offer = row.offer;
    offer.gpus = *gpus;
    const std::string form = clean(at("interconnect"));
    if (!form.empty()) row.cards.push_back(card + " " + form);
    row.cards.push_back(card);
    if (const auto size = whole_number(at("vram_per_gpu_in_gb")); size && *size > 0 && *size < 100'000) row.memory = Bytes::gib(*size);
    const auto above_zero = [&](std::string_view key) {
      const auto value = Decimal::parse(at(key));
      return value && !value->is_zero() ? value : std::nullopt;
    };
    offer.vcpus = above_zero("vcpus");
    offer.ram_gb = above_zero("memory_in_gb");
    offer.disk_gb = above_zero("storage_in_gb");
    offer.note = cloud.empty() ? "" : "cloud: " + cloud;
    if (const auto cents = builder_->price(text_at(node, "hourly_price"), row)) offer.price.on_demand = over(*cents, 100);
    add_regions(node, std::move(row));
  }

 private:
  void add_regions(const JsonNode& node, ImportRow row) {
    const JsonNode* list = member(node, "availability");
    if (list == nullptr || list->children.empty()) {
      row.offer.region = text_at(node, "region");
      if (list != nullptr) row.offer.stock = "none";
      return builder_->add(platform_, std::move(row));
    }
    for (const JsonNode& entry : list->children) {
      ImportRow here = row;
      here.offer.region = text_at(entry, "region");
      if (truth_at(entry, "available") == false) here.offer.stock = "none";
      if (text_at(entry, "rental_type") == "spot") {
        here.offer.price.on_demand.reset();
        here.offer.price.spot = builder_->spot_price(text_at(entry, "hourly_price"), here);
        here.offer.tier = "spot";
      } else if (const auto own = text_at(entry, "hourly_price"); !own.empty()) {
        here.offer.price.on_demand = builder_->price(own, here);
      }
      builder_->add(platform_, std::move(here));
    }
  }

  std::size_t platform_;
  ImportBuilder* builder_;
};

}  // namespace

Diagnostics import_shadeform(const ImportFile& file, const ImportOptions& options, ImportBuilder& builder) {
  const auto document = parse_json(file.text, file.name);
  if (!document) return document.errors();
  const JsonNode* types = document->root().find("instance_types");
  if (types == nullptr || !types->is(JsonNode::Kind::array)) return not_such_a_list(file, "an object with the list \"instance_types\"");
  Shadeform reader(builder.platform(options.platform.empty() ? "shadeform" : options.platform, "USD", source_of(ImportFormat::shadeform, file)), builder);
  builder.count_rows(types->children.size());
  for (std::size_t i = 0; i < types->children.size(); ++i)
    reader.add(types->children[i], file.name + "#/instance_types/" + std::to_string(i));
  return {};
}

}  // namespace gpuplan::detail
