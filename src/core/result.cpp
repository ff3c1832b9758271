#include "gpuplan/result.hpp"

namespace gpuplan {

std::string_view code_name(ErrorCode code) {
  switch (code) {
    case ErrorCode::usage: return "usage";
    case ErrorCode::unknown_name: return "unknown_name";
    case ErrorCode::unreadable: return "unreadable";
    case ErrorCode::syntax: return "syntax";
    case ErrorCode::invalid: return "invalid";
    case ErrorCode::internal: return "internal";
  }
  return "internal";
}

std::string to_text(const Diagnostic& diagnostic) {
  std::string text = diagnostic.source;
  if (!diagnostic.pointer.empty()) {
    text += diagnostic.pointer.front() == '/' ? "#" : ":";
    text += diagnostic.pointer;
  }
  if (!text.empty()) text += ": ";
  text += diagnostic.message;
  if (!diagnostic.hint.empty()) text += "; " + diagnostic.hint;
  return text;
}

}  // namespace gpuplan
