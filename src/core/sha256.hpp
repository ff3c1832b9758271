#pragma once

#include <nettle/sha2.h>

#include <string>
#include <string_view>

namespace gpuplan {

// FIPS 180-4, of bytes that come one portion after the other.
class Sha256 {
 public:
  Sha256() { sha256_init(&context_); }
  void add(std::string_view bytes);
  std::string hex();  // nothing is added any more

 private:
  sha256_ctx context_;
};

// The same at once, in hexadecimal.
std::string sha256_hex(std::string_view bytes);

}  // namespace gpuplan
