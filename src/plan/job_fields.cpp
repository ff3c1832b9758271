// One row for each thing that a job can say. The command line, the job document, help, completion
// and "did you mean" all read this table.
#include <algorithm>

#include "gpuplan/plan.hpp"

namespace gpuplan {
namespace {

using Choices = std::span<const std::string_view>;

template <class Enum>
Choices choices() {
  static const std::vector<std::string_view> kNames = [] {
    std::vector<std::string_view> names;
    for (const auto& entry : names_of<Enum>()) names.push_back(entry.name);
    return names;
  }();
  return kNames;
}

constexpr std::string_view kVerbs[] = {"run",      "stop",           "hibernate",
                                       "cardless", "guest_shutdown", "terminate"};
constexpr std::string_view kDiskKinds[] = {"auto", "data", "volume", "included"};
constexpr std::string_view kStages[] = {"none", "object", "cardless"};
constexpr std::string_view kPlaces[] = {"local", "object"};
constexpr std::string_view kProfiles[] = {"student", "team", "enterprise"};
constexpr std::string_view kTargets[] = {"q",   "k",   "v",    "o",          "attention",
                                         "mlp", "all", "head", "embeddings", "experts"};

constexpr std::string_view kModel = "Model and mode", kNumbers = "Numbers", kLayout = "Layout",
                           kServing = "Serving", kRoom = "Card and room", kWork = "Work",
                           kData = "Data and disks", kTime = "When and how long",
                           kSpot = "Spot and checkpoints", kLimits = "Limits and wishes",
                           kFile = "Only in a job file";

std::vector<JobField> make_fields() {
  using K = FieldKind;
  return {
      {"--model", "model", K::text, kModel, "name, size such as 7b, or file"},
      {"--params", "params", K::count, kModel, "number of parameters, overrides the shape's count"},
      {"--mode", "mode", K::choice, kModel, "what is done with the model", choices<Mode>()},
      {"--task", "task", K::choice, kModel, "for vision, diffusion, encoder", choices<Task>()},
      {"--image-size", "image_size", K::integer, kModel, "pixels a side"},

      {"--precision", "precision", K::choice, kNumbers, "of the weights", choices<Precision>()},
      {"--group-size", "group_size", K::integer, kNumbers, "weights that share a scale (int4)"},
      {"--quantise-experts", "quantise_experts", K::boolean, kNumbers, "on or off"},
      {"--kv-precision", "kv_precision", K::choice, kNumbers, "of the KV cache",
       choices<KvPrecision>()},
      {"--kv-cache", "kv_cache", K::choice, kNumbers, "how the KV cache is kept",
       choices<KvCache>()},
      {"--batch", "batch", K::count, kNumbers, "micro-batch a GPU; in inference the users"},
      {"--seq", "seq", K::count, kNumbers, "tokens of a sample; in inference of the context"},
      {"--grad-accum", "grad_accum", K::count, kNumbers, "micro-batches in an optimizer step"},
      {"--checkpointing", "checkpointing", K::choice, kNumbers, "recomputation of activations",
       choices<Checkpointing>()},
      {"--attention", "attention", K::choice, kNumbers, "kernel", choices<Attention>()},
      {"--loss", "loss", K::choice, kNumbers, "how the logits are kept", choices<Loss>()},
      {"--optimizer", "optimizer", K::choice, kNumbers, "optimizer", choices<Optimizer>()},
      {"--optimizer-in-backward", "optimizer_in_backward", K::flag, kNumbers,
       "step fused into the backward pass"},
      {"--master-weights", "master_weights", K::boolean, kNumbers,
       "32-bit copy of the weights: on or off"},
      {"--compile", "compile", K::boolean, kNumbers, "compiled model: on or off"},
      {"--lora-rank", "lora_rank", K::integer, kNumbers, "rank of the adapters"},
      {"--lora-targets", "lora_targets", K::texts, kNumbers, "modules with adapters, a list",
       kTargets},

      {"--framework", "framework", K::choice, kLayout, "program that runs the job",
       choices<Framework>()},
      {"--engine-version", "engine_version", K::text, kLayout, "its version, such as 0.19"},
      {"--max-seqs", "max_seqs", K::count, kLayout, "most sequences at once in the engine"},
      {"--max-batched-tokens", "max_batched_tokens", K::count, kLayout, "most tokens of a pass"},
      {"--gpus", "gpus", K::integer, kLayout, "number of GPUs"},
      {"--dp", "dp", K::integer, kLayout, "data parallel degree"},
      {"--tp", "tp", K::integer, kLayout, "tensor parallel degree"},
      {"--pp", "pp", K::integer, kLayout, "pipeline parallel degree"},
      {"--cp", "cp", K::integer, kLayout, "context parallel degree"},
      {"--ep", "ep", K::integer, kLayout, "expert parallel degree"},
      {"--interconnect", "interconnect", K::choice, kLayout,
       "between the cards; absent: the card's own", choices<Wire>()},
      {"--zero", "zero", K::integer, kLayout, "ZeRO stage, 0 to 3"},
      {"--sharding", "sharding", K::choice, kLayout, "who shards", choices<Sharding>()},
      {"--offload", "offload", K::text, kLayout, "none, optimizer, activations, all or layers=N"},

      {"--concurrency", "concurrency", K::text, kServing, "users at once, or max"},
      {"--input-tokens", "input_tokens", K::count, kServing, "tokens of a prompt"},
      {"--output-tokens", "output_tokens", K::count, kServing, "tokens of an answer"},
      {"--shared-prefix", "shared_prefix", K::count, kServing,
       "tokens at the start that all users have in common"},
      {"--draft-model", "draft_model", K::text, kServing,
       "model that proposes tokens (speculative decoding): name, size or file"},
      {"--ttft", "ttft", K::time, kServing, "target: time to first token, such as 500ms"},
      {"--tpot", "tpot", K::time, kServing, "target: time per output token, such as 40ms"},
      {"--answer-time", "answer_time", K::time, kServing, "target: time of a whole answer"},
      {"--throughput", "throughput", K::decimal, kServing,
       "target: tokens (images: samples) a second of all cards"},
      {"--rate", "rate", K::decimal, kServing, "requests a second: how many replicas they need"},

      {"--card", "card", K::texts, kRoom, "card to judge (repeatable)"},
      {"--headroom", "headroom", K::decimal, kRoom, "factor on the memory, 1.3 by default"},
      {"--memory-used", "memory_used", K::bytes, kRoom, "memory that others use on the card"},
      {"--measured-peak", "measured_peak", K::text, kRoom,
       "peak of a trial run: a size such as 18GiB, or an nvidia-smi log (CSV, XML, table)"},
      {"--columns", "measured_columns", K::texts, kRoom,
       "columns of a log without a header: used,total,utilization"},

      {"--tokens", "work.tokens", K::count, kWork, "tokens to train on or to produce"},
      {"--samples", "work.samples", K::count, kWork, "samples"},
      {"--tokens-per-sample", "work.tokens_per_sample", K::count, kWork, "mean tokens of a sample"},
      {"--epochs", "work.epochs", K::decimal, kWork, "passes over the samples"},
      {"--steps", "work.steps", K::count, kWork, "optimizer steps"},
      {"--requests", "work.requests", K::count, kWork, "requests to answer"},
      {"--per-day", "work.per_day", K::decimal, kWork, "requests a day"},
      {"--seconds-per-request", "work.seconds_per_request", K::decimal, kWork, "time of a request"},
      {"--run-hours", "work.run_hours", K::hours, kWork,
       "time that one such machine needs, measured"},
      {"--measured-run", "work.measured", K::measured, kWork, "a timed run: \"6h on RTX 4090\""},

      {"--sample-size", "sample_size", K::bytes, kData, "read from the disk for each sample"},
      {"--disk-speed", "disk_speed", K::line, kData, "what a machine's disk reads, such as 200MB/s"},
      {"--loader-rate", "loader_rate", K::decimal, kData,
       "samples a second that a machine's CPUs prepare"},

      {"--upload", "data.upload", K::bytes, kData, "data that goes to the platform"},
      {"--download", "data.download", K::bytes, kData, "results that come back"},
      {"--disk", "data.disk", K::bytes, kData, "data disk"},
      {"--disk-kind", "data.kind", K::choice, kData, "which disk", kDiskKinds},
      {"--system-disk", "data.system_disk", K::bytes, kData, "system disk that is needed"},
      {"--compression", "data.compression", K::decimal, kData, "factor on what goes over the line"},
      {"--stage", "data.stage", K::choice, kData, "where the upload goes first", kStages},
      {"--line", "data.line", K::line, kData, "own line, such as 100Mbps"},
      {"", "data.shared", K::boolean, kFile, "each machine uploads everything"},
      {"--keep-days", "keep.days", K::days, kData, "days that things are kept after the end"},
      {"--images", "keep.images", K::sizes, kData, "sizes of stored images, a list"},
      {"--keep-object", "keep.object", K::bytes, kData, "object storage that is kept"},
      {"--keep-ip", "keep.ip", K::flag, kData, "the address is kept"},
      {"", "keep.disk", K::boolean, kFile, "the disk is kept; true when days > 0"},

      {"--schedule", "schedule.daily", K::schedule, kTime, "daily window, such as 20:00-08:00"},
      {"--days", "schedule.days", K::weekdays, kTime, "days on which it opens: mon,tue,..."},
      {"--between", "between", K::choice, kTime, "what is done between sessions", kVerbs},
      {"--end", "end", K::choice, kTime, "what is done at the end", kVerbs},
      {"--start", "start", K::text, kTime, "moment, such as 2026-12-01T20:00:00Z"},
      {"--idle-hours", "idle_hours", K::hours, kTime, "hours that the machine stays on unused"},
      {"--auto-stop-hours", "auto_stop_hours", K::hours, kTime, "stop after so many idle hours"},
      {"--machines", "machines", K::integer, kTime, "machines that share the work"},
      {"--splits", "splits", K::integer, kTime,
       "tasks that the work is cut into; the machines work on one each"},
      {"", "down_hours", K::hours, kFile, "hours that the host is down"},

      {"--checkpoint-every", "checkpoint.every", K::time, kSpot,
       "work between two checkpoints; 0s: progress is always kept"},
      {"--checkpoint-to", "checkpoint.to", K::choice, kSpot, "where checkpoints go", kPlaces},
      {"--checkpoint-size", "checkpoint.size", K::bytes, kSpot, "size of one"},
      {"--checkpoint-keep", "checkpoint.keep", K::integer, kSpot, "how many are kept"},
      {"", "checkpoint.write_s", K::decimal, kFile, "seconds to write one"},
      {"", "checkpoint.restore_s", K::decimal, kFile, "seconds to read one back"},
      {"", "checkpoint.resume", K::boolean, kFile, "a new session goes on from the last one"},
      {"--reclaim-mean", "reclaim_mean", K::time, kSpot, "mean life of a spot machine"},
      {"--policy", "policy", K::text, kSpot,
       "spot, spot_else_on_demand, greedy, progress_line, last_minute, reserve, retries:K, mixed:K"},
      {"", "spot_model", K::text, kFile, "conventions of a spot session"},

      {"--deadline", "deadline", K::text, kLimits, "time from the start, or a moment"},
      {"--budget", "budget", K::decimal, kLimits, "most that it may cost"},
      {"--max-unit-cost", "max_unit_cost", K::decimal, kLimits,
       "most that a unit of work may cost"},
      {"--require", "require", K::require, kLimits,
       "KEY[=VALUE] that an offer must have (repeatable)"},
      {"--profile", "profile", K::choice, kLimits, "whose choice it is", kProfiles},
      {"--who", "who", K::texts, kLimits, "what you are: new, student, ..."},
      {"--return-early", "return_early", K::flag, kLimits, "give the running block back"},
      {"", "name", K::text, kFile, "name of the job"},
      {"", "project", K::text, kFile, "project that it is billed to"},
      {"", "member", K::text, kFile, "member that it is billed to"},
      {"", "spent", K::decimal, kFile, "already spent on this platform"},
  };
}

}  // namespace

std::span<const JobField> job_fields() {
  static const std::vector<JobField> kFields = make_fields();
  return kFields;
}

}  // namespace gpuplan
