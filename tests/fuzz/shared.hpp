#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "gpuplan/catalog.hpp"
#include "gpuplan/cards.hpp"
#include "gpuplan/models.hpp"
#include "readers.hpp"

// What several readers ask of what they read.
namespace gpuplan::fuzz {

const CardTable& cards();
const ModelTable& models();
const CardTable& few_cards();  // one of each kind
// What takes many times as long as all the rest is done for some of the inputs, by their length: a
// fuzzer finds more in many inputs than in much of one.
inline bool one_of_eight(std::string_view bytes) { return bytes.size() % 8 == 0; }
// The cards for a catalog. To put all names of the built-in table in order takes longer than to read the
// catalog: one that brings cards of its own has them beside a few. `own` keeps them.
const CardTable& cards_for(const Catalog& catalog, std::optional<CardTable>& own);

// Errors say where and what.
void look_at(const Diagnostics& errors);
// An accepted catalog is whole, can be shown, checked, written and read again as the same.
void look_at(const Catalog& catalog);
// An accepted model can be computed with.
void look_at(const ModelShape& shape);

}  // namespace gpuplan::fuzz
