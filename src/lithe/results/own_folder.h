#pragma once

#include <string>

namespace lithe {

/// A temporary folder of this process's own, removed with all in it when the object goes.
class OwnFolder {
 public:
  /// `purpose` stands in its name. Throws Error with the operating system's reason.
  explicit OwnFolder(const std::string& purpose);
  ~OwnFolder();
  OwnFolder(const OwnFolder&) = delete;
  OwnFolder& operator=(const OwnFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace lithe
