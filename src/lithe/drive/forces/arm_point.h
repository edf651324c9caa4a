#pragma once

#include "lithe/drive/force.h"

namespace lithe {

/// A point fixed on a link, or in the world, on which a force acts. On a link that bends it is the origin of its tip frame.
struct ArmPoint {
  LinkSection tip;                    // of no link: the world
  Vector3d point = Vector3d::Zero();  // from T in T axes, or in the world

  /// Throws FieldError where a point is given on a link that bends, UnsupportedError for an arm whose tips have no velocities.
  ArmPoint(const Attachment& given, const std::string& path, const Arm& arm);

  bool on_link() const { return tip.link >= 0; }
  Vector3d at(const Kinematics& kin) const;
  Vector3d velocity(const Kinematics& kin) const;
  /// Adds what a force there, in world axes, does to the coordinates.
  void push(const Arm& arm, const Kinematics& kin, const Vector3d& force, Eigen::Ref<VectorXd> tau) const;
  /// Calls visit(column, velocity of the point per unit rate of that coordinate).
  template <class Visit>
  void for_each_direction(const Arm& arm, const Kinematics& kin, Visit visit) const {
    if (!on_link()) return;
    const Vector3d place = at(kin);
    for_each_tip_direction(arm, kin, tip.link,
                           [&](int column, const Vector3d& turn, const Vector3d& slide, const Vector3d& origin) {
                             visit(column, Vector3d(slide + turn.cross(place - origin)));
                           });
  }
};

}  // namespace lithe
