#include "lithe/describe/problem.h"

#include <fmt/format.h>

#include "lithe/describe/printable.h"

namespace lithe {

std::string shown_path(const std::string& path) { return path.starts_with("arm.") ? path.substr(4) : path; }

namespace {
/// `case.yaml:12:7`, or the file alone, or nothing.
std::string place_of(const Problem& problem) {
  const Location& where = problem.where;
  return where.line > 0 ? fmt::format("{}:{}:{}", where.file, where.line, where.column) : where.file;
}
}  // namespace

std::string Problem::text() const {
  std::string text = place_of(*this);
  if (!text.empty()) text += ": ";
  if (severity == Severity::warning) text += "warning: ";
  if (!path.empty()) text += shown_path(path) + ": ";
  return printable(text + message);
}

namespace {
std::string joined(const std::vector<Problem>& problems) {
  std::string all;
  for (const Problem& problem : problems) all += (all.empty() ? "" : "\n") + problem.text();
  return all;
}
}  // namespace

CaseError::CaseError(std::vector<Problem> problems)
    : Error(joined(problems), problems.empty() ? "" : place_of(problems.front())), problems_(std::move(problems)) {}

}  // namespace lithe
