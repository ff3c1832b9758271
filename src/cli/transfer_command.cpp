#include <CLI/CLI.hpp>
#include <memory>

#include "cli/answer.hpp"
#include "cli/commands.hpp"
#include "cli/offers.hpp"
#include "cli/tables.hpp"
#include "core/text.hpp"
#include "gpuplan/advice.hpp"

namespace gpuplan::cli {
namespace {

struct Options {
  std::vector<std::string> catalogs;
  std::string size, files, line, compression, direction = "up", offer, hub_name, plan = "on_demand", currency;
};

template <class Value>
std::optional<Value> read(const std::string& text, const char* option, const char* wanted,
                          std::optional<Value> (*parse)(std::string_view), UnitKind kind,
                          Diagnostics& faults) {
  if (text.empty()) return std::nullopt;
  const auto value = parse(text);
  if (!value)
    faults.push_back({ErrorCode::usage, option, "",
                      std::string("expected ") + wanted + ", got " + quote(text),
                      unit_hint(text, kind)});
  return value;
}

Result<TransferRequest> read_request(const Options& options) {
  TransferRequest request;
  Diagnostics faults;
  if (options.size.empty())
    faults.push_back({ErrorCode::usage, "--size", "", "how much data there is was not said",
                      "such as --size 40GB"});
  if (const auto size =
          read(options.size, "--size", "a size such as 40GB", parse_bytes, UnitKind::bytes, faults))
    request.size = *size;
  request.files = read(options.files, "--files", "a number of files such as 12000 or 2M",
                       parse_count, UnitKind::count, faults);
  const auto line = read(options.line, "--line", "a speed such as 100Mbps", parse_bandwidth,
                         UnitKind::bandwidth, faults);
  const auto compression = read(options.compression, "--compression", "a factor such as 0.6",
                                Decimal::parse, UnitKind::decimal, faults);
  if (compression) request.compression = *compression;
  if (compression && (compression->is_zero() || *compression > Decimal::of(1)))
    faults.push_back(
        {ErrorCode::usage, "--compression", "",
         "expected what is left of a byte, above 0 and at most 1, got " + options.compression, ""});
  if (request.size.count() == 0 && !options.size.empty() && faults.empty())
    faults.push_back({ErrorCode::usage, "--size", "", "there is nothing to move in 0 bytes", ""});
  constexpr std::array<std::string_view, 2> kDirections{"up", "down"};
  if (std::ranges::find(kDirections, options.direction) == kDirections.end())
    faults.push_back({ErrorCode::usage, "--direction", "",
                      "expected up or down, got " + quote(options.direction),
                      did_you_mean(options.direction, kDirections)});
  request.home = options.direction == "down";
  (request.home ? request.line_down : request.line_up) = line;
  request.public_name = options.hub_name;
  const bool odd = options.hub_name.find_first_of(" \t'\"$`;|&<>") != std::string::npos;
  if (odd || options.hub_name.starts_with('-'))
    faults.push_back({ErrorCode::usage, "--public", "",
                      "expected the name of a public model or data set, got " +
                          quote(options.hub_name),
                      "such as meta-llama/Llama-2-7b-hf"});
  request.plan = options.plan;
  request.currency = options.currency;
  if (!faults.empty()) return faults;
  return request;
}

ExitCode run(const Options& options, const Common& common) {
  const auto how = render_options(common);
  auto request = read_request(options);
  Diagnostics faults;
  for (const Diagnostics* list :
       {how ? nullptr : &how.errors(), request ? nullptr : &request.errors()})
    if (list != nullptr) faults.insert(faults.end(), list->begin(), list->end());
  if (!faults.empty()) return fail(faults, common.json);

  DataTables data(common);
  std::optional<Catalog> catalog;
  if (!options.offer.empty() || !options.catalogs.empty()) {
    auto read_to = data.catalog(options.catalogs);
    if (!read_to) return fail(read_to.errors(), common.json);
    catalog = std::move(*read_to);
    const auto cards = data.cards();
    if (!cards) return fail(cards.errors(), common.json);
    if (const auto wrong = lay_prices(*catalog, **cards, {}, common); !wrong.empty())
      return fail(wrong, common.json);
    const auto offer = pick_offer(*catalog, options.offer);
    if (!offer) return fail(offer.errors(), common.json);
    request->catalog = &*catalog;
    request->offer = *offer;
  }
  const auto plan = plan_transfer(*request);
  if (!plan) return fail(plan.errors(), common.json);
  log_warnings(plan->warnings, common);
  return deliver(render(*plan, *how), common, ExitCode::done);
}

}  // namespace

Run declare_transfer(CLI::App& command) {
  auto options = std::make_shared<Options>();
  const auto text = [&](const char* name, std::string& target, const char* group,
                        const char* help) {
    command.add_option(name, target, help)->group(group)->type_name("VALUE");
  };
  declare_catalogs(command, options->catalogs);
  text("--size", options->size, "Data", "how much data, such as 40GB");
  text("--files", options->files, "Data", "number of files");
  text("--compression", options->compression, "Data", "what packing leaves of a byte, such as 0.6");
  text("--public", options->hub_name, "Data", "its name at a public hub, such as ORG/MODEL");
  text("--direction", options->direction, "Data", "up (to the platform) or down (home)");
  text("--line", options->line, "Data", "own line, such as 100Mbps");
  text("--offer", options->offer, "Choice", "ID or PLATFORM/ID: adds prices");
  text("--plan", options->plan, "Choice", "on_demand, spot, reserved, or one term");
  text("--currency", options->currency, "Choice", "currency of the answer");
  return [options](const Common& common) { return run(*options, common); };
}

}  // namespace gpuplan::cli
