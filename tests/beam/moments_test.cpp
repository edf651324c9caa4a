// What of a link's inertia depends on its deformation, against sums over slices (support/beam_points.h).
#include <gtest/gtest.h>

#include "lithe/beam/beam_basis.h"
#include "support/beam_points.h"
#include "support/random_arm.h"

namespace lithe::testing {
namespace {

const Beam beam{1.3, {"", 70e9, 0.33, 2700, {}}, {Rectangle{0.02, 0.03}, {}}, Modes{3, 2, 2, 2}};

struct Sums {
  Vector3d s = Vector3d::Zero();
  Matrix3d Sigma = Matrix3d::Zero(), squares = Matrix3d::Zero(), inertia = Matrix3d::Zero();
  Matrix3Xd angular;  // ∫ r×φ_k dm + ∫ j ψ_k dx
  std::array<Matrix3Xd, 3> P;
};

Sums sums_over(const BeamPoints& points, const VectorXd& delta) {
  Sums sums;
  sums.angular = Matrix3Xd::Zero(3, points.size());
  sums.P.fill(Matrix3Xd::Zero(3, points.size()));
  for (const BeamPoint& slice : points.slices) {
    const Vector3d u = slice.phi * delta, r = Vector3d(slice.x, 0, 0) + u;
    sums.s += slice.mass * r;
    sums.Sigma += slice.mass * r * r.transpose();
    sums.squares += slice.mass * u * u.transpose();
    sums.inertia += point_inertia(slice.mass, r);
    sums.inertia.diagonal() += slice.rotary;
    for (int k = 0; k < points.size(); ++k) {
      const Vector3d phi = slice.phi.col(k);
      sums.angular.col(k) += slice.mass * r.cross(phi) + slice.rotary.cwiseProduct(slice.psi.col(k));
      for (int a = 0; a < 3; ++a) sums.P[a].col(k) += slice.mass * r[a] * phi;
    }
  }
  return sums;
}

TEST(FlexMoments, AreSumsOverTheDeformedLink) {
  const FlexBasis basis = beam_basis(beam, true, {});
  const BeamPoints points(beam, true);
  ASSERT_EQ(basis.size(), points.size());
  FlexMoments moments;
  for (unsigned seed = 0; seed < 10; ++seed) {
    const VectorXd delta = random_vector(basis.size(), seed, 0.3);
    update_moments(basis, delta, moments);
    const Sums sums = sums_over(points, delta);
    EXPECT_LT((moments.s - sums.s).norm(), 1e-14);
    EXPECT_LT((moments.Sigma - sums.Sigma).norm(), 1e-14);
    EXPECT_LT((moments.inertia(basis) - sums.inertia).norm(), 1e-14);
    for (int a = 0; a < 3; ++a) EXPECT_LT((moments.P[a] - sums.P[a]).norm(), 1e-14);
    for (int k = 0; k < basis.size(); ++k)
      EXPECT_LT((moments.angular(basis, k) - sums.angular.col(k)).norm(), 1e-14) << k;
  }
}

TEST(FlexMoments, FirstOrderLeavesSquaresOutOfSigmaOnly) {
  FlexBasis basis = beam_basis(beam, true, {});
  basis.quadratic_inertia = false;
  const VectorXd delta = random_vector(basis.size(), 1, 0.3);
  FlexMoments moments;
  update_moments(basis, delta, moments);
  const Sums sums = sums_over(BeamPoints(beam, true), delta);
  ASSERT_GT(sums.squares.norm(), 1e-3) << "nothing would be left out";
  EXPECT_LT((moments.Sigma - (sums.Sigma - sums.squares)).norm(), 1e-14);
  for (int a = 0; a < 3; ++a) EXPECT_LT((moments.P[a] - sums.P[a]).norm(), 1e-14);
}

TEST(TipBody, CountsLikeItsPoints) {
  // Points around the tip that move with its linearised motion: φ(L) + ψ(L)×ρ.
  FlexBasis basis = beam_basis(beam, true, {});
  const FlexBasis bare = basis;
  RigidInertia body;
  Vector3d s = bare.s0;
  Matrix3d inertia = bare.undeformed().J;
  Matrix3Xd S = bare.S, angular(3, bare.size());
  MatrixXd M = bare.M;
  FlexMoments moments;
  update_moments(bare, VectorXd::Zero(bare.size()), moments);
  for (int k = 0; k < bare.size(); ++k) angular.col(k) = moments.angular(bare, k);
  for (unsigned i = 0; i < 6; ++i) {
    const double m = 0.1 + 0.2 * i;
    const Vector3d rho = random_vector(3, i, 0.2), r = Vector3d(beam.length, 0, 0) + rho;
    body += RigidInertia{m, m * rho, point_inertia(m, rho)};
    Matrix3Xd phi = bare.tip_phi;
    for (int k = 0; k < phi.cols(); ++k) phi.col(k) += Vector3d(bare.tip_psi.col(k)).cross(rho);
    s += m * r;
    inertia += point_inertia(m, r);
    S += m * phi;
    M += m * phi.transpose() * phi;
    for (int k = 0; k < phi.cols(); ++k) angular.col(k) += m * r.cross(Vector3d(phi.col(k)));
  }
  add_tip_body(basis, body);
  update_moments(basis, VectorXd::Zero(basis.size()), moments);
  EXPECT_NEAR(basis.mass, bare.mass + body.mass, 1e-14);
  EXPECT_LT((basis.s0 - s).norm(), 1e-13);
  EXPECT_LT((basis.undeformed().J - inertia).norm(), 1e-13);
  EXPECT_LT((basis.S - S).norm(), 1e-13);
  EXPECT_LT((MatrixXd(basis.M) - M).norm(), 1e-11);  // slopes of some 20 per metre, squared
  for (int k = 0; k < basis.size(); ++k) EXPECT_LT((moments.angular(basis, k) - angular.col(k)).norm(), 1e-12) << k;
}

}  // namespace
}  // namespace lithe::testing
