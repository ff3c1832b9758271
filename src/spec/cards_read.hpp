#pragma once

#include "core/json.hpp"
#include "gpuplan/cards.hpp"

namespace gpuplan {

// One card of a `gpuplan.cards/1` file, or of the `cards` of a catalog.
Card read_card(const JsonReader& reader);
// The built-in table without what only people read (sources, derivations, traps): more than half of
// the file, and of the time that it takes.
Result<CardTable> builtin_card_figures();

}  // namespace gpuplan
