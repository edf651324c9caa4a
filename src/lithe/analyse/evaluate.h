#pragma once

#include <span>
#include <string>
#include <variant>
#include <vector>

#include "lithe/arm/kinematics.h"
#include "lithe/dynamics/constrained_dynamics.h"

namespace lithe {

/// A quantity of an arm at a state that can be asked for by name.
struct EvaluatedItem {
  const char* name;
  const char* help;
  bool by_default;  // whether `lithe eval` prints it by default
};
/// mass_matrix, bias, gravity, …, momentum.
std::span<const EvaluatedItem> evaluated_items();
/// Their names, and those of the blocks of a composed arm (dynamics/composed).
std::vector<std::string> evaluated_names();

/// The state and the forces at which quantities are evaluated.
struct EvaluationPoint {
  State state;
  Kinematics kin;     // of that state
  VectorXd tau;       // nv: for `acceleration`
  VectorXd vdot;      // nv: for `torque`
  int i_tip = 0;      // the link whose tip is used
  std::string split;  // the link at whose joint the arm is cut, for blocks (arm/cut.h); empty: at the last mount
};

/// A number, a vector, a matrix (row by row as docs/notation.md has them), or a pose in the world.
using EvaluatedValue = std::variant<double, VectorXd, MatrixXd, Pose>;

/// One quantity by its name, from the formulation of `dynamics`; constraints act on accelerations. Throws std::invalid_argument for
/// an unknown name or an arm that does not have the quantity, UnsupportedError, SingularError.
EvaluatedValue evaluate(const std::string& name, ConstrainedDynamics& dynamics, const EvaluationPoint& at);

/// Throws FieldError for an arm with too many coordinates for a dense matrix. `who` needs it; `instead` says what to do.
void demand_dense(const Arm& arm, const std::string& who, const std::string& instead);

}  // namespace lithe
