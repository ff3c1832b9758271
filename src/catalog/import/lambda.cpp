// Lambda Cloud's instance types: an object by type, prices in whole cents, with the regions in which
// a machine is free now.
#include "catalog/import/json_list.hpp"
#include "core/text.hpp"

namespace gpuplan::detail {
namespace {

// "gpu_8x_h100_sxm5": what stands between the figures and the end.
struct TypeName {
  std::int64_t gpus = 0;
  std::string card;
};
TypeName read_type(std::string_view type) {
  TypeName name;
  if (!type.starts_with("gpu_")) return name;
  type.remove_prefix(4);
  const auto x = type.find("x_");
  if (x == std::string_view::npos) return name;
  name.gpus = whole_number(type.substr(0, x)).value_or(0);
  name.card = type.substr(x + 2);
  if (name.card.ends_with("gdr")) name.card.resize(name.card.size() - 3);
  return name;
}

// "H100 (80 GB SXM5)" -> "H100 80GB SXM5".
std::string card_of(std::string_view description) {
  std::string card;
  for (const char c : description)
    if (c != '(' && c != ')') card += c;
  if (const auto gb = card.find(" GB"); gb != std::string::npos) card.erase(gb, 1);
  return clean(card);
}

void add_type(const JsonNode& entry, const std::string& where, std::size_t platform, ImportBuilder& builder) {
  const JsonNode* type = member(entry, "instance_type");
  ImportRow row;
  row.where = where;
  if (type == nullptr) return builder.findings().add(Find::malformed_row, where, clean(entry.key), "instance_type is missing");
  row.type = clean(text_at(*type, "name").empty() ? entry.key : text_at(*type, "name"));
  const TypeName name = read_type(row.type);
  Offer& offer = row.offer;
  offer.gpus = name.gpus;
  if (const JsonNode* specs = member(*type, "specs")) {
    if (const JsonNode* gpus = member(*specs, "gpus"); gpus != nullptr && gpus->text == "0") return builder.findings().count(Find::no_accelerator);
    offer.gpus = count_at(*specs, "gpus").value_or(name.gpus);
    offer.vcpus = above_zero_at(*specs, "vcpus");
    offer.ram_gb = gib_to_gb(text_at(*specs, "memory_gib"));
    offer.disk_gb = gib_to_gb(text_at(*specs, "storage_gib"));
  }
  if (row.type.starts_with("cpu_")) return builder.findings().count(Find::no_accelerator);
  if (const std::string told = card_of(text_at(*type, "gpu_description")); !told.empty() && lower(told) != "n/a") row.cards.push_back(told);
  if (!name.card.empty()) row.cards.push_back(name.card);
  if (offer.gpus < 1 || row.cards.empty())
    return builder.findings().add(Find::malformed_row, where, row.type, "neither name nor specs tell the cards");
  if (const auto cents = builder.price(text_at(*type, "price_cents_per_hour"), row)) offer.price.on_demand = over(*cents, 100);
  const JsonNode* regions = member(entry, "regions_with_capacity_available");
  if (regions == nullptr || regions->children.empty()) {
    offer.stock = "none";
    return builder.add(platform, std::move(row));
  }
  for (const JsonNode& region : regions->children) {
    ImportRow here = row;
    here.offer.region = region.is(JsonNode::Kind::string) ? region.text : text_at(region, "name");
    builder.add(platform, std::move(here));
  }
}

}  // namespace

Diagnostics import_lambda(const ImportFile& file, const ImportOptions& options, ImportBuilder& builder) {
  const auto document = parse_json(file.text, file.name);
  if (!document) return document.errors();
  const JsonNode* data = document->root().find("data");
  if (data == nullptr || !data->is(JsonNode::Kind::object)) return not_such_a_list(file, "an object with the instance types under \"data\"");
  const std::size_t platform = builder.platform(options.platform.empty() ? "lambda" : options.platform, "USD", source_of(ImportFormat::lambda, file));
  builder.count_rows(data->children.size());
  for (const JsonNode& entry : data->children) add_type(entry, file.name + "#/data/" + pointer_token(entry.key), platform, builder);
  return {};
}

}  // namespace gpuplan::detail
