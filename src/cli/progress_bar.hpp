#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

#include "cli/outcome.hpp"
#include "gpuplan/progress.hpp"

namespace gpuplan::cli {

// Shows on standard error how far long work has come: only on a terminal, and only after half a
// second. The line goes away before anything else is written.
class ProgressBar {
 public:
  explicit ProgressBar(Common& common);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;
  void stop();

  Progress& progress() { return progress_; }

 private:
  void watch();
  void draw(double seconds) const;

  Progress progress_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool done_ = false;
  std::thread thread_;
};

// Of the bar that is shown; nothing when nobody watches.
Progress* watched_progress();
// Stops the bar that is shown, if any: the terminal is free for what comes.
void stop_progress();
// The same for a signal handler: clears the line and nothing else.
void clear_progress_line();

}  // namespace gpuplan::cli
