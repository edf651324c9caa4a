#include "lithe/view/worker.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <nlohmann/json.hpp>

#include "lithe/view/child_process.h"
#include "lithe/view/view_error.h"

namespace lithe {
namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t most_answer = size_t(256) << 20;
constexpr std::chrono::seconds to_wait{30};  // for others to end

class FileEnd {
 public:
  explicit FileEnd(int fd = -1) : fd_(fd) {}
  ~FileEnd() { close(); }
  FileEnd(const FileEnd&) = delete;
  FileEnd& operator=(const FileEnd&) = delete;
  int get() const { return fd_; }
  void close() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
  }

 private:
  int fd_;
};

[[noreturn]] void cannot_start() {
  throw ViewError(fmt::format("cannot start a process for this: {}", std::strerror(errno)));
}

/// A file without a name that holds a text, to be read from its start.
int unnamed_file(const std::string& text) {
  const int file = ::memfd_create("request", MFD_CLOEXEC);
  if (file < 0) cannot_start();
  for (size_t done = 0; done < text.size();) {
    const ssize_t n = ::write(file, text.data() + done, text.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {
      ::close(file);
      cannot_start();
    }
    done += size_t(n);
  }
  ::lseek(file, 0, SEEK_SET);
  return file;
}

thread_local int asker = -1;

enum class End { closed, too_late, too_much, unwanted };

/// Reads from `fd` until the other side closes it, or no client waits for it any more.
End gather(int fd, Clock::time_point until, std::string& gathered) {
  while (true) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now()).count();
    if (left <= 0) return End::too_late;
    pollfd ends[] = {{fd, POLLIN, 0}, {asker, POLLRDHUP, 0}};
    const int ready = ::poll(ends, asker < 0 ? 1 : 2, int(std::min<long>(left, 1000)));
    if (ready == 0 || (ready < 0 && errno == EINTR)) continue;
    if (asker >= 0 && (ends[1].revents & (POLLRDHUP | POLLHUP | POLLERR)) != 0) return End::unwanted;
    char buffer[1 << 16];
    const ssize_t n = ::read(fd, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return End::closed;
    gathered.append(buffer, size_t(n));
    if (gathered.size() > most_answer) return End::too_much;
  }
}

}  // namespace

size_t usual_worker_memory() {
  const size_t all = size_t(::sysconf(_SC_PHYS_PAGES)) * size_t(::sysconf(_SC_PAGESIZE));
  return std::clamp(all / 4, size_t(1'000'000'000), size_t(4'000'000'000));
}

void Worker::answers_to(int connection) { asker = connection; }

std::string Worker::ask(const nlohmann::ordered_json& request) const {
  if (!free_.try_acquire_for(to_wait)) throw ViewError("the viewer is still busy with earlier requests");
  struct Release {
    std::counting_semaphore<at_a_time>& taken;
    ~Release() { taken.release(); }
  } release{free_};
  return ask(request, limits_);
}

std::string Worker::ask(const nlohmann::ordered_json& request, const WorkerLimits& limits) const {
  const FileEnd in(unnamed_file(request.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace)));
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) cannot_start();
  FileEnd from(ends[0]), to(ends[1]);
  std::string words[] = {program_, "view", case_file_, "--worker", std::to_string(limits.bytes)};
  char* arguments[] = {words[0].data(), words[1].data(), words[2].data(), words[3].data(), words[4].data(), nullptr};
  const auto until = Clock::now() + std::chrono::milliseconds(long(1e3 * limits.seconds));
  const pid_t owner = ::getpid(), child = ::fork();
  if (child < 0) cannot_start();
  if (child == 0) become(arguments, {.in = in.get(), .out = to.get()}, SIGKILL, owner);
  to.close();
  std::string answer;
  End end = End::too_much;
  try {
    end = gather(from.get(), until, answer);
  } catch (const std::bad_alloc&) {
    answer = {};
  }
  if (end != End::closed) ::kill(child, SIGKILL);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (end == End::too_late)
    throw ViewError(fmt::format(
        "this took longer than its limit of {:g} s and was stopped (lithe view --patience sets it)", limits.seconds));
  if (end == End::unwanted) throw ViewError("nobody is waiting for this any more");
  if (end == End::too_much) throw ViewError("the answer is too long to show");
  // `+` and the answer, or `-` and the reason, each with an end of line; otherwise the process died before it finished.
  if (answer.size() < 2 || answer.back() != '\n')
    throw ViewError(WIFSIGNALED(status)
                        ? fmt::format("this was stopped by the system ({}): it is too large to compute here",
                                      ::strsignal(WTERMSIG(status)))
                        : std::string("this failed without a message"));
  answer.pop_back();
  const bool fine = answer.front() == '+';
  answer.erase(0, 1);
  if (!fine) throw ViewError(answer);
  return answer;
}

}  // namespace lithe
