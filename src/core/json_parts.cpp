// Long texts in portions. Only brackets, commas and the ends of strings are looked at here; whether the
// portions and what is around them are JSON is decided where they are parsed.
#include <array>
#include <atomic>
#include <cstring>

#include "core/json_tree.hpp"
#include "core/ordered_work.hpp"

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

// What the portions of one text have in common.
struct Shared {
  explicit Shared(const JsonStream& of) : stream(&of) {}
  const JsonStream* stream;
  std::vector<FastParser> parsers;  // one for each thread
  std::atomic<bool> failed{false};
};

class Portion : public OrderedWork::Piece {
 public:
  // `indices` leads to the list, `first` is the index of its first value in `text`.
  Portion(Shared& shared, const JsonLimits& limits, std::string_view text, std::vector<std::size_t> indices,
          std::size_t first, std::size_t end)
      : shared_(&shared), limits_(limits), text_(text), indices_(std::move(indices)), first_(first), end_(end),
        taker_(shared.stream->begin()), numbered_(*this) {}

  void run(std::size_t thread) override {
    if (shared_->failed) return;
    JsonBuilder builder(limits_, elements_, nullptr, &numbered_);
    FastParser& parser = shared_->parsers[thread];
    parser.room().assign(1, '[').append(text_).append(1, ']');
    if (!parser.parse(limits_.skip, builder)) shared_->failed = true;
  }
  void done() override {
    if (shared_->failed) return;
    shared_->stream->end(std::move(taker_));
    if (shared_->stream->passed) shared_->stream->passed(end_);
  }

 private:
  // Counts from the begin of the whole list.
  struct Numbered : JsonTaker {
    explicit Numbered(Portion& portion) : portion_(&portion) {}
    void take(std::span<const std::size_t> own, const JsonNode& value) override {
      portion_->indices_.back() = portion_->first_ + own.back();
      portion_->taker_->take(portion_->indices_, value);
    }
    Portion* portion_;
  };

  Shared* shared_;
  JsonLimits limits_;
  std::string_view text_;
  std::vector<std::size_t> indices_;
  std::size_t first_, end_;
  std::unique_ptr<JsonTaker> taker_;
  Numbered numbered_;
  JsonStream elements_{.path = {"*"}, .begin = {}, .end = {}};
};

class Parts {
 public:
  Parts(std::string_view text, const JsonStream& stream, const JsonLimits& limits)
      : text_(text), stream_(&stream), limits_(limits), shared_(stream), work_(stream.threads) {
    shared_.parsers = std::vector<FastParser>(work_.threads());
  }

  std::optional<JsonDocument> read() {
    if (!split() || escaped_) return std::nullopt;
    work_.finish();
    if (shared_.failed) return std::nullopt;
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
        if (!blank) give(portion, first);
        if (shared_.failed) return false;
        begin = at_ + 1;
        first = count;
      }
      if (end) return true;
      ++at_;
    }
  }

  void give(std::string_view portion, std::size_t first) {
    std::vector<std::size_t> indices;
    for (std::size_t i = 0; i + 1 < open_.size(); ++i)
      if (open_[i].list) indices.push_back(open_[i].index);
    indices.push_back(0);
    JsonLimits limits = limits_;
    limits.depth -= static_cast<int>(open_.size()) - 1;
    work_.give(std::make_unique<Portion>(shared_, limits, portion, std::move(indices), first, at_));
  }

  std::string_view text_;
  const JsonStream* stream_;
  JsonLimits limits_;
  std::size_t at_ = 0;
  std::vector<Level> open_;
  std::string_view last_;  // the last string that was passed
  bool escaped_ = false;
  std::string around_;
  Shared shared_;
  OrderedWork work_;  // last, so that its threads end before what they use
};

}  // namespace

std::optional<JsonDocument> parse_in_parts(std::string_view text, const JsonStream& stream,
                                           const JsonLimits& limits) {
  return Parts(text, stream, limits).read();
}

}  // namespace gpuplan
