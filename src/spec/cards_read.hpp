#pragma once

#include "core/json.hpp"
#include "gpuplan/cards.hpp"

namespace gpuplan {

// One card of a `gpuplan.cards/1` file, or of the `cards` of a catalog.
Card read_card(const JsonReader& reader);

}  // namespace gpuplan
