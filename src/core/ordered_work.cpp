#include "core/ordered_work.hpp"

#include <algorithm>
#include <system_error>

namespace gpuplan {
namespace {

constexpr unsigned kMostThreads = 8;  // one thread cuts the text; more would only wait for it
constexpr std::size_t kAhead = 8;     // pieces that wait for each helper

}  // namespace

OrderedWork::OrderedWork(unsigned threads) {
  if (threads == 0) threads = std::thread::hardware_concurrency();
  threads = std::clamp(threads, 1U, kMostThreads);
  helpers_.reserve(threads);
  try {
    for (unsigned i = 1; i < threads; ++i) helpers_.emplace_back([this, i] { help(i); });
  } catch (const std::system_error&) {
    // The work is done all the same, by those that there are.
  }
}

OrderedWork::~OrderedWork() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  given_.notify_all();
  for (std::thread& helper : helpers_) helper.join();
}

OrderedWork::Entry* OrderedWork::next_entry() {
  if (waiting_ == 0) return nullptr;
  for (const auto& entry : entries_)
    if (!entry->begun) return entry.get();
  return nullptr;
}

// The lock is let go while the piece runs.
bool OrderedWork::run_one(std::unique_lock<std::mutex>& lock, std::size_t thread) {
  Entry* entry = next_entry();
  if (entry == nullptr) return false;
  entry->begun = true;
  --waiting_;
  lock.unlock();
  try {
    entry->piece->run(thread);
  } catch (...) {
    entry->thrown = std::current_exception();
  }
  lock.lock();
  entry->ended = true;
  ended_.notify_one();
  return true;
}

void OrderedWork::return_ended(std::unique_lock<std::mutex>& lock) {
  while (!entries_.empty() && entries_.front()->ended) {
    const auto entry = std::move(entries_.front());
    entries_.pop_front();
    if (entry->thrown) std::rethrow_exception(entry->thrown);
    lock.unlock();
    entry->piece->done();
    lock.lock();
  }
}

void OrderedWork::help(std::size_t thread) {
  std::unique_lock lock(mutex_);
  while (!over_)
    if (!run_one(lock, thread)) given_.wait(lock, [this] { return over_ || waiting_ > 0; });
}

void OrderedWork::give(std::unique_ptr<Piece> piece) {
  std::unique_lock lock(mutex_);
  entries_.push_back(std::make_unique<Entry>(Entry{.piece = std::move(piece)}));
  ++waiting_;
  given_.notify_one();
  while (waiting_ > kAhead * helpers_.size()) run_one(lock, 0);
  return_ended(lock);
}

void OrderedWork::finish() {
  std::unique_lock lock(mutex_);
  while (run_one(lock, 0)) return_ended(lock);
  while (!entries_.empty()) {
    ended_.wait(lock, [this] { return entries_.front()->ended; });
    return_ended(lock);
  }
}

}  // namespace gpuplan
