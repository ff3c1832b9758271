#include "cli/job_options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "cli/files.hpp"
#include "cli/settle.hpp"
#include "cli/tables.hpp"
#include "core/json.hpp"
#include "core/shell.hpp"
#include "core/text.hpp"
#include "plan/job_reader.hpp"

namespace gpuplan::cli {
namespace {

bool repeatable(FieldKind kind) {
  return kind == FieldKind::texts || kind == FieldKind::require || kind == FieldKind::sizes;
}

std::string help_of(const JobField& field) {
  std::string help(field.help);
  if (field.choices.empty()) return help;
  const std::vector<std::string> names(field.choices.begin(), field.choices.end());
  return help + ": " + join(names, " ");
}

}  // namespace

void JobOptions::declare(CLI::App& command, bool several) {
  auto* job = command.add_option("--job", job_files_,
                                 several ? "job file (gpuplan.job/1), repeatable; options win"
                                         : "job file (gpuplan.job/1); options win over it");
  job->group("Model and mode")->type_name("FILE")->expected(1);
  if (several)
    job->take_all();
  else
    job->multi_option_policy(CLI::MultiOptionPolicy::Throw);
  for (const JobField& field : job_fields()) {
    if (field.option.empty()) continue;
    Slot& slot = slots_.emplace_back(Slot{.field = &field, .values = {}});
    const std::string name(field.option);
    if (field.kind == FieldKind::flag) {
      command.add_flag(name, slot.flag, help_of(field))->group(std::string(field.group));
      continue;
    }
    auto* option = command.add_option(name, slot.values, help_of(field));
    option->group(std::string(field.group))->type_name("VALUE");
    option->expected(1);
    if (repeatable(field.kind))
      option->take_all();
    else
      option->multi_option_policy(CLI::MultiOptionPolicy::Throw);
  }
}

std::vector<OptionValue> JobOptions::values() const {
  std::vector<OptionValue> values;
  for (const Slot& slot : slots_) {
    if (slot.field->kind == FieldKind::flag) {
      if (slot.flag) values.push_back({slot.field, {"on"}});
    } else if (!slot.values.empty()) {
      values.push_back({slot.field, slot.values});
    }
  }
  return values;
}

Result<Job> JobOptions::read(const Common& common) const {
  auto jobs = read_all(common);
  if (!jobs) return jobs.errors();
  return std::move(jobs->front());
}

Result<std::vector<Job>> JobOptions::read_all(const Common& common) const {
  const std::vector<OptionValue> options = values();
  std::vector<Job> jobs;
  Diagnostics faults;
  const auto tell = [&](const Diagnostics& found) {
    for (const Diagnostic& fault : found)
      if (std::ranges::find(faults, fault) == faults.end()) faults.push_back(fault);
  };
  const auto add = [&](detail::PartialJob read) {
    tell(read.faults);
    jobs.push_back(std::move(read.job));
    if (!read.readable) documents_.back().text.clear();
  };
  documents_.clear();
  if (job_files_.empty()) {
    documents_.emplace_back();
    add(detail::read_partial_job({}, {}, options));
  }
  for (const std::string& file : job_files_) {
    auto text = read_file(file);
    if (!text) {
      tell(text.errors());
      continue;
    }
    documents_.push_back({.name = file == "-" ? "<stdin>" : file, .text = std::move(*text)});
    const Document& document = documents_.back();
    if (document.text.empty()) {
      tell({{ErrorCode::syntax, document.name, "1:1", "the file is empty: a job document is expected", ""}});
      jobs.emplace_back();
      continue;
    }
    add(detail::read_partial_job(document.text, document.name, options));
  }
  if (faults.empty()) return jobs;
  for (std::size_t i = 0; i < jobs.size(); ++i)
    if (job_files_.empty() || !documents_[i].text.empty())
      tell(found_later(jobs[i], i, faults, common));
  return faults;
}

namespace {

// What stands at a fault has a neutral value: what is said of that is no news.
bool told_before(const Diagnostic& fault, const Diagnostics& known) {
  return std::ranges::any_of(known, [&](const Diagnostic& k) {
    return k.source == fault.source && (k.pointer == fault.pointer || k.pointer.starts_with(fault.pointer + "/") ||
                                        fault.pointer.starts_with(k.pointer + "/"));
  });
}

const JsonNode* find_path(const JsonNode& root, std::string_view path) {
  const JsonNode* at = &root;
  while (at != nullptr && !path.empty()) {
    const std::size_t end = std::min(path.find('.'), path.size());
    at = at->find(path.substr(0, end));
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return at;
}

std::string pointer_of(std::string_view path) {
  std::string pointer = "/" + std::string(path);
  std::ranges::replace(pointer, '.', '/');
  return pointer;
}

// Of a list or an object the item that the message speaks of.
std::string item_in(const JsonNode& node, const std::string& message) {
  for (const JsonNode& child : node.children)
    if (child.is(JsonNode::Kind::string) && message.find(quote(child.text)) != std::string::npos)
      return "/" + (node.is(JsonNode::Kind::array) ? std::to_string(&child - node.children.data())
                                                   : pointer_token(child.key));
  return {};
}

}  // namespace

bool JobOptions::typed_in(std::string_view option) const {
  return std::ranges::any_of(slots_, [&](const Slot& slot) {
    return slot.field->option == option && (slot.flag || !slot.values.empty());
  });
}

Diagnostics JobOptions::placed(Diagnostics faults, std::size_t job) const {
  if (job >= documents_.size() || documents_[job].text.empty()) return faults;
  const auto document = parse_json(documents_[job].text, documents_[job].name);
  if (!document) return faults;
  for (Diagnostic& fault : faults) {
    const auto field = std::ranges::find(job_fields(), fault.source, &JobField::option);
    if (fault.source.empty() || field == job_fields().end() || typed_in(fault.source)) continue;
    const JsonNode* node = find_path(document->root(), field->key);
    if (node == nullptr) continue;
    fault.source = documents_[job].name;
    fault.pointer = pointer_of(field->key) + item_in(*node, fault.message);
    if (fault.code == ErrorCode::usage || fault.code == ErrorCode::unknown_name) fault.code = ErrorCode::invalid;
  }
  return faults;
}

Diagnostics JobOptions::found_later(const Job& job, std::size_t index, const Diagnostics& known,
                                    const Common& common) const {
  DataTables data(common);
  const auto tables = data.both();
  if (!tables) return {};
  Warnings unheard;
  const auto settled = settle(job, {.mode_stated = true, .assume_work = false, .whole = false}, *tables, unheard);
  if (settled) return {};
  Diagnostics fresh;
  for (Diagnostic& fault : placed(settled.errors(), index))
    if (!told_before(fault, known)) fresh.push_back(std::move(fault));
  return fresh;
}

std::string JobOptions::typed() const {
  std::string text;
  for (const std::string& file : job_files_)
    if (file != "-") text += " --job " + shell_word(file);
  for (const Slot& slot : slots_) {
    const std::string_view option = slot.field->option;
    if (slot.flag) text.append(" ").append(option);
    if (option == "--card" || option == "--columns") continue;
    for (const std::string& value : slot.values)
      if (value != "-") text.append(" ").append(option).append(" ").append(shell_word(value));
  }
  return text;
}

bool JobOptions::given(std::string_view key, std::size_t job) const {
  const bool option = std::ranges::any_of(
      slots_, [&](const Slot& slot) { return slot.field->key == key && !slot.values.empty(); });
  return option || (job < documents_.size() &&
                    documents_[job].text.find('"' + std::string(key) + '"') != std::string::npos);
}

}  // namespace gpuplan::cli
