#include "cli/job_options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "cli/files.hpp"
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

void JobOptions::declare(CLI::App& command) {
  command.add_option("--job", job_file_, "job file (gpuplan.job/1); options win over it")
      ->group("Model and mode")
      ->type_name("FILE");
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

Result<Job> JobOptions::read() const {
  std::vector<OptionValue> values;
  for (const Slot& slot : slots_) {
    if (slot.field->kind == FieldKind::flag) {
      if (slot.flag) values.push_back({slot.field, {"on"}});
    } else if (!slot.values.empty()) {
      values.push_back({slot.field, slot.values});
    }
  }
  if (!job_file_.empty()) {
    auto text = read_file(job_file_);
    if (!text) return text.errors();
    if (text->empty())
      return Diagnostic{ErrorCode::syntax, job_file_, "1:1",
                        "the file is empty: a job document is expected", ""};
    job_text_ = std::move(*text);
  }
  return read_job(job_text_, job_file_ == "-" ? "<stdin>" : job_file_, values);
}

bool JobOptions::given(std::string_view key) const {
  const bool option = std::ranges::any_of(
      slots_, [&](const Slot& slot) { return slot.field->key == key && !slot.values.empty(); });
  return option || job_text_.find('"' + std::string(key) + '"') != std::string::npos;
}

}  // namespace gpuplan::cli
