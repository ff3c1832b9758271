#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace gpuplan {

// Pieces of work done by several threads, whose results come back in the order in which the work was
// given. One thread gives and receives; it lends a hand when the others have enough to do.
class OrderedWork {
 public:
  struct Piece {
    Piece() = default;
    Piece(const Piece&) = delete;
    Piece& operator=(const Piece&) = delete;
    virtual ~Piece() = default;
    // By any thread, which has a number below threads(). What it throws comes out of give() or finish().
    virtual void run(std::size_t thread) = 0;
    virtual void done() = 0;  // by the giving thread, in order
  };
  // `threads` counts the giving one; 0: as many as the machine has. Where the system refuses a thread
  // there are fewer.
  explicit OrderedWork(unsigned threads);
  OrderedWork(const OrderedWork&) = delete;
  OrderedWork& operator=(const OrderedWork&) = delete;
  ~OrderedWork();  // pieces that have not begun are dropped

  std::size_t threads() const { return helpers_.size() + 1; }
  void give(std::unique_ptr<Piece> piece);
  void finish();  // runs and returns all that was given

 private:
  struct Entry {
    std::unique_ptr<Piece> piece;
    bool begun = false, ended = false;
    std::exception_ptr thrown = {};
  };
  Entry* next_entry();
  bool run_one(std::unique_lock<std::mutex>& lock, std::size_t thread);
  void return_ended(std::unique_lock<std::mutex>& lock);
  void help(std::size_t thread);

  std::mutex mutex_;
  std::condition_variable given_, ended_;
  std::deque<std::unique_ptr<Entry>> entries_;  // in the order in which they were given
  std::size_t waiting_ = 0;                     // entries that have not begun
  bool over_ = false;
  std::vector<std::thread> helpers_;
};

}  // namespace gpuplan
