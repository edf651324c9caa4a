#include "lithe/dynamics/resting_arm.h"

#include <fmt/format.h>

#include "lithe/dynamics/recursive_lagrangian/at_rest.h"
#include "lithe/dynamics/recursive_lagrangian/recursive_lagrangian.h"

namespace lithe {

RestingArm::RestingArm(const Arm& arm, const State& state) : arm_(arm), state_(state) {
  if (arm.small_tips())
    small_ = std::make_unique<const book83::AtRest>(arm, state);
  else if (arm.tip_rotation() == TipRotation::finite)
    bodies_.emplace(small_motion(arm, state));
  else  // with nothing that bends by shapes, the same
    bodies_.emplace(small_motion(arm.with_tip_rotation(TipRotation::finite), state));
}
RestingArm::~RestingArm() = default;

SparseMatrixd RestingArm::mass_matrix() const {
  if (bodies_) return bodies_->mass_matrix();
  MatrixXd M(arm_.nv(), arm_.nv());
  RecursiveLagrangian(arm_.without_constraints()).mass_matrix(state_, M);
  return M.sparseView(0.0, 0.0);
}

VectorXd RestingArm::weight(const Vector3d& g) const { return bodies_ ? bodies_->weight(g) : small_->weight(g); }

void RestingArm::add_weight_stiffness(const Vector3d& g, Triplets& entries) const {
  if (bodies_)
    bodies_->add_weight_stiffness(g, entries);
  else
    small_->add_weight_stiffness(g, entries);
}

Matrix3Xd RestingArm::linear_momentum() const {
  return bodies_ ? Matrix3Xd(bodies_->momentum(bodies_->reference()).bottomRows<3>()) : small_->linear_momentum();
}

const SmallMotion& RestingArm::bodies(const char* what) const {
  if (!bodies_)
    throw UnsupportedError("arm.tip_rotation",
                           fmt::format("{} at rest need 'finite': with 'small', what a tip carries does not move as a "
                                       "rigid body that a force could act on",
                                       what));
  return *bodies_;
}

}  // namespace lithe
