#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <future>
#include <memory>

#include "cli/answer.hpp"
#include "cli/commands.hpp"
#include "cli/files.hpp"
#include "cli/job_options.hpp"
#include "cli/offers.hpp"
#include "cli/tables.hpp"
#include "cli/trials.hpp"
#include "core/text.hpp"

namespace gpuplan::cli {
namespace {

struct CompareOptions {
  JobOptions job;
  std::vector<std::string> catalogs, plans, platforms, regions, exclude, weights;
  std::string sort, top, max_age, offer, currency, trials;
  bool rejected = false;
};

std::optional<std::int64_t> whole(const std::string& text, std::int64_t most) {
  const auto value = Decimal::parse(text);
  const auto number = value ? value->whole() : std::nullopt;
  return number && *number <= most ? number : std::nullopt;
}

void read_sort(const CompareOptions& options, RankOptions& rank, Diagnostics& faults) {
  constexpr std::array<std::string_view, 5> kSorts{"cost", "time", "unit_cost", "risk", "score"};
  if (options.sort.empty()) return;
  const auto at = std::ranges::find(kSorts, options.sort);
  if (at != kSorts.end())
    rank.sort = static_cast<SortKey>(at - kSorts.begin());
  else
    faults.push_back(
        {ErrorCode::usage, "--sort", "",
         "expected one of cost, time, unit_cost, risk, score, got " + quote(options.sort),
         did_you_mean(options.sort, kSorts)});
}

void read_weights(const CompareOptions& options, RankOptions& rank, Diagnostics& faults) {
  for (const std::string& entry : options.weights) {
    const auto equals = entry.find('=');
    const auto value =
        equals == std::string::npos ? std::nullopt : Decimal::parse(entry.substr(equals + 1));
    if (value)
      rank.weights[entry.substr(0, equals)] = value->approximate();
    else
      faults.push_back({ErrorCode::usage, "--weights", "",
                        "expected PART=NUMBER such as cost=3, got " + quote(entry), ""});
  }
}

void read_plans(const CompareOptions& options, RankOptions& rank, Diagnostics& faults) {
  constexpr std::array<std::string_view, 3> kPlans{"on_demand", "spot", "reserved"};
  if (!options.plans.empty()) rank.plans = options.plans;
  rank.plans_stated = !options.plans.empty();
  for (const std::string& plan : rank.plans)
    if (std::ranges::find(kPlans, plan) == kPlans.end())
      faults.push_back({ErrorCode::usage, "--plans", "",
                        "expected on_demand, spot or reserved, got " + quote(plan),
                        did_you_mean(plan, kPlans)});
}

Result<RankOptions> rank_options(const CompareOptions& options, const Common& common) {
  RankOptions rank;
  Diagnostics faults;
  rank.platforms = options.platforms;
  rank.regions = options.regions;
  rank.exclude = options.exclude;
  rank.offer = options.offer;
  rank.currency = options.currency;
  read_sort(options, rank, faults);
  read_weights(options, rank, faults);
  read_plans(options, rank, faults);
  read_trials(common, options.trials, rank.trials, faults);
  if (!options.max_age.empty()) {
    const std::string days = options.max_age.ends_with('d')
                                 ? options.max_age.substr(0, options.max_age.size() - 1)
                                 : options.max_age;
    if (const auto age = whole(days, 36'500))
      rank.max_age_days = static_cast<int>(*age);
    else
      faults.push_back(
          {ErrorCode::usage, "--max-age", "",
           "expected a number of days such as 90 or 90d, got " + quote(options.max_age), ""});
  }
  const auto date = as_of(common);
  if (date)
    rank.as_of = *date;
  else
    faults.insert(faults.end(), date.errors().begin(), date.errors().end());
  if (!faults.empty()) return faults;
  return rank;
}

ExitCode verdict(const Ranking& ranking) {
  if (!ranking.ranked.empty()) return ExitCode::done;
  const bool gated = std::ranges::any_of(ranking.rejected,
                                         [](const RejectedOffer& r) { return r.bill.has_value(); });
  return gated ? ExitCode::gate_missed : ExitCode::nothing_fits;
}

ExitCode run(const CompareOptions& options, const Common& common) {
  auto how = render_options(common);
  auto job = options.job.read();
  auto rank = rank_options(options, common);
  Diagnostics faults;
  for (const Diagnostics* list : {how ? nullptr : &how.errors(), job ? nullptr : &job.errors(),
                                  rank ? nullptr : &rank.errors()})
    if (list != nullptr) faults.insert(faults.end(), list->begin(), list->end());
  if (!options.top.empty()) {
    const auto top = whole(options.top, 10'000'000);
    if (!top)
      faults.push_back({ErrorCode::usage, "--top", "",
                        "expected a whole number, got " + quote(options.top),
                        unit_hint(options.top, UnitKind::integer)});
    else if (how)
      how->top = static_cast<std::size_t>(*top), how->top_stated = true;
  }
  if (!faults.empty()) return fail(faults, common.json);

  DataTables data(common);
  auto reading = std::async(std::launch::async, [&] { return data.catalog(options.catalogs); });
  const auto tables = data.both();
  auto catalog = reading.get();
  if (!tables) return fail(tables.errors(), common.json);
  if (!catalog) return fail(catalog.errors(), common.json);
  if (!options.offer.empty())
    if (const auto named = pick_offer(*catalog, options.offer); !named)
      return fail(named.errors(), common.json);

  Warnings warnings;
  assume_work(*job, options.job.given("mode"), warnings);
  settle_credits(*job, *catalog, warnings);
  const auto model = find_model(*job, *tables->models, model_file_access(), warnings);
  if (!model) return fail(model.errors(), common.json);
  const auto log = settle_measured_peak(*job, read_file, *tables->cards, warnings);
  if (!log) return fail(log.errors(), common.json);
  if (const auto wrong = find_draft(*job, *tables->models, model_file_access(), warnings);
      !wrong.empty())
    return fail(wrong, common.json);
  const auto traces = spot_traces(*catalog, *job, options.catalogs, nullptr);
  if (!traces) return fail(traces.errors(), common.json);
  rank->trials.availability = &*traces;
  auto ranking = rank_offers(*job, *model, *catalog, *tables, *rank);
  if (!ranking) return fail(ranking.errors(), common.json);
  ranking->warnings.insert(ranking->warnings.begin(), warnings.begin(), warnings.end());
  log_warnings(ranking->warnings, common);
  how->rejected = options.rejected;
  std::string text = render(*ranking, *how);
  if (common.explain && how->format == Format::table && ranking->primary)
    text += "\n" + render_bill(*ranking, ranking->ranked[*ranking->primary], *how);
  return deliver(text, common, verdict(*ranking));
}

}  // namespace

Run declare_compare(CLI::App& command) {
  auto options = std::make_shared<CompareOptions>();
  const auto list = [&](const char* name, std::vector<std::string>& target, const char* help) {
    command.add_option(name, target, help)
        ->delimiter(',')
        ->group("Choice")
        ->type_name("LIST")
        ->expected(1)
        ->take_all();
  };
  const auto text = [&](const char* name, std::string& target, const char* help) {
    command.add_option(name, target, help)->group("Choice")->type_name("VALUE");
  };
  command
      .add_option("catalog", options->catalogs,
                  "catalog files, - for standard input; the later win")
      ->type_name("CATALOG");
  list("--plans", options->plans, "on_demand, spot, reserved");
  list("--platform", options->platforms, "only these platforms");
  list("--region", options->regions, "only these regions");
  list("--exclude", options->exclude, "platforms, cards or offers to leave out");
  list("--weights", options->weights, "PART=NUMBER of the score: cost=3,time=1");
  text("--sort", options->sort, "cost, time, unit_cost, risk or score");
  text("--top", options->top, "rows to show");
  text("--offer", options->offer, "one offer only: ID or PLATFORM/ID");
  text("--currency", options->currency, "currency of the answer");
  text("--trials", options->trials, "runs of each spot plan (1000)");
  text("--max-age", options->max_age, "oldest price, in days before --as-of");
  command.add_flag("--rejected", options->rejected, "list every rejected offer with its reasons")
      ->group("Choice");
  options->job.declare(command);
  return [options](const Common& common) { return run(*options, common); };
}

}  // namespace gpuplan::cli
