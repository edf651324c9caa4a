// spatial/ — poses, velocities, wrenches, inertias, rotations: the one folder that every other folder may use.
//
// Takes and gives nothing but small fixed-size values. Six-vectors hold the angular part first: velocity V = [ω; v],
// acceleration A = [α; a], wrench F = [moment; force]. Names follow docs/notation.md: X_AB is the pose of frame B in
// frame A, R_AB its rotation, p_AB the position of B's origin, and letters cancel as you read: X_WB = X_WT * X_TB.
#pragma once

#include <Eigen/Dense>

namespace lithe {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Quaterniond;
using Eigen::Vector3d;
using Eigen::VectorXd;
using Vector6d = Eigen::Matrix<double, 6, 1>;
using Matrix6d = Eigen::Matrix<double, 6, 6>;
using Matrix3Xd = Eigen::Matrix<double, 3, Eigen::Dynamic>;
using Matrix6Xd = Eigen::Matrix<double, 6, Eigen::Dynamic>;

/// [a]× with [a]× b = a × b.
inline Matrix3d skew(const Vector3d& a) {
  Matrix3d S;
  S << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return S;
}

/// A six-vector of its angular and its linear part.
inline Vector6d stacked(const Vector3d& angular, const Vector3d& linear) {
  Vector6d both;
  both.head<3>() = angular;
  both.tail<3>() = linear;
  return both;
}

/// A rigid placement: p_A = R p_B + p.
struct Pose {
  Matrix3d R = Matrix3d::Identity();
  Vector3d p = Vector3d::Zero();

  Pose operator*(const Pose& other) const { return {R * other.R, R * other.p + p}; }
  Vector3d operator*(const Vector3d& point) const { return R * point + p; }
  Pose inverse() const { return {R.transpose(), -(R.transpose() * p)}; }
};

/// Rotation by `angle` about a unit axis.
Matrix3d axis_rotation(const Vector3d& unit_axis, double angle);

/// Fixed-axis roll, pitch, yaw as in URDF: R = Rz(yaw) Ry(pitch) Rx(roll).
Matrix3d rpy_rotation(const Vector3d& rpy);

/// The rotation whose rotation vector is θ: exp[θ]×.
Matrix3d exp_rotation(const Vector3d& theta);

/// The rotation vector θ, |θ| ≤ π, of a rotation: R = exp[θ]×. Accurate near 0 and near π.
Vector3d log_rotation(const Matrix3d& R);

/// Some rotation A whose third column is the given unit vector: A e_z = axis.
Matrix3d rotation_taking_z_to(const Vector3d& unit_axis);

/// Mass, first moment and inertia of a body about the origin of a frame, in that frame's axes.
///
/// Stored as m, h = m c and J about the *origin* (not the mass centre), because these add when bodies join and stay
/// finite for massless parts.
struct RigidInertia {
  double mass = 0;
  Vector3d first_moment = Vector3d::Zero();  // m c
  Matrix3d J = Matrix3d::Zero();             // about the frame's origin

  /// From inertia about the mass centre.
  static RigidInertia about_com(double mass, const Vector3d& com, const Matrix3d& inertia_com);

  /// The mass centre; the origin for a massless body.
  Vector3d com() const { return mass > 0 ? Vector3d(first_moment / mass) : Vector3d::Zero(); }

  /// Inertia about the mass centre.
  Matrix3d inertia_com() const;

  RigidInertia& operator+=(const RigidInertia& other);

  /// The same body seen from frame A, when `this` is about frame B and X_AB places B in A.
  RigidInertia seen_from(const Pose& X_AB) const;

  /// The 6×6 matrix [[J, [h]×], [−[h]×, m 1]] that turns [α; a] at the origin into [moment; force].
  Matrix6d matrix() const;
};

/// Parallel-axis term m(|c|² 1 − c cᵀ): what a point mass m at c adds to the inertia about the origin.
inline Matrix3d point_inertia(double mass, const Vector3d& c) {
  return mass * (c.squaredNorm() * Matrix3d::Identity() - c * c.transpose());
}

}  // namespace lithe
