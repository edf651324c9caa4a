#include "lithe/results/replace_file.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace lithe {
namespace {

/// While it lives, a write beyond the file-size limit fails with EFBIG instead of ending the process.
class NoFileSizeSignal {
 public:
  NoFileSizeSignal() {
    sigemptyset(&signal_);
    sigaddset(&signal_, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &signal_, &before_);
  }
  ~NoFileSizeSignal() {
    if (sigismember(&before_, SIGXFSZ) != 0) return;
    const timespec now{};
    while (sigtimedwait(&signal_, nullptr, &now) > 0) {
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  NoFileSizeSignal(const NoFileSizeSignal&) = delete;
  NoFileSizeSignal& operator=(const NoFileSizeSignal&) = delete;

 private:
  sigset_t signal_{}, before_{};
};

/// 0 or errno.
int write_all(int fd, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno;
    bytes = bytes.subspan(size_t(n));
  }
  // Some file systems tell only now that they are full; those that cannot synchronise say EINVAL.
  while (::fdatasync(fd) != 0) {
    if (errno != EINTR) return errno == EINVAL ? 0 : errno;
  }
  return 0;
}

}  // namespace

std::string replace_file(const std::string& file, std::span<const std::byte> bytes, std::optional<unsigned> rights) {
  const NoFileSizeSignal guard;
  const std::string part = file + ".part";
  const int fd = ::open(part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, rights ? 0600 : 0666);
  if (fd < 0) return std::strerror(errno);
  int error = rights && ::fchmod(fd, mode_t(*rights)) != 0 ? errno : 0;
  if (error == 0) error = write_all(fd, bytes);
  if (::close(fd) != 0 && error == 0) error = errno;
  if (error == 0 && std::rename(part.c_str(), file.c_str()) != 0) error = errno;
  if (error == 0) return "";
  ::unlink(part.c_str());
  return std::strerror(error);
}

}  // namespace lithe
