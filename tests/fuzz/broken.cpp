#include <cstdio>
#include <cstdlib>
#include <string>

#include "readers.hpp"

namespace gpuplan::fuzz {

void broken(std::string_view why) {
  std::fprintf(stderr, "broken: %s\n", std::string(why).c_str());
  std::abort();
}

}  // namespace gpuplan::fuzz
