#include "rows.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

#include "core/builtin.hpp"
#include "gpuplan/model_files.hpp"

namespace gpuplan::accuracy {
namespace {

constexpr double kGiB = 1024.0 * 1024.0 * 1024.0;

std::string text_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + path.string());
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);) parts.push_back(part);
  return parts;
}

Instrument instrument_of(const std::string& name) {
  static const std::map<std::string, Instrument> kNames{
      {"weights", Instrument::weights},     {"kv", Instrument::kv},
      {"profile", Instrument::profile},     {"engine", Instrument::engine},
      {"allocated", Instrument::allocated}, {"reserved", Instrument::reserved},
      {"device", Instrument::device},       {"fits", Instrument::fits},
      {"oom", Instrument::oom}};
  return kNames.at(name);
}

// A line is `source URL SOFTWARE`, `options OPTIONS` (of all rows below) or a row: instrument, GiB,
// model, options.
std::vector<Row> read_group(const std::filesystem::path& path) {
  std::vector<Row> rows;
  Row row;
  std::string shared;
  row.group = path.stem().string();
  for (const std::string& line : split(text_of(path), '\n')) {
    if (line.empty() || line.front() == '#') continue;
    const auto cells = split(line, '\t');
    if (cells.at(0) == "options") {
      shared = cells.at(1) + " ";
    } else if (cells[0] == "source") {
      row.source = cells.at(1);
      row.software = cells.size() > 2 ? cells[2] : "";
    } else {
      row.instrument = instrument_of(cells[0]);
      row.gib = std::stod(cells.at(1));
      row.model = cells.at(2);
      row.options = shared + (cells.size() > 3 ? cells[3] : "");
      rows.push_back(row);
    }
  }
  return rows;
}

std::vector<OptionValue> options_of(const std::string& text) {
  std::vector<OptionValue> options;
  for (const std::string& word : split(text, ' ')) {
    if (word.empty()) continue;
    if (word.starts_with("--")) {
      const auto fields = job_fields();
      const auto field = std::ranges::find(fields, word, &JobField::option);
      if (field == fields.end()) throw std::runtime_error("no option " + word);
      options.push_back({&*field, {}});
    } else {
      for (const std::string& value : options.back().field->kind == FieldKind::texts
                                          ? split(word, ',')
                                          : std::vector<std::string>{word})
        options.back().values.push_back(value);
    }
  }
  for (OptionValue& option : options)
    if (option.values.empty()) option.values.push_back("on");
  return options;
}

class Shapes {
 public:
  explicit Shapes(const std::filesystem::path& path)
      : shapes_(nlohmann::ordered_json::parse(text_of(path))),
        known_(*read_models(builtin_models(), "models.json")) {}

  Result<ModelShape> find(const std::string& name) const {
    if (!shapes_.contains(name)) {
      Job job;
      job.model = name;
      Warnings warnings;
      return find_model(job, known_, [](const std::string& path) -> Result<std::string> {
        return Diagnostic{ErrorCode::unreadable, path, "", "not used here", ""};
      }, warnings);
    }
    nlohmann::ordered_json document{{"schema", "gpuplan.model/1"}, {"name", name}};
    document.update(shapes_.at(name));
    return read_model(document.dump(), name);
  }

 private:
  nlohmann::ordered_json shapes_;
  ModelTable known_;
};

double figure(const MemoryBreakdown& m, Instrument instrument) {
  const Bytes profile = m.weights + m.activations + m.logits + m.workspace;
  switch (instrument) {
    case Instrument::weights: return (m.weights + m.adapter).as_double();
    case Instrument::kv: return m.kv_cache.as_double();
    case Instrument::profile: return profile.as_double();
    case Instrument::engine: return (profile + m.framework).as_double();
    case Instrument::allocated: return m.allocated.as_double();
    case Instrument::reserved: return m.reserved.as_double();
    default: return m.total.as_double();
  }
}

template <class T>
std::string reasons(const Result<T>& result) {
  std::string text;
  for (const Diagnostic& why : result.errors()) text += why.source + ": " + why.message + "; ";
  return text;
}

}  // namespace

std::vector<Outcome> run_rows(const std::string& folder, std::vector<std::string>& refused) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".tsv") files.push_back(entry.path());
  std::ranges::sort(files);
  const Shapes shapes(std::filesystem::path(folder) / "shapes.json");
  const Decimal headroom = *Decimal::parse("1.3");
  std::vector<Outcome> outcomes;
  for (const auto& file : files) {
    for (const Row& row : read_group(file)) {
      const auto job = read_job("", "", options_of(row.options));
      const auto model = shapes.find(row.model);
      const auto work = job && model ? resolve(job->workload, *model)
                                     : Result<ResolvedWorkload>(Diagnostics{});
      if (!job || !model || !work) {
        refused.push_back(row.group + ": " + row.model + " " + row.options + ": " +
                          (!job ? reasons(job) : !model ? reasons(model) : reasons(work)));
        continue;
      }
      const MemoryEstimate memory = estimate_memory(*model, *work);
      Outcome outcome{.row = row};
      outcome.estimated_gib = figure(memory.per_gpu, row.instrument) / kGiB;
      const double total = memory.per_gpu.total.as_double();
      outcome.low = memory.range.low.as_double() / total;
      outcome.high = memory.range.high.as_double() / total;
      outcome.kind = std::string(memory.range.kind);
      outcome.total_gib = total / kGiB;
      outcome.required_gib = with_headroom(memory.per_gpu.total, headroom).as_double() / kGiB;
      outcomes.push_back(std::move(outcome));
    }
  }
  return outcomes;
}

}  // namespace gpuplan::accuracy
