#include "lithe/spatial/spatial.h"

#include <cmath>

namespace lithe {

Matrix3d axis_rotation(const Vector3d& unit_axis, double angle) {
  return Eigen::AngleAxisd(angle, unit_axis).toRotationMatrix();
}

Matrix3d rpy_rotation(const Vector3d& rpy) {
  return axis_rotation(Vector3d::UnitZ(), rpy.z()) * axis_rotation(Vector3d::UnitY(), rpy.y()) *
         axis_rotation(Vector3d::UnitX(), rpy.x());
}

Matrix3d exp_rotation(const Vector3d& theta) {
  const double angle = theta.norm();
  // Below 1e-8 the quadratic term is under the rounding of 1.
  if (angle < 1e-8) return Matrix3d::Identity() + skew(theta);
  return axis_rotation(theta / angle, angle);
}

Vector3d log_rotation(const Matrix3d& R) {
  // By way of the unit quaternion, whose vector part keeps its accuracy at both ends (Eigen picks the largest pivot).
  Quaterniond quaternion(R);
  if (quaternion.w() < 0) quaternion.coeffs() *= -1;
  const double sine = quaternion.vec().norm();
  if (sine < 1e-12) return 2 * quaternion.vec();
  return 2 * std::atan2(sine, quaternion.w()) / sine * quaternion.vec();
}

Matrix3d rotation_taking_z_to(const Vector3d& unit_axis) {
  // By an orthogonal vector, accurate for every axis; a quaternion between two vectors loses digits near opposite ones.
  Matrix3d A;
  A.col(0) = unit_axis.unitOrthogonal();
  A.col(1) = unit_axis.cross(A.col(0));
  A.col(2) = unit_axis;
  return A;
}

RigidInertia RigidInertia::about_com(double mass, const Vector3d& com, const Matrix3d& inertia_com) {
  return {mass, mass * com, inertia_com + point_inertia(mass, com)};
}

Matrix3d RigidInertia::inertia_com() const { return J - point_inertia(mass, com()); }

RigidInertia& RigidInertia::operator+=(const RigidInertia& other) {
  mass += other.mass;
  first_moment += other.first_moment;
  J += other.J;
  return *this;
}

RigidInertia RigidInertia::seen_from(const Pose& X_AB) const {
  // With r_A = R r_B + p: h_A = R h_B + m p, and J from |r|² − r rᵀ expanded; no division by m, so massless parts pass.
  const Vector3d h = X_AB.R * first_moment;
  const Vector3d& p = X_AB.p;
  Matrix3d J_A = X_AB.R * J * X_AB.R.transpose() + point_inertia(mass, p);
  J_A += 2 * h.dot(p) * Matrix3d::Identity() - h * p.transpose() - p * h.transpose();
  return {mass, h + mass * p, J_A};
}

Matrix6d RigidInertia::matrix() const {
  Matrix6d M;
  M << J, skew(first_moment), -skew(first_moment), mass * Matrix3d::Identity();
  return M;
}

}  // namespace lithe
