// Work that several threads share: the results come back in order, and so does what went wrong.
#include "core/ordered_work.hpp"

#include <new>
#include <vector>

#include "catch.hpp"

using namespace gpuplan;

namespace {

// Squares a number; one that is `bad` finds no memory.
struct Square : OrderedWork::Piece {
  Square(int number_of, bool is_bad, std::vector<int>& results) : number(number_of), bad(is_bad), all(&results) {}
  void run(std::size_t) override {
    if (bad) throw std::bad_alloc();
    result = number * number;
  }
  void done() override { all->push_back(result); }
  int number, result = -1;
  bool bad;
  std::vector<int>* all;
};

}  // namespace

TEST_CASE("pieces of work come back in the order in which they were given, by any number of threads", "[threads]") {
  for (unsigned threads = 1; threads <= 8; ++threads) {
    std::vector<int> results;
    OrderedWork work(threads);
    for (int i = 0; i < 500; ++i) work.give(std::make_unique<Square>(i, false, results));
    work.finish();
    REQUIRE(results.size() == 500);
    for (int i = 0; i < 500; ++i) CHECK(results[static_cast<std::size_t>(i)] == i * i);
  }
}

TEST_CASE("a thread that finds no memory ends the work with that error, not the program", "[threads]") {
  for (unsigned threads = 1; threads <= 8; ++threads)
    for (const int bad : {0, 1, 37, 99}) {
      std::vector<int> results;
      const auto share = [&] {
        OrderedWork work(threads);
        for (int i = 0; i < 100; ++i) work.give(std::make_unique<Square>(i, i == bad, results));
        work.finish();
      };
      CHECK_THROWS_AS(share(), std::bad_alloc);
      CHECK(results.size() == static_cast<std::size_t>(bad));  // those before it, and none behind
    }
}
