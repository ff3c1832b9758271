#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gpuplan/compat.hpp"
#include "gpuplan/gpu_log.hpp"
#include "gpuplan/result.hpp"

namespace gpuplan {

// A framework, as an option names it or as it describes itself.
struct SeenFramework {
  std::string name = {};                     // "torch"
  std::optional<Version> release = {};       // 2.9.1
  std::string build = {};                    // "cu128", "cpu", "rocm6.4"; empty: not said
  std::optional<Version> cuda = {};          // that it was built with
  std::optional<bool> available = {};        // torch.cuda.is_available()
  std::vector<Version> capabilities = {};    // that it was compiled for; empty: not said
  std::optional<Version> ptx = {};
  bool without_cuda = false;                 // torch.version.cuda is None
};

// "torch=2.9", "torch==2.9.1+cu128", "vllm 0.11.0"; nothing for other text. `known` are the names.
std::optional<SeenFramework> parse_framework(std::string_view text,
                                             std::span<const std::string_view> known);

// Messages by which driver and framework say that something is wrong.
enum class Trouble {
  driver_not_running, driver_mismatch, no_devices, no_program, not_compiled, no_kernel, driver_too_old
};

// What a paste of program output says.
struct SeenEnvironment {
  std::optional<GpuLog> gpus = {};             // of nvidia-smi
  std::vector<SeenFramework> frameworks = {};
  std::vector<std::string> cards = {};         // device names that the framework printed
  std::vector<Version> card_capabilities = {};  // compute capability, where it was printed
  std::vector<Trouble> troubles = {};
};

// Reads, in any mixture and with prompts between them: the outputs of nvidia-smi (see gpu_log.hpp),
// what `python -c "import torch; print(torch.__version__, torch.version.cuda,
// torch.cuda.is_available(), torch.cuda.get_device_name(), torch.cuda.get_arch_list())"` prints, the
// report of torch.utils.collect_env, lines of `pip list` and `pip freeze`, and the usual error texts.
// Errors: a broken part, with line and column; a text in which nothing of this is found.
Result<SeenEnvironment> read_environment(std::string_view text, const std::string& source,
                                         std::span<const std::string_view> frameworks,
                                         std::span<const std::string> columns = {});

}  // namespace gpuplan
