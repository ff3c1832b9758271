#pragma once

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

// Errors say where and what.
void look_at(const Diagnostics& errors);
// An accepted catalog is whole, can be shown, checked, written and read again as the same.
void look_at(const Catalog& catalog);
// An accepted model can be computed with.
void look_at(const ModelShape& shape);

}  // namespace gpuplan::fuzz
