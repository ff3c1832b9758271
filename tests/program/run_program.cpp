#include "run_program.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "catch.hpp"

namespace {

// In the child: becomes the program.
[[noreturn]] void become_program(const std::vector<std::string>& words, const How& how) {
  std::vector<std::string> texts{GPUPLAN_PROGRAM};
  texts.insert(texts.end(), words.begin(), words.end());
  std::vector<std::string> variables;
  std::map<std::string, std::string> all{{"LC_ALL", "C"}};
  if (const char* path = std::getenv("PATH")) all["PATH"] = path;
  for (const auto& [name, value] : how.environment) all[name] = value;
  for (const auto& [name, value] : all) variables.push_back(name + "=" + value);
  std::vector<char*> arguments, environment;
  for (std::string& text : texts) arguments.push_back(text.data());
  for (std::string& text : variables) environment.push_back(text.data());
  arguments.push_back(nullptr);
  environment.push_back(nullptr);
  const std::string folder = how.folder.empty() ? GPUPLAN_SOURCE_DIR : how.folder;
  if (::chdir(folder.c_str()) != 0) std::_Exit(126);
  if (how.in_child) how.in_child();
  ::execve(GPUPLAN_PROGRAM, arguments.data(), environment.data());
  std::_Exit(127);
}

int code_of(int status) {
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int wait_for(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return code_of(status);
}

struct Pipe {
  int ends[2] = {-1, -1};
  Pipe() {
    if (::pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  }
};

// Reads several descriptors to their ends, so that none fills up.
void read_all(std::vector<std::pair<int, std::string*>> sources) {
  while (!sources.empty()) {
    std::vector<pollfd> waiting;
    for (const auto& source : sources) waiting.push_back({source.first, POLLIN, 0});
    if (::poll(waiting.data(), waiting.size(), -1) < 0) continue;
    for (std::size_t i = waiting.size(); i-- > 0;) {
      if (waiting[i].revents == 0) continue;
      char block[65536];
      const ssize_t got = ::read(sources[i].first, block, sizeof block);
      if (got > 0) {
        sources[i].second->append(block, static_cast<std::size_t>(got));
      } else {
        ::close(sources[i].first);
        sources.erase(sources.begin() + static_cast<std::ptrdiff_t>(i));
      }
    }
  }
}

}  // namespace

Ran run(const std::vector<std::string>& words, const How& how) {
  Pipe in, out, err;
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(in.ends[0], 0);
    ::dup2(out.ends[1], 1);
    ::dup2(err.ends[1], 2);
    become_program(words, how);
  }
  ::close(in.ends[0]);
  ::close(out.ends[1]);
  ::close(err.ends[1]);
  // Inputs of these tests are smaller than the buffer of a pipe.
  if (!how.input.empty() &&
      ::write(in.ends[1], how.input.data(), how.input.size()) !=
          static_cast<ssize_t>(how.input.size()))
    throw std::runtime_error("the input is too long");
  ::close(in.ends[1]);
  Ran ran;
  read_all({{out.ends[0], &ran.out}, {err.ends[0], &ran.err}});
  ran.code = wait_for(child);
  return ran;
}

Ran run_on_terminal(int columns, const std::vector<std::string>& words, const How& how) {
  winsize size{};
  size.ws_col = static_cast<unsigned short>(columns);
  size.ws_row = 50;
  int terminal = -1;
  const pid_t child = ::forkpty(&terminal, nullptr, nullptr, &size);
  if (child == 0) become_program(words, how);
  Ran ran;
  read_all({{terminal, &ran.out}});
  std::erase(ran.out, '\r');
  ran.code = wait_for(child);
  return ran;
}

Ran run_and_signal(int signal, int after_ms, const std::vector<std::string>& words) {
  Pipe in, out, started;
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(in.ends[0], 0);
    ::dup2(out.ends[1], 1);
    ::dup2(out.ends[1], 2);
    std::signal(SIGINT, SIG_DFL);
    become_program(words, {});
  }
  // The pipe is closed when the child has become the program: before that, the signal would meet a
  // copy of this test.
  ::close(started.ends[1]);
  char none = 0;
  while (::read(started.ends[0], &none, 1) < 0 && errno == EINTR) {
  }
  ::close(started.ends[0]);
  ::close(in.ends[0]);
  ::close(out.ends[1]);
  ::usleep(static_cast<useconds_t>(after_ms) * 1000);
  ::kill(child, signal);
  Ran ran;
  read_all({{out.ends[0], &ran.out}});
  ran.code = wait_for(child);
  ::close(in.ends[1]);
  return ran;
}

Folder::Folder() {
  const char* base = std::getenv("TMPDIR");
  std::string name = std::string(base != nullptr ? base : "/tmp") + "/gpuplan-test-XXXXXX";
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no folder for the test");
  path_ = name;
}

Folder::~Folder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string Folder::path(const std::string& name) const {
  return name.empty() ? path_ : path_ + "/" + name;
}

void Folder::write(const std::string& name, const std::string& text) const {
  std::filesystem::create_directories(std::filesystem::path(path(name)).parent_path());
  std::ofstream(path(name), std::ios::binary) << text;
}

std::vector<std::string> Folder::names() const {
  std::vector<std::string> names;
  DIR* const folder = ::opendir(path_.c_str());
  if (folder == nullptr) return names;
  while (const dirent* entry = ::readdir(folder))
    if (const std::string name = entry->d_name; name != "." && name != "..") names.push_back(name);
  ::closedir(folder);
  std::ranges::sort(names);
  return names;
}

std::string read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

gpuplan::JsonDocument json_of(const std::string& text) {
  auto document = gpuplan::parse_json(text, "answer", {.depth = 200, .text_bytes = 1U << 28U});
  INFO(text.substr(0, 400));
  REQUIRE(static_cast<bool>(document));
  return std::move(*document);
}

const gpuplan::JsonNode& at(const gpuplan::JsonNode& node, const std::string& path) {
  const gpuplan::JsonNode* found = &node;
  std::istringstream keys(path);
  for (std::string key; std::getline(keys, key, '/');) {
    INFO(path << " at " << key);
    const gpuplan::JsonNode* next = nullptr;
    if (found->is(gpuplan::JsonNode::Kind::array)) {
      const std::size_t index = std::stoul(key);
      REQUIRE(index < found->children.size());
      next = &found->children[index];
    } else {
      next = found->find(key);
    }
    REQUIRE(next != nullptr);
    found = next;
  }
  return *found;
}

std::string small_catalog() {
  return read_text(GPUPLAN_SOURCE_DIR "/tests/golden/compare-csv/acme.json");
}
