#pragma once

#include "core/json.hpp"
#include "gpuplan/models.hpp"

namespace gpuplan {

// The parts of a model document that are objects of their own (models_parts.cpp).
void read_model_parts(const JsonReader& reader, ModelShape& shape);
// Figures that each are possible but do not go together; also derives the state of recurrent layers.
void check_model(const JsonReader& reader, ModelShape& shape);
// What the document left out and a rule supplies; recorded in `filled_in`.
void fill_model(const JsonReader& reader, ModelShape& shape);

}  // namespace gpuplan
