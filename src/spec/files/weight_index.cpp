#include "spec/files/weight_index.hpp"

#include <algorithm>
#include <map>
#include <unordered_set>

#include "core/json.hpp"
#include "core/text.hpp"

namespace gpuplan::files {
namespace {

constexpr JsonLimits kLimits{.depth = 16, .text_bytes = 1 << 20, .values = 4'000'000};
constexpr std::int64_t kMostBytes = 1'000'000'000'000'000;

// A name with a way in it could lead anywhere on the disk.
bool plain_name(std::string_view name) {
  return !name.empty() && name.find('/') == std::string_view::npos &&
         name.find('\\') == std::string_view::npos && name.find('\0') == std::string_view::npos &&
         name != "." && name != ".." && name.size() < 256;
}

void read_total(const JsonReader& whole, WeightIndex& index) {
  const auto metadata = whole.find("metadata");
  if (!metadata || !metadata->is_object()) return;
  if (const auto total = metadata->find("total_size"))
    index.total_bytes = total->integer(1, kMostBytes);
}

void read_map(const JsonReader& whole, const Diagnostics& faults, WeightIndex& index) {
  const JsonReader map = whole.at("weight_map");
  if (!whole.has("weight_map") || !map.is_object()) return;
  std::map<std::string, std::size_t> files;
  for (const auto& [tensor, value] : map.members()) {
    if (enough(faults)) return;
    const std::string file = value.text();
    if (value.node().is(JsonNode::Kind::string) && !plain_name(file))
      value.complain("expected the name of a file beside the index, got " + quote(file));
    files.emplace(file, 0);
  }
  if (!faults.empty()) return;
  for (auto& [file, place] : files) {
    place = index.files.size();
    index.files.push_back(file);
  }
  for (const auto& [tensor, value] : map.members())
    index.entries.push_back({tensor, files.at(std::string(value.node().text))});
  if (index.entries.empty()) map.complain("the index names no tensor");
}

}  // namespace

bool looks_like_index(std::string_view text) {
  return text.find("\"weight_map\"") != std::string_view::npos;
}

Result<WeightIndex> read_weight_index(std::string_view text, const std::string& source) {
  const auto node = parse_json(text, source, kLimits);
  if (!node) return node.errors();
  Diagnostics faults;
  const JsonContext context{.source = source, .faults = &faults};
  const JsonReader whole(node->root(), context);
  WeightIndex index;
  if (whole.is_object()) {
    read_total(whole, index);
    read_map(whole, faults, index);
  }
  if (!faults.empty()) return faults;
  return index;
}

Result<Tensors> read_shards(const std::vector<std::string>& paths, const FileAccess& files) {
  Tensors all;
  Diagnostics faults;
  std::unordered_set<std::string> names;
  for (const std::string& path : paths) {
    auto tensors = read_safetensors(source_of(path, files.look(path).bytes, files));
    if (!tensors) {
      faults.insert(faults.end(), tensors.errors().begin(), tensors.errors().end());
      if (enough(faults)) return faults;
      continue;
    }
    for (Tensor& tensor : *tensors) {
      if (!names.insert(tensor.name).second && !enough(faults))
        faults.push_back({ErrorCode::invalid, path, "tensor " + quote(tensor.name),
                          "stands in two files of the model", "are the files of one model?"});
      all.push_back(std::move(tensor));
    }
  }
  if (!faults.empty()) return faults;
  return all;
}

void check_against_index(const WeightIndex& index, const std::string& source,
                         const Tensors& tensors, Diagnostics& faults) {
  std::unordered_set<std::string_view> found, listed;
  for (const Tensor& tensor : tensors) found.insert(tensor.name);
  for (const WeightIndex::Entry& entry : index.entries) {
    listed.insert(entry.tensor);
    if (!found.contains(entry.tensor) && !enough(faults))
      faults.push_back({ErrorCode::invalid, source, "/weight_map/" + pointer_token(entry.tensor),
                        "the files beside the index do not hold this tensor",
                        "are index and files of one model?"});
  }
  for (const Tensor& tensor : tensors)
    if (!listed.contains(tensor.name) && !enough(faults))
      faults.push_back({ErrorCode::invalid, source, "/weight_map",
                        "the tensor " + quote(tensor.name) + " of the files is not listed",
                        "are index and files of one model?"});
}

}  // namespace gpuplan::files
