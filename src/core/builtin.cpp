#include "core/builtin.hpp"

#include <array>

#include "gpuplan/version.hpp"

// Made by src/cmake/GpuplanEmbed.cmake from data/*.json and the files of src/CMakeLists.txt.
extern "C" {
extern const char gpuplan_data_cards[], gpuplan_data_cards_end[];
extern const char gpuplan_data_models[], gpuplan_data_models_end[];
extern const char gpuplan_data_catalog[], gpuplan_data_catalog_end[];
extern const char gpuplan_data_schema_breakeven[], gpuplan_data_schema_breakeven_end[];
extern const char gpuplan_data_schema_cards_view[], gpuplan_data_schema_cards_view_end[];
extern const char gpuplan_data_schema_catalog[], gpuplan_data_schema_catalog_end[];
extern const char gpuplan_data_schema_compare[], gpuplan_data_schema_compare_end[];
extern const char gpuplan_data_schema_diff[], gpuplan_data_schema_diff_end[];
extern const char gpuplan_data_schema_error[], gpuplan_data_schema_error_end[];
extern const char gpuplan_data_schema_estimate[], gpuplan_data_schema_estimate_end[];
extern const char gpuplan_data_schema_job[], gpuplan_data_schema_job_end[];
extern const char gpuplan_data_schema_model[], gpuplan_data_schema_model_end[];
extern const char gpuplan_data_schema_models_view[], gpuplan_data_schema_models_view_end[];
extern const char gpuplan_data_schema_show[], gpuplan_data_schema_show_end[];
extern const char gpuplan_data_schema_simulate[], gpuplan_data_schema_simulate_end[];
extern const char gpuplan_data_schema_transfer[], gpuplan_data_schema_transfer_end[];
extern const char gpuplan_data_schema_validate[], gpuplan_data_schema_validate_end[];
extern const char gpuplan_data_compat[], gpuplan_data_compat_end[];
extern const char gpuplan_data_messages_zh[], gpuplan_data_messages_zh_end[];
extern const char gpuplan_data_explain[], gpuplan_data_explain_end[];
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

namespace {

struct Schema {
  std::string_view name;
  const char *begin, *end;
};
#define GPUPLAN_SCHEMA(name) Schema{#name, gpuplan_data_schema_##name, gpuplan_data_schema_##name##_end}
const std::array kSchemas{GPUPLAN_SCHEMA(breakeven), GPUPLAN_SCHEMA(cards_view), GPUPLAN_SCHEMA(catalog), GPUPLAN_SCHEMA(compare), GPUPLAN_SCHEMA(diff), GPUPLAN_SCHEMA(error), GPUPLAN_SCHEMA(estimate), GPUPLAN_SCHEMA(job), GPUPLAN_SCHEMA(model), GPUPLAN_SCHEMA(models_view), GPUPLAN_SCHEMA(show), GPUPLAN_SCHEMA(simulate), GPUPLAN_SCHEMA(transfer), GPUPLAN_SCHEMA(validate)};
#undef GPUPLAN_SCHEMA
constexpr std::array<std::string_view, 14> kSchemaNames{"breakeven", "cards_view", "catalog", "compare", "diff", "error", "estimate", "job", "model", "models_view", "show", "simulate", "transfer", "validate"};

}  // namespace

std::optional<std::string_view> builtin_schema(std::string_view name) {
  for (const Schema& schema : kSchemas)
    if (schema.name == name) return between(schema.begin, schema.end);
  return std::nullopt;
}
std::span<const std::string_view> builtin_schema_names() { return kSchemaNames; }

std::string_view builtin_compat() { return between(gpuplan_data_compat, gpuplan_data_compat_end); }
std::string_view builtin_messages_zh() {
  return between(gpuplan_data_messages_zh, gpuplan_data_messages_zh_end);
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
