// Streams and files that fail: streams PROGRAM FOLDER [INTERRUPTS]
//
// A full disk, a closed pipe, a folder for a file, a file that is not there, and Ctrl-C at random
// moments: the exit code is the documented one, and no file is half written.
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include "run.hpp"

namespace {

using gpuplan::hostile::Ended;
using gpuplan::hostile::run;
namespace fs = std::filesystem;

int faults = 0;

void expect(bool holds, const std::string& what, const Ended& ended) {
  if (holds) return;
  ++faults;
  std::printf("%s: exit code %d, %zu bytes on standard output\n%s\n", what.c_str(), ended.exit,
              ended.out.size(), ended.err.substr(0, 400).c_str());
}

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void failing_streams(const std::string& program, const fs::path& folder) {
  const std::vector<std::string> compare{program, "compare", "-q"};
  const auto with = [&](std::vector<std::string> more) {
    std::vector<std::string> words = compare;
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  const Ended full = run(compare, {.out_file = "/dev/full"});
  expect(full.exit == 3 && full.err.find("cannot be written") != std::string::npos,
         "standard output on a full disk", full);
  expect(run(with({"-o", (folder / "none/answer").string()})).exit == 3, "a folder that is not there",
         run(with({"-o", (folder / "none/answer").string()})));
  const Ended onto_folder = run(with({"-o", folder.string()}));
  expect(onto_folder.exit == 3, "an answer onto a folder", onto_folder);
  const Ended closed = run(with({"--json"}), {.close_out = true});
  expect(closed.exit == 0 && closed.err.empty(), "a pipe that nobody reads", closed);
  const Ended from_folder = run(with({folder.string()}));
  expect(from_folder.exit == 3 && from_folder.out.empty(), "a catalog that is a folder",
         from_folder);
  const Ended vanished = run(with({(folder / "vanished.json").string()}));
  expect(vanished.exit == 3 && vanished.out.empty(), "a catalog that is not there", vanished);
  if (geteuid() == 0) return;  // root reads everything
  const fs::path secret = folder / "secret.json";
  std::ofstream(secret) << "{}";
  chmod(secret.c_str(), 0);
  const Ended unreadable = run(with({secret.string()}));
  expect(unreadable.exit == 3, "a catalog that may not be read", unreadable);
}

// Ctrl-C while an answer is made and written: it is there in full or not at all.
void interrupted(const std::string& program, const fs::path& folder, int times) {
  const fs::path target = folder / "answer.json";
  const std::vector<std::string> words{program, "compare", "--json", "-q", "-o", target.string()};
  const Ended calm = run(words);
  expect(calm.exit == 0, "an answer into a file", calm);
  const std::string answer = read(target);
  std::mt19937 random(7);
  int cut = 0;
  for (int i = 0; i < times; ++i) {
    fs::remove(target);
    const Ended ended = run(words, {.interrupt_after_us = static_cast<int>(random() % 60'000)});
    expect(ended.exit == 0 || ended.exit == 130, "interrupted", ended);
    expect(!fs::exists(target) || read(target) == answer, "a file that is half written", ended);
    cut += ended.exit == 130 ? 1 : 0;
    for (const auto& entry : fs::directory_iterator(folder))
      if (entry.path() != target) {
        expect(false, "left behind: " + entry.path().filename().string(), ended);
        fs::remove(entry.path());
      }
  }
  std::printf("%d of %d runs were interrupted before they were done\n", cut, times);
}

}  // namespace

int main(int count, char** words) {
  if (count < 3) return 2;
  const fs::path folder = fs::path(words[2]) / "streams";
  fs::remove_all(folder);
  fs::create_directories(folder);
  failing_streams(words[1], folder);
  fs::remove(folder / "secret.json");
  interrupted(words[1], folder, count > 3 ? std::atoi(words[3]) : 100);
  fs::remove_all(folder);
  return faults == 0 ? 0 : 1;
}
