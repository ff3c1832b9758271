#include <charconv>
#include <set>

#include "core/text.hpp"
#include "spec/files/gguf.hpp"

namespace gpuplan::files {
namespace {

constexpr std::int64_t kMostParts = 1'000;

// "-00002-of-00004.gguf": how llama.cpp names the parts of a split file.
constexpr std::size_t kTail = 20;

std::optional<std::int64_t> five_digits(std::string_view text) {
  std::int64_t value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec != std::errc{} || read.ptr != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string padded(std::int64_t number) {
  std::string digits = std::to_string(number);
  return std::string(5 - std::min<std::size_t>(5, digits.size()), '0') + digits;
}

}  // namespace

Result<std::vector<std::string>> gguf_parts(const std::string& path, const GgufFile& given) {
  const auto count = given.number("split.count");
  if (!count || *count <= 1) return std::vector<std::string>{path};
  const auto fault = [&](std::string message) {
    return Diagnostic{ErrorCode::invalid, path, "split.count", std::move(message),
                      "the parts are named NAME-00001-of-00003.gguf and lie in one folder"};
  };
  if (*count > kMostParts)
    return fault("the file is one of " + std::to_string(*count) + " parts; at most " +
                 std::to_string(kMostParts) + " are read");
  const std::string_view tail =
      path.size() > kTail ? std::string_view(path).substr(path.size() - kTail) : std::string_view{};
  const bool named = tail.size() == kTail && tail.front() == '-' && tail.substr(6, 4) == "-of-" &&
                     tail.ends_with(".gguf") && five_digits(tail.substr(1, 5)) &&
                     five_digits(tail.substr(10, 5)) == *count;
  if (!named)
    return fault("the file is one of " + std::to_string(*count) +
                 " parts, but its name does not say which");
  std::vector<std::string> parts;
  const std::string stem = path.substr(0, path.size() - kTail);
  for (std::int64_t i = 1; i <= *count; ++i)
    parts.push_back(stem + "-" + padded(i) + "-of-" + padded(*count) + ".gguf");
  return parts;
}

namespace {

Result<GgufFile> read_one(const std::string& path, const FileAccess& files) {
  const FileAccess::Look look = files.look(path);
  if (look.kind != FileAccess::Kind::file)
    return Diagnostic{ErrorCode::unreadable, path, "", "this part of a split model is not there",
                      "fetch all parts into one folder"};
  return read_gguf(source_of(path, look.bytes, files));
}

// The first part has the metadata of the model, each part its tensors.
void add_part(GgufFile& whole, GgufFile part, const std::string& path, std::int64_t index,
              Diagnostics& faults) {
  if (const auto number = part.number("split.no"); number && *number != index)
    faults.push_back({ErrorCode::invalid, path, "split.no",
                      "the file says that it is part " + std::to_string(*number + 1) +
                          ", its name says " + std::to_string(index + 1),
                      "was it renamed?"});
  if (index == 0) {
    whole = std::move(part);
    return;
  }
  for (Tensor& tensor : part.tensors) whole.tensors.push_back(std::move(tensor));
}

void check_whole(const GgufFile& whole, const std::string& path, Diagnostics& faults) {
  std::set<std::string_view> names;
  for (const Tensor& tensor : whole.tensors)
    if (!names.insert(tensor.name).second && !enough(faults))
      faults.push_back({ErrorCode::invalid, path, "tensor " + quote(tensor.name),
                        "stands in two parts of the split file", "are the parts of one model?"});
  const auto stated = whole.number("split.tensors.count");
  if (stated && *stated != std::ssize(whole.tensors))
    faults.push_back({ErrorCode::invalid, path, "split.tensors.count",
                      "the parts hold " + std::to_string(whole.tensors.size()) +
                          " tensors, the first part says " + std::to_string(*stated),
                      "are the parts of one model?"});
}

}  // namespace

Result<GgufFile> read_gguf_parts(const std::string& path, const FileAccess& files,
                                 std::int64_t& parts) {
  auto given = read_one(path, files);
  if (!given) return given.errors();
  const auto paths = gguf_parts(path, *given);
  if (!paths) return paths.errors();
  parts = std::ssize(*paths);
  if (parts == 1) return given;
  GgufFile whole;
  Diagnostics faults;
  for (std::int64_t i = 0; i < parts; ++i) {
    const std::string& name = (*paths)[static_cast<std::size_t>(i)];
    auto part = name == path ? given : read_one(name, files);
    if (part)
      add_part(whole, std::move(*part), name, i, faults);
    else if (!enough(faults))
      faults.insert(faults.end(), part.errors().begin(), part.errors().end());
  }
  if (!faults.empty()) return faults;
  check_whole(whole, path, faults);
  if (!faults.empty()) return faults;
  return whole;
}

}  // namespace gpuplan::files
