// Spot prices over time: the CSV file that an offer names.
#include <algorithm>
#include <map>

#include "catalog/import/csv.hpp"
#include "catalog/parts.hpp"
#include "core/text.hpp"
#include "gpuplan/catalog.hpp"

namespace gpuplan {
namespace {

constexpr std::size_t kMostSteps = 1'000'000;
constexpr std::array<std::string_view, 2> kColumns{"time", "price"};
constexpr std::string_view kTimes = "a moment such as 2026-11-01T08:00:00Z, or a time from the job's start such as 6h";

class SeriesReader {
 public:
  SeriesReader(detail::CsvTable& table, const std::string& source)
      : table_(table), source_(source) {}

  Result<PriceSeries> run() {
    while (table_.next() && !full()) read_row();
    if (faults_.empty() && series_.steps.empty())
      wrong(table_.line(), "the series has no price", "each line states a time and the price from then on: 0h,1.20");
    if (!faults_.empty()) return std::move(faults_);
    return std::move(series_);
  }

 private:
  void wrong(std::size_t line, std::string message, std::string hint) {
    faults_.push_back({ErrorCode::invalid, source_, std::to_string(line), std::move(message), std::move(hint)});
  }

  bool full() {
    constexpr std::size_t kMostFaults = 20;
    if (series_.steps.size() == kMostSteps) wrong(table_.line(), "more than 1000000 prices", "leave out the lines on which the price stays as it was");
    return series_.steps.size() == kMostSteps || faults_.size() >= kMostFaults;
  }

  void read_row() {
    if (table_.broken())
      return wrong(table_.line(), "the line has " + std::to_string(table_.width()) + " cells, the first one " + std::to_string(table_.columns()), "each line states a time and a price: 6h,0.55");
    const auto at = time_of(table_.cell("time"));
    const auto price = price_of(table_.cell("price"));
    if (!at || !price) return;
    if (!series_.steps.empty() && *at <= series_.steps.back().at)
      return wrong(table_.line(), "the time " + quote(table_.cell("time")) + " is not behind that of the line before", "the lines stand in order of time, the oldest first");
    series_.steps.push_back({.at = *at, .price = *price});
  }

  std::optional<Duration> time_of(std::string_view text) {
    const auto moment = parse_moment(text);
    const auto from_start = text == "0" ? std::optional(Duration{0}) : parse_duration(text);
    if (!moment && !from_start) {
      wrong(table_.line(), "time: expected " + std::string(kTimes) + ", got " + quote(text), unit_hint(text, UnitKind::duration));
      return std::nullopt;
    }
    if (kind_known_ && series_.dated != moment.has_value()) {
      wrong(table_.line(), "time: " + quote(text) + " beside " + (series_.dated ? "moments" : "times from the start"), "all times of a series are of one kind");
      return std::nullopt;
    }
    kind_known_ = true;
    series_.dated = moment.has_value();
    return moment ? std::chrono::duration_cast<Duration>(moment->utc.time_since_epoch()) : *from_start;
  }

  std::optional<Decimal> price_of(std::string_view text) {
    const auto price = Decimal::parse(text);
    if (price && !price->is_zero() && *price <= Decimal::of(1'000'000'000)) return price;
    wrong(table_.line(), "price: expected an amount above 0 an hour, got " + quote(text), price ? "" : unit_hint(text, UnitKind::decimal));
    return std::nullopt;
  }

  detail::CsvTable& table_;
  const std::string& source_;
  PriceSeries series_;
  bool kind_known_ = false;
  Diagnostics faults_;
};

}  // namespace

Result<PriceSeries> read_price_series(std::string_view csv, const std::string& source) {
  auto table = detail::CsvTable::open(csv, source, kColumns);
  if (!table) return table.errors();
  return SeriesReader(*table, source).run();
}

Diagnostics lay_spot_series(Catalog& catalog,
                            const std::function<Result<PriceSeries>(const std::string& path)>& read) {
  std::map<std::string, std::optional<PriceSeries>> known;
  Diagnostics faults;
  for (Offer& offer : catalog.offers) {
    if (!offer.price.spot_series) continue;
    SpotSeries series = *offer.price.spot_series;
    const auto [entry, fresh] = known.try_emplace(series.path);
    if (fresh) {
      auto prices = read(series.path);
      if (prices)
        entry->second = std::move(*prices);
      else
        faults.insert(faults.end(), prices.errors().begin(), prices.errors().end());
    }
    if (!entry->second) continue;
    series.prices = *entry->second;
    for (PriceStep& step : series.prices.steps)
      if (!detail::times(step.price, series.times)) {
        faults.push_back({ErrorCode::invalid, series.path, "",
                          "the price " + step.price.to_string() + " has too many digits for " + std::to_string(series.times) + " cards", "write at most nine decimals"});
        break;
      }
    if (!offer.price.spot) offer.price.spot = series.prices.steps.front().price;
    offer.price.spot_series = std::make_shared<const SpotSeries>(std::move(series));
  }
  return faults;
}

}  // namespace gpuplan
