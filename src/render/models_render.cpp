#include <fmt/format.h>

#include "core/text.hpp"
#include "gpuplan/render.hpp"
#include "render/html.hpp"
#include "render/json_writer.hpp"
#include "render/markdown.hpp"
#include "render/page_parts.hpp"
#include "render/text_table.hpp"

namespace gpuplan {
namespace {

void number_or_null(JsonWriter& json, std::string_view key, std::int64_t value) {
  json.key(key);
  value > 0 ? json.value(value) : json.null();
}

void write_model(JsonWriter& json, const ModelShape& model) {
  const ParameterCount count = count_parameters(model);
  json.begin_object().field("name", model.name).field("kind", kind_name(model.kind));
  json.field("parameters", count.total()).field("active_parameters", count.active());
  number_or_null(json, "layers", model.layers);
  number_or_null(json, "hidden", model.hidden);
  number_or_null(json, "heads", model.heads);
  number_or_null(json, "kv_heads", model.kv_heads);
  number_or_null(json, "head_dim", model.head_dim);
  number_or_null(json, "intermediate", model.intermediate);
  number_or_null(json, "vocab", model.vocab);
  number_or_null(json, "max_positions", model.max_positions);
  json.key("experts");
  model.moe ? json.value(model.moe->experts) : json.null();
  json.key("active_experts");
  model.moe ? json.value(model.moe->active) : json.null();
  json.texts("aliases", model.aliases).field("source", model.source).end_object();
}

std::string models_json(std::span<const ModelShape* const> models, const RenderOptions& options) {
  JsonWriter json;
  json.begin_object()
      .field("schema", "gpuplan.models_view/1")
      .field("version", options.program_version);
  json.key("inputs").begin_object().end_object();
  json.key("models").begin_array();
  for (const ModelShape* model : models) write_model(json, *model);
  json.end_array();
  write_warnings(json, {});
  return json.end_object().take();
}

std::string dash(std::int64_t value) { return value > 0 ? std::to_string(value) : "-"; }

TextTable models_table(std::span<const ModelShape* const> models) {
  TextTable table({{"model"},
                   {"parameters", true},
                   {"active", true, 1},
                   {"kind", false, 4},
                   {"layers", true, 2},
                   {"hidden", true, 2},
                   {"heads/kv", true, 3},
                   {"vocab", true, 3},
                   {"also", false, 5}});
  for (const ModelShape* model : models) {
    const ParameterCount count = count_parameters(*model);
    table.add(
        {model->name, std::to_string(count.total()),
         count.active() == count.total() ? "" : show_count(static_cast<double>(count.active())),
         std::string(kind_name(model->kind)), dash(model->layers), dash(model->hidden),
         model->heads > 0 ? fmt::format("{}/{}", model->heads, model->kv_heads) : "-",
         dash(model->vocab), join(model->aliases, " ")});
  }
  return table;
}

std::string page(std::span<const ModelShape* const> models, const RenderOptions& options) {
  std::string out = html_head("Models", fmt::format("{} models", models.size())) +
                    models_table(models).html("Exact sizes, counted from the shape");
  if (!options.explain) return out;
  TextTable sources({{"model"}, {"source"}});
  for (const ModelShape* model : models) sources.add({model->name, model->source});
  return out + html_section("Sources") + sources.html("Where each shape comes from");
}

}  // namespace

std::string render_models(std::span<const ModelShape* const> models, const RenderOptions& options) {
  if (options.format == Format::json) return models_json(models, options);
  if (options.format == Format::html) return page(models, options);
  std::string text = models_table(models).in(options);
  if (options.format == Format::markdown)
    return markdown_head("Models", fmt::format("{} models", models.size()), options) + text;
  if (options.format != Format::table) return text;
  if (options.explain)
    for (const ModelShape* model : models)
      text += "\n" + model->name + "\n  source  " + model->source + "\n";
  return text;
}

}  // namespace gpuplan
