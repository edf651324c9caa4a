// The one way in which lithe writes files: what stands at a name is the old file or the new one, whole, whatever happens.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace lithe {

/// A file in the making, for other programs to write into. It lies beside the one it will replace, under a name of its own that
/// no other process has, and is moved there when it is whole and on the disk; a process killed at any moment leaves the old
/// file or the new one.
///
/// A link is followed: what it leads to is replaced, and the link stays. Rights of a file that is replaced are kept, new ones
/// are as the umask has them. A device, a pipe or a descriptor of this process (`/dev/stdout`) cannot be replaced: it is
/// written into. A folder or a disk is refused.
class ReplacedFile {
 public:
  /// Throws std::runtime_error with the operating system's reason alone.
  explicit ReplacedFile(const std::string& file);
  /// Removes what was not placed.
  ~ReplacedFile();
  ReplacedFile(const ReplacedFile&) = delete;
  ReplacedFile& operator=(const ReplacedFile&) = delete;

  /// Where to write meanwhile. The file is there, and empty.
  const std::string& path() const;
  /// Puts it in its place and gives how many bytes it has. Throws as the constructor does; the old file is then untouched.
  size_t place();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Puts `bytes` in the place of `file` as a ReplacedFile does. Returns "" or the operating system's reason; the old file is
/// then untouched. A file-size limit is such a reason, not the end of the process (SIGXFSZ).
std::string replace_file(const std::string& file, std::span<const std::byte> bytes);

/// The same with text, or throws Error: "cannot write FILE: " and the reason.
void write_text_file(const std::string& file, std::string_view text);

/// Removes what killed processes left of `file` in the making. Only where no other process writes it (folder_lock.h).
void remove_leftovers(const std::string& file);

}  // namespace lithe
