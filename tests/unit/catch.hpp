#pragma once

// Catch2 as it is installed: version 2 (Debian 12) or 3.
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;
#else
#include <catch2/catch.hpp>
#endif

#include <ostream>

#include "gpuplan/compact.hpp"
#include "gpuplan/money.hpp"
#include "gpuplan/units.hpp"

namespace gpuplan {

inline std::ostream& operator<<(std::ostream& out, Money money) { return out << to_string(money); }
inline std::ostream& operator<<(std::ostream& out, Bytes bytes) { return out << bytes.count() << " B"; }
inline std::ostream& operator<<(std::ostream& out, const SharedText& text) { return out << text.str(); }
inline std::ostream& operator<<(std::ostream& out, const Decimal& value) { return out << value.to_string(); }

}  // namespace gpuplan
