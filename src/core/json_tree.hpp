#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <memory_resource>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "core/json.hpp"

namespace gpuplan {

struct JsonDocument::Store {
  std::pmr::monotonic_buffer_resource kept{std::size_t{16} << 10U};
  std::array<std::byte, std::size_t{16} << 10U> room;
  std::pmr::monotonic_buffer_resource passing{room.data(), room.size()};  // for values handed over
  std::shared_ptr<const void> texts;  // what the parser keeps and nodes point into
  JsonNode root;
};

// Makes a tree from the events of a parser. Every event says whether to go on; when one does not,
// `refused` says why, unless the parser gave up by itself.
class JsonBuilder {
 public:
  // `duplicate` is told each key that stands twice; without it such a key ends the reading. The whole
  // text is one stretch of the stream, unless `taker` takes its values.
  JsonBuilder(JsonLimits limits, const JsonStream& stream,
              std::function<void(std::string)> duplicate, JsonTaker* taker = nullptr);

  // Texts must live as long as the document, or be given to keep() first.
  bool leaf(JsonNode::Kind kind, std::string_view text, bool truth);
  bool key(std::string_view text);
  bool open(JsonNode::Kind kind);
  bool close();
  std::string_view keep(std::string_view text);
  void hold(std::shared_ptr<const void> texts) { document_.store_->texts = std::move(texts); }

  // Whether the values of the list that was opened last are handed over.
  bool hands_over() const;
  // Such a value as a whole, with its parts in room().
  void hand_over_next(const JsonNode& value);
  int depth_left() const { return limits_.depth - static_cast<int>(open_.size()); }
  std::size_t most_text() const { return limits_.text_bytes; }
  bool counts_values() const { return limits_.values != SIZE_MAX; }
  std::pmr::memory_resource& room() { return document_.store_->passing; }

  const std::string& refused() const { return refused_; }
  JsonDocument finish();

 private:
  static constexpr std::size_t kOff = SIZE_MAX;  // not on the way to what is handed over
  struct Level {
    JsonNode::Kind kind;
    std::size_t begin;         // of its children among the pending ones
    std::size_t matched;       // steps of the stream's path that lead here, or kOff
    std::size_t count = 0;     // children that have been begun
    std::string_view key = {};       // under which it stands
    std::string_view next_key = {};  // of the child that is about to come
    std::unordered_set<std::string_view> seen = {};  // keys, once there are many
  };

  bool seen_before(Level& level, std::string_view key);
  std::size_t matched_child() const;
  bool place(const JsonNode& node, std::size_t matched);
  JsonNode* settled(std::span<const JsonNode> nodes);
  void hand_over(const JsonNode& value);
  bool counted();  // whether one value more is allowed
  bool refuse(std::string why);

  JsonLimits limits_;
  const JsonStream* stream_;
  std::unique_ptr<JsonTaker> own_taker_;
  JsonTaker* taker_ = nullptr;  // of what is handed over; null: none was so far
  std::function<void(std::string)> duplicate_;
  std::size_t duplicates_ = 0, values_ = 0;
  int passing_ = 0;  // open levels that belong to a value which is handed over
  std::vector<Level> open_;
  std::vector<std::size_t> indices_;  // of the value that is handed over
  std::vector<JsonNode> pending_;  // children of the open levels
  std::string refused_;
  JsonDocument document_;
};

// Reads good texts fast. False when something is wrong or unusual: then the careful parser decides.
bool parse_fast(std::string_view text, std::span<const std::string_view> skip, JsonBuilder& builder);

// Reads many short texts one after the other; nothing of one is kept when the next is read.
class FastParser {
 public:
  FastParser();
  FastParser(const FastParser&) = delete;
  FastParser& operator=(const FastParser&) = delete;
  ~FastParser();
  // The room into which the next text is written.
  std::string& room() { return room_; }
  bool parse(std::span<const std::string_view> skip, JsonBuilder& builder);

 private:
  struct Parser;
  std::unique_ptr<Parser> parser_;
  std::string room_;
};

// Reads a long text part by part, so that neither a copy nor an index of all of it is needed: the list
// whose values are handed over in portions, and what is around it at last. Nothing when something is
// wrong or unusual; what was handed over is then to be forgotten.
std::optional<JsonDocument> parse_in_parts(std::string_view text, const JsonStream& stream,
                                           const JsonLimits& limits);

}  // namespace gpuplan
