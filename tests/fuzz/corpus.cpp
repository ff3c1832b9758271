// Every file of a corpus through its reader, in any build: corpus FOLDER [CHANGES [READER]]. FOLDER holds
// a folder for each reader; each file is read as it is, and CHANGES times with its tokens changed.
#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "readers.hpp"

namespace {

namespace fs = std::filesystem;
using gpuplan::fuzz::Reader;

#define GPUPLAN_FUZZ_ROW(name) Reader{#name, gpuplan::fuzz::feed_##name},
constexpr std::array kReaders{GPUPLAN_FUZZ_READERS(GPUPLAN_FUZZ_ROW)};
#undef GPUPLAN_FUZZ_ROW

// What is read, for when a reader breaks.
std::string current, current_bytes;

void tell(int) {
  std::fprintf(stderr, "while reading %s, changed as in broken.txt of this folder\n", current.c_str());
  std::ofstream("broken.txt", std::ios::binary) << current_bytes;
  std::_Exit(1);
}

std::string bytes_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Reads a text and some of its changes.
long read(const Reader& reader, const std::string& text, long changes) {
  reader.read(current_bytes = text);
  for (long i = 0; i < changes; ++i) {
    std::string other = text + std::string(4096, '\0');
    other.resize(gpuplan::fuzz::change_tokens(reinterpret_cast<std::uint8_t*>(other.data()), text.size(),
                                              other.size(), static_cast<unsigned>(i + 1)));
    reader.read(current_bytes = other);
  }
  return changes + 1;
}

}  // namespace

int main(int count, char** words) {
  if (count < 2) return 2;
  std::signal(SIGABRT, tell);
  const long changes = count > 2 ? std::atol(words[2]) : 0;
  for (const Reader& reader : kReaders) {
    if (count > 3 && reader.name != words[3]) continue;
    const fs::path folder = fs::path(words[1]) / reader.name;
    std::vector<fs::path> files;
    if (fs::is_directory(folder))
      for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
    if (files.empty()) {
      std::fprintf(stderr, "%s has no file\n", folder.string().c_str());
      return 1;
    }
    std::ranges::sort(files);
    long executions = 0;
    const auto begin = std::chrono::steady_clock::now();
    for (const fs::path& file : files) {
      current = file.string();
      executions += read(reader, bytes_of(file), changes);
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    std::printf("%-16s %4zu files, %6ld executions in %.2f s\n", std::string(reader.name).c_str(), files.size(),
                executions, took.count());
  }
}
