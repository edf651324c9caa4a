#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace lithe {

/// A place in a text: `file:line:column`, both counted from one; line 0 means the file (or option) as a whole.
struct Location {
  std::string file;
  int line = 0, column = 0;
};

/// One mistake, or one doubt, about a case.
struct Problem {
  enum class Severity { error, warning };
  Severity severity = Severity::error;
  Location where;
  std::string path;  // of the field, e.g. arm.links[1].beam.length; empty for the file as a whole
  std::string message;

  /// `case.yaml:12:7: links[1].beam.length: expected a length, got "3 kg"`. The leading `arm.` of a path is left out.
  std::string text() const;
};

/// The user's file is wrong. Holds every mistake found, not the first one only.
class CaseError : public std::runtime_error {
 public:
  explicit CaseError(std::vector<Problem> problems);
  const std::vector<Problem>& problems() const { return problems_; }

 private:
  std::vector<Problem> problems_;
};

/// A case that reads well but makes no sense to a later room: no such arm, no such drive. `path` names the field, as in
/// `Problem`; the place is added by whoever knows the file.
class FieldError : public std::runtime_error {
 public:
  FieldError(std::string path, const std::string& message) : std::runtime_error(message), path_(std::move(path)) {}
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// `field` as users see it: paths inside `arm` are said without it.
std::string shown_path(const std::string& path);

}  // namespace lithe
