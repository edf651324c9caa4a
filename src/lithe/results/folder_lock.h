#pragma once

#include <string>

namespace lithe {

/// Keeps a folder to one process of lithe that writes into it, so that the files of two runs do not mix. It ends with the
/// process, however that ends. Nothing is left in the folder.
class FolderLock {
 public:
  /// Throws Error, naming the folder, if another process holds it. On a file system without locks there is no
  /// protection.
  explicit FolderLock(const std::string& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int fd_ = -1;
};

}  // namespace lithe
