#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gpuplan/catalog.hpp"
#include "gpuplan/date.hpp"
#include "gpuplan/memory.hpp"
#include "gpuplan/render.hpp"
#include "render/json_writer.hpp"

namespace gpuplan {

// "offer: the price list of ..., 2026-11-01": who states the rule with that key, and of which day.
std::string origin_text(const Catalog& catalog, const Offer& offer, std::string_view key);
// A source with its day: "price list, 2026-11-01".
std::string dated(std::string_view source, const std::optional<Date>& day);
// The lines of --explain below a table, on a page, and in a document; nothing unless asked for.
std::string explained_text(const std::vector<Explained>& lines, const RenderOptions& options);
std::string explained_html(const std::vector<Explained>& lines, const RenderOptions& options);
void write_explain(JsonWriter& json, const std::vector<Explained>& lines,
                   const RenderOptions& options);

}  // namespace gpuplan
