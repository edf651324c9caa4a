#include "lithe/describe/document_budget.h"

#include <fmt/format.h>

#include "lithe/describe/whole_file.h"

namespace lithe {

bool DocumentBudget::take_file(const Location& where, const std::string& path) {
  if (spent_) return false;
  if (files_-- > 0) return true;
  return refuse(where, path,
                fmt::format("more than {} files for one case, each counted every time it is read: use fewer includes",
                            limits::document_files));
}

bool DocumentBudget::take_bytes(std::size_t n, const Location& where, const std::string& path) {
  if (spent_) return false;
  if (n <= bytes_) {
    bytes_ -= n;
    return true;
  }
  return refuse(where, path,
                fmt::format("more than {} in the files of one case, each counted every time it is read: put numbers "
                            "into tables and imported links",
                            shown_bytes(limits::document_bytes)));
}

bool DocumentBudget::take_nodes(std::size_t n, const Location& where) {
  if (spent_) return false;
  if (n <= nodes_) {
    nodes_ -= n;
    return true;
  }
  return refuse(
      where, "",
      fmt::format("more than {} values in one case, aliases and includes expanded: use a shorter list, or a table",
                  limits::document_nodes));
}

bool DocumentBudget::refuse(const Location& where, const std::string& path, std::string message) {
  spent_ = true;
  problems_.push_back({Problem::Severity::error, where, path, std::move(message)});
  return false;
}

}  // namespace lithe
