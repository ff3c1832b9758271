#include "cli/job_options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "cli/files.hpp"
#include "core/shell.hpp"
#include "core/text.hpp"

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

Result<Job> JobOptions::read() const {
  auto jobs = read_all();
  if (!jobs) return jobs.errors();
  return std::move(jobs->front());
}

Result<std::vector<Job>> JobOptions::read_all() const {
  const std::vector<OptionValue> options = values();
  std::vector<Job> jobs;
  Diagnostics faults;
  const auto add = [&](Result<Job> job) {
    if (job)
      jobs.push_back(std::move(*job));
    else
      for (const Diagnostic& fault : job.errors())
        if (std::ranges::find(faults, fault) == faults.end()) faults.push_back(fault);
  };
  job_texts_.clear();
  if (job_files_.empty()) add(read_job({}, {}, options));
  for (const std::string& file : job_files_) {
    auto text = read_file(file);
    if (!text) {
      faults.insert(faults.end(), text.errors().begin(), text.errors().end());
      continue;
    }
    const std::string name = file == "-" ? "<stdin>" : file;
    if (text->empty()) {
      faults.push_back(
          {ErrorCode::syntax, name, "1:1", "the file is empty: a job document is expected", ""});
      continue;
    }
    job_texts_.push_back(std::move(*text));
    add(read_job(job_texts_.back(), name, options));
  }
  if (!faults.empty()) return faults;
  return jobs;
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
  return option || (job < job_texts_.size() &&
                    job_texts_[job].find('"' + std::string(key) + '"') != std::string::npos);
}

}  // namespace gpuplan::cli
