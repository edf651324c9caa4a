#pragma once

#include "lithe/joint/joint.h"

namespace lithe {

/// A unit quaternion w x y z as part of a joint's position, turned by ω in the axes of what it turns.
///
/// During an integration step its length is not exactly one: every rotation here is that of the normalised quaternion.
struct TurningQuaternion {
  Eigen::Vector4d Q;

  explicit TurningQuaternion(const double* q) : Q(q[0], q[1], q[2], q[3]) {}

  Matrix3d rotation() const { return Quaterniond(Q[0], Q[1], Q[2], Q[3]).normalized().toRotationMatrix(); }
  /// Q̇ = ½ Q∘ω.
  Eigen::Vector4d rate(const Vector3d& omega) const { return to_positions() * omega; }
  /// Q∘exp(turn), normalised.
  void displace(double* q, const Vector3d& turn) const {
    const Quaterniond turned = Quaterniond(Q[0], Q[1], Q[2], Q[3]).normalized() * Quaterniond(exp_rotation(turn));
    q[0] = turned.w();
    q[1] = turned.x();
    q[2] = turned.y();
    q[3] = turned.z();
  }

  /// A change dQ turns by 2 Im(Q̄∘dQ)/|Q|².
  Eigen::Matrix<double, 3, 4> to_rates() const { return 2 / Q.squaredNorm() * imaginary(); }
  Eigen::Matrix<double, 4, 3> to_positions() const { return imaginary().transpose() / 2; }
  /// Of Q̇ by Q, with the pull back to unit length (1 − |Q|²) Q that integration adds.
  Eigen::Matrix4d slope(const Vector3d& omega) const {
    const Vector3d half = omega / 2;
    Eigen::Matrix4d turning;  // dQ∘(0, ω/2)
    turning << 0, -half.transpose(), half, -skew(half);
    return turning + (1 - Q.squaredNorm()) * Eigen::Matrix4d::Identity() - 2 * Q * Q.transpose();
  }

 private:
  /// Of Q̄∘dQ; its transpose is that of Q∘(0, h).
  Eigen::Matrix<double, 3, 4> imaginary() const {
    const Vector3d u = Q.tail<3>();
    Eigen::Matrix<double, 3, 4> parts;
    parts << -u, Q[0] * Matrix3d::Identity() - skew(u);
    return parts;
  }
};

}  // namespace lithe
