#pragma once

#include <map>
#include <string>
#include <vector>

#include "lithe/error.h"

namespace lithe {

/// A place in a text: `file:line:column`, both counted from one; line 0 means the file (or option) as a whole.
struct Location {
  std::string file;
  int line = 0, column = 0;
};

/// Where each field of a case was written: path (`arm.links[1].beam.length`) to place.
using SourceMap = std::map<std::string, Location>;

/// One mistake in a case, or one warning about it.
struct Problem {
  enum class Severity { error, warning };
  Severity severity = Severity::error;
  Location where;
  std::string path;  // of the field, e.g. arm.links[1].beam.length; empty for the file as a whole
  std::string message;

  /// `case.yaml:12:7: links[1].beam.length: expected a length, got "3 kg"`. The leading `arm.` of a path is omitted.
  std::string text() const;
};

/// The user's file is wrong. Holds every mistake, not only the first.
class CaseError : public Error {
 public:
  explicit CaseError(std::vector<Problem> problems);
  const std::vector<Problem>& problems() const { return problems_; }

 private:
  std::vector<Problem> problems_;
};

/// A case that could be read, but describes an arm or a drive that is not possible. `path` names the field, as in `Problem`;
/// the caller that knows the file adds the place.
class FieldError : public Error {
 public:
  FieldError(std::string path, const std::string& message) : Error(message, std::move(path)) {}
  const std::string& path() const { return where(); }
};

/// The path of a field as users see it: without the leading `arm.`.
std::string shown_path(const std::string& path);

}  // namespace lithe
