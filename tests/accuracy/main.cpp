// Compares the memory estimates with published measurements.
//   gpuplan_accuracy [FOLDER] [--worst N] [--check]
// --check fails when a limit of tests/README.md is broken; tests/accuracy/run.sh and ctest use it.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <map>

#include "rows.hpp"

namespace gpuplan::accuracy {
namespace {

double percentile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  const double at = static_cast<double>(values.size() - 1) * share;
  const auto low = static_cast<std::size_t>(at);
  const std::size_t high = std::min(low + 1, values.size() - 1);
  return values[low] + (values[high] - values[low]) * (at - std::floor(at));
}

std::string name_of(Instrument instrument) {
  constexpr const char* kNames[] = {"weights",  "kv",       "profile", "engine", "allocated",
                                    "reserved", "device",   "fits",    "oom"};
  return kNames[static_cast<int>(instrument)];
}

using Selection = std::vector<const Outcome*>;

double share_of(const Selection& rows, const std::function<bool(const Outcome&)>& yes) {
  const auto count = std::ranges::count_if(rows, [&](const Outcome* row) { return yes(*row); });
  return rows.empty() ? 1 : static_cast<double>(count) / static_cast<double>(rows.size());
}

std::vector<double> errors_of(const Selection& rows, bool absolute) {
  std::vector<double> errors;
  for (const Outcome* row : rows)
    errors.push_back(absolute ? std::abs(row->error()) : row->error());
  return errors;
}

// The residuals of one kind of case, source by source.
using BySource = std::map<std::string, std::vector<double>>;

struct Interval {
  double low = 0, high = 0;
  bool holds(double residual) const { return residual >= low && residual <= high; }
};

// What is cut off at each end. A little less than a tenth: an interval should still hold four of
// five measurements of a program that it was not made from.
constexpr double kTail = 0.07;

// The middle 86 % of the rows, when each source with at least five of them counts the same: a source with
// 300 rows is one program on one machine, not 300 opinions.
Interval interval_of(const BySource& sources, const std::string& without) {
  std::vector<std::pair<double, double>> weighted;  // residual, weight
  double total = 0;
  for (const auto& [source, residuals] : sources) {
    if (source == without) continue;
    const double weight =
        std::min<double>(static_cast<double>(residuals.size()), 5) / static_cast<double>(residuals.size());
    for (const double residual : residuals) {
      weighted.emplace_back(residual, weight);
      total += weight;
    }
  }
  std::ranges::sort(weighted);
  Interval interval;
  double below = 0;
  for (const auto& [residual, weight] : weighted) {
    if (below <= kTail * total) interval.low = residual;
    if (below < (1 - kTail) * total) interval.high = residual;
    below += weight;
  }
  return interval;
}

struct Report {
  double middle = 0, tail = 0, bias = 0, coverage = 0, left_out = 0;
  std::size_t rows = 0;
  int called_fits = 0, oom = 0, called_oom = 0, fits = 0;
};

void print_group(const std::string& title, const Selection& rows) {
  std::printf("%-26s %4zu  %6.1f %%  %6.1f %%  %+6.1f %%  %5.0f %%\n", title.c_str(), rows.size(),
              100 * percentile(errors_of(rows, true), 0.5),
              100 * percentile(errors_of(rows, true), 0.9),
              100 * percentile(errors_of(rows, false), 0.5),
              100 * share_of(rows, [](const Outcome& row) { return row.covered(); }));
}

// Each source left out in turn: do the intervals made from the others hold its rows?
double cover_left_out(const std::map<std::string, BySource>& kinds) {
  std::map<std::string, std::pair<int, int>> of_source;  // held, all
  for (const auto& [kind, sources] : kinds) {
    for (const auto& [source, residuals] : sources) {
      if (sources.size() < 2) continue;  // nobody else has such cases
      const Interval interval = interval_of(sources, source);
      for (const double residual : residuals) {
        of_source[source].first += interval.holds(residual) ? 1 : 0;
        of_source[source].second += 1;
      }
    }
  }
  int held = 0, all = 0;
  std::printf("\nheld by the intervals of the other sources:\n");
  for (const auto& [source, counts] : of_source) {
    std::printf("  %-24s %4d  %5.0f %%\n", source.c_str(), counts.second,
                100.0 * counts.first / counts.second);
    held += counts.first;
    all += counts.second;
  }
  return all == 0 ? 1 : static_cast<double>(held) / all;
}

Report report(const std::vector<Outcome>& outcomes) {
  std::map<std::string, Selection> groups, by_kind;
  std::map<std::string, BySource> kinds;
  Selection all;
  Report result;
  for (const Outcome& row : outcomes) {
    if (row.verdict()) {
      const bool ran = row.row.instrument == Instrument::fits;
      (ran ? result.fits : result.oom) += 1;
      if (ran && row.total_gib > row.row.gib) ++result.called_oom;
      if (!ran && row.required_gib <= row.row.gib) ++result.called_fits;
      continue;
    }
    groups[row.row.group + "/" + name_of(row.row.instrument)].push_back(&row);
    by_kind[row.kind].push_back(&row);
    kinds[row.kind][row.row.group].push_back(row.residual());
    all.push_back(&row);
  }
  std::printf("%-26s %4s  %8s  %8s  %8s  %7s\n", "source/figure", "n", "median", "9 of 10", "bias",
              "held");
  std::vector<double> medians;
  for (const auto& [name, rows] : groups) {
    print_group(name, rows);
    medians.push_back(percentile(errors_of(rows, true), 0.5));
  }
  std::printf("\nmeasured over estimated, by kind of case (each source counts the same):\n");
  for (const auto& [kind, sources] : kinds) {
    const Interval interval = interval_of(sources, "");
    print_group(kind, by_kind[kind]);
    std::printf("    from %.2f to %.2f, table %.2f to %.2f, %zu sources\n", interval.low,
                interval.high, by_kind[kind].front()->low, by_kind[kind].front()->high,
                sources.size());
  }
  result.left_out = cover_left_out(kinds);
  result.rows = all.size();
  result.middle = percentile(medians, 0.5);
  result.tail = percentile(errors_of(all, true), 0.9);
  result.bias = percentile(errors_of(all, false), 0.5);
  result.coverage = share_of(all, [](const Outcome& row) { return row.covered(); });
  return result;
}

void print_worst(std::vector<Outcome> outcomes, std::size_t count) {
  std::erase_if(outcomes, [](const Outcome& row) { return row.verdict(); });
  std::ranges::stable_sort(outcomes, std::greater{},
                           [](const Outcome& row) { return std::abs(row.error()); });
  outcomes.resize(std::min(outcomes.size(), count));
  for (const Outcome& row : outcomes)
    std::printf("%+7.1f %%  %s %.2f GiB, %.2f measured: %s %s\n", 100 * row.error(),
                name_of(row.row.instrument).c_str(), row.estimated_gib, row.row.gib,
                row.row.model.c_str(), row.row.options.c_str());
}

bool within_limits(const Report& r, std::size_t refused) {
  bool good = true;
  const auto demand = [&good](bool kept, const char* what) {
    if (!kept) std::printf("LIMIT BROKEN: %s\n", what);
    good = good && kept;
  };
  demand(refused == 0, "no row is refused");
  demand(r.middle <= 0.04, "median of the groups' medians at most 4 %");
  demand(r.tail <= 0.22, "nine of ten rows within 22 %");
  demand(r.called_fits == 0, "nothing that ran out of memory is called fitting");
  demand(r.called_oom * 100 <= 3 * r.fits, "at most 3 % of what ran is called too large");
  demand(r.coverage >= 0.80, "the printed range holds 80 % of the rows");
  demand(r.left_out >= 0.75, "ranges made without a source hold 75 % of its rows");
  return good;
}

int run(const std::string& folder, std::size_t worst, bool check) {
  std::vector<std::string> refused;
  const auto outcomes = run_rows(folder, refused);
  for (const std::string& why : refused) std::printf("refused: %s\n", why.c_str());
  const Report r = report(outcomes);
  std::printf("\n%zu figures: median of the groups' medians %.1f %%, nine of ten within %.1f %%, "
              "bias %+.1f %%\n",
              r.rows, 100 * r.middle, 100 * r.tail, 100 * r.bias);
  std::printf("%d of %d runs out of memory called fitting, %d of %d that ran called too large\n",
              r.called_fits, r.oom, r.called_oom, r.fits);
  std::printf("range: holds %.1f %% of the figures; %.1f %% when the source is left out\n",
              100 * r.coverage, 100 * r.left_out);
  print_worst(outcomes, worst);
  return !check || within_limits(r, refused.size()) ? 0 : 1;
}

}  // namespace
}  // namespace gpuplan::accuracy

int main(int argc, char** argv) {
  std::string folder = GPUPLAN_ROWS;
  std::size_t worst = 0;
  bool check = false;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--check") check = true;
    else if (word == "--worst" && i + 1 < argc) worst = static_cast<std::size_t>(std::atoi(argv[++i]));
    else folder = word;
  }
  try {
    return gpuplan::accuracy::run(folder, worst, check);
  } catch (const std::exception& why) {
    std::fprintf(stderr, "gpuplan_accuracy: %s\n", why.what());
    return 1;
  }
}
