#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "spec/files/tensors.hpp"

namespace gpuplan::files {

// A value of the metadata: a number, a text, or a list, of which only the first entries are kept.
struct GgufValue {
  enum class Kind { number, real, truth, text, list };
  Kind kind = Kind::number;
  std::int64_t number = 0;
  double real = 0;
  std::string text;
  std::int64_t length = 0;            // of a list, as the file says
  std::vector<std::int64_t> numbers;  // of a list of whole numbers, when it is not longer than
                                      // kMostListed
  std::vector<bool> truths;           // of a list of truth values, likewise
};
constexpr std::int64_t kMostListed = 16'384;

// One GGUF file. Tensor shapes have rows first, as everywhere here; the file has them last.
struct GgufFile {
  std::uint32_t version = 0;
  std::map<std::string, GgufValue, std::less<>> metadata;
  Tensors tensors;

  const GgufValue* find(std::string_view key) const;
  std::optional<std::int64_t> number(std::string_view key) const;
  std::string text(std::string_view key) const;
};
Result<GgufFile> read_gguf(const ByteSource& source);

// The block types of GGUF: so many numbers in so many bytes.
struct GgufType {
  std::string_view name;
  std::uint32_t id;
  std::int64_t block;
  std::int64_t bytes;
};
// Null when the number is not that of a type that tensors can have.
const GgufType* gguf_type(std::uint32_t id);
std::string gguf_type_names();
bool gguf_type_removed(std::uint32_t id);  // it was one once

// All parts of a split file in order, or the one file.
Result<std::vector<std::string>> gguf_parts(const std::string& path, const GgufFile& given);
Result<GgufFile> read_gguf_parts(const std::string& path, const FileAccess& files,
                                 std::int64_t& parts);

}  // namespace gpuplan::files
