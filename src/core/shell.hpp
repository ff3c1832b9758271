#pragma once

#include <string>
#include <string_view>

namespace gpuplan {

// As a POSIX shell takes it for one word: quoted where it has to be.
std::string shell_word(std::string_view text);

}  // namespace gpuplan
