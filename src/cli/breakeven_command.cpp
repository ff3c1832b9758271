#include <CLI/CLI.hpp>
#include <future>
#include <memory>

#include "cli/answer.hpp"
#include "cli/commands.hpp"
#include "cli/job_options.hpp"
#include "cli/offers.hpp"
#include "cli/tables.hpp"
#include "core/text.hpp"
#include "gpuplan/advice.hpp"

namespace gpuplan::cli {
namespace {

struct Options {
  JobOptions job;
  std::vector<std::string> catalogs, prices;
  std::string offer, currency, buy_price, power_price, years;
};

template <class Value>
void read(const std::string& text, const char* option, const char* wanted,
          std::optional<Value> (*parse)(std::string_view), std::optional<Value>& to,
          Diagnostics& faults) {
  if (text.empty()) return;
  to = parse(text);
  if (!to)
    faults.push_back({ErrorCode::usage, option, "",
                      std::string("expected ") + wanted + ", got " + quote(text),
                      unit_hint(text, UnitKind::decimal)});
}

Result<BreakEvenOptions> read_options(const Options& options) {
  BreakEvenOptions read_to{.currency = options.currency, .purchase = {}};
  Diagnostics faults;
  std::optional<Money> price;
  std::optional<Decimal> power, years;
  read(options.buy_price, "--buy-price", "a price such as 1800", Money::parse, price, faults);
  read(options.power_price, "--power-price", "a price of a kWh such as 0.30", Decimal::parse, power,
       faults);
  read(options.years, "--years", "a number of years such as 3", Decimal::parse, years, faults);
  if (years && (years->is_zero() || *years > Decimal::of(50)))
    faults.push_back({ErrorCode::usage, "--years", "",
                      "a card is used for more than 0 and at most 50 years, got " + options.years,
                      ""});
  if (price && (price->is_zero() || *price >= Money::units(1'000'000'000)))
    faults.push_back({ErrorCode::usage, "--buy-price", "",
                      "a card costs more than 0 and less than a thousand million", ""});
  if (options.buy_price.empty() && !(options.power_price.empty() && options.years.empty()))
    faults.push_back({ErrorCode::usage, options.years.empty() ? "--power-price" : "--years", "",
                      "says something of a card of your own: --buy-price is missing",
                      "add the price of one card: --buy-price 1800"});
  if (!faults.empty()) return faults;
  if (price) {
    read_to.purchase = Purchase{.price = *price, .power_price = power};
    if (years) read_to.purchase->years = *years;
  }
  return read_to;
}

Result<std::vector<const Offer*>> pick_offers(const Catalog& catalog, const std::string& id) {
  if (!id.empty()) {
    const auto offer = pick_offer(catalog, id);
    if (!offer) return offer.errors();
    return std::vector{*offer};
  }
  std::vector<const Offer*> offers;
  for (const Offer& offer : catalog.offers) offers.push_back(&offer);
  return offers;
}

ExitCode run(const Options& options, const Common& common) {
  const auto how = render_options(common);
  const auto job = options.job.read(common);
  const auto wanted = read_options(options);
  Diagnostics faults;
  for (const Diagnostics* list : {how ? nullptr : &how.errors(), job ? nullptr : &job.errors(),
                                  wanted ? nullptr : &wanted.errors()})
    if (list != nullptr) faults.insert(faults.end(), list->begin(), list->end());
  if (!faults.empty()) return fail(faults, common.json);

  DataTables data(common);
  auto reading = std::async(std::launch::async, [&] { return data.catalog(options.catalogs); });
  const auto cards = data.cards();
  auto catalog = reading.get();
  if (!cards) return fail(cards.errors(), common.json);
  if (!catalog) return fail(catalog.errors(), common.json);
  if (const auto wrong = lay_prices(*catalog, **cards, options.prices, common); !wrong.empty())
    return fail(wrong, common.json);
  const auto offers = pick_offers(*catalog, options.offer);
  if (!offers) return fail(offers.errors(), common.json);
  const auto answer = find_break_even(*offers, *catalog, **cards, *job, *wanted);
  if (!answer) return fail(answer.errors(), common.json);
  log_warnings(answer->warnings, common);
  return deliver(render(*answer, *how), common, ExitCode::done);
}

}  // namespace

Run declare_breakeven(CLI::App& command) {
  auto options = std::make_shared<Options>();
  const auto text = [&](const char* name, std::string& target, const char* group,
                        const char* help) {
    command.add_option(name, target, help)->group(group)->type_name("VALUE");
  };
  declare_catalogs(command, options->catalogs);
  declare_own_prices(command, options->prices);
  text("--offer", options->offer, "Choice", "ID or PLATFORM/ID; absent: every offer");
  text("--currency", options->currency, "Choice", "currency of the answer");
  text("--buy-price", options->buy_price, "A card of your own", "price of one card");
  text("--power-price", options->power_price, "A card of your own", "price of a kWh");
  text("--years", options->years, "A card of your own", "years that it is used, 3 by default");
  options->job.declare(command);
  return [options](const Common& common) { return run(*options, common); };
}

}  // namespace gpuplan::cli
