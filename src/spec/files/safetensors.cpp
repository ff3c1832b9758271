#include <algorithm>
#include <array>
#include <charconv>

#include "core/json.hpp"
#include "core/text.hpp"
#include "spec/files/tensors.hpp"

namespace gpuplan::files {
namespace {

// The reference reader refuses longer headers (safetensors, `MAX_HEADER_SIZE`).
constexpr std::int64_t kMostHeader = 100'000'000;
// A tensor takes about eight values; the largest models have under 200,000 tensors a file.
constexpr JsonLimits kLimits{.depth = 8, .text_bytes = 1 << 20, .values = 4'000'000};
constexpr std::int64_t kLengthBytes = 8;

struct Type {
  std::string_view name;
  std::int64_t bits;
};
// The types of the format: safetensors, `Dtype`.
constexpr std::array kTypes{
    Type{"BF16", 16},       Type{"BOOL", 8},    Type{"C64", 64},        Type{"F16", 16},
    Type{"F32", 32},        Type{"F4", 4},      Type{"F64", 64},        Type{"F6_E2M3", 6},
    Type{"F6_E3M2", 6},     Type{"F8_E4M3", 8}, Type{"F8_E4M3FNUZ", 8}, Type{"F8_E5M2", 8},
    Type{"F8_E5M2FNUZ", 8}, Type{"F8_E8M0", 8}, Type{"I16", 16},        Type{"I32", 32},
    Type{"I64", 64},        Type{"I8", 8},      Type{"U16", 16},        Type{"U32", 32},
    Type{"U64", 64},        Type{"U8", 8}};

static_assert(std::ranges::is_sorted(kTypes, {}, &Type::name));

Diagnostic fault(const ByteSource& source, std::int64_t offset, std::string message,
                 std::string hint) {
  return {ErrorCode::invalid, source.name, "byte " + std::to_string(offset), std::move(message),
          std::move(hint)};
}

// The length of the header, from the first eight bytes.
Result<std::int64_t> header_length(const ByteSource& source) {
  constexpr std::string_view kForm = "a safetensors file begins with the length of its header";
  if (source.bytes < kLengthBytes)
    return fault(source, 0, "the file has " + std::to_string(source.bytes) + " bytes, 8 are needed",
                 std::string(kForm));
  const auto bytes = source.read(0, kLengthBytes);
  if (!bytes) return bytes.errors();
  if (std::ssize(*bytes) < kLengthBytes)
    return fault(source, 0, "the file ends inside the first 8 bytes", std::string(kForm));
  std::uint64_t length = 0;
  for (std::size_t i = 8; i-- > 0;) length = length << 8U | static_cast<unsigned char>((*bytes)[i]);
  const auto room = static_cast<std::uint64_t>(source.bytes - kLengthBytes);
  if (length < 2 || length > static_cast<std::uint64_t>(kMostHeader) || length > room)
    return fault(source, 0,
                 "the header is said to have " + std::to_string(length) +
                     " bytes; allowed are 2 to " +
                     std::to_string(std::min<std::uint64_t>(room, kMostHeader)),
                 length > room && length <= static_cast<std::uint64_t>(kMostHeader)
                     ? "the file is cut short: fetch it again"
                     : "is it a safetensors file?");
  return static_cast<std::int64_t>(length);
}

Result<std::string> header_text(const ByteSource& source) {
  const auto length = header_length(source);
  if (!length) return length.errors();
  auto text = source.read(kLengthBytes, *length);
  if (!text) return text.errors();
  if (std::ssize(*text) < *length)
    return fault(source, kLengthBytes, "the file ends inside its header", "fetch it again");
  if (text->front() != '{')
    return fault(source, kLengthBytes,
                 "the header begins with " + quote(text->substr(0, 1)) + ", a { is needed",
                 "is it a safetensors file?");
  return text;
}

// A million numbers: plain digits need no decimal arithmetic.
std::int64_t whole(const JsonReader& reader) {
  const JsonNode& node = reader.node();
  std::int64_t value = 0;
  const char* end = node.text.data() + node.text.size();
  const auto read = std::from_chars(node.text.data(), end, value);
  const bool plain = node.is(JsonNode::Kind::number) && read.ec == std::errc{} && read.ptr == end;
  return plain && value >= 0 && value <= kMostElements ? value : reader.integer(0, kMostElements);
}

class Reader {
 public:
  Reader(const ByteSource& source, std::int64_t data_bytes) : source_(source), room_(data_bytes) {}

  void read(const JsonReader& header) {
    for (const auto& [name, entry] : header.members()) {
      if (enough(faults_)) return;
      if (name == "__metadata__") continue;
      read_tensor(name, entry);
    }
    if (faults_.empty()) check_extents();
  }
  Diagnostics& faults() { return faults_; }
  Tensors take() { return std::move(tensors_); }

 private:
  void read_tensor(const std::string& name, const JsonReader& entry) {
    if (!entry.is_object()) return;
    const std::size_t before = faults_.size();
    Tensor tensor{.name = name, .type = {}, .shape = {}, .elements = 0, .bytes = 0};
    const Type* type = type_of(entry.at("dtype"));
    for (const JsonReader& side : entry.at("shape").items()) tensor.shape.push_back(whole(side));
    const auto offsets = entry.at("data_offsets").items();
    if (offsets.size() != 2 && faults_.size() == before)
      entry.at("data_offsets")
          .complain("expected [begin, end], got " + std::to_string(offsets.size()) + " numbers");
    if (faults_.size() > before || type == nullptr) return;
    tensor.type = type->name;
    place(entry, *type, Extent{whole(offsets[0]), whole(offsets[1]), tensors_.size()},
          std::move(tensor));
  }
  const Type* type_of(const JsonReader& reader) const {
    const std::string name = reader.text();
    const auto row = std::ranges::lower_bound(kTypes, name, {}, &Type::name);
    if (row != kTypes.end() && row->name == name) return &*row;
    std::vector<std::string> names;
    for (const Type& type : kTypes) names.emplace_back(type.name);
    if (reader.node().is(JsonNode::Kind::string))
      reader.complain_expected("one of " + join(names, ", "));
    return nullptr;
  }
  void place(const JsonReader& entry, const Type& type, const Extent& extent, Tensor tensor) {
    const std::size_t before = faults_.size();
    const auto elements = elements_of(tensor.shape);
    if (!elements || *elements > kMostElements / type.bits) {
      entry.at("shape").complain("a tensor of " + show_shape(tensor.shape) +
                                 " is larger than any file");
      return;
    }
    tensor.elements = *elements;
    tensor.bytes = *elements * type.bits / 8;
    const JsonReader offsets = entry.at("data_offsets");
    const std::string found =
        "[" + std::to_string(extent.begin) + ", " + std::to_string(extent.end) + "]";
    if (extent.begin > extent.end)
      offsets.complain("the end comes before the beginning: " + found);
    else if (*elements * type.bits % 8 != 0 || extent.end - extent.begin != tensor.bytes)
      offsets.complain(found + " is " + std::to_string(extent.end - extent.begin) + " bytes; " +
                       show_shape(tensor.shape) + " of " + std::string(type.name) + " takes " +
                       std::to_string(tensor.bytes));
    else if (extent.end > room_)
      offsets.complain("the tensor ends at byte " + std::to_string(extent.end) +
                           " of the data, the file has " + std::to_string(room_),
                       "the file is cut short: fetch it again");
    if (faults_.size() > before) return;
    extents_.push_back(extent);
    tensors_.push_back(std::move(tensor));
  }
  // The data has no holes and nothing behind it: the reference reader refuses both.
  void check_extents() {
    check_overlaps(extents_, tensors_, source_.name, faults_);
    if (!faults_.empty()) return;
    std::int64_t sum = 0;  // no overlaps, and each ends inside the file
    for (const Tensor& tensor : tensors_) sum += tensor.bytes;
    if (sum == room_) return;
    faults_.push_back({ErrorCode::invalid, source_.name, "",
                       "the tensors take " + std::to_string(sum) + " bytes, the file holds " +
                           std::to_string(room_) + " behind its header",
                       "the file is damaged: fetch it again"});
  }

  const ByteSource& source_;
  std::int64_t room_;
  Diagnostics faults_;
  std::vector<Extent> extents_;
  Tensors tensors_;
};

}  // namespace

Result<Tensors> read_safetensors(const ByteSource& source) {
  if (auto fault = impossible_size(source)) return *fault;
  const auto text = header_text(source);
  if (!text) return text.errors();
  const auto node = parse_json(*text, source.name, kLimits);
  if (!node) return node.errors();
  Reader reader(source, source.bytes - kLengthBytes - std::ssize(*text));
  const JsonContext context{.source = source.name, .faults = &reader.faults()};
  reader.read(JsonReader(node->root(), context));
  if (!reader.faults().empty()) return reader.faults();
  return reader.take();
}

}  // namespace gpuplan::files
