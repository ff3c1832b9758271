#pragma once

#include <optional>

#include "cli/outcome.hpp"
#include "gpuplan/date.hpp"
#include "gpuplan/render.hpp"

namespace gpuplan::cli {

// How the common options want an answer rendered; every bad value is reported.
Result<RenderOptions> render_options(const Common& common);
Result<std::optional<Date>> as_of(const Common& common);

}  // namespace gpuplan::cli
