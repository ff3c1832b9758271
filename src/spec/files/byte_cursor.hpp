#pragma once

#include "spec/files/tensors.hpp"

namespace gpuplan::files {

// Reads a binary header from front to back, in blocks. After the first fault, which it reports with
// its byte, it gives zeros and stays where it is: nothing behind a broken place has a meaning.
class ByteCursor {
 public:
  ByteCursor(const ByteSource& source, Diagnostics& faults) : source_(source), faults_(faults) {}

  bool failed() const { return failed_; }
  std::int64_t offset() const { return offset_; }
  std::int64_t remaining() const { return source_.bytes - offset_; }

  std::uint64_t u64(std::string_view what) { return number(8, what); }
  std::uint32_t u32(std::string_view what) { return static_cast<std::uint32_t>(number(4, what)); }
  // Little endian, 1 to 8 bytes.
  std::uint64_t number(int bytes, std::string_view what);
  std::string text(std::int64_t bytes, std::string_view what);
  void skip(std::int64_t bytes, std::string_view what);
  // A length of the file that cannot be more than what is left of it, at `each` bytes apiece.
  std::int64_t length(std::int64_t each, std::string_view what);

  void complain(std::int64_t at, std::string message, std::string hint = {});

 private:
  bool ensure(std::int64_t bytes, std::string_view what);

  const ByteSource& source_;
  Diagnostics& faults_;
  std::string block_;
  std::int64_t block_at_ = 0, offset_ = 0;
  bool failed_ = false;
};

}  // namespace gpuplan::files
