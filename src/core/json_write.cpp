#include "core/json.hpp"

namespace gpuplan {

void write_json_text(std::string_view text, std::string& out) {
  out += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      constexpr std::string_view kHex = "0123456789abcdef";
      out += "\\u00";
      out += kHex[static_cast<unsigned char>(c) >> 4U];
      out += kHex[static_cast<unsigned char>(c) & 0xfU];
    } else {
      out += c;
    }
  }
  out += '"';
}

// No deeper than what was read, and that has a limit.
void write_json(const JsonNode& node, std::string& out) {
  const bool object = node.is(JsonNode::Kind::object);
  switch (node.kind) {
    case JsonNode::Kind::null: out += "null"; return;
    case JsonNode::Kind::boolean: out += node.truth ? "true" : "false"; return;
    case JsonNode::Kind::number: out += node.text; return;
    case JsonNode::Kind::string: write_json_text(node.text, out); return;
    case JsonNode::Kind::array:
    case JsonNode::Kind::object: break;
  }
  out += object ? '{' : '[';
  for (const JsonNode& child : node.children) {
    if (&child != node.children.data()) out += ',';
    if (object) {
      write_json_text(child.key, out);
      out += ':';
    }
    write_json(child, out);
  }
  out += object ? '}' : ']';
}

std::string to_json(const JsonNode& node) {
  std::string text;
  write_json(node, text);
  return text;
}

}  // namespace gpuplan
