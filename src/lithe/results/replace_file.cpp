#include "lithe/results/replace_file.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <vector>

#include "lithe/error.h"
#include "lithe/results/own_folder.h"

namespace lithe {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(int error) { throw std::runtime_error(std::strerror(error)); }

/// Closes itself, unless closed before to hear whether that went well.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {
    if (fd < 0) fail(errno);
  }
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  operator int() const { return fd_; }
  void close() {
    const int fd = fd_;
    fd_ = -1;
    if (::close(fd) != 0 && errno != EINTR) fail(errno);
  }

 private:
  int fd_;
};

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

void write_all(int fd, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail(errno);
    bytes = bytes.subspan(size_t(n));
  }
}

/// Some file systems say only now that they are full; those that cannot synchronise say EINVAL.
void bring_to_disk(int fd) {
  while (::fsync(fd) != 0) {
    if (errno == EINTR) continue;
    if (errno == EINVAL || errno == EROFS || errno == ENOTSUP) return;
    fail(errno);
  }
}

// ------------------------------------------------------------------------------------------------ what a name leads to

/// Where bytes go: a regular file (or none yet) at `path`; or a descriptor of ours; or something else at `path`.
struct Target {
  fs::path path;
  int descriptor = -1;
  bool special = false;
  std::optional<struct stat> before;  // the regular file that is there

  bool replaced() const { return descriptor < 0 && !special; }
};

/// N of /dev/fd/N and /proc/self/fd/N, or −1. Opened by name, a file there would be written from its beginning.
int own_descriptor(const fs::path& path) {
  int fd = -1;
  const std::string name = path.filename().string();
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), fd);
  if (error != std::errc() || end != name.data() + name.size() || fd < 0) return -1;
  std::error_code none;
  const fs::path folder = fs::canonical(path.parent_path(), none);
  return !none && folder == fs::canonical("/proc/self/fd", none) ? fd : -1;
}

/// Others may plant links in folders that everybody can write to; the operating system does not follow those either.
void check_link(const fs::path& link, const struct stat& status) {
  struct stat folder {};
  const fs::path parent = link.parent_path();
  if (::stat(parent.empty() ? "." : parent.c_str(), &folder) != 0) fail(errno);
  const bool everybodys = (folder.st_mode & S_ISVTX) != 0 && (folder.st_mode & S_IWOTH) != 0;
  if (everybodys && status.st_uid != ::geteuid() && status.st_uid != folder.st_uid)
    throw std::runtime_error("a link that another user made");
}

Target target_of(const std::string& file) {
  Target target;
  target.path = file;
  if (file.empty()) fail(ENOENT);
  constexpr int most_links = 40;
  for (int k = 0; k < most_links; ++k) {
    target.descriptor = own_descriptor(target.path);
    if (target.descriptor >= 0) return target;
    struct stat status {};
    if (::lstat(target.path.c_str(), &status) != 0) {
      if (errno != ENOENT) fail(errno);
      if (!target.path.has_filename()) fail(EISDIR);
      return target;
    }
    if (S_ISLNK(status.st_mode)) {
      check_link(target.path, status);
      target.path = target.path.parent_path() / fs::read_symlink(target.path);  // an absolute path is used as it is
      continue;
    }
    if (S_ISDIR(status.st_mode)) fail(EISDIR);
    if (S_ISBLK(status.st_mode)) throw std::runtime_error("a disk, not a file");
    target.special = !S_ISREG(status.st_mode);
    if (target.special) return target;
    // Replacing needs only permissions of the folder, but a read-only file must not be replaced.
    if (::faccessat(AT_FDCWD, target.path.c_str(), W_OK, AT_EACCESS) != 0) fail(errno);
    target.before = status;
    return target;
  }
  fail(ELOOP);
}

/// To write into what cannot be replaced.
int opened(const Target& target) {
  return target.descriptor >= 0 ? ::fcntl(target.descriptor, F_DUPFD_CLOEXEC, 0)
                                : ::open(target.path.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC);
}

// ------------------------------------------------------------------------------------------------ names in the making

// `.NAME.0123456789abcdef.part`: hidden, and as long as names may be.
constexpr size_t n_digits = 16, longest_stem = 200;
constexpr std::string_view ending = ".part";

std::string stem_of(const fs::path& file) { return "." + file.filename().string().substr(0, longest_stem) + "."; }

std::string random_digits() {
  std::array<unsigned char, n_digits / 2> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != ssize_t(bytes.size())) fail(EIO);
  std::string digits;
  for (const unsigned char byte : bytes) {
    digits += "0123456789abcdef"[byte >> 4];
    digits += "0123456789abcdef"[byte & 15];
  }
  return digits;
}

fs::path folder_of(const fs::path& file) { return file.has_parent_path() ? file.parent_path() : fs::path("."); }

/// Copies permissions and owner of the replaced file. If the owner may not be changed, the new one stays.
void keep_rights(int fd, const struct stat& before) {
  if ((before.st_uid != ::geteuid() || before.st_gid != ::getegid()) &&
      ::fchown(fd, before.st_uid, before.st_gid) != 0 && errno != EPERM && errno != EINVAL)
    fail(errno);
  if (::fchmod(fd, before.st_mode & 0777) != 0) fail(errno);
}

/// See ReplacedFile.
struct InTheMaking {
  Target target;
  std::optional<OwnFolder> folder;  // for what cannot be replaced: there may be no room beside it
  std::string path;
  std::optional<Descriptor> fd;
  bool placed = false;

  explicit InTheMaking(Target found) : target(std::move(found)) {
    if (!target.replaced()) folder.emplace("file");
    const fs::path beside = folder ? fs::path(folder->path()) / "file" : target.path;
    while (!fd) {
      const std::string name =
          (beside.parent_path() / (stem_of(beside) + random_digits() + std::string(ending))).string();
      const int made =
          ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, target.before ? 0600 : 0666);
      if (made < 0 && errno == EEXIST) continue;
      fd.emplace(made);
      path = name;
    }
  }
  ~InTheMaking() {
    if (!placed && !path.empty()) ::unlink(path.c_str());
  }
  InTheMaking(const InTheMaking&) = delete;
  InTheMaking& operator=(const InTheMaking&) = delete;

  void place() {
    if (folder) return copy();
    if (target.before) keep_rights(*fd, *target.before);
    bring_to_disk(*fd);
    fd->close();
    if (std::rename(path.c_str(), target.path.c_str()) != 0) fail(errno);
    placed = true;
    // The new name is on the disk when the folder is; one that may be written but not read cannot be asked.
    const int parent = ::open(folder_of(target.path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (parent >= 0) bring_to_disk(Descriptor(parent));
  }

  void copy() const {
    const Descriptor from(::open(path.c_str(), O_RDONLY | O_CLOEXEC)), to(opened(target));
    std::vector<std::byte> buffer(1 << 16);
    while (true) {
      const ssize_t n = ::read(from, buffer.data(), buffer.size());
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) fail(errno);
      if (n == 0) return;
      write_all(to, {buffer.data(), size_t(n)});
    }
  }
};

}  // namespace

struct ReplacedFile::Impl : InTheMaking {
  using InTheMaking::InTheMaking;
};

ReplacedFile::ReplacedFile(const std::string& file) : impl_(std::make_unique<Impl>(target_of(file))) {}
ReplacedFile::~ReplacedFile() = default;
const std::string& ReplacedFile::path() const { return impl_->path; }

size_t ReplacedFile::place() {
  struct stat status {};
  if (::fstat(*impl_->fd, &status) != 0) fail(errno);
  impl_->place();
  return size_t(status.st_size);
}

std::string replace_file(const std::string& file, std::span<const std::byte> bytes) {
  const NoFileSizeSignal guard;
  try {
    Target target = target_of(file);
    if (target.replaced()) {
      InTheMaking making(std::move(target));
      write_all(*making.fd, bytes);
      making.place();
    } else {
      Descriptor fd(opened(target));
      write_all(fd, bytes);
      fd.close();
    }
    return "";
  } catch (const std::runtime_error& reason) {
    return reason.what();
  }
}

void write_text_file(const std::string& file, std::string_view text) {
  if (const std::string reason = replace_file(file, std::as_bytes(std::span(text))); !reason.empty())
    throw Error("cannot write " + file + ": " + reason, file);
}

void remove_leftovers(const std::string& file) {
  std::error_code error;
  const std::string stem = stem_of(file);
  std::vector<fs::path> found;
  for (fs::directory_iterator it(folder_of(file), error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    if (name.size() == stem.size() + n_digits + ending.size() && name.starts_with(stem) && name.ends_with(ending) &&
        name.find_first_not_of("0123456789abcdef", stem.size()) == stem.size() + n_digits)
      found.push_back(it->path());
  }
  for (const fs::path& leftover : found) fs::remove(leftover, error);
}

}  // namespace lithe
