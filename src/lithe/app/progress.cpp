#include "lithe/app/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <iostream>
#include <string>

#include "lithe/spatial/whole_number.h"

namespace lithe::app {
namespace {

std::atomic<bool> told_to_end = false;
void on_interrupt(int signal) {
  told_to_end = true;
  std::signal(signal, SIG_DFL);  // a second signal ends the program at once; files on disk are complete
}

}  // namespace

ProgressBar::ProgressBar(double duration, bool lines)
    : duration_(duration), lines_(lines), bar_(!lines && isatty(STDERR_FILENO) != 0) {}

ProgressBar::~ProgressBar() {
  if (bar_) std::cerr << "\r\033[K" << std::flush;
}

void ProgressBar::operator()(double t) {
  const auto now = std::chrono::steady_clock::now();
  if ((!bar_ && !lines_) || now - last_ < std::chrono::milliseconds(100)) return;
  last_ = now;
  if (lines_) {
    std::cerr << fmt::format("progress {:.6g} {:.6g}\n", t, duration_) << std::flush;
    return;
  }
  const double part = std::clamp(t / duration_, 0.0, 1.0);
  const double spent = std::chrono::duration<double>(now - start_).count();
  const int filled = clamped_whole(part * 30, 0, 30);
  std::cerr << fmt::format("\r{:>5.1f} % [{}{}] {:.4g} of {:.4g} s, {:.0f} s left\033[K", 100 * part,
                           std::string(filled, '='), std::string(30 - filled, ' '), t, duration_,
                           part > 0 ? spent / part - spent : 0.0)
            << std::flush;
}

const std::atomic<bool>& interrupted() { return told_to_end; }

const std::atomic<bool>& catch_interrupts() {
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
  if (std::signal(SIGHUP, on_interrupt) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);  // begun with nohup
  return told_to_end;
}

void release_interrupts() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP})
    if (std::signal(signal, SIG_DFL) == SIG_IGN) std::signal(signal, SIG_IGN);
}

}  // namespace lithe::app
