#include "cli/files.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <system_error>

#include "core/sha256.hpp"
#include "core/text.hpp"

namespace gpuplan::cli {
namespace {

// Documents of a few hundred megabytes are real; more is a mistake that would take the machine
// down.
constexpr std::size_t kMostBytes = std::size_t{4} << 30;

Diagnostic unreadable(const std::string& path, std::string message, std::string hint = {}) {
  return {ErrorCode::unreadable, path == "-" ? "<stdin>" : path, "", std::move(message),
          std::move(hint)};
}

std::string reason(int error) { return std::generic_category().message(error); }

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ > 2) ::close(fd_);
  }
  int get() const { return fd_; }

 private:
  int fd_;
};

}  // namespace

std::optional<MappedFile> MappedFile::open(const std::string& path) {
  constexpr off_t kLarge = 4 << 20;
  if (path == "-") return std::nullopt;
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat info {};
  if (file.get() < 0 || ::fstat(file.get(), &info) != 0 || !S_ISREG(info.st_mode)) return std::nullopt;
  const auto size = static_cast<std::size_t>(info.st_size);
  if (info.st_size < kLarge || size > kMostBytes) return std::nullopt;
  void* data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
  if (data == MAP_FAILED) return std::nullopt;
  ::madvise(data, size, MADV_SEQUENTIAL);
  return MappedFile(path, static_cast<char*>(data), size);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : path_(std::move(other.path_)), data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)), released_(other.released_) {}

MappedFile::~MappedFile() {
  if (data_ != nullptr) ::munmap(data_, size_);
}

void MappedFile::release(std::size_t before) {
  constexpr std::size_t kStep = std::size_t{4} << 20;
  const std::size_t whole = before / kStep * kStep;
  if (whole < released_ + kStep) return;
  ::madvise(data_ + released_, whole - released_, MADV_DONTNEED);
  released_ = whole;
}

// Read apart from the mapping, so that no memory of it is held.
std::string MappedFile::sha256() const {
  const Descriptor file(::open(path_.c_str(), O_RDONLY | O_CLOEXEC));
  Sha256 hash;
  std::string block(std::size_t{1} << 18, '\0');
  for (ssize_t got = 1; file.get() >= 0 && got != 0;) {
    got = ::read(file.get(), block.data(), block.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) break;
    hash.add({block.data(), static_cast<std::size_t>(got)});
  }
  return hash.hex();
}

bool exists(const std::string& path) { return ::access(path.c_str(), F_OK) == 0; }

Result<std::string> read_file(const std::string& path) {
  const Descriptor file(path == "-" ? 0 : ::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0)
    return unreadable(
        path, "cannot be read: " + reason(errno),
        errno == ENOENT ? "is the name right?" : "");
  struct stat info {};
  if (::fstat(file.get(), &info) == 0 && S_ISDIR(info.st_mode))
    return unreadable(path, "is a folder, a file is needed");
  if (path == "-" && ::isatty(0) != 0)
    return unreadable(path, "- reads standard input, which is the keyboard here",
                      "pipe a file in, or name one");
  if (S_ISREG(info.st_mode) && static_cast<std::size_t>(info.st_size) > kMostBytes)
    return unreadable(path, "is larger than 4 GiB");
  std::string text;
  if (S_ISREG(info.st_mode)) text.reserve(static_cast<std::size_t>(info.st_size) + 1);
  std::string block(1 << 16, '\0');
  for (;;) {
    const ssize_t got = ::read(file.get(), block.data(), block.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return unreadable(path, "cannot be read: " + reason(errno));
    if (got == 0) return text;
    text.append(block, 0, static_cast<std::size_t>(got));
    if (text.size() > kMostBytes) return unreadable(path, "is larger than 4 GiB");
  }
}

namespace {

FileAccess::Look look_at(const std::string& path) {
  struct stat info {};
  if (path == "-") return {FileAccess::Kind::stream, 0};
  if (::stat(path.c_str(), &info) != 0) return {};
  if (S_ISDIR(info.st_mode)) return {FileAccess::Kind::folder, 0};
  if (!S_ISREG(info.st_mode)) return {FileAccess::Kind::stream, 0};
  return {FileAccess::Kind::file, info.st_size};
}

Result<std::string> read_range(const std::string& path, std::int64_t offset, std::int64_t count) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) return unreadable(path, "cannot be read: " + reason(errno));
  std::string bytes(static_cast<std::size_t>(count), '\0');
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t got = ::pread(file.get(), bytes.data() + done, bytes.size() - done,
                                static_cast<off_t>(offset) + static_cast<off_t>(done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return unreadable(path, "cannot be read: " + reason(errno));
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  bytes.resize(done);
  return bytes;
}

Result<std::vector<std::string>> list_folder(const std::string& path) {
  DIR* const folder = ::opendir(path.c_str());
  if (folder == nullptr) return unreadable(path, "cannot be read: " + reason(errno));
  std::vector<std::string> names;
  while (const dirent* entry = ::readdir(folder)) names.emplace_back(entry->d_name);
  ::closedir(folder);
  return names;
}

}  // namespace

FileAccess model_file_access() {
  return {.look = look_at, .read_all = read_file, .read_at = read_range, .list = list_folder};
}

namespace {

// The name of the file that is being written, for a signal handler: it may use nothing but plain
// memory and a few system calls.
constexpr std::size_t kLongestName = 4096;
std::array<char, kLongestName> half_written{};
volatile std::sig_atomic_t is_half_written = 0;

class HalfWritten {
 public:
  explicit HalfWritten(const std::string& name) {
    if (name.empty() || name.size() >= half_written.size()) return;
    std::ranges::copy(name, half_written.begin());
    half_written[name.size()] = '\0';
    is_half_written = 1;
  }
  HalfWritten(const HalfWritten&) = delete;
  HalfWritten& operator=(const HalfWritten&) = delete;
  ~HalfWritten() { is_half_written = 0; }
};

// Where a link leads to: the file itself is replaced, the link stays.
std::string behind_links(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> real(::realpath(path.c_str(), nullptr),
                                                         &std::free);
  return real ? std::string(real.get()) : path;
}

}  // namespace

void remove_half_written() {
  if (is_half_written != 0) ::unlink(half_written.data());
}

Result<bool> write_file(const std::string& path, const std::string& text) {
  // A device such as /dev/full or /dev/null is written to as it is; it cannot be replaced.
  struct stat info {};
  const bool there = ::stat(path.c_str(), &info) == 0;
  const bool device = there && !S_ISREG(info.st_mode);
  const std::string target = there && !device ? behind_links(path) : path;
  const std::string temporary = target + ".part" + std::to_string(::getpid());
  const auto fail = [&](int error) -> Result<bool> {
    if (!device) ::unlink(temporary.c_str());
    return unreadable(path, "cannot be written: " + reason(error));
  };
  const HalfWritten guard(device ? std::string{} : temporary);
  std::FILE* file = std::fopen(device ? path.c_str() : temporary.c_str(), "wb");
  if (file == nullptr) return unreadable(path, "cannot be written: " + reason(errno));
  if (there && !device) (void)::fchmod(::fileno(file), info.st_mode & 07777U);
  const bool written =
      std::fwrite(text.data(), 1, text.size(), file) == text.size() && std::fflush(file) == 0;
  const int write_error = errno;
  if (std::fclose(file) != 0 || !written) return fail(written ? errno : write_error);
  if (!device && std::rename(temporary.c_str(), target.c_str()) != 0) return fail(errno);
  return true;
}

}  // namespace gpuplan::cli
