#include "lithe/view/named_files.h"

#include <fmt/format.h>

#include <algorithm>

#include "lithe/describe/file_names.h"

namespace lithe {
namespace {

struct NamedFile {
  Location where;
  std::string key;
  std::filesystem::path path;  // without links and dots
};

/// The target of a name, with links followed; empty if it cannot be determined, which counts as outside.
std::filesystem::path resolved(const std::filesystem::path& name) {
  std::error_code unknown;
  const std::filesystem::path path = std::filesystem::weakly_canonical(name, unknown);
  return unknown ? std::filesystem::path{} : path;
}

std::vector<NamedFile> files_in(const std::string& text, const std::string& file, const std::filesystem::path& folder) {
  std::vector<NamedFile> files;
  for (const FileName& one : file_names(text, file))
    // Readers open the name as it stands, or with its dots taken away first; where links are, that may be two files.
    for (const std::filesystem::path& path : {folder / one.name, (folder / one.name).lexically_normal()})
      files.push_back({one.where, one.key, resolved(path)});
  return files;
}

bool is_inside(const std::filesystem::path& path, const std::filesystem::path& folder) {
  return !path.empty() && std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
}

}  // namespace

NamedFiles::NamedFiles(const std::string& text, const std::string& file)
    : file_(file), folder_(std::filesystem::weakly_canonical(std::filesystem::absolute(file).parent_path())) {
  for (const NamedFile& named : files_in(text, file_, folder_))
    if (!named.path.empty()) known_.insert(named.path);
}

std::vector<Problem> NamedFiles::files_outside(const std::string& text) const {
  std::vector<Problem> problems;
  for (const NamedFile& named : files_in(text, file_, folder_))
    if (!is_inside(named.path, folder_) && !known_.contains(named.path))
      problems.push_back({Problem::Severity::error, named.where, named.key,
                          "this file is outside the folder of the case: the viewer opens such a file only if the case "
                          "named it before it was edited here"});
  return problems;
}

}  // namespace lithe
