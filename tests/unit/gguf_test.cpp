#include "spec/files/gguf.hpp"

#include <ctime>
#include <random>

#include "catch.hpp"
#include "model_writer.hpp"

using namespace gpuplan;
using namespace gpuplan::testing;
using Catch::Contains;

namespace {

files::ByteSource source(const std::string& bytes, std::int64_t size = -1) {
  return {"m.gguf", size < 0 ? std::ssize(bytes) : size,
          [bytes, size](std::int64_t offset, std::int64_t count) -> Result<std::string> {
            std::string part;
            if (offset < std::ssize(bytes))
              part =
                  bytes.substr(static_cast<std::size_t>(offset), static_cast<std::size_t>(count));
            if (size > 0)
              part.resize(static_cast<std::size_t>(std::min(count, size - offset)), '\0');
            return part;
          }};
}

std::string refusal(const std::string& bytes) {
  const auto file = files::read_gguf(source(bytes));
  return file ? "accepted" : messages(file.errors());
}

struct BlockType {
  std::string name;
  std::uint32_t id;
  std::int64_t block, bytes;
  double bits;  // of a weight
};
// Bits of a weight by hand: Q4_0 keeps 32 of 4 bits and a scale of 16, Q6_K 256 in 210 bytes.
const std::vector<BlockType> kBlockTypes{{"F32", 0, 1, 4, 32},
                                         {"F16", 1, 1, 2, 16},
                                         {"Q4_0", 2, 32, 18, 4.5},
                                         {"Q4_1", 3, 32, 20, 5},
                                         {"Q5_0", 6, 32, 22, 5.5},
                                         {"Q5_1", 7, 32, 24, 6},
                                         {"Q8_0", 8, 32, 34, 8.5},
                                         {"Q8_1", 9, 32, 40, 10},
                                         {"Q2_K", 10, 256, 84, 2.625},
                                         {"Q3_K", 11, 256, 110, 3.4375},
                                         {"Q4_K", 12, 256, 144, 4.5},
                                         {"Q5_K", 13, 256, 176, 5.5},
                                         {"Q6_K", 14, 256, 210, 6.5625},
                                         {"Q8_K", 15, 256, 292, 9.125},
                                         {"IQ2_XXS", 16, 256, 66, 2.0625},
                                         {"IQ2_XS", 17, 256, 74, 2.3125},
                                         {"IQ3_XXS", 18, 256, 98, 3.0625},
                                         {"IQ1_S", 19, 256, 50, 1.5625},
                                         {"IQ4_NL", 20, 32, 18, 4.5},
                                         {"IQ3_S", 21, 256, 110, 3.4375},
                                         {"IQ2_S", 22, 256, 82, 2.5625},
                                         {"IQ4_XS", 23, 256, 136, 4.25},
                                         {"I8", 24, 1, 1, 8},
                                         {"I16", 25, 1, 2, 16},
                                         {"I32", 26, 1, 4, 32},
                                         {"I64", 27, 1, 8, 64},
                                         {"F64", 28, 1, 8, 64},
                                         {"IQ1_M", 29, 256, 56, 1.75},
                                         {"BF16", 30, 1, 2, 16},
                                         {"TQ1_0", 34, 256, 54, 1.6875},
                                         {"TQ2_0", 35, 256, 66, 2.0625},
                                         {"MXFP4", 39, 32, 17, 4.25},
                                         {"NVFP4", 40, 64, 36, 4.5},
                                         {"Q1_0", 41, 128, 18, 1.125}};

}  // namespace

TEST_CASE("each block type takes its exact bytes", "[files][gguf]") {
  for (const BlockType& type : kBlockTypes) {
    CAPTURE(type.name);
    CHECK(8.0 * static_cast<double>(type.bytes) / static_cast<double>(type.block) == type.bits);
    GgufWriter writer;
    const auto row = static_cast<std::uint64_t>(2 * type.block);
    writer.tensor("w", type.id, {row, 3}, 6 * type.bytes);
    const auto file = files::read_gguf(source(writer.file()));
    if (!file) FAIL(messages(file.errors()));
    CHECK(file->tensors.front().type == type.name);
    CHECK(file->tensors.front().elements == 6 * type.block);
    CHECK(file->tensors.front().bytes == 6 * type.bytes);
    CHECK(file->tensors.front().shape == std::vector<std::int64_t>{3, 2 * type.block});
    if (type.block == 1) continue;
    GgufWriter broken;
    broken.tensor("w", type.id, {row + 1}, 3 * type.bytes);
    CHECK_THAT(refusal(broken.file()), Contains("no whole blocks of " + type.name));
  }
}

TEST_CASE("values of every type are read, lists are counted", "[files][gguf]") {
  for (const std::uint32_t version : {2U, 3U}) {
    GgufWriter writer;
    writer.version = version;
    const std::string nested = little(9, 4) + little(2, 8) + little(0, 4) + little(1, 8) + "\7" +
                               little(8, 4) + little(1, 8) + GgufWriter::text("x");
    writer.raw("u8", 0, "\xff")
        .raw("i8", 1, "\xff")
        .raw("u16", 2, "\xff\xff")
        .raw("i16", 3, "\xfe\xff");
    writer.raw("u32", 4, little(7, 4)).raw("i32", 5, little(0xfffffff9, 4));
    writer.raw("f32", 6, little(0x3fc00000, 4)).raw("bool", 7, "\1");
    writer.string("text", "words").raw("u64", 10, little(~std::uint64_t{0}, 8));
    writer.raw("i64", 11, little(static_cast<std::uint64_t>(-5), 8));
    writer.raw("f64", 12, little(0x3ff8000000000000, 8));
    writer.numbers("counts", {3, 4, 5}).truths("flags", {true, false}).strings("tokens", 1'000);
    writer.raw("nested", 9, nested).raw("none", 9, little(4, 4) + little(0, 8));
    const auto file = files::read_gguf(source(writer.file()));
    if (!file) FAIL(messages(file.errors()));
    CHECK(file->version == version);
    CHECK(file->number("u8") == 255);
    CHECK(file->number("i8") == -1);
    CHECK(file->number("u16") == 65'535);
    CHECK(file->number("i16") == -2);
    CHECK(file->number("i32") == -7);
    CHECK(file->number("u64") == std::numeric_limits<std::int64_t>::max());
    CHECK(file->number("i64") == -5);
    CHECK(file->find("f32")->real == 1.5);
    CHECK(file->find("f64")->real == 1.5);
    CHECK(file->text("text") == "words");
    CHECK(file->find("counts")->numbers == std::vector<std::int64_t>{3, 4, 5});
    CHECK(file->find("flags")->truths == std::vector<bool>{true, false});
    CHECK(file->find("tokens")->length == 1'000);
    CHECK(file->find("nested")->length == 2);
    CHECK_FALSE(file->number("text").has_value());
  }
}

TEST_CASE("a GGUF file that is cut at any byte is refused", "[files][gguf][hostile]") {
  GgufWriter writer;
  writer.string("general.architecture", "llama").numbers("n", {1, 2}).truths("t", {true});
  writer.f32("w", {4}).f16("v", {2, 3});
  const std::string whole = writer.file();
  REQUIRE(files::read_gguf(source(whole)));
  // Behind the last number there is only filling up to the alignment.
  const std::size_t needed = whole.size() - 20;
  for (std::size_t length = 0; length < needed; ++length) {
    CAPTURE(length);
    CHECK_THAT(refusal(whole.substr(0, length)), Contains("m.gguf") && !Contains("accepted"));
  }
  CHECK(files::read_gguf(source(whole.substr(0, needed))));
}

TEST_CASE("what is no GGUF file of today is named for what it is", "[files][gguf][hostile]") {
  struct Row {
    std::string bytes, says;
  };
  const std::string counts = little(0, 8) + little(0, 8);
  const auto row = GENERATE_COPY(values<Row>({
      {"", "the file ends inside the magic number"},
      {"GGML" + counts, "begins with \"GGML\", \"GGUF\" is needed"},
      {"lmgg" + counts, "a GGML file of before 2023-08"},
      {"GGUF" + little(1, 4) + counts, "GGUF version 1 is not read; 2 and 3 are"},
      {"GGUF" + little(4, 4) + counts, "GGUF version 4 is not known"},
      {"GGUF" + little(0, 4) + counts, "GGUF version 0 is not known"},
      {std::string("GGUF\0\0\0\3", 8) + counts, "the file is big endian"},
  }));
  CHECK_THAT(refusal(row.bytes), Contains(row.says));
}

TEST_CASE("each lie of a GGUF header is told with its place", "[files][gguf][hostile]") {
  struct Row {
    std::string bytes, says;
  };
  const auto head = [](std::uint64_t tensors, std::uint64_t entries) {
    return "GGUF" + little(3, 4) + little(tensors, 8) + little(entries, 8);
  };
  const auto file = [](auto fill) {
    GgufWriter writer;
    fill(writer);
    return writer.file();
  };
  const std::string deep = little(9, 4) + little(1, 8);
  const std::vector<Row> rows{
      {head(std::uint64_t{1} << 40, 0), "byte 8: the number of tensors is 1099511627776, the rest"},
      {head(0, ~std::uint64_t{0}),
       "byte 16: the number of metadata entries is 18446744073709551615"},
      {head(0, 1) + little(std::uint64_t{1} << 60, 8) + std::string(20, 'x'),
       "the length of a metadata key is 1152921504606846976"},
      {head(0, 1) + little(70'000, 8) + std::string(70'000, 'k') + std::string(20, 'x'),
       "is 70000 bytes; at most 65535 are allowed"},
      {file([](GgufWriter& w) { w.raw("k", 13, little(0, 8)); }),
       "has the type 13; types are 0 to 12"},
      {file([](GgufWriter& w) { w.raw("k", 7, "\2"); }), "is 2; a truth value is 0 or 1"},
      {file([](GgufWriter& w) { w.raw("k", 9, little(4, 4) + little(std::uint64_t{1} << 62, 8)); }),
       "the length of the value of \"k\" is 4611686018427387904"},
      {file([](GgufWriter& w) { w.raw("k", 9, little(8, 4) + little(std::uint64_t{1} << 62, 8)); }),
       "the length of the value of \"k\" is"},
      {file([&](GgufWriter& w) {
         w.raw("k", 9, deep + deep + deep + deep + deep + std::string(12, '\0'));
       }),
       "is nested deeper than 4 lists"},
      {file([](GgufWriter& w) { w.number("k", 1).number("k", 2); }),
       "the metadata key \"k\" stands twice"},
      {file([](GgufWriter& w) { w.number("general.alignment", 24); }), "general.alignment is 24"},
      {file([](GgufWriter& w) { w.number("general.alignment", 0); }), "general.alignment is 0"},
      {file([](GgufWriter& w) {
         w.tensor_at("w", 0, {1, 1, 1, 1, 1}, 0);
       }),
       "has 5 dimensions"},
      {file([](GgufWriter& w) { w.tensor_at("w", 99, {4}, 0); }),
       "has the type 99, which is not known; types are 0 F32"},
      {file([](GgufWriter& w) { w.tensor_at("w", 4, {32}, 0); }),
       "has the type 4, which ggml has given up"},
      {file([](GgufWriter& w) {
         w.tensor_at("w", 0, {std::uint64_t{1} << 40, std::uint64_t{1} << 40}, 0);
       }),
       "tensor \"w\": a tensor of [1099511627776, 1099511627776] is larger than any file"},
      {file([](GgufWriter& w) { w.tensor_at("w", 0, {std::uint64_t{1} << 39}, 0); }),
       "ends at byte 2199023255552 of the data, the file has"},
      {file([](GgufWriter& w) { w.tensor_at("w", 0, {4}, 8); }), "no multiple of 32"},
      {file([](GgufWriter& w) { w.tensor_at("w", 0, {4}, ~std::uint64_t{0}); }),
       "begins at byte 18446744073709551615"},
      {file([](GgufWriter& w) { w.f32("w", {4}).f32("w", {4}); }), "tensor \"w\": stands twice"},
      {file([](GgufWriter& w) { w.f32("a", {16}).tensor_at("b", 0, {4}, 32); }),
       "tensor \"b\": starts at byte 32 of the data, where \"a\" still stands"}};
  for (const Row& row : rows) {
    CAPTURE(row.says);
    CHECK_THAT(refusal(row.bytes), Contains(row.says));
  }
}

TEST_CASE("all tensors that lie are told in one run", "[files][gguf][hostile]") {
  GgufWriter writer;
  writer.tensor_at("a", 99, {4}, 0).tensor_at("b", 2, {31}, 0).tensor_at("c", 0, {4}, 8);
  const auto file = files::read_gguf(source(writer.file()));
  REQUIRE_FALSE(file);
  CHECK(file.errors().size() == 3);
}

TEST_CASE("of a file of 40 GB only the header is read", "[files][gguf]") {
  Disk disk;
  GgufWriter writer = small_gguf_metadata();
  writer.strings("tokenizer.ggml.merges", 50'000);
  writer.tensor("blob", 0, {10'000'000'000}, 40'000'000'000);
  writer.put(disk, "big.gguf");
  std::int64_t parts = 0;
  const std::clock_t start = std::clock();
  const auto file = files::read_gguf_parts("big.gguf", disk.access(), parts);
  CHECK(std::clock() - start < CLOCKS_PER_SEC);
  REQUIRE(file);
  CHECK(file->tensors.front().bytes == 40'000'000'000);
  CHECK(disk.bytes_read < 2'000'000);
}

TEST_CASE("the parts of a split file are read as one", "[files][gguf]") {
  const auto part = [](std::uint64_t number, std::uint64_t count) {
    GgufWriter writer;
    writer.number("split.count", count).number("split.no", number).number("split.tensors.count", 3);
    writer.f32("w" + std::to_string(number), {4});
    return writer;
  };
  Disk disk;
  for (std::uint64_t i = 0; i < 3; ++i)
    part(i, 3).put(disk, "d/m-0000" + std::to_string(i + 1) + "-of-00003.gguf");
  const auto read = [&](const std::string& path) {
    std::int64_t parts = 0;
    const auto file = files::read_gguf_parts(path, disk.access(), parts);
    return file ? std::to_string(parts) + " parts, " + std::to_string(file->tensors.size()) +
                      " tensors"
                : messages(file.errors());
  };
  CHECK(read("d/m-00001-of-00003.gguf") == "3 parts, 3 tensors");
  CHECK(read("d/m-00002-of-00003.gguf") == "3 parts, 3 tensors");

  SECTION("a part that is missing is named") {
    disk.files.erase("d/m-00002-of-00003.gguf");
    CHECK_THAT(read("d/m-00001-of-00003.gguf"),
               Contains("d/m-00002-of-00003.gguf: this part of a split model is not there"));
  }
  SECTION("a renamed part is told") {
    part(0, 3).put(disk, "d/m-00002-of-00003.gguf");
    CHECK_THAT(read("d/m-00001-of-00003.gguf"),
               Contains("says that it is part 1, its name says 2"));
  }
  SECTION("a part under a name of its own does not say which it is") {
    part(1, 3).put(disk, "d/second.gguf");
    CHECK_THAT(read("d/second.gguf"),
               Contains("is one of 3 parts, but its name does not say which"));
  }
  SECTION("parts of another model do not add up") {
    GgufWriter other;
    other.number("split.count", 3).number("split.no", 2).f32("w0", {4}).f32("w9", {4});
    other.put(disk, "d/m-00003-of-00003.gguf");
    CHECK_THAT(read("d/m-00001-of-00003.gguf"),
               Contains("tensor \"w0\": stands in two parts") && Contains("hold 4 tensors"));
  }
  SECTION("a number of parts that no model has is refused") {
    part(0, 4'000'000'000).put(disk, "d/m-00001-of-00003.gguf");
    CHECK_THAT(read("d/m-00001-of-00003.gguf"), Contains("one of 4000000000 parts; at most 1000"));
  }
}

TEST_CASE("a GGUF file that is changed at random is refused or sound", "[files][gguf][hostile]") {
  const GgufWriter writer = small_gguf();
  const std::string whole = writer.head();
  std::mt19937_64 random(20'260'102);
  for (int i = 0; i < 3'000; ++i) {
    std::string bytes = whole;
    for (auto changes = random() % 4 + 1; changes-- > 0;)
      bytes[random() % bytes.size()] = static_cast<char>(random());
    const auto file = files::read_gguf(source(bytes, writer.size()));
    if (!file) {
      CHECK_FALSE(file.errors().empty());
      continue;
    }
    std::int64_t sum = 0;
    for (const files::Tensor& tensor : file->tensors) sum += tensor.bytes;
    CHECK(sum <= writer.size());
  }
}
