// Catalogs at random: written and read again they say the same and bill the same; filters split
// the offers and lose none.
#include <algorithm>
#include <random>

#include "gpuplan/billing.hpp"
#include "gpuplan/catalog_tools.hpp"
#include "gpuplan/import.hpp"
#include "rank_world.hpp"

using namespace gpuplan;

namespace {

class Writer {
 public:
  explicit Writer(unsigned seed) : random_(seed) {}

  std::string catalog() {
    std::string text = R"({"schema": "gpuplan.catalog/1", "as_of": "2026-11-01", "currency": "USD", "fx": {"CNY": 0.14, "EUR": 1.1})";
    if (flip()) text += R"(, "defaults": {"meter": {"quantum_s": )" + any({"1", "60", "3600"}) + "}}";
    text += R"(, "platforms": [)";
    const int platforms = 1 + below(3);
    for (int p = 0; p < platforms; ++p) text += (p == 0 ? "" : ",") + platform(p);
    return text + "]}";
  }

 private:
  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  bool flip() { return below(2) == 0; }
  std::string any(std::vector<std::string> list) { return list[static_cast<std::size_t>(below(static_cast<int>(list.size())))]; }
  std::string number() { return std::to_string(below(30)) + "." + std::to_string(1 + below(9'999)); }

  std::string rules() {
    std::string text;
    if (flip()) text += R"(, "meter": {"quantum_s": )" + any({"1", "60", "3600"}) + R"(, "minimum_s": )" + any({"0", "60", "600"}) + "}";
    if (flip()) text += R"(, "storage": {"data": {"per_gb_month": )" + number() + R"(, "with_instance": )" + any({"true", "false"}) + "}}";
    if (flip()) text += R"(, "network": {"egress_per_gb": )" + number() + R"(, "up_mbps": 1000})";
    if (flip()) text += R"(, "provision": {"start_s": )" + any({"0", "30", "300"}) + "}";
    if (flip()) text += R"(, "spot": {"mean_hours_between_reclaims": )" + any({"2", "10.5"}) + "}";
    return text;
  }
  std::string platform(int number_of) {
    std::string text = R"({"id": "p)" + std::to_string(number_of) + R"(", "currency": ")" + any({"USD", "CNY", "EUR"}) +
                       R"(", "stop": ")" + any({"released", "held"}) + "\"" + rules() + R"(, "offers": [)";
    const int offers = 1 + below(6);
    for (int o = 0; o < offers; ++o) text += (o == 0 ? "" : ",") + offer(o);
    return text + "]}";
  }
  std::string offer(int number_of) {
    std::string text = R"({"id": "o)" + std::to_string(number_of) + R"(", "card": ")" +
                       any({"RTX 4090", "L40S", "H100 SXM5 80GB", "A100 PCIe 80GB", "some new card"}) + R"(", "gpus": )" + any({"1", "2", "8"});
    if (flip()) text += R"(, "region": ")" + any({"us-east-1", "eu", "cn-\\u5317\\u4eac", "a\\\"b"}) + "\"";
    if (flip()) text += R"(, "x_own": {"a": [1, null, "\u00e9"]})";
    text += rules() + R"(, "price": {"on_demand": )" + number();
    if (flip()) text += R"(, "spot": )" + number();
    if (flip()) text += R"(, "month": )" + std::to_string(100 + below(900));
    return text + "}}";
  }

  std::mt19937 random_;
};

Result<Bill> bill(const Catalog& catalog, const Offer& offer) {
  Job job;
  job.data.upload = Bytes::gb(30);
  job.data.download = Bytes::gb(10);
  job.data.disk = Bytes::gb(120);
  job.keep.days = std::chrono::hours{48};
  BillRequest request;
  request.catalog = &catalog;
  request.offer = &offer;
  request.job = &job;
  request.run = std::chrono::hours{30};
  request.currency = "USD";
  return simulate_bill(request);
}

Catalog read(const std::string& text) {
  auto catalog = read_catalog(text, "random.json");
  if (!catalog) UNSCOPED_INFO(to_text(catalog.errors().front()) << "\n" << text);
  REQUIRE(catalog);
  return *std::move(catalog);
}

}  // namespace

TEST_CASE("a catalog that was written and read again has the same offers, at the same bills", "[catalog][property]") {
  for (unsigned seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    const Catalog catalog = read(Writer(seed).catalog());
    const std::string written = write_catalog(catalog);
    const Catalog again = read(written);
    const CatalogDiff diff = diff_catalogs(catalog, again);
    CHECK((diff.added.empty() && diff.gone.empty() && diff.changed.empty()));
    CHECK(write_catalog(again) == written);
    REQUIRE(again.offers.size() == catalog.offers.size());
    for (std::size_t i = 0; i < catalog.offers.size(); ++i) {
      const auto before = bill(catalog, catalog.offers[i]), after = bill(again, again.offers[i]);
      REQUIRE((before && after));
      CHECK(before->total == after->total);
      CHECK(before->ledger.size() == after->ledger.size());
    }
  }
}

TEST_CASE("a catalog laid over itself says what it said", "[catalog][property]") {
  for (unsigned seed = 1; seed <= 100; ++seed) {
    CAPTURE(seed);
    const Catalog catalog = read(Writer(seed).catalog());
    const CatalogDiff diff = diff_catalogs(catalog, overlay(catalog, catalog));
    CHECK((diff.added.empty() && diff.gone.empty() && diff.changed.empty()));
  }
}

TEST_CASE("a filter and its opposite split the offers of known price: none is in both, none is lost", "[catalog][property]") {
  constexpr std::pair<const char*, const char*> kOpposites[] = {{">=", "<"}, {"<=", ">"}, {"=", "!="}};
  for (unsigned seed = 1; seed <= 60; ++seed) {
    const Catalog catalog = read(Writer(seed).catalog());
    for (const std::string field : {"gpus", "price"})
      for (const std::string value : {"0", "1", "2", "7.5", "8", "1000000"})
        for (const auto& [op, opposite] : kOpposites) {
          CAPTURE(seed, field, op, value);
          const auto one = select_offers(catalog, test::known_cards(), {.filters = {field + op + value}});
          const auto other = select_offers(catalog, test::known_cards(), {.filters = {field + opposite + value}});
          REQUIRE((one && other));
          CHECK(one->offers.size() + other->offers.size() == catalog.offers.size());
          for (const OfferView& view : one->offers)
            CHECK(std::ranges::find(other->offers, view.offer, &OfferView::offer) == other->offers.end());
        }
  }
}

TEST_CASE("filters give the same offers in any order, and never more with one filter more", "[catalog][property]") {
  const std::vector<std::string> all{"gpus>=2", "price<20", "platform!=p0", "region~us"};
  for (unsigned seed = 1; seed <= 60; ++seed) {
    const Catalog catalog = read(Writer(seed).catalog());
    std::vector<std::string> words;
    std::size_t before = catalog.offers.size();
    for (const std::string& word : all) {
      words.push_back(word);
      const std::vector<std::string> backwards(words.rbegin(), words.rend());
      const auto one = select_offers(catalog, test::known_cards(), {.filters = words});
      const auto other = select_offers(catalog, test::known_cards(), {.filters = backwards});
      REQUIRE((one && other));
      CHECK(std::ranges::equal(one->offers, other->offers, {}, &OfferView::offer, &OfferView::offer));
      CHECK(one->offers.size() <= before);
      before = one->offers.size();
    }
  }
}
