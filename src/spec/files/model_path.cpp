#include <algorithm>
#include <cctype>

#include "core/json.hpp"
#include "core/text.hpp"
#include "gpuplan/model_files.hpp"
#include "spec/files/model_weights.hpp"

namespace gpuplan {
namespace files {
namespace {

using Kind = FileAccess::Kind;

// A description of a model is never that large; weights that are called .json would be.
constexpr std::int64_t kMostJson = 256 << 20;

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? std::string{} : path.substr(0, slash + 1);
}

bool is_model_document(std::string_view text) {
  return text.find("gpuplan.model/") != std::string_view::npos;
}

// Bits of a packed integer, where a configuration says how the weights are quantised.
std::int64_t packed_bits(const std::string& config) {
  const auto node = parse_json(config, "");
  const JsonNode* how = node ? node->root().find("quantization_config") : nullptr;
  const JsonNode* bits = how == nullptr ? nullptr : how->find("bits");
  for (const std::int64_t known : {2, 3, 8})
    if (bits != nullptr && bits->text == std::to_string(known)) return known;
  return 4;
}

// What a file is, from its first bytes; its ending decides only what those leave open.
enum class Form { json, gguf, safetensors, pickle, other };
Form form_of(std::string_view head, std::string_view path) {
  if (head.starts_with("GGUF") || path.ends_with(".gguf")) return Form::gguf;
  if (path.ends_with(".safetensors")) return Form::safetensors;
  if (head.size() > 8 && head[8] == '{' && head.substr(3, 5) == std::string_view("\0\0\0\0\0", 5))
    return Form::safetensors;
  if (head.starts_with("PK\x03\x04") || head.starts_with("\x80\x02")) return Form::pickle;
  const bool text = head.find('\0') == std::string_view::npos;
  return text || path.ends_with(".json") ? Form::json : Form::other;
}

Diagnostic refused(const std::string& path, std::string message, std::string hint) {
  return {ErrorCode::invalid, path, "", std::move(message), std::move(hint)};
}

Diagnostic too_large(const std::string& path, std::int64_t bytes) {
  return refused(path,
                 "a description of a model has at most 256 MiB, this file has " +
                     std::to_string(bytes) + " bytes",
                 "is it a file of weights under another name?");
}

class PathReader {
 public:
  PathReader(const FileAccess& files, Warnings& warnings) : files_(files), warnings_(warnings) {}

  Result<ModelShape> read(const std::string& path) {
    const FileAccess::Look look = files_.look(path);
    if (look.kind == Kind::folder) return read_folder(path.ends_with('/') ? path : path + "/");
    if (look.kind != Kind::file) return read_text(path);
    auto head = files_.read_at(path, 0, 16);
    if (!head) return head.errors();
    switch (form_of(*head, path)) {
      case Form::gguf:
        return read_gguf_model(path, files_, warnings_);
      case Form::safetensors:
        return read_safetensors_model(path);
      case Form::json:
        return read_json(path, look.bytes);
      case Form::pickle:
        return refused(path, "this is a PyTorch file: it holds a program, and is not opened",
                       "take the .safetensors of the model, or its config.json");
      case Form::other:
        break;
    }
    return refused(
        path, "this is no model file that is known here",
        "a config.json, a folder with one, .safetensors, .safetensors.index.json, .gguf, "
        "or a gpuplan.model/1 document");
  }

 private:
  // Standard input, pipes and files that are not there: the reader says what stands in the way.
  Result<ModelShape> read_text(const std::string& path) {
    auto text = files_.read_all(path);
    if (!text) return text.errors();
    if (text->starts_with("GGUF"))
      return refused(path == "-" ? "<stdin>" : path, "weights cannot be read from a pipe",
                     "give the name of the file");
    return read_document(*text, path);
  }

  Result<ModelShape> read_json(const std::string& path, std::int64_t bytes) {
    if (bytes > kMostJson) return too_large(path, bytes);
    const auto text = files_.read_all(path);
    if (!text) return text.errors();
    if (looks_like_index(*text) && !is_model_document(*text)) return read_index(path, *text);
    auto shape = read_document(*text, path);
    const bool config = path == "config.json" || path.ends_with("/config.json");
    if (!shape || !config) return shape;
    return with_weights_beside(std::move(*shape), folder_of(path), path);
  }

  Result<ModelShape> read_document(const std::string& text, const std::string& path) {
    if (is_model_document(text)) return read_model(text, path);
    bits_ = packed_bits(text);
    return read_hf_config(text, path);
  }

  Result<std::string> small_text(const std::string& path) {
    const FileAccess::Look look = files_.look(path);
    if (look.kind == Kind::file && look.bytes > kMostJson) return too_large(path, look.bytes);
    return files_.read_all(path);
  }

  Result<ModelShape> read_index(const std::string& path, const std::string& text) {
    auto config = config_beside(path);
    if (!config) return config.errors();
    return read_indexed(path, text, std::move(*config));
  }

  Result<std::optional<ModelShape>> config_beside(const std::string& path) {
    const std::string config = folder_of(path) + "config.json";
    if (files_.look(config).kind != Kind::file) return std::optional<ModelShape>{};
    const auto text = small_text(config);
    if (!text) return text.errors();
    auto shape = read_document(*text, config);
    if (!shape) return shape.errors();
    return std::optional{std::move(*shape)};
  }

  Result<ModelShape> read_indexed(const std::string& path, const std::string& text,
                                  std::optional<ModelShape> shape) {
    auto weights = weights_of_index(path, text, files_, warnings_);
    if (!weights) return weights.errors();
    weights->packed_bits = bits_;
    return join_weights(std::move(shape), std::move(*weights), path, warnings_);
  }

  Result<ModelShape> read_weights(const std::string& file, std::optional<ModelShape> shape,
                                  const std::string& source) {
    auto weights = weights_of_files(shards_of(file), files_);
    if (!weights) return weights.errors();
    weights->packed_bits = bits_;
    return join_weights(std::move(shape), std::move(*weights), source, warnings_);
  }

  Result<ModelShape> read_safetensors_model(const std::string& path) {
    auto config = config_beside(path);
    if (!config) return config.errors();
    return read_weights(path, std::move(*config), path);
  }

  // The weights beside a configuration: by the index, else the one file or its parts. Adapters and
  // optimizer states lie in such folders too.
  Result<ModelShape> with_weights_beside(ModelShape shape, const std::string& folder,
                                         const std::string& source) {
    const std::string index = folder + "model.safetensors.index.json";
    if (files_.look(index).kind == Kind::file) {
      const auto text = small_text(index);
      if (!text) return text.errors();
      return read_indexed(index, *text, std::move(shape));
    }
    auto names = files_.list(folder.empty() ? "." : folder);
    if (!names) return shape;  // a configuration can be read where the folder cannot
    std::ranges::sort(*names);
    std::vector<std::string> found;
    for (const std::string& name : *names) {
      const bool model = name.starts_with("model") || name.starts_with("pytorch_model") ||
                         name.starts_with("diffusion_pytorch_model") ||
                         name.starts_with("consolidated");
      if (model && name.ends_with(".safetensors") && first_of_its_parts(name))
        found.push_back(name);
    }
    if (found.size() == 1) return read_weights(folder + found.front(), std::move(shape), source);
    if (found.size() > 1)
      warnings_.push_back({"weights_ambiguous",
                           "beside the configuration lie " + found[0] + " and " + found[1] +
                               ": neither is read; name one to count its bytes",
                           folder});
    return shape;
  }

  Result<ModelShape> read_folder(const std::string& folder) {
    const std::string config = folder + "config.json";
    if (files_.look(config).kind == Kind::file) {
      const auto text = small_text(config);
      if (!text) return text.errors();
      auto shape = read_document(*text, config);
      if (!shape) return shape;
      return with_weights_beside(std::move(*shape), folder, config);
    }
    auto names = files_.list(folder);
    if (!names) return names.errors();
    std::ranges::sort(*names);
    return read_only_model(folder, *names);
  }

  Result<ModelShape> read_only_model(const std::string& folder,
                                     const std::vector<std::string>& names) {
    for (const std::string_view ending : {".safetensors.index.json", ".gguf", ".safetensors"}) {
      std::vector<std::string> found;
      for (const std::string& name : names)
        if (name.ends_with(ending) && first_of_its_parts(name)) found.push_back(name);
      if (found.size() == 1) return read(folder + found.front());
      if (found.size() > 1)
        return refused(folder,
                       "the folder holds " + std::to_string(found.size()) + " models: " +
                           join(std::vector<std::string>(found.begin(), found.begin() + 2), ", ") +
                           (found.size() > 2 ? ", ..." : ""),
                       "name one of them");
    }
    return {Diagnostic{ErrorCode::unreadable, folder, "",
                       "the folder holds neither a config.json nor .safetensors nor .gguf",
                       "name the folder of one model"}};
  }

  const FileAccess& files_;
  Warnings& warnings_;
  std::int64_t bits_ = 4;  // of packed integers
};

}  // namespace
}  // namespace files

Result<ModelShape> read_model_path(const std::string& path, const FileAccess& files,
                                   Warnings& warnings) {
  return files::PathReader(files, warnings).read(path);
}

}  // namespace gpuplan
