#include "gpuplan/compat.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "core/builtin.hpp"
#include "core/json.hpp"
#include "core/text.hpp"

namespace gpuplan {

std::optional<Version> Version::parse(std::string_view text) {
  Version version;
  version.written = text;
  while (true) {
    int part = 0;
    const char* end = text.data() + text.size();
    const auto [next, fault] = std::from_chars(text.data(), end, part);
    if (fault != std::errc{} || text.front() == '-' || next - text.data() > 6) return std::nullopt;
    version.parts.push_back(part);
    if (next == end) return version;
    if (*next != '.' || version.parts.size() == 4) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(next - text.data()) + 1);
    if (text.empty()) return std::nullopt;
  }
}

std::string Version::to_string() const {
  if (!written.empty()) return written;
  std::vector<std::string> texts;
  for (const int part : parts) texts.push_back(std::to_string(part));
  return join(texts, ".");
}

std::strong_ordering operator<=>(const Version& a, const Version& b) {
  for (std::size_t i = 0; i < std::max(a.parts.size(), b.parts.size()); ++i)
    if (const auto order = a.part(i) <=> b.part(i); order != 0) return order;
  return std::strong_ordering::equal;
}

namespace {

Version version(const JsonReader& reader) {
  const std::string text = reader.text();
  if (auto read = Version::parse(text)) return *read;
  if (reader.node().is(JsonNode::Kind::string))
    reader.complain_expected("a version such as \"12.8\"");
  return Version{.parts = {0}};
}

std::optional<Version> maybe_version(const JsonReader& row, std::string_view key) {
  const auto member = row.find(key);
  return member ? std::optional{version(*member)} : std::nullopt;
}

std::string maybe_text(const JsonReader& row, std::string_view key) {
  const auto member = row.find(key);
  return member ? member->text() : std::string{};
}

CompatSource source_of(const JsonReader& row) {
  CompatSource from;
  from.as_of = row.at("as_of").date();
  from.source = maybe_text(row, "source");
  if (const auto list = row.find("unsourced"))
    for (const JsonReader& field : list->items()) from.unsourced.push_back(field.text());
  if (from.source.empty() && from.unsourced.empty())
    row.complain("expected a \"source\", or \"unsourced\" with the fields that have none");
  return from;
}

DriverBranch driver(const JsonReader& row) {
  row.allow({"branch", "cuda", "support", "ended", "end_of_life", "as_of", "source", "unsourced"});
  DriverBranch branch;
  branch.branch = static_cast<int>(row.at("branch").integer(1, 9999));
  branch.cuda = maybe_version(row, "cuda");
  branch.support = maybe_text(row, "support");
  branch.end_of_life = maybe_text(row, "end_of_life");
  if (const auto ended = row.find("ended")) branch.ended = ended->boolean();
  branch.from = source_of(row);
  return branch;
}

Toolkit toolkit_of(const JsonReader& row) {
  row.allow({"cuda", "driver", "as_of", "source", "unsourced"});
  return {.cuda = version(row.at("cuda")),
          .driver = maybe_version(row, "driver"),
          .from = source_of(row)};
}

MajorFloor major_of(const JsonReader& row) {
  row.allow({"major", "driver", "as_of", "source", "unsourced"});
  return {.major = static_cast<int>(row.at("major").integer(1, 99)),
          .driver = version(row.at("driver")),
          .from = source_of(row)};
}

Architecture architecture_of(const JsonReader& row) {
  row.allow({"capability", "name", "first_cuda", "last_cuda", "last_driver", "as_of", "source",
             "unsourced"});
  Architecture architecture;
  architecture.capability = version(row.at("capability"));
  architecture.name = row.at("name").text();
  architecture.first_cuda = version(row.at("first_cuda"));
  architecture.last_cuda = maybe_version(row, "last_cuda");
  if (const auto last = row.find("last_driver"))
    architecture.last_driver = static_cast<int>(last->integer(1, 9999));
  architecture.from = source_of(row);
  return architecture;
}

FrameworkBuild build_of(const JsonReader& row) {
  row.allow({"cuda", "capabilities", "ptx", "source"});
  FrameworkBuild build;
  build.cuda = version(row.at("cuda"));
  if (const auto list = row.find("capabilities"))
    for (const JsonReader& item : list->items()) build.capabilities.push_back(version(item));
  build.ptx = maybe_version(row, "ptx");
  build.source = maybe_text(row, "source");
  return build;
}

FrameworkRelease release_of(const JsonReader& row) {
  row.allow({"name", "release", "default_cuda", "builds", "needs_torch", "least_capability",
             "most_capability", "least_cuda", "least_torch", "as_of", "source", "unsourced"});
  FrameworkRelease release;
  release.name = row.at("name").text();
  release.release = maybe_version(row, "release");
  release.default_cuda = maybe_version(row, "default_cuda");
  if (const auto builds = row.find("builds"))
    for (const JsonReader& build : builds->items()) release.builds.push_back(build_of(build));
  release.needs_torch = maybe_version(row, "needs_torch");
  release.least_capability = maybe_version(row, "least_capability");
  release.most_capability = maybe_version(row, "most_capability");
  release.least_cuda = maybe_version(row, "least_cuda");
  release.least_torch = maybe_version(row, "least_torch");
  release.from = source_of(row);
  const auto has_default = [&](const FrameworkBuild& build) {
    return build.cuda == *release.default_cuda;
  };
  if (release.default_cuda && std::ranges::none_of(release.builds, has_default))
    row.at("default_cuda").complain("no build of this release is for that CUDA");
  return release;
}

template <class Row>
void read_rows(const JsonReader& reader, std::string_view key, Row (*read)(const JsonReader&),
               std::vector<Row>& rows) {
  for (const JsonReader& row : reader.at(key).items()) rows.push_back(read(row));
}

template <class Row, class Key>
void ascending(const JsonReader& reader, std::string_view key, const std::vector<Row>& rows,
               Key of) {
  for (std::size_t i = 1; i < rows.size(); ++i)
    if (!(rows[i - 1].*of < rows[i].*of)) {
      reader.at(key).complain("row " + std::to_string(i) + " is not above the one before it");
      return;
    }
}

}  // namespace

const DriverBranch* CompatTable::branch(const Version& driver) const {
  const auto found = std::ranges::find(drivers, driver.major(), &DriverBranch::branch);
  return found == drivers.end() ? nullptr : &*found;
}

const Toolkit* CompatTable::toolkit(const Version& cuda) const {
  const Version short_form{.parts = {cuda.part(0), cuda.part(1)}};
  const auto found = std::ranges::find(toolkits, short_form, &Toolkit::cuda);
  return found == toolkits.end() ? nullptr : &*found;
}

const MajorFloor* CompatTable::floor_of(int cuda_major) const {
  const auto found = std::ranges::find(majors, cuda_major, &MajorFloor::major);
  return found == majors.end() ? nullptr : &*found;
}

const Architecture* CompatTable::architecture(const Version& capability) const {
  const auto found = std::ranges::find(architectures, capability, &Architecture::capability);
  return found == architectures.end() ? nullptr : &*found;
}

const FrameworkRelease* CompatTable::framework(std::string_view name,
                                               const Version& release) const {
  for (const FrameworkRelease& row : frameworks) {
    if (row.name != name) continue;
    if (!row.release) return &row;
    const bool major_only = row.release->parts.size() == 1;
    if (row.release->part(0) == release.part(0) &&
        (major_only || row.release->part(1) == release.part(1)))
      return &row;
  }
  return nullptr;
}

std::vector<std::string_view> CompatTable::framework_names() const {
  std::vector<std::string_view> names;
  for (const FrameworkRelease& row : frameworks)
    if (std::ranges::find(names, row.name) == names.end()) names.push_back(row.name);
  return names;
}

Result<CompatTable> read_compat(std::string_view text, const std::string& source) {
  const auto root = parse_json(text, source);
  if (!root) return root.errors();
  Diagnostics faults;
  const JsonContext context{.source = source, .faults = &faults};
  const JsonReader reader(root->root(), context);
  reader.allow(
      {"schema", "as_of", "drivers", "toolkits", "majors", "architectures", "frameworks"});
  constexpr std::array<std::string_view, 1> kSchemas{"gpuplan.compat/1"};
  reader.at("schema").choice(kSchemas);
  CompatTable table;
  if (const auto as_of = reader.find("as_of")) table.as_of = as_of->date();
  read_rows(reader, "drivers", driver, table.drivers);
  read_rows(reader, "toolkits", toolkit_of, table.toolkits);
  read_rows(reader, "majors", major_of, table.majors);
  read_rows(reader, "architectures", architecture_of, table.architectures);
  read_rows(reader, "frameworks", release_of, table.frameworks);
  ascending(reader, "drivers", table.drivers, &DriverBranch::branch);
  ascending(reader, "toolkits", table.toolkits, &Toolkit::cuda);
  if (!faults.empty()) return faults;
  return table;
}

Result<CompatTable> builtin_compat_table() {
  return read_compat(builtin_compat(), "built-in compat.json");
}

}  // namespace gpuplan
