#pragma once

#include <concepts>
#include <variant>

#include "lithe/spatial/spatial.h"

namespace lithe {

// A joint carries a frame M (on the child: its link frame B) relative to a frame F (on the parent). Each kind says how
// many numbers its position (nq) and rate (nv) have, where M stands, and along which directions it moves:
//   V_FM = H v,  [ω; v] of M's origin, in M axes.

struct Fixed {
  static constexpr int nq = 0, nv = 0;
};
struct Revolute {
  static constexpr int nq = 1, nv = 1;
  Vector3d axis;  // unit; the same in F and M
};
struct Prismatic {
  static constexpr int nq = 1, nv = 1;
  Vector3d axis;
};
/// Six degrees of freedom: q = position x y z and unit quaternion w x y z; v = [ω; v] in M axes. No singular
/// orientation.
struct Free {
  static constexpr int nq = 7, nv = 6;
};

inline Pose X_FM(const Fixed&, const double*) { return {}; }
inline Pose X_FM(const Revolute& joint, const double* q) { return {axis_rotation(joint.axis, *q), Vector3d::Zero()}; }
inline Pose X_FM(const Prismatic& joint, const double* q) { return {Matrix3d::Identity(), *q * joint.axis}; }
inline Pose X_FM(const Free&, const double* q) {
  return {Quaterniond(q[3], q[4], q[5], q[6]).normalized().toRotationMatrix(), {q[0], q[1], q[2]}};
}

inline Eigen::Matrix<double, 6, 0> H_FM(const Fixed&) { return {}; }
inline Vector6d H_FM(const Revolute& joint) { return (Vector6d() << joint.axis, Vector3d::Zero()).finished(); }
inline Vector6d H_FM(const Prismatic& joint) { return (Vector6d() << Vector3d::Zero(), joint.axis).finished(); }
inline Matrix6d H_FM(const Free&) { return Matrix6d::Identity(); }

template <class J>
concept JointKind = requires(const J& joint, const double* q) {
  { X_FM(joint, q) } -> std::same_as<Pose>;
  { H_FM(joint) } -> std::same_as<Eigen::Matrix<double, 6, J::nv>>;
};
static_assert(JointKind<Fixed> && JointKind<Revolute> && JointKind<Prismatic> && JointKind<Free>);

using Joint = std::variant<Fixed, Revolute, Prismatic, Free>;

inline int joint_nq(const Joint& joint) {
  return std::visit([](const auto& kind) { return kind.nq; }, joint);
}
inline int joint_nv(const Joint& joint) {
  return std::visit([](const auto& kind) { return kind.nv; }, joint);
}

}  // namespace lithe
