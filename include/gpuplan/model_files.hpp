#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "gpuplan/models.hpp"
#include "gpuplan/result.hpp"

namespace gpuplan {

// The shape that a Hugging Face `config.json` describes (transformers, or a diffusers UNet); also the
// native configurations of DeepSeek, Meta and Mistral. Keys that do not bear on the shape are passed
// over; what the file leaves to its library, and what is not known of its architecture, is told in
// `filled_in`. Errors: broken JSON, a file of another kind, figures that are missing or impossible.
Result<ModelShape> read_hf_config(std::string_view text, const std::string& source);

// What the reader of model files asks of the disk. Of files that hold weights only the headers are
// read, whatever their size.
struct FileAccess {
  enum class Kind { absent, file, folder, stream };
  struct Look {
    Kind kind = Kind::absent;
    std::int64_t bytes = 0;  // of a file
  };
  std::function<Look(const std::string& path)> look;
  std::function<Result<std::string>(const std::string& path)> read_all;  // "-": standard input
  // `count` bytes from `offset` on; fewer only where the file ends.
  std::function<Result<std::string>(const std::string& path, std::int64_t offset,
                                    std::int64_t count)>
      read_at;
  std::function<Result<std::vector<std::string>>(const std::string& folder)> list;  // plain names
};

// The model that a path leads to, by content and ending: a `config.json`, a folder with one, a
// `.safetensors`, a `.safetensors.index.json`, a `.gguf` (v2 and v3, all parts of a split one), or a
// `gpuplan.model/1` document. Weights beside a configuration, and a configuration beside weights, are
// found by themselves. `stored` then says what the files hold, to the byte. Warnings tell what had to
// be assumed: weights that lead to no shape give a model of their size.
// Errors name the file, the byte or the tensor, what stands there and what may.
Result<ModelShape> read_model_path(const std::string& path, const FileAccess& files,
                                   Warnings& warnings);

}  // namespace gpuplan
