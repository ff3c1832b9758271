#include "spec/files/tensors.hpp"

#include <algorithm>
#include <tuple>

#include "core/text.hpp"

namespace gpuplan::files {

ByteSource source_of(const std::string& path, std::int64_t bytes, const FileAccess& files) {
  return {path, bytes, [path, read = files.read_at](std::int64_t offset, std::int64_t count) {
            return read(path, offset, count);
          }};
}

std::optional<Diagnostic> impossible_size(const ByteSource& source) {
  if (source.bytes <= kMostFileBytes) return std::nullopt;
  return Diagnostic{ErrorCode::invalid, source.name, "",
                    "the file has " + std::to_string(source.bytes) + " bytes; at most " +
                        std::to_string(kMostFileBytes) + " are read",
                    "is it a model file?"};
}

std::optional<std::int64_t> elements_of(const std::vector<std::int64_t>& shape) {
  // A side of 0 makes any other side harmless.
  if (std::ranges::find(shape, 0) != shape.end()) return 0;
  std::int64_t product = 1;
  for (const std::int64_t side : shape)
    if (side < 0 || __builtin_mul_overflow(product, side, &product) || product > kMostElements)
      return std::nullopt;
  return product;
}

std::string show_shape(const std::vector<std::int64_t>& shape) {
  std::string text = "[";
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (i == 8) return text + ", ...]";
    text += (i > 0 ? ", " : "") + std::to_string(shape[i]);
  }
  return text + "]";
}

void check_overlaps(std::vector<Extent> extents, const Tensors& tensors, const std::string& source,
                    Diagnostics& faults) {
  std::erase_if(extents, [](const Extent& extent) { return extent.begin >= extent.end; });
  std::ranges::sort(extents, {}, [](const Extent& extent) {
    return std::tuple(extent.begin, extent.end, extent.tensor);
  });
  for (std::size_t i = 1; i < extents.size() && !enough(faults); ++i) {
    const Extent &before = extents[i - 1], &here = extents[i];
    if (here.begin >= before.end) continue;
    faults.push_back({ErrorCode::invalid, source, "tensor " + quote(tensors[here.tensor].name),
                      "starts at byte " + std::to_string(here.begin) + " of the data, where " +
                          quote(tensors[before.tensor].name) + " still stands, up to " +
                          std::to_string(before.end),
                      "the file is damaged: fetch it again"});
  }
}

}  // namespace gpuplan::files
