#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "lithe/describe/problem.h"

namespace lithe {

/// Which files a case edited in a browser may name: those in the folder of the case and below, and those that it named when the
/// viewer was started. Files that such a file names are not restricted.
class NamedFiles {
 public:
  /// `file` need not exist: relative names are relative to its folder.
  NamedFiles(const std::string& text, const std::string& file);

  /// Names in a text that refer to other files than these, each with its place. No file is opened.
  std::vector<Problem> files_outside(const std::string& text) const;

 private:
  std::string file_;
  std::filesystem::path folder_;
  std::set<std::filesystem::path> known_;
};

}  // namespace lithe
