#include "lithe/app/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <iostream>
#include <string>

namespace lithe::app {
namespace {

std::atomic<bool> interrupted = false;
void on_interrupt(int) { interrupted = true; }

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
  const int filled = int(part * 30);
  std::cerr << fmt::format("\r{:>5.1f} % [{}{}] {:.4g} of {:.4g} s, {:.0f} s left\033[K", 100 * part,
                           std::string(filled, '='), std::string(30 - filled, ' '), t, duration_,
                           part > 0 ? spent / part - spent : 0.0)
            << std::flush;
}

std::atomic<bool>& catch_interrupts() {
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
  if (std::signal(SIGHUP, on_interrupt) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);  // begun with nohup
  return interrupted;
}

}  // namespace lithe::app
