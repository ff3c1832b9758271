#pragma once

#include <string>

#include "gpuplan/result.hpp"

namespace gpuplan::cli {

// The whole file, or standard input for "-". Errors say what stands in the way.
Result<std::string> read_file(const std::string& path);
// Writes to a temporary name beside the file and renames: never half a file.
Result<bool> write_file(const std::string& path, const std::string& text);
// The same for --model: a folder stands for the config.json in it.
Result<std::string> read_model_file(const std::string& path);
bool exists(const std::string& path);

}  // namespace gpuplan::cli
