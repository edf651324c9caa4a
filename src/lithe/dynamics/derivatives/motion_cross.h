#pragma once

#include "lithe/spatial/spatial.h"

namespace lithe {

/// [ω; v] × [ω′; v′]: how a motion vector changes, per unit rate, when it is carried along by the first.
inline Vector6d cross_motion(const Vector6d& carrier, const Vector6d& motion) {
  const Vector3d omega = carrier.head<3>(), v = carrier.tail<3>(), turn = motion.head<3>();
  return stacked(omega.cross(turn), omega.cross(motion.tail<3>()) + v.cross(turn));
}

/// The same for a wrench [moment; force]. (a × b)·F + b·(a ×* F) = 0.
inline Vector6d cross_wrench(const Vector6d& carrier, const Vector6d& wrench) {
  const Vector3d omega = carrier.head<3>(), v = carrier.tail<3>(), force = wrench.tail<3>();
  return stacked(omega.cross(wrench.head<3>()) + v.cross(force), omega.cross(force));
}

/// A motion vector about the origin from a turn and the velocity of a point at x.
inline Vector6d motion_about_origin(const Vector3d& turn, const Vector3d& velocity, const Vector3d& x) {
  return stacked(turn, velocity - turn.cross(x));
}

/// A wrench about the origin from moment and force at x.
inline Vector6d wrench_about_origin(const Vector3d& moment, const Vector3d& force, const Vector3d& x) {
  return stacked(moment + x.cross(force), force);
}

/// ∫ r×s for the matrix ∫ r sᵀ.
inline Vector3d axial(const Matrix3d& P) { return {P(1, 2) - P(2, 1), P(2, 0) - P(0, 2), P(0, 1) - P(1, 0)}; }

/// ∫ r×(ω×s) for the matrix ∫ r sᵀ.
inline Vector3d swept(const Matrix3d& P, const Vector3d& omega) { return P.trace() * omega - P.transpose() * omega; }

}  // namespace lithe
