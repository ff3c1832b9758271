#include "memory/layout.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "memory/frameworks.hpp"

namespace gpuplan::detail {

void complain(Diagnostics& errors, std::string option, std::string message, std::string hint) {
  errors.push_back(
      {ErrorCode::usage, std::move(option), "", std::move(message), std::move(hint)});
}

namespace {

// The engines divide every matrix over the cards when nobody says otherwise, as long as the heads
// can be divided; the programs without tensor parallelism spread the layers.
void divide_model(const Workload& w, const ModelShape& model, ResolvedWorkload& r) {
  const bool stated = w.dp || w.tp || w.pp || w.cp;
  if (stated || r.gpus == 1 || r.training()) return;
  const bool engine = traits_of(r.framework).serving == Serving::engine;
  const bool divides = model.heads <= 0 || model.heads % r.gpus == 0;
  if (engine && divides)
    r.tp = r.gpus;
  else
    r.pp = r.gpus;
}

}  // namespace

void resolve_layout(const Workload& w, const ModelShape& model, ResolvedWorkload& r,
                    Diagnostics& errors) {
  r.tp = w.tp.value_or(1);
  r.pp = w.pp.value_or(1);
  r.cp = w.cp.value_or(1);
  r.ep = w.ep.value_or(1);
  divide_model(w, model, r);
  const std::int64_t parts = r.tp * r.pp * r.cp;
  r.dp = w.dp.value_or(std::max<std::int64_t>(1, r.gpus / parts));
  if (r.dp * parts != r.gpus)
    complain(errors, "--gpus",
             fmt::format("--dp {} x --tp {} x --pp {} x --cp {} is {} GPUs, --gpus says {}", r.dp,
                         r.tp, r.pp, r.cp, r.dp * parts, r.gpus),
             fmt::format("--gpus {}, or other factors", r.dp * parts));
  if (model.layers > 0 && r.pp > model.layers)
    complain(errors, "--pp", fmt::format("{} stages for {} layers", r.pp, model.layers),
             fmt::format("at most {}", model.layers));
  if (model.heads > 0 && r.tp > 1 && model.heads % r.tp != 0)
    complain(errors, "--tp",
             fmt::format("{} attention heads cannot be divided by {}", model.heads, r.tp),
             "a divisor of the number of heads");
  if (r.ep > 1 && !model.moe)
    complain(errors, "--ep", "the model has no experts", "leave --ep out");
  else if (r.ep > 1 && model.moe->experts % r.ep != 0)
    complain(errors, "--ep",
             fmt::format("{} experts cannot be divided by {}", model.moe->experts, r.ep),
             "a divisor of the number of experts");
  else if (r.ep > r.gpus)
    complain(errors, "--ep", fmt::format("{} parts on {} GPUs", r.ep, r.gpus),
             fmt::format("at most {}", r.gpus));
  if (!r.training()) return;
  // Several GPUs in training are data-parallel; what they can share of a model that is trained in
  // full, or of a 16-bit base, they share.
  const bool shares = r.dp * r.cp > 1;
  // Megatron keeps whole weights on each replica and shares the optimizer only.
  const int usual = r.framework == Framework::megatron ? 1 : 3;
  r.zero = w.zero.value_or(shares ? usual : 0);
}

}  // namespace gpuplan::detail
