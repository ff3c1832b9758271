#include <algorithm>

#include "core/text.hpp"
#include "spec/gpu_log/parts.hpp"

namespace gpuplan::detail {
namespace {

// What stands between <tag> and </tag>, both inside `text`; the log has no attributes or nesting of
// equal tags where this is used.
std::optional<std::string_view> inside(std::string_view text, std::string_view tag) {
  const std::string open = "<" + std::string(tag) + ">";
  const std::string close = "</" + std::string(tag) + ">";
  const std::size_t from = text.find(open);
  if (from == std::string_view::npos) return std::nullopt;
  const std::size_t to = text.find(close, from);
  if (to == std::string_view::npos) return std::nullopt;
  return trimmed(text.substr(from + open.size(), to - from - open.size()));
}

int count_of(std::string_view text, std::string_view what) {
  int count = 0;
  for (std::size_t at = text.find(what); at != std::string_view::npos;
       at = text.find(what, at + what.size()))
    ++count;
  return count;
}

class Xml {
 public:
  Xml(std::string_view text, const std::string& source, Diagnostics& faults)
      : text_(text), source_(source), faults_(&faults) {}

  std::string_view text() const { return text_; }
  void fault(std::size_t offset, std::string message, std::string hint) {
    const auto line = 1 + std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(offset), '\n');
    faults_->push_back({ErrorCode::invalid, source_, std::to_string(line) + ":1", std::move(message),
                        std::move(hint)});
  }
  std::size_t offset_of(std::string_view part) const {
    return static_cast<std::size_t>(part.data() - text_.data());
  }

 private:
  std::string_view text_;
  std::string source_;
  Diagnostics* faults_;
};

// The card without what stands between <mig_devices> and </mig_devices>: slices have memory too.
std::string without_slices(std::string_view gpu) {
  const std::size_t from = gpu.find("<mig_devices>");
  const std::size_t to = gpu.find("</mig_devices>");
  if (from == std::string_view::npos || to == std::string_view::npos) return std::string(gpu);
  return std::string(gpu.substr(0, from)) + std::string(gpu.substr(to));
}

void read_sliced(std::string_view gpu, GpuLogBuilder& builder) {
  const std::string card = without_slices(gpu);
  const auto memory = inside(card, "fb_memory_usage");
  const auto total = memory ? inside(*memory, "total") : std::nullopt;
  const auto used = memory ? inside(*memory, "used") : std::nullopt;
  LoggedGpu& logged = builder.gpu(inside(card, "minor_number").value_or(""),
                                  inside(card, "product_name").value_or(""));
  logged.sliced = true;
  const Reading now = used ? reading_of(*used, "") : Reading{};
  const Reading all = total ? reading_of(*total, "") : Reading{};
  if (!now.wrong && !all.wrong) GpuLogBuilder::sample(logged, now, all);
}

void read_gpu(Xml& xml, std::string_view gpu, GpuLogBuilder& builder) {
  const std::size_t id_from = gpu.find("id=\"");
  std::string_view id;
  if (id_from != std::string_view::npos && id_from < gpu.find('>'))
    id = gpu.substr(id_from + 4, gpu.find('"', id_from + 4) - id_from - 4);
  const auto minor = inside(gpu, "minor_number");
  // `<used>` stands under bar1 and elsewhere too: only the frame buffer's counts.
  const auto memory = inside(gpu, "fb_memory_usage");
  const auto used_text = memory ? inside(*memory, "used") : std::nullopt;
  const auto total_text = memory ? inside(*memory, "total") : std::nullopt;
  if (!used_text)
    return xml.fault(xml.offset_of(gpu), "this <gpu> has no <fb_memory_usage> with <used>",
                     "log with nvidia-smi -q -x");
  const Reading used = reading_of(*used_text, "");
  const Reading total = total_text ? reading_of(*total_text, "") : Reading{};
  if (used.wrong || total.wrong)
    return xml.fault(xml.offset_of(used.wrong ? *used_text : *total_text),
                     "expected a memory size such as \"18432 MiB\", got " +
                         quote(used.wrong ? *used_text : *total_text),
                     "");
  LoggedGpu& logged =
      builder.gpu(minor && !minor->empty() ? *minor : id, inside(gpu, "product_name").value_or(""));
  GpuLogBuilder::sample(logged, used, total);
  if (const auto busy = inside(gpu, "utilization"))
    GpuLogBuilder::busy(logged, percent_of(inside(*busy, "gpu_util").value_or("")));
  // Graphics processes (<type>G</type>) belong to the desktop; compute ones may be other people's.
  logged.processes = std::max(logged.processes,
                              count_of(gpu, "<type>C</type>") + count_of(gpu, "<type>C+G</type>"));
}

}  // namespace

void read_gpu_xml(std::string_view text, const std::string& source, GpuLogBuilder& builder,
                  Diagnostics& faults) {
  Xml xml(text, source, faults);
  bool any = false;
  builder.driver(inside(text, "driver_version").value_or(""));
  builder.cuda(inside(text, "cuda_version").value_or(""));
  for (std::size_t at = text.find("<gpu "); at != std::string_view::npos;
       at = text.find("<gpu ", at + 1)) {
    const std::size_t end = text.find("</gpu>", at);
    if (end == std::string_view::npos)
      return xml.fault(at, "this <gpu> is not closed", "was the log cut off here?");
    any = true;
    const std::string_view gpu = text.substr(at, end - at);
    const std::size_t mig = gpu.find("<mig_device>");
    if (mig != std::string_view::npos && builder.state()) {
      read_sliced(gpu, builder);
      continue;
    }
    if (mig != std::string_view::npos)
      return xml.fault(at + mig, "MIG slices are not read",
                       "give the slice's peak itself, as --measured-peak 18GiB");
    read_gpu(xml, gpu, builder);
    if (faults.size() >= 20) return;
  }
  if (!any) xml.fault(0, "no <gpu> in this XML", "log with nvidia-smi -q -x");
}

}  // namespace gpuplan::detail
