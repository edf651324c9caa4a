#include "lithe/describe/case_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <tuple>

#include "lithe/describe/case_checks.h"
#include "lithe/describe/case_schema.h"
#include "lithe/describe/fields/case_fields.h"
#include "lithe/describe/joint_names.h"
#include "lithe/describe/object_reader.h"
#include "lithe/describe/plausible.h"

namespace lithe {
namespace {

/// Fills in names that follow from others.
void fill_in(Case& data) {
  for (LinkSpec& link : data.arm.links) link.joint.name = joint_name(link);
}

/// Whether a physical check of field `checked` may rest on what could not be read at `unread`: the same field, one inside the
/// other, or two fields of one body, section or the like, whose numbers only make sense together.
bool rests_on(const std::string& checked, const std::string& unread) {
  auto parent = [](const std::string& path) { return path.substr(0, path.find_last_of(".[")); };
  if (unread.starts_with(checked) || unread == parent(checked) || unread == parent(parent(checked))) return true;
  for (const char* whole :
       {".rigid", ".payload", ".section", ".limits", ".base", ".motor", ".servo", ".flexibility", "simulate"})
    if (const size_t at = checked.find(whole); at != std::string::npos) {
      size_t end = at + std::strlen(whole);
      if (end < checked.size() && checked[end] == '[') end = checked.find(']', end) + 1;  // one body of several
      if (unread.starts_with(checked.substr(0, end))) return true;
    }
  return false;
}

/// What was written at a path; "" where nothing was, or no scalar.
std::string text_at(const Node& root, const std::string& path) {
  const Node* node = &root;
  for (size_t start = 0; start < path.size() && node != nullptr;) {
    const size_t end = std::min(path.find_first_of(".[", start), path.size());
    if (start > 0 && path[start - 1] == '[') {
      const size_t index = std::stoul(path.substr(start));
      node = index < node->items.size() ? &node->items[index] : nullptr;
    } else if (end > start) {
      node = node->find(path.substr(start, end - start));
    }
    start = end + 1;
  }
  return node == nullptr ? "" : node->scalar;
}

CaseFile finish(const Node& root, std::vector<Problem> problems) {
  if (!problems.empty()) throw CaseError(std::move(problems));
  CaseFile file;
  Reading reading;
  ObjectReader::read(root, "", reading, object_ref(file.data), {});
  file.source = std::move(reading.source);
  // Physical checks run even where something could not be read, but not on those fields: a missing number would cause a
  // second, misleading message.
  fill_in(file.data);
  for (Problem& problem : check_case(file.data)) {
    auto doubted = [&](const std::string& unread) { return rests_on(problem.path, unread); };
    if (problem.where.file.empty()) {  // otherwise it is in a file that the case names
      if (std::any_of(reading.unread.begin(), reading.unread.end(), doubted)) continue;
      problem.where = file.locate(problem.path);
    }
    if (problem.severity == Problem::Severity::error)
      reading.problems.push_back({problem.where, problem});
    else
      file.warnings.push_back(problem);
  }
  if (!reading.problems.empty()) {
    std::stable_sort(
        reading.problems.begin(), reading.problems.end(), [](const Reading::Listed& a, const Reading::Listed& b) {
          return std::tie(a.rank.file, a.rank.line, a.rank.column) < std::tie(b.rank.file, b.rank.line, b.rank.column);
        });
    for (Reading::Listed& listed : reading.problems) problems.push_back(std::move(listed.problem));
    if (reading.unlisted > 0)
      problems.push_back({Problem::Severity::error,
                          {root.where.file, 0, 0},
                          "",
                          fmt::format("and {} more mistakes", reading.unlisted)});
    throw CaseError(std::move(problems));
  }
  for (Problem& doubt : doubts_about(file.data, [&](const std::string& path) { return text_at(root, path); })) {
    doubt.where = file.locate(doubt.path);
    file.warnings.push_back(std::move(doubt));
  }
  return file;
}

}  // namespace

const std::vector<std::string>& case_keys() {
  static const std::vector<std::string> keys = [] {
    std::vector<std::string> all;
    const JsonTree schema = case_schema_tree();
    for (const auto& [key, property] : schema.at("properties").members()) all.push_back(key);
    return all;
  }();
  return keys;
}

Location CaseFile::locate(std::string path) const {
  while (true) {
    if (const auto found = source.find(path); found != source.end()) return found->second;
    const size_t cut = path.find_last_of(".[");
    if (cut == std::string::npos) break;
    path.resize(cut);
  }
  const auto root = source.find("");
  return root == source.end() ? Location{} : root->second;
}

CaseFile read_case(const std::string& file, const std::vector<Override>& overrides) {
  std::vector<Problem> problems;
  const Node root = load_document(file, overrides, problems);
  return finish(root, std::move(problems));
}

CaseFile read_case_text(const std::string& text, const std::string& name, const std::vector<Override>& overrides) {
  std::vector<Problem> problems;
  const Node root = parse_document(text, name, overrides, problems);
  return finish(root, std::move(problems));
}

}  // namespace lithe
