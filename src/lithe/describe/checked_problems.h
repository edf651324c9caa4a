#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "lithe/describe/case.h"
#include "lithe/describe/problem.h"

namespace lithe {

/// The results of the checks of a case: problems, listed up to a limit and counted beyond it, and the size of the data files that
/// the case names.
class CheckedProblems {
 public:
  void add(Problem problem);
  std::vector<Problem>& list() { return problems_; }

  /// Adds the size of a table or an imported link, each time it is named; a problem at the path where the sum exceeds the limit.
  void count_data(size_t bytes, const std::string& path);
  bool too_much_data() const;
  /// The same for the operations that the integral of a density formula takes, which count once where it occurs again (density_cost).
  void count_formula(const std::string& key, std::int64_t operations, const std::string& path);
  /// Of data or of formulas: the case is refused, and nothing more of either should be asked for.
  bool too_much() const;

  /// The problems, with a last one about those that are not listed.
  std::vector<Problem> finished();

 private:
  std::vector<Problem> problems_;
  size_t unlisted_ = 0;           // beyond those that are listed
  bool unlisted_errors_ = false;  // some of them are errors
  size_t data_bytes_ = 0;
  std::set<std::string> formulas_;
  std::int64_t formula_operations_ = 0;
};

/// Base of the checks of one subject.
class CheckBase {
 protected:
  explicit CheckBase(CheckedProblems& problems) : problems_(problems) {}
  void error(const std::string& path, std::string message) {
    problems_.add({Problem::Severity::error, {}, path, std::move(message)});
  }
  void warning(const std::string& path, std::string message) {
    problems_.add({Problem::Severity::warning, {}, path, std::move(message)});
  }
  CheckedProblems& problems_;
};

// The subjects other than the arm itself (case_checks.cpp).
void check_beam(const Beam& beam, const std::string& path, CheckedProblems& problems);
/// A body that a link carries.
void check_payload(const LinkSpec& link, const Payload& payload, const std::string& path, CheckedProblems& problems);
void check_profile(const Profile& profile, const std::string& path, CheckedProblems& problems);
/// What drives the arm, and how it is simulated.
void check_run(const Case& data, CheckedProblems& problems);
void check_events(const Case& data, CheckedProblems& problems);
void check_gauges(const Case& data, CheckedProblems& problems);

}  // namespace lithe
