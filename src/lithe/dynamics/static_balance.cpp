#include "lithe/dynamics/static_balance.h"

#include <algorithm>
#include <cmath>

#include "lithe/arm/passive_forces.h"
#include "lithe/beam/natural_modes.h"
#include "lithe/dynamics/resting_arm.h"

namespace lithe {

StaticBalance::StaticBalance(const Arm& arm, const State& start, const std::vector<bool>& held, const Vector3d& gravity,
                             const OuterForces& outer)
    : arm_(arm), state_(start), gravity_(gravity), outer_(outer) {
  state_.v.setZero();
  // For positions and rates of equal number; only a free base differs, and it is held.
  for (const Link& link : arm.links()) {
    for (int k = 0; k < link.nv(); ++k)
      if (!held[link.v0 + k])
        free_.push_back({link.q0 + k, link.v0 + k, link.joint->coordinates()[size_t(k)].turns, false});
    for (int k = 0; k < link.n_flex(); ++k)
      if (!held[link.flex_v0() + k]) {
        const bool far = link.flex->exact && link.flex->turns[size_t(k)];
        free_.push_back({link.flex_q0() + k, link.flex_v0() + k, far, far});
      }
    bends_far_ = bends_far_ || link.role == LinkRole::segment || (link.flex && link.flex->exact);
  }
  for (const Coordinate& coordinate : free_) columns_.push_back(coordinate.v);
}

void StaticBalance::bound(Eigen::Ref<VectorXd> step) const {
  double largest = 0;
  for (int k = 0; k < size(); ++k)
    if (free_[size_t(k)].turns) largest = std::max(largest, std::abs(step[k]));
  if (largest > 0.5) step *= 0.5 / largest;
}

bool StaticBalance::far_from(const VectorXd& u) const {
  for (int k = 0; k < size(); ++k)
    if (free_[size_t(k)].bends && std::abs(state_.q[free_[size_t(k)].q] - u[k]) > 1) return true;
  return false;
}

void StaticBalance::straighten_exact_links() {
  for (const Link& link : arm_.links())
    if (link.flex && link.flex->exact)
      for (const Coordinate& coordinate : free_)
        if (coordinate.v >= link.flex_v0() && coordinate.v < link.flex_v0() + link.n_flex()) state_.q[coordinate.q] = 0;
}

VectorXd StaticBalance::force() const {
  const RestingArm motion(arm_, state_);
  VectorXd needed = VectorXd::Zero(arm_.nv());
  if (outer_.add) outer_.add(motion.bodies("loads and forces"), needed);
  needed = part_ * (motion.weight(gravity_) - needed);
  add_passive_forces(arm_, state_, true, false, needed);
  return needed;
}

SparseMatrixd StaticBalance::stiffness() const {
  const RestingArm motion(arm_, state_);
  Triplets entries;
  motion.add_weight_stiffness(gravity_, entries);
  if (outer_.add_stiffness) outer_.add_stiffness(motion.bodies("loads and forces"), entries);
  for (auto& entry : entries) entry = {entry.row(), entry.col(), part_ * entry.value()};
  add_elastic_stiffness(arm_, state_, entries);
  return submatrix(assembled(arm_.nv(), entries), columns_, columns_);
}

}  // namespace lithe
