#include "plan/job_sections.hpp"

#include <algorithm>
#include <array>

#include "core/text.hpp"

namespace gpuplan::detail {
namespace {

constexpr Duration kSecond{1'000'000};
constexpr Duration kHour = kSecond * 3600;
constexpr Duration kDay = kHour * 24;
constexpr std::int64_t kMostTokens = 1'000'000'000'000'000;

template <class Enum>
void choose(const JsonReader& root, std::string_view key, std::optional<Enum>& target) {
  const auto value = root.find(key);
  if (!value) return;
  std::vector<std::string_view> names;
  for (const auto& entry : names_of<Enum>()) names.push_back(entry.name);
  target = names_of<Enum>()[value->choice(names)].value;
}

void number(const JsonReader& root, std::string_view key, std::int64_t low, std::int64_t high,
            std::optional<std::int64_t>& target) {
  if (const auto value = root.find(key)) target = value->count(low, high);
}

void truth(const JsonReader& root, std::string_view key, std::optional<bool>& target) {
  if (const auto value = root.find(key)) target = value->boolean();
}

void seconds(const JsonReader& root, std::string_view key, std::optional<Seconds>& target) {
  if (const auto value = root.find(key)) target = Seconds(value->duration(kSecond));
}

void read_offload(const JsonReader& value, Workload& workload) {
  const std::string text = value.text();
  if (text.starts_with("layers=")) {
    const auto layers = parse_count(std::string_view(text).substr(7));
    if (layers && *layers > 0) {
      workload.offload = OffloadKind::layers;
      workload.offload_layers = *layers;
      return;
    }
  } else if (const auto kind = value_of<OffloadKind>(text); kind && *kind != OffloadKind::layers) {
    workload.offload = *kind;
    return;
  }
  value.complain_expected("none, optimizer, activations, all or layers=N");
}

struct Target {
  std::string_view name;
  void (*set)(LoraTargets&);
};
constexpr std::array kTargets{
    Target{"q", [](LoraTargets& t) { t.q = true; }},
    Target{"k", [](LoraTargets& t) { t.k = true; }},
    Target{"v", [](LoraTargets& t) { t.v = true; }},
    Target{"o", [](LoraTargets& t) { t.o = true; }},
    Target{"attention", [](LoraTargets& t) { t.q = t.k = t.v = t.o = true; }},
    Target{"mlp", [](LoraTargets& t) { t.mlp = true; }},
    Target{"all", [](LoraTargets& t) { t.q = t.k = t.v = t.o = t.mlp = true; }},
    Target{"head", [](LoraTargets& t) { t.head = true; }},
    Target{"embeddings", [](LoraTargets& t) { t.embeddings = true; }},
    Target{"experts", [](LoraTargets& t) { t.experts = true; }}};

void read_targets(const JsonReader& value, Workload& workload) {
  LoraTargets targets{.q = false, .k = false, .v = false, .o = false};
  std::vector<std::string_view> names;
  for (const Target& target : kTargets) names.push_back(target.name);
  for (const JsonReader& item : value.items()) kTargets[item.choice(names)].set(targets);
  if (value.node().children.empty()) value.complain_expected("at least one module");
  workload.lora_targets = targets;
}

// Users are `--concurrency N|max` or, the same, `--batch`.
void read_concurrency(const JsonReader& value, Workload& workload) {
  if (value.node().text == "max") {
    workload.concurrency_max = true;
    return;
  }
  const std::int64_t users = value.count(1, 1'000'000);
  if (workload.batch && *workload.batch != users)
    value.complain_expected("the number that --batch says, or max");
  workload.batch = users;
}

void read_layout(const JsonReader& root, Workload& workload) {
  std::optional<Framework> framework;
  choose(root, "framework", framework);
  workload.framework = framework.value_or(Framework::automatic);
  if (const auto value = root.find("engine_version")) workload.engine_version = value->text();
  number(root, "max_seqs", 1, 1'000'000, workload.max_seqs);
  number(root, "max_batched_tokens", 1, 100'000'000, workload.max_batched_tokens);
  if (const auto value = root.find("gpus")) workload.gpus = value->integer(1, 100'000);
  for (const auto& [key, target] : {std::pair{"dp", &workload.dp},
                                    {"tp", &workload.tp},
                                    {"pp", &workload.pp},
                                    {"cp", &workload.cp},
                                    {"ep", &workload.ep}})
    number(root, key, 1, 100'000, *target);
  choose(root, "interconnect", workload.interconnect);
  if (const auto value = root.find("zero")) workload.zero = static_cast<int>(value->integer(0, 3));
  choose(root, "sharding", workload.sharding);
  if (const auto value = root.find("offload")) read_offload(*value, workload);
}

void read_feed(const JsonReader& root, Feed& feed) {
  if (const auto value = root.find("sample_size"))
    feed.sample_bytes = value->bytes(Bytes::of(1)).as_double();
  if (const auto value = root.find("disk_speed")) {
    feed.disk_bytes_per_s = value->bandwidth().per_second();
    if (*feed.disk_bytes_per_s <= 0) value->complain_expected("a speed above 0, such as 200MB/s");
  }
  if (const auto value = root.find("loader_rate")) {
    feed.loader_samples_per_s = value->number(0, 1e12);
    if (*feed.loader_samples_per_s <= 0) value->complain_expected("samples a second, above 0");
  }
}

int minutes_of(std::string_view text) {
  if (text.size() != 5 || text[2] != ':') return -1;
  for (const std::size_t i : {0U, 1U, 3U, 4U})
    if (text[i] < '0' || text[i] > '9') return -1;
  const int hour = (text[0] - '0') * 10 + (text[1] - '0');
  const int minute = (text[3] - '0') * 10 + (text[4] - '0');
  return hour < 24 && minute < 60 ? hour * 60 + minute : -1;
}

void read_window(const JsonReader& value, Schedule& schedule) {
  const std::string text = value.text();
  if (text.size() == 11 && text[5] == '-') {
    schedule.from_minute = minutes_of(std::string_view(text).substr(0, 5));
    schedule.to_minute = minutes_of(std::string_view(text).substr(6));
    if (schedule.from_minute >= 0 && schedule.to_minute >= 0) return;
  }
  schedule = Schedule{};
  value.complain_expected("a daily window such as \"20:00-08:00\"");
}

}  // namespace

void read_workload(const JsonReader& root, Workload& workload) {
  std::optional<Mode> mode;
  choose(root, "mode", mode);
  workload.mode = mode.value_or(Mode::inference);
  choose(root, "task", workload.task);
  choose(root, "precision", workload.precision);
  choose(root, "kv_precision", workload.kv_precision);
  choose(root, "kv_cache", workload.kv_cache);
  number(root, "group_size", 1, 65'536, workload.group_size);
  truth(root, "quantise_experts", workload.quantise_experts);
  number(root, "batch", 1, 1'000'000, workload.batch);
  number(root, "seq", 1, 100'000'000, workload.sequence);
  number(root, "grad_accum", 1, 1'000'000, workload.grad_accum);
  choose(root, "checkpointing", workload.checkpointing);
  choose(root, "attention", workload.attention);
  choose(root, "loss", workload.loss);
  choose(root, "optimizer", workload.optimizer);
  truth(root, "optimizer_in_backward", workload.optimizer_in_backward);
  truth(root, "master_weights", workload.master_weights);
  truth(root, "compile", workload.compile);
  number(root, "lora_rank", 1, 65'536, workload.lora_rank);
  if (const auto value = root.find("lora_targets")) read_targets(*value, workload);
  read_layout(root, workload);
  if (const auto value = root.find("concurrency")) read_concurrency(*value, workload);
  number(root, "input_tokens", 1, 100'000'000, workload.input_tokens);
  number(root, "shared_prefix", 1, 100'000'000, workload.shared_prefix);
  number(root, "output_tokens", 1, 100'000'000, workload.output_tokens);
  seconds(root, "ttft", workload.ttft);
  seconds(root, "tpot", workload.tpot);
  seconds(root, "answer_time", workload.answer);
  if (const auto value = root.find("throughput")) workload.throughput = value->number(0, 1e15);
  if (const auto value = root.find("rate")) {
    workload.rate = value->number(0, 1e9);
    if (*workload.rate <= 0) value->complain_expected("requests a second, above 0");
  }
  read_feed(root, workload.feed);
  number(root, "image_size", 1, 65'536, workload.image_size);
}

std::optional<MeasuredRun> parse_measured_run(std::string_view text) {
  const auto on = text.find(" on ");
  if (on == std::string_view::npos) return std::nullopt;
  const auto time = parse_duration(text.substr(0, on));
  std::string_view card = text.substr(on + 4);
  MeasuredRun run;
  if (const auto times = card.find("x ");
      times != std::string_view::npos && times > 0 && times < 6) {
    if (const auto gpus = parse_count(card.substr(0, times))) {
      run.gpus = *gpus;
      card.remove_prefix(times + 2);
    }
  }
  if (!time || time->count() <= 0 || card.empty() || run.gpus < 1) return std::nullopt;
  run.card = card;
  run.time = *time;
  return run;
}

void read_work(const JsonReader& section, Work& work) {
  section.allow({"tokens", "samples", "tokens_per_sample", "epochs", "steps", "requests", "per_day",
                 "seconds_per_request", "run_hours", "measured"});
  if (!section.is_object()) return;
  number(section, "tokens", 1, kMostTokens, work.tokens);
  number(section, "samples", 1, kMostTokens, work.samples);
  number(section, "tokens_per_sample", 1, kMostTokens, work.tokens_per_sample);
  number(section, "steps", 1, kMostTokens, work.steps);
  number(section, "requests", 0, kMostTokens, work.requests);
  if (const auto value = section.find("epochs")) {
    work.epochs = value->decimal();
    if (work.epochs->is_zero()) value->complain_expected("a number above 0");
  }
  if (const auto value = section.find("per_day")) work.per_day = value->decimal();
  if (const auto value = section.find("seconds_per_request"))
    work.seconds_per_request = value->duration(kSecond);
  if (const auto value = section.find("run_hours")) work.run_hours = value->duration(kHour);
  const auto measured = section.find("measured");
  if (!measured) return;
  if (measured->node().is(JsonNode::Kind::string)) {
    work.measured = parse_measured_run(measured->node().text);
    if (!work.measured)
      measured->complain_expected("a timed run such as \"6h on RTX 4090\" or \"3h on 2x A100\"");
    return;
  }
  measured->allow({"card", "gpus", "hours"});
  if (!measured->is_object()) return;
  MeasuredRun run{.card = measured->at("card").text(),
                  .gpus = 1,
                  .time = measured->at("hours").duration(kHour)};
  if (const auto gpus = measured->find("gpus")) run.gpus = gpus->integer(1, 100'000);
  work.measured = run;
}

void read_data(const JsonReader& section, DataPlan& data) {
  constexpr std::array<std::string_view, 4> kKinds{"auto", "data", "volume", "included"};
  constexpr std::array<std::string_view, 3> kStages{"none", "object", "cardless"};
  section.allow({"upload", "download", "disk", "kind", "system_disk", "compression", "stage",
                 "line", "shared"});
  if (!section.is_object()) return;
  const Bytes gb = Bytes::gb(1);
  if (const auto value = section.find("upload")) data.upload = value->bytes(gb);
  if (const auto value = section.find("download")) data.download = value->bytes(gb);
  if (const auto value = section.find("disk")) data.disk = value->bytes(gb);
  if (const auto value = section.find("system_disk")) data.system_disk = value->bytes(gb);
  if (const auto value = section.find("kind"))
    data.kind = static_cast<DiskKind>(value->choice(kKinds));
  if (const auto value = section.find("stage"))
    data.stage = static_cast<Stage>(value->choice(kStages));
  if (const auto value = section.find("shared")) data.shared = value->boolean();
  if (const auto value = section.find("compression")) {
    data.compression = value->decimal();
    if (data.compression.is_zero() || data.compression > Decimal::of(1))
      value->complain_expected("a factor above 0, at most 1", "0.5 halves what goes over the line");
  }
  const auto line = section.find("line");
  if (!line) return;
  if (line->node().is(JsonNode::Kind::object)) {
    line->allow({"up", "down"});
    if (const auto up = line->find("up")) data.line_up = up->bandwidth();
    if (const auto down = line->find("down")) data.line_down = down->bandwidth();
    return;
  }
  data.line_up = data.line_down = line->bandwidth();
}

void read_keep(const JsonReader& section, Keep& keep) {
  section.allow({"days", "images", "object", "ip", "disk"});
  if (!section.is_object()) return;
  if (const auto value = section.find("days")) keep.days = value->duration(kDay);
  if (const auto value = section.find("images"))
    for (const JsonReader& item : value->items()) keep.images.push_back(item.bytes(Bytes::gb(1)));
  if (const auto value = section.find("object")) keep.object = value->bytes(Bytes::gb(1));
  if (const auto value = section.find("ip")) keep.ip = value->boolean();
  if (const auto value = section.find("disk")) keep.disk = value->boolean();
}

void read_schedule(const JsonReader& value, Job& job) {
  constexpr std::array<std::string_view, 7> kDays{"mon", "tue", "wed", "thu", "fri", "sat", "sun"};
  Schedule schedule;
  if (value.node().is(JsonNode::Kind::string)) {
    read_window(value, schedule);
  } else {
    value.allow({"daily", "days"});
    if (!value.is_object()) return;
    if (const auto daily = value.find("daily")) read_window(*daily, schedule);
    if (const auto days = value.find("days")) {
      schedule.days = 0;
      for (const JsonReader& day : days->items()) schedule.days |= 1U << day.choice(kDays);
      if (schedule.days == 0) days->complain_expected("at least one day");
    }
  }
  job.schedule = schedule;
}

void read_checkpoint(const JsonReader& section, Job& job) {
  constexpr std::array<std::string_view, 2> kPlaces{"local", "object"};
  section.allow({"every", "to", "size", "keep", "write_s", "restore_s", "resume"});
  if (!section.is_object()) return;
  CheckpointPlan plan;
  plan.every = section.at("every").duration(kSecond);
  if (const auto value = section.find("to"))
    plan.to = static_cast<CheckpointTo>(value->choice(kPlaces));
  if (const auto value = section.find("size")) plan.size = value->bytes(Bytes::gb(1));
  if (const auto value = section.find("keep")) plan.keep = value->integer(1, 1'000'000);
  if (const auto value = section.find("write_s")) plan.write = value->duration(kSecond);
  if (const auto value = section.find("restore_s")) plan.restore = value->duration(kSecond);
  if (const auto value = section.find("resume")) plan.resume = value->boolean();
  job.checkpoint = plan;
}

void read_spot_model(const JsonReader& section, SpotModel& model) {
  constexpr std::array<std::string_view, 4> kSurvives{"auto", "nothing", "checkpoint",
                                                      "everything"};
  section.allow({"strikes_restore", "first_start_restores", "checkpoint_after_last", "survives"});
  if (!section.is_object()) return;
  if (const auto value = section.find("strikes_restore")) model.strikes_restore = value->boolean();
  if (const auto value = section.find("first_start_restores"))
    model.first_start_restores = value->boolean();
  if (const auto value = section.find("checkpoint_after_last"))
    model.checkpoint_after_last = value->boolean();
  if (const auto value = section.find("survives"))
    model.survives = kSurvives[value->choice(kSurvives)];
}

}  // namespace gpuplan::detail
