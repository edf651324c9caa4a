#include "lithe/describe/file_names.h"

#include "lithe/describe/parsed_text.h"

namespace lithe {
namespace {

/// The keys whose values are names of files.
bool names_files(const std::string& key) {
  return key == "include" || key == "carrier" || key == "carries" || key == "file";
}

void gather(const Node& node, std::vector<FileName>& names) {
  for (const Node& item : node.items) gather(item, names);
  for (const Node::Entry& entry : node.entries) {
    gather(entry.value, names);
    if (!names_files(entry.key)) continue;
    const auto add = [&](const Node& name) {
      if (name.kind == Node::Kind::scalar) names.push_back({name.where, entry.key, name.scalar});
    };
    add(entry.value);
    for (const Node& item : entry.value.items) add(item);
  }
}

}  // namespace

std::vector<FileName> file_names(const std::string& text, const std::string& file) {
  std::vector<Problem> unread;  // the reader of the case reports them
  std::vector<FileName> names;
  gather(parsed_text(text, file, unread), names);
  return names;
}

}  // namespace lithe
