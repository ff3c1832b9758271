#include "spec/files/gguf.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <set>

#include "core/text.hpp"
#include "spec/files/byte_cursor.hpp"

namespace gpuplan::files {

const GgufValue* GgufFile::find(std::string_view key) const {
  const auto entry = metadata.find(key);
  return entry == metadata.end() ? nullptr : &entry->second;
}

std::optional<std::int64_t> GgufFile::number(std::string_view key) const {
  const GgufValue* value = find(key);
  if (value == nullptr || value->kind != GgufValue::Kind::number) return std::nullopt;
  return value->number;
}

std::string GgufFile::text(std::string_view key) const {
  const GgufValue* value = find(key);
  return value == nullptr ? std::string{} : value->text;
}

namespace {

// The format allows keys of 65,535 bytes and ggml names of 63; files stay far below these.
constexpr std::int64_t kMostKey = 65'535, kMostName = 1'024, kMostText = 1 << 20;
constexpr std::int64_t kMostEntries = 100'000, kMostTensors = 1'000'000;
constexpr int kMostNesting = 4;
constexpr std::uint32_t kMostDimensions = 4;

enum class Read { whole, whole_signed, real, truth, text, list };
struct ValueType {
  std::uint32_t id;
  int bytes;
  Read read;
};
// The value types of the format (GGUF specification, `gguf_metadata_value_type`).
constexpr std::uint32_t kTextType = 8, kListType = 9;
constexpr std::array kValueTypes{
    ValueType{0, 1, Read::whole},        ValueType{1, 1, Read::whole_signed},
    ValueType{2, 2, Read::whole},        ValueType{3, 2, Read::whole_signed},
    ValueType{4, 4, Read::whole},        ValueType{5, 4, Read::whole_signed},
    ValueType{6, 4, Read::real},         ValueType{7, 1, Read::truth},
    ValueType{kTextType, 8, Read::text}, ValueType{kListType, 12, Read::list},
    ValueType{10, 8, Read::whole},       ValueType{11, 8, Read::whole_signed},
    ValueType{12, 8, Read::real}};

class Reader {
 public:
  explicit Reader(const ByteSource& source) : source_(source), in_(source, faults_) {}

  void read() {
    read_magic();
    const std::int64_t count_at = in_.offset();
    const std::int64_t tensors = in_.length(24, "the number of tensors");
    const std::int64_t entries = in_.length(13, "the number of metadata entries");
    if (tensors > kMostTensors || entries > kMostEntries)
      in_.complain(count_at, std::to_string(tensors) + " tensors and " + std::to_string(entries) +
                                 " metadata entries: more than " + std::to_string(kMostTensors) +
                                 " and " + std::to_string(kMostEntries));
    for (std::int64_t i = 0; i < entries && !in_.failed(); ++i) read_entry();
    const std::int64_t alignment = read_alignment();
    if (!in_.failed()) file_.tensors.reserve(static_cast<std::size_t>(tensors));
    for (std::int64_t i = 0; i < tensors && !in_.failed() && !enough(faults_); ++i)
      read_tensor(alignment);
    if (in_.failed() || !faults_.empty()) return;
    check_extents(alignment);
  }
  Result<GgufFile> result() {
    if (!faults_.empty()) return faults_;
    return std::move(file_);
  }

 private:
  void read_magic() {
    const std::string magic = in_.text(4, "the magic number");
    if (in_.failed()) return;
    if (magic != "GGUF") {
      const bool old = magic == "lmgg" || magic == "fmgg" || magic == "tjgg";
      in_.complain(
          0, "the file begins with " + quote(magic) + ", \"GGUF\" is needed",
          old ? "a GGML file of before 2023-08: convert it with llama.cpp" : "is it a GGUF file?");
      return;
    }
    file_.version = in_.u32("the version");
    if (in_.failed() || file_.version == 2 || file_.version == 3) return;
    if (file_.version != 0 && (file_.version & 0xffffU) == 0)
      in_.complain(4, "the file is big endian, for other processors than those of GPU machines",
                   "take the little-endian file, or convert it with gguf_convert_endian.py");
    else if (file_.version == 1)
      in_.complain(4, "GGUF version 1 is not read; 2 and 3 are",
                   "no program writes it since 2023-08: convert the file with llama.cpp");
    else
      in_.complain(4,
                   "GGUF version " + std::to_string(file_.version) + " is not known; 2 and 3 are");
  }

  std::string read_text(std::int64_t most, std::string_view what) {
    const std::int64_t at = in_.offset();
    const std::int64_t bytes = in_.length(1, what);
    if (bytes > most)
      in_.complain(at, std::string(what) + " is " + std::to_string(bytes) + " bytes; at most " +
                           std::to_string(most) + " are allowed");
    return in_.failed() ? std::string{} : in_.text(bytes, what);
  }

  void read_entry() {
    const std::int64_t at = in_.offset();
    const std::string key = read_text(kMostKey, "the length of a metadata key");
    const std::uint32_t type = in_.u32("the type of a metadata value");
    GgufValue value = read_value(type, "the value of " + quote(key), 0);
    if (in_.failed()) return;
    if (!file_.metadata.emplace(key, std::move(value)).second)
      in_.complain(at, "the metadata key " + quote(key) + " stands twice");
  }

  const ValueType* value_type(std::uint32_t id, std::string_view what) {
    const auto row = std::ranges::find(kValueTypes, id, &ValueType::id);
    if (row != kValueTypes.end()) return &*row;
    in_.complain(in_.offset() - 4,
                 std::string(what) + " has the type " + std::to_string(id) + "; types are 0 to 12");
    return nullptr;
  }

  GgufValue read_value(std::uint32_t id, const std::string& what, int depth) {
    GgufValue value;
    const ValueType* type = in_.failed() ? nullptr : value_type(id, what);
    if (type == nullptr) return value;
    switch (type->read) {
      case Read::whole:
        read_whole(value, *type, what);
        break;
      case Read::whole_signed:
        read_signed(value, *type, what);
        break;
      case Read::real:
        read_real(value, *type, what);
        break;
      case Read::truth:
        read_truth(value, what);
        break;
      case Read::text:
        value.kind = GgufValue::Kind::text;
        value.text = read_text(kMostText, what);
        break;
      case Read::list:
        read_list(value, what, depth);
        break;
    }
    return value;
  }
  void read_whole(GgufValue& value, const ValueType& type, std::string_view what) {
    const std::uint64_t bits = in_.number(type.bytes, what);
    // A count above any int64 is one above any limit as well.
    value.number = static_cast<std::int64_t>(
        std::min<std::uint64_t>(bits, std::numeric_limits<std::int64_t>::max()));
  }
  void read_signed(GgufValue& value, const ValueType& type, std::string_view what) {
    const std::uint64_t bits = in_.number(type.bytes, what);
    const unsigned unused = 64U - 8U * static_cast<unsigned>(type.bytes);
    value.number = static_cast<std::int64_t>(bits << unused) >> unused;
  }
  void read_real(GgufValue& value, const ValueType& type, std::string_view what) {
    value.kind = GgufValue::Kind::real;
    const std::uint64_t bits = in_.number(type.bytes, what);
    value.real = type.bytes == 4 ? std::bit_cast<float>(static_cast<std::uint32_t>(bits))
                                 : std::bit_cast<double>(bits);
  }
  void read_truth(GgufValue& value, std::string_view what) {
    value.kind = GgufValue::Kind::truth;
    const std::int64_t at = in_.offset();
    const std::uint64_t byte = in_.number(1, what);
    if (byte > 1)
      in_.complain(at,
                   std::string(what) + " is " + std::to_string(byte) + "; a truth value is 0 or 1");
    value.number = byte == 1 ? 1 : 0;
  }
  // Vocabularies are lists of 150,000 texts: they are passed over, only their length counts.
  void read_list(GgufValue& value, const std::string& what, int depth) {
    value.kind = GgufValue::Kind::list;
    const std::int64_t at = in_.offset();
    if (depth == kMostNesting) {
      in_.complain(at, what + " is nested deeper than " + std::to_string(kMostNesting) + " lists");
      return;
    }
    const std::uint32_t id = in_.u32(what);
    const ValueType* type = in_.failed() ? nullptr : value_type(id, what);
    if (type == nullptr) return;
    value.length = in_.length(type->bytes, "the length of " + what);
    if (type->read == Read::text || type->read == Read::list) {
      for (std::int64_t i = 0; i < value.length && !in_.failed(); ++i) {
        if (type->read == Read::list)
          (void)read_value(id, what, depth + 1);
        else
          in_.skip(in_.length(1, what), what);
      }
      return;
    }
    if (type->read == Read::real || value.length > kMostListed) {
      in_.skip(value.length * type->bytes, what);
      return;
    }
    for (std::int64_t i = 0; i < value.length && !in_.failed(); ++i) {
      const std::int64_t entry = read_value(id, what, depth + 1).number;
      if (type->read == Read::truth)
        value.truths.push_back(entry != 0);
      else
        value.numbers.push_back(entry);
    }
  }

  std::int64_t read_alignment() {
    constexpr std::int64_t kUsual = 32, kMost = 1 << 20;
    const GgufValue* value = in_.failed() ? nullptr : file_.find("general.alignment");
    if (value == nullptr) return kUsual;
    const std::int64_t stated = value->number;
    const bool power = stated > 0 && (stated & (stated - 1)) == 0;
    if (value->kind == GgufValue::Kind::number && power && stated >= 8 && stated <= kMost)
      return stated;
    in_.complain(in_.offset(), "general.alignment is " + std::to_string(stated) +
                                   "; it is a power of two from 8 to " + std::to_string(kMost));
    return kUsual;
  }

  void read_tensor(std::int64_t alignment) {
    const std::int64_t at = in_.offset();
    Tensor tensor;
    tensor.name = read_text(kMostName, "the length of a tensor's name");
    const std::string who = "tensor " + quote(tensor.name);
    const std::uint32_t sides = in_.u32("the dimensions of " + who);
    if (sides > kMostDimensions)
      in_.complain(at, who + " has " + std::to_string(sides) + " dimensions; 1 to 4 are allowed");
    for (std::uint32_t i = 0; i < sides && !in_.failed(); ++i) {
      const std::uint64_t side = in_.u64("the shape of " + who);
      tensor.shape.insert(tensor.shape.begin(), static_cast<std::int64_t>(std::min<std::uint64_t>(
                                                    side, kMostElements + 1)));
    }
    const std::uint32_t id = in_.u32("the type of " + who);
    const std::uint64_t offset = in_.u64("the offset of " + who);
    if (in_.failed()) return;
    place(std::move(tensor), id, offset, alignment);
  }

  void complain_of(const std::string& tensor, std::string message, std::string hint = {}) {
    faults_.push_back({ErrorCode::invalid, source_.name, "tensor " + quote(tensor),
                       std::move(message), std::move(hint)});
  }

  void place(Tensor tensor, std::uint32_t id, std::uint64_t offset, std::int64_t alignment) {
    const std::size_t before = faults_.size();
    if (!names_.insert(tensor.name).second) complain_of(tensor.name, "stands twice");
    const GgufType* type = gguf_type(id);
    if (type == nullptr) {
      complain_of(
          tensor.name,
          "has the type " + std::to_string(id) +
              (gguf_type_removed(id) ? ", which ggml has given up" : ", which is not known"),
          "types are " + gguf_type_names());
      return;
    }
    const auto elements = elements_of(tensor.shape);
    const std::string shape = show_shape(tensor.shape);
    if (!elements || *elements > kMostElements / type->bytes)
      complain_of(tensor.name, "a tensor of " + shape + " is larger than any file");
    else if (!tensor.shape.empty() && tensor.shape.back() % type->block != 0)
      complain_of(tensor.name, "rows of " + std::to_string(tensor.shape.back()) +
                                   " numbers are no whole blocks of " + std::string(type->name) +
                                   ", which take " + std::to_string(type->block));
    if (offset > static_cast<std::uint64_t>(source_.bytes))
      complain_of(tensor.name,
                  "begins at byte " + std::to_string(offset) + " of the data; the whole file has " +
                      std::to_string(source_.bytes),
                  "the file is cut short: fetch it again");
    else if (offset % static_cast<std::uint64_t>(alignment) != 0)
      complain_of(tensor.name, "begins at byte " + std::to_string(offset) +
                                   " of the data; that is no multiple of " +
                                   std::to_string(alignment));
    if (faults_.size() > before) return;
    tensor.type = type->name;
    tensor.elements = *elements;
    tensor.bytes = *elements / type->block * type->bytes;
    const auto begin = static_cast<std::int64_t>(offset);
    extents_.push_back({begin, begin + tensor.bytes, file_.tensors.size()});
    file_.tensors.push_back(std::move(tensor));
  }

  void check_extents(std::int64_t alignment) {
    const std::int64_t start = (in_.offset() + alignment - 1) / alignment * alignment;
    const std::int64_t room = std::max<std::int64_t>(source_.bytes - start, 0);
    for (const Extent& extent : extents_) {
      if (enough(faults_)) break;
      if (extent.end > room)
        complain_of(file_.tensors[extent.tensor].name,
                    "ends at byte " + std::to_string(extent.end) + " of the data, the file has " +
                        std::to_string(room),
                    "the file is cut short: fetch it again");
    }
    if (faults_.empty()) check_overlaps(extents_, file_.tensors, source_.name, faults_);
  }

  const ByteSource& source_;
  Diagnostics faults_;
  ByteCursor in_;
  GgufFile file_;
  std::set<std::string, std::less<>> names_;
  std::vector<Extent> extents_;
};

}  // namespace

Result<GgufFile> read_gguf(const ByteSource& source) {
  if (auto fault = impossible_size(source)) return *fault;
  Reader reader(source);
  reader.read();
  return reader.result();
}

}  // namespace gpuplan::files
