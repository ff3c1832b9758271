#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "gpuplan/model_files.hpp"
#include "gpuplan/result.hpp"

namespace gpuplan::cli {

// The whole file, or standard input for "-". Errors say what stands in the way.
Result<std::string> read_file(const std::string& path);
// A large file that is looked at where it lies. It must not be cut while it is read.
class MappedFile {
 public:
  // Nothing when it is small or no plain file: then it is read.
  static std::optional<MappedFile> open(const std::string& path);
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&&) = delete;
  ~MappedFile();
  std::string_view text() const { return {data_, size_}; }
  // Gives the memory of what lies before this byte back; it can still be looked at.
  void release(std::size_t before);
  std::string sha256() const;

 private:
  MappedFile(std::string path, char* data, std::size_t size)
      : path_(std::move(path)), data_(data), size_(size) {}
  std::string path_;
  char* data_;
  std::size_t size_, released_ = 0;
};
// Writes to a temporary name beside the file and renames: never half a file.
Result<bool> write_file(const std::string& path, const std::string& text);
// Removes what `write_file` has begun; may be called by a signal handler.
void remove_half_written();
// What --model opens: whole descriptions, but only the headers of weights.
FileAccess model_file_access();
bool exists(const std::string& path);

}  // namespace gpuplan::cli
