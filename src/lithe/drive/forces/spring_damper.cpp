#include "lithe/drive/forces/spring_damper.h"

#include <fmt/format.h>

#include <algorithm>

#include "lithe/spatial/demand.h"

namespace lithe {

std::vector<std::shared_ptr<Force>> make_forces(const std::vector<ForceSpec>& specs, const Arm& arm) {
  std::vector<std::shared_ptr<Force>> forces;
  for (size_t i = 0; i < specs.size(); ++i)
    if (const auto* spring = std::get_if<SpringDamper>(&specs[i].force))
      forces.push_back(std::make_shared<SpringDamperForce>(*spring, fmt::format("forces[{}].spring_damper", i), arm));
  return forces;
}

SpringDamperForce::SpringDamperForce(const SpringDamper& spec, const std::string& path, const Arm& arm)
    : arm_(arm),
      stiffness_(spec.stiffness),
      damping_(spec.damping),
      rest_(spec.length.value_or(0)),
      apart_(Matrix3Xd::Zero(3, arm.nv())) {
  auto end_of = [&](const Attachment& given, const char* key) {
    End end;
    if (!given.link) {
      end.point = given.point.value_or(Vector3d::Zero());
      return end;
    }
    const int i_link = arm.find_link(*given.link);
    LITHE_DEMAND(i_link >= 0);
    end.tip = tip_section(arm, i_link);
    const Link& link = arm.link(i_link);
    if (given.point && (link.flex || link.role == LinkRole::segment))
      throw FieldError(fmt::format("{}.{}.point", path, key),
                       fmt::format("link '{}' bends, so a force between links acts on its tip frame; expected no point",
                                   *given.link));
    if (given.point) end.point = link.X_TD * *given.point;
    return end;
  };
  from_ = end_of(spec.from, "from");
  to_ = end_of(spec.to, "to");
  if (arm.small_tips())
    throw UnsupportedError(
        path, "forces between points need velocities, which `tip_rotation: small` does not provide: use `finite`");
}

Vector3d SpringDamperForce::End::at(const Kinematics& kin) const {
  return on_link() ? kin.X_WT[tip.link] * point : point;
}

Vector3d SpringDamperForce::End::velocity(const Kinematics& kin) const {
  if (!on_link()) return Vector3d::Zero();
  const Vector6d& V = kin.V_WT_W[tip.link];
  return V.tail<3>() + Vector3d(V.head<3>()).cross(kin.X_WT[tip.link].R * point);
}

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
  auto push = [&](const End& end, const Vector3d& force) {
    if (!end.on_link()) return;
    const Vector3d at = end.at(kin);
    for_each_tip_direction(arm_, kin, end.tip.link,
                           [&](int column, const Vector3d& turn, const Vector3d& slide, const Vector3d& origin) {
                             tau[column] += (slide + turn.cross(at - origin)).dot(force);
                           });
  };
  push(from_, on_from);
  push(to_, -on_from);
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
  auto move = [&](const End& end, double sign) {
    if (!end.on_link()) return;
    const Vector3d at = end.at(kin);
    for_each_tip_direction(arm_, kin, end.tip.link,
                           [&](int column, const Vector3d& turn, const Vector3d& slide, const Vector3d& origin) {
                             apart_.col(column) += sign * (slide + turn.cross(at - origin));
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
