#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/json.hpp"

// One run of gpuplan. `code` is 128 + the signal that ended it.
struct Ran {
  int code = -1;
  std::string out, err;
};

struct How {
  std::string input = {};                          // on standard input
  std::string folder = {};                         // where it runs; empty: the project's
  std::map<std::string, std::string> environment = {};  // beside PATH and LC_ALL=C
  std::function<void()> in_child = {};             // just before the program starts
};

Ran run(const std::vector<std::string>& words, const How& how = {});
// On a terminal of that width: both streams are one text, without carriage returns.
Ran run_on_terminal(int columns, const std::vector<std::string>& words, const How& how = {});
// Starts it with standard input open and empty, waits, sends the signal.
Ran run_and_signal(int signal, int after_ms, const std::vector<std::string>& words);

// A folder of its own for each object, removed with it.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string path(const std::string& name = {}) const;
  void write(const std::string& name, const std::string& text) const;
  std::vector<std::string> names() const;

 private:
  std::string path_;
};

std::string read_text(const std::string& path);
std::vector<std::string> lines_of(const std::string& text);
// A JSON answer of the program; fails the test when it is none.
gpuplan::JsonDocument json_of(const std::string& text);
// "a/b/0": a value by its keys and indices; fails the test when it is not there.
const gpuplan::JsonNode& at(const gpuplan::JsonNode& node, const std::string& path);

// A catalog, a job on it, and command lines that touch every command.
std::string small_catalog();
