#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "lithe/describe/limits.h"
#include "lithe/describe/problem.h"

namespace lithe {

/// What may still be read for one document. Includes, aliases and composed arms can turn a few bytes into many, so everything is
/// taken from one budget before it is made. When the budget is spent, this is reported once and reading stops.
class DocumentBudget {
 public:
  /// Errors are added to `problems`.
  explicit DocumentBudget(std::vector<Problem>& problems) : problems_(problems) {}

  bool spent() const { return spent_; }
  std::size_t bytes_left() const { return bytes_; }

  // Each returns whether enough was left. Where it was not, reports this at `where` for the field `path`.
  bool take_file(const Location& where, const std::string& path);
  bool take_bytes(std::size_t n, const Location& where, const std::string& path);
  bool take_nodes(std::size_t n, const Location& where);

 private:
  bool refuse(const Location& where, const std::string& path, std::string message);

  std::vector<Problem>& problems_;
  int files_ = limits::document_files;
  std::size_t bytes_ = limits::document_bytes, nodes_ = std::size_t(limits::document_nodes);
  bool spent_ = false;
};

}  // namespace lithe
