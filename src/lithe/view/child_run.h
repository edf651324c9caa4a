#pragma once

#include <sys/types.h>

#include <chrono>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace lithe {

/// Another process that marches a case, and what it says meanwhile. It ends with its owner, whatever happens to that.
class ChildRun {
 public:
  /// Starts a program that prints `progress TIME DURATION` on its standard error now and then. Throws Error.
  explicit ChildRun(const std::vector<std::string>& words);
  ~ChildRun();  // stops it
  ChildRun(const ChildRun&) = delete;
  ChildRun& operator=(const ChildRun&) = delete;

  /// How far it has come.
  struct State {
    bool ended = false;
    int code = -1;  // as it exited; −1: by a signal
    double t = 0, duration = 0, seconds = 0;
    bool stopped = false;  // because it was asked to
    std::string said;      // on standard error, beside progress; the first few thousand characters
  };
  State state() const;

  /// Asks it to end; it keeps what it has. A second time, or where it does not within some seconds, it is killed.
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
