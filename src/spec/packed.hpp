#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "gpuplan/cards.hpp"
#include "gpuplan/models.hpp"

namespace gpuplan {

// The built-in tables as a few flat bytes: to read them costs a twentieth of their JSON, which is
// most of a short run. Made when the program is built, read by the program that was built with
// them; not a format for files. What people read and change stays data/*.json.
std::string pack(const CardTable& cards);    // figures, without sources and traps
std::string pack(const ModelTable& models);

// Nothing when the bytes are not what `pack` of the same build gave.
std::optional<CardTable> unpack_cards(std::string_view bytes);
std::optional<ModelTable> unpack_models(std::string_view bytes);

}  // namespace gpuplan
