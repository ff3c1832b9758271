#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "gpuplan/catalog.hpp"
#include "gpuplan/date.hpp"

namespace gpuplan {

// Who says what a rule is, and where that was read.
struct RuleOrigin {
  std::string level;   // "offer", "platform", "catalog" (its `defaults`) or "default" (built in)
  std::string source;  // as that level of the catalog states it; may be empty
  std::optional<Date> as_of;
};

// The levels of one offer's rules. The catalog and the offer must outlive it.
class RuleOrigins {
 public:
  RuleOrigins(const Catalog& catalog, const Offer& offer);
  // Of a rule by its key in the document: "meter.quantum_s", "storage.data", "price.on_demand",
  // "account.discounts". The highest level that has the key counts; a `null` there means "default".
  RuleOrigin of(std::string_view key) const;

 private:
  struct Levels;
  std::shared_ptr<const Levels> levels_;
};

}  // namespace gpuplan
