// What frameworks print of themselves.
#include <algorithm>
#include <array>
#include <cctype>

#include "core/text.hpp"
#include "spec/environment/parts.hpp"
#include "spec/gpu_log/parts.hpp"

namespace gpuplan {
namespace detail {
namespace {

struct TroubleText {
  std::string_view text;
  Trouble trouble;
};
// Parts of messages as driver and framework word them.
constexpr std::array<TroubleText, 10> kTroubles{
    {{"couldn't communicate with the NVIDIA driver", Trouble::driver_not_running},
     {"Driver/library version mismatch", Trouble::driver_mismatch},
     {"No devices were found", Trouble::no_devices},
     {"No CUDA GPUs are available", Trouble::no_devices},
     {"nvidia-smi: command not found", Trouble::no_program},
     {"nvidia-smi: not found", Trouble::no_program},
     {"Torch not compiled with CUDA enabled", Trouble::not_compiled},
     {"no kernel image is available for execution", Trouble::no_kernel},
     {"driver on your system is too old", Trouble::driver_too_old},
     {"CUDA driver version is insufficient", Trouble::driver_too_old}}};

// Words that begin the name of a card as drivers print it.
constexpr std::array<std::string_view, 7> kMakers{"NVIDIA", "Tesla", "GeForce", "Quadro",
                                                  "GRID",   "TITAN", "AMD"};

struct ReportKey {
  std::string_view key;
  enum class What { release, cuda, available, driver, card } what;
};
// Of torch.utils.collect_env.
constexpr std::array<ReportKey, 4> kReport{
    {{"PyTorch version", ReportKey::What::release},
     {"CUDA used to build PyTorch", ReportKey::What::cuda},
     {"Is CUDA available", ReportKey::What::available},
     {"Nvidia driver version", ReportKey::What::driver}}};

// "sm_120" and "compute_120": the last figure is the minor one. A letter behind it (sm_90a) names
// code for this very chip.
std::optional<Version> capability_of(std::string_view digits) {
  while (!digits.empty() && std::isalpha(static_cast<unsigned char>(digits.back())) != 0)
    digits.remove_suffix(1);
  if (digits.size() < 2 || digits.size() > 3) return std::nullopt;
  const auto major = Version::parse(digits.substr(0, digits.size() - 1));
  const auto minor = Version::parse(digits.substr(digits.size() - 1));
  if (!major || !minor) return std::nullopt;
  return Version{.parts = {major->major(), minor->major()}};
}

std::vector<std::string_view> words_of(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> words;
  for (std::size_t from = text.find_first_not_of(separators); from != std::string_view::npos;
       from = text.find_first_not_of(separators, from)) {
    const std::size_t to = std::min(text.find_first_of(separators, from), text.size());
    words.push_back(text.substr(from, to - from));
    from = to;
  }
  return words;
}

SeenFramework& torch_of(SeenEnvironment& seen) {
  const auto found =
      std::ranges::find(seen.frameworks, std::string("torch"), &SeenFramework::name);
  if (found != seen.frameworks.end()) return *found;
  seen.frameworks.push_back({.name = "torch"});
  return seen.frameworks.back();
}

void add_card(SeenEnvironment& seen, std::string_view name) {
  if (std::ranges::find(seen.cards, name) == seen.cards.end()) seen.cards.emplace_back(name);
}

void add_capability(SeenFramework& torch, std::string_view word) {
  const bool ptx = word.starts_with("compute_");
  if (!ptx && !word.starts_with("sm_")) return;
  const auto capability = capability_of(word.substr(ptx ? 8 : 3));
  if (!capability) return;
  if (ptx)
    torch.ptx = *capability;
  else if (std::ranges::find(torch.capabilities, *capability) == torch.capabilities.end())
    torch.capabilities.push_back(*capability);
}

// "NVIDIA GeForce RTX 5090 with CUDA capability sm_120 is not compatible with the current PyTorch
// installation." and "The current PyTorch install supports CUDA capabilities sm_50 sm_60 ..."
bool read_warning(std::string_view line, SeenEnvironment& seen) {
  constexpr std::string_view kCard = " with CUDA capability ";
  constexpr std::string_view kList = "supports CUDA capabilities";
  if (const std::size_t at = line.find(kCard); at != std::string_view::npos) {
    add_card(seen, trimmed(line.substr(0, at)));
    const auto words = words_of(line.substr(at + kCard.size()), " ");
    if (!words.empty() && words.front().starts_with("sm_"))
      if (const auto capability = capability_of(words.front().substr(3)))
        seen.card_capabilities.push_back(*capability);
    return true;
  }
  const std::size_t at = line.find(kList);
  if (at == std::string_view::npos) return false;
  for (const std::string_view word : words_of(line.substr(at), " ."))
    add_capability(torch_of(seen), word);
  return true;
}

void read_report_value(ReportKey::What what, std::string_view value, SeenEnvironment& seen) {
  SeenFramework& torch = torch_of(seen);
  switch (what) {
    case ReportKey::What::release: {
      const std::array<std::string_view, 1> kTorch{"torch"};
      if (const auto read = parse_framework("torch==" + std::string(value), kTorch)) {
        torch.release = read->release;
        torch.build = read->build;
        torch.without_cuda = torch.without_cuda || read->without_cuda;
        if (!torch.cuda) torch.cuda = read->cuda;
      }
      break;
    }
    case ReportKey::What::cuda:
      torch.without_cuda = torch.without_cuda || value == "None" || value == "Could not collect";
      if (const auto cuda = Version::parse(value)) torch.cuda = *cuda;
      break;
    case ReportKey::What::available: torch.available = value == "True"; break;
    case ReportKey::What::driver:
      if (!seen.gpus) seen.gpus.emplace();
      if (seen.gpus->driver.empty()) seen.gpus->driver = value;
      break;
    case ReportKey::What::card: break;
  }
}

bool read_report(std::string_view line, SeenEnvironment& seen) {
  const std::size_t colon = line.find(": ");
  if (colon == std::string_view::npos) return false;
  const std::string_view key = line.substr(0, colon), value = trimmed(line.substr(colon + 2));
  // "MIG 3g.40gb  Device  0: (UUID: MIG-...)" below its card: torch would show it by both names.
  if (key.starts_with("MIG ") && !seen.cards.empty() && seen.cards.back().find(" MIG ") == std::string::npos) {
    seen.cards.back() += " " + std::string(key.substr(0, key.find(' ', 4)));
    return true;
  }
  if (key.starts_with("GPU ") && key.size() <= 6 && !value.empty()) {  // "GPU 0: NVIDIA L4"
    add_card(seen, value.substr(0, value.find(" (UUID")));
    return true;
  }
  const auto known = std::ranges::find(kReport, key, &ReportKey::key);
  if (known == kReport.end()) return false;
  read_report_value(known->what, value, seen);
  return true;
}

// What is left of the words of a `print` when all else is understood: the name of the card.
bool read_card(std::string_view text, SeenEnvironment& seen) {
  const auto maker = std::ranges::find_if(kMakers, [&](std::string_view word) {
    return text.starts_with(std::string(word) + " ");
  });
  if (maker == kMakers.end()) return false;
  add_card(seen, text);
  return true;
}

// "2.9.0+cu128 12.8 True NVIDIA L4 ['sm_75', 'sm_80']", on one line or on several.
bool read_print(std::string_view line, SeenEnvironment& seen) {
  bool any = false;
  std::string name;
  for (const std::string_view word : words_of(line, " ,'\"[](){}")) {
    if (word.starts_with("sm_") || word.starts_with("compute_")) {
      add_capability(torch_of(seen), word);
      any = true;
      continue;
    }
    const std::array<std::string_view, 1> kTorch{"torch"};
    const bool local = word.find('+') != std::string_view::npos;
    const auto release = parse_framework("torch==" + std::string(word), kTorch);
    if (release && (local || release->release->parts.size() >= 3) && !torch_of(seen).release) {
      SeenFramework& torch = torch_of(seen);
      torch.release = release->release;
      torch.build = release->build;
      torch.without_cuda = torch.without_cuda || release->without_cuda;
      if (!torch.cuda) torch.cuda = release->cuda;
      any = true;
      continue;
    }
    const auto version = Version::parse(word);
    const bool torch_known = !seen.frameworks.empty();
    if (torch_known && version && version->parts.size() == 2) {
      torch_of(seen).cuda = *version;
      any = true;
    } else if (torch_known && word == "None") {
      torch_of(seen).without_cuda = true;
      any = true;
    } else if (torch_known && (word == "True" || word == "False")) {
      torch_of(seen).available = word == "True";
      any = true;
    } else {
      name += (name.empty() ? "" : " ") + std::string(word);
    }
  }
  return read_card(name, seen) || any;
}

}  // namespace

bool read_framework_line(std::string_view line, std::span<const std::string_view> frameworks,
                         SeenEnvironment& seen) {
  for (const TroubleText& known : kTroubles)
    if (line.find(known.text) != std::string_view::npos) {
      seen.troubles.push_back(known.trouble);
      return true;
    }
  if (read_warning(line, seen) || read_report(line, seen)) return true;
  if (auto framework = parse_framework(line, frameworks)) {
    const auto known = std::ranges::find(seen.frameworks, framework->name, &SeenFramework::name);
    if (known == seen.frameworks.end())
      seen.frameworks.push_back(std::move(*framework));
    return true;
  }
  // A command that was pasted with its prompt is no output.
  if (line.find("python") != std::string_view::npos || line.find('$') != std::string_view::npos)
    return false;
  return read_print(line, seen);
}

}  // namespace detail

std::optional<SeenFramework> parse_framework(std::string_view text,
                                             std::span<const std::string_view> known) {
  const std::size_t end = text.find_first_of("= ");
  if (end == std::string_view::npos || end == 0) return std::nullopt;
  std::string name = lower(text.substr(0, end));
  std::ranges::replace(name, '_', '-');
  if (name == "pytorch") name = "torch";
  if (std::ranges::find(known, name) == known.end()) return std::nullopt;
  std::string_view version = text.substr(text.find_first_not_of("= ", end) == std::string_view::npos
                                             ? text.size()
                                             : text.find_first_not_of("= ", end));
  version = trimmed(version);
  if (version.starts_with('v')) version.remove_prefix(1);
  SeenFramework framework{.name = std::move(name)};
  const std::size_t plus = version.find('+');
  if (plus != std::string_view::npos) framework.build = lower(version.substr(plus + 1));
  std::string_view figures = version.substr(0, plus);
  // "2.9.0a0", "0.10.1.post1", "2.9.0.dev20250801": what comes before the letters counts.
  const std::size_t letter = figures.find_first_not_of("0123456789.");
  if (letter != std::string_view::npos) figures = figures.substr(0, letter);
  if (figures.ends_with('.')) figures.remove_suffix(1);
  framework.release = Version::parse(figures);
  if (!framework.release) return std::nullopt;
  if (framework.build.starts_with("cu") && framework.build.size() >= 4 &&
      framework.build.size() <= 6) {
    const std::string_view digits = std::string_view(framework.build).substr(2);
    const auto major = Version::parse(digits.substr(0, digits.size() - 1));
    const auto minor = Version::parse(digits.substr(digits.size() - 1));
    if (major && minor) framework.cuda = Version{.parts = {major->major(), minor->major()}};
  }
  framework.without_cuda = framework.build == "cpu";
  return framework;
}

}  // namespace gpuplan
