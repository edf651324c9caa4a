#include "lithe/app/pipe.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <utility>

extern char** environ;

namespace lithe::app {
namespace {

class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  ~Descriptor() { close(); }
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  void close() {
    if (fd_ >= 0) ::close(std::exchange(fd_, -1));
  }
  int get() const { return fd_; }

 private:
  int fd_;
};

/// Two connected ends, closed in the child unless handed over. Sockets, because a write to one whose reader has gone
/// can fail without a signal.
std::pair<Descriptor, Descriptor> connection() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    throw std::runtime_error(std::string("cannot start another program: ") + std::strerror(errno));
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

/// Takes what there is to read; closes the descriptor at the end.
void gather(Descriptor& from, std::string& text) {
  char buffer[65536];
  const ssize_t n = ::read(from.get(), buffer, sizeof buffer);
  if (n > 0)
    text.append(buffer, size_t(n));
  else if (n == 0 || errno != EINTR)
    from.close();
}

}  // namespace

ToolAnswer run_tool(const std::vector<std::string>& words, const std::string& input) {
  auto [in, child_in] = connection();
  auto [out, child_out] = connection();
  auto [err, child_err] = connection();
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, child_in.get(), 0);
  posix_spawn_file_actions_adddup2(&actions, child_out.get(), 1);
  posix_spawn_file_actions_adddup2(&actions, child_err.get(), 2);
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t child = 0;
  const int failed = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  ToolAnswer answer;
  if (failed == ENOENT) return {.found = false};
  if (failed != 0) throw std::runtime_error("cannot start " + words[0] + ": " + std::strerror(failed));
  child_in.close();
  child_out.close();
  child_err.close();

  // Feed and gather at once: a program may answer before it has read everything.
  size_t sent = 0;
  while (in.get() >= 0 || out.get() >= 0 || err.get() >= 0) {
    if (in.get() >= 0 && sent == input.size()) {
      in.close();
      continue;
    }
    pollfd ends[] = {{in.get(), POLLOUT, 0}, {out.get(), POLLIN, 0}, {err.get(), POLLIN, 0}};
    if (::poll(ends, 3, -1) < 0) {
      if (errno == EINTR) continue;
      break;
    }
    if (ends[0].revents != 0) {
      const ssize_t n = ::send(in.get(), input.data() + sent, input.size() - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
      if (n >= 0)
        sent += size_t(n);
      else if (errno != EAGAIN && errno != EINTR)
        in.close();
    }
    if (ends[1].revents != 0) gather(out, answer.out);
    if (ends[2].revents != 0) gather(err, answer.err);
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  answer.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return answer;
}

}  // namespace lithe::app
