#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gpuplan/cards.hpp"
#include "gpuplan/catalog.hpp"
#include "gpuplan/compat.hpp"
#include "gpuplan/environment.hpp"
#include "gpuplan/money.hpp"
#include "gpuplan/result.hpp"

namespace gpuplan {

// The offer on which a machine was rented; no host: it holds for all that have none of their own.
struct HostOffer {
  std::string host = {};
  const Offer* offer = nullptr;
};

// What is to be checked. All of it may be absent; what an option states wins over what was pasted.
struct CheckRequest {
  std::optional<Version> driver = {};
  std::optional<Version> cuda = {};  // with which the framework, or the user's own code, was built
  std::vector<SeenFramework> frameworks = {};
  std::vector<std::string> cards = {};
  std::optional<Decimal> measured_tflops = {};  // of a standard test, in `rate`
  std::string rate = "fp16";                    // a key of the card table's rates
  std::optional<SeenEnvironment> seen = {};
  std::vector<std::string> sources = {};  // where that was read: file names, "<stdin>"
  std::optional<Date> as_of = {};  // absent: the end of a driver's support is not judged
  const Catalog* catalog = nullptr;
  std::vector<HostOffer> offers = {};
  std::string currency = {};  // of the cost of idle cards; absent: the catalog's
};

enum class Severity { note, warn, fail };
std::string_view name_of(Severity severity);

struct Finding {
  std::string code = {};  // stable; the list stands in examples/CODES.md
  Severity severity = Severity::warn;
  std::string message = {};
  std::string fix = {};
};

// A card as it was found, beside the card that its name stands for.
struct CheckedCard {
  std::string host = {}, index = {}, name = {};
  const Card* card = nullptr;  // null: no card of the table
  std::optional<Version> capability = {};
  std::optional<Bytes> memory = {}, used = {};
  std::optional<int> utilisation = {};
  int processes = 0;
};

// A machine of several, and what its idle cards cost.
struct CheckedMachine {
  std::string host = {};
  const Offer* offer = nullptr;
  std::int64_t cards = 0, busy = 0, held = 0, idle = 0;  // held: memory in use, nothing computed
  std::optional<Money> cost_per_hour = {}, idle_cost_per_hour = {};
  bool release = false;  // nothing runs and nothing is held
};

struct CheckResult {
  CheckRequest request = {};
  std::optional<Version> driver = {}, driver_cuda = {};
  bool driver_cuda_told = false;  // by the driver itself, not by the table
  std::vector<CheckedCard> cards = {};
  std::vector<CheckedMachine> machines = {};
  std::int64_t machines_needed = 0;  // that would hold all cards in use
  std::optional<Money> idle_cost_per_hour = {};
  std::string currency = {};
  std::vector<Finding> findings = {};
  std::optional<Date> compat_as_of = {};
  Warnings warnings = {};

  Severity verdict() const;  // `note` is "ok"
};

// Holds driver, CUDA, framework and cards against each other, and each card against what its name
// promises. Errors: a rate that the card table does not have, prices that cannot be converted.
// The tables must outlive the result.
Result<CheckResult> check_environment(const CheckRequest& request, const CompatTable& compat,
                                      const CardTable& cards);

}  // namespace gpuplan
