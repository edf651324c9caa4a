#include "lithe/describe/checked_problems.h"

#include <fmt/format.h>

#include "lithe/describe/limits.h"
#include "lithe/describe/whole_file.h"

namespace lithe {

void CheckedProblems::add(Problem problem) {
  if (problems_.size() < limits::problems_listed) {
    problems_.push_back(std::move(problem));
    return;
  }
  ++unlisted_;
  unlisted_errors_ |= problem.severity == Problem::Severity::error;
}

void CheckedProblems::count_data(size_t bytes, const std::string& path) {
  const bool enough = !too_much_data();
  data_bytes_ += bytes;
  if (enough && too_much_data())
    add({Problem::Severity::error,
         {},
         path,
         fmt::format("more than {} in tables and imported links, each counted every time it is named: use fewer or "
                     "smaller ones",
                     shown_bytes(limits::data_bytes))});
}

bool CheckedProblems::too_much_data() const { return data_bytes_ > limits::data_bytes; }

void CheckedProblems::count_formula(const std::string& key, std::int64_t operations, const std::string& path) {
  const bool enough = !too_much();
  if (formulas_.insert(key).second) formula_operations_ += operations;
  if (enough && too_much())
    add({Problem::Severity::error,
         {},
         path,
         fmt::format("more than {:g} operations to integrate the density formulas so far: use fewer, shorter or "
                     "smoother ones",
                     double(limits::formula_operations))});
}

bool CheckedProblems::too_much() const { return too_much_data() || formula_operations_ > limits::formula_operations; }

std::vector<Problem> CheckedProblems::finished() {
  if (unlisted_ > 0)
    problems_.push_back({unlisted_errors_ ? Problem::Severity::error : Problem::Severity::warning,
                         {},
                         "",
                         fmt::format("and {} more mistakes or doubts", unlisted_)});
  return std::move(problems_);
}

}  // namespace lithe
