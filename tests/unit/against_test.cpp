// What became of an earlier answer.
#include "gpuplan/against.hpp"

#include "gpuplan/render.hpp"
#include "rank_world.hpp"

namespace gpuplan::test {
namespace {

Market two_platforms(const std::string& cheap, const std::string& dear) {
  Market market;
  market.platform("acme");
  if (!cheap.empty()) market.offer("a", "RTX 4090", cheap);
  market.platform("bolt");
  market.offer("b", "RTX 4090", dear);
  return market;
}

std::string answer_of(const Market& market) {
  RenderOptions json;
  json.format = Format::json;
  return render(market.rank(), json);
}

Against against(const Market& now, const std::string& earlier, const std::string& gate = {}) {
  std::vector<DiffGate> gates;
  if (!gate.empty()) gates.push_back(*read_diff_gate(gate));
  auto compared = compare_with(now.rank(), earlier, "before.json", std::move(gates));
  REQUIRE(compared);
  return *std::move(compared);
}

}  // namespace

TEST_CASE("the recommended total rose by a quarter: up:20% fails, up:25% passes", "[against]") {
  const std::string before = answer_of(two_platforms("0.8", "2"));
  const Market now = two_platforms("1", "2");
  const Against told = against(now, before, "up:20%");
  REQUIRE(told.before);
  CHECK(told.before->name == "acme/a, on demand");
  CHECK(to_string(told.before->total) == "8");
  CHECK(to_string(told.now->total) == "10");
  REQUIRE(told.rows.changed.size() == 1);
  CHECK(told.rows.changed[0].from == "8");
  CHECK(*told.rows.changed[0].percent == Approx(25));
  CHECK_FALSE(told.passed());
  CHECK(against(now, before, "up:25%").passed());
  CHECK(against(now, before, "down:1%").passed());
  CHECK_FALSE(against(now, before, "changed").passed());
}

TEST_CASE("an offer that is gone, and one that is new", "[against]") {
  const std::string before = answer_of(two_platforms("0.8", "2"));
  const Against told = against(two_platforms("", "2"), before, "gone");
  CHECK(told.rows.gone == std::vector<std::string>{"acme/a, on demand"});
  CHECK(told.rows.added.empty());
  CHECK(told.now->name == "bolt/b, on demand");
  CHECK_FALSE(told.passed());
  const std::string after = answer_of(two_platforms("", "2"));
  CHECK(against(two_platforms("0.8", "2"), after).rows.added ==
        std::vector<std::string>{"acme/a, on demand"});
}

TEST_CASE("the same inputs differ in nothing", "[against]") {
  const Market market = two_platforms("0.8", "2");
  const Against told = against(market, answer_of(market), "changed");
  CHECK(told.rows.changed.empty());
  CHECK(told.rows.added.empty());
  CHECK(told.rows.gone.empty());
  CHECK(told.warnings.empty());
  CHECK(told.passed());
}

TEST_CASE("another job or currency is told, other documents are refused", "[against]") {
  const std::string before = answer_of(two_platforms("0.8", "2"));
  Market lora = two_platforms("0.8", "2");
  lora.job.workload.mode = Mode::vision;
  lora.job.workload.task = Task::inference;
  const auto other = compare_with(lora.rank(), before, "before.json", {});
  REQUIRE(other);
  REQUIRE(other->warnings.size() == 1);
  CHECK(other->warnings[0].code == "against_other_job");

  Market yuan = two_platforms("0.8", "2");
  yuan.catalog.fx["CNY"] = dec("0.14");
  yuan.options.currency = "CNY";
  const auto refused = compare_with(yuan.rank(), before, "before.json", {});
  REQUIRE_FALSE(refused);
  CHECK(refused.errors().front().message == "the earlier answer is in USD, this one in CNY");
  const auto wrong = compare_with(lora.rank(), R"({"schema": "gpuplan.estimate/1"})", "e.json", {});
  REQUIRE_FALSE(wrong);
  CHECK(wrong.errors().front().pointer == "/schema");
  CHECK_FALSE(compare_with(lora.rank(), "{", "e.json", {}));
}

TEST_CASE("what became of the rejected is told too", "[against]") {
  // infracost 2233: the difference of two answers lost the lists of what both had left out
  Market market = two_platforms("0.8", "2");
  market.offer("small", "RTX 3070", "0.1");
  const std::string before = answer_of(market);
  market.offer("smaller", "RTX 3060 Ti", "0.1");
  market.options.exclude = {"bolt/b"};
  const Against told = against(market, before);
  std::vector<std::string> changes;
  for (const Rejection& change : told.rejected) changes.push_back(change.offer + ": " + change.before + " -> " + change.now);
  CHECK(changes == std::vector<std::string>{"bolt/b:  -> excluded", "bolt/smaller:  -> memory"});
  market.options.exclude = {};
  market.catalog.offers.erase(market.catalog.offers.end() - 2);  // "small" is sold no more
  CHECK(against(market, before).rejected.front().now == "no longer in the catalog");
}

}  // namespace gpuplan::test
