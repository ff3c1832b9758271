#include "catalog/names.hpp"

namespace gpuplan {

std::string_view name_of(State state) {
  for (const auto& entry : detail::kStates)
    if (entry.value == state) return entry.name;
  return {};
}

std::string_view name_of(StorageKind kind) {
  for (const auto& entry : detail::kStorageNames)
    if (entry.value == kind) return entry.name;
  return {};
}

}  // namespace gpuplan
