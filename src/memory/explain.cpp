#include "memory/explain.hpp"

#include <fmt/format.h>

#include "memory/kv_cache.hpp"

namespace gpuplan::detail {
namespace {

void add(std::vector<Explained>& lines, std::string part, const Term& term, Bytes amount) {
  if (amount == Bytes{} || term.formula.empty()) return;
  lines.push_back({std::move(part), term.formula,
                   fmt::format("{} = {}", term.inputs, gib(amount.as_double())), term.source});
}

Term joined(const Term& a, const Term& b) {
  if (a.bytes <= 0) return b;
  if (b.bytes <= 0) return a;
  return {a.bytes + b.bytes, a.formula + "; " + b.formula, a.inputs + "; " + b.inputs,
          a.source == b.source ? a.source : a.source + "; " + b.source};
}

}  // namespace

std::vector<Explained> explain_parts(const MemoryJob& job, const Totals& totals) {
  const MemoryBreakdown& per = totals.per_gpu;
  const Parts& parts = totals.parts;
  std::vector<Explained> lines;
  add(lines, "weights", parts.weights, per.weights);
  const Term& adapter = parts.adapter.weights;  // its line names weights, gradients and states
  add(lines, "gradients", job.trains_all() ? parts.gradients : adapter, per.gradients);
  add(lines, "optimizer", job.trains_all() ? parts.optimizer : adapter, per.optimizer);
  add(lines, "adapter", parts.adapter.weights, per.adapter);
  Term saved = parts.activations.saved;
  if (parts.activations.working > 0) {
    saved.formula += " + one layer at work";
    saved.inputs += fmt::format(" + {}", gib(parts.activations.working));
  }
  add(lines, "activations", joined(saved, parts.serving.activations), per.activations);
  add(lines, "logits", joined(parts.activations.logits, parts.serving.logits), per.logits);
  add(lines, "kv_cache", parts.kv, per.kv_cache);
  add(lines, "workspace",
      joined(joined(parts.gathered, parts.update),
                            joined(parts.unpacked, parts.serving.workspace)), per.workspace);
  add(lines, "framework", parts.framework, per.framework);
  std::string alive;
  for (const Moment& moment : totals.moments) {
    if (moment.bytes <= 0) continue;
    if (!alive.empty()) alive += ", ";
    alive += fmt::format("{} {}", name_of(moment.moment), gib(moment.bytes));
  }
  lines.push_back({"allocated", "largest of the moments", alive,
                   "a peak is a maximum over moments: parts that never meet are not added"});
  add(lines, "reserved", totals.reserved, per.reserved);
  lines.push_back({"total", "reserved + framework",
                   fmt::format("{} + {} = {}", gib(per.reserved.as_double()),
                               gib(per.framework.as_double()), gib(per.total.as_double())),
                   "what nvidia-smi shows for the job"});
  return lines;
}

Explained explain_range(const MemoryRange& range) {
  return {"range", "total x measured over estimated, of at least four of five like runs",
          fmt::format("{} to {}", gib(range.low.as_double()), gib(range.high.as_double())),
          range.rows > 0
              ? fmt::format("{} published measurements of \"{}\" (tests/accuracy)", range.rows,
                            range.kind)
              : "no like run was measured: a guess"};
}

}  // namespace gpuplan::detail
