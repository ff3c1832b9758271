// The full SkyPilot catalogs of 2024-05-01. They are not part of the project: the folder with aws.csv,
// azure.csv, ... is named by GPUPLAN_SKYPILOT_CATALOGS, without it there is nothing to check.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>

#include "gpuplan/catalog_tools.hpp"
#include "import_world.hpp"

namespace {

using namespace import_world;

constexpr std::array<std::string_view, 13> kClouds{"aws", "azure", "cudo", "fluidstack", "gcp", "ibm", "lambda", "oci",
                                                   "ovhcloud", "paperspace", "runpod", "scaleway", "scp"};

struct World {
  bool there = false;
  std::size_t rows_with_cards = 0;
  Imported imported;
  Catalog catalog;
};

std::size_t cards_in(const std::string& text);

const World& world() {
  static const World made = [] {
    World world;
    const char* folder = std::getenv("GPUPLAN_SKYPILOT_CATALOGS");
    if (folder == nullptr) return world;
    std::vector<ImportFile> files;
    for (const std::string_view cloud : kClouds) {
      const std::string name = std::string(folder) + "/" + std::string(cloud) + ".csv";
      std::ifstream file(name, std::ios::binary);
      files.push_back({std::string(cloud) + ".csv", {std::istreambuf_iterator<char>(file), {}}});
      world.rows_with_cards += cards_in(files.back().text);
    }
    const Catalog builtin = *read_catalog(R"({"schema": "gpuplan.catalog/1", "platforms": []})", "none");
    world.imported = *import_catalog(files, {.format = ImportFormat::skypilot, .platform = {}, .as_of = {}}, cards(), builtin);
    world.catalog = *read_catalog(write_catalog(world.imported.catalog), "written");
    world.there = true;
    return world;
  }();
  return made;
}

// Rows with a name under AcceleratorName, counted in another way than the importer does: the name is a
// bare word, and only GpuInfo and regions are quoted.
std::size_t cards_in(const std::string& text) {
  std::size_t column = 0, at = 0, count = 0;
  const std::string header = text.substr(0, text.find('\n'));
  for (const std::size_t name = header.find("AcceleratorName"); at < name; ++at)
    if (header[at] == ',') ++column;
  for (std::size_t begin = header.size() + 1; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::size_t cell = 0;
    bool quoted = false;
    for (std::size_t i = begin; i < end; ++i) {
      if (text[i] == '"') quoted = !quoted;
      else if (cell == column && text[i] != ',' && text[i] != '\r') { ++count; break; }
      else if (text[i] == ',' && !quoted && ++cell > column) break;
    }
    begin = end + 1;
  }
  return count;
}

std::size_t count_of(std::string_view code) {
  for (const ImportFinding& finding : world().imported.report.findings)
    if (finding.code == code) return finding.count;
  return 0;
}

struct Price {
  std::string price, platform;
  std::size_t offers;
  friend bool operator==(const Price&, const Price&) = default;
};
std::ostream& operator<<(std::ostream& out, const Price& p) { return out << p.offers << " " << p.platform << " at " << p.price; }

std::vector<Price> prices(std::vector<std::string> filters, bool spot) {
  const auto selection = select_offers(world().catalog, cards(), {.filters = std::move(filters), .sort = spot ? "spot" : "price", .group = {}});
  REQUIRE(selection);
  std::vector<Price> found;
  for (const OfferView& view : selection->offers) {
    const auto& value = spot ? view.spot : view.price;
    if (!value) continue;
    const Price next{value->to_string(), view.platform->id, 1};
    if (!found.empty() && found.back().price == next.price && found.back().platform == next.platform) ++found.back().offers;
    else found.push_back(next);
  }
  return found;
}

TEST_CASE("no row with a card is lost unexplained", "[real]") {
  if (!world().there) return;
  CHECK(world().imported.report.rows == 56'798);
  // Every row with a card became an offer, stood twice, had no host, or was told as broken; Google's
  // joined rows became as many offers as there are hosts for them.
  std::size_t joined = 0, cards_joined = 0;
  for (const Offer& offer : world().catalog.offers)
    if (offer.note.str().starts_with("host ")) ++joined;
  for (const ImportFinding& finding : world().imported.report.findings)
    if (finding.code == "host_missing") cards_joined = finding.count;
  const std::size_t google_cards = 589;  // rows of gcp.csv with a card that is no TPU
  const std::size_t others = world().rows_with_cards - google_cards;
  CHECK(world().catalog.offers.size() - joined + count_of("duplicate_row") + count_of("malformed_row") == others);
  CHECK(cards_joined < google_cards);
  CHECK(joined > google_cards - cards_joined);
}

TEST_CASE("eight H100 on demand, in order", "[real]") {
  if (!world().there) return;
  const auto found = prices({"card=H100", "gpus=8"}, false);
  const std::vector<Price> first{{"27.92", "lambda", 13}, {"30", "fluidstack", 2}, {"35.92", "runpod", 8},
                                 {"37.52", "runpod", 8}, {"47.6", "paperspace", 1},
                                 {"87.83246", "gcp", 3}, {"87.83247", "gcp", 3},  // 9.46006 + 78.3724 or 78.37241
                                 {"96.71231", "gcp", 1},   // 10.41647 + 86.29584
                                 {"98.32", "aws-ec2", 5}, {"98.92567", "gcp", 1}, // 10.65487 + 88.2708
                                 {"105.2024", "aws-ec2", 1}, {"111.81719", "gcp", 2},  // 9.93306 + 101.88413
                                 {"113.55501", "gcp", 2},  // 11.67088 + 101.88413
                                 {"125.78859", "gcp", 1}};  // 12.14861 + 113.63998
  CHECK(found == first);
}

TEST_CASE("spot prices of a machine differ by zone", "[real]") {
  if (!world().there) return;
  const auto found = prices({"card=H100", "gpus=8", "platform=aws-ec2"}, true);
  CHECK(found == std::vector<Price>{{"30.9676", "aws-ec2", 1}, {"40.9006", "aws-ec2", 1}, {"41.1441", "aws-ec2", 1}, {"58.1131", "aws-ec2", 1}});
}

TEST_CASE("five machines at 0.0 have no price", "[real]") {
  if (!world().there) return;
  CHECK(count_of("price_zero") == 5);
  const auto h100 = select_offers(world().catalog, cards(), {.filters = {"platform=azure", "card=H100", "price>0"}, .sort = "price", .group = {}});
  REQUIRE(h100);
  CHECK(h100->offers.size() == 2);  // of seven
}

}  // namespace
