// check SCHEMAS FOLDER...: every JSON document in the folders that names a schema of ours must be valid
// under it, except those in folders named "wrong", which must not be, and the inputs of runs that end
// with an error.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using Adapter = valijson::adapters::NlohmannJsonAdapter;

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The document, when it is one of ours.
std::optional<Json> document_of(const fs::path& path) {
  Json json = Json::parse(read(path), nullptr, false);
  if (!json.is_object() || !json.contains("schema") || !json["schema"].is_string()) return std::nullopt;
  const std::string schema = json["schema"].get<std::string>();
  if (schema.rfind("gpuplan.", 0) != 0) return std::nullopt;
  return json;
}

class Schemas {
 public:
  explicit Schemas(fs::path folder) : folder_(std::move(folder)) {}

  // Null: there is no such schema.
  const valijson::Schema* of(const std::string& document_schema) {
    const std::string name = document_schema.substr(8, document_schema.find('/') - 8);
    const auto known = schemas_.find(name);
    if (known != schemas_.end()) return &known->second;
    const fs::path path = folder_ / (name + ".json");
    if (!fs::exists(path)) return nullptr;
    const Json& json = texts_[name] = Json::parse(read(path));
    valijson::Schema& schema = schemas_[name];
    valijson::SchemaParser(valijson::SchemaParser::kDraft7).populateSchema(Adapter(json), schema);
    return &schema;
  }

 private:
  fs::path folder_;
  std::map<std::string, Json> texts_;
  std::map<std::string, valijson::Schema> schemas_;
};

// What is wrong, one line each; empty when nothing is.
std::string faults(const Json& document, const valijson::Schema& schema) {
  valijson::Validator validator;
  valijson::ValidationResults results;
  if (validator.validate(schema, Adapter(document), &results)) return {};
  std::string lines;
  valijson::ValidationResults::Error error;
  while (results.popError(error)) {
    lines += "  ";
    for (const std::string& step : error.context) lines += step;
    lines += ": " + error.description + "\n";
  }
  return lines.empty() ? "  not valid\n" : lines;
}

bool ends_well(const fs::path& folder) {
  return !fs::exists(folder / "exit.txt") || read(folder / "exit.txt").rfind("0", 0) == 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return std::fputs("check SCHEMAS FOLDER...\n", stderr), 2;
  Schemas schemas{fs::path(argv[1])};
  int checked = 0, wrong = 0;
  for (int i = 2; i < argc; ++i)
    for (const auto& entry : fs::recursive_directory_iterator(argv[i])) {
      const fs::path& path = entry.path();
      const bool output = path.filename() == "stdout.txt" || path.filename() == "stderr.txt";
      if (!entry.is_regular_file() || (!output && path.extension() != ".json")) continue;
      const bool meant_wrong = path.parent_path().filename() == "wrong";
      if (!output && !meant_wrong && !ends_well(path.parent_path())) continue;
      const auto document = document_of(path);
      if (!document) continue;
      const std::string name = (*document)["schema"].get<std::string>();
      const valijson::Schema* schema = schemas.of(name);
      // Tables and single files of theirs have descriptions in data/README.md instead.
      if (schema == nullptr) {
        if (!output) continue;
        std::cerr << path.string() << ": there is no schema for " << name << "\n";
        ++wrong;
        continue;
      }
      ++checked;
      const std::string found = faults(*document, *schema);
      if (found.empty() != meant_wrong) continue;
      ++wrong;
      std::cerr << path.string() << (meant_wrong ? ": is valid, but should not be\n" : ":\n" + found);
    }
  std::cout << checked << " documents checked, " << wrong << " wrong\n";
  return wrong == 0 && checked > 0 ? 0 : 1;
}
