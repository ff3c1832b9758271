// Compares the speed estimates with published measurements: see README.md beside it.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>

#include "core/builtin.hpp"
#include "core/json.hpp"
#include "gpuplan/model_files.hpp"
#include "gpuplan/plan.hpp"

namespace {

using namespace gpuplan;

struct Row {
  std::string file, figure, card, model, options;
  double measured = 0;
};

struct Outcome {
  Row row;
  std::string group = {}, kind = {};
  double estimated = 0;
  SpeedRange range = {};
  double error() const {
    const double ratio = estimated / row.measured;
    return ratio >= 1 ? ratio - 1 : 1 - 1 / ratio;
  }
  double residual() const { return row.measured / estimated; }
};

std::string text_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);) parts.push_back(part);
  return parts;
}

std::vector<Row> read_rows(const std::filesystem::path& path) {
  std::vector<Row> rows;
  std::string shared;
  for (const std::string& line : split(text_of(path), '\n')) {
    const auto cells = split(line, '\t');
    if (cells.empty() || cells[0] == "source") continue;
    if (cells[0] == "options") {
      shared = cells.at(1) + " ";
      continue;
    }
    rows.push_back({.file = path.stem().string(),
                    .figure = cells[0],
                    .card = cells.at(2),
                    .model = cells.at(3),
                    .options = shared + (cells.size() > 4 ? cells[4] : ""),
                    .measured = std::strtod(cells.at(1).c_str(), nullptr)});
  }
  return rows;
}

std::vector<OptionValue> options_of(const std::string& text) {
  std::vector<OptionValue> options;
  for (const std::string& word : split(text, ' ')) {
    if (word.empty()) continue;
    if (!word.starts_with("--")) {
      options.back().values.push_back(word);
      continue;
    }
    const auto fields = job_fields();
    options.push_back({&*std::ranges::find(fields, word, &JobField::option), {}});
  }
  return options;
}

// The shapes that rows name, then the built-in table.
class Models {
 public:
  explicit Models(const std::string& text) : known_(*read_models(builtin_models(), "models.json")) {
    const auto tree = parse_json(text, "shapes.json");
    for (std::size_t i = 0; i < tree->children.size(); ++i) {
      std::string document = to_json(tree->children[i]);
      document.insert(1, "\"schema\": \"gpuplan.model/1\", \"name\": \"" + tree->keys[i] + "\", ");
      shapes_.emplace(tree->keys[i], *read_model(document, tree->keys[i]));
    }
  }
  const ModelShape* find(const std::string& name) const {
    const auto shape = shapes_.find(name);
    return shape != shapes_.end() ? &shape->second : known_.find(name);
  }

 private:
  std::map<std::string, ModelShape> shapes_;
  ModelTable known_;
};

std::string value_of(const std::string& options, const std::string& name) {
  const auto words = split(options, ' ');
  const auto at = std::ranges::find(words, name);
  return at == words.end() || at + 1 == words.end() ? "" : *(at + 1);
}

double figure_of(const Row& row, const SpeedEstimate& speed, const ResolvedWorkload& work) {
  if (row.figure == "samples") return speed.samples_per_s.value_or(0);
  if (row.figure == "train") return speed.training ? speed.training->tokens_per_s : 0;
  if (row.figure == "train_each") return speed.training ? speed.training->tokens_per_s_per_gpu : 0;
  if (!speed.inference) return 0;
  const InferenceSpeed& i = *speed.inference;
  if (row.figure == "prefill") return i.prefill_tokens_per_s;
  if (row.figure == "decode") return i.decode_tokens_per_s;
  if (row.figure == "output") return i.output_tokens_per_s;
  const auto in = static_cast<double>(work.input_tokens);
  const auto out = static_cast<double>(work.output_tokens);
  if (work.concurrency_max) return i.output_tokens_per_s * (in + out) / out;
  return (in + out) / i.answer.count() * static_cast<double>(work.batch);
}

std::string kind_of(const SpeedEstimate& speed) {
  for (const Explained& line : speed.explain)
    if (line.part == "range") return line.inputs.substr(line.inputs.find(": ") + 2);
  return {};
}

// An estimate as the program makes it: `max` users are what the memory of the card holds.
Result<Outcome> run(const Row& row, const Models& models, const CardTable& cards) {
  const auto job = read_job("", "", options_of(row.options));
  if (!job) return job.errors();
  const ModelShape* model = models.find(row.model);
  const auto card = cards.find(row.card);
  if (model == nullptr || !card)
    return Diagnostic{ErrorCode::usage, row.file, "", "unknown: " + row.model + ", " + row.card,
                      ""};
  auto work = resolve(job->workload, *model);
  if (!work) return work.errors();
  if (work->concurrency_max) work->batch = max_concurrency(*model, *work, card->card->memory);
  const auto speed = estimate_speed(*model, *work, *card->card);
  if (!speed) return speed.errors();
  Outcome outcome{.row = row};
  const std::string mode = value_of(row.options, "--mode");
  outcome.group = row.file + "/" + (mode == "inference" ? row.figure : mode);
  outcome.estimated = figure_of(row, *speed, *work);
  outcome.range = speed->range;
  outcome.kind = kind_of(*speed);
  return outcome;
}

double percentile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  const double at = static_cast<double>(values.size() - 1) * share;
  const auto low = static_cast<std::size_t>(at);
  const std::size_t high = std::min(low + 1, values.size() - 1);
  return values[low] + (values[high] - values[low]) * (at - std::floor(at));
}

// Quantile in which a file counts as the root of its rows, so that none decides alone.
double fair_quantile(const std::vector<const Outcome*>& rows, double share) {
  std::map<std::string, double> counts;
  for (const Outcome* o : rows) counts[o->row.file] += 1;
  std::vector<std::pair<double, double>> points;
  double all = 0;
  for (const Outcome* o : rows) {
    const double weight = 1 / std::sqrt(counts[o->row.file]);
    points.emplace_back(o->residual(), weight);
    all += weight;
  }
  std::ranges::sort(points);
  double sum = 0;
  for (const auto& [residual, weight] : points)
    if ((sum += weight) >= share * all) return residual;
  return points.empty() ? 1 : points.back().first;
}

// Rows that would lie inside if the range of their kind came from the other files alone.
double left_out_coverage(const std::vector<Outcome>& all) {
  constexpr std::size_t kFew = 5;
  std::size_t inside = 0;
  for (const Outcome& o : all) {
    std::vector<const Outcome*> like, any;
    const bool trains = o.row.figure.starts_with("train");
    for (const Outcome& other : all) {
      if (other.row.file == o.row.file) continue;
      if (other.kind == o.kind) like.push_back(&other);
      if (other.row.figure.starts_with("train") == trains) any.push_back(&other);
    }
    const auto& rows = like.size() < kFew ? any : like;
    inside +=
        o.residual() >= fair_quantile(rows, 0.07) && o.residual() <= fair_quantile(rows, 0.93);
  }
  return static_cast<double>(inside) / static_cast<double>(all.size());
}

struct Order {
  int pairs = 0, right = 0;
  double share() const { return pairs == 0 ? 1 : static_cast<double>(right) / pairs; }
};

// Pairs of cards that do the same work, measured more than a tenth apart.
Order order_of(const std::vector<Outcome>& all, bool samples) {
  std::map<std::string, std::vector<const Outcome*>> same;
  for (const Outcome& o : all)
    if ((o.row.figure == "samples") == samples)
      same[o.row.file + o.row.figure + o.row.model + o.row.options].push_back(&o);
  Order order;
  for (const auto& [work, rows] : same)
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (std::size_t k = i + 1; k < rows.size(); ++k) {
        const double a = rows[i]->row.measured, b = rows[k]->row.measured;
        if (rows[i]->row.card == rows[k]->row.card || std::max(a, b) <= 1.1 * std::min(a, b))
          continue;
        ++order.pairs;
        order.right += (a > b) == (rows[i]->estimated > rows[k]->estimated);
      }
  return order;
}

bool within(bool good, const char* what, double value) {
  std::printf("%-44s %6.1f %%  %s\n", what, 100 * value, good ? "" : "MISSED");
  return good;
}

bool report(const std::vector<Outcome>& all) {
  std::map<std::string, std::vector<double>> groups;
  std::vector<double> every, medians;
  std::size_t inside = 0, language = 0;
  for (const Outcome& o : all) {
    if (o.row.figure == "samples") continue;
    groups[o.group].push_back(o.error());
    every.push_back(std::abs(o.error()));
    inside += o.residual() >= o.range.low && o.residual() <= o.range.high;
    ++language;
  }
  for (const auto& [name, errors] : groups) {
    std::vector<double> sizes;
    for (const double e : errors) sizes.push_back(std::abs(e));
    medians.push_back(percentile(sizes, 0.5));
    std::printf("%-28s n=%4zu  median %5.1f %%  p90 %6.1f %%  bias %+6.1f %%\n", name.c_str(),
                errors.size(), 100 * medians.back(), 100 * percentile(sizes, 0.9),
                100 * percentile(errors, 0.5));
  }
  std::vector<Outcome> texts;
  std::ranges::copy_if(all, std::back_inserter(texts),
                       [](const Outcome& o) { return o.row.figure != "samples"; });
  const double middle = percentile(medians, 0.5), tail = percentile(every, 0.9);
  const double covered = static_cast<double>(inside) / static_cast<double>(language);
  const double left_out = left_out_coverage(texts);
  const Order cards = order_of(all, false), images = order_of(all, true);
  std::printf("%zu measurements of language models, %d and %d pairs of cards\n", language,
              cards.pairs, images.pairs);
  bool good = within(middle <= 0.08, "median of the groups' medians", middle);
  good &= within(tail <= 0.35, "nine of ten within", tail);
  good &= within(cards.share() >= 0.96, "pairs of cards in the right order", cards.share());
  good &= within(images.share() >= 0.90, "the same for images and short texts", images.share());
  good &= within(covered >= 0.80, "inside the printed range", covered);
  good &= within(left_out >= 0.75, "inside a range from other sources", left_out);
  return good;
}

}  // namespace

int main(int count, char** words) {
  const std::vector<std::string> options(words + 1, words + count);
  const bool check = std::ranges::find(options, "--check") != options.end();
  const auto worst = std::ranges::find(options, "--worst");
  const std::filesystem::path folder = GPUPLAN_SPEED_ROWS;
  const Models models(text_of(folder / "shapes.json"));
  const CardTable cards = *builtin_card_table();

  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".tsv") files.push_back(entry.path());
  std::ranges::sort(files);
  std::vector<Outcome> all;
  bool good = true;
  for (const auto& file : files)
    for (const Row& row : read_rows(file)) {
      auto outcome = run(row, models, cards);
      if (outcome && outcome->estimated > 0) {
        all.push_back(std::move(*outcome));
        continue;
      }
      good = false;
      std::printf("refused: %s %s %s: %s\n", row.card.c_str(), row.model.c_str(),
                  row.options.c_str(), outcome ? "no figure" : outcome.errors()[0].message.c_str());
    }
  good &= report(all);
  if (worst != options.end() && worst + 1 != options.end()) {
    std::ranges::sort(all, {}, [](const Outcome& o) { return -std::abs(o.error()); });
    const auto n = static_cast<std::size_t>(std::atoi((worst + 1)->c_str()));
    for (std::size_t i = 0; i < std::min(n, all.size()); ++i)
      std::printf("%+7.0f %%  %-20s measured %10.1f estimated %10.1f  %s %s %s\n",
                  100 * all[i].error(), all[i].row.file.c_str(), all[i].row.measured,
                  all[i].estimated, all[i].row.card.c_str(), all[i].row.model.c_str(),
                  all[i].row.options.c_str());
  }
  return check && !good ? 1 : 0;
}
