// SkyPilot's catalogs: vms.csv of one cloud. Columns differ in order from cloud to cloud, GpuInfo is
// the text of a Python dictionary or a name, and Google's cards stand on rows of their own.
#include <algorithm>
#include <array>
#include <map>

#include "catalog/import/csv.hpp"
#include "catalog/import/formats.hpp"
#include "catalog/import/machines.hpp"
#include "core/text.hpp"

namespace gpuplan::detail {
namespace {

struct SkyRow {
  ImportRow row;
  std::string accelerator, count, price, spot;
  std::optional<Decimal> vcpus;
};

// The number behind 'SizeInMiB': in what Python prints of a dictionary.
std::optional<std::int64_t> python_number(std::string_view info, std::string_view key) {
  const std::string quoted = "'" + std::string(key) + "':";
  const auto at = info.find(quoted);
  if (at == std::string_view::npos) return std::nullopt;
  std::string_view rest = trimmed(info.substr(at + quoted.size()));
  if (rest.starts_with('\'')) rest.remove_prefix(1);
  return whole_number(rest.substr(0, rest.find_first_not_of("0123456789.")));
}

// The card in the name of a machine, where it says more than the column: 8x-H100_NVL-32-65536,
// gpu_8x_a100_80gb_sxm4, 8x_H100-SXM_SECURE, lambdalabs_H100-sxm5x8.
std::string card_in_type(std::string_view platform, std::string type) {
  const auto cut_front = [&](std::string_view mark) {
    if (const auto at = type.find(mark); at != std::string::npos) type.erase(0, at + mark.size());
  };
  if (platform == "vastai") {
    cut_front("x-");
    return type.substr(0, type.find('-'));
  }
  if (platform == "lambda") {
    cut_front("x_");
    if (type.ends_with("gdr")) type.resize(type.size() - 3);
    return type;
  }
  if (platform == "runpod") {
    cut_front("x_");
    return type.substr(0, type.rfind('_'));
  }
  if (platform == "shadeform") {
    cut_front("_");
    // "A100-80G-sxm4x8": its sizes lack a letter.
    if (const auto size = type.find("G-"); size != std::string::npos) type.insert(size + 1, "B");
    const auto count = type.rfind('x');
    const bool counted = count != std::string::npos && count + 1 < type.size() &&
                         type.find_first_not_of("0123456789", count + 1) == std::string::npos;
    return counted ? type.substr(0, count) : type;
  }
  return {};
}

// "Place, CC, CONTINENT" of Vast, of which the place may be empty: the country is the region.
void set_place(Offer& offer, std::string_view text) {
  constexpr std::array<std::string_view, 6> kContinents{"NA", "SA", "EU", "AS", "AF", "OC"};
  std::vector<std::string> parts;
  while (!text.empty()) {
    const auto comma = text.find(',');
    if (const auto part = trimmed(text.substr(0, comma)); !part.empty()) parts.emplace_back(part);
    text = comma == std::string_view::npos ? std::string_view{} : text.substr(comma + 1);
  }
  if (parts.size() > 1 && std::ranges::find(kContinents, parts.back()) != kContinents.end()) parts.pop_back();
  if (parts.empty()) return;
  offer.region = parts.back();
  parts.pop_back();
  offer.zone = join(parts, ", ");
}

// tpu-v3-32 is sold by cores up to the v4 and the v5p, of which a chip has two; later ones by chips.
bool set_tpu(ImportRow& row, const std::string& name) {
  if (!lower(name).starts_with("tpu-v")) return false;
  const auto dash = name.rfind('-');
  const auto size = whole_number(name.substr(dash + 1));
  if (!size || *size < 1 || dash < 5) return false;
  std::string generation = lower(name.substr(4, dash - 4));
  const bool chips = generation == "v5litepod" || generation == "v5e" || generation == "v6e";
  if (generation == "v5litepod") generation = "v5e";
  row.cards = {"TPU " + generation, name};
  row.offer.gpus = chips ? *size : std::max<std::int64_t>(1, *size / 2);
  return true;
}

void set_memory(ImportRow& row, std::string_view platform, std::string_view info) {
  auto mib = python_number(info, "SizeInMiB");
  if (!mib || *mib < 1 || *mib > (std::int64_t{1} << 32)) return;
  // Vast's rows give there what all cards together have.
  row.memory_certain = platform == "vastai";
  if (row.memory_certain) *mib /= row.offer.gpus;
  row.memory = Bytes::mib(*mib);
}

// False when the number of cards is none.
bool set_count(ImportRow& row, const std::string& text) {
  const auto count = Decimal::parse(text);
  if (!count || count->is_zero()) return false;
  if (const auto whole = count->whole(); whole && *whole <= 100'000) {
    row.offer.gpus = *whole;
    return true;
  }
  if (*count > Decimal::of(1)) return false;
  row.offer.share = *count;
  return true;
}

class SkyPilot {
 public:
  SkyPilot(CsvTable table, const ImportFile& file, std::size_t platform, ImportBuilder& builder)
      : table_(std::move(table)), file_(&file), platform_(platform), builder_(&builder), id_(builder.platform_id(platform)) {}

  void run() {
    std::size_t rows = 0;
    while (table_.next()) {
      ++rows;
      take_row();
    }
    join_google();
    builder_->count_rows(rows);
  }

 private:
  void take_row() {
    SkyRow sky;
    ImportRow& row = sky.row;
    row.where = file_->name + ":" + std::to_string(table_.line());
    if (table_.broken())
      return builder_->findings().add(Find::malformed_row, row.where, clean(table_.cell("InstanceType")),
                                      std::to_string(table_.width()) + " cells instead of " + std::to_string(table_.columns()));
    row.type = table_.cell("InstanceType");
    sky.accelerator = table_.cell("AcceleratorName");
    sky.count = table_.cell("AcceleratorCount");
    sky.price = table_.cell("Price");
    sky.spot = table_.cell("SpotPrice");
    sky.vcpus = Decimal::parse(table_.cell("vCPUs"));
    if (sky.vcpus && !sky.vcpus->is_zero()) row.offer.vcpus = sky.vcpus;
    row.offer.ram_gb = gib_to_gb(table_.cell("MemoryGiB"));
    row.offer.zone = table_.cell("AvailabilityZone");
    if (id_ == "vastai") set_place(row.offer, table_.cell("Region"));
    else row.offer.region = table_.cell("Region");
    if (sky.accelerator.empty()) return take_host(std::move(sky));
    take_card(std::move(sky));
  }

  // A machine without cards; of Google's, some are the hosts of cards.
  void take_host(SkyRow sky) {
    const bool n1 = sky.row.type.starts_with("n1-standard-") || sky.row.type.starts_with("n1-highmem-") ||
                    sky.row.type.starts_with("n1-highcpu-");
    if (id_ == "gcp" && (n1 || google_host(sky.row.type) != nullptr))
      return hosts_[sky.row.offer.zone.str()].push_back(std::move(sky));
    builder_->findings().count(Find::no_accelerator);
  }

  void take_card(SkyRow sky) {
    ImportRow& row = sky.row;
    if (!set_count(row, sky.count))
      return builder_->findings().add(Find::malformed_row, row.where, row.type.empty() ? sky.accelerator : row.type,
                                      "the number of cards is " + quote(sky.count));
    if (!set_tpu(row, sky.accelerator)) {
      row.cards = {sky.accelerator};
      if (const std::string closer = card_in_type(id_, row.type); !closer.empty()) row.cards.insert(row.cards.begin(), closer);
      set_memory(row, id_, table_.cell("GpuInfo"));
      if (id_ == "gcp" && row.type.empty()) return cards_.push_back(std::move(sky));
    }
    row.offer.price.on_demand = builder_->price(sky.price, row);
    row.offer.price.spot = builder_->spot_price(sky.spot, row);
    builder_->add(platform_, std::move(row));
  }

  bool holds(const SkyRow& host, const SkyRow& card) const {
    const std::int64_t gpus = card.row.offer.gpus;
    if (const GoogleHost* fixed = google_host(host.row.type))
      return fixed->card == card.accelerator && fixed->gpus == gpus;
    const std::int64_t most = most_n1_vcpus(card.accelerator, gpus);
    return host.vcpus && *host.vcpus <= Decimal::of(most);
  }

  // The true price of a Google machine is the sum of its host and its cards in the same zone.
  void join_google() {
    std::map<std::pair<std::string, std::string>, bool> used;  // hosts by type and zone
    for (const SkyRow& card : cards_) {
      bool any = false;
      for (const SkyRow& host : hosts_[card.row.offer.zone.str()]) {
        if (!holds(host, card)) continue;
        any = true;
        used[{host.row.type, host.row.offer.zone.str()}] = true;
        join(host, card);
      }
      if (!any)
        builder_->findings().add(Find::host_missing, card.row.where,
                                 card.accelerator + " x" + std::to_string(card.row.offer.gpus), card.row.offer.zone);
    }
    for (const auto& [zone, hosts] : hosts_)
      for (const SkyRow& host : hosts) {
        if (used.contains({host.row.type, zone})) continue;
        if (google_host(host.row.type) == nullptr) builder_->findings().count(Find::no_accelerator);
        else
          builder_->findings().add(Find::accelerator_missing, host.row.where, host.row.type, zone);
      }
  }

  void join(const SkyRow& host, const SkyRow& card) {
    ImportRow row = host.row;
    row.where = card.row.where;
    row.cards = card.row.cards;
    row.memory = card.row.memory;
    row.offer.gpus = card.row.offer.gpus;
    if (google_host(row.type) == nullptr) {
      row.type += "+" + std::to_string(row.offer.gpus) + "x" + card.accelerator;
    }
    row.offer.price.on_demand = sum(builder_->price(host.price, row), builder_->price(card.price, row));
    row.offer.price.spot = sum(builder_->spot_price(host.spot, row), builder_->spot_price(card.spot, row));
    row.offer.note = "host " + host.price + " + cards " + card.price + " an hour";
    builder_->add(platform_, std::move(row));
  }

  static std::optional<Decimal> sum(const std::optional<Decimal>& a, const std::optional<Decimal>& b) {
    if (!a || !b || a->is_zero() || b->is_zero()) return std::nullopt;
    return plus(*a, *b);
  }

  CsvTable table_;
  const ImportFile* file_;
  std::size_t platform_;
  ImportBuilder* builder_;
  std::string id_;
  std::map<std::string, std::vector<SkyRow>> hosts_;  // by zone
  std::vector<SkyRow> cards_;
};

}  // namespace

Diagnostics import_skypilot(const ImportFile& file, const ImportOptions& options, ImportBuilder& builder) {
  constexpr std::array<std::string_view, 4> kColumns{"InstanceType", "AcceleratorName", "AcceleratorCount", "Price"};
  auto table = CsvTable::open(file.text, file.name, kColumns);
  if (!table) return table.errors();
  std::string cloud = options.platform.empty() ? cloud_of_file(file.name) : options.platform;
  if (cloud.empty()) {
    cloud = "skypilot";
    builder.findings().add(Find::platform_not_stated, file.name, {});
  }
  SkyPilot(std::move(*table), file, builder.platform(cloud, "USD", source_of(ImportFormat::skypilot, file)), builder).run();
  return {};
}

}  // namespace gpuplan::detail
