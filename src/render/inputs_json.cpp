#include "render/inputs_json.hpp"

#include <fmt/format.h>

#include <chrono>

#include "gpuplan/models.hpp"

namespace gpuplan {
namespace {

std::vector<std::string_view> target_names(const LoraTargets& t) {
  std::vector<std::string_view> names;
  const std::pair<bool, std::string_view> all[] = {{t.q, "q"},
                                                   {t.k, "k"},
                                                   {t.v, "v"},
                                                   {t.o, "o"},
                                                   {t.mlp, "mlp"},
                                                   {t.head, "head"},
                                                   {t.embeddings, "embeddings"},
                                                   {t.experts, "experts"}};
  for (const auto& [on, name] : all)
    if (on) names.push_back(name);
  return names;
}

constexpr std::string_view kDiskKinds[] = {"auto", "data", "volume", "included"};
constexpr std::string_view kStages[] = {"none", "object", "cardless"};
constexpr std::string_view kVerbs[] = {"run",      "stop",           "hibernate",
                                       "cardless", "guest_shutdown", "terminate"};

void write_training(JsonWriter& json, const ResolvedWorkload& w) {
  json.field("grad_accum", w.grad_accum).field("checkpointing", name_of(w.checkpointing));
  json.field("attention", name_of(w.attention)).field("loss", name_of(w.loss));
  json.field("optimizer", name_of(w.optimizer))
      .field("optimizer_in_backward", w.optimizer_in_backward);
  json.field("master_weights", w.master_weights).field("compile", w.compile);
  if (w.adapters()) {
    json.field("lora_rank", w.lora_rank);
    json.texts("lora_targets", target_names(w.lora_targets));
  }
  json.field("zero", w.zero).field("sharding", name_of(w.sharding));
}

void write_serving(JsonWriter& json, const ResolvedWorkload& w) {
  json.field("kv_precision", name_of(w.kv_precision)).field("kv_cache", name_of(w.kv_cache));
  json.field("concurrency_max", w.concurrency_max);
  json.field("input_tokens", w.input_tokens).field("output_tokens", w.output_tokens);
  json.field("shared_prefix", w.shared_prefix);
  json.key("draft_model");
  w.draft ? json.value(w.draft->name) : json.null();
  json.field("max_seqs", w.max_seqs).field("max_batched_tokens", w.max_batched_tokens);
}

// What a spot plan goes by, defaults filled in.
void write_spot_inputs(JsonWriter& json, const Job& job) {
  json.field("reclaim_mean_s", job.reclaim_mean).field("policy", job.policy.value_or("spot"));
  json.key("checkpoint");
  if (job.checkpoint) {
    const CheckpointPlan& plan = *job.checkpoint;
    json.begin_object().field("every_s", plan.every);
    json.field("to", plan.to == CheckpointTo::object ? "object" : "local");
    json.field("size_bytes", plan.size).field("keep", plan.keep).field("write_s", plan.write);
    json.field("restore_s", plan.restore).field("resume", plan.resume).end_object();
  } else {
    json.null();
  }
  const SpotModel& model = job.spot_model;
  json.key("spot_model").begin_object();
  json.field("strikes_restore", model.strikes_restore)
      .field("first_start_restores", model.first_start_restores)
      .field("checkpoint_after_last", model.checkpoint_after_last)
      .field("survives", model.survives)
      .end_object();
}

}  // namespace

void write_workload_inputs(JsonWriter& json, const ResolvedWorkload& w) {
  json.field("mode", name_of(w.mode)).field("task", name_of(w.task));
  json.field("precision", name_of(w.precision)).field("batch", w.batch).field("seq", w.sequence);
  json.field("framework", name_of(w.framework)).field("framework_chosen", w.framework_chosen);
  json.key("engine_version");
  w.engine_version.empty() ? json.null() : json.value(w.engine_version);
  json.field("gpus", w.gpus)
      .field("dp", w.dp)
      .field("tp", w.tp)
      .field("pp", w.pp)
      .field("cp", w.cp)
      .field("ep", w.ep);
  json.key("interconnect");
  w.interconnect ? json.value(name_of(*w.interconnect)) : json.null();
  json.field("offload", name_of(w.offload));
  w.training() ? write_training(json, w) : write_serving(json, w);
}

namespace {

// "2026-11-01T08:00:00Z": the same moment whatever offset it was written with.
std::string moment_text(const Moment& moment) {
  const auto day = std::chrono::floor<std::chrono::days>(moment.utc);
  const std::chrono::hh_mm_ss time{std::chrono::floor<std::chrono::seconds>(moment.utc - day)};
  return fmt::format("{}T{:02}:{:02}:{:02}Z", to_string(Date{day}), time.hours().count(), time.minutes().count(),
                     time.seconds().count());
}

// Who asks, when the work runs, and what is kept of it.
void write_times(JsonWriter& json, const Job& job) {
  const auto text = [&](std::string_view name, const std::string& value) {
    json.key(name);
    value.empty() ? json.null() : json.value(value);
  };
  text("name", job.name);
  text("project", job.project);
  text("member", job.member);
  json.texts("who", job.who);
  text("start", job.start ? moment_text(*job.start) : "");
  json.key("schedule");
  if (job.schedule)
    json.begin_object()
        .field("from_minute", job.schedule->from_minute)
        .field("to_minute", job.schedule->to_minute)
        .field("days", static_cast<std::int64_t>(job.schedule->days))
        .end_object();
  else
    json.null();
  json.field("auto_stop_s", job.auto_stop).field("down_s", job.down);
  json.field("return_early", job.return_early).field("spent", job.spent);
  json.key("keep").begin_object();
  json.key("images_bytes").begin_array();
  for (const Bytes image : job.keep.images) json.value(image);
  json.end_array();
  json.field("object_bytes", job.keep.object).field("ip", job.keep.ip).field("disk", job.keep.disk);
  json.end_object();
}

}  // namespace

void write_job_inputs(JsonWriter& json, const Job& job) {
  json.field("headroom", job.headroom).field("memory_used", job.memory_used);
  const Work& work = job.work;
  json.key("work").begin_object();
  json.field("tokens", work.tokens)
      .field("samples", work.samples)
      .field("tokens_per_sample", work.tokens_per_sample);
  json.field("epochs", work.epochs).field("steps", work.steps).field("requests", work.requests);
  json.key("run_s");
  work.run_hours ? json.value(*work.run_hours) : json.null();
  json.key("measured");
  if (work.measured)
    json.begin_object()
        .field("card", work.measured->card)
        .field("gpus", work.measured->gpus)
        .field("time_s", work.measured->time)
        .end_object();
  else
    json.null();
  json.end_object();
  json.key("data").begin_object();
  json.field("upload_bytes", job.data.upload).field("download_bytes", job.data.download);
  json.field("disk_bytes", job.data.disk).field("system_disk_bytes", job.data.system_disk);
  json.field("compression", job.data.compression);
  json.key("line_up_bytes_per_s");
  job.data.line_up ? json.value(job.data.line_up->per_second()) : json.null();
  json.key("line_down_bytes_per_s");
  job.data.line_down ? json.value(job.data.line_down->per_second()) : json.null();
  json.field("kind", kDiskKinds[static_cast<std::size_t>(job.data.kind)])
      .field("stage", kStages[static_cast<std::size_t>(job.data.stage)])
      .field("shared", job.data.shared);
  json.end_object();
  write_times(json, job);
  json.field("keep_s", job.keep.days).field("machines", job.machines).field("splits", job.splits);
  json.field("idle_s", job.idle);
  json.field("between", kVerbs[static_cast<std::size_t>(job.between)]);
  json.field("end", kVerbs[static_cast<std::size_t>(job.end.value_or(Verb::terminate))]);
  json.field("deadline_s", job.deadline)
      .field("budget", job.budget)
      .field("max_unit_cost", job.max_unit_cost);
  write_spot_inputs(json, job);
  json.key("profile");
  job.profile.empty() ? json.null() : json.value(job.profile);
  json.key("require").begin_object();
  for (const auto& [key, value] : job.require) json.field(key, value);
  json.end_object();
}

}  // namespace gpuplan
