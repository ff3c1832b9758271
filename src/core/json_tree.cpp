#include "core/json_tree.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/text.hpp"

namespace gpuplan {

const JsonNode* JsonNode::find(std::string_view name) const {
  if (kind != Kind::object) return nullptr;
  for (const JsonNode& child : children)
    if (child.key == name) return &child;
  return nullptr;
}

JsonDocument::JsonDocument() : store_(std::make_unique<Store>()), root_(&store_->root) {}
JsonDocument::JsonDocument(JsonDocument&&) noexcept = default;
JsonDocument& JsonDocument::operator=(JsonDocument&&) noexcept = default;
JsonDocument::~JsonDocument() = default;

namespace {

constexpr std::size_t kMostDuplicates = 100;

std::string_view kept(std::string_view text, std::pmr::memory_resource& room) {
  if (text.empty()) return {};
  auto* copy = static_cast<char*>(room.allocate(text.size(), 1));
  std::memcpy(copy, text.data(), text.size());
  return {copy, text.size()};
}

// A node has come to where it stays: its children learn that.
void adopt(JsonNode& node) {
  // The builder made them, as nodes that can be changed.
  for (const JsonNode& child : node.children) const_cast<JsonNode&>(child).parent = &node;
}

}  // namespace

JsonBuilder::JsonBuilder(JsonLimits limits, const JsonStream& stream,
                         std::function<void(std::string)> duplicate, JsonTaker* taker)
    : limits_(limits), stream_(&stream), taker_(taker), duplicate_(std::move(duplicate)) {}

JsonDocument JsonBuilder::finish() {
  if (own_taker_) stream_->end(std::move(own_taker_));
  return std::move(document_);
}

std::string_view JsonBuilder::keep(std::string_view text) {
  return kept(text, passing_ > 0 ? document_.store_->passing : document_.store_->kept);
}

bool JsonBuilder::leaf(JsonNode::Kind kind, std::string_view text, bool truth) {
  if (text.size() > limits_.text_bytes) return refuse("a string is too long");
  if (!counted()) return false;
  const std::size_t matched = matched_child();
  if (!open_.empty()) ++open_.back().count;
  JsonNode node;
  node.kind = kind;
  node.truth = truth;
  node.text = text;
  return place(node, matched);
}

bool JsonBuilder::key(std::string_view text) {
  Level& level = open_.back();
  if (seen_before(level, text)) {
    if (!duplicate_) return false;
    duplicate_("the key " + quote(text) + " stands twice in one object");
    if (++duplicates_ == kMostDuplicates) return refuse("too many keys stand twice");
  }
  level.next_key = text;
  return true;
}

bool JsonBuilder::open(JsonNode::Kind kind) {
  if (static_cast<int>(open_.size()) >= limits_.depth)
    return refuse("nested deeper than " + std::to_string(limits_.depth) + " levels");
  if (!counted()) return false;
  const std::size_t matched = matched_child();
  Level level{.kind = kind, .begin = pending_.size(), .matched = matched};
  if (!open_.empty()) {
    ++open_.back().count;
    level.key = open_.back().next_key;
  }
  if (passing_ > 0 || (matched == stream_->path.size() && matched > 0)) ++passing_;
  open_.push_back(std::move(level));
  return true;
}

bool JsonBuilder::close() {
  JsonNode node;
  node.kind = open_.back().kind;
  const std::size_t begin = open_.back().begin;
  const std::size_t count = pending_.size() - begin;
  node.children = {settled({pending_.data() + begin, count}), count};
  pending_.resize(begin);
  const std::size_t matched = open_.back().matched;
  open_.pop_back();
  const bool fine = place(node, matched);
  if (passing_ > 0) --passing_;
  return fine;
}

// Copies nodes to where they stay.
JsonNode* JsonBuilder::settled(std::span<const JsonNode> nodes) {
  if (nodes.empty()) return nullptr;
  auto& room = passing_ > 0 ? document_.store_->passing : document_.store_->kept;
  void* memory = room.allocate(nodes.size() * sizeof(JsonNode), alignof(JsonNode));
  auto* first = static_cast<JsonNode*>(memory);
  std::uninitialized_copy(nodes.begin(), nodes.end(), first);
  for (std::size_t i = 0; i < nodes.size(); ++i) adopt(first[i]);
  return first;
}

bool JsonBuilder::place(const JsonNode& node, std::size_t matched) {
  if (open_.empty()) {
    document_.store_->root = node;
    adopt(document_.store_->root);
    return true;
  }
  if (matched == stream_->path.size()) {
    hand_over(node);
    return true;
  }
  pending_.push_back(node);
  if (open_.back().kind == JsonNode::Kind::object) pending_.back().key = open_.back().next_key;
  return true;
}

bool JsonBuilder::seen_before(Level& level, std::string_view key) {
  constexpr std::size_t kMany = 24;
  const auto first = pending_.begin() + static_cast<std::ptrdiff_t>(level.begin);
  if (level.count < kMany)
    return std::any_of(first, pending_.end(), [&](const JsonNode& n) { return n.key == key; });
  if (level.seen.empty())
    for (auto at = first; at != pending_.end(); ++at) level.seen.insert(at->key);
  return !level.seen.insert(key).second;
}

// Steps of the path that lead to the child that is about to be placed.
std::size_t JsonBuilder::matched_child() const {
  if (open_.empty()) return 0;
  const Level& parent = open_.back();
  if (parent.matched >= stream_->path.size()) return kOff;
  const std::string_view step = stream_->path[parent.matched];
  const bool list = parent.kind == JsonNode::Kind::array;
  const bool same = list == (step == "*") && (list || step == parent.next_key);
  return same ? parent.matched + 1 : kOff;
}

bool JsonBuilder::hands_over() const {
  return passing_ == 0 && !open_.empty() && !stream_->path.empty() &&
         open_.back().kind == JsonNode::Kind::array && stream_->path.back() == "*" &&
         open_.back().matched == stream_->path.size() - 1;
}

void JsonBuilder::hand_over_next(const JsonNode& value) {
  ++open_.back().count;
  hand_over(value);
}

void JsonBuilder::hand_over(const JsonNode& value) {
  if (taker_ == nullptr) {
    own_taker_ = stream_->begin();
    taker_ = own_taker_.get();
  }
  indices_.clear();
  for (const Level& level : open_)
    if (level.kind == JsonNode::Kind::array) indices_.push_back(level.count - 1);
  JsonNode root = value;
  adopt(root);
  taker_->take(indices_, root);
  document_.store_->passing.release();
}

bool JsonBuilder::counted() {
  if (++values_ <= limits_.values) return true;
  return refuse("more than " + std::to_string(limits_.values) + " values");
}

bool JsonBuilder::refuse(std::string why) {
  refused_ = std::move(why);
  return false;
}

JsonDraft draft_of(const JsonNode& node) {
  JsonDraft draft;
  draft.kind = node.kind;
  draft.truth = node.truth;
  draft.text = node.text;
  draft.origin = node.origin;
  for (const JsonNode& child : node.children) {
    if (node.is(JsonNode::Kind::object)) draft.keys.emplace_back(child.key);
    draft.children.push_back(draft_of(child));
  }
  return draft;
}

namespace {

// Writes a draft to `node`, which stays where it is.
void settle(const JsonDraft& draft, JsonNode& node, std::pmr::memory_resource& room) {
  node.kind = draft.kind;
  node.truth = draft.truth;
  node.text = kept(draft.text, room);
  node.origin = kept(draft.origin, room);
  const std::size_t count = draft.children.size();
  if (count == 0) return;
  void* memory = room.allocate(count * sizeof(JsonNode), alignof(JsonNode));
  auto* children = static_cast<JsonNode*>(memory);
  std::uninitialized_default_construct_n(children, count);
  for (std::size_t i = 0; i < count; ++i) {
    settle(draft.children[i], children[i], room);
    children[i].parent = &node;
    if (i < draft.keys.size()) children[i].key = kept(draft.keys[i], room);
  }
  node.children = {children, count};
}

}  // namespace

JsonDocument document_of(const JsonDraft& draft) {
  JsonDocument document;
  settle(draft, document.store_->root, document.store_->kept);
  return document;
}

}  // namespace gpuplan
