#include "../shared.hpp"
#include "gpuplan/plan.hpp"
#include "gpuplan/render.hpp"

namespace gpuplan::fuzz {
namespace {

// Of a job that was accepted there is an estimate, or an error that says why not.
void estimate(const Job& job, const CardTable& table) {
  const ModelShape* model = models().find(job.model);
  static const ModelShape known = *models().find("7b");
  const auto made = make_estimate(job, model == nullptr ? known : *model, {.cards = &table, .models = &models()});
  if (!made) return look_at(made.errors());
  demand(made->memory.per_gpu.total > Bytes{}, "an estimate of nothing");
  demand(made->required >= made->memory.per_gpu.total || made->measured || job.headroom < Decimal::of(1),
         "less required than used");
  RenderOptions how;
  how.format = Format::json;
  demand(!render(*made, how).empty(), "nothing is shown");
}

}  // namespace

void feed_job(std::string_view bytes) {
  if (bytes.empty()) return;
  const auto job = gpuplan::read_job(bytes, "fuzz.json", {});
  if (!job) return look_at(job.errors());
  estimate(*job, one_of_eight(bytes) ? cards() : few_cards());
}

// Lines of "--option value".
void feed_options(std::string_view bytes) {
  const CardTable& table = one_of_eight(bytes) ? cards() : few_cards();
  std::vector<OptionValue> options;
  while (!bytes.empty() && options.size() < 40) {
    const std::string_view line = bytes.substr(0, bytes.find('\n'));
    bytes.remove_prefix(std::min(bytes.size(), line.size() + 1));
    const auto blank = line.find(' ');
    for (const JobField& field : job_fields())
      if (!field.option.empty() && field.option == line.substr(0, blank))
        options.push_back({&field, {std::string(blank == line.npos ? "on" : line.substr(blank + 1))}});
  }
  const auto job = gpuplan::read_job({}, {}, options);
  if (!job) return look_at(job.errors());
  estimate(*job, table);
}

}  // namespace gpuplan::fuzz
