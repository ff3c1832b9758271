// Driver, CUDA and framework against each other and against the cards.
#include <algorithm>

#include "advice/check.hpp"
#include "core/text.hpp"

namespace gpuplan::detail {
namespace {

std::string table_of(const CheckState& state) {
  const auto& as_of = state.compat.as_of;
  return as_of ? "the table of " + to_string(*as_of) : "the table";
}

// "cu128": how the package index of torch names a build.
std::string index_name(const Version& cuda) {
  return "cu" + std::to_string(cuda.part(0)) + std::to_string(cuda.part(1));
}

// The newest CUDA that the driver knows: what it says itself, else what the table says.
void find_driver_cuda(CheckState& state) {
  CheckResult& result = state.result;
  const auto& seen = state.request.seen;
  if (seen && seen->gpus && !state.request.driver)
    if (const auto told = Version::parse(seen->gpus->cuda)) {
      result.driver_cuda = *told;
      result.driver_cuda_told = true;
      return;
    }
  if (!result.driver) return;
  const DriverBranch* branch = state.compat.branch(*result.driver);
  if (branch != nullptr && branch->cuda) {
    result.driver_cuda = branch->cuda;
    return;
  }
  // Drivers never lose what they know: the next older branch tells the least.
  for (const DriverBranch& older : state.compat.drivers)
    if (older.branch < result.driver->major() && older.cuda) result.driver_cuda = older.cuda;
  const std::string name = "driver " + result.driver->to_string();
  state.find(Severity::warn, "driver_unknown",
             name + " is not in " + table_of(state) +
                 (result.driver_cuda ? ": it knows CUDA " + result.driver_cuda->to_string() +
                                           " at least, as the next older branch does"
                                     : " and older than all in it"),
             "nvidia-smi prints the newest CUDA that it knows: pass that output with --from -");
}

void check_support(CheckState& state) {
  const DriverBranch* branch = state.compat.branch(*state.result.driver);
  if (branch == nullptr) return;
  const std::string name = "branch " + std::to_string(branch->branch) + " of the driver";
  const bool over = state.request.as_of && !branch->end_of_life.empty() &&
                    branch->end_of_life < to_string(*state.request.as_of).substr(0, 7);
  if (branch->ended || over)
    state.find(Severity::warn, "driver_ended",
               name + " gets no more fixes" +
                   (branch->end_of_life.empty() ? "" : " since " + branch->end_of_life),
               "ask for a machine with a branch that is still kept, or expect to stay on its CUDA");
}

void check_card_against_driver(CheckState& state, const CheckedCard& card) {
  if (!card.capability) return;
  const Architecture* chip = state.compat.architecture(*card.capability);
  if (chip == nullptr) return;
  const Version& driver = *state.result.driver;
  const Toolkit* first = state.compat.toolkit(chip->first_cuda);
  if (first != nullptr && first->driver && driver < *first->driver)
    state.find(Severity::fail, "driver_older_than_card",
               described(card) + " is newer than driver " + driver.to_string() +
                   ": the first that knows it is " + first->driver->to_string() + " (CUDA " +
                   chip->first_cuda.to_string() + ")",
               "take driver " + first->driver->to_string() + " or newer, whatever the framework");
  if (chip->last_driver != 0 && driver.major() > chip->last_driver)
    state.find(Severity::fail, "driver_newer_than_card",
               described(card) + " is not driven any more by " + driver.to_string() +
                   ": the last branch for it is " + std::to_string(chip->last_driver),
               "take branch " + std::to_string(chip->last_driver) + " of the driver");
}

// ", or a build for CUDA 12.2": what this driver runs, where no card asks for a newer one.
std::string older_build(const CheckState& state, const std::string& more) {
  for (const CheckedCard& card : state.result.cards) {
    const Architecture* chip = card.capability ? state.compat.architecture(*card.capability) : nullptr;
    if (chip != nullptr && *state.result.driver_cuda < chip->first_cuda) return {};
  }
  return ", or a build for CUDA " + state.result.driver_cuda->to_string() + more;
}

void check_cuda_against_driver(CheckState& state, const Version& cuda, const std::string& what) {
  const CheckResult& result = state.result;
  if (!result.driver_cuda || cuda <= *result.driver_cuda) return;
  const MajorFloor* floor = state.compat.floor_of(cuda.major());
  const std::string knows = "the driver knows CUDA " + result.driver_cuda->to_string();
  const Toolkit* toolkit = state.compat.toolkit(cuda);
  const std::string newer = toolkit != nullptr && toolkit->driver
                                ? "driver " + toolkit->driver->to_string() + " or newer"
                                : "a driver that knows CUDA " + cuda.to_string();
  const bool same_major = cuda.major() == result.driver_cuda->major();
  const bool above_floor = floor != nullptr && (!result.driver || *result.driver >= floor->driver);
  if (same_major && above_floor)
    return state.find(
        Severity::warn, "minor_version_compatibility",
        what + " is built with CUDA " + cuda.to_string() + ", " + knows +
            ": within one major version it runs, but code that is compiled when the program "
            "starts (PTX, some kernels of Triton) may not",
        "to be safe take " + newer + older_build(state, ""));
  const std::string least =
      floor != nullptr ? " (CUDA " + std::to_string(cuda.major()) + " needs driver " +
                             floor->driver.to_string() + " at least)"
                       : "";
  state.find(Severity::fail, "driver_too_old",
             what + " is built with CUDA " + cuda.to_string() + ", " + knows + least,
             "take " + newer + older_build(state, " or older") +
                 "; cuda-compat packages help on data centre cards only");
}

// The chips that a CUDA compiles for at all.
void check_cuda_against_card(CheckState& state, const Version& cuda, const CheckedCard& card,
                             const std::string& what, const std::string& fix) {
  if (!card.capability) return;
  const Architecture* chip = state.compat.architecture(*card.capability);
  if (chip == nullptr)
    return state.find(Severity::warn, "card_generation_unknown",
                      "compute capability " + card.capability->to_string() + " is not in " +
                          table_of(state) + ": nothing can be said of the CUDA that it needs",
                      "");
  if (cuda < chip->first_cuda)
    state.find(Severity::fail, "cuda_older_than_card",
               what + " is built with CUDA " + cuda.to_string() + ", and " + described(card) +
                   " needs " + chip->first_cuda.to_string() + " at least",
               fix);
  if (chip->last_cuda && cuda > *chip->last_cuda)
    state.find(Severity::fail, "cuda_newer_than_card",
               what + " is built with CUDA " + cuda.to_string() + ", and " +
                   chip->last_cuda->to_string() + " was the last that compiles for " +
                   described(card),
               fix);
}

// Whether a build of the table would run on that driver and all the cards.
bool would_do(const CheckState& state, const FrameworkBuild& build) {
  const CheckResult& result = state.result;
  if (result.driver_cuda && build.cuda > *result.driver_cuda) {
    const MajorFloor* floor = state.compat.floor_of(build.cuda.major());
    const bool minor = build.cuda.major() == result.driver_cuda->major() && floor != nullptr &&
                       (!result.driver || *result.driver >= floor->driver);
    if (!minor) return false;
  }
  return std::ranges::all_of(result.cards, [&](const CheckedCard& card) {
    if (!card.capability) return true;
    const Architecture* chip = state.compat.architecture(*card.capability);
    if (chip != nullptr &&
        (build.cuda < chip->first_cuda || (chip->last_cuda && build.cuda > *chip->last_cuda)))
      return false;
    return runs_on(build.capabilities, build.ptx, *card.capability).value_or(true);
  });
}

std::string install(const std::string& name, const Version& release, const Version& cuda) {
  if (name == "torch")
    return "pip install \"torch==" + release.to_string() +
           ".*\" from PyTorch's own index for this CUDA: the --index-url that ends in whl/" +
           index_name(cuda);
  return "install the build of " + name + " " + release.to_string() + " for CUDA " +
         cuda.to_string();
}

// What to install instead: another build of the same release, else of the newest that has one.
std::string another_build(const CheckState& state, const FrameworkRelease& release) {
  const auto best = [&](const FrameworkRelease& row) -> const FrameworkBuild* {
    const FrameworkBuild* found = nullptr;
    for (const FrameworkBuild& build : row.builds)
      if (would_do(state, build) && (found == nullptr || found->cuda < build.cuda)) found = &build;
    return found;
  };
  if (const FrameworkBuild* build = best(release); build != nullptr && release.release)
    return install(release.name, *release.release, build->cuda);
  for (const FrameworkRelease& row : state.compat.frameworks) {
    if (row.name != release.name || !row.release) continue;
    if (const FrameworkBuild* build = best(row))
      return install(row.name, *row.release, build->cuda);
  }
  return "no build in " + table_of(state) + " runs on this driver and card: take another card";
}

std::string named(const Build& build) {
  std::string text = build.framework->name;
  if (build.framework->release) text += " " + build.framework->release->to_string();
  return text;
}

class FrameworkCheck {
 public:
  FrameworkCheck(CheckState& state, const SeenFramework& framework) : state_(state) {
    build_.framework = &framework;
    if (framework.release)
      build_.release = state.compat.framework(framework.name, *framework.release);
    build_.cuda = framework.cuda;
    if (!build_.cuda && state.request.cuda && framework.name == first_with_builds())
      build_.cuda = state.request.cuda;
    build_.capabilities = framework.capabilities;
    build_.ptx = framework.ptx;
  }

  void run() {
    if (build_.release == nullptr) unknown();
    if (without_cuda()) return;
    assume_default();
    if (build_.cuda) compare();
    const SeenFramework& framework = *build_.framework;
    if (framework.available && !*framework.available && !failed_)
      state_.find(Severity::fail, "cuda_not_available",
                  named(build_) + " has CUDA but does not find the card",
                  "look whether nvidia-smi shows it, whether CUDA_VISIBLE_DEVICES is empty, and "
                  "whether the container was started with --gpus all");
    if (build_.release != nullptr) needs();
  }

 private:
  // `--cuda` is about the first framework that is made for several of them.
  std::string first_with_builds() const {
    for (const SeenFramework& framework : state_.result.request.frameworks)
      if (framework.name == "torch" || framework.name == "tensorflow" || framework.name == "jax" ||
          framework.name == "vllm")
        return framework.name;
    return build_.framework->name;
  }
  std::string fix() const {
    return build_.release != nullptr ? another_build(state_, *build_.release)
                                     : "take a build that was compiled for this card";
  }
  void fail(const std::string& code, const std::string& message, const std::string& fix) {
    failed_ = true;
    state_.find(Severity::fail, code, message, fix);
  }
  void unknown() {
    if (!build_.framework->release) return;
    state_.find(Severity::warn, "framework_unknown",
                named(build_) + " is not in " + table_of(state_) +
                    ": only what it says of itself can be checked",
                "pass what python -c \"import torch; print(torch.__version__, torch.version.cuda, "
                "torch.cuda.is_available(), torch.cuda.get_arch_list())\" prints with --from -");
  }
  bool without_cuda() {
    const SeenFramework& framework = *build_.framework;
    const bool amd = std::ranges::any_of(state_.result.cards, [](const CheckedCard& card) {
      return card.card != nullptr && card.card->vendor == "AMD";
    });
    const bool rocm = framework.build.starts_with("rocm");
    if (rocm != amd && !state_.result.cards.empty() && (rocm || framework.cuda)) {
      fail("build_for_other_maker",
           named(build_) + (rocm ? " is built for AMD cards" : " is built for NVIDIA cards"),
           rocm ? fix() : "install the ROCm build from PyTorch's own index (whl/rocm...)");
      return true;
    }
    if (rocm || amd) return true;
    if (!framework.without_cuda) return false;
    fail("cpu_only_build", named(build_) + " is built without CUDA: it computes on the CPU only",
         fix());
    return true;
  }
  void assume_default() {
    if (build_.cuda || build_.release == nullptr || !build_.release->default_cuda) return;
    build_.cuda = build_.release->default_cuda;
    state_.find(Severity::note, "build_assumed",
                "which build of " + named(build_) +
                    " is not said: what its package index gives without asking is for CUDA " +
                    build_.cuda->to_string(),
                "say it with --cuda, or as --framework " + build_.framework->name + "=" +
                    (build_.framework->release ? build_.framework->release->to_string() : "") +
                    "+" + index_name(*build_.cuda));
  }
  void compare() {
    const std::size_t before = state_.result.findings.size();
    check_cuda_against_driver(state_, *build_.cuda, named(build_));
    bool listed = true;
    if (build_.release != nullptr && build_.capabilities.empty()) {
      const auto row =
          std::ranges::find(build_.release->builds, *build_.cuda, &FrameworkBuild::cuda);
      listed = row != build_.release->builds.end();
      if (listed) {
        build_.capabilities = row->capabilities;
        build_.ptx = row->ptx;
      }
    }
    if (!listed && !build_.release->builds.empty())
      state_.find(Severity::warn, "build_unknown",
                  named(build_) + " for CUDA " + build_.cuda->to_string() + " is not in " +
                      table_of(state_),
                  another_build(state_, *build_.release));
    for (const CheckedCard* card : kinds_of(state_.result.cards)) compare(*card);
    for (std::size_t i = before; i < state_.result.findings.size(); ++i)
      failed_ = failed_ || state_.result.findings[i].severity == Severity::fail;
  }
  void compare(const CheckedCard& card) {
    if (!card.capability) return;
    const auto runs = runs_on(build_.capabilities, build_.ptx, *card.capability);
    if (runs && !*runs) {
      std::vector<std::string> list;
      for (const Version& capability : build_.capabilities) list.push_back(capability.to_string());
      fail("build_lacks_card",
           named(build_) + " for CUDA " + build_.cuda->to_string() + " has no code for " +
               described(card) + ": it is compiled for " + join(list, ", "),
           fix());
      return;
    }
    check_cuda_against_card(state_, *build_.cuda, card, named(build_), fix());
    if (!runs && build_.framework->name == "torch")
      state_.find(Severity::note, "build_cards_unknown",
                  "for which cards " + named(build_) + " for CUDA " + build_.cuda->to_string() +
                      " was compiled is not in " + table_of(state_),
                  "torch.cuda.get_arch_list() tells it");
  }
  void needs() {
    const FrameworkRelease& row = *build_.release;
    for (const CheckedCard* card : kinds_of(state_.result.cards)) {
      if (!card->capability) continue;
      const bool low = row.least_capability && *card->capability < *row.least_capability;
      const bool high = row.most_capability && *card->capability > *row.most_capability;
      if (low || high)
        fail("framework_lacks_card",
             named(build_) + " needs compute capability " +
                 (low ? row.least_capability->to_string() + " or more"
                      : row.most_capability->to_string() + " or less") +
                 ", this is " + described(*card),
             "take another card, or do without " + build_.framework->name);
    }
    const SeenFramework* torch = other("torch");
    const auto cuda = torch != nullptr && torch->cuda ? torch->cuda : state_.request.cuda;
    if (row.least_cuda && cuda && *cuda < *row.least_cuda)
      fail("framework_needs_cuda",
           named(build_) + " needs CUDA " + row.least_cuda->to_string() + " at least, this is " +
               cuda->to_string(),
           "take a build of torch for a newer CUDA");
    if (torch == nullptr || !torch->release) return;
    const auto& exactly = row.needs_torch;
    const bool differs = exactly && (exactly->part(0) != torch->release->part(0) ||
                                     exactly->part(1) != torch->release->part(1));
    if (differs || (row.least_torch && *torch->release < *row.least_torch))
      fail("framework_needs_torch",
           named(build_) + " needs torch " +
               (differs ? exactly->to_string() : row.least_torch->to_string() + " or newer") +
               ", this is " + torch->release->to_string(),
           "install both in one command, and let " + build_.framework->name + " choose its torch");
  }
  const SeenFramework* other(std::string_view name) const {
    const auto found = std::ranges::find(state_.result.request.frameworks, std::string(name),
                                         &SeenFramework::name);
    return found == state_.result.request.frameworks.end() ? nullptr : &*found;
  }

  CheckState& state_;
  Build build_;
  bool failed_ = false;
};

}  // namespace

void check_driver(CheckState& state) {
  CheckResult& result = state.result;
  const auto& seen = state.request.seen;
  result.driver = state.request.driver;
  if (seen && seen->gpus && !seen->gpus->driver.empty()) {
    const auto told = Version::parse(seen->gpus->driver);
    if (told && result.driver && *told != *result.driver)
      state.find(Severity::warn, "driver_differs",
                 "--driver says " + result.driver->to_string() + ", the machine " +
                     told->to_string() + ": the option is taken",
                 "leave --driver out");
    if (!result.driver) result.driver = told;
  }
  find_driver_cuda(state);
  if (!result.driver) return;
  check_support(state);
  for (const CheckedCard* card : kinds_of(result.cards)) check_card_against_driver(state, *card);
}

void check_frameworks(CheckState& state) {
  // What was said by option wins over what the machine prints.
  std::vector<SeenFramework>& frameworks = state.result.request.frameworks;
  if (state.request.seen)
    for (const SeenFramework& seen : state.request.seen->frameworks)
      if (std::ranges::find(frameworks, seen.name, &SeenFramework::name) == frameworks.end())
        frameworks.push_back(seen);
  if (state.request.cuda && state.compat.toolkit(*state.request.cuda) == nullptr)
    state.find(Severity::warn, "cuda_unknown",
               "CUDA " + state.request.cuda->to_string() + " is not in " + table_of(state),
               "newest in it: CUDA " + state.compat.toolkits.back().cuda.to_string());
  if (frameworks.empty() && state.request.cuda) {
    const std::string what = "a program";
    check_cuda_against_driver(state, *state.request.cuda, what);
    for (const CheckedCard* card : kinds_of(state.result.cards))
      check_cuda_against_card(state, *state.request.cuda, *card, what,
                              "build it with a CUDA that compiles for this card");
  }
  for (const SeenFramework& framework : frameworks) FrameworkCheck(state, framework).run();
}

}  // namespace gpuplan::detail
