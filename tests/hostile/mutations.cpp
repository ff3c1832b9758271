// Catalogs that went wrong: mutations PROGRAM CATALOG FOLDER [COUNT] [SEED]
//
// Makes COUNT malformed catalogs from a good one (a byte, a token, a type, a number, a nesting at a
// time), and has the program compare over each. Every run must end with a right answer or with exit
// code 3, a place in the file and nothing on standard output; within a second of computing and
// 300 MB. The same seed makes the same catalogs; one that fails is kept.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <random>

#include "run.hpp"

namespace {

using gpuplan::hostile::Ended;

constexpr double kMostSeconds = 1;
constexpr std::int64_t kMostKb = 300'000;

class Mutator {
 public:
  Mutator(std::string good, std::uint64_t seed) : good_(std::move(good)), random_(seed) {
    find_tokens();
  }

  std::string next() {
    std::string text = good_;
    switch (below(6)) {
      case 0:
        byte(text);
        break;
      case 1:
        token(text);
        break;
      case 2:
        replace(text, any(kTypes));
        break;
      case 3:
        number(text);
        break;
      case 4:
        nest(text);
        break;
      default:
        text.resize(below(text.size()));
    }
    return text;
  }

 private:
  struct Token {
    std::size_t from, size;
  };
  static constexpr std::array<const char*, 8> kTypes{
      "null", "true", "[]", "{}", "\"text\"", "[1, 2]", "{\"a\": 1}", "-"};
  static constexpr std::array<const char*, 10> kNumbers{
      "0", "-1", "1e400", "NaN", "Infinity", "1e-400", "99999999999999999999", "0x10", "01", "1,5"};

  std::size_t below(std::size_t n) { return n == 0 ? 0 : random_() % n; }
  template <class List>
  const char* any(const List& list) { return list[below(list.size())]; }

  // Strings, numbers, words and the signs between them.
  void find_tokens() {
    for (std::size_t i = 0; i < good_.size();) {
      std::size_t end = i + 1;
      if (good_[i] == '"') {
        while (end < good_.size() && good_[end] != '"') end += good_[end] == '\\' ? 2 : 1;
        ++end;
      } else if (std::isalnum(static_cast<unsigned char>(good_[i])) != 0 || good_[i] == '-') {
        while (end < good_.size() && (std::isalnum(static_cast<unsigned char>(good_[end])) != 0 ||
                                      good_[end] == '.'))
          ++end;
        numbers_.push_back({i, end - i});
      }
      if (std::isspace(static_cast<unsigned char>(good_[i])) == 0) tokens_.push_back({i, end - i});
      i = end;
    }
  }

  void byte(std::string& text) { text[below(text.size())] = static_cast<char>(random_()); }
  // One is lost, stands twice, or trades its place.
  void token(std::string& text) {
    const Token& t = tokens_[below(tokens_.size())];
    const std::string own = text.substr(t.from, t.size);
    const std::size_t kind = below(3);
    if (kind == 0) text.erase(t.from, t.size);
    if (kind == 1) text.insert(t.from, own);
    if (kind == 2) {
      const Token& other = tokens_[below(tokens_.size())];
      text.replace(t.from, t.size, good_.substr(other.from, other.size));
    }
  }
  void replace(std::string& text, const std::string& with) {
    const Token& t = tokens_[below(tokens_.size())];
    text.replace(t.from, t.size, with);
  }
  void number(std::string& text) {
    const Token& t = numbers_[below(numbers_.size())];
    text.replace(t.from, t.size, any(kNumbers));
  }
  void nest(std::string& text) {
    const Token& t = tokens_[below(tokens_.size())];
    const std::size_t depth = std::size_t{1} << below(17);
    const bool objects = below(2) == 0;
    std::string deep;
    for (std::size_t i = 0; i < depth; ++i) deep += objects ? "{\"a\":" : "[";
    deep += "1";
    for (std::size_t i = 0; i < depth && below(4) != 0; ++i) deep += objects ? "}" : "]";
    text.replace(t.from, t.size, deep);
  }

  std::string good_;
  std::mt19937_64 random_;
  std::vector<Token> tokens_, numbers_;
};

std::string read(const char* path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

bool has_place(const std::string& text, const std::string& file) {
  return text.find(file) != std::string::npos &&
         (text.find('/', text.find(file) + file.size()) != std::string::npos ||
          text.find("line ") != std::string::npos || text.find(file + ":") != std::string::npos);
}

// What is wrong with how a run ended; empty: nothing.
std::string fault_of(const Ended& ended, const std::string& file) {
  constexpr std::array kAnswers{0, 3, 4, 5};
  if (std::ranges::find(kAnswers, ended.exit) == kAnswers.end())
    return "exit code " + std::to_string(ended.exit);
  if (ended.exit == 3 && !ended.out.empty()) return "an error beside text on standard output";
  if (ended.exit == 3 && !has_place(ended.err, file)) return "an error without a place";
  if (ended.exit != 3 && ended.out.empty()) return "no answer";
  if (ended.cpu_s > kMostSeconds) return "computed for " + std::to_string(ended.cpu_s) + " s";
  if (ended.peak_kb > kMostKb) return "held " + std::to_string(ended.peak_kb) + " kB";
  return {};
}

}  // namespace

int main(int count, char** words) {
  if (count < 4) return 2;
  const std::string program = words[1], file = std::string(words[3]) + "/mutated.json";
  const int runs = count > 4 ? std::atoi(words[4]) : 1000;
  Mutator mutator(read(words[2]), count > 5 ? std::strtoull(words[5], nullptr, 10) : 1);
  int refused = 0;
  double longest = 0;
  std::int64_t largest = 0;
  for (int i = 0; i < runs; ++i) {
    std::ofstream(file, std::ios::binary) << mutator.next();
    const Ended ended = gpuplan::hostile::run(
        {program, "compare", file, "--model", "7b", "--mode", "lora", "--tokens", "50M"});
    refused += ended.exit == 3 ? 1 : 0;
    longest = std::max(longest, ended.cpu_s);
    largest = std::max(largest, ended.peak_kb);
    if (const std::string fault = fault_of(ended, file); !fault.empty()) {
      std::printf("catalog %d: %s\n%s\n(kept as %s)\n", i, fault.c_str(),
                  ended.err.substr(0, 600).c_str(), file.c_str());
      return 1;
    }
  }
  std::printf("%d catalogs: %d refused with a place, %d answered; at most %.2f s and %.0f MB\n",
              runs, refused, runs - refused, longest, static_cast<double>(largest) / 1e3);
  std::remove(file.c_str());
  return 0;
}
