#include "lithe/describe/case_difference.h"

#include <fmt/format.h>

#include <algorithm>

#include "lithe/describe/parsed_text.h"

namespace lithe {
namespace {

using Differences = std::vector<CaseDifference>;

std::string shown(const Node* node) { return node == nullptr ? "nothing" : node->shown(); }

/// Either may be null if a case does not have the node.
void compare(const Node* there, const Node* here, const std::string& path, Differences& differences) {
  if (there == nullptr && here == nullptr) return;
  const bool alike = there != nullptr && here != nullptr && there->kind == here->kind;
  if (!alike || there->scalar != here->scalar || there->items.size() != here->items.size()) {
    differences.push_back({path, shown(there), shown(here)});
    return;
  }
  for (size_t i = 0; i < here->items.size(); ++i)
    compare(&there->items[i], &here->items[i], fmt::format("{}[{}]", path, i), differences);
  auto at = [&](const std::string& key) { return path.empty() ? key : path + "." + key; };
  for (const Node::Entry& entry : here->entries)
    compare(there->find(entry.key), &entry.value, at(entry.key), differences);
  for (const Node::Entry& entry : there->entries)
    if (here->find(entry.key) == nullptr) compare(&entry.value, nullptr, at(entry.key), differences);
}

Node tree_of(const std::string& text) {
  std::vector<Problem> problems;
  return parsed_text(text, "", problems);
}

const std::string* text_of(const PortableCase& data, const std::string& name) {
  const auto found =
      std::find_if(data.files.begin(), data.files.end(), [&](const CarriedFile& file) { return file.name == name; });
  return found == data.files.end() ? nullptr : &found->text;
}

}  // namespace

std::vector<CaseDifference> case_differences(const std::string& there, const std::string& here) {
  const Node a = tree_of(there), b = tree_of(here);
  Differences differences;
  compare(&a, &b, "", differences);
  return differences;
}

std::vector<CaseDifference> arm_differences(const PortableCase& there, const PortableCase& here) {
  const Node a = tree_of(there.text), b = tree_of(here.text);
  const Node *arm_a = a.find("arm"), *arm_b = b.find("arm");
  Differences differences;
  compare(arm_a, arm_b, "arm", differences);
  // Files that the arm names by the keys down to them.
  const auto compare_files = [&](const Node& from, std::initializer_list<const char*> keys, std::string path) {
    const Node* file = &from;
    for (const char* const key : keys) {
      path += fmt::format(".{}", key);
      file = file->find(key);
      if (file == nullptr) return;
    }
    const std::string *text_a = text_of(there, file->scalar), *text_b = text_of(here, file->scalar);
    if (text_a != nullptr && text_b != nullptr && *text_a != *text_b)
      differences.push_back({path, "another text", "another text"});
  };
  const Node* links = arm_b == nullptr ? nullptr : arm_b->find("links");
  for (size_t i = 0; links != nullptr && i < links->items.size(); ++i) {
    compare_files(links->items[i], {"imported", "file"}, fmt::format("arm.links[{}]", i));
    compare_files(links->items[i], {"rigid", "shape", "mesh", "file"}, fmt::format("arm.links[{}]", i));
  }
  const Node* base = arm_b == nullptr ? nullptr : arm_b->find("base");
  if (base != nullptr) compare_files(*base, {"rigid", "shape", "mesh", "file"}, "arm.base");
  return differences;
}

std::string first_of(const std::vector<CaseDifference>& differences) {
  if (differences.empty()) return "its text";
  const CaseDifference& first = differences.front();
  std::string text = first.there == first.here
                         ? fmt::format("{} has changed", first.path)
                         : fmt::format("{} is {} there and {} here", first.path, first.there, first.here);
  if (differences.size() > 1) text += fmt::format(" (and {} more)", differences.size() - 1);
  return text;
}

}  // namespace lithe
