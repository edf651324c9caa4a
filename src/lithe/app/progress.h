// What commands that take a while share: a bar with the time left, and Ctrl-C.
#pragma once

#include <atomic>
#include <chrono>

namespace lithe::app {

/// A bar with the time left, on a terminal only, wiped when it goes; or lines `progress T DURATION` for a program that started
/// this one. Ten times a second at most.
class ProgressBar {
 public:
  explicit ProgressBar(double duration, bool lines = false);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// How far the work has come, in seconds of what is simulated or filmed.
  void operator()(double t);

 private:
  double duration_;
  bool lines_, bar_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now(), last_{};
};

/// Set by Ctrl-C, SIGTERM and a terminal that closes, once they are caught.
const std::atomic<bool>& interrupted();
/// From now on these do not end the program but set that; a second time they do end it. To be called when there is something to
/// keep and somebody looks at it often: until then a program that is told to end just ends.
const std::atomic<bool>& catch_interrupts();
/// They end the program again.
void release_interrupts();

}  // namespace lithe::app
