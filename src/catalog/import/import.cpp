#include "gpuplan/import.hpp"

#include <algorithm>
#include <array>

#include "catalog/import/formats.hpp"
#include "catalog/rules.hpp"
#include "core/json.hpp"
#include "core/sha256.hpp"
#include "core/text.hpp"

namespace gpuplan {
namespace detail {
namespace {

struct Format {
  ImportFormat format;
  std::string_view name;
  Diagnostics (*read)(const ImportFile&, const ImportOptions&, ImportBuilder&);
};
constexpr std::array kFormats{
    Format{ImportFormat::skypilot, "skypilot", import_skypilot}, Format{ImportFormat::gpuhunt, "gpuhunt", import_gpuhunt},
    Format{ImportFormat::vast, "vast", import_vast},             Format{ImportFormat::runpod, "runpod", import_runpod},
    Format{ImportFormat::lambda, "lambda", import_lambda},       Format{ImportFormat::azure, "azure", import_azure},
    Format{ImportFormat::aws, "aws", import_aws},                Format{ImportFormat::gcp, "gcp", import_gcp},
    Format{ImportFormat::shadeform, "shadeform", import_shadeform}};

const Format& format_of(ImportFormat format) { return *std::ranges::find(kFormats, format, &Format::format); }

// Clouds of which SkyPilot or gpuhunt have lists, as their file names say them.
constexpr std::array<std::string_view, 30> kClouds{
    "aws", "azure", "gcp", "oci", "lambda", "lambdalabs", "runpod", "vast", "vastai", "cudo", "fluidstack",
    "ibm", "scp", "ovhcloud", "ovh", "paperspace", "scaleway", "shadeform", "nebius", "hyperbolic", "tensordock",
    "datacrunch", "verda", "vultr", "crusoe", "digitalocean", "hotaisle", "cloudrift", "amddevcloud", "mithril"};

}  // namespace

std::string cloud_of_file(std::string_view name) {
  // Words of the path, the last first: the file's own name says more than its folders.
  const std::string small = lower(name);
  std::string_view rest = small;
  while (!rest.empty()) {
    const auto end = rest.find_last_not_of("/\\._-");
    if (end == std::string_view::npos) break;
    const auto begin = rest.find_last_of("/\\._-", end);
    const std::string_view word = rest.substr(begin == std::string_view::npos ? 0 : begin + 1, end - (begin == std::string_view::npos ? 0 : begin + 1) + 1);
    if (std::ranges::find(kClouds, word) != kClouds.end()) return std::string(word);
    if (begin == std::string_view::npos) break;
    rest = rest.substr(0, begin);
  }
  return {};
}

std::string source_of(ImportFormat format, const ImportFile& file) {
  return clean(std::string(name_of(format)) + " list " + file.name);
}

}  // namespace detail

std::string_view name_of(ImportFormat format) { return detail::format_of(format).name; }

std::optional<ImportFormat> import_format(std::string_view name) {
  const auto found = std::ranges::find(detail::kFormats, name, &detail::Format::name);
  if (found == detail::kFormats.end()) return std::nullopt;
  return found->format;
}

std::vector<std::string_view> import_formats() {
  std::vector<std::string_view> names;
  for (const detail::Format& format : detail::kFormats) names.push_back(format.name);
  return names;
}

Result<Imported> import_catalog(std::span<const ImportFile> files, const ImportOptions& options,
                                const CardTable& cards, const Catalog& known) {
  detail::ImportBuilder builder(cards, known);
  Diagnostics faults;
  std::string hashes;
  for (const ImportFile& file : files) {
    const Diagnostics wrong = detail::format_of(options.format).read(file, options, builder);
    faults.insert(faults.end(), wrong.begin(), wrong.end());
    hashes += sha256_hex(file.text);
  }
  if (!faults.empty()) return faults;
  Imported imported = builder.take(options);
  imported.catalog.sha256 = files.size() == 1 ? hashes : sha256_hex(hashes);
  return imported;
}

namespace {

void field(std::string& out, std::string_view key, std::string_view text) {
  out += out.ends_with('{') ? "" : ",";
  write_json_text(key, out);
  out += ':';
  write_json_text(text, out);
}

void finding_json(std::string& out, const ImportFinding& finding) {
  out += '{';
  field(out, "code", finding.code);
  field(out, "message", finding.message);
  out += ",\"count\":" + std::to_string(finding.count) + ",\"rows\":[";
  for (const ImportFinding::Row& row : finding.rows) {
    out += out.ends_with('[') ? "{" : ",{";
    field(out, "where", row.where);
    field(out, "what", detail::clean(row.what));
    if (!row.detail.empty()) field(out, "detail", detail::clean(row.detail));
    out += '}';
  }
  out += "]}";
}

}  // namespace

std::string import_report_json(const ImportReport& report, ImportFormat format) {
  std::string out = "{";
  field(out, "from", name_of(format));
  out += ",\"rows\":" + std::to_string(report.rows) + ",\"offers\":" + std::to_string(report.offers);
  for (const bool skipped : {true, false}) {
    out += skipped ? ",\"skipped\":[" : ",\"kept\":[";
    for (const ImportFinding& finding : report.findings) {
      if (finding.skipped != skipped) continue;
      if (!out.ends_with('[')) out += ',';
      finding_json(out, finding);
    }
    out += ']';
  }
  return out + "}";
}

}  // namespace gpuplan
