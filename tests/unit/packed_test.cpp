// The tables that the program carries as flat bytes are those that people read in data/*.json.
#include "catch.hpp"
#include "core/builtin.hpp"
#include "spec/cards_read.hpp"
#include "spec/packed.hpp"

namespace gpuplan {

TEST_CASE("packed cards and models come back as they were", "[packed]") {
  const auto cards = builtin_card_figures();
  const auto models = read_models(builtin_models(), "models.json");
  REQUIRE(cards);
  REQUIRE(models);
  const auto cards_again = unpack_cards(pack(*cards));
  const auto models_again = unpack_models(pack(*models));
  REQUIRE(cards_again);
  REQUIRE(models_again);
  CHECK(pack(*cards_again) == pack(*cards));
  CHECK(pack(*models_again) == pack(*models));
  REQUIRE(models_again->all().size() == models->all().size());
  for (std::size_t i = 0; i < models->all().size(); ++i) {
    const ModelShape &before = models->all()[i], &after = models_again->all()[i];
    CAPTURE(before.name);
    CHECK(after.name == before.name);
    CHECK(count_parameters(after).total() == count_parameters(before).total());
    CHECK(count_parameters(after).active() == count_parameters(before).active());
    CHECK(after.max_positions == before.max_positions);
    CHECK(after.source == before.source);
  }
  for (std::size_t i = 0; i < cards->all().size(); ++i) {
    const Card &before = cards->all()[i], &after = cards_again->all()[i];
    CAPTURE(before.name);
    CHECK(after.aliases == before.aliases);
    CHECK(after.memory == before.memory);
    CHECK(after.rates.bf16 == before.rates.bf16);
    CHECK(after.compute_capability == before.compute_capability);
    CHECK(after.graphics == before.graphics);
    CHECK(after.native == before.native);
  }
}

TEST_CASE("bytes that were cut off or have something behind them are refused", "[packed]") {
  const auto cards = builtin_card_figures();
  REQUIRE(cards);
  const std::string whole = pack(*cards);
  for (std::size_t size = 0; size < whole.size(); size += 97)
    REQUIRE_FALSE(unpack_cards(std::string_view(whole).substr(0, size)));
  CHECK_FALSE(unpack_cards(whole + " "));
  CHECK_FALSE(unpack_models(std::string(64, '\xff')));
}

}  // namespace gpuplan
