#include "gpuplan/cards.hpp"

#include <algorithm>
#include <set>

#include "catch.hpp"
#include "core/builtin.hpp"
#include "spec/card_names.hpp"
#include "spec/cards_read.hpp"

using namespace gpuplan;

namespace {

const CardTable& table() {
  static const CardTable cards = [] {
    auto read = builtin_card_table();
    if (!read) FAIL(to_text(read.errors().front()));
    return *std::move(read);
  }();
  return cards;
}

// What the name means, "?" when nothing; a trailing "~" says that the name fits further cards.
std::string meaning(std::string_view name) {
  const auto found = table().find(name);
  if (!found) return "?";
  return found->card->name + (found->others.empty() ? "" : " ~");
}

const Card& card(std::string_view name) {
  const auto found = table().find(name);
  REQUIRE(found);
  return *found->card;
}

bool knows(const Card& card, std::string_view precision) {
  return std::ranges::find(card.native, precision) != card.native.end();
}

struct Spelling {
  const char* written;
  const char* means;
};

}  // namespace

TEST_CASE("every card is found by its own name, and by nothing else's", "[cards]") {
  for (const Card& each : table().all()) {
    CAPTURE(each.name);
    CHECK(meaning(each.name) == each.name);
  }
}

TEST_CASE("every alias leads to its card, or says that it fits several", "[cards]") {
  for (const Card& each : table().all())
    for (const std::string& alias : each.aliases) {
      CAPTURE(each.name, alias);
      const auto found = table().find(alias);
      REQUIRE(found);
      const bool meant =
          found->card == &each || std::ranges::find(found->others, &each) != found->others.end();
      CHECK(meant);
    }
}

TEST_CASE("cards that share a spelling are both named in the warning", "[cards]") {
  const auto found = table().find("A100");
  REQUIRE(found);
  const auto warning = ambiguity_warning("A100", *found);
  REQUIRE(warning);
  CHECK(warning->code == "card_ambiguous");
  CHECK_THAT(warning->message, Catch::Contains("A100 PCIe 40GB is taken"));
  CHECK_THAT(warning->message, Catch::Contains("A100 SXM4 80GB"));
  CHECK_FALSE(ambiguity_warning("L40S", *table().find("L40S")));
}

TEST_CASE("a name that fits several cards takes the one with less memory and bandwidth",
          "[cards]") {
  const auto row = GENERATE(values<Spelling>({
      {"A100", "A100 PCIe 40GB ~"},       // 40 and 80 GB, SXM and PCIe
      {"H100", "H100 PCIe 80GB ~"},       // 2.0 TB/s against 3.35
      {"RTX 6000", "Quadro RTX 6000 ~"},  // 24 GB; also A6000, Ada, PRO Blackwell
      {"RTX6000", "Quadro RTX 6000 ~"},
      {"RTX 5000", "Quadro RTX 5000 ~"},
      {"RTX 4000", "Quadro RTX 4000 ~"},
      {"V100", "V100 PCIe 16GB ~"},
      {"RTX 3080", "RTX 3080 10GB ~"},
      {"RTX PRO 6000", "RTX PRO 6000 Blackwell Server ~"},  // 1.6 TB/s against 1.8
      {"H20", "H20 96GB ~"},
      {"NVIDIA A100 80GB", "A100 PCIe 80GB ~"},
      {"NVIDIA H100 80GB", "H100 PCIe 80GB ~"},
      {"NVIDIA RTX PRO 6000", "RTX PRO 6000 Blackwell Server ~"},
      {"Ascend 910B", "Ascend 910B4 ~"},
  }));
  CAPTURE(row.written);
  CHECK(meaning(row.written) == row.means);
}

TEST_CASE("names that look alike are different cards", "[cards]") {
  const auto row = GENERATE(values<Spelling>({
      {"H20-96GB", "H20 96GB"},
      {"H200", "H200 SXM 141GB"},
      {"H20-3e", "H20 141GB"},
      {"A10", "A10"},
      {"A10G", "A10G"},
      {"A100-SXM4-40GB", "A100 SXM4 40GB"},
      {"L4", "L4"},
      {"L40", "L40"},
      {"L40S", "L40S"},
      {"L20", "L20"},
      {"L2", "L2"},
      {"T4", "T4"},
      {"P4", "P4"},
      {"P40", "P40"},
      {"B200", "B200 SXM 180GB"},
      {"GB200", "GB200"},
      {"B300", "B300 SXM 288GB"},
      {"GH200-96GB", "GH200 96GB"},
      {"A30", "A30"},
      {"A40", "A40"},
      {"A4000", "RTX A4000"},
      {"RTX 4000 Ada", "RTX 4000 Ada"},
      {"A6000", "RTX A6000"},
      {"RTX 6000 Ada", "RTX 6000 Ada"},
      {"RTX 4090 D", "RTX 4090 D"},
      {"RTX 4090", "RTX 4090"},
      {"RTX 4080 SUPER", "RTX 4080 SUPER"},
      {"RTX 4080", "RTX 4080"},
      {"RX 7900 XT", "RX 7900 XT"},
      {"RX 7900 XTX", "RX 7900 XTX"},
      {"MI250", "MI250"},
      {"MI250X", "MI250X"},
      {"V100S", "V100S PCIe 32GB"},
      {"Quadro RTX 6000", "Quadro RTX 6000"},
      {"Inferentia", "Inferentia"},
      {"Inferentia2", "Inferentia2"},
      {"Trainium", "Trainium"},
      {"Trainium2", "Trainium2"},
  }));
  CAPTURE(row.written);
  CHECK(meaning(row.written) == row.means);
}

TEST_CASE("a memory size in a name picks the card that has it", "[cards]") {
  const auto row = GENERATE(values<Spelling>({
      {"A100 40GB", "A100 PCIe 40GB ~"},
      {"A100 80GB", "A100 PCIe 80GB ~"},
      {"A100 80GB SXM", "A100 SXM4 80GB"},
      {"a100_80gb", "A100 PCIe 80GB ~"},
      {"A100-SXM4-80G", "A100 SXM4 80GB"},
      {"NVIDIA A100 40 GB PCIe", "A100 PCIe 40GB"},
      {"V100 (32 GB)", "V100 PCIe 32GB ~"},
      {"RTX 4090 24GB", "RTX 4090"},
      {"RTX 4090 48GB", "RTX 4090 48GB (modified)"},
      {"RTX-4090-48GB-modded", "RTX 4090 48GB (modified)"},
      {"RTX 2080 Ti 22GB", "RTX 2080 Ti 22GB (modified)"},
      {"H100 94GB", "H100 NVL 94GB"},
      {"H200-SXM-141GB", "H200 SXM 141GB"},
      {"B200 192GB", "B200 SXM 180GB"},  // launch slides; the driver shows 179 GiB
      {"B300 SXM6 268GB", "B300 SXM 288GB"},
      {"L4 22GB", "L4"},              // what the driver shows, cut
      {"GH200 480GB", "GH200 96GB"},  // the CPU's memory
      {"RTX A2000 12GB", "RTX A2000 12GB"},
      {"RTX 4060 Ti 16GB", "RTX 4060 Ti 16GB"},
  }));
  CAPTURE(row.written);
  CHECK(meaning(row.written) == row.means);
}

TEST_CASE("a memory size that no such card has is an error that names the sizes", "[cards]") {
  CHECK(meaning("RTX 4090 80GB") == "?");
  CHECK(meaning("A100 60GB") == "?");
  CHECK(meaning("H100 1g.10gb") == "?");  // a MIG slice is not the card
  const Diagnostic fault = table().unknown("RTX 4090 80GB", "--card");
  CHECK(fault.code == ErrorCode::unknown_name);
  CHECK(fault.source == "--card");
  CHECK_THAT(fault.message, Catch::Contains("80 GB"));
  CHECK_THAT(fault.hint, Catch::Contains("24 GB and 48 GB"));
  CHECK_THAT(fault.hint, Catch::Contains("\"RTX 4090\""));
}

TEST_CASE("names that do not say which card it is are unknown", "[cards]") {
  const auto vague = GENERATE(as<std::string>{}, "24 GB GPU", "80GB", "GPU", "NVIDIA", "", "SXM",
                              "-", "Tesla", "GeForce", "RTX", "A4000, A4500, RTX 4000",
                              "ml.g6.4xlarge", "A1000", "H1000", "4091", "RTX 9999", "A", "L");
  CAPTURE(vague);
  CHECK(meaning(vague) == "?");
}

TEST_CASE("an unknown name comes with names that look like it", "[cards]") {
  CHECK_THAT(table().unknown("RTX 4990", "--card").hint, Catch::Contains("RTX 4090"));
  CHECK_THAT(table().unknown("H1000", "--card").hint, Catch::Contains("H100"));
  CHECK_THAT(table().unknown("L40SS", "--card").hint, Catch::Contains("L40S"));
  CHECK_THAT(table().unknown("24 GB GPU", "--card").message, Catch::Contains("which card"));
  CHECK(table().similar("RTX 4090 80GB").size() == 2);
  CHECK(table().similar("zzzzzzzzzz").empty());
}

TEST_CASE("a count or a TPU slice in place of a card is explained", "[cards]") {
  CHECK_THAT(table().unknown("8x L40S", "--card").hint, Catch::Contains("\"L40S\", and 8"));
  CHECK_THAT(table().unknown("tpu-v3-8", "--card").hint, Catch::Contains("\"TPU v3\""));
  CHECK_THAT(table().unknown("v5litepod-16", "--card").hint, Catch::Contains("\"TPU v5e\""));
}

TEST_CASE("brands, form factors and separators do not matter", "[cards]") {
  const auto same = GENERATE(as<std::string>{}, "RTX 4090", "rtx4090", "RTX_4090",
                             "NVIDIA GeForce RTX 4090", "GeForce-RTX-4090", "4090", "RTX 4090 PCIe",
                             "nvidia rtx 4090 24 GB", "  RTX\t4090 ", "NVIDIA\xC2\xAE RTX 4090");
  CAPTURE(same);
  CHECK(meaning(same) == "RTX 4090");
}

TEST_CASE("a form factor that the card does not have is said", "[cards]") {
  const auto found = table().find("B200 PCIe");
  REQUIRE(found);
  const auto warning = ambiguity_warning("B200 PCIe", *found);
  REQUIRE(warning);
  CHECK(warning->code == "card_form_factor");
}

TEST_CASE("spellings of real clouds, drivers and price lists are understood", "[cards]") {
  const auto row = GENERATE(values<Spelling>({
      {"NVIDIA H100 80GB HBM3", "H100 SXM5 80GB"},  // nvidia-smi of the SXM card
      {"NVIDIA H100 PCIe", "H100 PCIe 80GB"},
      {"NVIDIA H100 NVL", "H100 NVL 94GB"},
      {"NVIDIA H200", "H200 SXM 141GB"},
      {"NVIDIA A100-SXM4-80GB", "A100 SXM4 80GB"},
      {"NVIDIA A100 80GB PCIe", "A100 PCIe 80GB"},
      {"NVIDIA B300 SXM6 AC", "B300 SXM 288GB"},
      {"NVIDIA GH200 480GB", "GH200 96GB"},
      {"NVIDIA GB10", "GB10"},
      {"NVIDIA RTX 6000 Ada Generation", "RTX 6000 Ada"},
      {"NVIDIA RTX PRO 6000 Blackwell Server Edition", "RTX PRO 6000 Blackwell Server"},
      {"Tesla V100-SXM2-16GB", "V100 SXM2 16GB"},
      {"Tesla T4", "T4"},
      {"H100_SXM", "H100 SXM5 80GB"},
      {"H100 (80 GB SXM5)", "H100 SXM5 80GB"},
      {"HGX H100", "H100 SXM5 80GB"},
      {"H200 141GB HGX", "H200 SXM 141GB"},
      {"H100-MEGA", "H100 SXM5 80GB"},
      {"A100-80GB-SXM", "A100 SXM4 80GB"},
      {"nvidia-l4", "L4"},
      {"nvidia-tesla-t4", "T4"},
      {"nvidia-tesla-a100", "A100 SXM4 40GB"},
      {"nvidia-h100-mega-80gb", "H100 SXM5 80GB"},
      {"RTXA6000", "RTX A6000"},
      {"RTX6000-Ada", "RTX 6000 Ada"},
      {"RTX4000-Ada", "RTX 4000 Ada"},
      {"Q_RTX_8000", "Quadro RTX 8000"},
      {"Quadro-RTX-5000-16GB", "Quadro RTX 5000"},
      {"RTX Pro 6000 SE", "RTX PRO 6000 Blackwell Server"},
      {"RTX_PRO_6000_WS", "RTX PRO 6000 Blackwell Workstation"},
      {"L40s", "L40S"},
      {"GB200 NVL72", "GB200"},
      {"B200 SXM6", "B200 SXM 180GB"},
      {"AMD Instinct MI300X OAM", "MI300X"},
      {"AMD MI300X 192GB", "MI300X"},
      {"Radeon RX 7900 XTX", "RX 7900 XTX"},
      {"HL-225", "Gaudi2"},
      {"tpu-v5-lite-podslice", "TPU v5e"},
      {"Trillium", "TPU v6e"},
      {"T4g", "T4"},
      {"K80", "K80"},
      {"M60", "M60"},
      {"v100s", "V100S PCIe 32GB"},
      {"4090-48G", "RTX 4090 48GB (modified)"},
      {"3080ti", "RTX 3080 Ti"},
      {"MI250X (1 GCD)", "MI250X (1 GCD)"},
      {"vGPU-48GB", "vGPU-48GB"},
      {"H100-96GB-HBM2e (500W)", "H100 SXM5 96GB HBM2e"},
  }));
  CAPTURE(row.written);
  CHECK(meaning(row.written) == row.means);
}

TEST_CASE("the figures of known cards are the published dense ones", "[cards]") {
  const Card& h100 = card("H100 SXM5 80GB");
  CHECK(h100.memory == Bytes::mib(81559));
  CHECK(h100.memory_nominal == Bytes::gib(80));
  CHECK_FALSE(h100.memory_estimated);
  CHECK(h100.bandwidth->per_second() == Approx(3.35e12));
  CHECK(h100.rates.bf16->per_second() == Approx(989.5e12));  // not the sparse 1979
  CHECK(h100.link == Link::nvswitch);
  CHECK(h100.link_total->per_second() == Approx(900e9));
  CHECK(knows(h100, "fp8"));

  const Card& ada = card("RTX 4090");
  CHECK(ada.memory == Bytes::mib(24564));
  CHECK(ada.rates.fp16->per_second() == Approx(165.2e12));  // accumulating in fp32
  CHECK(ada.rates.fp16_acc16->per_second() == Approx(330.3e12));
  CHECK(ada.link == Link::none);
  CHECK(ada.graphics == true);

  const Card& custom = card("H100 96GB HBM2e");
  CHECK(custom.bandwidth->per_second() == Approx(2.4e12));
  CHECK(custom.watts == 500);
  CHECK(card("MI250X").devices == 2);
  CHECK(card("RTX 3090").bridge_cards == 2);
}

TEST_CASE("older cards do not pretend to have young precisions", "[cards]") {
  CHECK_FALSE(knows(card("T4"), "bf16"));
  CHECK_FALSE(knows(card("V100S"), "bf16"));
  CHECK_FALSE(knows(card("A100 SXM4 80GB"), "fp8"));
  CHECK_FALSE(knows(card("H200"), "fp4"));
  CHECK_FALSE(knows(card("RTX 4090"), "fp64"));  // 1/64 of fp32
  CHECK(knows(card("A100 SXM4 80GB"), "fp64"));
  CHECK_FALSE(knows(card("B300"), "int8"));  // cut to a thirtieth
  CHECK(knows(card("RTX 5090"), "fp4"));
}

TEST_CASE("no figure is physically impossible", "[cards]") {
  for (const Card& each : table().all()) {
    CAPTURE(each.name);
    CHECK(each.memory >= Bytes::gib(5));
    CHECK(each.memory <= each.memory_nominal);  // the driver keeps some, never adds any
    // nothing takes more than 8 % away: ECC in GDDR costs a sixteenth
    CHECK(each.memory.as_double() >= 0.92 * each.memory_nominal.as_double());
    CHECK(each.memory_estimated == !each.memory_estimated_from.empty());
    if (each.bandwidth) {
      // all memory read once takes 2 ms to half a second; more or less is a mistake of unit
      const double pass = each.memory.as_double() / each.bandwidth->per_second();
      CHECK(pass > 0.002);
      CHECK(pass < 0.5);
    }
    const CardRates& rates = each.rates;
    if (rates.fp16 && rates.fp32) CHECK(*rates.fp16 >= *rates.fp32);
    if (rates.fp16 && rates.fp16_acc16) CHECK(*rates.fp16_acc16 >= *rates.fp16);
    if (rates.fp8 && rates.bf16) CHECK(rates.fp8->per_second() >= 0.99 * rates.bf16->per_second());
    if (rates.fp64 && rates.fp32) CHECK(*rates.fp64 <= *rates.fp32);
    if (rates.fp4 && rates.fp8) CHECK(*rates.fp4 >= *rates.fp8);
    if (each.watts > 0) CHECK(each.watts <= 1500);
    CHECK((each.year == 0 || each.year >= 2014));
  }
}

TEST_CASE("every figure has a source, a rule, or stands among the unsourced", "[cards]") {
  for (const Card& each : table().all()) {
    CAPTURE(each.name);
    std::set<std::string> covered(each.unsourced.begin(), each.unsourced.end());
    for (const auto* list : {&each.sources, &each.derived})
      for (const CardSource& entry : *list)
        covered.insert(entry.fields.begin(), entry.fields.end());
    const auto has = [&](const std::string& field) { return covered.contains(field); };
    CHECK((has("memory.nominal_gb")));
    if (each.bandwidth) CHECK(has("bandwidth_gbps"));
    if (each.watts > 0) CHECK(has("tdp_w"));
    if (!each.memory_estimated) CHECK(has("memory.reported_mib"));
    if (each.rates.fp16) CHECK((has("tflops.fp16") || has("tflops")));
    if (each.rates.fp32) CHECK((has("tflops.fp32") || has("tflops")));
  }
}

TEST_CASE("a broken card table names every fault with its place", "[cards]") {
  const auto read = read_cards(R"({"schema":"gpuplan.cards/1","cards":[
    {"name":"X1","memory":{"nominal_gb":24},"bandwidth_gbps":0},
    {"name":"X1","memory":{"nominal_gb":-1},"tflops":{"fp61":3}},
    {"memory":{}}]})",
                               "mine.json");
  REQUIRE_FALSE(read);
  std::string all;
  for (const Diagnostic& fault : read.errors()) all += to_text(fault) + "\n";
  CAPTURE(all);
  CHECK_THAT(all, Catch::Contains("mine.json#/cards/0/bandwidth_gbps"));
  CHECK_THAT(all, Catch::Contains("/cards/1/memory/nominal_gb"));
  CHECK_THAT(all, Catch::Contains("fp61"));
  CHECK_THAT(all, Catch::Contains("a second card named \"X1\""));
  CHECK_THAT(all, Catch::Contains("/cards/2"));
}

TEST_CASE("a card without a driver reading gets the nominal size less 1.5 %", "[cards]") {
  const auto read = read_cards(
      R"({"schema":"gpuplan.cards/1","cards":[{"name":"X1","memory":{"nominal_gb":100}}]})",
      "mine.json");
  REQUIRE(read);
  const Card& mine = *read->find("x-1")->card;
  CHECK(mine.memory == Bytes::mib(100864));  // 102400 x 0.985
  CHECK(mine.memory_estimated);
}

TEST_CASE("cards of a catalog replace and add to the built-in ones", "[cards]") {
  Card mine;
  mine.name = "H100";
  mine.memory = mine.memory_nominal = Bytes::gib(77);
  Card l4 = card("L4");
  l4.watts = 60;
  const CardTable merged = table().with({mine, l4});
  CHECK(merged.find("H100")->card->memory == Bytes::gib(77));
  CHECK(merged.find("H100")->others.empty());
  CHECK(merged.find("NVIDIA H100")->card->memory == Bytes::gib(77));
  CHECK(merged.find("H100 SXM")->card->name == "H100 SXM5 80GB");
  CHECK(merged.find("L4")->card->watts == 60);
  CHECK(merged.all().size() == table().all().size() + 1);

  Card branded;
  branded.name = "NVIDIA L40S";
  branded.aliases = {"A30"};
  branded.memory = branded.memory_nominal = Bytes::gib(48);
  const CardTable renamed = table().with({branded});
  CHECK(renamed.find("L40S")->card->name == "NVIDIA L40S");
  CHECK(renamed.find("L40S")->others.empty());
  CHECK(renamed.find("A30")->card->name == "NVIDIA L40S");
  CHECK(renamed.find("L40")->card->name == "L40");
}

TEST_CASE("the short card table has every card and figure of the full one", "[cards]") {
  const auto full = builtin_card_table();
  const auto figures = builtin_card_figures();
  REQUIRE(full);
  REQUIRE(figures);
  REQUIRE(figures->all().size() == full->all().size());
  for (std::size_t i = 0; i < full->all().size(); ++i) {
    const Card& a = full->all()[i];
    const Card& b = figures->all()[i];
    CAPTURE(a.name);
    CHECK(a.name == b.name);
    CHECK(a.aliases == b.aliases);
    CHECK(a.memory == b.memory);
    CHECK(a.memory_nominal == b.memory_nominal);
    CHECK(a.bandwidth == b.bandwidth);
    CHECK(a.rates.bf16 == b.rates.bf16);
    CHECK(a.rates.fp8 == b.rates.fp8);
    CHECK(a.native == b.native);
    CHECK(a.link_total == b.link_total);
    CHECK(b.sources.empty());
  }
}
