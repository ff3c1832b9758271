#include "core/large_pages.hpp"

#include <sys/mman.h>

#include <cstdint>

namespace gpuplan {

void in_large_pages(void* begin, std::size_t bytes) {
  constexpr std::uintptr_t kPage = std::uintptr_t{2} << 20;
  const auto from = (reinterpret_cast<std::uintptr_t>(begin) + kPage - 1) / kPage * kPage;
  const auto to = (reinterpret_cast<std::uintptr_t>(begin) + bytes) / kPage * kPage;
  if (to <= from) return;
#ifdef MADV_HUGEPAGE
  ::madvise(reinterpret_cast<void*>(from), to - from, MADV_HUGEPAGE);  // a wish: its refusal is no error
#endif
}

}  // namespace gpuplan
