#include "lithe/drive/forces/contact.h"

#include <algorithm>

namespace lithe {

ContactForce::ContactForce(const Contact& spec, const std::string& path, const Arm& arm)
    : arm_(arm),
      point_(Attachment{spec.link, spec.point}, path, arm),
      normal_(spec.plane.normal.normalized()),
      on_plane_(spec.plane.point),
      stiffness_(spec.stiffness),
      damping_(spec.damping),
      deeper_(VectorXd::Zero(arm.nv())) {
  columns_.reserve(size_t(arm.nv()));
}

ContactForce::Depth ContactForce::depth(const Kinematics& kin) const {
  return {normal_.dot(on_plane_ - point_.at(kin)), -normal_.dot(point_.velocity(kin))};
}

void ContactForce::add(const ForceReading& now, Eigen::Ref<VectorXd> tau) const {
  const double push = this->push(depth(now.kinematics));
  if (push > 0) point_.push(arm_, now.kinematics, push * normal_, tau);
}

void ContactForce::list(const ForceReading& now, std::vector<SectionLoad>& listed) const {
  listed.push_back({&point_.tip, point_.point, push(depth(now.kinematics)) * normal_, Vector3d::Zero(), false});
}

void ContactForce::move_point(const Kinematics& kin) const {
  for (const int column : columns_) deeper_[column] = 0;
  columns_.clear();
  point_.for_each_direction(arm_, kin, [&](int column, const Vector3d& velocity) {
    deeper_[column] -= normal_.dot(velocity);
    columns_.push_back(column);
  });
  std::sort(columns_.begin(), columns_.end());
  columns_.erase(std::unique(columns_.begin(), columns_.end()), columns_.end());
}

bool ContactForce::add_slopes(const ForceReading& now, Triplets& by_position, Triplets& by_rate) const {
  if (!(push(depth(now.kinematics)) > 0)) return true;
  move_point(now.kinematics);
  for (const int a : columns_)
    for (const int b : columns_) {
      by_position.emplace_back(a, b, -stiffness_ * deeper_[a] * deeper_[b]);
      if (damping_ > 0) by_rate.emplace_back(a, b, -damping_ * deeper_[a] * deeper_[b]);
    }
  return true;
}

ForceEnergy ContactForce::energy(const ForceReading& now) const {
  const Depth d = depth(now.kinematics);
  if (!(d.depth > 0)) return {};
  // What the point loses to the wall is kept by its spring or lost.
  const double stored_rate = stiffness_ * d.depth * d.rate;
  return {stiffness_ * d.depth * d.depth / 2, stored_rate, push(d) * d.rate - stored_rate};
}

void ContactForce::add_loss_slopes(const ForceReading& now, Eigen::Ref<VectorXd> by_position,
                                   Eigen::Ref<VectorXd> by_rate) const {
  const Depth d = depth(now.kinematics);
  if (damping_ == 0 || !(d.depth > 0)) return;
  move_point(now.kinematics);
  // c δ̇², or where the wall has let go −k δ δ̇; without what the turning of directions does to δ̇.
  const bool held = free_push(d) > 0;
  for (const int a : columns_) {
    if (!held) by_position[a] -= stiffness_ * d.rate * deeper_[a];
    by_rate[a] += (held ? 2 * damping_ * d.rate : -stiffness_ * d.depth) * deeper_[a];
  }
}

void ContactForce::switches(const ForceReading& now, double* values) const {
  const Depth d = depth(now.kinematics);
  values[0] = d.depth;
  if (damping_ > 0) values[1] = free_push(d);
}

}  // namespace lithe
