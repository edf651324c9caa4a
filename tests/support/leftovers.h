#pragma once

#include <filesystem>
#include <string>

namespace lithe::testing {

/// How many files in the making are in a folder (lithe/results/replace_file.h).
inline int n_leftovers(const std::string& folder) {
  int n = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) n += entry.path().extension() == ".part";
  return n;
}

}  // namespace lithe::testing
