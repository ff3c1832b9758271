#include <CLI/CLI.hpp>
#include <memory>

#include "cli/answer.hpp"
#include "cli/commands.hpp"
#include "cli/offers.hpp"
#include "cli/tables.hpp"
#include "core/text.hpp"
#include "gpuplan/edge.hpp"

namespace gpuplan::cli {
namespace {

struct Options {
  std::vector<std::string> catalogs;
  std::string per_day, keep_share, retention, edge_cost, edge_compute_cost, compute_hours, back,
      latency, round_trip, line, offer, plan = "on_demand", currency;
  std::string storage_price, ingress_price, egress_price, compute_price;
  bool is_private = false;
};

// Reads option values, and keeps what is wrong with them.
class Values {
 public:
  explicit Values(Diagnostics& faults) : faults_(&faults) {}

  template <class Value>
  std::optional<Value> read(const std::string& text, const char* option, const char* wanted,
                            std::optional<Value> (*parse)(std::string_view), UnitKind kind) {
    if (text.empty()) return std::nullopt;
    const auto value = parse(text);
    if (!value)
      fault(option, std::string("expected ") + wanted + ", got " + quote(text),
            unit_hint(text, kind));
    return value;
  }
  std::optional<Decimal> decimal(const std::string& text, const char* option, const char* wanted) {
    return read(text, option, wanted, Decimal::parse, UnitKind::decimal);
  }
  std::optional<Money> money(const std::string& text, const char* option) {
    auto amount = read(text, option, "an amount a month such as 300", Money::parse,
                       UnitKind::decimal);
    if (amount && (*amount < Money{} || *amount >= Money::units(1'000'000'000'000))) {
      fault(option, "an amount is at least 0 and less than a million million, got " + text, "");
      return std::nullopt;
    }
    return amount;
  }
  void fault(const char* option, std::string message, std::string hint) {
    faults_->push_back({ErrorCode::usage, option, "", std::move(message), std::move(hint)});
  }

 private:
  Diagnostics* faults_;
};

void read_data(const Options& options, Values& values, EdgeRequest& request) {
  const auto bytes = [&](const std::string& text, const char* option) {
    return values.read(text, option, "a size such as 500GB", parse_bytes, UnitKind::bytes);
  };
  if (options.per_day.empty())
    values.fault("--per-day", "how much data a day brings was not said", "such as --per-day 500GB");
  const auto per_day = bytes(options.per_day, "--per-day");
  if (per_day && (per_day->count() == 0 || *per_day > Bytes::gb(100'000'000)))
    values.fault("--per-day", "a day brings more than 0 bytes and at most 100 PB", "");
  else if (per_day)
    request.per_day = *per_day;
  if (const auto back = bytes(options.back, "--back-per-day")) request.back_per_day = *back;
  const auto share = values.decimal(options.keep_share, "--keep-share", "a share such as 0.1");
  if (share && *share > Decimal::of(1))
    values.fault("--keep-share", "expected what is left of a byte, at most 1, got " +
                                     options.keep_share, "a tenth is 0.1");
  else if (share)
    request.keep_share = *share;
  const auto days =
      values.decimal(options.retention, "--retention-days", "a number of days such as 30");
  if (days && *days > Decimal::of(36'500))
    values.fault("--retention-days", "data are kept for at most 36500 days", "");
  else if (days)
    request.retention_days = *days;
  request.line = values.read(options.line, "--line", "a speed such as 100Mbps", parse_bandwidth,
                             UnitKind::bandwidth);
}

void read_wishes(const Options& options, Values& values, EdgeRequest& request) {
  request.latency_ms =
      values.decimal(options.latency, "--latency-ms", "a time in milliseconds such as 20");
  if (const auto trip = values.decimal(options.round_trip, "--round-trip-ms",
                                       "a time in milliseconds such as 35"))
    request.round_trip_ms = *trip;
  request.private_data = options.is_private;
  request.edge_cost = values.money(options.edge_cost, "--edge-cost");
  request.edge_compute_cost = values.money(options.edge_compute_cost, "--edge-compute-cost");
  request.compute_hours =
      values.decimal(options.compute_hours, "--compute-hours", "hours a day such as 6");
  if (request.compute_hours && *request.compute_hours > Decimal::of(24'000))
    values.fault("--compute-hours", "at most 24000 hours a day: those of 1000 machines", "");
  request.storage_price =
      values.decimal(options.storage_price, "--storage-price", "a price such as 0.02");
  request.ingress_price =
      values.decimal(options.ingress_price, "--ingress-price", "a price such as 0.01");
  request.egress_price =
      values.decimal(options.egress_price, "--egress-price", "a price such as 0.09");
  request.compute_price =
      values.decimal(options.compute_price, "--compute-price", "a price such as 0.69");
  if (request.compute_hours && options.offer.empty() && !request.compute_price)
    values.fault("--compute-hours", "which machine computes for so long is not said",
                 "name it with --offer, or give the price of its hour: --compute-price 0.69");
  request.plan = options.plan;
  request.currency = options.currency;
}

void warn_assumed(const Options& options, const EdgeRequest& request, Warnings& warnings) {
  if (options.keep_share.empty())
    warnings.push_back({"keep_share_assumed",
                        "what pre-processing leaves is not said (--keep-share): a tenth is assumed",
                        "keep_share"});
  if (options.retention.empty())
    warnings.push_back({"retention_assumed",
                        "for how long data are kept is not said (--retention-days): 30 days are "
                        "assumed",
                        "retention_days"});
  if (request.latency_ms && options.round_trip.empty())
    warnings.push_back({"round_trip_assumed",
                        "how long a message takes to the cloud and back is not said "
                        "(--round-trip-ms, ping tells it): 50 ms are assumed",
                        "round_trip_ms"});
}

ExitCode run(const Options& options, const Common& common) {
  const auto how = render_options(common);
  EdgeRequest request;
  Diagnostics faults;
  if (!how) faults = how.errors();
  Values values(faults);
  read_data(options, values, request);
  read_wishes(options, values, request);
  if (!faults.empty()) return fail(faults, common.json);

  DataTables data(common);
  auto catalog = data.catalog(options.catalogs);
  if (!catalog) return fail(catalog.errors(), common.json);
  const auto cards = data.cards();
  if (!cards) return fail(cards.errors(), common.json);
  if (const auto wrong = lay_prices(*catalog, **cards, {}, common); !wrong.empty())
    return fail(wrong, common.json);
  request.catalog = &*catalog;
  if (!options.offer.empty()) {
    const auto offer = pick_offer(*catalog, options.offer);
    if (!offer) return fail(offer.errors(), common.json);
    request.offer = *offer;
  }
  auto plan = plan_edge(request);
  if (!plan) return fail(plan.errors(), common.json);
  Warnings assumed;
  warn_assumed(options, request, assumed);
  plan->warnings.insert(plan->warnings.begin(), assumed.begin(), assumed.end());
  log_warnings(plan->warnings, common);
  return deliver(render(*plan, *how), common, ExitCode::done);
}

}  // namespace

Run declare_edge(CLI::App& command) {
  auto options = std::make_shared<Options>();
  const auto text = [&](const char* name, std::string& target, const char* group,
                        const char* help) {
    command.add_option(name, target, help)->group(group)->type_name("VALUE");
  };
  declare_catalogs(command, options->catalogs);
  text("--per-day", options->per_day, "Data", "how much a day brings, such as 500GB");
  text("--keep-share", options->keep_share, "Data", "what pre-processing leaves of a byte");
  text("--retention-days", options->retention, "Data", "how long the cloud keeps what it gets");
  text("--back-per-day", options->back, "Data", "results that come back a day");
  text("--line", options->line, "Data", "own line, such as 100Mbps");
  text("--edge-cost", options->edge_cost, "Edge", "hardware that pre-processes, a month");
  text("--edge-compute-cost", options->edge_compute_cost, "Edge",
       "further hardware that does all the computing, a month");
  text("--latency-ms", options->latency, "Wishes", "time within which an answer is wanted");
  text("--round-trip-ms", options->round_trip, "Wishes", "to the cloud and back; 50 by default");
  command.add_flag("--private", options->is_private, "raw data may not leave the site")
      ->group("Wishes");
  text("--offer", options->offer, "Cloud", "ID or PLATFORM/ID: its prices");
  text("--plan", options->plan, "Cloud", "on_demand, spot, or one term");
  text("--compute-hours", options->compute_hours, "Cloud",
       "hours a day that the offer's machine computes on the raw data");
  text("--storage-price", options->storage_price, "Cloud", "own price of a GB and month");
  text("--ingress-price", options->ingress_price, "Cloud", "own price of a GB in");
  text("--egress-price", options->egress_price, "Cloud", "own price of a GB out");
  text("--compute-price", options->compute_price, "Cloud", "own price of a machine hour");
  text("--currency", options->currency, "Cloud", "currency of the answer");
  return [options](const Common& common) { return run(*options, common); };
}

}  // namespace gpuplan::cli
