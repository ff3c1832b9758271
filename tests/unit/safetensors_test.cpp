#include <ctime>
#include <random>

#include "catch.hpp"
#include "model_writer.hpp"
#include "spec/files/stored.hpp"
#include "spec/files/tensors.hpp"

using namespace gpuplan;
using namespace gpuplan::testing;
using Catch::Contains;

namespace {

files::ByteSource source(const std::string& bytes, std::int64_t size = -1) {
  return {"m.safetensors", size < 0 ? std::ssize(bytes) : size,
          [bytes](std::int64_t offset, std::int64_t count) -> Result<std::string> {
            if (offset >= std::ssize(bytes)) return std::string{};
            return bytes.substr(static_cast<std::size_t>(offset), static_cast<std::size_t>(count));
          }};
}

std::string refusal(const std::string& bytes, std::int64_t size = -1) {
  const auto tensors = files::read_safetensors(source(bytes, size));
  return tensors ? "accepted" : messages(tensors.errors());
}

std::string with_header(const std::string& json, std::int64_t data = 0) {
  return little(json.size(), 8) + json + std::string(static_cast<std::size_t>(data), '\0');
}

std::string one_tensor(const std::string& entry, std::int64_t data = 8) {
  return with_header("{\"w\":" + entry + "}", data);
}

}  // namespace

TEST_CASE("a safetensors header lists its tensors with their exact bytes", "[files]") {
  SafetensorsWriter writer;
  writer.entry("__metadata__", R"({"format": "pt"})");
  std::int64_t bytes = 0;
  const std::vector<std::pair<std::string, std::int64_t>> types{
      {"BF16", 16},   {"BOOL", 8},        {"C64", 64},        {"F16", 16},    {"F32", 32},
      {"F4", 4},      {"F64", 64},        {"F6_E2M3", 6},     {"F6_E3M2", 6}, {"F8_E4M3", 8},
      {"F8_E5M2", 8}, {"F8_E4M3FNUZ", 8}, {"F8_E5M2FNUZ", 8}, {"F8_E8M0", 8}, {"I16", 16},
      {"I32", 32},    {"I64", 64},        {"I8", 8},          {"U16", 16},    {"U32", 32},
      {"U64", 64},    {"U8", 8}};
  for (const auto& [type, bits] : types) {
    writer.add("of_" + type, type, {3, 8});
    bytes += 3 * 8 * bits / 8;
  }
  writer.add("scalar", "F32", {}).add("empty", "F32", {0, 5});
  const auto tensors = files::read_safetensors(source(writer.file()));
  REQUIRE(tensors);
  CHECK(tensors->size() == types.size() + 2);
  std::int64_t sum = 0;
  for (const files::Tensor& tensor : *tensors) sum += tensor.bytes;
  CHECK(sum == bytes + 4);
  CHECK(tensors->back().elements == 0);
}

TEST_CASE("a file that is cut at any byte is refused, and says that it is cut",
          "[files][hostile]") {
  SafetensorsWriter writer;
  writer.add("a", "F16", {2, 3}).add("b", "I8", {5});
  const std::string whole = writer.file();
  REQUIRE(files::read_safetensors(source(whole)));
  for (std::size_t length = 0; length < whole.size(); ++length) {
    CAPTURE(length);
    CHECK_THAT(refusal(whole.substr(0, length)),
               Contains("m.safetensors") && !Contains("accepted") &&
                   (Contains("cut short") || Contains("8 are needed") || Contains("ends inside")));
  }
}

TEST_CASE("each lie of a safetensors header is told with its place", "[files][hostile]") {
  struct Row {
    std::string bytes, says;
  };
  const std::string two = R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},
                              "b":{"dtype":"U8","shape":[4],"data_offsets":)";
  const auto row = GENERATE_COPY(values<Row>({
      {"", "the file has 0 bytes, 8 are needed"},
      {little(std::uint64_t{2} << 40, 8) + "{}",
       "is said to have 2199023255552 bytes; allowed are 2 to 2"},
      {little(~std::uint64_t{0}, 8) + "{}", "is said to have 18446744073709551615 bytes"},
      {little(1, 8) + "{}", "is said to have 1 bytes"},
      {with_header("[]"), "the header begins with \"[\", a { is needed"},
      {with_header(R"({"w":)"), "the document ends too early"},
      {with_header(R"({"w":1})"), "#/w: expected an object, got 1"},
      {with_header(R"({"w":{}})"), "the key \"dtype\" is missing"},
      {one_tensor(R"({"dtype":"F17","shape":[2],"data_offsets":[0,8]})"),
       "#/w/dtype: expected one of BF16, BOOL, "},
      {one_tensor(R"({"dtype":"F32","shape":[2],"data_offsets":[0,7]})"),
       "#/w/data_offsets: [0, 7] is 7 bytes; [2] of F32 takes 8"},
      {one_tensor(R"({"dtype":"F32","shape":[2],"data_offsets":[8,0]})"),
       "the end comes before the beginning: [8, 0]"},
      {one_tensor(R"({"dtype":"F32","shape":[2],"data_offsets":[0,8,9]})"),
       "expected [begin, end], got 3 numbers"},
      {one_tensor(R"({"dtype":"F32","shape":[-2],"data_offsets":[0,8]})"),
       "#/w/shape/0: expected a whole"},
      {one_tensor(R"({"dtype":"F32","shape":[2.5],"data_offsets":[0,8]})"),
       "#/w/shape/0: expected a whole"},
      {one_tensor(R"({"dtype":"F32","shape":[1e18,2],"data_offsets":[0,8]})"),
       "#/w/shape/0: expected a whole"},
      {one_tensor(R"({"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,8]})"),
       "a tensor of [4294967296, 4294967296] is larger than any file"},
      {one_tensor(R"({"dtype":"F32","shape":[549755813888],"data_offsets":[0,2199023255552]})"),
       "the tensor ends at byte 2199023255552 of the data, the file has 8"},
      {one_tensor(R"({"dtype":"F4","shape":[3],"data_offsets":[0,1]})"), "[3] of F4 takes 1"},
      {with_header(two + "[2,6]}}", 6),
       "tensor \"b\": starts at byte 2 of the data, where \"a\" still"},
      {with_header(two + "[6,10]}}", 10), "the tensors take 8 bytes, the file holds 10"},
      {with_header(two + "[4,8]}}", 9), "the tensors take 8 bytes, the file holds 9"},
      {with_header(R"({"a":{"dtype":"U8","shape":[0],"data_offsets":[0,0]},
                       "a":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}})"),
       "the key \"a\" stands twice"},
      {with_header(R"({"w":[[[[[[[[[[]]]]]]]]]]})"), "nested deeper than 8 levels"},
  }));
  CAPTURE(row.bytes);
  CHECK_THAT(refusal(row.bytes), Contains(row.says));
}

TEST_CASE("all faults of a header are told in one run, up to a limit", "[files][hostile]") {
  std::string json;
  for (int i = 0; i < 1'000; ++i)
    json += (i > 0 ? ",\"w" : "{\"w") + std::to_string(i) +
            R"(":{"dtype":"F17","shape":[2],"data_offsets":[0,8]})";
  const auto tensors = files::read_safetensors(source(with_header(json + "}", 8)));
  REQUIRE_FALSE(tensors);
  CHECK(tensors.errors().size() == files::kMostFaults);
}

TEST_CASE("a claim of terabytes in a small file costs neither time nor memory",
          "[files][hostile]") {
  const std::clock_t start = std::clock();
  std::int64_t asked = 0;
  const std::string bytes = little(std::uint64_t{2} << 40, 8) + "{}";
  const files::ByteSource small{
      "m.safetensors", std::ssize(bytes),
      [&](std::int64_t offset, std::int64_t count) -> Result<std::string> {
        asked += count;
        return bytes.substr(static_cast<std::size_t>(offset), static_cast<std::size_t>(count));
      }};
  CHECK_FALSE(files::read_safetensors(small));
  CHECK(asked == 8);
  CHECK(std::clock() - start < CLOCKS_PER_SEC / 10);
}

TEST_CASE("a header that is changed at random is refused or still adds up", "[files][hostile]") {
  const std::string whole = small_safetensors().head();
  const std::int64_t size = std::ssize(whole) + small_safetensors().data();
  std::mt19937_64 random(20'260'101);
  for (int i = 0; i < 3'000; ++i) {
    std::string bytes = whole;
    for (auto changes = random() % 4 + 1; changes-- > 0;)
      bytes[random() % bytes.size()] =
          static_cast<char>(random() % 3 == 0 ? random() : '0' + random() % 10);
    const auto tensors = files::read_safetensors(source(bytes, size));
    if (!tensors) {
      CHECK_FALSE(tensors.errors().empty());
      continue;
    }
    std::int64_t sum = 0;
    for (const files::Tensor& tensor : *tensors) sum += tensor.bytes;
    CHECK(sum == small_safetensors().data());
    const auto named = files::name_tensors(*tensors);
    CHECK(files::sum_tensors(named, "safetensors", 1).bytes == Bytes::of(sum));
  }
}
