#include "lithe/view/named_files.h"

#include <fmt/format.h>

#include <algorithm>

#include "lithe/describe/parsed_text.h"

namespace lithe {
namespace {

struct NamedFile {
  Location where;
  std::string key;
  std::filesystem::path path;  // without links and dots
};

/// Where a name leads, links followed; empty where that cannot be said, which is outside everything.
std::filesystem::path resolved(const std::filesystem::path& name) {
  std::error_code unknown;
  const std::filesystem::path path = std::filesystem::weakly_canonical(name, unknown);
  return unknown ? std::filesystem::path{} : path;
}

/// The keys whose values are names of files.
bool names_files(const std::string& key) {
  return key == "include" || key == "carrier" || key == "carries" || key == "file";
}

void gather(const Node& node, const std::filesystem::path& folder, std::vector<NamedFile>& files) {
  for (const Node& item : node.items) gather(item, folder, files);
  for (const Node::Entry& entry : node.entries) {
    gather(entry.value, folder, files);
    if (!names_files(entry.key)) continue;
    const auto add = [&](const Node& name) {
      if (name.kind != Node::Kind::scalar) return;
      // Readers open the name as it stands, or with its dots taken away first; where links are, that may be two files.
      for (const std::filesystem::path& path : {folder / name.scalar, (folder / name.scalar).lexically_normal()})
        files.push_back({name.where, entry.key, resolved(path)});
    };
    add(entry.value);
    std::for_each(entry.value.items.begin(), entry.value.items.end(), add);
  }
}

std::vector<NamedFile> files_in(const std::string& text, const std::string& file, const std::filesystem::path& folder) {
  std::vector<Problem> unread;  // whoever reads the case will tell
  std::vector<NamedFile> files;
  gather(parsed_text(text, file, unread), folder, files);
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
