#pragma once

#include <sys/types.h>

#include <chrono>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace lithe {

/// Another process that runs a case, and its output. It ends when its owner does, however that ends.
class ChildRun {
 public:
  /// Starts a program that prints `progress TIME DURATION` on its standard error from time to time. Throws Error.
  explicit ChildRun(const std::vector<std::string>& words);
  ~ChildRun();  // stops it
  ChildRun(const ChildRun&) = delete;
  ChildRun& operator=(const ChildRun&) = delete;

  /// Its progress.
  struct State {
    bool ended = false;
    int code = -1;  // exit code; −1: ended by a signal
    double t = 0, duration = 0, seconds = 0;
    bool stopped = false;  // because stop() was called
    std::string said;      // on standard error, without progress lines; the first few thousand characters
  };
  State state() const;

  /// Asks it to end; it keeps its results so far. On a second call, or if it does not end within some seconds, it is killed.
  void stop();
  void wait();

 private:
  void listen(int from);
  void hear(const std::string& line);

  pid_t child_ = 0;
  mutable std::mutex mutex_;
  State state_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now(), stop_by_{};
  std::thread listener_;
};

}  // namespace lithe
