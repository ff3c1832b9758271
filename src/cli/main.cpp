#include <cstdio>
#include <string>

#include "gpuplan/version.hpp"

int main() {
  std::printf("gpuplan %s\n", std::string(gpuplan::version()).c_str());
  return 0;
}
