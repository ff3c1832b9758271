#include "gpuplan/render.hpp"
#include "render/json_writer.hpp"

namespace gpuplan {

std::string render_errors_json(const Diagnostics& errors) {
  JsonWriter json;
  json.begin_object().field("schema", "gpuplan.error/1");
  json.key("errors").begin_array();
  for (const Diagnostic& error : errors)
    json.begin_object()
        .field("code", code_name(error.code))
        .field("message", error.message)
        .field("file", error.source)
        .field("pointer", error.pointer)
        .field("hint", error.hint)
        .end_object();
  json.end_array().end_object();
  return json.take();
}

}  // namespace gpuplan
