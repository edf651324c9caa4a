#include "lithe/drive/forces/arm_point.h"

#include <fmt/format.h>

#include "lithe/spatial/demand.h"

namespace lithe {

ArmPoint::ArmPoint(const Attachment& given, const std::string& path, const Arm& arm) {
  if (arm.small_tips())
    throw UnsupportedError(
        path, "forces between points need velocities, which `tip_rotation: small` does not provide: use `finite`");
  if (!given.link) {
    point = given.point.value_or(Vector3d::Zero());
    return;
  }
  const int i_link = arm.find_link(*given.link);
  LITHE_DEMAND(i_link >= 0);
  tip = tip_section(arm, i_link);
  const Link& link = arm.link(i_link);
  if (given.point && (link.flex || link.role == LinkRole::segment))
    throw FieldError(
        path + ".point",
        fmt::format("link '{}' bends, so a force between links acts on its tip frame; expected no point", *given.link));
  if (given.point) point = link.X_TD * *given.point;
}

Vector3d ArmPoint::at(const Kinematics& kin) const { return on_link() ? kin.X_WT[tip.link] * point : point; }

Vector3d ArmPoint::velocity(const Kinematics& kin) const {
  if (!on_link()) return Vector3d::Zero();
  const Vector6d& V = kin.V_WT_W[tip.link];
  return V.tail<3>() + Vector3d(V.head<3>()).cross(kin.X_WT[tip.link].R * point);
}

void ArmPoint::push(const Arm& arm, const Kinematics& kin, const Vector3d& force, Eigen::Ref<VectorXd> tau) const {
  for_each_direction(arm, kin, [&](int column, const Vector3d& velocity) { tau[column] += velocity.dot(force); });
}

}  // namespace lithe
