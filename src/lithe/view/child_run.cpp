#include "lithe/view/child_run.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <future>
#include <stdexcept>

#include "lithe/error.h"
#include "lithe/view/child_process.h"

namespace lithe {
namespace {

constexpr size_t most_words = 8000;
constexpr auto patience = std::chrono::seconds(4);  // between asking and killing

}  // namespace

ChildRun::ChildRun(const std::vector<std::string>& words) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw Error(std::string("cannot start a run: ") + std::strerror(errno));
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  // The thread that starts it is the one that waits for it: the child ends when that thread does.
  std::promise<int> started;  // errno, 0: it runs
  listener_ = std::thread([this, &started, ends, &arguments, owner = ::getpid()] {
    child_ = ::fork();
    if (child_ == 0) become(arguments.data(), {.err = ends[1]}, SIGTERM, owner);
    const int failed = child_ < 0 ? errno : 0;
    ::close(ends[1]);
    started.set_value(failed);
    if (failed == 0) listen(ends[0]);
    ::close(ends[0]);
  });
  if (const int failed = started.get_future().get(); failed != 0) {
    listener_.join();
    throw Error(std::string("cannot start a run: ") + std::strerror(failed));
  }
}

ChildRun::~ChildRun() {
  stop();
  if (listener_.joinable()) listener_.join();
}

void ChildRun::listen(int from) {
  std::string gathered;
  while (true) {
    {
      const std::lock_guard lock(mutex_);
      if (state_.stopped && std::chrono::steady_clock::now() > stop_by_) ::kill(child_, SIGKILL);
    }
    pollfd end{from, POLLIN, 0};
    const int ready = ::poll(&end, 1, 200);
    if (ready == 0 || (ready < 0 && errno == EINTR)) continue;
    char buffer[4096];
    const ssize_t n = ::read(from, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    gathered.append(buffer, size_t(n));
    for (size_t end_of_line; (end_of_line = gathered.find('\n')) != std::string::npos;) {
      hear(gathered.substr(0, end_of_line));
      gathered.erase(0, end_of_line + 1);
    }
    if (gathered.size() > most_words) gathered.clear();
  }
  siginfo_t ended;
  while (::waitid(P_PID, id_t(child_), &ended, WEXITED | WNOWAIT) < 0 && errno == EINTR) {
  }
  const std::lock_guard lock(mutex_);  // from here on no signal is sent: its process id may be reused
  int status = 0;
  ::waitpid(child_, &status, 0);
  state_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  state_.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  state_.ended = true;
}

void ChildRun::hear(const std::string& line) {
  const std::lock_guard lock(mutex_);
  double t = 0, duration = 0;
  if (std::sscanf(line.c_str(), "progress %lf %lf", &t, &duration) == 2) {
    state_.t = t;
    state_.duration = duration;
  } else if (state_.said.size() + line.size() < most_words) {
    state_.said += line + "\n";
  }
}

ChildRun::State ChildRun::state() const {
  const std::lock_guard lock(mutex_);
  State now = state_;
  if (!now.ended) now.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  return now;
}

void ChildRun::stop() {
  const std::lock_guard lock(mutex_);
  if (state_.ended) return;
  ::kill(child_, state_.stopped ? SIGKILL : SIGTERM);
  if (!state_.stopped) stop_by_ = std::chrono::steady_clock::now() + patience;
  state_.stopped = true;
}

void ChildRun::wait() {
  if (listener_.joinable()) listener_.join();
}

}  // namespace lithe
