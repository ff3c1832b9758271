// `gpuplan schema`: the JSON Schemas of documents and answers.
#include <CLI/CLI.hpp>
#include <memory>

#include "cli/commands.hpp"
#include "cli/document.hpp"
#include "core/builtin.hpp"
#include "core/text.hpp"

namespace gpuplan::cli {
namespace {

ExitCode run(const std::vector<std::string>& words, const Common& common) {
  const auto names = builtin_schema_names();
  std::vector<std::string> listed(names.begin(), names.end());
  if (words.size() != 1)
    return fail({{ErrorCode::usage, "schema", "", words.empty() ? "a name is missing" : "one schema at a time",
                  "one of " + join(listed, ", ")}},
                common.json);
  // "gpuplan.catalog/1" is what stands in the document.
  std::string name = words.front();
  if (name.starts_with("gpuplan.")) name = name.substr(8, name.find('/') - 8);
  if (const auto schema = builtin_schema(name)) return deliver_document(std::string(*schema), common);
  const std::string guess = did_you_mean(name, names);
  return fail({{ErrorCode::unknown_name, "schema", "", "no schema is named " + quote(words.front()),
                guess.empty() ? "one of " + join(listed, ", ") : guess}},
              common.json);
}

}  // namespace

Run declare_schema(CLI::App& command) {
  auto words = std::make_shared<std::vector<std::string>>();
  command.add_option("name", *words, "catalog, job, model, or the name of an answer")->type_name("NAME");
  return [words](const Common& common) { return run(*words, common); };
}

}  // namespace gpuplan::cli
