// Where the answer goes: files, pipes, and what an interruption leaves behind.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>

#include "catch.hpp"
#include "run_program.hpp"

namespace {

const std::vector<std::string> kEstimate{"estimate", "--model", "7b", "--mode", "lora", "-q"};

std::vector<std::string> with(std::vector<std::string> words, std::vector<std::string> more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

}  // namespace

TEST_CASE("an answer in a FILE of -o holds what would have gone to standard output, and nothing else is left") {
  const Folder folder;
  const std::string file = folder.path("answer.txt");
  const Ran ran = run(with(kEstimate, {"-o", file}));
  CHECK(ran.code == 0);
  CHECK(ran.out.empty());
  CHECK(read_text(file) == run(kEstimate).out);
  CHECK(folder.names() == std::vector<std::string>{"answer.txt"});
}

TEST_CASE("a dash for -o is standard output") {
  CHECK(run(with(kEstimate, {"-o", "-"})).out == run(kEstimate).out);
}

TEST_CASE("an answer that replaces a file keeps its rights, and a link goes on leading to it") {
  const Folder folder;
  folder.write("real.txt", "old");
  REQUIRE(::chmod(folder.path("real.txt").c_str(), 0640) == 0);
  REQUIRE(::symlink("real.txt", folder.path("link.txt").c_str()) == 0);
  CHECK(run(with(kEstimate, {"-o", folder.path("link.txt")})).code == 0);
  struct stat link {}, real {};
  REQUIRE(::lstat(folder.path("link.txt").c_str(), &link) == 0);
  REQUIRE(::stat(folder.path("real.txt").c_str(), &real) == 0);
  CHECK(S_ISLNK(link.st_mode));
  CHECK((real.st_mode & 0777U) == 0640U);
  CHECK(read_text(folder.path("real.txt")) == run(kEstimate).out);
}

TEST_CASE("an error leaves the file of an earlier run as it was") {
  const Folder folder;
  folder.write("answer.json", "old");
  const Ran ran = run({"compare", "no-such-catalog.json", "-o", folder.path("answer.json")});
  CHECK(ran.code == 3);
  CHECK(read_text(folder.path("answer.json")) == "old");
}

TEST_CASE("a full disk is told, and leaves neither half a file nor a changed one") {
  const Folder folder;
  folder.write("answer.json", "old");
  How how;
  how.in_child = [] {
    const rlimit limit{4096, 4096};  // bytes that a file may have
    ::setrlimit(RLIMIT_FSIZE, &limit);
  };
  const Ran ran = run({"models", "--json", "-o", folder.path("answer.json")}, how);
  CHECK(ran.code == 3);
  CHECK_THAT(ran.err, Catch::Contains("cannot be written"));
  CHECK(read_text(folder.path("answer.json")) == "old");
  CHECK(folder.names() == std::vector<std::string>{"answer.json"});
}

TEST_CASE("a folder that is not there is named, with the file") {
  const Ran ran = run(with(kEstimate, {"-o", "/no/such/folder/answer.txt"}));
  CHECK(ran.code == 3);
  CHECK_THAT(ran.err, Catch::Contains("/no/such/folder/answer.txt"));
}

TEST_CASE("Ctrl-C while it waits for its input ends with 130 and writes nothing") {
  const Folder folder;
  const Ran ran = run_and_signal(SIGINT, 150, {"compare", "-", "-o", folder.path("answer.json")});
  CHECK(ran.code == 130);
  CHECK(ran.out.empty());
  CHECK(folder.names().empty());
}

TEST_CASE("Ctrl-C at any moment leaves the old answer or the new one, and no third file") {
  const Folder folder;
  const std::string whole = run({"models", "--json"}).out;
  int stopped = 0;
  for (int after = 0; after < 60; after += 2) {
    folder.write("answer.json", "old");
    const Ran ran =
        run_and_signal(SIGINT, after, {"models", "--json", "-o", folder.path("answer.json")});
    CAPTURE(after, ran.code, ran.out);
    // Before the program runs its first line the signal ends it in its own way.
    CHECK((ran.code == 0 || ran.code == 130 || ran.code == 128 + SIGINT));
    const std::string left = read_text(folder.path("answer.json"));
    CHECK((left == "old" || left == whole));
    CHECK((ran.code != 0 || left == whole));
    CHECK(folder.names() == std::vector<std::string>{"answer.json"});
    stopped += ran.code == 130 ? 1 : 0;
  }
  CHECK(stopped > 0);
}

TEST_CASE("who asks it to end, or hangs up, is obeyed in the same way") {
  const Folder folder;
  for (const int signal : {SIGTERM, SIGHUP}) {
    const Ran ran = run_and_signal(signal, 150, {"compare", "-", "-o", folder.path("a.json")});
    CHECK(ran.code == 128 + signal);
    CHECK(folder.names().empty());
  }
}

TEST_CASE("a reader that has seen enough is no fault: no message, the code of the answer") {
  How how;
  how.in_child = [] {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return;
    ::close(ends[0]);
    ::dup2(ends[1], 1);
  };
  for (const auto& words : {std::vector<std::string>{"models", "--json"}, {"--help"}, kEstimate}) {
    const Ran ran = run(words, how);
    CHECK(ran.code == 0);
    CHECK(ran.err.empty());
  }
}

TEST_CASE("with JSON, warnings leave standard output alone") {
  const Ran ran = run({"compare", "--json"});
  CHECK(ran.code == 0);
  CHECK_FALSE(ran.err.empty());
  CHECK(at(json_of(ran.out).root(), "schema").text == "gpuplan.compare/1");
}
