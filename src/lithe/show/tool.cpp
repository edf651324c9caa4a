#include "lithe/show/tool.h"

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

#include "lithe/error.h"

extern char** environ;

namespace lithe {
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
    throw Error(std::string("cannot start another program: ") + std::strerror(errno));
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

struct PipedTool::Impl {
  Descriptor in, out, err;
  pid_t child = 0;
  ToolAnswer answer;

  Impl(const std::vector<std::string>& words, Interrupts interrupts) {
    auto [our_in, child_in] = connection();
    auto [our_out, child_out] = connection();
    auto [our_err, child_err] = connection();
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, child_in.get(), 0);
    posix_spawn_file_actions_adddup2(&actions, child_out.get(), 1);
    posix_spawn_file_actions_adddup2(&actions, child_err.get(), 2);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    if (interrupts == Interrupts::only_us) posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    std::vector<char*> arguments;
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    const int failed = posix_spawnp(&child, arguments[0], &actions, &attributes, arguments.data(), environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    if (failed == ENOENT) {
      answer.found = false;
      child = 0;
      return;
    }
    if (failed != 0) throw Error("cannot start " + words[0] + ": " + std::strerror(failed));
    in = std::move(our_in);
    out = std::move(our_out);
    err = std::move(our_err);
  }

  /// Waits until it accepts bytes or has output; writes and reads together, because a program may answer before it has read
  /// everything. Returns the number of bytes that it accepted.
  size_t exchange(const char* bytes, size_t size) {
    pollfd ends[] = {{in.get(), POLLOUT, 0}, {out.get(), POLLIN, 0}, {err.get(), POLLIN, 0}};
    if (::poll(ends, 3, -1) < 0) {
      if (errno != EINTR) in.close(), out.close(), err.close();
      return 0;
    }
    size_t taken = 0;
    if (ends[0].revents != 0) {
      const ssize_t n = ::send(in.get(), bytes, size, MSG_NOSIGNAL | MSG_DONTWAIT);
      if (n >= 0)
        taken = size_t(n);
      else if (errno != EAGAIN && errno != EINTR)
        in.close();
    }
    if (ends[1].revents != 0) gather(out, answer.out);
    if (ends[2].revents != 0) gather(err, answer.err);
    return taken;
  }

  bool feed(const char* bytes, size_t size) {
    while (size > 0 && in.get() >= 0) {
      const size_t taken = exchange(bytes, size);
      bytes += taken;
      size -= taken;
    }
    return size == 0;
  }

  void finish() {
    in.close();
    while (out.get() >= 0 || err.get() >= 0) exchange(nullptr, 0);
    if (child == 0) return;
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    answer.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    child = 0;
  }
};

PipedTool::PipedTool(const std::vector<std::string>& words, Interrupts interrupts)
    : impl_(std::make_unique<Impl>(words, interrupts)) {}
PipedTool::~PipedTool() { impl_->finish(); }
bool PipedTool::feed(const void* bytes, size_t size) { return impl_->feed(static_cast<const char*>(bytes), size); }
ToolAnswer PipedTool::finish() {
  impl_->finish();
  return impl_->answer;
}

ToolAnswer run_tool(const std::vector<std::string>& words, const std::string& input) {
  PipedTool tool(words, PipedTool::Interrupts::both);
  tool.feed(input.data(), input.size());
  return tool.finish();
}

}  // namespace lithe
