#pragma once

#include <string>

namespace lithe {

/// A temporary folder of this process, removed with its contents when the object is destroyed.
class OwnFolder {
 public:
  /// `purpose` becomes part of its name. Throws Error with the operating system's reason.
  explicit OwnFolder(const std::string& purpose);
  ~OwnFolder();
  OwnFolder(const OwnFolder&) = delete;
  OwnFolder& operator=(const OwnFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace lithe
