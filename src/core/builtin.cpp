#include "core/builtin.hpp"

#include "gpuplan/version.hpp"

// Made by src/cmake/GpuplanEmbed.cmake from data/*.json and the files of src/CMakeLists.txt.
extern "C" {
extern const char gpuplan_data_cards[], gpuplan_data_cards_end[];
extern const char gpuplan_data_models[], gpuplan_data_models_end[];
extern const char gpuplan_data_catalog[], gpuplan_data_catalog_end[];
extern const char gpuplan_data_compat[], gpuplan_data_compat_end[];
extern const char gpuplan_data_messages_zh[], gpuplan_data_messages_zh_end[];
extern const char gpuplan_data_explain[], gpuplan_data_explain_end[];
extern const char gpuplan_data_explain_zh[], gpuplan_data_explain_zh_end[];
extern const char gpuplan_data_starter_job[], gpuplan_data_starter_job_end[];
extern const char gpuplan_data_starter_catalog[], gpuplan_data_starter_catalog_end[];
extern const char gpuplan_data_starter_model[], gpuplan_data_starter_model_end[];
extern const char gpuplan_data_page_style[], gpuplan_data_page_style_end[];
extern const char gpuplan_data_page_script[], gpuplan_data_page_script_end[];
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
std::string_view builtin_messages_zh() {
  return between(gpuplan_data_messages_zh, gpuplan_data_messages_zh_end);
}
std::string_view builtin_explain_zh() {
  return between(gpuplan_data_explain_zh, gpuplan_data_explain_zh_end);
}

std::string_view builtin_explain() {
  return between(gpuplan_data_explain, gpuplan_data_explain_end);
}
std::string_view builtin_starter_job() {
  return between(gpuplan_data_starter_job, gpuplan_data_starter_job_end);
}
std::string_view builtin_starter_catalog() {
  return between(gpuplan_data_starter_catalog, gpuplan_data_starter_catalog_end);
}
std::string_view builtin_starter_model() {
  return between(gpuplan_data_starter_model, gpuplan_data_starter_model_end);
}
std::string_view builtin_page_style() {
  return between(gpuplan_data_page_style, gpuplan_data_page_style_end);
}
std::string_view builtin_page_script() {
  return between(gpuplan_data_page_script, gpuplan_data_page_script_end);
}
std::string_view version() { return GPUPLAN_VERSION; }

}  // namespace gpuplan
