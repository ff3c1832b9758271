#pragma once

#include "catch.hpp"
#include "core/builtin.hpp"
#include "gpuplan/speed.hpp"

// The built-in tables, and an estimate in one line.
namespace speed_world {

inline const gpuplan::ModelTable& models() {
  static const gpuplan::ModelTable table =
      *gpuplan::read_models(gpuplan::builtin_models(), "models.json");
  return table;
}

inline const gpuplan::CardTable& cards() {
  static const gpuplan::CardTable table = *gpuplan::builtin_card_table();
  return table;
}

inline const gpuplan::ModelShape& model(std::string_view name) {
  const gpuplan::ModelShape* found = models().find(name);
  REQUIRE(found != nullptr);
  return *found;
}

inline const gpuplan::Card& card(std::string_view name) {
  const auto found = cards().find(name);
  REQUIRE(found.has_value());
  return *found->card;
}

inline gpuplan::Result<gpuplan::SpeedEstimate> try_estimate(std::string_view name,
                                                            const gpuplan::Workload& workload,
                                                            std::string_view on) {
  const auto work = gpuplan::resolve(workload, model(name));
  REQUIRE(work);
  return gpuplan::estimate_speed(model(name), *work, card(on));
}

inline gpuplan::SpeedEstimate estimate(std::string_view name, const gpuplan::Workload& workload,
                                       std::string_view on) {
  auto speed = try_estimate(name, workload, on);
  REQUIRE(speed);
  return *speed;
}

inline bool warns(const gpuplan::SpeedEstimate& estimate, std::string_view code) {
  for (const gpuplan::Warning& warning : estimate.warnings)
    if (warning.code == code) return true;
  return false;
}

}  // namespace speed_world
