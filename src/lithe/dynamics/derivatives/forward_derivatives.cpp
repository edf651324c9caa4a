#include "lithe/dynamics/derivatives/forward_derivatives.h"

#include "lithe/dynamics/formulation.h"
#include "lithe/spatial/demand.h"

namespace lithe {

ForwardDerivatives::ForwardDerivatives(const Arm& arm)
    : inverse_(refuse_constraints(arm, "derivatives of accelerations")), llt_(arm.nv()) {
  vdot_.setZero(arm.nv());
  for (MatrixXd* matrix : {&by_position_, &by_rate_, &by_torque_}) matrix->setZero(arm.nv(), arm.nv());
}

void ForwardDerivatives::update(const State& state, const Eigen::Ref<const VectorXd>& tau,
                                std::span<const SectionLoad> loads) {
  LITHE_DEMAND_EQUAL(tau.size(), vdot_.size());
  vdot_.setZero();
  inverse_.update(state, vdot_, loads);
  factor();
  vdot_ = tau - inverse_.force();
  llt_.solveInPlace(vdot_);
  update_at(state, vdot_, loads);
}

void ForwardDerivatives::update_at(const State& state, const Eigen::Ref<const VectorXd>& vdot,
                                   std::span<const SectionLoad> loads) {
  vdot_ = vdot;
  inverse_.update(state, vdot_, loads);
  factor();
  by_position_ = -inverse_.by_position();
  by_rate_ = -inverse_.by_rate();
  by_torque_.setIdentity();
  for (MatrixXd* matrix : {&by_position_, &by_rate_, &by_torque_}) llt_.solveInPlace(*matrix);
}

void ForwardDerivatives::factor() {
  llt_.compute(inverse_.mass_matrix());
  if (llt_.info() != Eigen::Success) throw SingularError("the mass matrix is not positive definite");
}

}  // namespace lithe
