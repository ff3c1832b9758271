// What Vast.ai's search gives: {"offers": [...]}, the bare list that its command line prints, or one
// offer. Prices of disks and traffic are each host's own.
#include "catalog/import/json_list.hpp"
#include "catalog/rules.hpp"
#include "core/text.hpp"

namespace gpuplan::detail {
namespace {

// "Place, CC": the country is the region.
void set_place(Offer& offer, std::string_view text) {
  const auto comma = text.rfind(',');
  offer.region = clean(comma == std::string_view::npos ? text : text.substr(comma + 1));
  if (comma != std::string_view::npos) offer.zone = clean(text.substr(0, comma));
}

std::string group(std::string_view name, std::initializer_list<std::pair<std::string_view, std::optional<Decimal>>> fields,
                  std::string_view more = {}) {
  std::string out;
  for (const auto& [key, value] : fields)
    if (value) out += (out.empty() ? "\"" : ",\"") + std::string(key) + "\":" + value->to_string();
  if (out.empty()) return {};
  return "\"" + std::string(name) + "\":{" + out + std::string(more) + "}";
}

std::optional<Decimal> whole_part(const std::optional<Decimal>& value) {
  if (!value) return std::nullopt;
  const std::string text = value->to_string();
  return Decimal::parse(text.substr(0, text.find('.')));
}

// The host's own prices and lines, and how long it lets the machine.
std::shared_ptr<const RuleLayer> rules_of(const JsonNode& node) {
  const auto disk = number_at(node, "storage_cost");
  const auto speed = above_zero_at(node, "disk_bw");
  std::string storage;
  for (const std::string_view kind : {"system", "data"}) {
    const std::string more = kind == "data" ? ",\"with_instance\":true" : "";
    const std::string text = group(kind, {{"per_gb_month", disk}, {"mb_per_s", speed}}, more);
    if (!text.empty()) storage += (storage.empty() ? "" : ",") + text;
  }
  std::string all = storage.empty() ? "" : "\"storage\":{" + storage + "}";
  const auto add = [&](const std::string& text) {
    if (!text.empty()) all += (all.empty() ? "" : ",") + text;
  };
  // What the machine downloads comes to the platform, what it uploads goes away from it.
  add(group("network", {{"ingress_per_gb", number_at(node, "inet_down_cost")},
                        {"egress_per_gb", number_at(node, "inet_up_cost")},
                        {"up_mbps", above_zero_at(node, "inet_down")},
                        {"down_mbps", above_zero_at(node, "inet_up")}}));
  if (const auto longest = whole_part(above_zero_at(node, "duration")); longest && !longest->is_zero())
    add(group("quota", {{"session_max_s", longest}}));
  if (const std::string driver = clean(text_at(node, "driver_version")); !driver.empty()) {
    std::string text;
    write_json_text(driver, text);
    add("\"environment\":{\"driver\":" + text + "}");
  }
  return all.empty() ? nullptr : std::make_shared<const RuleLayer>(RuleLayer{"{" + all + "}"});
}

void add_offer(const JsonNode& node, std::string where, std::size_t platform, ImportBuilder& builder) {
  ImportRow row;
  row.where = std::move(where);
  const auto gpus = count_at(node, "num_gpus");
  const std::string card = clean(text_at(node, "gpu_name"));
  const std::string id = clean(text_at(node, "id"));
  row.type = id.empty() ? card : id;
  if (!gpus || card.empty())
    return builder.findings().add(Find::malformed_row, row.where, row.type, "gpu_name and num_gpus are needed");
  Offer& offer = row.offer;
  offer.gpus = *gpus;
  row.cards = {card};
  if (const auto mib = whole_number(text_at(node, "gpu_ram")); mib && *mib > 0 && *mib < (std::int64_t{1} << 32))
    row.memory = Bytes::mib(*mib);
  offer.vcpus = above_zero_at(node, "cpu_cores_effective");
  if (const auto mb = above_zero_at(node, "cpu_ram")) offer.ram_gb = over(*mb, 1000);
  set_place(offer, text_at(node, "geolocation"));
  offer.tier = text_at(node, "verification");
  if (truth_at(node, "rentable") == false || truth_at(node, "rented") == true) offer.stock = "none";
  // dph_total holds a disk of the size that was asked for: the base is the machine's own price.
  const bool base = !text_at(node, "dph_base").empty();
  offer.price.on_demand = builder.price(text_at(node, base ? "dph_base" : "dph_total"), row);
  offer.price.spot = builder.spot_price(text_at(node, "min_bid"), row);
  if (!base) offer.note = "with the disk that the search asked for";
  if (const auto reliability = number_at(node, "reliability")) offer.own.push_back({"x_reliability", reliability->to_string()});
  offer.layer = rules_of(node);
  builder.add(platform, std::move(row));
}

}  // namespace

Diagnostics import_vast(const ImportFile& file, const ImportOptions& options, ImportBuilder& builder) {
  const auto document = parse_json(file.text, file.name);
  if (!document) return document.errors();
  const JsonNode* offers = document->root().find("offers");
  std::string pointer = "#/offers";
  if (offers == nullptr) offers = &document->root(), pointer = "#";
  const bool single = offers->is(JsonNode::Kind::object) && offers->find("gpu_name") != nullptr;
  if (!single && !offers->is(JsonNode::Kind::array)) return not_such_a_list(file, "a list of offers, or an object with one under \"offers\"");
  const std::size_t platform = builder.platform(options.platform.empty() ? "vast" : options.platform, "USD", source_of(ImportFormat::vast, file));
  if (single) {
    builder.count_rows(1);
    add_offer(*offers, file.name + pointer, platform, builder);
    return {};
  }
  builder.count_rows(offers->children.size());
  for (std::size_t i = 0; i < offers->children.size(); ++i)
    add_offer(offers->children[i], file.name + pointer + "/" + std::to_string(i), platform, builder);
  return {};
}

}  // namespace gpuplan::detail
