#pragma once

#include <string_view>

namespace gpuplan {

std::string_view version();  // "0.1.0"

}  // namespace gpuplan
