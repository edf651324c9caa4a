#include "lithe/results/folder_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "lithe/error.h"

namespace lithe {

FolderLock::FolderLock(const std::string& folder) {
  fd_ = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd_ < 0) throw Error("cannot write " + folder + ": " + std::strerror(errno));
  while (::flock(fd_, LOCK_EX | LOCK_NB) != 0) {
    if (errno == EINTR) continue;
    if (errno != EWOULDBLOCK) return;
    ::close(fd_);
    throw Error("cannot write " + folder + ": another lithe is writing there; wait for it, or choose another folder");
  }
}
FolderLock::~FolderLock() { ::close(fd_); }

}  // namespace lithe
