// The limits that examples/SECURITY.md states: limits PROGRAM FOLDER [OFFERS [MOST_KB]]
//
// Each is met exactly, and one step further is refused with a place. Time and memory stay linear in
// the offers. With OFFERS and MOST_KB a catalog of so many offers is compared within so much address
// space (tests/hostile/huge.sh): it is answered, or refused with exit code 3.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>

#include "run.hpp"

namespace {

using gpuplan::hostile::Ended;
using gpuplan::hostile::run;
namespace fs = std::filesystem;

int faults = 0;
std::string program;
fs::path folder;

void expect(bool holds, const std::string& what, const Ended& ended) {
  if (holds) return;
  ++faults;
  std::printf("%s: exit code %d, %.2f s, %lld kB, %zu bytes on standard output\n%s\n", what.c_str(), ended.exit,
              ended.cpu_s, static_cast<long long>(ended.peak_kb), ended.out.size(), ended.err.substr(0, 400).c_str());
}

// A catalog with a key of the user's own.
fs::path write(const std::string& name, const std::string& own) {
  const fs::path path = folder / name;
  std::ofstream(path) << R"({"schema": "gpuplan.catalog/1", "as_of": "2026-11-01", "platforms": [{"id": "p", "stop": "released",
    "offers": [{"id": "a", "card": "L40S", "price": {"on_demand": 1}}]}], )" << own << "}";
  return path;
}

std::vector<std::string> compare(const fs::path& catalog) {
  return {program, "compare", catalog.string(), "--model", "7b", "--mode", "lora", "--run-hours", "10", "-q"};
}

std::string nested(int levels) {
  const auto count = static_cast<std::size_t>(levels);
  return std::string(count, '[') + std::string(count, ']');
}

// Answered at the limit; one further: refused with a place, whatever the size.
void at_the_limit(const std::string& what, const std::function<std::string(int further)>& own) {
  for (const int further : {0, 1}) {
    const fs::path path = write("limit.json", own(further));
    const Ended ended = run(compare(path));
    if (further == 0)
      expect(ended.exit == 0 && !ended.out.empty(), what + ": at the limit", ended);
    else
      expect(ended.exit == 3 && ended.out.empty() && ended.err.find("limit.json:") != std::string::npos,
             what + ": one further", ended);
    fs::remove(path);
  }
}

void documents() {
  // The document itself is a level, so 63 are left for the value.
  at_the_limit("nesting of 64", [](int further) { return "\"x_deep\": " + nested(63 + further); });
  at_the_limit("a text of 1 MiB", [](int further) {
    return "\"x_long\": \"" + std::string((std::size_t{1} << 20) + static_cast<std::size_t>(further), 'a') + "\"";
  });
}

void files() {
  const fs::path huge = folder / "huge.json";
  std::ofstream(huge) << "{";
  fs::resize_file(huge, (std::uintmax_t{4} << 30) + 1);  // takes no room on the disk
  for (const char* option : {"", "--job"}) {
    std::vector<std::string> words{program, "compare"};
    if (*option != '\0') words.push_back(option);
    words.push_back(huge.string());
    const Ended ended = run(words);
    expect(ended.exit == 3 && ended.out.empty() && ended.err.find("larger than 4 GiB") != std::string::npos &&
               ended.cpu_s < 1 && ended.peak_kb < 100'000,
           std::string("a file of more than 4 GiB ") + option, ended);
  }
  fs::resize_file(huge, std::uintmax_t{1} << 30);
  const Ended zeros = run(compare(huge));
  expect(zeros.exit == 3 && zeros.out.empty() && zeros.err.find("huge.json:1:2") != std::string::npos,
         "a gigabyte of zeros", zeros);
  fs::remove(huge);

  const fs::path longest = folder / (std::string(250, 'n') + ".json");
  fs::rename(write("short.json", "\"x_a\": 1"), longest);
  expect(run(compare(longest)).exit == 0, "a name of 255 bytes", run(compare(longest)));
  fs::remove(longest);
  for (const std::size_t length : {std::size_t{256}, std::size_t{5000}, std::size_t{100'000}}) {
    const Ended ended = run(compare(folder / std::string(length, 'n')));
    expect(ended.exit == 3 && ended.out.empty() && !ended.err.empty(), "a name of " + std::to_string(length), ended);
  }
}

void numbers() {
  const fs::path catalog = write("spot.json", "\"x_a\": 1");
  const auto simulate = [&](const std::string& option, const std::string& value) {
    return run({program, "simulate", catalog.string(), "--offer", "a", "--model", "7b", "--mode", "lora", "--run-hours", "1",
                option, value, "-q"});
  };
  expect(simulate("--trials", "10000000").exit == 0, "ten million trials", simulate("--trials", "10000000"));
  for (const std::string value : {"0", "10000001", "99999999999999999999", "1e9", "-1"})
    expect(simulate("--trials", value).exit == 2, "--trials " + value, simulate("--trials", value));
  expect(simulate("--threads", "256").exit == 0, "256 threads", simulate("--threads", "256"));
  for (const std::string value : {"0", "257"})
    expect(simulate("--threads", value).exit == 2, "--threads " + value, simulate("--threads", value));
  fs::remove(catalog);
}

fs::path write_market(int offers) {
  const fs::path path = folder / "market.json";
  std::ofstream file(path);
  file << R"({"schema":"gpuplan.catalog/1","as_of":"2026-11-01","platforms":[{"id":"p","stop":"released","offers":[)";
  for (int i = 0; i < offers; ++i)
    file << (i == 0 ? "" : ",\n") << R"({"id":"machine-)" << i << R"(","card":"L40S","gpus":1,"region":"eu-west-)" << i % 9
         << R"(","vcpus":16,"ram_gb":62,"price":{"on_demand":)" << 1 + (i * 7919 % 1000) << '.' << i % 100 << "}}";
  file << "]}]}";
  return path;
}

// Four times the offers take four times as long, and four times the memory.
void growth() {
  Ended ends[2];
  constexpr int kOffers[] = {25'000, 100'000};
  for (int i = 0; i < 2; ++i) {
    ends[i] = run(compare(write_market(kOffers[i])));
    expect(ends[i].exit == 0, std::to_string(kOffers[i]) + " offers", ends[i]);
  }
  expect(ends[1].cpu_s < 8 * ends[0].cpu_s && ends[1].peak_kb < 5 * ends[0].peak_kb, "growth is not linear", ends[1]);
  std::printf("25,000 offers %.2f s %.0f MB, 100,000 offers %.2f s %.0f MB\n", ends[0].cpu_s,
              static_cast<double>(ends[0].peak_kb) / 1e3, ends[1].cpu_s, static_cast<double>(ends[1].peak_kb) / 1e3);
}

// With less memory than it takes the answer is an error, not a crash.
void little_memory(int offers, std::int64_t most_kb) {
  const fs::path path = write_market(offers);
  const double mb = static_cast<double>(fs::file_size(path)) / 1e6;
  const Ended ended = run(compare(path), {.most_kb = most_kb});
  const bool answered = ended.exit == 0 && !ended.out.empty();
  const bool refused = ended.exit == 3 && ended.out.empty() && ended.err.find("more memory") != std::string::npos;
  expect(answered || refused, "a catalog of " + std::to_string(offers) + " offers in little memory", ended);
  std::printf("%d offers (%.0f MB) within %.0f MB of address space: %s in %.1f s and %.0f MB\n", offers, mb,
              static_cast<double>(most_kb) / 1e3, answered ? "answered" : refused ? "refused" : "failed", ended.cpu_s,
              static_cast<double>(ended.peak_kb) / 1e3);
  fs::remove(path);
}

}  // namespace

int main(int count, char** words) {
  if (count < 3) return 2;
  program = words[1];
  folder = words[2];
  if (count > 4) {
    little_memory(std::atoi(words[3]), std::atoll(words[4]));
    return faults == 0 ? 0 : 1;
  }
  documents();
  files();
  numbers();
  growth();
  for (const std::int64_t most_kb : {60'000, 90'000, 130'000}) little_memory(100'000, most_kb);
  std::printf("%d faults\n", faults);
  return faults == 0 ? 0 : 1;
}
