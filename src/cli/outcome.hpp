#pragma once

#include <string>

#include "gpuplan/render.hpp"
#include "gpuplan/result.hpp"

namespace gpuplan {
struct Progress;
}

namespace gpuplan::cli {

enum class ExitCode {
  done = 0,
  internal = 1,
  usage = 2,
  invalid_input = 3,
  nothing_fits = 4,
  gate_missed = 5,
  interrupted = 130
};

// What all commands share: how to answer.
struct Common {
  std::string format_name = "table";
  bool json = false;
  std::string output;  // file; empty or "-" is standard output
  bool explain = false, chart = false;
  std::string as_of, data_folder;
  std::string language;  // "en" or "zh" once the messages are settled
  std::string color = "auto";
  std::string seed, threads;  // of simulations
  bool quiet = false, verbose = false;
  std::string log_level;
  Progress* progress = nullptr;  // of long work, when somebody watches
  std::string command;       // "compare"
  std::string command_line;  // as one would type it again
};

// What people read is in this language; settled together with the messages.
Language language_of(const Common& common);
// Prints every mistake to standard error, as text or as one JSON object, and gives the exit code.
ExitCode fail(const Diagnostics& errors, bool json);
// Warnings go to standard error; with JSON they stand in the document as well.
void log_warnings(const Warnings& warnings, const Common& common);
// Writes the answer to where the user wants it.
ExitCode deliver(const std::string& answer, const Common& common, ExitCode code);

}  // namespace gpuplan::cli
