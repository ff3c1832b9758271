// Long texts in portions. Only brackets, commas and the ends of strings are looked at here; whether the
// portions and what is around them are JSON is decided where they are parsed.
#include <array>
#include <cstring>

#include "core/json_tree.hpp"

namespace gpuplan {
namespace {

constexpr std::size_t kPortion = std::size_t{1} << 18;

// Bytes at which something happens.
constexpr std::array<bool, 256> special_bytes() {
  std::array<bool, 256> table{};
  for (const char c : {'"', '{', '}', '[', ']', ','}) table[static_cast<unsigned char>(c)] = true;
  return table;
}
constexpr std::array<bool, 256> kSpecial = special_bytes();

class Parts {
 public:
  Parts(std::string_view text, const JsonStream& stream, const JsonLimits& limits)
      : text_(text), stream_(&stream), limits_(limits) {}

  std::optional<JsonDocument> read() {
    if (!split() || escaped_) return std::nullopt;
    const JsonStream none;
    JsonBuilder builder(limits_, none, nullptr);
    if (!parse_fast(around_, limits_.skip, builder)) return std::nullopt;
    return builder.finish();
  }

 private:
  static constexpr std::size_t kOff = SIZE_MAX;
  struct Level {
    bool list;
    std::size_t matched;    // steps of the path that lead here, or kOff
    std::size_t index = 0;  // of the child that is read, in a list
  };

  // Everything but the long lists is collected in `around_`.
  bool split() {
    std::size_t kept = 0;  // up to here it is in `around_`
    while ((at_ = next_special()) < text_.size()) {
      const char c = text_[at_];
      if (c == '"') {
        if (!skip_string()) return false;
        continue;
      }
      ++at_;
      if (c == ',') {
        if (!open_.empty()) ++open_.back().index;
      } else if (c == ']' || c == '}') {
        if (open_.empty()) return false;
        open_.pop_back();
      } else {
        if (static_cast<int>(open_.size()) >= limits_.depth) return false;
        const Level child{c == '[', matched_child(c == '[')};
        open_.push_back(child);
        if (!child.list || child.matched + 1 != stream_->path.size() || stream_->path.back() != "*") continue;
        around_.append(text_, kept, at_ - kept);
        if (!read_list()) return false;
        kept = at_;
      }
    }
    around_.append(text_, kept);
    return open_.empty();
  }

  std::size_t next_special() const {
    std::size_t at = at_;
    while (at < text_.size() && !kSpecial[static_cast<unsigned char>(text_[at])]) ++at;
    return at;
  }

  // Past the string that begins here, which becomes the last one.
  bool skip_string() {
    const std::size_t begin = ++at_;
    for (;;) {
      const void* found = std::memchr(text_.data() + at_, '"', text_.size() - at_);
      if (found == nullptr) return false;
      const auto end = static_cast<std::size_t>(static_cast<const char*>(found) - text_.data());
      std::size_t slashes = 0;
      while (end - slashes > begin && text_[end - slashes - 1] == '\\') ++slashes;
      at_ = end + 1;
      if (slashes % 2 != 0) continue;
      last_ = text_.substr(begin, end - begin);
      return true;
    }
  }

  std::size_t matched_child(bool list) {
    if (open_.empty()) return 0;
    const Level& parent = open_.back();
    if (parent.matched >= stream_->path.size()) return kOff;
    const std::string_view step = stream_->path[parent.matched];
    if (parent.list) return step == "*" ? parent.matched + 1 : kOff;
    // A key that is written with escapes may be the wanted one: left to the others.
    if (last_.find('\\') != std::string_view::npos) escaped_ = true;
    return step == last_ && (list || step != "*") ? parent.matched + 1 : kOff;
  }

  // The list that has just been opened, up to its bracket.
  bool read_list() {
    if (escaped_) return false;
    std::size_t begin = at_, depth = 0, first = 0, count = 0;
    bool any = false;  // something but blanks stands in the list
    for (;;) {
      at_ = next_special();
      if (at_ >= text_.size()) return false;
      const char c = text_[at_];
      if (c == '"') {
        if (!skip_string()) return false;
        continue;
      }
      if (c == '{' || c == '[') ++depth, any = true;
      if (depth > 0) {
        if (c == '}' || c == ']') --depth;
        ++at_;
        continue;
      }
      if (c == '}') return false;
      const bool end = c == ']';
      ++count;
      if (end || at_ - begin >= kPortion) {
        const std::string_view portion = text_.substr(begin, at_ - begin);
        const bool blank = portion.find_first_not_of(" \t\r\n") == std::string_view::npos;
        if (blank && (!end || first > 0 || any)) return false;
        if (!blank && !read_portion(portion, first)) return false;
        begin = at_ + 1;
        first = count;
        if (stream_->passed) stream_->passed(begin);
      }
      if (end) return true;
      ++at_;
    }
  }

  bool read_portion(std::string_view portion, std::size_t first) {
    std::vector<std::size_t> indices;
    for (std::size_t i = 0; i + 1 < open_.size(); ++i)
      if (open_[i].list) indices.push_back(open_[i].index);
    indices.push_back(0);
    const JsonStream elements{{"*"}, [&](std::span<const std::size_t> own, const JsonNode& value) {
                                indices.back() = first + own.back();
                                stream_->take(indices, value);
                              }};
    JsonLimits limits = limits_;
    limits.depth -= static_cast<int>(open_.size()) - 1;
    JsonBuilder builder(limits, elements, nullptr);
    std::string& room = parser_.room();
    room.assign(1, '[').append(portion).append(1, ']');
    return parser_.parse(limits_.skip, builder);
  }

  std::string_view text_;
  const JsonStream* stream_;
  JsonLimits limits_;
  FastParser parser_;
  std::size_t at_ = 0;
  std::vector<Level> open_;
  std::string_view last_;  // the last string that was passed
  bool escaped_ = false;
  std::string around_;
};

}  // namespace

std::optional<JsonDocument> parse_in_parts(std::string_view text, const JsonStream& stream,
                                           const JsonLimits& limits) {
  return Parts(text, stream, limits).read();
}

}  // namespace gpuplan
