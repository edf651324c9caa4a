#include "lithe/drive/forces/spring_damper.h"

#include <algorithm>

namespace lithe {

SpringDamperForce::SpringDamperForce(const SpringDamper& spec, const std::string& path, const Arm& arm)
    : arm_(arm),
      from_(spec.from, path + ".from", arm),
      to_(spec.to, path + ".to", arm),
      stiffness_(spec.stiffness),
      damping_(spec.damping),
      rest_(spec.length.value_or(0)),
      apart_(Matrix3Xd::Zero(3, arm.nv())) {}

SpringDamperForce::Line SpringDamperForce::line(const Kinematics& kin) const {
  const Vector3d d = to_.at(kin) - from_.at(kin);
  const double length = d.norm();
  if (!(length > 0)) return {Vector3d::Zero(), 0, 0};
  const Vector3d u = d / length;
  return {u, length, u.dot(to_.velocity(kin) - from_.velocity(kin))};
}

void SpringDamperForce::add(const ForceReading& now, Eigen::Ref<VectorXd> tau) const {
  const Kinematics& kin = now.kinematics;
  const Line line = this->line(kin);
  const Vector3d on_from = pull(line) * line.u;
  from_.push(arm_, kin, on_from, tau);
  to_.push(arm_, kin, -on_from, tau);
}

void SpringDamperForce::list(const ForceReading& now, std::vector<SectionLoad>& listed) const {
  const Line line = this->line(now.kinematics);
  const Vector3d on_from = pull(line) * line.u;
  if (from_.on_link()) listed.push_back({&from_.tip, from_.point, on_from, Vector3d::Zero(), false});
  if (to_.on_link()) listed.push_back({&to_.tip, to_.point, -on_from, Vector3d::Zero(), false});
}

void SpringDamperForce::move_ends(const Kinematics& kin) const {
  for (const int column : columns_) apart_.col(column).setZero();
  columns_.clear();
  auto move = [&](const ArmPoint& end, double sign) {
    end.for_each_direction(arm_, kin, [&](int column, const Vector3d& velocity) {
      apart_.col(column) += sign * velocity;
      columns_.push_back(column);
    });
  };
  move(from_, -1);
  move(to_, 1);
  std::sort(columns_.begin(), columns_.end());
  columns_.erase(std::unique(columns_.begin(), columns_.end()), columns_.end());
}

bool SpringDamperForce::add_slopes(const ForceReading& now, Triplets& by_position, Triplets& by_rate) const {
  move_ends(now.kinematics);
  const Line line = this->line(now.kinematics);
  // d(pull·u) = S dd: along the line due to the spring, across it due to the rotation of the line.
  const Matrix3d along = line.u * line.u.transpose();
  Matrix3d S = stiffness_ * along;
  if (line.length > 0)
    S += pull(line) / line.length * (Matrix3d::Identity() - along);
  else if (rest_ == 0)
    S = stiffness_ * Matrix3d::Identity();
  for (const int a : columns_)
    for (const int b : columns_) {
      by_position.emplace_back(a, b, -apart_.col(a).dot(S * apart_.col(b)));
      if (damping_ > 0) by_rate.emplace_back(a, b, -damping_ * apart_.col(a).dot(line.u) * apart_.col(b).dot(line.u));
    }
  return true;
}

ForceEnergy SpringDamperForce::energy(const ForceReading& now) const {
  const Line line = this->line(now.kinematics);
  const double stretch = line.length - rest_;
  return {stiffness_ * stretch * stretch / 2, stiffness_ * stretch * line.rate, damping_ * line.rate * line.rate};
}

void SpringDamperForce::add_loss_slopes(const ForceReading& now, Eigen::Ref<VectorXd>,
                                        Eigen::Ref<VectorXd> by_rate) const {
  if (damping_ == 0) return;
  move_ends(now.kinematics);
  const Line line = this->line(now.kinematics);
  for (const int a : columns_) by_rate[a] += 2 * damping_ * line.rate * apart_.col(a).dot(line.u);
}

}  // namespace lithe
