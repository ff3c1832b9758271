// gpuhunt's catalogs: a CSV file for each provider, a row for each kind of price.
#include <array>
#include <map>
#include <vector>

#include "catalog/import/csv.hpp"
#include "catalog/import/formats.hpp"
#include "core/text.hpp"

namespace gpuplan::detail {
namespace {

struct Rows {
  std::vector<ImportRow> on_demand, spot;
};

// GB with a fraction, as the list writes the memory of a card; it means GiB.
std::optional<Bytes> card_memory(std::string_view text) {
  const auto size = Decimal::parse(text);
  const auto bytes = size ? size->times(std::int64_t{1} << 30) : std::nullopt;
  if (!bytes || *bytes <= 0) return std::nullopt;
  return Bytes::of(*bytes);
}

std::optional<Decimal> above_zero(std::string_view text) {
  const auto value = Decimal::parse(text);
  return value && !value->is_zero() ? value : std::nullopt;
}

class Gpuhunt {
 public:
  Gpuhunt(CsvTable table, const ImportFile& file, std::size_t platform, ImportBuilder& builder)
      : table_(std::move(table)), file_(&file), platform_(platform), builder_(&builder) {}

  void run() {
    std::size_t rows = 0;
    while (table_.next()) {
      ++rows;
      take_row();
    }
    builder_->count_rows(rows);
    for (const std::string& machine : order_) join(rows_[machine]);
  }

 private:
  void malformed(const ImportRow& row, std::string why) {
    builder_->findings().add(Find::malformed_row, row.where, row.type, std::move(why));
  }

  void take_row() {
    ImportRow row;
    row.where = file_->name + ":" + std::to_string(table_.line());
    row.type = table_.cell("instance_name");
    if (table_.broken())
      return malformed(row, std::to_string(table_.width()) + " cells instead of " + std::to_string(table_.columns()));
    const std::string spot = lower(table_.cell("spot"));
    if (spot != "true" && spot != "false") return malformed(row, "spot is " + quote(spot));
    const auto count = whole_number(table_.cell("gpu_count"));
    if (!count || *count < 0 || *count > 100'000) return malformed(row, "gpu_count is " + quote(table_.cell("gpu_count")));
    if (*count == 0) return builder_->findings().count(Find::no_accelerator);
    std::string card(table_.cell("gpu_name"));
    if (card.empty()) return malformed(row, "gpu_name is empty");
    row.offer.gpus = *count;
    if (lower(card).starts_with("tpu-")) card = "TPU " + card.substr(4);
    row.cards = {card};
    row.memory = card_memory(table_.cell("gpu_memory"));
    row.offer.region = table_.cell("location");
    row.offer.vcpus = above_zero(table_.cell("cpu"));
    row.offer.ram_gb = above_zero(table_.cell("memory"));
    row.offer.disk_gb = above_zero(table_.cell("disk_size"));
    const bool is_spot = spot == "true";
    auto& price = is_spot ? row.offer.price.spot : row.offer.price.on_demand;
    price = is_spot ? builder_->spot_price(table_.cell("price"), row) : builder_->price(table_.cell("price"), row);
    keep(std::move(row), is_spot);
  }

  void keep(ImportRow row, bool spot) {
    std::string machine = row.type;
    for (const std::string_view column : {"location", "cpu", "memory", "gpu_count", "gpu_name", "gpu_memory", "disk_size", "flags"})
      (machine += '\n') += table_.cell(column);
    const auto [entry, fresh] = rows_.try_emplace(machine);
    if (fresh) order_.push_back(machine);
    (spot ? entry->second.spot : entry->second.on_demand).push_back(std::move(row));
  }

  // The list has a row on demand and one of spot for each zone, without its name: the first of the
  // one belongs to the first of the other.
  void join(Rows& rows) {
    for (std::size_t i = 0; i < rows.on_demand.size(); ++i) {
      if (i < rows.spot.size()) rows.on_demand[i].offer.price.spot = rows.spot[i].offer.price.spot;
      builder_->add(platform_, std::move(rows.on_demand[i]));
    }
    for (std::size_t i = rows.on_demand.size(); i < rows.spot.size(); ++i) builder_->add(platform_, std::move(rows.spot[i]));
  }

  CsvTable table_;
  const ImportFile* file_;
  std::size_t platform_;
  ImportBuilder* builder_;
  std::map<std::string, Rows> rows_;
  std::vector<std::string> order_;
};

}  // namespace

Diagnostics import_gpuhunt(const ImportFile& file, const ImportOptions& options, ImportBuilder& builder) {
  constexpr std::array<std::string_view, 6> kColumns{"instance_name", "location", "price", "gpu_count", "gpu_name", "spot"};
  auto table = CsvTable::open(file.text, file.name, kColumns);
  if (!table) return table.errors();
  std::string cloud = options.platform.empty() ? cloud_of_file(file.name) : options.platform;
  if (cloud.empty()) {
    cloud = "gpuhunt";
    builder.findings().add(Find::platform_not_stated, file.name, {});
  }
  Gpuhunt(std::move(*table), file, builder.platform(cloud, "USD", source_of(ImportFormat::gpuhunt, file)), builder).run();
  return {};
}

}  // namespace gpuplan::detail
