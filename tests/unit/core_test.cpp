#include "catch.hpp"
#include "core/json.hpp"
#include "core/sha256.hpp"
#include "core/text.hpp"
#include "gpuplan/date.hpp"

using namespace gpuplan;
using namespace std::chrono_literals;

TEST_CASE("money text is exact to nine decimals", "[money]") {
  CHECK(Money::parse("2.49")->nanos() == Wide{2'490'000'000});
  CHECK(to_string(*Money::parse("0.000691667")) == "0.000691667");
  CHECK(to_string(*Money::parse("0.1") + *Money::parse("0.2")) == "0.3");
  CHECK(to_string(-*Money::parse("12.50")) == "-12.5");
  CHECK(to_string(Money::units(7)) == "7");
}

TEST_CASE("money text that is not an exact decimal is refused", "[money]") {
  const auto bad = GENERATE(as<std::string>{}, "", ".", "1.", ".5", "+1", "-1", "$2", "1.0000000001",
                            "010", "0x10", "nan", "1e400", "1,5", " 1", "1 ", "1_000");
  CAPTURE(bad);
  CHECK_FALSE(Money::parse(bad).has_value());
}

TEST_CASE("people see money in the currency's minor unit, rounded once, half away from zero", "[money]") {
  CHECK(to_string(*Money::parse("6.905"), 2) == "6.91");
  CHECK(to_string(-*Money::parse("6.905"), 2) == "-6.91");
  CHECK(to_string(*Money::parse("0.004"), 2) == "0.00");
  CHECK(to_string(-*Money::parse("0.004"), 2) == "0.00");
  CHECK(to_string(*Money::parse("1234.5"), minor_digits("JPY")) == "1235");
}

TEST_CASE("a price keeps every digit that its catalog wrote", "[money]") {
  CHECK(Decimal::parse("30.000000000100002")->to_string() == "30.000000000100002");
  CHECK(Decimal::parse("1.50")->to_string() == "1.5");
  CHECK(Decimal::parse("5e-05")->to_string() == "0.00005");
  CHECK(Decimal::parse("12e3")->to_string() == "12000");
  CHECK(Decimal::parse("0.0016666666666666668")->to_string() == "0.001666666666666667");
  CHECK(*Decimal::parse("2.50") == *Decimal::parse("2.5"));
  CHECK(*Decimal::parse("2.5") < *Decimal::parse("2.51"));
  CHECK_FALSE(Decimal::parse("1234567890123456789012"));
}

TEST_CASE("a fraction of any size is rounded once, half away from zero", "[money]") {
  using Factors = std::vector<std::uint64_t>;
  const auto ratio = [](const Factors& n, const Factors& d) { return *round_ratio(n, d); };
  CHECK(ratio({10}, {4}) == 3);  // 2.5
  CHECK(ratio({9}, {4}) == 2);   // 2.25
  CHECK(ratio({1, 1, 0}, {7}) == 0);
  // 10^18 x 10^18 x 10^18 / (10^18 x 3 x 10^17) = 3.33 x 10^18: the product needs 180 bits
  const std::uint64_t e18 = 1'000'000'000'000'000'000;
  CHECK(ratio({e18, e18, e18}, {e18, 3, e18 / 10}) == static_cast<Wide>(3'333'333'333'333'333'333));
  CHECK_FALSE(round_ratio(Factors{e18, e18, e18}, Factors{1}));
}

TEST_CASE("sizes are read as people write them, GB and GiB apart", "[units]") {
  CHECK(parse_bytes("40GB") == Bytes::gb(40));
  CHECK(parse_bytes("80GiB") == Bytes::gib(80));
  CHECK(parse_bytes("80 gib") == Bytes::gib(80));
  CHECK(parse_bytes("512 MiB") == Bytes::mib(512));
  CHECK(parse_bytes("1.5TB") == Bytes::gb(1500));
  CHECK(parse_bytes("0B") == Bytes{});
  const auto bad = GENERATE(as<std::string>{}, "", "40", "40G", "40Gb", "-1GB", "010GB", "0x10GB",
                            "nanGB", "1e400GB", "1,5GB", "40GBs", "40  GB", "99999999999TB");
  CAPTURE(bad);
  CHECK_FALSE(parse_bytes(bad).has_value());
  CHECK_FALSE(unit_hint(bad, UnitKind::bytes).empty());
}

TEST_CASE("times are read with their units, large ones first", "[units]") {
  CHECK(parse_duration("3d12h") == Duration{84h});
  CHECK(parse_duration("90m") == Duration{90min});
  CHECK(parse_duration("1.5h") == Duration{90min});
  CHECK(parse_duration("45s") == Duration{45s});
  CHECK(parse_duration("2 h 30 min") == Duration{150min});
  const auto bad = GENERATE(as<std::string>{}, "", "8", "8x", "12h3d", "3h3h", "-3h", "010h", "1,5h", "h");
  CAPTURE(bad);
  CHECK_FALSE(parse_duration(bad).has_value());
}

TEST_CASE("counts take K, M, B and T", "[units]") {
  CHECK(parse_count("7B") == 7'000'000'000);
  CHECK(parse_count("0.5b") == 500'000'000);
  CHECK(parse_count("50M") == 50'000'000);
  CHECK(parse_count("2048") == 2048);
  CHECK(parse_count("76.8M") == 76'800'000);
  const auto bad = GENERATE(as<std::string>{}, "", "2.5", "7Q", "-7B", "010", "0x10", "nan", "1e400", "1,000");
  CAPTURE(bad);
  CHECK_FALSE(parse_count(bad).has_value());
}

TEST_CASE("a line of 100 Mbps carries 12.5 million bytes a second", "[units]") {
  CHECK(parse_bandwidth("100Mbps")->per_second() == 12.5e6);
  CHECK(parse_bandwidth("1Gbit/s")->per_second() == 125e6);
  CHECK(parse_bandwidth("500MB/s")->per_second() == 500e6);
  CHECK_FALSE(parse_bandwidth("100"));
  CHECK_FALSE(parse_bandwidth("100mbps"));
}

TEST_CASE("a wrong quantity is answered with how to write it", "[units]") {
  CHECK(unit_hint("010GB", UnitKind::bytes) == "leading zeros are not read: write \"10GB\"");
  CHECK(unit_hint("-1", UnitKind::integer) == "it cannot be negative");
  CHECK(unit_hint("1,5", UnitKind::decimal) == "write a decimal point and no digit groups: 1.5, 1500");
  // A plain decimal that cannot be kept is not told to be one.
  CHECK(unit_hint("1.30000000000000000000001", UnitKind::decimal) == "it has too many digits: at most 18 are read");
  CHECK(unit_hint("12345678901234567890", UnitKind::integer) == "it has too many digits: at most 18 are read");
  CHECK(unit_hint("12345678901234567890GB", UnitKind::bytes) == "it has too many digits: at most 18 are read");
  CHECK(unit_hint("99999999TB", UnitKind::bytes) == "it is too large");
  CHECK(unit_hint("99999999T", UnitKind::count) == "it is too large");
  CHECK(unit_hint("99999999999d", UnitKind::duration) == "it is too large");
  CHECK(unit_hint("1.2.3", UnitKind::decimal) == "write a plain decimal such as 0.69");
  CHECK(unit_hint("40", UnitKind::bytes) == "say which unit: GB is 10^9 bytes, GiB is 2^30");
  CHECK(unit_hint("40Gb", UnitKind::bytes) == "b could be bits: write GB (10^9 bytes) or GiB (2^30)");
}

TEST_CASE("days are real days", "[date]") {
  CHECK(to_string(*parse_date("2026-11-01")) == "2026-11-01");
  CHECK(days_between(*parse_date("2026-11-01"), *parse_date("2026-11-30")) == 29);
  CHECK_FALSE(parse_date("2026-02-29"));
  CHECK(parse_date("2028-02-29"));
  CHECK_FALSE(parse_date("2026-1-1"));
  CHECK(parse_moment("2026-11-01T08:00:00+08:00")->utc == parse_moment("2026-11-01T00:00:00Z")->utc);
  CHECK_FALSE(parse_moment("2026-11-01T25:00:00Z"));
}

TEST_CASE("words that look alike are found", "[text]") {
  const std::vector<std::string_view> modes{"inference", "lora", "qlora", "full"};
  CHECK(did_you_mean("intrence", modes) == "did you mean \"inference\"?");
  CHECK(did_you_mean("LORA", modes) == "did you mean \"lora\"?");
  CHECK(did_you_mean("xyzzy", modes).empty());
}

TEST_CASE("text of a file cannot move the cursor of a terminal", "[text]") {
  CHECK(quote("a\x1b[31mb") == "\"a\\x1b[31mb\"");
  CHECK(quote("\xff") == "\"\\xff\"");
  CHECK(quote("显卡") == "\"显卡\"");
  CHECK(display_width("显卡x") == 5);
}

TEST_CASE("the hash is SHA-256", "[text]") {
  CHECK(sha256_hex("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(sha256_hex("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(sha256_hex(std::string(1'000'000, 'a')) ==
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_CASE("JSON keeps the text of its numbers", "[json]") {
  const auto node = parse_json(R"({"price": 4.760000000100001, "n": 12})", "c.json");
  REQUIRE(node);
  CHECK(node->root().find("price")->text == "4.760000000100001");
  CHECK(node->root().find("n")->text == "12");
}

TEST_CASE("broken JSON is reported with line and column", "[json]") {
  struct Row {
    std::string text, pointer;
  };
  const auto row = GENERATE(values<Row>({{"{\n  \"a\": 1,\n  \"a\": 2}", "3:5"},
                                         {"{\"a\": NaN}", "1:7"},
                                         {"{\"a\": 1", "1:8"},
                                         {"", "1:1"},
                                         {"[1] x", "1:5"},
                                         {std::string(100, '['), "1:65"}}));
  CAPTURE(row.text);
  const auto node = parse_json(row.text, "c.json");
  REQUIRE_FALSE(node);
  REQUIRE(node.errors().size() == 1);
  CHECK(node.errors()[0].code == ErrorCode::syntax);
  CHECK(node.errors()[0].pointer == row.pointer);
  CHECK(node.errors()[0].message.find("json.exception") == std::string::npos);
}

TEST_CASE("a reader reports every mistake with its pointer, what stands there and what is wanted", "[json]") {
  const auto node = parse_json(R"({"schema": 1, "price": true, "gpsu": 3, "x_mine": 1, "disk": "40"})", "c.json");
  REQUIRE(node);
  Diagnostics faults;
  const JsonContext context{.source = "c.json", .faults = &faults};
  const JsonReader reader(node->root(), context);
  reader.allow({"schema", "price", "gpus", "disk"});
  (void)reader.at("schema").text();
  (void)reader.at("price").decimal();
  (void)reader.at("gpus").integer(1, 64);
  (void)reader.at("disk").bytes(Bytes::gb(1));
  REQUIRE(faults.size() == 5);
  CHECK(to_text(faults[0]) == "c.json#/gpsu: unknown key \"gpsu\"; did you mean \"gpus\"?");
  CHECK(to_text(faults[1]) == "c.json#/schema: expected a text in quotes, got 1");
  CHECK(to_text(faults[2]) == "c.json#/price: expected a decimal such as 2.49 or \"2.49\", got true");
  CHECK(to_text(faults[3]) == "c.json: the key \"gpus\" is missing");
  CHECK(faults[4].hint == "say which unit: GB is 10^9 bytes, GiB is 2^30");
}

namespace {

// What a text says, as one line; the faults when it says nothing.
std::string said(std::string_view text) {
  const auto document = parse_json(text, "c.json");
  if (document) return to_json(document->root());
  return "fault at " + document.errors().front().pointer;
}

}  // namespace

TEST_CASE("texts that JSON does not allow are refused, whichever parser reads them", "[json]") {
  const auto text = GENERATE(values<std::string>(
      {"[1,]", "[,1]", "{\"a\":1,}", "{\"a\" 1}", "{a:1}", "['a']", "[01]", "[1.]", "[.5]", "[+1]",
       "[-]", "[1e]", "[0x10]", "[1 2]", "[\"a\" \"b\"]", "[nul]", "[nulll]", "[truee]", "[tru]",
       "[\"\\x\"]", "[\"\\u12\"]", "[\"a\nb\"]", "[\"\\ud800\"]", "[\"\xff\"]", "[1]]", "[[1]",
       "{\"a\":1}}", "{\"a\":[}", "[1}{", "{\"a\":}", "[\"", "[\"a]", "// a\n[1]", "[1] // a", "[1][2]",
       "{\"a\":1}{\"b\":2}", "[NaN]", "[Infinity]", "[None]", "{\"a\":1,\"a\":2}", "{1:2}", "[1,,2]"}));
  CAPTURE(text);
  CHECK(said(text).starts_with("fault at 1:") | said(text).starts_with("fault at 2:"));
}

TEST_CASE("what JSON allows reads the same in every layout", "[json]") {
  struct Row {
    std::string text, says;
  };
  const auto row = GENERATE(values<Row>({
      {"[]", "[]"},
      {" { } ", "{}"},
      {"[ 1 , 2.50 , -3 , 1e3 ]\n", "[1,2.50,-3,1e3]"},
      {"{\"a\":{\"b\":[true,false,null]},\"c\":\"x\"}", "{\"a\":{\"b\":[true,false,null]},\"c\":\"x\"}"},
      {"[\"\\u00e9\\n\\\"\\/\"]", "[\"\xc3\xa9\\u000a\\\"/\"]"},
      {"[\"\\ud83d\\ude00\"]", "[\"\xf0\x9f\x98\x80\"]"},
      {"\xef\xbb\xbf[18446744073709551616]", "[18446744073709551616]"},
      {"7", "7"},
      {"\"x\"", "\"x\""},
      {"null", "null"},
  }));
  CAPTURE(row.text);
  CHECK(said(row.text) == row.says);
}

namespace {

// Writes down each value that it takes, with its place.
struct Writer : JsonTaker {
  void take(std::span<const std::size_t> at, const JsonNode& value) override {
    text += std::to_string(at.back()) + ":" + to_json(value) + " ";
  }
  std::string text;
};

JsonStream told_to(std::string& taken, std::vector<std::string_view> path) {
  return {.path = std::move(path),
          .begin = [] { return std::make_unique<Writer>(); },
          .end = [&taken](std::unique_ptr<JsonTaker> taker) { taken += static_cast<Writer&>(*taker).text; },
          .again = [&taken] { taken.clear(); }};
}

}  // namespace

TEST_CASE("a list handed over item by item loses and repeats nothing, broken or not", "[json]") {
  const std::string good = R"({"a": [{"p": 1}, {"p": {"q": [2]}}, 3], "b": [4]})";
  for (std::size_t cut = good.size(); cut > 0; --cut) {
    std::string taken;
    const JsonStream stream = told_to(taken, {"a", "*"});
    Diagnostics faults;
    const auto rest = parse_json(std::string_view(good).substr(0, cut), "c.json", faults, stream);
    if (cut == good.size()) {
      REQUIRE(rest);
      CHECK(to_json(rest->root()) == R"({"a":[],"b":[4]})");
      CHECK(taken == R"(0:{"p":1} 1:{"p":{"q":[2]}} 2:3 )");
    } else {
      CHECK_FALSE(rest);
      CHECK(faults.size() == 1);
      CHECK(std::string(R"(0:{"p":1} 1:{"p":{"q":[2]}} 2:3 )").starts_with(taken));
    }
  }
}

TEST_CASE("a long list read by several threads is the list read by one", "[json]") {
  std::string text = R"({"a": [)", expected;
  const std::string filler(500, 'x');
  for (int i = 0; text.size() < 4'000'000; ++i) {
    text += (i == 0 ? R"({"n":)" : R"(, {"n":)") + std::to_string(i) + R"(,"x":")" + filler + R"("})";
    expected += std::to_string(i) + R"(:{"n":)" + std::to_string(i) + R"(,"x":")" + filler + R"("} )";
  }
  const bool good = GENERATE(true, false);
  text += good ? "], \"b\": 1}" : ", {\"n\": tru}], \"b\": 1}";
  for (const unsigned threads : {1U, 2U, 7U}) {
    std::string taken;
    JsonStream stream = told_to(taken, {"a", "*"});
    stream.threads = threads;
    Diagnostics faults;
    const auto rest = parse_json(text, "c.json", faults, stream);
    CAPTURE(threads);
    CHECK(rest.has_value() == good);
    if (good) {
      CHECK((taken == expected && to_json(rest->root()) == R"({"a":[],"b":1})"));
    } else {
      REQUIRE(faults.size() == 1);
      CHECK(faults[0].pointer == "1:" + std::to_string(text.find("tru}") + 4));  // where the word breaks off
    }
  }
}

TEST_CASE("a pointer names the place through objects and lists", "[json]") {
  const auto document = parse_json(R"({"a/b": [{"c": 1}, {"d~": "x"}]})", "c.json");
  REQUIRE(document);
  Diagnostics faults;
  const JsonContext context{.source = "c.json", .faults = &faults, .prefix = "/offers/3"};
  const JsonReader list = JsonReader(document->root(), context).at("a/b");
  CHECK(list.items()[1].at("d~").where() == "/offers/3/a~1b/1/d~0");
  CHECK(list.items()[0].at("e").where() == "/offers/3/a~1b/0/e");
  REQUIRE(faults.size() == 1);
  CHECK(faults[0].pointer == "/offers/3/a~1b/0");
}
