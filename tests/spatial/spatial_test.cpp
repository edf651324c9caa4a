#include "lithe/spatial/spatial.h"

#include <gtest/gtest.h>

#include <cmath>

#include "lithe/spatial/demand.h"
#include "support/random_arm.h"

namespace lithe::testing {
namespace {

constexpr double epsilon = 2.3e-16;

/// exp by its power series: shares nothing with the quaternion route.
Matrix3d exp_series(const Vector3d& theta) {
  Matrix3d term = Matrix3d::Identity(), sum = term;
  for (int k = 1; k < 60; ++k) {
    term = term * skew(theta) / k;
    sum += term;
  }
  return sum;
}

TEST(Rotation, ExpIsThePowerSeries) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    const Vector3d theta = random_vector(3, seed, 2);
    // Terms of the series reach e^3.5 ≈ 30 before they cancel.
    EXPECT_LT((exp_rotation(theta) - exp_series(theta)).norm(), 100 * epsilon);
  }
  const Vector3d tiny(1e-9, -2e-9, 3e-9);
  EXPECT_LT((exp_rotation(tiny) - exp_series(tiny)).norm(), epsilon);
}

TEST(Rotation, LogUndoesExpAtBothEnds) {
  for (const double angle : {1e-13, 1e-9, 1e-4, 0.5, 2.0, 3.1, M_PI - 1e-6, M_PI - 1e-9}) {
    for (unsigned seed = 0; seed < 20; ++seed) {
      const Vector3d theta = angle * Vector3d(random_vector(3, seed)).normalized();
      EXPECT_LT((log_rotation(exp_rotation(theta)) - theta).norm(), 20 * epsilon * std::max(angle, 0.1)) << angle;
    }
  }
}

TEST(Rotation, RpyTurnsAboutFixedAxesInTurn) {
  // By hand: roll 90° takes y to z; then pitch 90° takes z to x; then yaw 90° takes x to y.
  const Matrix3d R = rpy_rotation({M_PI / 2, M_PI / 2, M_PI / 2});
  EXPECT_LT((R * Vector3d::UnitY() - Vector3d::UnitY()).norm(), 4 * epsilon);
  EXPECT_LT((R * Vector3d::UnitX() - -Vector3d::UnitZ()).norm(), 4 * epsilon);
}

TEST(Rotation, AnyAxisCanBeZ) {
  for (const Vector3d& axis : {Vector3d(0, 0, 1), Vector3d(0, 0, -1), Vector3d(1, 0, 0), Vector3d(0.36, 0.48, -0.8),
                               Vector3d(1e-4, -2e-4, -1).normalized()}) {
    const Matrix3d A = rotation_taking_z_to(axis);
    EXPECT_LT((A.col(2) - axis).norm(), 4 * epsilon);
    EXPECT_LT((A * A.transpose() - Matrix3d::Identity()).norm(), 8 * epsilon);
    EXPECT_NEAR(A.determinant(), 1, 8 * epsilon);
  }
}

TEST(RigidInertia, MovesLikeItsPoints) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    // A cloud of points, summed up in B and, moved, in A.
    const Pose X_AB{exp_rotation(random_vector(3, seed, 3)), random_vector(3, seed + 1000)};
    RigidInertia in_B, in_A;
    for (unsigned k = 0; k < 5; ++k) {
      const Vector3d r = random_vector(3, 7 * seed + k);
      const double m = 0.1 + k;
      in_B += RigidInertia{m, m * r, point_inertia(m, r)};
      in_A += RigidInertia{m, m * (X_AB * r), point_inertia(m, X_AB * r)};
    }
    const RigidInertia moved = in_B.seen_from(X_AB);
    EXPECT_LT((moved.matrix() - in_A.matrix()).norm(), 50 * epsilon * in_A.matrix().norm());
    EXPECT_LT((moved.inertia_com() - X_AB.R * in_B.inertia_com() * X_AB.R.transpose()).norm(),
              100 * epsilon * in_A.J.norm());
  }
}

TEST(RigidInertia, OfAMasslessBodyStaysFinite) {
  const RigidInertia spin{0, Vector3d::Zero(), Vector3d(0, 0, 0.35).asDiagonal()};
  EXPECT_EQ(spin.com(), Vector3d::Zero());
  EXPECT_LT((spin.seen_from({Matrix3d::Identity(), {5, 0, 0}}).J - spin.J).norm(), epsilon);
}

TEST(Demand, SaysBothNumbers) {
  try {
    const int tau = 3, nv = 2;
    LITHE_DEMAND_EQUAL(tau, nv);
    FAIL();
  } catch (const std::logic_error& error) {
    EXPECT_NE(std::string(error.what()).find("demand failed: tau == nv (3 against 2)"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace lithe::testing
