// Work that is shared between threads comes back in the order in which it was given.
#include "core/ordered_work.hpp"

#include <stdexcept>
#include <string>

#include "catch.hpp"

namespace gpuplan {
namespace {

struct Number : OrderedWork::Piece {
  Number(int number, std::string& told, int bad = -1) : number_(number), bad_(bad), told_(&told) {}
  void run(std::size_t) override {
    if (number_ == bad_) throw std::runtime_error("number " + std::to_string(number_));
    for (int i = 0; i < (number_ % 7) * 10'000; ++i) square_ = square_ + 1;  // some take longer
    square_ = number_ * number_;
  }
  void done() override { *told_ += std::to_string(square_) + " "; }
  int number_, bad_;
  volatile int square_ = 0;
  std::string* told_;
};

}  // namespace

TEST_CASE("pieces come back in order, whoever does them", "[threads]") {
  std::string expected;
  for (int i = 0; i < 200; ++i) expected += std::to_string(i * i) + " ";
  for (const unsigned threads : {0U, 1U, 2U, 5U}) {
    std::string told;
    OrderedWork work(threads);
    for (int i = 0; i < 200; ++i) work.give(std::make_unique<Number>(i, told));
    work.finish();
    CHECK(told == expected);
  }
}

TEST_CASE("what a piece throws comes out at its turn, and the rest is dropped", "[threads]") {
  for (const unsigned threads : {1U, 4U}) {
    std::string told, message;
    try {
      OrderedWork work(threads);
      for (int i = 0; i < 50; ++i) work.give(std::make_unique<Number>(i, told, 20));
      work.finish();
    } catch (const std::runtime_error& error) {
      message = error.what();
    }
    CHECK(message == "number 20");
    CHECK(told.ends_with("324 361 "));  // 18 and 19 squared, and nothing behind them
  }
}

}  // namespace gpuplan
