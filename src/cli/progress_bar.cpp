#include "cli/progress_bar.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <csignal>

#include "cli/terminal.hpp"
#include "render/text_table.hpp"

namespace gpuplan::cli {
namespace {

using namespace std::chrono_literals;
constexpr auto kPatience = 500ms;  // what is shorter needs no bar
constexpr auto kStep = 100ms;
constexpr int kCells = 24;

// There is one terminal, so there is one bar; signal handlers may read no more than the flag.
ProgressBar* shown_bar = nullptr;
volatile std::sig_atomic_t line_is_shown = 0;

void write_to_terminal(std::string_view text) {
  [[maybe_unused]] const auto written = ::write(2, text.data(), text.size());
}

}  // namespace

ProgressBar::ProgressBar(Common& common) {
  if (!is_live_terminal(2) || common.quiet) return;
  common.progress = &progress_;
  shown_bar = this;
  thread_ = std::thread([this] { watch(); });
}

ProgressBar::~ProgressBar() { stop(); }

void ProgressBar::stop() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  wake_.notify_all();
  thread_.join();
  shown_bar = nullptr;
}

void ProgressBar::watch() {
  const auto begin = std::chrono::steady_clock::now();
  std::unique_lock lock(mutex_);
  for (auto pause = kPatience; !wake_.wait_for(lock, pause, [this] { return done_; });
       pause = kStep) {
    line_is_shown = 1;
    draw(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  clear_progress_line();
}

void ProgressBar::draw(double seconds) const {
  const auto total = progress_.total.load(), done = progress_.done.load();
  std::string line;
  if (total > 0) {
    const double share = static_cast<double>(done) / static_cast<double>(total);
    const std::string cells = bar(share, kCells);
    line = fmt::format("{:<{}} {:3.0f} %  {:.1f} s", cells, kCells, 100 * share, seconds);
  } else {
    line = fmt::format("{} {:.1f} s", std::string_view("|/-\\").substr(
                                          static_cast<std::size_t>(seconds * 10) % 4, 1),
                       seconds);
  }
  write_to_terminal("\r" + line + "\x1b[K");
}

Progress* watched_progress() { return shown_bar != nullptr ? &shown_bar->progress() : nullptr; }

void stop_progress() {
  if (shown_bar != nullptr) shown_bar->stop();
}

void clear_progress_line() {
  if (line_is_shown == 0) return;
  write_to_terminal("\r\x1b[K");
  line_is_shown = 0;
}

}  // namespace gpuplan::cli
