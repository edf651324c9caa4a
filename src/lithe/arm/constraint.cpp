#include "lithe/arm/constraint.h"

#include <fmt/format.h>

namespace lithe {

std::string Constraint::broken(double slip) const {
  return fmt::format("violates a constraint: {} rates, and these are off by {:.3g}", what_binds(), slip);
}

const Arm& refuse_constraints(const Arm& arm, std::string_view who) {
  if (arm.constraints().empty()) return arm;
  const Constraint& first = *arm.constraints().front();
  throw UnsupportedError(
      first.path(),
      fmt::format(
          "{}: {} rates, which it does not support; `eval` and runs support constraints (except with midpoint and "
          "finite-element), linear analyses do not (in C++: ConstrainedDynamics, or arm.without_constraints())",
          who, first.what_binds()));
}

int n_constraint_rows(const Arm& arm) {
  int n = 0;
  for (const auto& constraint : arm.constraints()) n += constraint->n_rows();
  return n;
}

}  // namespace lithe
