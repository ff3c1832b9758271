// JSON by two roads: whole, and with a list handed over item by item.
#include "core/json.hpp"

#include "../shared.hpp"

namespace gpuplan::fuzz {
namespace {

struct Counter : JsonTaker {
  void take(std::span<const std::size_t>, const JsonNode&) override { ++count; }
  std::size_t count = 0;
};

}  // namespace

void feed_json(std::string_view bytes) {
  const auto whole = parse_json(bytes, "fuzz.json");
  Diagnostics faults;
  std::size_t taken = 0;
  JsonStream stream;
  stream.path = {"a", "*"};
  stream.begin = [] { return std::make_unique<Counter>(); };
  stream.end = [&](std::unique_ptr<JsonTaker> taker) { taken += static_cast<Counter&>(*taker).count; };
  stream.again = [&] { taken = 0; };
  stream.threads = 1;
  const auto parts = parse_json(bytes, "fuzz.json", faults, stream);
  demand(bool(whole) == (parts.has_value() && faults.empty()), "the two roads disagree about the text");
  if (!whole) return look_at(whole.errors());
  const JsonNode& root = whole->root();
  const JsonNode* list = root.is(JsonNode::Kind::object) ? root.find("a") : nullptr;
  demand(taken == (list != nullptr && list->is(JsonNode::Kind::array) ? list->children.size() : 0),
         "items were lost on the way");
  const std::string text = to_json(root);
  const auto again = parse_json(text, "again.json");
  demand(bool(again) && to_json(again->root()) == text, "what was written is read differently");
  demand(to_json(document_of(draft_of(root)).root()) == text, "a draft differs");
}

}  // namespace gpuplan::fuzz
