#pragma once

#include <string>

#include "cli/outcome.hpp"

namespace gpuplan::cli {

// A text for programs has one form only: asked for another, it is wrong use.
ExitCode deliver_document(const std::string& text, const Common& common);

}  // namespace gpuplan::cli
