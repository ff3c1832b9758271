// How long whole runs of the program take, against the same program that only prints its version:
//   start_bench PROGRAM CONFIG.json [ROUNDS]
// The commands are started in turn, so that a machine whose speed drifts treats all alike. Prints
// the median of each and what it takes more than `--version`.
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

extern char** environ;

namespace {

struct Command {
  const char* name;
  std::vector<std::string> words;
  std::vector<double> milliseconds = {};
};

// Milliseconds from start to end; negative when the program could not be run.
double run(const std::vector<std::string>& words) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (const int stream : {1, 2})
    posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", 1 /* O_WRONLY */, 0);
  const auto begin = std::chrono::steady_clock::now();
  pid_t child = 0;
  int status = 0;
  const int failed = posix_spawn(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status)) return -1;
  const auto end = std::chrono::steady_clock::now();
  return std::chrono::duration<double, std::milli>(end - begin).count();
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

}  // namespace

int main(int count, char** words) {
  if (count < 3) {
    std::fputs("start_bench PROGRAM CONFIG.json [ROUNDS]\n", stderr);
    return 2;
  }
  const std::string program = words[1], config = words[2];
  const int rounds = count > 3 ? std::max(1, std::atoi(words[3])) : 40;
  std::vector<Command> commands{
      {"--version", {program, "--version"}},
      {"estimate, model by name", {program, "estimate", "--model", "7b", "--mode", "lora"}},
      {"estimate, config.json", {program, "estimate", "--model", config, "--mode", "lora"}},
      {"compare, built-in catalog", {program, "compare", "--model", "7b", "--mode", "lora"}}};
  for (int round = 0; round < rounds; ++round)
    for (Command& command : commands) {
      const double time = run(command.words);
      if (time < 0) {
        std::fprintf(stderr, "cannot run %s\n", program.c_str());
        return 1;
      }
      command.milliseconds.push_back(time);
    }
  const double base = median(commands.front().milliseconds);
  for (const Command& command : commands) {
    const double time = median(command.milliseconds);
    std::printf("%-28s %7.2f ms %+8.2f ms, %.2f times --version\n", command.name, time, time - base,
                time / base);
  }
  return 0;
}
