#pragma once

#include <cstddef>

namespace gpuplan {

// Asks for pages of 2 MB where the system has them: a first touch of each small page of a long list
// costs more than what is written there. Nothing happens for short ones, or where there are none.
void in_large_pages(void* begin, std::size_t bytes);

}  // namespace gpuplan
