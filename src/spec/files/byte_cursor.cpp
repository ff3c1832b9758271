#include "spec/files/byte_cursor.hpp"

#include <algorithm>

namespace gpuplan::files {
namespace {

// Headers are read in such pieces: a small one takes one call.
constexpr std::int64_t kBlock = 256 << 10;
// The largest vocabularies make headers of some 20 MB.
constexpr std::int64_t kMostHeader = std::int64_t{1} << 30;

}  // namespace

void ByteCursor::complain(std::int64_t at, std::string message, std::string hint) {
  if (failed_) return;
  failed_ = true;
  faults_.push_back({ErrorCode::invalid, source_.name, "byte " + std::to_string(at),
                     std::move(message), std::move(hint)});
}

bool ByteCursor::ensure(std::int64_t bytes, std::string_view what) {
  if (failed_) return false;
  if (offset_ > kMostHeader) {
    complain(offset_, "the header is longer than 1 GiB", "is it a model file?");
    return false;
  }
  if (bytes > remaining()) {
    complain(offset_,
             "the file ends inside " + std::string(what) + ": " + std::to_string(bytes) +
                 " bytes are needed, " + std::to_string(remaining()) + " are left",
             "the file is cut short: fetch it again");
    return false;
  }
  if (offset_ >= block_at_ && offset_ + bytes <= block_at_ + std::ssize(block_)) return true;
  auto block = source_.read(offset_, std::min(std::max(bytes, kBlock), remaining()));
  if (!block) {
    failed_ = true;
    faults_.insert(faults_.end(), block.errors().begin(), block.errors().end());
    return false;
  }
  block_ = std::move(*block);
  block_at_ = offset_;
  if (std::ssize(block_) >= bytes) return true;
  complain(offset_, "the file ends inside " + std::string(what) + " while it is read");
  return false;
}

std::uint64_t ByteCursor::number(int bytes, std::string_view what) {
  if (!ensure(bytes, what)) return 0;
  std::uint64_t value = 0;
  const auto at = static_cast<std::size_t>(offset_ - block_at_);
  for (auto i = static_cast<std::size_t>(bytes); i-- > 0;)
    value = value << 8U | static_cast<unsigned char>(block_[at + i]);
  offset_ += bytes;
  return value;
}

std::string ByteCursor::text(std::int64_t bytes, std::string_view what) {
  if (!ensure(bytes, what)) return {};
  std::string value =
      block_.substr(static_cast<std::size_t>(offset_ - block_at_), static_cast<std::size_t>(bytes));
  offset_ += bytes;
  return value;
}

void ByteCursor::skip(std::int64_t bytes, std::string_view what) {
  if (failed_) return;
  if (bytes <= remaining())
    offset_ += bytes;
  else
    (void)ensure(bytes, what);
}

std::int64_t ByteCursor::length(std::int64_t each, std::string_view what) {
  const std::int64_t at = offset_;
  const std::uint64_t value = u64(what);
  const auto most = static_cast<std::uint64_t>(remaining() / each);
  if (value <= most) return static_cast<std::int64_t>(value);
  complain(at,
           std::string(what) + " is " + std::to_string(value) +
               ", the rest of the file has room for " + std::to_string(most) + " at most",
           "the file is damaged or cut short");
  return 0;
}

}  // namespace gpuplan::files
