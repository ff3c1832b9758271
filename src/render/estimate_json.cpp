#include "gpuplan/render.hpp"
#include "render/documents.hpp"
#include "render/inputs_json.hpp"
#include "render/json_writer.hpp"
#include "render/parts.hpp"
#include "spec/modes.hpp"

namespace gpuplan {

void write_explained(JsonWriter& json, const std::vector<Explained>& lines) {
  json.begin_array();
  for (const Explained& line : lines)
    json.begin_object()
        .field("part", line.part)
        .field("formula", line.formula)
        .field("inputs", line.inputs)
        .field("source", line.source)
        .end_object();
  json.end_array();
}

namespace {

void write_feeding(JsonWriter& json, const std::optional<Feeding>& feeding) {
  if (!feeding) return;
  json.key("feeding").begin_object();
  json.field("utilisation", feeding->utilisation)
      .field("wanted_per_s", feeding->wanted_per_s)
      .field("disk_per_s", feeding->disk_per_s)
      .field("loader_per_s", feeding->loader_per_s);
  json.end_object();
}

void write_scaling(JsonWriter& json, const std::optional<Scaling>& scaling) {
  if (!scaling) return;
  json.key("scaling").begin_object();
  json.field("gpus", scaling->gpus)
      .field("speedup", scaling->speedup)
      .field("efficiency", scaling->efficiency);
  json.end_object();
}

void write_wishes(JsonWriter& json, const SpeedEstimate& speed) {
  if (!speed.targets.empty()) {
    json.key("targets").begin_array();
    for (const Target& target : speed.targets)
      json.begin_object()
          .field("name", target.name)
          .field("limit", target.limit)
          .field("value", target.value)
          .field("met", target.met)
          .end_object();
    json.end_array();
  }
  if (speed.batch_for_throughput) json.field("batch_for_throughput", *speed.batch_for_throughput);
  if (!speed.replicas) return;
  const Replicas& r = *speed.replicas;
  json.key("replicas").begin_object();
  json.field("requests_per_s", r.requests_per_s).field("replicas", r.replicas);
  json.field("gpus", r.gpus).field("users_each", r.places).field("utilisation", r.utilisation);
  json.field("wait_probability", r.wait_probability)
      .field("wait_mean_s", r.wait_mean)
      .field("wait_p95_s", r.wait_p95);
  json.end_object();
}

}  // namespace

void write_speed(JsonWriter& json, const std::optional<SpeedEstimate>& speed,
                 const std::optional<Seconds>& work) {
  if (!speed) {
    json.null();
    return;
  }
  json.begin_object();
  double rate = 0;
  if (const auto& t = speed->training) {
    rate = t->tokens_per_s;
    json.field("tokens_per_s", t->tokens_per_s)
        .field("tokens_per_s_per_gpu", t->tokens_per_s_per_gpu);
    json.field("mfu", t->mfu).field("step_s", t->step);
  }
  if (const auto& i = speed->inference) {
    rate = i->output_tokens_per_s;
    json.field("prefill_tokens_per_s", i->prefill_tokens_per_s)
        .field("decode_tokens_per_s", i->decode_tokens_per_s);
    json.field("decode_tokens_per_s_per_user", i->decode_tokens_per_s_per_user);
    json.field("output_tokens_per_s", i->output_tokens_per_s);
    json.field("ttft_s", i->ttft)
        .field("tpot_s", i->tpot)
        .field("answer_s", i->answer)
        .field("max_concurrency", i->max_concurrency);
  }
  if (speed->samples_per_s) {
    if (rate <= 0) rate = *speed->samples_per_s;
    json.field("samples_per_s", *speed->samples_per_s);
  }
  if (speed->rate) {
    rate = speed->rate->per_second;
    json.field("rate_per_s", rate).field("rate_unit", speed->rate->unit);
  }
  json.field("bound", name_of(speed->bound)).field("work_s", work);
  write_feeding(json, speed->feeding);
  write_scaling(json, speed->scaling);
  write_wishes(json, *speed);
  json.key("range")
      .begin_object()
      .field("low_per_s", rate * speed->range.low)
      .field("high_per_s", rate * speed->range.high)
      .field("coverage", speed->range.coverage)
      .end_object();
  json.end_object();
}

namespace {

// With several machines: what each of them needs.
std::optional<Seconds> shared_work(const Job& job, const std::optional<Seconds>& work) {
  return work ? std::optional{share_of_machine(job, *work)} : std::nullopt;
}

void number_or_null(JsonWriter& json, std::string_view key, std::int64_t value) {
  json.key(key);
  value > 0 ? json.value(value) : json.null();
}

void write_stored(JsonWriter& json, const std::optional<StoredWeights>& stored) {
  json.key("stored");
  if (!stored) {
    json.null();
    return;
  }
  json.begin_object().field("format", stored->format).field("files", stored->files);
  json.field("tensors", stored->tensors > 0 ? std::optional{stored->tensors} : std::nullopt);
  json.field("bytes", stored->bytes).field("loaded_bytes", stored->loaded());
  const bool listed = stored->tensors > 0;
  json.field("elements", listed ? std::optional{stored->elements} : std::nullopt);
  json.field("parameters", listed ? std::optional{stored->parameters} : std::nullopt);
  json.field("precision", name_of(stored->precision))
      .field("precision_from", stored->precision_from);
  json.key("by_kind").begin_object();
  for (const StoredKind& kind : stored->by_kind) json.field(name_of(kind.kind), kind.bytes);
  json.end_object().key("by_dtype").begin_object();
  for (const StoredType& type : stored->by_type) json.field(type.type, type.bytes);
  json.end_object().key("differences").begin_array();
  for (const StoredDifference& difference : stored->differences)
    json.begin_object()
        .field("code", difference.code)
        .field("message", difference.message)
        .field("parameters", difference.parameters)
        .field("bytes", difference.bytes)
        .end_object();
  json.end_array().end_object();
}

void write_model(JsonWriter& json, const Estimate& estimate) {
  const ModelShape& model = estimate.model;
  const ParameterCount& count = estimate.memory.parameters;
  json.key("model");
  if (!runs_a_model(estimate.memory.workload.mode)) {
    json.null();
    return;
  }
  json.begin_object().field("name", model.name);
  json.field("parameters", count.total()).field("active_parameters", count.active());
  number_or_null(json, "layers", model.layers);
  number_or_null(json, "hidden", model.hidden);
  number_or_null(json, "heads", model.heads);
  number_or_null(json, "kv_heads", model.kv_heads);
  number_or_null(json, "head_dim", model.head_dim);
  number_or_null(json, "intermediate", model.intermediate);
  number_or_null(json, "vocab", model.vocab);
  write_stored(json, model.stored);
  json.texts("filled_in", model.filled_in);
  json.field("source", model.source).end_object();
}

void write_peak_log(JsonWriter& json, const GpuLog& log) {
  json.key("measured_log").begin_object().field("format", log.format);
  json.key("gpus").begin_array();
  for (const LoggedGpu& gpu : log.gpus) {
    json.begin_object().field("index", gpu.index).field("name", gpu.name);
    json.field("peak_bytes", gpu.peak).field("total_bytes", gpu.total);
    json.field("samples", static_cast<std::int64_t>(gpu.used.size()));
    json.field("growth_bytes_per_sample", steady_growth(gpu)).end_object();
  }
  json.end_array().end_object();
}

void write_memory(JsonWriter& json, const Estimate& estimate, bool explain) {
  const MemoryEstimate& memory = estimate.memory;
  json.key("memory").begin_object().key("per_gpu").begin_object();
  const bool with_model = runs_a_model(memory.workload.mode);
  const bool known = memory_known(estimate);
  for (const MemoryPart& part : kMemoryParts) {
    json.key(std::string(part.key) + "_bytes");
    const bool told = with_model || part.key == "framework" || (known && part.key == "total");
    told ? json.value(memory.per_gpu.*part.member) : json.null();
  }
  json.end_object();
  json.key("peak_moment");
  with_model ? json.value(name_of(memory.moment)) : json.null();
  json.field("gpus", estimate.gpus).field("headroom", estimate.job.headroom).key("required_bytes");
  known ? json.value(estimate.required) : json.null();
  json.field("measured_peak", estimate.measured);
  if (estimate.peak_log) write_peak_log(json, *estimate.peak_log);
  json.key("range");
  if (with_model) {
    json.begin_object()
        .field("low_bytes", memory.range.low)
        .field("high_bytes", memory.range.high)
        .field("coverage", memory.range.coverage)
        .field("rows", memory.range.rows)
        .end_object();
    json.field("kv_bytes_per_token", memory.kv_bytes_per_token);
  } else {
    json.null().key("kv_bytes_per_token").null();
  }
  if (explain) {
    json.key("explain");
    write_explained(json, memory.explain);
  }
  json.end_object();
}

void write_cards(JsonWriter& json, const Estimate& estimate, bool explain) {
  json.key("cards").begin_array();
  for (const CardFit& fit : estimate.cards) {
    json.begin_object().field("card", fit.card->name).field("memory_bytes", fit.card->memory);
    const bool known = memory_known(estimate);
    json.field("fits", known ? std::optional{fit.fits} : std::nullopt)
        .field("gpus_needed", known ? fit.gpus_needed : std::nullopt)
        .field("used_fraction", known ? std::optional{fit.used_fraction} : std::nullopt);
    json.key("speed");
    write_speed(json, fit.speed, shared_work(estimate.job, fit.work));
    if (explain && fit.speed) {
      json.key("explain");
      write_explained(json, fit.speed->explain);
    }
    write_warnings(json, fit.warnings);
    json.end_object();
  }
  json.end_array();
}

}  // namespace

bool memory_known(const Estimate& estimate) {
  return runs_a_model(estimate.memory.workload.mode) || estimate.measured;
}

std::string render_estimate_json(const Estimate& estimate, const RenderOptions& options) {
  JsonWriter json;
  json.begin_object()
      .field("schema", "gpuplan.estimate/1")
      .field("version", options.program_version);
  json.key("inputs").begin_object().field("model", estimate.job.model);
  write_workload_inputs(json, estimate.memory.workload);
  write_job_inputs(json, estimate.job);
  json.end_object();
  write_model(json, estimate);
  write_memory(json, estimate, options.explain);
  json.key("speed");
  const bool named = !estimate.cards.empty() && !estimate.job.cards.empty();
  write_speed(json, named ? estimate.cards.front().speed : std::nullopt,
              named ? shared_work(estimate.job, estimate.cards.front().work) : std::nullopt);
  write_cards(json, estimate, options.explain);
  json.key("advice").begin_array();
  for (const Advice& advice : estimate.advice)
    json.begin_object()
        .field("code", advice.code)
        .field("message", advice.message)
        .field("saves_bytes", advice.saves)
        .field("slowdown", advice.slowdown)
        .end_object();
  json.end_array();
  Warnings all = estimate.warnings;
  for (const CardFit& fit : estimate.cards)
    if (named) all.insert(all.end(), fit.warnings.begin(), fit.warnings.end());
  write_warnings(json, all);
  return json.end_object().take();
}

}  // namespace gpuplan
