// Words that choose cards and models: `gpuplan cards 'memory>=80GB' interconnect=nvlink`.
#include "catch.hpp"
#include "core/builtin.hpp"
#include "gpuplan/cards.hpp"
#include "gpuplan/models.hpp"
#include "spec/table_filter.hpp"

using namespace gpuplan;

namespace {

using Words = std::vector<std::string>;

const CardTable& cards() {
  static const CardTable table = *builtin_card_table();
  return table;
}

std::vector<std::string> chosen(const Words& words) {
  const auto rows = select_cards(cards(), words);
  REQUIRE(rows);
  std::vector<std::string> names;
  for (const Card* card : *rows) names.push_back(card->name);
  return names;
}

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

Diagnostics faults(const Words& words) {
  const auto rows = select_cards(cards(), words);
  REQUIRE_FALSE(rows);
  return rows.errors();
}

}  // namespace

TEST_CASE("memory is asked for in GiB, GB or any other unit of sizes", "[filter]") {
  // H100 SXM5 80GB shows 79.65 GiB, which are 85.5 GB; RTX 4090 shows 23.99 GiB, 25.8 GB.
  CHECK(has(chosen({"memory>=80GB"}), "H100 SXM5 80GB"));
  CHECK_FALSE(has(chosen({"memory>=80GiB"}), "H100 SXM5 80GB"));
  CHECK_FALSE(has(chosen({"memory>=80"}), "H100 SXM5 80GB"));
  CHECK(chosen({"memory>=80"}) == chosen({"memory>=80GiB"}));
  CHECK(chosen({"memory>=81920MiB"}) == chosen({"memory>=80GiB"}));
  CHECK(has(chosen({"memory<26GB"}), "RTX 4090"));
  CHECK(chosen({"bandwidth>3000"}) == chosen({"bandwidth>3TB/s"}));
}

TEST_CASE("a card is meant by any spelling, and by all cards that share it", "[filter]") {
  const auto h100 = chosen({"card=H100"});
  CHECK(has(h100, "H100 SXM5 80GB"));
  CHECK(has(h100, "H100 PCIe 80GB"));
  CHECK_FALSE(has(h100, "H200 SXM 141GB"));
  CHECK(chosen({"card=NVIDIA GeForce RTX 4090"}) == std::vector<std::string>{"RTX 4090"});
  CHECK_FALSE(has(chosen({"card!=H100"}), "H100 NVL 94GB"));
  CHECK(has(chosen({"card~h100"}), "H100 NVL 94GB"));
  CHECK(chosen({"name~h100"}) == chosen({"card~h100"}));
}

TEST_CASE("interconnect, class and graphics have the values that the table has", "[filter]") {
  CHECK(has(chosen({"interconnect=nvlink"}), "H100 NVL 94GB"));
  CHECK(has(chosen({"interconnect=nvswitch"}), "H100 SXM5 80GB"));
  CHECK(has(chosen({"interconnect!=pcie"}), "H100 SXM5 80GB"));
  CHECK(has(chosen({"graphics=no"}), "A100 SXM4 80GB"));
  CHECK(has(chosen({"class=consumer", "memory > 20 GB"}), "RTX 4090"));
}

TEST_CASE("a filter that can match nothing is told, with what it may be", "[filter]") {
  const auto wrong = GENERATE(values<std::pair<std::string, std::string>>({
      {"interconnect=nvlnk", "did you mean \"nvlink\"?"},
      {"class=datacentre", "did you mean \"datacenter\"?"},
      {"memory>=big", "write GiB of one card such as 40, or a size such as 80GB or 24GiB"},
      {"memory>=80GPU", "write GiB of one card such as 40, or a size such as 80GB or 24GiB"},
      {"bandwidth>fast", "write GB/s such as 900, or 3.35TB/s"},
      {"watts<much", "write a number such as 40, 0.5 or 8B"},
      {"card>=140", "compare it with =, != or ~ (contains)"},
      {">=40", "write FIELD OP VALUE as one word, with one of = != < <= > >= ~: 'memory>=40'"},
      {"memry>=40", "did you mean \"memory\"?"}}));
  CAPTURE(wrong.first);
  const Diagnostics found = faults({wrong.first});
  REQUIRE(found.size() == 1);
  CHECK(found.front().hint == wrong.second);
}

TEST_CASE("a name that several cards share says which was taken", "[filter]") {
  Warnings warnings;
  const auto rows = select_cards(cards(), Words{"A100"}, &warnings);
  REQUIRE(rows);
  REQUIRE(warnings.size() == 1);
  CHECK(warnings.front().code == "card_ambiguous");
}

TEST_CASE("models by name, kind, size and context", "[filter]") {
  static const ModelTable table = *read_models(builtin_models(), "models.json");
  const auto names = [&](const Words& words) {
    const auto rows = select_models(table, words);
    REQUIRE(rows);
    std::vector<std::string> list;
    for (const ModelShape* model : *rows) list.push_back(model->name);
    return list;
  };
  CHECK(names({"model=7b"}) == std::vector<std::string>{"meta-llama/Llama-2-7b-hf"});
  CHECK(has(names({"model~llama", "parameters<=8.1B"}), "meta-llama/Llama-3.1-8B"));
  CHECK_FALSE(has(names({"context>=32k"}), "meta-llama/Llama-2-7b-hf"));
  CHECK(has(names({"kind=encoder"}), "google-bert/bert-base-uncased"));
  CHECK_FALSE(select_models(table, Words{"kind=decoders"}));
}
