#include <Eigen/LU>

#include "lithe/analyse/linearise.h"

namespace lithe {

LinearModel with_joints_locked(const Arm& arm, LinearModel model) {
  const int nv = arm.nv();
  std::vector<int> held, left;
  std::vector<bool> stays(size_t(model.A.rows()), true);
  for (const TorqueInput& input : arm.torque_inputs()) {
    held.push_back(nv + input.v);
    stays[size_t(input.v)] = stays[size_t(nv + input.v)] = false;
  }
  for (int k = 0; k < model.A.rows(); ++k)
    if (stays[size_t(k)]) left.push_back(k);
  if (!held.empty()) {
    const MatrixXd torques = MatrixXd(model.B(held, Eigen::all)).partialPivLu().solve(model.A(held, Eigen::all));
    model.A -= model.B * torques;
  }
  model.A = MatrixXd(model.A(left, left));
  model.B = MatrixXd::Zero(model.A.rows(), 0);
  model.C = MatrixXd(model.C(Eigen::all, left));
  model.D = MatrixXd::Zero(model.C.rows(), 0);
  std::vector<std::string> states;
  for (const int k : left) states.push_back(model.states[size_t(k)]);
  model.states = std::move(states);
  model.inputs.clear();
  model.poles = balanced_eigenvalues(model.A);
  return model;
}

}  // namespace lithe
