#pragma once

#include "core/json.hpp"
#include "gpuplan/models.hpp"

namespace gpuplan {

// A model document while it is read: the experts are complete only when all their keys are.
struct ModelDraft {
  ModelShape shape;
  Experts moe;
};

// Reads the value of one key; `key` says which. Tells whether the key is known at all.
bool read_model_key(const JsonReader& model, std::string_view key, const JsonNode& value,
                    ModelDraft& draft);
// The keys whose values are objects of their own, or need more than a number (models_parts.cpp).
bool read_model_part(const JsonReader& model, std::string_view key, ModelDraft& draft);
std::vector<std::string_view> model_keys();
std::vector<std::string_view> model_part_keys();

// What the document left out and a rule supplies; recorded in `filled_in`.
void fill_model(const JsonReader& model, ModelShape& shape);
// What a model of this kind cannot do without and the shape does not have; keys of a model document.
std::vector<std::string_view> missing_parts(const ModelShape& shape);
// Figures that each are possible but do not go together; `key` is that of a model document.
struct Contradiction {
  std::string_view key;
  std::string message;
};
std::vector<Contradiction> contradictions_of(const ModelShape& shape);
void derive_state(ModelShape& shape);
// Reports contradictions, each at its key.
void check_model(const JsonReader& model, const ModelShape& shape);

}  // namespace gpuplan
