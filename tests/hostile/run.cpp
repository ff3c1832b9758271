#include "run.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <thread>

namespace gpuplan::hostile {
namespace {

struct Pipe {
  int read = -1, write = -1;
  Pipe() {
    int ends[2] = {-1, -1};
    if (pipe(ends) == 0) read = ends[0], write = ends[1];
  }
};

std::string drain(int end) {
  std::string text;
  std::array<char, 65536> part;
  for (ssize_t got = 0; (got = read(end, part.data(), part.size())) > 0;)
    text.append(part.data(), static_cast<std::size_t>(got));
  close(end);
  return text;
}

[[noreturn]] void become(const std::vector<std::string>& words, const Setup& setup, int out,
                         int err) {
  if (!setup.out_file.empty()) out = open(setup.out_file.c_str(), O_WRONLY | O_CREAT, 0600);
  dup2(out, STDOUT_FILENO);
  dup2(err, STDERR_FILENO);
  const rlimit minute{60, 60};
  setrlimit(RLIMIT_CPU, &minute);
  if (setup.most_kb > 0) {
    const auto bytes = static_cast<rlim_t>(setup.most_kb) * 1024;
    const rlimit space{bytes, bytes};
    setrlimit(RLIMIT_AS, &space);
  }
  for (const std::string& variable : setup.environment)
    putenv(const_cast<char*>(variable.c_str()));
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  execv(arguments.front(), arguments.data());
  _exit(127);
}

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

}  // namespace

Ended run(const std::vector<std::string>& words, const Setup& setup) {
  const Pipe out, err;
  const pid_t child = fork();
  if (child == 0) {
    close(out.read);
    close(err.read);
    become(words, setup, out.write, err.write);
  }
  close(out.write);
  close(err.write);
  if (setup.interrupt_after_us >= 0) {
    usleep(static_cast<useconds_t>(setup.interrupt_after_us));
    kill(child, SIGINT);
  }
  Ended ended;
  if (setup.close_out) close(out.read);
  std::thread reader([&] {
    if (!setup.close_out) ended.out = drain(out.read);
  });
  ended.err = drain(err.read);
  reader.join();
  int status = 0;
  rusage used{};
  wait4(child, &status, 0, &used);
  ended.exit = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  ended.cpu_s = seconds(used.ru_utime) + seconds(used.ru_stime);
  ended.peak_kb = used.ru_maxrss;
  return ended;
}

}  // namespace gpuplan::hostile
