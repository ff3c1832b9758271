#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <future>
#include <memory>
#include <span>

#include "cli/answer.hpp"
#include "cli/commands.hpp"
#include "cli/files.hpp"
#include "cli/job_options.hpp"
#include "cli/limits.hpp"
#include "cli/offers.hpp"
#include "cli/settle.hpp"
#include "cli/tables.hpp"
#include "cli/trials.hpp"
#include "core/text.hpp"
#include "gpuplan/against.hpp"

namespace gpuplan::cli {
namespace {

struct CompareOptions {
  JobOptions job;
  std::vector<std::string> catalogs, plans, platforms, regions, exclude, weights, prices;
  std::vector<std::string> max_hourly;
  std::string sort, top, max_age, offer, currency, trials;
  std::string against;
  std::vector<std::string> fail_on;
  bool rejected = false;
  LimitOptions limits;
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

constexpr std::array<std::string_view, 3> kPlans{"on_demand", "spot", "reserved"};

void read_plans(const CompareOptions& options, RankOptions& rank, Diagnostics& faults) {
  if (!options.plans.empty()) rank.plans = options.plans;
  for (const std::string& plan : rank.plans)
    if (std::ranges::find(kPlans, plan) == kPlans.end())
      faults.push_back({ErrorCode::usage, "--plans", "",
                        "expected on_demand, spot or reserved, got " + quote(plan),
                        did_you_mean(plan, kPlans)});
}

// "2.50" for every plan, "spot=1.20" for one.
void read_max_hourly(const CompareOptions& options, RankOptions& rank, Diagnostics& faults) {
  for (const std::string& entry : options.max_hourly) {
    const auto equals = entry.find('=');
    const std::string plan = equals == std::string::npos ? std::string{} : entry.substr(0, equals);
    const auto cap = Money::parse(equals == std::string::npos ? entry : entry.substr(equals + 1));
    const bool known = equals == std::string::npos || std::ranges::find(kPlans, plan) != kPlans.end();
    if (!known || !cap)
      faults.push_back({ErrorCode::usage, "--max-hourly", "",
                        "expected an amount such as 2.50, or PLAN=AMOUNT such as spot=1.20, got " + quote(entry),
                        known ? unit_hint(entry.substr(equals == std::string::npos ? 0 : equals + 1), UnitKind::decimal)
                              : did_you_mean(plan, kPlans)});
    else if (!rank.max_hourly.try_emplace(plan, *cap).second)
      faults.push_back({ErrorCode::usage, "--max-hourly", "", quote(entry) + ": the plan is given a cap twice", ""});
  }
}

// JSON and CSV list as many offers unless --top asks for another number; as many are rejected by
// name without --rejected.
constexpr std::size_t kRowsOfDocuments = 1000;

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
  read_max_hourly(options, rank, faults);
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

// What is ranked and cannot be recommended keeps no limit.
ExitCode verdict(const Ranking& ranking) {
  if (ranking.ranked_total > 0)
    return std::ranges::all_of(ranking.gates, &Gate::passed) ? ExitCode::done : ExitCode::gate_missed;
  return ranking.any_gated ? ExitCode::gate_missed : ExitCode::nothing_fits;
}

// What --against names, with the gates of --fail-on.
struct EarlierAnswer {
  std::string source, text;
  std::vector<DiffGate> gates;
};

Result<std::optional<EarlierAnswer>> earlier_answer(const CompareOptions& options) {
  Diagnostics faults;
  EarlierAnswer earlier{.source = options.against == "-" ? "<stdin>" : options.against,
                        .text = {},
                        .gates = {}};
  for (const std::string& text : options.fail_on) {
    const auto gate = read_diff_gate(text);
    if (gate) earlier.gates.push_back(*gate);
    else faults.insert(faults.end(), gate.errors().begin(), gate.errors().end());
  }
  if (options.against.empty() && !options.fail_on.empty())
    faults.push_back({ErrorCode::usage, "--fail-on", "", "there is nothing to compare with",
                      "--against FILE names an earlier answer of gpuplan compare --json"});
  if (!faults.empty()) return faults;
  if (options.against.empty()) return std::optional<EarlierAnswer>{};
  auto text = read_file(options.against);
  if (!text) return text.errors();
  earlier.text = std::move(*text);
  return std::optional{std::move(earlier)};
}

// The one job, and which offer it should take.
ExitCode choose(const JobModel& work, const JobOptions& typed, const Catalog& catalog, const Tables& tables,
                const RankOptions& rank, RenderOptions how, const std::optional<EarlierAnswer>& earlier,
                const Warnings& warnings, const Common& common) {
  auto ranking = rank_offers(work.job, work.model, catalog, tables, rank);
  if (!ranking) return fail(typed.placed(ranking.errors()), common.json);
  ranking->warnings.insert(ranking->warnings.begin(), warnings.begin(), warnings.end());
  std::optional<Against> against;
  if (earlier) {
    auto compared = compare_with(*ranking, earlier->text, earlier->source, earlier->gates);
    if (!compared) return fail(compared.errors(), common.json);
    against = std::move(*compared);
    how.against = &*against;
    Warnings& told = ranking->warnings;
    told.insert(told.end(), against->warnings.begin(), against->warnings.end());
  }
  log_warnings(ranking->warnings, common);
  std::string text = render(*ranking, how);
  if (common.explain && how.format == Format::table && ranking->primary)
    text += "\n" + render_bill(*ranking, ranking->ranked[*ranking->primary], how);
  const ExitCode code = verdict(*ranking);
  const bool worse = against && !against->passed();
  return deliver(text, common, code == ExitCode::done && worse ? ExitCode::gate_missed : code);
}

// Several jobs: who runs what where.
ExitCode share_out(std::span<const JobModel> work, const Catalog& catalog, const Tables& tables,
                   const RankOptions& rank, const TeamLimits& limits, const RenderOptions& how,
                   const Warnings& warnings, const Common& common) {
  auto plan = plan_team(work, catalog, tables, rank, limits);
  if (!plan) return fail(plan.errors(), common.json);
  plan->warnings.insert(plan->warnings.begin(), warnings.begin(), warnings.end());
  log_warnings(plan->warnings, common);
  const bool gated = std::ranges::any_of(plan->jobs, [](const TeamJob& job) {
    const bool limited = job.ranking.any_gated || !job.reasons.empty() ||
                         !std::ranges::all_of(job.ranking.gates, &Gate::passed);
    return limited && !job.taken;
  });
  const bool met = std::ranges::all_of(plan->gates, &Gate::passed);
  const ExitCode code = !plan->complete && !gated ? ExitCode::nothing_fits
                        : met && plan->complete   ? ExitCode::done
                                                  : ExitCode::gate_missed;
  return deliver(render(*plan, how), common, code);
}

Result<RenderOptions> answer_options(const CompareOptions& options, const Common& common) {
  auto how = render_options(common);
  if (!how) return how.errors();
  how->rejected = options.rejected;
  if (options.top.empty()) return how;
  const auto top = whole(options.top, 10'000'000);
  if (!top)
    return Diagnostic{ErrorCode::usage, "--top", "",
                      "expected a whole number, got " + quote(options.top),
                      unit_hint(options.top, UnitKind::integer)};
  how->top = static_cast<std::size_t>(*top);
  how->top_stated = true;
  return how;
}

// A team's jobs are shared out by what they cost together.
Diagnostics only_for_one_job(const CompareOptions& options) {
  Diagnostics faults;
  const auto refuse = [&](bool given, const char* option) {
    if (given)
      faults.push_back({ErrorCode::usage, option, "", "it is about one job, and this is a plan for a team",
                        "several jobs, and limits of members and projects, are shared out by cost"});
  };
  refuse(!options.against.empty(), "--against");
  refuse(!options.sort.empty() && options.sort != "cost", "--sort");
  refuse(!options.weights.empty(), "--weights");
  return faults;
}

// The process is about to end: the system frees its memory at once, a million offers one by one would
// take longer than the answer took to write.
void leave_to_the_system(Catalog catalog) {
  static const Catalog* left = nullptr;
  left = new Catalog(std::move(catalog));  // NOLINT: on purpose never deleted
  (void)left;
}

ExitCode run(const CompareOptions& options, const Common& common) {
  const auto how = answer_options(options, common);
  auto jobs = options.job.read_all(common);
  auto rank = rank_options(options, common);
  const auto limits = options.limits.read();
  const auto earlier = earlier_answer(options);
  Diagnostics faults;
  for (const Diagnostics* list : {how ? nullptr : &how.errors(), jobs ? nullptr : &jobs.errors(),
                                  rank ? nullptr : &rank.errors(),
                                  limits ? nullptr : &limits.errors(),
                                  earlier ? nullptr : &earlier.errors()})
    if (list != nullptr) faults.insert(faults.end(), list->begin(), list->end());
  if (!faults.empty()) return fail(faults, common.json);

  DataTables data(common);
  // Tables and CSV do not show which file it was.
  const bool hashed = (how->format != Format::table && how->format != Format::csv) || *earlier;
  auto reading = std::async(std::launch::async, [&] { return data.catalog(options.catalogs, hashed); });
  const auto tables = data.both();
  auto catalog = reading.get();
  if (!tables) return fail(tables.errors(), common.json);
  if (!catalog) return fail(catalog.errors(), common.json);
  if (const auto wrong = lay_prices(*catalog, *tables->cards, options.prices, common); !wrong.empty())
    return fail(wrong, common.json);
  if (!options.offer.empty())
    if (const auto named = pick_offer(*catalog, options.offer); !named)
      return fail(named.errors(), common.json);

  // Limits of members and projects are those of a team, be it of one job.
  const bool team = jobs->size() > 1 || !limits->member_budgets.empty() || !limits->project_budgets.empty() ||
                    !limits->member_quotas.empty();
  if (team)
    if (const auto wrong = only_for_one_job(options); !wrong.empty()) return fail(wrong, common.json);
  Warnings warnings;
  auto settled = settle_all(options.job, std::move(*jobs), {.on_spot = true, .catalog = &*catalog}, *tables, warnings);
  if (!settled) return fail(settled.errors(), common.json);
  const std::vector<JobModel> work = std::move(*settled);
  settle_credits(work.front().job, *catalog, warnings);
  const auto traces = spot_traces(*catalog, work, nullptr);
  if (!traces) return fail(traces.errors(), common.json);
  rank->trials.availability = &*traces;
  std::optional<CompatTable> compat;
  if (std::ranges::any_of(work, [](const JobModel& w) { return !w.job.require.empty(); })) {
    auto read = data.compat();
    if (!read) return fail(read.errors(), common.json);
    compat = std::move(*read);
    rank->compat = &*compat;
  }
  const bool for_people = how->format == Format::table || how->format == Format::markdown;
  rank->rows = for_people || how->top_stated ? how->top : kRowsOfDocuments;
  rank->alike_as_one = for_people && options.offer.empty() && !team;
  if (options.rejected) rank->most_rejected = SIZE_MAX;
  const ExitCode code =
      !team ? choose(work.front(), options.job, *catalog, *tables, *rank, *how, *earlier, warnings, common)
            : share_out(work, *catalog, *tables, *rank, *limits, *how, warnings, common);
  leave_to_the_system(std::move(*catalog));
  return code;
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
  declare_catalogs(command, options->catalogs);
  list("--plans", options->plans, "on_demand, spot, reserved");
  list("--platform", options->platforms, "only these platforms");
  list("--region", options->regions, "only these regions");
  list("--exclude", options->exclude, "platforms, cards or offers to leave out");
  list("--weights", options->weights, "PART=NUMBER of the score: cost=3,time=1");
  declare_own_prices(command, options->prices);
  text("--sort", options->sort, "cost, time, unit_cost, risk or score");
  text("--top", options->top, "rows to show");
  text("--offer", options->offer, "one offer only: ID or PLATFORM/ID");
  text("--currency", options->currency, "currency of the answer");
  text("--trials", options->trials, "runs of each spot plan (1000)");
  list("--max-hourly", options->max_hourly, "most that an hour of all machines may cost: 2.50, or spot=1.20,on_demand=3");
  text("--max-age", options->max_age, "oldest price, in days before --as-of");
  command.add_flag("--rejected", options->rejected, "list every rejected offer with its reasons")
      ->group("Choice");
  command.add_option("--against", options->against, "an earlier answer (--json) to show the difference from")
      ->group("Choice")
      ->type_name("FILE");
  list("--fail-on", options->fail_on,
       "with --against, exit code 5 for up:10%, down:10%, change:10%, new, gone or changed");
  options->limits.declare(command);
  options->job.declare(command, true);
  return [options](const Common& common) { return run(*options, common); };
}

}  // namespace gpuplan::cli
