#pragma once

#include <string>

#include "gpuplan/model_files.hpp"
#include "gpuplan/result.hpp"

namespace gpuplan::cli {

// The whole file, or standard input for "-". Errors say what stands in the way.
Result<std::string> read_file(const std::string& path);
// Writes to a temporary name beside the file and renames: never half a file.
Result<bool> write_file(const std::string& path, const std::string& text);
// Removes what `write_file` has begun; may be called by a signal handler.
void remove_half_written();
// What --model opens: whole descriptions, but only the headers of weights.
FileAccess model_file_access();
bool exists(const std::string& path);

}  // namespace gpuplan::cli
