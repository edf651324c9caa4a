#include "lithe/dynamics/finite_element/frame_terms.h"

namespace lithe {
namespace {

/// Ψ: acceleration of a point of the frame per its place.
Matrix3d place_to_acceleration(const FrameMotion& frame) {
  const Matrix3d omega = skew(frame.omega);
  return omega * omega + skew(frame.alpha);
}

/// ∫ΛᵀAΛ dm.
Matrix6d between_motions(const RigidInertia& body, const Matrix3d& A) {
  const Matrix3d h = skew(body.first_moment);
  const Matrix3d Sigma = body.J.trace() / 2 * Matrix3d::Identity() - body.J;  // ∫ r rᵀ dm
  Matrix6d sum = Matrix6d::Zero();
  sum.topLeftCorner<3, 3>() = body.mass * A;
  sum.topRightCorner<3, 3>() = -A * h;
  sum.bottomLeftCorner<3, 3>() = h * A;
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b)
      sum.bottomRightCorner<3, 3>() -= Sigma(a, b) * skew(Vector3d::Unit(a)) * A * skew(Vector3d::Unit(b));
  return sum;
}

}  // namespace

FrameTerms node_terms(const Matrix6d& J, double s, const FrameMotion& base) {
  const Matrix3d m = J.topLeftCorner<3, 3>(), D = J.bottomRightCorner<3, 3>();
  const Matrix3d omega = skew(base.omega), Psi = place_to_acceleration(base);
  FrameTerms terms{Matrix6d::Zero(), Matrix6d::Zero(), Vector6d::Zero()};
  terms.C.topLeftCorner<3, 3>() = 2 * m * omega;
  terms.C.bottomRightCorner<3, 3>() = D * omega + omega * D - skew(D * base.omega);
  terms.K_b.topLeftCorner<3, 3>() = m * Psi;
  terms.F << -m * (base.a + Psi.col(0) * s), -D * base.alpha - base.omega.cross(D * base.omega);
  return terms;
}

Matrix6d body_mass(const RigidInertia& body) { return between_motions(body, Matrix3d::Identity()); }

FrameTerms body_terms(const RigidInertia& body, const FrameMotion& node) {
  const Vector6d wrench = inertia_wrench(body, node);
  FrameTerms terms{between_motions(body, 2 * skew(node.omega)), between_motions(body, place_to_acceleration(node)), {}};
  terms.F << -wrench.tail<3>(), -wrench.head<3>();
  return terms;
}

}  // namespace lithe
