#pragma once

#include <span>
#include <string>
#include <vector>

#include "gpuplan/cards.hpp"
#include "gpuplan/models.hpp"

namespace gpuplan {

// Rows of a table by words: a word with an operator (= != < <= > >= ~) is a filter, any other is a
// name. Without words all rows. Every unknown name, field or bad value is reported.
// A name that several cards share warns.
Result<std::vector<const Card*>> select_cards(const CardTable& table, std::span<const std::string> words,
                                              Warnings* warnings = nullptr);
Result<std::vector<const ModelShape*>> select_models(const ModelTable& table, std::span<const std::string> words);

}  // namespace gpuplan
