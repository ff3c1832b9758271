#pragma once

#include <string>

#include "gpuplan/render.hpp"
#include "render/json_writer.hpp"

namespace gpuplan {

std::string render_estimate_json(const Estimate& estimate, const RenderOptions& options);
std::string render_estimate_table(const Estimate& estimate, const RenderOptions& options);
std::string render_ranking_json(const Ranking& ranking, const RenderOptions& options);
std::string render_ranking_table(const Ranking& ranking, const RenderOptions& options);
void write_ledger(JsonWriter& json, const Bill& bill);
void write_unpriced(JsonWriter& json, const Bill& bill);
std::string ledger_table(const Bill& bill, const RenderOptions& options);

}  // namespace gpuplan
