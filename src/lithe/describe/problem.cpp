#include "lithe/describe/problem.h"

#include <fmt/format.h>

#include "lithe/describe/printable.h"

namespace lithe {

std::string shown_path(const std::string& path) { return path.starts_with("arm.") ? path.substr(4) : path; }

std::string Problem::text() const {
  std::string text = where.file;
  if (where.line > 0) text += fmt::format(":{}:{}", where.line, where.column);
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
    : std::runtime_error(joined(problems)), problems_(std::move(problems)) {}

}  // namespace lithe
