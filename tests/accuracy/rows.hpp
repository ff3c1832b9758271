#pragma once

#include <string>
#include <vector>

#include "gpuplan/plan.hpp"

namespace gpuplan::accuracy {

// Which figure of a job was measured.
enum class Instrument {
  weights,    // after the model is loaded
  kv,         // an engine's pool of KV blocks
  profile,    // an engine's own peak before there is a pool
  engine,     // the same with what lies outside the allocator
  allocated,  // peak of the framework's own counter
  reserved,   // the same with the allocator's cache
  device,     // nvidia-smi
  fits, oom,  // it ran, or it did not, on a card of that size
};

// One published measurement: the job in the options of the program, and the figure.
struct Row {
  std::string group, source, software;
  Instrument instrument{};
  double gib = 0;
  std::string model, options;
};

// A measurement beside its estimate.
struct Outcome {
  Row row;
  double estimated_gib = 0;
  double low = 1, high = 1;  // the printed range over the estimate
  std::string kind;          // which residuals the range comes from
  double total_gib = 0, required_gib = 0;
  double error() const { return estimated_gib / row.gib - 1; }
  double residual() const { return row.gib / estimated_gib; }
  bool covered() const { return residual() >= low && residual() <= high; }
  bool verdict() const {
    return row.instrument == Instrument::fits || row.instrument == Instrument::oom;
  }
};

// Reads FOLDER/*.tsv and FOLDER/shapes.json and estimates every row; `refused` says which rows the
// library would not take, and why.
std::vector<Outcome> run_rows(const std::string& folder, std::vector<std::string>& refused);

}  // namespace gpuplan::accuracy
