#pragma once

#include <string_view>

namespace gpuplan {

// The files of data/, as they were when the program was built. Nothing is parsed here.
std::string_view builtin_cards();
std::string_view builtin_models();
std::string_view builtin_catalog();
std::string_view builtin_compat();

}  // namespace gpuplan
