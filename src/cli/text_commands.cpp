// Commands that answer with a text that is there already: chapters, starter documents, completion
// scripts, manual pages.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <memory>

#include "cli/answer.hpp"
#include "cli/chapters.hpp"
#include "cli/commands.hpp"
#include "cli/document.hpp"
#include "cli/manual.hpp"
#include "core/builtin.hpp"
#include "core/text.hpp"
#include "render/html.hpp"
#include "render/json_writer.hpp"
#include "render/text_table.hpp"

namespace gpuplan::cli {
namespace {

using Words = std::shared_ptr<std::vector<std::string>>;

// The one word that such a command takes; `names` are those that it may be.
Result<std::string> one_of(const std::vector<std::string>& words, const char* what,
                           const std::vector<std::string_view>& names) {
  std::string list;
  for (const std::string_view name : names) list += (list.empty() ? "" : ", ") + std::string(name);
  if (words.empty())
    return Diagnostic{ErrorCode::usage, what, "", "is missing", "one of " + list};
  if (std::ranges::find(names, words.front()) == names.end()) {
    const std::string guess = did_you_mean(words.front(), names);
    return Diagnostic{ErrorCode::unknown_name, what, "", "unknown " + quote(words.front()),
                      guess.empty() ? "one of " + list : guess};
  }
  if (words.size() > 1)
    return Diagnostic{ErrorCode::usage, words[1], "", "this word is not expected here", ""};
  return words.front();
}

std::string alternatives(const std::vector<std::string_view>& names) {
  std::string list;
  for (const std::string_view name : names) list += (list.empty() ? "" : "|") + std::string(name);
  return list;
}

Words declare_word(CLI::App& command, const char* help, const std::string& type) {
  auto words = std::make_shared<std::vector<std::string>>();
  command.add_option("word", *words, help)->type_name(type);
  return words;
}

std::vector<std::string_view> chapter_names() {
  std::vector<std::string_view> names;
  for (const Chapter& chapter : chapters()) names.push_back(chapter.name);
  return names;
}

std::string chapter_html(const Chapter& chapter) {
  std::string out = "<h1>" + html(chapter.title) + "</h1>\n";
  for (const std::string& paragraph : paragraphs(chapter))
    out += paragraph.starts_with(' ') ? html_preformatted(paragraph) : html_paragraph(paragraph);
  return out;
}

std::string chapter_in(const Chapter& chapter, const RenderOptions& how) {
  switch (how.format) {
    case Format::json:
      return JsonWriter()
          .begin_object()
          .field("schema", "gpuplan.explain/1")
          .field("version", how.program_version)
          .key("inputs")
          .begin_object()
          .field("topic", chapter.name)
          .end_object()
          .field("title", chapter.title)
          .field("text", chapter.text)
          .key("warnings")
          .begin_array()
          .end_array()
          .end_object()
          .take();
    case Format::csv: {
      TextTable table({{"topic"}, {"title"}, {"paragraph"}});
      for (const std::string& paragraph : paragraphs(chapter))
        table.add({std::string(chapter.name), std::string(chapter.title), paragraph});
      return table.csv();
    }
    case Format::markdown:
      return "## " + std::string(chapter.title) + "\n" + std::string(chapter.text);
    case Format::html:
      return chapter_html(chapter);
    case Format::table:
      break;
  }
  return chapter_text(chapter, how.width);
}

// What people read is in their language; JSON and CSV are the same in all of them.
Language language_of_chapters(const RenderOptions& how) {
  const bool program = how.format == Format::json || how.format == Format::csv;
  return program ? Language::english : how.language;
}

ExitCode list_chapters(const RenderOptions& how, const Common& common) {
  TextTable table({{"topic"}, {"what it tells"}});
  for (const Chapter& chapter : chapters(language_of_chapters(how)))
    table.add({std::string(chapter.name), std::string(chapter.title)});
  if (how.format == Format::html)
    return deliver("<h1>" + html("Chapters of the method") + "</h1>\n" + table.html("Chapters"), common,
                   ExitCode::done);
  if (how.format != Format::json) return deliver(table.in(how), common, ExitCode::done);
  JsonWriter json;
  json.begin_object().field("schema", "gpuplan.explain/1").field("version", how.program_version);
  json.key("inputs").begin_object().key("topic").null().end_object().key("topics").begin_array();
  for (const Chapter& chapter : chapters())
    json.begin_object().field("topic", chapter.name).field("title", chapter.title).end_object();
  json.end_array().key("warnings").begin_array().end_array();
  return deliver(json.end_object().take(), common, ExitCode::done);
}

ExitCode explain(const std::vector<std::string>& words, const Common& common) {
  const auto how = render_options(common);
  if (!how) return fail(how.errors(), common.json);
  if (words.empty()) return list_chapters(*how, common);
  const auto name = one_of(words, "topic", chapter_names());
  if (!name) return fail(name.errors(), common.json);
  const auto all = chapters(language_of_chapters(*how));
  return deliver(chapter_in(*std::ranges::find(all, *name, &Chapter::name), *how), common,
                 ExitCode::done);
}

struct Starter {
  std::string_view name;
  std::string_view (*text)();
};
constexpr std::array kStarters{Starter{"job", builtin_starter_job},
                               Starter{"catalog", builtin_starter_catalog},
                               Starter{"model", builtin_starter_model}};

struct Shell {
  std::string_view name;
  std::string (*script)();
};
constexpr std::array kShells{Shell{"bash", bash_completion}, Shell{"zsh", zsh_completion},
                             Shell{"fish", fish_completion}};

template <class List>
std::vector<std::string_view> names_of(const List& list) {
  std::vector<std::string_view> names;
  for (const auto& entry : list) names.push_back(entry.name);
  return names;
}

template <class List>
auto entry_of(const List& list, const std::string& name) {
  return *std::ranges::find_if(list, [&](const auto& entry) { return entry.name == name; });
}

}  // namespace

Run declare_explain(CLI::App& command) {
  const Words words =
      declare_word(command, "chapter; without it they are listed", alternatives(chapter_names()));
  return [words](const Common& common) { return explain(*words, common); };
}

Run declare_init(CLI::App& command) {
  const Words words =
      declare_word(command, "which document to start", alternatives(names_of(kStarters)));
  return [words](const Common& common) {
    const auto name = one_of(*words, "document", names_of(kStarters));
    if (!name) return fail(name.errors(), common.json);
    return deliver_document(std::string(entry_of(kStarters, *name).text()), common);
  };
}

Run declare_completion(CLI::App& command) {
  const Words words =
      declare_word(command, "shell that reads the script", alternatives(names_of(kShells)));
  return [words](const Common& common) {
    const auto name = one_of(*words, "shell", names_of(kShells));
    if (!name) return fail(name.errors(), common.json);
    return deliver_document(entry_of(kShells, *name).script(), common);
  };
}

Run declare_man(CLI::App& command) {
  const Words words = declare_word(
      command, "a command, or `method` for the chapters; without it the page of the program",
      "COMMAND");
  return [words](const Common& common) {
    if (words->empty() && common.format_name == "markdown" && !common.json)
      return deliver(options_reference(), common, ExitCode::done);
    if (words->empty()) return deliver_document(manual_of_program(), common);
    auto names = names_of(all_commands());
    names.push_back("method");
    const auto name = one_of(*words, "page", names);
    if (!name) return fail(name.errors(), common.json);
    return deliver_document(*name == "method" ? manual_of_method(language_of(common))
                                              : manual_of_command(entry_of(all_commands(), *name)),
                            common);
  };
}

}  // namespace gpuplan::cli
