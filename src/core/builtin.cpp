#include "core/builtin.hpp"

#include "gpuplan/version.hpp"

// Made by src/cmake/GpuplanEmbed.cmake from data/*.json.
extern "C" {
extern const char gpuplan_data_cards[], gpuplan_data_cards_end[];
extern const char gpuplan_data_models[], gpuplan_data_models_end[];
extern const char gpuplan_data_catalog[], gpuplan_data_catalog_end[];
extern const char gpuplan_data_compat[], gpuplan_data_compat_end[];
}

namespace gpuplan {
namespace {

std::string_view between(const char* begin, const char* end) { return {begin, end}; }

}  // namespace

std::string_view builtin_cards() { return between(gpuplan_data_cards, gpuplan_data_cards_end); }
std::string_view builtin_models() { return between(gpuplan_data_models, gpuplan_data_models_end); }
std::string_view builtin_catalog() {
  return between(gpuplan_data_catalog, gpuplan_data_catalog_end);
}
std::string_view builtin_compat() { return between(gpuplan_data_compat, gpuplan_data_compat_end); }
std::string_view version() { return GPUPLAN_VERSION; }

}  // namespace gpuplan
