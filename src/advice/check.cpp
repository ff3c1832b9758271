// Do driver, CUDA, framework and card go together?
#include "advice/check.hpp"

#include <algorithm>
#include <array>

#include "core/text.hpp"

namespace gpuplan {

std::string_view name_of(Severity severity) {
  constexpr std::array<std::string_view, 3> kNames{"note", "warn", "fail"};
  return kNames[static_cast<std::size_t>(severity)];
}

Severity CheckResult::verdict() const {
  Severity worst = Severity::note;
  for (const Finding& finding : findings) worst = std::max(worst, finding.severity);
  return worst;
}

namespace detail {

void CheckState::find(Severity severity, std::string code, std::string message, std::string fix) {
  Finding finding{.code = std::move(code),
                  .severity = severity,
                  .message = std::move(message),
                  .fix = std::move(fix)};
  const auto same = [&](const Finding& other) {
    return other.code == finding.code && other.message == finding.message;
  };
  if (std::ranges::none_of(result.findings, same)) result.findings.push_back(std::move(finding));
}

namespace {

struct TroubleFinding {
  Trouble trouble;
  std::string_view code, message, fix;
};
constexpr std::array<TroubleFinding, 7> kTroubles{{
    {Trouble::driver_not_running, "driver_not_running",
     "nvidia-smi does not reach the driver: no program will find the card",
     "restart the machine; if that does not help, take another image or machine and ask for the "
     "time back"},
    {Trouble::driver_mismatch, "driver_mismatch",
     "the driver that runs and the driver that is installed are of two versions",
     "restart the machine, so that the installed one is loaded"},
    {Trouble::no_devices, "no_card", "the machine shows no card at all",
     "it may have been started without its card, or the container was not given one (docker run "
     "--gpus all)"},
    {Trouble::no_program, "no_driver", "there is no nvidia-smi on this machine",
     "take an image with the NVIDIA driver; in a container the host has to pass it in"},
    {Trouble::not_compiled, "cpu_only_build", "this torch was built without CUDA",
     "pip uninstall -y torch, then install it from a CUDA index of download.pytorch.org/whl"},
    {Trouble::no_kernel, "build_lacks_card",
     "the program has no code for this card (\"no kernel image is available\")",
     "install a build whose torch.cuda.get_arch_list() has this card"},
    {Trouble::driver_too_old, "driver_too_old",
     "the framework says that the driver is too old for the CUDA it was built with",
     "take a newer driver, or a build for an older CUDA"},
}};

}  // namespace

void check_troubles(CheckState& state) {
  if (!state.request.seen) return;
  for (const Trouble trouble : state.request.seen->troubles) {
    const auto known = std::ranges::find(kTroubles, trouble, &TroubleFinding::trouble);
    state.find(Severity::fail, std::string(known->code), std::string(known->message),
               std::string(known->fix));
  }
}

std::string described(const CheckedCard& card) {
  const std::string name = card.card != nullptr ? card.card->name : card.name;
  return card.capability ? name + " (compute capability " + card.capability->to_string() + ")"
                         : name;
}

std::vector<const CheckedCard*> kinds_of(const std::vector<CheckedCard>& cards) {
  std::vector<const CheckedCard*> kinds;
  for (const CheckedCard& card : cards) {
    const auto same = [&](const CheckedCard* other) {
      return other->card == card.card && (card.card != nullptr || other->name == card.name);
    };
    if (std::ranges::none_of(kinds, same)) kinds.push_back(&card);
  }
  return kinds;
}

std::optional<bool> runs_on(const std::vector<Version>& capabilities,
                            const std::optional<Version>& ptx, const Version& card) {
  if (capabilities.empty()) return std::nullopt;
  const bool native = std::ranges::any_of(capabilities, [&](const Version& built) {
    return built.part(0) == card.part(0) && built.part(1) <= card.part(1);
  });
  return native || (ptx && *ptx <= card);
}

}  // namespace detail

Result<CheckResult> check_environment(const CheckRequest& request, const CompatTable& compat,
                                      const CardTable& cards) {
  detail::CheckState state{.request = request, .compat = compat, .cards = cards};
  state.result.request = request;
  state.result.compat_as_of = compat.as_of;
  if (request.catalog != nullptr)
    state.result.currency =
        request.currency.empty() ? request.catalog->currency : request.currency;
  detail::check_troubles(state);
  detail::gather_cards(state);
  detail::check_driver(state);
  detail::check_frameworks(state);
  detail::check_cards(state);
  detail::check_rate(state);
  detail::check_machines(state);
  if (!state.errors.empty()) return std::move(state.errors);
  // What stops the work comes first; within one severity the order of the checks stays.
  std::ranges::stable_sort(state.result.findings, std::ranges::greater{}, &Finding::severity);
  return std::move(state.result);
}

}  // namespace gpuplan
