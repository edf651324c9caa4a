#include <algorithm>

#include "lithe/arm/arm.h"
#include "lithe/spatial/demand.h"

namespace lithe {

Arm Arm::part(int i_part) const {
  LITHE_DEMAND(i_part >= 0 && i_part < n_parts());
  const int first = i_part == 0 ? 0 : mounts_[i_part - 1].first_link;
  const int end = i_part + 1 == n_parts() ? n_links() : mounts_[i_part].first_link;
  Arm part;
  part.gravity_ = gravity_;
  part.tip_rotation_ = tip_rotation_;
  part.inertia_order_ = inertia_order_;
  if (i_part == 0) {
    part.root0_ = root0_;
    part.constraints_ = constraints_;  // those of the base, whose coordinates stay where they are
    part.root_moves_ = root_moves_;
    part.base_profiles_ = base_profiles_;
  } else {
    Link base;
    base.name = base.joint_name = "base";
    base.role = LinkRole::base;
    base.joint = free_joint();
    base.forces.resize(size_t(base.nv()));
    for (const std::string& suffix : base.joint->position_suffixes()) part.positions_.push_back("base" + suffix);
    for (const JointCoordinate& coordinate : base.joint->coordinates()) {
      part.coordinates_.push_back("base" + coordinate.suffix);
      part.units_.push_back(coordinate.turns ? CoordinateUnit::radians : CoordinateUnit::metres);
    }
    part.nq_ = base.nq();
    part.nv_ = base.nv();
    part.links_.push_back(std::move(base));
  }
  const int moved = part.n_links() - first;  // from an index here to one there
  for (int i = first; i < end; ++i) {
    Link link = links_[i];
    const int nq = link.nq() + link.n_flex(), nv = link.nv() + link.n_flex();
    part.positions_.insert(part.positions_.end(), positions_.begin() + link.q0, positions_.begin() + link.q0 + nq);
    part.coordinates_.insert(part.coordinates_.end(), coordinates_.begin() + link.v0,
                             coordinates_.begin() + link.v0 + nv);
    part.units_.insert(part.units_.end(), units_.begin() + link.v0, units_.begin() + link.v0 + nv);
    if (i_part > 0) link.parent = std::max(link.parent + moved, 0);  // what stands on the carrier stands on the base
    link.q0 = part.nq_;
    link.v0 = part.nv_;
    part.nq_ += nq;
    part.nv_ += nv;
    part.bends_ = part.bends_ || link.flex || link.role == LinkRole::segment;
    part.links_.push_back(std::move(link));
  }
  for (TorqueInput input : torque_inputs_) {
    if (input.link < first || input.link >= end) continue;
    const Link& link = links_[input.link];
    input.link += moved;
    const Link& there = part.links_[input.link];
    input.v += there.v0 - link.v0;
    if (input.q >= 0) input.q += there.q0 - link.q0;
    part.torque_inputs_.push_back(std::move(input));
  }
  for (Transmission spring : transmissions_) {
    if (spring.joint_link < first || spring.joint_link >= end) continue;
    spring.joint_link += moved;
    spring.rotor_link += moved;
    part.transmissions_.push_back(spring);
  }
  return part;
}

}  // namespace lithe
