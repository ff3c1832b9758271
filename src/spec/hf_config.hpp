#pragma once

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/json.hpp"
#include "gpuplan/models.hpp"

namespace gpuplan {

enum class HfBias { stated, stated_qkv, none, all, qkv, out, qvo };
enum class HfQkNorm { stated, none, head, full };

// What transformers assumes when a configuration leaves a key out.
struct HfDefault {
  std::string_view key;
  std::int64_t value;
};

class HfConfig;

// How models of one `model_type` are built, beyond what their configuration says.
struct HfFamily {
  std::string_view type;
  ModelKind kind = ModelKind::decoder;
  bool gated = true;
  bool layer_norm = false;
  bool norm_bias = true;
  int norms = 2;
  bool final_norm = true;
  bool embedding_norm = false;
  bool head_bias = false;
  HfBias bias = HfBias::stated;
  bool mlp_bias = false;
  HfQkNorm qk_norm = HfQkNorm::none;
  bool tied = false;               // when the configuration does not say
  int learned_positions = -1;      // rows beyond the context length; -1: no table
  std::span<const HfDefault> defaults = {};
  void (*finish)(const HfConfig& config, ModelShape& shape) = nullptr;
};
// Null when the type is not known.
const HfFamily* hf_family(std::string_view type);
const HfFamily& hf_plain_family();  // a gated decoder as Llama's

// A configuration with the names that different model families give to one thing.
class HfConfig {
 public:
  using Keys = std::initializer_list<std::string_view>;
  HfConfig(const JsonReader& reader, const HfFamily& family, std::vector<std::string>& notes)
      : reader_(&reader), family_(&family), notes_(&notes) {}

  const JsonReader& reader() const { return *reader_; }
  const HfFamily& family() const { return *family_; }
  bool has(std::string_view key) const { return reader_->has(key); }
  // The first of the keys that is there, else the library's default for it (noted), else nothing.
  std::optional<std::int64_t> number(Keys keys) const;
  std::int64_t number_or(Keys keys, std::int64_t other) const { return number(keys).value_or(other); }
  // Complains under the first key when none is there.
  std::int64_t needed(Keys keys) const;
  bool flag(std::string_view key, bool other) const;
  std::string_view text(std::string_view key) const;     // empty when absent or no text
  const JsonNode* list(std::string_view key) const;      // null when absent or no list
  std::int64_t count_in_list(std::string_view key, std::string_view value) const;
  // A member that is an object, with the same family and notes.
  std::optional<JsonReader> object(std::string_view key) const;
  void note(std::string text) const { notes_->push_back(std::move(text)); }

 private:
  const JsonReader* reader_;
  const HfFamily* family_;
  std::vector<std::string>* notes_;
};

// hf_config_layers.cpp
void read_hf_experts(const HfConfig& config, ModelShape& shape);
void read_hf_latent(const HfConfig& config, ModelShape& shape);
void read_hf_windows(const HfConfig& config, ModelShape& shape);
void read_hf_recurrence(const HfConfig& config, ModelShape& shape);
// hf_config_vision.cpp: parameters of the image part and of what leads to the language model.
void read_hf_vision(const HfConfig& text, const JsonReader& whole, ModelShape& shape);
// hf_config_unet.cpp
ModelShape read_hf_unet(const HfConfig& config);

}  // namespace gpuplan
