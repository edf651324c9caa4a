#include "lithe/describe/whole_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace lithe {
namespace {

class Opened {
 public:
  // Does not wait: a pipe without a writer would block indefinitely.
  explicit Opened(const std::filesystem::path& file)
      : fd_(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)) {}
  ~Opened() {
    if (fd_ >= 0) ::close(fd_);
  }
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;
  int fd() const { return fd_; }

  /// Waits until there is something to read or the other end has closed; false after `milliseconds` (−1: never).
  bool wait(int milliseconds) const {
    pollfd one{fd_, POLLIN, 0};
    while (true) {
      const int ready = ::poll(&one, 1, milliseconds);
      if (ready >= 0 || errno != EINTR) return ready > 0;
    }
  }

 private:
  int fd_;
};

// The writer of a named pipe starts only when the pipe has a reader.
constexpr int patience_ms = 1000;

}  // namespace

std::string whole_file(const std::filesystem::path& file, std::size_t most) {
  auto fail = [&](int reason) -> void { throw std::system_error(reason, std::generic_category(), file.string()); };
  const Opened opened(file);
  if (opened.fd() < 0) fail(errno);
  struct stat status {};
  if (::fstat(opened.fd(), &status) != 0) fail(errno);
  if (S_ISDIR(status.st_mode)) fail(EISDIR);
  if (S_ISREG(status.st_mode) && status.st_size > 0 && std::size_t(status.st_size) > most) fail(EFBIG);

  std::string text;
  std::size_t length = 0;
  text.resize(S_ISREG(status.st_mode) ? std::size_t(std::max<off_t>(status.st_size, 0)) + 1 : 4096);
  while (true) {
    if (length == text.size()) text.resize(std::min(2 * text.size(), most + 1));
    const ssize_t n = ::read(opened.fd(), text.data() + length, text.size() - length);
    if (n > 0) {
      length += std::size_t(n);
      if (length > most) fail(EFBIG);
    } else if (n == 0) {
      if (length > 0 || !S_ISFIFO(status.st_mode)) break;
      // Either the pipe has not been opened for writing yet, or its writer has already closed it.
      if (!opened.wait(patience_ms)) fail(ENODATA);
      if (const ssize_t more = ::read(opened.fd(), text.data(), text.size()); more > 0)
        length = std::size_t(more);
      else if (more == 0)
        break;
    } else if (errno == EAGAIN) {
      opened.wait(-1);  // the pipe has a writer, which needs time
    } else if (errno != EINTR) {
      fail(errno);
    }
  }
  text.resize(length);
  return text;
}

std::filesystem::path file_identity(const std::filesystem::path& file) {
  std::error_code error;
  const std::filesystem::path found = std::filesystem::weakly_canonical(file, error);
  return error ? file.lexically_normal() : found;
}

std::string why_unread(const std::error_code& code, std::size_t most) {
  if (code.category() == std::generic_category() && code.value() == EFBIG)
    return fmt::format("more than {}", shown_bytes(most));
  if (code.category() == std::generic_category() && code.value() == ENODATA) return "a pipe that nothing writes to";
  return code.message();
}

std::string shown_bytes(std::size_t n) {
  if (n < 10'000) return fmt::format("{} bytes", n);
  if (n < std::size_t(10) << 20) return fmt::format("{} KiB", n >> 10);
  return fmt::format("{} MiB", n >> 20);
}

}  // namespace lithe
