#include <algorithm>
#include <array>

#include "plan/layouts.hpp"

namespace gpuplan::detail {
namespace {

bool user_chose_layout(const Workload& workload) {
  return workload.tp || workload.pp || workload.cp || workload.dp || workload.ep || workload.zero;
}

// Training: replicas first, then ever more sharding; each stage costs more traffic.
void add_training(std::vector<Workload>& list, const Workload& base, std::int64_t gpus) {
  const bool adapters = base.adapters();
  for (const int zero : {0, 1, 2, 3}) {
    if (gpus == 1 && zero > 0) break;
    if (adapters && (zero == 1 || zero == 2)) continue;  // adapters are small: nothing to gain
    Workload workload = base;
    workload.gpus = workload.dp.emplace(gpus);
    workload.zero = zero;
    list.push_back(workload);
  }
}

// Inference: the layers of all cards work on each token together when the heads can be shared out,
// else the layers are spread.
void add_inference(std::vector<Workload>& list, const Workload& base, const ModelShape& model,
                   std::int64_t gpus) {
  Workload workload = base;
  workload.gpus = gpus;
  if (model.heads > 0 && model.heads % gpus != 0)
    workload.pp = gpus;
  else
    workload.tp = gpus;
  list.push_back(workload);
}

std::vector<Workload> workloads(const Job& job, const ModelShape& model, std::int64_t at_least,
                                std::int64_t at_most) {
  const Workload& base = job.workload;
  if (user_chose_layout(base)) return {base};
  if (job.measured) {  // holds for the run that was measured, and for copies of it
    Workload workload = base;
    workload.gpus = workload.dp.emplace(std::max({at_least, base.gpus, std::int64_t{1}}));
    return {workload};
  }
  std::vector<Workload> list;
  for (std::int64_t gpus = std::max<std::int64_t>(at_least, 1); gpus <= at_most; gpus *= 2) {
    if (base.training())
      add_training(list, base, gpus);
    else
      add_inference(list, base, model, gpus);
  }
  return list;
}

}  // namespace

Layouts::Layouts(const Job& job, const ModelShape& model, std::int64_t at_least,
                 std::int64_t at_most)
    : model_(&model), measured_(job.measured) {
  for (Workload& workload : workloads(job, model, at_least, at_most))
    candidates_.push_back({.workload = std::move(workload), .layout = {}});
}

const Layout* Layouts::at(std::size_t index) {
  Candidate& candidate = candidates_[index];
  if (candidate.impossible) return nullptr;
  if (!candidate.layout) {
    auto resolved = resolve(candidate.workload, *model_);
    if (!resolved) {
      candidate.impossible = true;
      return nullptr;
    }
    MemoryEstimate memory = estimate_memory(*model_, *resolved);
    if (measured_) memory.per_gpu.total = *measured_;
    candidate.layout = Layout{std::move(*resolved), std::move(memory)};
  }
  return &*candidate.layout;
}

const Layout* Layouts::first_that_fits(Bytes available, const Decimal& headroom) {
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    const Layout* layout = at(i);
    if (layout != nullptr && with_headroom(layout->memory.per_gpu.total, headroom) <= available)
      return layout;
  }
  return nullptr;
}

}  // namespace gpuplan::detail

namespace gpuplan {

std::optional<Layout> find_layout(const Job& job, const ModelShape& model, Bytes memory,
                                  std::int64_t at_least, std::int64_t at_most) {
  Job on_card = job;
  on_card.workload.card_memory = memory;
  detail::Layouts layouts(on_card, model, at_least, at_most);
  const Layout* found = layouts.first_that_fits(memory, job.headroom);
  return found == nullptr ? std::nullopt : std::optional{*found};
}

}  // namespace gpuplan
