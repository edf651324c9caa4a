#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "lithe/describe/limits.h"
#include "lithe/describe/problem.h"

namespace lithe {

/// What reading one document may still take. Includes, aliases and composed arms let a few bytes stand for many: all of a
/// document draws on one budget, before anything is made. Once it is spent, that has been said and nothing more is read.
class DocumentBudget {
 public:
  /// Complaints go to `problems`.
  explicit DocumentBudget(std::vector<Problem>& problems) : problems_(problems) {}

  bool spent() const { return spent_; }
  std::size_t bytes_left() const { return bytes_; }

  // Each says whether there was as much left; where not, complains at `where` about the field `path`.
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
