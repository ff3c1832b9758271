#include <CLI/CLI.hpp>
#include <memory>

#include "cli/answer.hpp"
#include "cli/commands.hpp"
#include "cli/files.hpp"
#include "cli/offers.hpp"
#include "cli/tables.hpp"
#include "core/text.hpp"
#include "gpuplan/check.hpp"

namespace gpuplan::cli {
namespace {

struct Options {
  std::vector<std::string> catalogs, frameworks, cards, from, columns, offers;
  std::string driver, cuda, tflops, precision, currency;
};

Diagnostic wrong(const char* option, std::string message, std::string hint) {
  return {ErrorCode::usage, option, "", std::move(message), std::move(hint)};
}

void read_versions(const Options& options, CheckRequest& request, Diagnostics& faults) {
  if (!options.driver.empty()) {
    request.driver = Version::parse(options.driver);
    if (!request.driver)
      faults.push_back(wrong("--driver",
                             "expected a driver such as 570.124.04, got " + quote(options.driver),
                             "nvidia-smi prints it as Driver Version"));
  }
  if (!options.cuda.empty()) {
    request.cuda = Version::parse(options.cuda);
    if (!request.cuda || request.cuda->parts.size() < 2) {
      request.cuda.reset();
      faults.push_back(
          wrong("--cuda", "expected a version such as 12.8, got " + quote(options.cuda),
                "it is the one that the program was built with: torch.version.cuda, nvcc "
                "--version"));
    }
  }
  if (!options.tflops.empty()) {
    request.measured_tflops = Decimal::parse(options.tflops);
    if (!request.measured_tflops || request.measured_tflops->is_zero()) {
      request.measured_tflops.reset();
      faults.push_back(wrong("--measured-tflops",
                             "expected a rate such as 142.5, got " + quote(options.tflops), ""));
    }
  }
  if (!options.precision.empty()) request.rate = options.precision;
}

void read_frameworks(const Options& options, const CompatTable& compat, CheckRequest& request,
                     Diagnostics& faults) {
  const auto names = compat.framework_names();
  for (const std::string& text : options.frameworks) {
    if (auto framework = parse_framework(text, names)) {
      request.frameworks.push_back(std::move(*framework));
      continue;
    }
    const std::string name = lower(text.substr(0, text.find('=')));
    const bool known = std::ranges::find(names, name) != names.end();
    std::vector<std::string> list(names.begin(), names.end());
    const std::string guess = did_you_mean(name, names);
    faults.push_back(
        known ? wrong("--framework", "expected a release such as torch=2.9, got " + quote(text),
                      "torch=2.9+cu128 names the build as well")
              : Diagnostic{ErrorCode::unknown_name, "--framework", "",
                           "unknown framework " + quote(name),
                           guess.empty() ? "known are " + join(list, ", ") : guess});
  }
}

// The pastes together: what one of them lacks another may have.
void read_pastes(const Options& options, const CompatTable& compat, CheckRequest& request,
                 Diagnostics& faults) {
  const auto names = compat.framework_names();
  std::string all;
  for (const std::string& file : options.from) {
    const std::string source = file == "-" ? "<stdin>" : file;
    const auto text = read_file(file);
    if (!text) {
      faults.insert(faults.end(), text.errors().begin(), text.errors().end());
      continue;
    }
    request.sources.push_back(source);
    auto seen = read_environment(*text, source, names, options.columns);
    if (!seen)
      faults.insert(faults.end(), seen.errors().begin(), seen.errors().end());
    else
      all += *text + "\n";
  }
  if (request.sources.empty() || !faults.empty()) return;
  auto seen = read_environment(all, request.sources.front(), names, options.columns);
  if (!seen)
    faults.insert(faults.end(), seen.errors().begin(), seen.errors().end());
  else
    request.seen = std::move(*seen);
}

// "ID" for every machine, "HOST=ID" for one.
void read_offers(const Options& options, const Catalog& catalog, CheckRequest& request,
                 Diagnostics& faults) {
  for (const std::string& text : options.offers) {
    const bool whole = !find_offers(catalog, text).empty();
    const std::size_t equals = whole ? std::string::npos : text.find('=');
    const std::string id = equals == std::string::npos ? text : text.substr(equals + 1);
    const auto offer = pick_offer(catalog, id);
    if (!offer) {
      faults.insert(faults.end(), offer.errors().begin(), offer.errors().end());
      continue;
    }
    request.offers.push_back(
        {.host = equals == std::string::npos ? "" : text.substr(0, equals), .offer = *offer});
  }
}

void read_cards(const Options& options, const CardTable& cards, CheckRequest& request,
                Diagnostics& faults) {
  for (const std::string& name : options.cards) {
    if (!cards.find(name)) faults.push_back(cards.unknown(name, "--card"));
    request.cards.push_back(name);
  }
}

bool nothing_asked(const Options& options) {
  return options.driver.empty() && options.cuda.empty() && options.frameworks.empty() &&
         options.cards.empty() && options.from.empty();
}

ExitCode run(const Options& options, const Common& common) {
  const auto how = render_options(common);
  const auto day = as_of(common);
  CheckRequest request;
  Diagnostics faults;
  if (!how) faults = how.errors();
  if (!day) faults.insert(faults.end(), day.errors().begin(), day.errors().end());
  read_versions(options, request, faults);
  if (nothing_asked(options) && faults.empty())
    faults.push_back(wrong("", "there is nothing to check",
                           "pipe in what nvidia-smi prints: nvidia-smi | gpuplan check --from -; "
                           "or say --driver, --cuda, --framework, --card"));
  if (!faults.empty()) return fail(faults, common.json);

  DataTables data(common);
  const auto compat = data.compat();
  const auto cards = data.cards();
  if (!compat) return fail(compat.errors(), common.json);
  if (!cards) return fail(cards.errors(), common.json);
  request.as_of = *day;
  request.currency = options.currency;
  read_frameworks(options, *compat, request, faults);
  read_cards(options, **cards, request, faults);
  read_pastes(options, *compat, request, faults);
  std::optional<Catalog> catalog;
  if (!options.offers.empty() || !options.catalogs.empty()) {
    auto read_to = data.catalog(options.catalogs);
    if (!read_to) {
      faults.insert(faults.end(), read_to.errors().begin(), read_to.errors().end());
      return fail(faults, common.json);
    }
    catalog = std::move(*read_to);
    request.catalog = &*catalog;
    read_offers(options, *catalog, request, faults);
  }
  if (!faults.empty()) return fail(faults, common.json);
  const auto result = check_environment(request, *compat, **cards);
  if (!result) return fail(result.errors(), common.json);
  log_warnings(result->warnings, common);
  return deliver(render(*result, *how), common,
                 result->verdict() == Severity::fail ? ExitCode::nothing_fits : ExitCode::done);
}

}  // namespace

Run declare_check(CLI::App& command) {
  auto options = std::make_shared<Options>();
  const auto text = [&](const char* name, std::string& target, const char* group,
                        const char* help) {
    command.add_option(name, target, help)->group(group)->type_name("VALUE");
  };
  const auto list = [&](const char* name, std::vector<std::string>& target, const char* group,
                        const char* type, const char* help) {
    command.add_option(name, target, help)->group(group)->type_name(type)->expected(1)->take_all();
  };
  command
      .add_option("catalog", options->catalogs,
                  "catalog files for --offer; the later win")
      ->type_name("CATALOG");
  text("--driver", options->driver, "What there is", "driver, such as 570.124.04");
  text("--cuda", options->cuda, "What there is", "CUDA that the program was built with");
  list("--framework", options->frameworks, "What there is", "NAME=RELEASE",
       "such as torch=2.9 or torch=2.9+cu128 (repeatable)");
  list("--card", options->cards, "What there is", "NAME", "the card (repeatable)");
  list("--from", options->from, "What there is", "FILE",
       "output of nvidia-smi, torch, pip; - for standard input (repeatable)");
  command.add_option("--columns", options->columns, "columns of a CSV without a header")
      ->delimiter(',')
      ->group("What there is")
      ->type_name("NAMES");
  text("--measured-tflops", options->tflops, "A whole card", "rate that your own test reached");
  text("--precision", options->precision, "A whole card", "precision of that test, fp16 by default");
  list("--offer", options->offers, "Machines that idle", "ID",
       "ID of the machines, or HOST=ID of one (repeatable): adds prices");
  text("--currency", options->currency, "Machines that idle", "currency of the prices");
  return [options](const Common& common) { return run(*options, common); };
}

}  // namespace gpuplan::cli
