// The table of what goes with what.
#include "gpuplan/compat.hpp"

#include "catch.hpp"
#include "gpuplan/cards.hpp"

using namespace gpuplan;

TEST_CASE("versions are compared by figure, not by letter", "[compat]") {
  CHECK(*Version::parse("12.8") < *Version::parse("12.10"));
  CHECK(*Version::parse("570.124.04") == *Version::parse("570.124.4"));
  CHECK(*Version::parse("13.0") == *Version::parse("13"));
  CHECK(*Version::parse("9.0") < *Version::parse("10.0"));
  for (const char* wrong : {"", "12.", ".8", "12.x", "-1", "1.2.3.4.5", "12 .8", "99999999"})
    CHECK_FALSE(Version::parse(wrong));
}

TEST_CASE("the built-in table is whole: every row has a source or says that it has none",
          "[compat]") {
  const auto table = builtin_compat_table();
  REQUIRE(table);
  CHECK(table->drivers.size() == 28);
  CHECK(table->branch(*Version::parse("570.124.04"))->cuda == Version::parse("12.8"));
  CHECK(table->branch(*Version::parse("571.1")) == nullptr);
  CHECK(table->toolkit(*Version::parse("12.8.1"))->driver == Version::parse("570.26"));
  CHECK(table->floor_of(12)->driver == Version::parse("525.60.13"));
  CHECK(table->framework("torch", *Version::parse("2.9.1"))->default_cuda == Version::parse("12.8"));
  CHECK(table->framework("torch", *Version::parse("2.99")) == nullptr);
  CHECK(table->framework("bitsandbytes", *Version::parse("0.48")));
  for (const FrameworkRelease& row : table->frameworks) {
    CAPTURE(row.name);
    CHECK((!row.from.source.empty() || !row.from.unsourced.empty()));
    CHECK(row.from.as_of);
  }
}

TEST_CASE("every card with a compute capability has its generation in the table", "[compat]") {
  const auto table = builtin_compat_table();
  const auto cards = builtin_card_table();
  int known = 0;
  for (const Card& card : cards->all()) {
    const auto capability = Version::parse(card.compute_capability);
    if (!capability) continue;
    CAPTURE(card.name);
    CHECK(table->architecture(*capability));
    ++known;
  }
  CHECK(known > 100);
}

TEST_CASE("a table of one's own is read with all its faults named", "[compat]") {
  const auto broken = read_compat(
      R"({"schema": "gpuplan.compat/1", "drivers": [{"branch": 580, "cuda": "13.x", "as_of": "2026-11-01"},
          {"branch": 570, "cuda": "12.8", "as_of": "2026-11-01", "source": "s"}],
          "toolkits": [], "majors": [], "architectures": [], "frameworks": [
          {"name": "torch", "release": "2.9", "default_cuda": "12.8", "builds": [], "as_of": "2026-11-01", "source": "s"}]})",
      "own.json");
  REQUIRE_FALSE(broken);
  CHECK(broken.errors().size() == 4);  // version, source, order, default without a build
  CHECK(broken.errors().front().pointer == "/drivers/0/cuda");
}
