#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace gpuplan {

// What kind of mistake it was; decides the exit code and stands in JSON as `code`.
enum class ErrorCode {
  usage,         // unknown option or command, bad value on the command line: exit 2
  unknown_name,  // unknown model, card, offer, platform: exit 2
  unreadable,    // an input file cannot be read: exit 3
  syntax,        // a file is not the JSON, CSV, ... that it should be: exit 3
  invalid,       // a file is well formed but says something that is not allowed: exit 3
  internal,      // a fault of the program: exit 1
};
std::string_view code_name(ErrorCode code);

// One mistake with its address: where it is, what was found, what is wanted, what may help.
struct Diagnostic {
  ErrorCode code = ErrorCode::invalid;
  std::string source;   // "catalog.json", "<stdin>", "--gpus"
  std::string pointer;  // RFC 6901 pointer, or "line:column" for broken text; may be empty
  std::string message;
  std::string hint = {};

  friend bool operator==(const Diagnostic&, const Diagnostic&) = default;
};
using Diagnostics = std::vector<Diagnostic>;

// "catalog.json#/offers/1/price: expected ..., got ...; hint"
std::string to_text(const Diagnostic& diagnostic);

// Something that the user should know about a true answer. `code` is stable.
struct Warning {
  std::string code;
  std::string message;
  std::string where = {};

  friend bool operator==(const Warning&, const Warning&) = default;
};
using Warnings = std::vector<Warning>;

// A value, or every mistake that stood in its way (never an empty list).
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : held_(std::move(value)) {}                 // NOLINT: a value is a result
  Result(Diagnostics errors) : held_(std::move(errors)) {}     // NOLINT: errors are a result
  Result(Diagnostic error) : held_(Diagnostics{std::move(error)}) {}  // NOLINT

  explicit operator bool() const { return held_.index() == 0; }
  const T& operator*() const& { return std::get<0>(held_); }
  T& operator*() & { return std::get<0>(held_); }
  T&& operator*() && { return std::get<0>(std::move(held_)); }
  const T* operator->() const { return &std::get<0>(held_); }
  T* operator->() { return &std::get<0>(held_); }
  const Diagnostics& errors() const { return std::get<1>(held_); }

 private:
  std::variant<T, Diagnostics> held_;
};

}  // namespace gpuplan
