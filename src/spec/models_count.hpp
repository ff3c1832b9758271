#pragma once

#include <cstdint>
#include <limits>

#include "gpuplan/models.hpp"
#include "gpuplan/money.hpp"

namespace gpuplan {

// A count of parameters that stops at the largest int64 instead of wrapping: its factors come from
// files.
class Count {
 public:
  constexpr Count(std::int64_t value = 0) : value_(value) {}
  constexpr std::int64_t value() const { return value_; }

  friend constexpr Count operator+(Count a, Count b) {
    Count sum;
    return __builtin_add_overflow(a.value_, b.value_, &sum.value_) ? Count{kMost} : sum;
  }
  friend constexpr Count operator*(Count a, Count b) {
    Count product;
    return __builtin_mul_overflow(a.value_, b.value_, &product.value_) ? Count{kMost} : product;
  }
  constexpr Count& operator+=(Count other) { return *this = *this + other; }

 private:
  static constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  std::int64_t value_;
};

// The classes of ParameterCount while they are summed.
struct CountedParts {
  Count embedding, head, attention, mlp, experts, active_experts, router, norms, convolution, vision,
      other;
};

void count_unet(const ModelShape& shape, const UNet& unet, CountedParts& parts);
void count_recurrent(const ModelShape& shape, const Recurrent& recurrent, CountedParts& parts);
// Bytes of the states of all recurrent layers for one sequence, 32-bit.
Count recurrent_state_bytes(const ModelShape& shape, const Recurrent& recurrent);

}  // namespace gpuplan
