// What long-running commands share: a bar with the time left, and Ctrl-C.
#pragma once

#include <atomic>
#include <chrono>

namespace lithe::app {

/// A bar with the time left, on a terminal only, erased when the object is destroyed; or lines `progress T DURATION` for a program that started
/// this one. Ten times a second at most.
class ProgressBar {
 public:
  explicit ProgressBar(double duration, bool lines = false);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// The progress of the work, in seconds of simulation or film.
  void operator()(double t);

 private:
  double duration_;
  bool lines_, bar_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now(), last_{};
};

/// Set by Ctrl-C, SIGTERM and a terminal that closes, once they are caught.
const std::atomic<bool>& interrupted();
/// From now on these signals do not end the program but set that flag; a second one ends it. To be called when there are results to
/// keep and the flag is checked often; until then a signal simply ends the program.
const std::atomic<bool>& catch_interrupts();
/// They end the program again.
void release_interrupts();

}  // namespace lithe::app
