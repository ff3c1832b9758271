#include <algorithm>
#include <cctype>

#include "core/text.hpp"
#include "gpuplan/model_files.hpp"
#include "gpuplan/plan.hpp"

namespace gpuplan {
namespace {

bool names_a_file(std::string_view model) {
  return model.ends_with(".json") || model.starts_with("./") || model.starts_with("../") ||
         model.starts_with('/') || model.ends_with('/') || model == "-";
}

// "Foo-13B-chat" says 13 billion; "v2.5b" or "8bit" say nothing.
std::optional<std::int64_t> size_in_name(std::string_view name) {
  const auto separator = [](char c) {
    return c == '-' || c == '_' || c == '/' || c == ' ' || c == ':';
  };
  for (std::size_t from = 0; from < name.size();) {
    const auto to = static_cast<std::size_t>(
        std::find_if(name.begin() + static_cast<std::ptrdiff_t>(from), name.end(), separator) -
        name.begin());
    const std::string_view word = name.substr(from, to - from);
    if (word.size() >= 2 && (word.back() == 'b' || word.back() == 'B') &&
        std::isdigit(static_cast<unsigned char>(word.front())) != 0) {
      const auto size = parse_count(word);
      if (size && *size >= 1'000'000) return size;
    }
    from = to + 1;
  }
  return std::nullopt;
}

Diagnostic unknown_model(const std::string& name, const ModelTable& models) {
  const auto similar = models.similar(name);
  std::string hint = similar.empty()
                         ? "see `gpuplan models`, or give a size such as 7b, or a model file"
                         : "did you mean \"" + similar.front() + "\"? See `gpuplan models`";
  return {ErrorCode::unknown_name, "--model", "", "unknown model " + quote(name), std::move(hint)};
}

Warning by_size(std::string_view name, std::int64_t parameters) {
  return {"model_by_size",
          "only the size of " + quote(name) + " is known (" +
              show_count(static_cast<double>(parameters)) +
              " parameters): the shape of a usual dense model of that size is assumed, the range "
              "is wide",
          "model"};
}

}  // namespace

Result<ModelShape> find_model(const Job& job, const ModelTable& models, const FileReader& read_file,
                              Warnings& warnings) {
  const std::string& name = job.model;
  if (names_a_file(name)) {
    auto text = read_file(name);
    if (!text) return text.errors();
    // A document of ours says so; any other is read as a Hugging Face configuration.
    auto shape = text->find("gpuplan.model/") != std::string::npos ? read_model(*text, name)
                                                                   : read_hf_config(*text, name);
    if (shape && job.parameters) shape->parameters_stated = job.parameters;
    return shape;
  }
  if (const ModelShape* found = models.find(name)) {
    ModelShape shape = *found;
    if (job.parameters) shape.parameters_stated = job.parameters;
    return shape;
  }
  auto parameters = job.parameters;
  if (!parameters) parameters = size_in_name(name);
  if (!parameters) return unknown_model(name, models);
  warnings.push_back(by_size(name, *parameters));
  return shape_of_size(name, *parameters);
}

Diagnostics find_draft(Job& job, const ModelTable& models, const FileReader& read_file,
                       Warnings& warnings) {
  if (!job.draft_model) return {};
  Job other;
  other.model = *job.draft_model;
  auto shape = find_model(other, models, read_file, warnings);
  if (!shape) {
    Diagnostics faults = shape.errors();
    for (Diagnostic& fault : faults)
      if (fault.source == "--model") fault.source = "--draft-model";
    return faults;
  }
  job.workload.draft = std::make_shared<const ModelShape>(std::move(*shape));
  return {};
}

}  // namespace gpuplan
