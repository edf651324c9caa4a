// The only way in which lithe writes files: whatever happens, a name refers to the complete old file or the complete new one.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace lithe {

/// A file that is being written, also by other programs. It is beside the one that it will replace, under a unique name, and is moved
/// there when it is complete and on the disk; a process killed at any moment leaves the old file or the new one.
///
/// A link is followed: its target is replaced, and the link stays. The permissions of a replaced file are kept; those of a new one follow
/// the umask. A device, a pipe or a descriptor of this process (`/dev/stdout`) cannot be replaced and is written directly. A folder or a
/// disk is rejected.
class ReplacedFile {
 public:
  /// Throws std::runtime_error with the operating system's reason alone.
  explicit ReplacedFile(const std::string& file);
  /// Removes the file if it was not moved to its place.
  ~ReplacedFile();
  ReplacedFile(const ReplacedFile&) = delete;
  ReplacedFile& operator=(const ReplacedFile&) = delete;

  /// The temporary file to write to, which exists and is empty.
  const std::string& path() const;
  /// Moves it to its place and returns its number of bytes. Throws as the constructor does; the old file is then unchanged.
  size_t place();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Replaces `file` by `bytes` as a ReplacedFile does. Returns "" or the operating system's reason; the old file is
/// then unchanged. A file-size limit is such a reason, not the end of the process (SIGXFSZ).
std::string replace_file(const std::string& file, std::span<const std::byte> bytes);

/// The same with text, or throws Error: "cannot write FILE: " and the reason.
void write_text_file(const std::string& file, std::string_view text);

/// Removes temporary files of `file` that killed processes left. Only if no other process writes it (folder_lock.h).
void remove_leftovers(const std::string& file);

}  // namespace lithe
