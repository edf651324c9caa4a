#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace lithe {

/// Base of the exceptions of the library, so that one `catch` catches them all: the user's file is wrong (CaseError,
/// FieldError), a run stopped (RunError, StepError), a file cannot be written (ResultsError), and so on. Errors in the calling code
/// are not among them: unknown names are std::invalid_argument, violated demands std::logic_error.
///
/// what() is the whole text, as the program prints it; where() and advice() are parts of it for programs that show them
/// separately. Any thread may copy and read it.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& text, std::string where = {}, std::string advice = {})
      : std::runtime_error(text), where_(std::move(where)), advice_(std::move(advice)) {}

  /// The place: `file:line:column`, a file, or a field of the case (`arm.links[1].beam.length`). Empty if none is known.
  const std::string& where() const { return where_; }
  /// What to try. Empty if there is no advice.
  const std::string& advice() const { return advice_; }

 private:
  std::string where_, advice_;
};

}  // namespace lithe
