#pragma once

#include <optional>
#include <string>

#include "gpuplan/check.hpp"

namespace gpuplan::detail {

// What the parts of the check share.
struct CheckState {
  const CheckRequest& request;
  const CompatTable& compat;
  const CardTable& cards;
  CheckResult result = {};
  Diagnostics errors = {};

  void find(Severity severity, std::string code, std::string message, std::string fix = {});
};

// "2.9 of torch for CUDA 12.8" and what it was compiled for.
struct Build {
  const SeenFramework* framework = nullptr;
  const FrameworkRelease* release = nullptr;  // of the table; null: not in it
  std::optional<Version> cuda = {};
  std::vector<Version> capabilities = {};
  std::optional<Version> ptx = {};
};

// Whether code compiled for these chips runs on this one; nothing when it is not known for which.
std::optional<bool> runs_on(const std::vector<Version>& capabilities,
                            const std::optional<Version>& ptx, const Version& card);

void check_troubles(CheckState& state);
void check_driver(CheckState& state);
void check_frameworks(CheckState& state);
void gather_cards(CheckState& state);
void check_cards(CheckState& state);
void check_rate(CheckState& state);
void check_machines(CheckState& state);

// "RTX 5090 (compute capability 12.0)".
std::string described(const CheckedCard& card);
// Cards of one kind are told about once.
std::vector<const CheckedCard*> kinds_of(const std::vector<CheckedCard>& cards);

}  // namespace gpuplan::detail
