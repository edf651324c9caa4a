#pragma once

#include <complex>
#include <string>
#include <vector>

#include "lithe/drive/drives.h"
#include "lithe/dynamics/formulation.h"

namespace lithe {

/// ẋ = A x + B u, y = C x + D u about a state: x = [Δz; Δż], with states of control laws after them in a closed loop; u joint
/// torques, all deviations.
struct LinearModel {
  MatrixXd A, B, C, D;
  std::vector<std::string> states, inputs, outputs;
  State about;
  VectorXd torque;         // on every coordinate at that state; u is added to it
  Eigen::VectorXcd poles;  // sorted by magnitude; conjugates are neighbours
};

/// Inputs and outputs of a linear model.
struct LineariseOptions {
  std::vector<int> inputs;        // coordinates whose torque is an input; empty: all that a joint's torque acts on
  int i_tip = 0;                  // the link whose tip is an output
  bool coordinates_only = false;  // outputs: every coordinate, instead of tip and joints
  bool closed_loop = false;       // the case's laws act, unsaturated and unsampled
  bool joints_locked = false;  // motors keep their joints' positions and rates: no inputs, and only the links' states
};

/// About a state at rest, in which the joints are held by their torques: M Δz̈ + D Δż + K Δz = B u with every matrix assembled
/// exactly, by SmallMotion. About a moving state, in which the torques keep every joint from accelerating, and with computed
/// torque: by the derivatives of the accelerations (ForwardDerivatives), equally exact. Loads act with their full value.
LinearModel linearise(const Arm& arm, const State& state, Drives& drives, const LineariseOptions& options);

/// What is left of a model with all torques as inputs where motors hold their joints, with torques that let none accelerate: Δz̈ = 0.
LinearModel with_joints_locked(const Arm& arm, LinearModel model);

/// Eigenvalues of a real matrix, balanced first: rows and columns of very different size do not lose digits.
Eigen::VectorXcd balanced_eigenvalues(MatrixXd A);

/// C (jω − A)⁻¹ B + D from one input to one output at each of these angular frequencies. A is brought to Hessenberg form once.
std::vector<std::complex<double>> frequency_response(const LinearModel& model, int input, int output,
                                                     const std::vector<double>& omega);

}  // namespace lithe
