#include "spec/files/model_weights.hpp"

#include <algorithm>
#include <charconv>

#include "core/text.hpp"
#include "spec/files/shapes.hpp"

namespace gpuplan::files {
namespace {

// "-00002-of-00004" before the ending.
struct Part {
  std::int64_t number = 0, count = 0;
  std::size_t at = 0;  // where it begins in the name
};
std::optional<Part> part_of(std::string_view name) {
  constexpr std::size_t kWidth = 15;
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos || dot < kWidth) return std::nullopt;
  const std::string_view part = name.substr(dot - kWidth, kWidth);
  const auto five = [&](std::size_t at, std::int64_t& value) {
    const char* end = part.data() + at + 5;
    const auto read = std::from_chars(part.data() + at, end, value);
    return read.ec == std::errc{} && read.ptr == end;
  };
  Part found{.at = dot - kWidth};
  if (part.front() != '-' || part.substr(6, 4) != "-of-" || !five(1, found.number) ||
      !five(10, found.count))
    return std::nullopt;
  return found.number >= 1 && found.number <= found.count ? std::optional{found} : std::nullopt;
}

std::string five_digits(std::int64_t number) {
  const std::string digits = std::to_string(number);
  return std::string(5 - std::min<std::size_t>(5, digits.size()), '0') + digits;
}

Diagnostic missing(const std::string& path) {
  return {ErrorCode::unreadable, path, "", "this file of a model in several parts is not there",
          "fetch all parts into one folder"};
}

std::string name_of_path(const std::string& source) {
  std::string path = source;
  for (const std::string_view ending :
       {"/config.json", "/model.safetensors", ".safetensors.index.json", "/model", ".safetensors"})
    if (path.ends_with(ending)) path.resize(path.size() - ending.size());
  return path.substr(path.rfind('/') + 1);
}

ModelShape shape_by_size(const FoundWeights& weights, const StoredWeights& stored,
                         const std::string& source, Warnings& warnings) {
  const std::string name = name_of_path(source);
  // An index alone: its bytes are taken for 16-bit numbers.
  const std::int64_t parameters =
      weights.tensors ? stored.parameters : std::max<std::int64_t>(1, weights.total_bytes / 2);
  warnings.push_back(
      {"model_by_size",
       quote(name) + " has no config.json beside it, and " +
           (weights.tensors ? "its tensors' names or sides lead to no known shape"
                            : "of its weights only the total size is known") +
           ": the shape of a usual dense model of " + show_count(static_cast<double>(parameters)) +
           " parameters is assumed, the range is wide; the bytes of the weights are exact",
       "model"});
  ModelShape shape = shape_of_size(name, std::max<std::int64_t>(parameters, 1));
  shape.source = source;
  return shape;
}

StoredWeights total_only(const FoundWeights& weights) {
  StoredWeights stored;
  stored.format = "safetensors";
  stored.files = weights.files;
  stored.bytes = Bytes::of(weights.total_bytes);
  return stored;
}

// An index without its files names no types: the bytes of a parameter tell the precision.
void precision_of_total(const ModelShape& shape, StoredWeights& stored) {
  const auto parameters = static_cast<double>(count_parameters(shape).total());
  const double bits = parameters > 0 ? 8 * stored.bytes.as_double() / parameters : 16;
  stored.precision = bits > 24   ? Precision::fp32
                     : bits > 12 ? Precision::bf16
                     : bits > 6  ? Precision::fp8
                                 : Precision::int4;
  stored.precision_from = "bytes of the index over the parameters of the shape";
}

}  // namespace

std::vector<std::string> shards_of(const std::string& path) {
  const auto part = part_of(path);
  if (!part || part->count > 10'000) return {path};
  std::vector<std::string> paths;
  for (std::int64_t i = 1; i <= part->count; ++i)
    paths.push_back(path.substr(0, part->at) + "-" + five_digits(i) + "-of-" +
                    five_digits(part->count) + path.substr(path.rfind('.')));
  return paths;
}

bool first_of_its_parts(std::string_view name) {
  const auto part = part_of(name);
  return !part || part->number == 1;
}

Result<FoundWeights> weights_of_files(const std::vector<std::string>& paths,
                                      const FileAccess& files) {
  Diagnostics faults;
  for (const std::string& path : paths)
    if (files.look(path).kind != FileAccess::Kind::file && !enough(faults))
      faults.push_back(missing(path));
  if (!faults.empty()) return faults;
  auto tensors = read_shards(paths, files);
  if (!tensors) return tensors.errors();
  FoundWeights weights;
  weights.files = std::ssize(paths);
  for (const Tensor& tensor : *tensors) weights.total_bytes += tensor.bytes;
  weights.tensors = std::move(*tensors);
  return weights;
}

Result<FoundWeights> weights_of_index(const std::string& path, const std::string& text,
                                      const FileAccess& files, Warnings& warnings) {
  const auto index = read_weight_index(text, path);
  if (!index) return index.errors();
  const std::string folder = path.substr(0, path.rfind('/') + 1);
  std::vector<std::string> paths, absent;
  for (const std::string& name : index->files) {
    paths.push_back(folder + name);
    if (files.look(paths.back()).kind != FileAccess::Kind::file) absent.push_back(name);
  }
  if (absent.empty()) {
    auto weights = weights_of_files(paths, files);
    if (!weights) return weights;
    Diagnostics faults;
    check_against_index(*index, path, *weights->tensors, faults);
    if (!faults.empty()) return faults;
    if (index->total_bytes && *index->total_bytes != weights->total_bytes)
      warnings.push_back({"index_total_differs",
                          "the index says " + std::to_string(*index->total_bytes) +
                              " bytes, its files hold " + std::to_string(weights->total_bytes) +
                              ": the files count",
                          path});
    return weights;
  }
  if (!index->total_bytes)
    return Diagnostic{
        ErrorCode::invalid, path, "/metadata",
        "the index states no total_size, and " + quote(absent.front()) + " is not beside it",
        "fetch the files, or give the config.json instead"};
  warnings.push_back({"weights_not_there",
                      std::to_string(absent.size()) + " of " + std::to_string(index->files.size()) +
                          " files of weights are not beside the index: its total counts, without "
                          "kinds and types",
                      path});
  FoundWeights weights;
  weights.total_bytes = *index->total_bytes;
  weights.files = std::ssize(index->files);
  return weights;
}

Result<ModelShape> join_weights(std::optional<ModelShape> shape, FoundWeights weights,
                                const std::string& source, Warnings& warnings) {
  if (!weights.tensors) {
    StoredWeights stored = total_only(weights);
    if (!shape) shape = shape_by_size(weights, stored, source, warnings);
    precision_of_total(*shape, stored);
    shape->stored = std::move(stored);
    return *shape;
  }
  const NamedTensors named = name_tensors(std::move(*weights.tensors), weights.packed_bits);
  weights.tensors.emplace();
  StoredWeights stored = sum_tensors(named, "safetensors", weights.files);
  if (stored.tensors == 0)
    return Diagnostic{ErrorCode::invalid, source, "", "the file holds no tensors", ""};
  if (!shape) {
    shape = shape_of_tensors(named);
    if (shape) shape->name = name_of_path(source);
    if (shape) shape->source = source;
  }
  if (!shape) {
    explain_differences(named, ModelShape{}, stored);
    shape = shape_by_size(weights, stored, source, warnings);
  }
  explain_differences(named, *shape, stored);
  name_precision(named, stored);
  shape->stored = std::move(stored);
  return *shape;
}

Result<ModelShape> read_gguf_model(const std::string& path, const FileAccess& files,
                                   Warnings& warnings) {
  std::int64_t parts = 1;
  auto file = read_gguf_parts(path, files, parts);
  if (!file) return file.errors();
  const NamedTensors named = name_tensors(std::move(file->tensors));
  auto shape = shape_of_gguf(*file, named, path, warnings);
  if (!shape) return shape;
  StoredWeights stored = sum_tensors(named, "gguf", parts);
  explain_differences(named, *shape, stored);
  name_gguf_precision(file->number("general.file_type"), stored);
  shape->stored = std::move(stored);
  return shape;
}

}  // namespace gpuplan::files
