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

std::vector<NamedFile> files_in(const std::string& text, const std::string& file, const std::filesystem::path& folder) {
  std::vector<NamedFile> files;
  for (const FileName& one : file_names(text, file))
    files.push_back({one.where, one.key, std::filesystem::weakly_canonical(folder / one.name)});
  return files;
}

bool is_inside(const std::filesystem::path& path, const std::filesystem::path& folder) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
}

}  // namespace

NamedFiles::NamedFiles(const std::string& text, const std::string& file)
    : file_(file), folder_(std::filesystem::weakly_canonical(std::filesystem::absolute(file).parent_path())) {
  for (const NamedFile& named : files_in(text, file_, folder_)) known_.insert(named.path);
}

std::vector<Problem> NamedFiles::strangers(const std::string& text) const {
  std::vector<Problem> problems;
  for (const NamedFile& named : files_in(text, file_, folder_))
    if (!is_inside(named.path, folder_) && !known_.contains(named.path))
      problems.push_back(
          {Problem::Severity::error, named.where, named.key,
           "this file is outside the folder of the case: the viewer opens such files only where the case "
           "named them before it was edited here"});
  return problems;
}

}  // namespace lithe
