#include "plan/job_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/json.hpp"
#include "core/text.hpp"
#include "plan/job_sections.hpp"
#include "plan/requirements.hpp"
#include "spec/modes.hpp"

namespace gpuplan {
namespace {

constexpr Duration kHour{3'600'000'000};

JsonDraft string_node(std::string text, const JobField& field) {
  JsonDraft node;
  node.kind = JsonNode::Kind::string;
  node.text = std::move(text);
  node.origin = field.option;
  return node;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t to = std::min(text.find(separator, from), text.size());
    parts.emplace_back(text.substr(from, to - from));
    from = to + 1;
  }
  return parts;
}

bool takes_a_list(FieldKind kind) {
  return kind == FieldKind::texts || kind == FieldKind::sizes || kind == FieldKind::weekdays ||
         kind == FieldKind::require;
}

JsonDraft option_node(const OptionValue& value) {
  const JobField& field = *value.field;
  if (field.kind == FieldKind::flag) {
    JsonDraft node = string_node("on", field);
    return node;
  }
  if (!takes_a_list(field.kind)) return string_node(value.values.back(), field);
  JsonDraft list;
  list.kind = JsonNode::Kind::array;
  list.origin = field.option;
  for (const std::string& text : value.values)
    for (std::string& part : split(text, ','))
      list.children.push_back(string_node(std::move(part), field));
  return list;
}

JsonDraft& member(JsonDraft& object, std::string_view key) {
  if (object.kind != JsonNode::Kind::object) {
    object = JsonDraft{};
    object.kind = JsonNode::Kind::object;
  }
  for (std::size_t i = 0; i < object.keys.size(); ++i)
    if (object.keys[i] == key) return object.children[i];
  object.keys.emplace_back(key);
  return object.children.emplace_back();
}

// "work.run_hours" of an option goes into the document where the key stands.
void lay_over(JsonDraft& document, const OptionValue& value) {
  JsonDraft* at = &document;
  for (const std::string& key : split(value.field->key, '.')) {
    // `schedule` has a short form, a text: it is the daily window.
    if (at->kind == JsonNode::Kind::string && value.field->key.starts_with("schedule.")) {
      JsonDraft daily = std::move(*at);
      *at = JsonDraft{};
      member(*at, "daily") = std::move(daily);
    }
    at = &member(*at, key);
  }
  *at = option_node(value);
}

std::vector<std::string_view> top_keys() {
  std::vector<std::string_view> keys{"schema"};
  for (const JobField& field : job_fields()) {
    const auto key = field.key.substr(0, field.key.find('.'));
    if (std::ranges::find(keys, key) == keys.end()) keys.push_back(key);
  }
  return keys;
}

std::optional<std::string> text_of(const JsonReader& root, std::string_view key) {
  const auto found = root.find(key);
  return found ? std::optional{found->text()} : std::nullopt;
}

std::vector<std::string> texts_of(const JsonReader& root, std::string_view key) {
  const auto found = root.find(key);
  if (!found) return {};
  if (found->node().is(JsonNode::Kind::string)) return {found->text()};
  std::vector<std::string> texts;
  for (const JsonReader& item : found->items()) texts.push_back(item.text());
  return texts;
}

Verb verb_of(const JsonReader& value) {
  constexpr std::array<std::string_view, 6> kNames{"run",      "stop",           "hibernate",
                                                   "cardless", "guest_shutdown", "terminate"};
  return static_cast<Verb>(value.choice(kNames));
}

void read_deadline(const JsonReader& value, Job& job) {
  if (value.node().is(JsonNode::Kind::string)) {
    if (const auto time = parse_duration(value.node().text)) {
      job.deadline = *time;
      return;
    }
    if (const auto moment = parse_moment(value.node().text)) {
      job.deadline_at = *moment;
      if (!job.start)
        return value.complain("a moment as the deadline says nothing where the job has no start",
                              "state \"start\" too (--start 2026-12-01T08:00:00Z), or a time from the start such as 12h");
      const Duration until = std::chrono::duration_cast<Duration>(moment->utc - job.start->utc);
      if (until.count() <= 0)
        return value.complain("the deadline " + quote(value.node().text) + " is not behind the start",
                              "a job that begins later is never in time");
      job.deadline = until;
      return;
    }
  }
  value.complain_expected("a time such as 12h, or a moment such as 2026-12-01T08:00:00Z");
}

Money money_of(const JsonReader& value) {
  const Decimal amount = value.decimal();
  if (amount.scale() > 9) value.complain_expected("an amount with at most nine decimals");
  return Money::rounded(amount);
}

void add_requirement(const JsonReader& item, const std::string& key, std::string value, Job& job) {
  if (const auto wrong = detail::wrong_requirement(key, value)) item.complain(wrong->message, wrong->hint);
  // What is a list may be asked for piece by piece: all of it is wanted.
  std::string& wanted = job.require[key];
  if (key == "compliance" && !wanted.empty()) value = wanted + "," + value;
  wanted = std::move(value);
}

std::string required_value(const JsonReader& item) {
  switch (item.node().kind) {
    case JsonNode::Kind::boolean: return item.boolean() ? "true" : "false";
    case JsonNode::Kind::number: return std::string(item.node().text);
    case JsonNode::Kind::string: return item.text();
    default: item.complain_expected("a text, a number, true or false"); return {};
  }
}

void read_require(const JsonReader& value, Job& job) {
  if (value.node().is(JsonNode::Kind::object)) {
    for (const auto& [key, item] : value.members()) {
      if (key.starts_with("x_")) continue;
      const bool list = key == "compliance" && item.node().is(JsonNode::Kind::array);
      for (const JsonReader& one : list ? item.items() : std::vector{item})
        if (const std::string text = required_value(one); !text.empty() || one.node().is(JsonNode::Kind::string))
          add_requirement(one, key, text, job);
    }
    return;
  }
  for (const JsonReader& item : value.items()) {
    if (!item.node().is(JsonNode::Kind::string)) {
      item.complain_expected("KEY or KEY=VALUE");
      continue;
    }
    const std::string text = item.text();
    const auto equals = text.find('=');
    if (text.empty() || equals == 0) {
      item.complain_expected("KEY or KEY=VALUE");
      continue;
    }
    add_requirement(item, text.substr(0, equals), equals == std::string::npos ? "true" : text.substr(equals + 1), job);
  }
}

void read_room(const JsonReader& root, Job& job) {
  job.cards = texts_of(root, "card");
  if (const auto value = root.find("headroom")) {
    job.headroom = value->decimal();
    if (job.headroom < Decimal::of(1) || job.headroom > Decimal::of(10))
      value->complain_expected("a factor from 1 to 10",
                               "1.3 leaves room for peaks; 1 is the bare verdict");
  }
  if (const auto value = root.find("memory_used")) job.memory_used = value->bytes(Bytes::of(1));
  job.measured_peak = text_of(root, "measured_peak");
  job.measured_columns = texts_of(root, "measured_columns");
}

void read_times(const JsonReader& root, Job& job) {
  if (const auto value = root.find("schedule")) detail::read_schedule(*value, job);
  if (const auto value = root.find("between")) job.between = verb_of(*value);
  if (const auto value = root.find("end")) job.end = verb_of(*value);
  if (const auto value = root.find("start")) job.start = value->moment();
  if (const auto value = root.find("idle_hours")) job.idle = value->duration(kHour);
  if (const auto value = root.find("auto_stop_hours")) job.auto_stop = value->duration(kHour);
  if (const auto value = root.find("down_hours")) job.down = value->duration(kHour);
  if (const auto value = root.find("machines")) job.machines = value->integer(1, 10'000);
  if (const auto value = root.find("splits")) job.splits = value->integer(1, 1'000'000);
}

void read_limits(const JsonReader& root, Job& job) {
  constexpr std::array<std::string_view, 3> kProfiles{"student", "team", "enterprise"};
  if (const auto value = root.find("deadline")) read_deadline(*value, job);
  if (const auto value = root.find("budget")) job.budget = money_of(*value);
  if (const auto value = root.find("max_unit_cost")) job.max_unit_cost = money_of(*value);
  if (const auto value = root.find("require")) read_require(*value, job);
  if (const auto value = root.find("profile")) job.profile = kProfiles[value->choice(kProfiles)];
  if (const auto value = root.find("return_early")) job.return_early = value->boolean();
  if (const auto value = root.find("spent")) job.spent = money_of(*value);
  job.who = texts_of(root, "who");
}

// Epochs and optimizer steps are of training: a mode that may train then does, another is a mistake.
void settle_task(const JsonReader& root, Job& job) {
  const auto section = root.find("work");
  if (!section || !section->node().is(JsonNode::Kind::object)) return;
  const auto epochs = section->find("epochs"), steps = section->find("steps");
  Workload& work = job.workload;
  const bool either = work.mode == Mode::vision || work.mode == Mode::diffusion || work.mode == Mode::encoder;
  if (either && !work.task && (epochs || steps)) work.task = Task::train;
  // Without model and mode it is the default job, which trains.
  if (work.training() || (!root.find("mode") && !job.model_stated)) return;
  const auto refuse = [&](const JsonReader& value, std::string_view what) {
    value.complain(fmt::format("{} of training, and {} does not train", what,
                               either ? "--task inference" : fmt::format("--mode {}", name_of(work.mode))),
                   either ? "--task train" : "--mode lora, qlora, full and pretrain train");
  };
  if (epochs && job.work.epochs && *job.work.epochs != Decimal::of(1)) refuse(*epochs, "epochs are");
  if (steps) refuse(*steps, "optimizer steps are");
}

Job read_document(const JsonReader& root) {
  Job job;
  root.allow(top_keys());
  job.name = text_of(root, "name").value_or("");
  job.project = text_of(root, "project").value_or("");
  job.member = text_of(root, "member").value_or("");
  if (auto model = text_of(root, "model")) {
    job.model = std::move(*model);
    job.model_stated = true;
  }
  if (auto draft = text_of(root, "draft_model")) job.draft_model = std::move(*draft);
  if (const auto value = root.find("params")) job.parameters = value->count(1, 100'000'000'000'000);
  detail::read_workload(root, job.workload);
  read_room(root, job);
  if (const auto value = root.find("work")) detail::read_work(*value, job.work);
  settle_task(root, job);
  if (const auto value = root.find("data")) detail::read_data(*value, job.data);
  if (const auto value = root.find("keep")) detail::read_keep(*value, job.keep);
  read_times(root, job);
  if (const auto value = root.find("checkpoint")) detail::read_checkpoint(*value, job);
  if (const auto value = root.find("reclaim_mean")) {
    job.reclaim_mean = value->duration(kHour);
    if (job.reclaim_mean->count() == 0) value->complain_expected("a time above 0");
  }
  job.policy = text_of(root, "policy");
  if (const auto value = root.find("spot_model")) detail::read_spot_model(*value, job.spot_model);
  read_limits(root, job);
  return job;
}

void check_schema(const JsonReader& root) {
  const JsonReader schema = root.at("schema");
  if (schema.node().is(JsonNode::Kind::string) && schema.node().text != "gpuplan.job/1")
    schema.complain_expected("\"gpuplan.job/1\"");
  else if (!schema.node().is(JsonNode::Kind::null))
    (void)schema.text();
}

}  // namespace

detail::PartialJob detail::read_partial_job(std::string_view text, const std::string& source,
                                            std::span<const OptionValue> options) {
  PartialJob partial;
  JsonDraft draft{.kind = JsonNode::Kind::object};
  const JsonContext context{.source = source, .faults = &partial.faults};
  if (!text.empty()) {
    auto parsed = parse_json(text, source);
    if (!parsed) return {.faults = parsed.errors()};
    const JsonReader root(parsed->root(), context);
    if (!root.is_object()) return partial;
    check_schema(root);
    draft = draft_of(parsed->root());
  }
  for (const OptionValue& option : options) lay_over(draft, option);
  const JsonDocument document = document_of(draft);
  partial.job = read_document(JsonReader(document.root(), context));
  partial.readable = true;
  return partial;
}

Result<Job> read_job(std::string_view text, const std::string& source,
                     std::span<const OptionValue> options) {
  detail::PartialJob partial = detail::read_partial_job(text, source, options);
  if (!partial.faults.empty()) return std::move(partial.faults);
  return std::move(partial.job);
}

}  // namespace gpuplan
