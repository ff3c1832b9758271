#pragma once

#include <string>
#include <string_view>

#include "gpuplan/models.hpp"
#include "gpuplan/result.hpp"

namespace gpuplan {

// The shape that a Hugging Face `config.json` describes (transformers, or a diffusers UNet); also the
// native configurations of DeepSeek, Meta and Mistral. Keys that do not bear on the shape are passed
// over; what the file leaves to its library, and what is not known of its architecture, is told in
// `filled_in`. Errors: broken JSON, a file of another kind, figures that are missing or impossible.
Result<ModelShape> read_hf_config(std::string_view text, const std::string& source);

}  // namespace gpuplan
