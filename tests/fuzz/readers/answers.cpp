// What the program or others wrote earlier: answers of compare, traces of spot machines.
#include "../shared.hpp"
#include "gpuplan/against.hpp"
#include "gpuplan/render.hpp"
#include "gpuplan/spot.hpp"

namespace gpuplan::fuzz {
namespace {

struct Now {
  Catalog catalog = *gpuplan::read_catalog(
      R"({"schema": "gpuplan.catalog/1", "platforms": [{"id": "p", "currency": "USD", "stop": "released", "offers": [
        {"id": "a", "card": "H100", "gpus": 8, "price": {"on_demand": 27.92, "spot": 11}},
        {"id": "b", "card": "RTX 4090", "price": {"on_demand": 0.69}}]}]})", "known");
  Ranking ranking = rank();

  Ranking rank() const {
    Job job;
    job.workload.mode = Mode::qlora;
    job.work.run_hours = std::chrono::hours{10};
    RankOptions options;
    options.trials.trials = 20;
    return *rank_offers(job, *models().find("7b"), catalog, {.cards = &cards(), .models = &models()}, options);
  }
};

}  // namespace

void feed_against(std::string_view bytes) {
  static const Now now;
  auto against = compare_with(now.ranking, bytes, "fuzz.json", {*read_diff_gate("up:10%"), *read_diff_gate("gone")});
  if (!against) return look_at(against.errors());
  RenderOptions how;
  how.against = &*against;
  for (const Format format : {Format::table, Format::json}) {
    how.format = format;
    demand(!render(now.ranking, how).empty(), "nothing is shown");
  }
}

void feed_availability(std::string_view bytes) {
  const auto trace = gpuplan::read_availability(bytes, "fuzz.json");
  if (!trace) return look_at(trace.errors());
  demand(trace->gap.count() > 0 && !trace->up.empty(), "a trace without ticks");
  for (const char up : trace->up) demand(up == 0 || up == 1, "neither there nor not");
}

}  // namespace gpuplan::fuzz
