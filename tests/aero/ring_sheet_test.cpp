// The velocity induced by sheets of vortex rings, against quadrature, closed forms and far fields.
#include "lithe/aero/ring_sheet.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "support/draw.h"

namespace lithe::aero::testing {
namespace {

using lithe::testing::any_seed, lithe::testing::any_within;

using Eigen::Vector3d;
constexpr double pi = std::numbers::pi;

Vector3d velocity(RingSheet& sheet, const Vector3d& at, double core = 0,
                  const std::optional<SymmetryPlane>& plane = {}) {
  VectorArray target(1), result(1);
  target.set(0, at);
  sheet.prepare(core);
  sheet.add_velocity(target, 0, plane, result);
  return result[0];
}

/// Γ/4π ∮ dl × r/r³ around the ring by Simpson's rule.
Vector3d by_quadrature(const std::vector<Vector3d>& ring, double gamma, const Vector3d& at, int n = 2000) {
  Vector3d sum = Vector3d::Zero();
  for (size_t k = 0; k < ring.size(); ++k) {
    const Vector3d a = ring[k], l = ring[(k + 1) % ring.size()] - a;
    for (int i = 0; i <= n; ++i) {
      const double weight = (i == 0 || i == n ? 1.0 : i % 2 ? 4.0 : 2.0) / (3.0 * n);
      const Vector3d r = at - (a + l * i / n);
      sum += weight * gamma / (4 * pi) * l.cross(r) / std::pow(r.norm(), 3);
    }
  }
  return sum;
}

/// Nodes scattered about a plane grid, some circulation in every ring.
RingSheet random_sheet(int rows, int columns, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> some(-0.3, 0.3);
  RingSheet sheet(rows, columns);
  sheet.rows = rows;
  for (int i = 0; i <= rows; ++i)
    for (int j = 0; j <= columns; ++j)
      sheet.nodes.set(sheet.node(i, j), {i + some(generator), j + some(generator), some(generator)});
  for (double& gamma : sheet.circulation) gamma = 3 * some(generator);
  return sheet;
}

RC_GTEST_PROP(RingSheet, InducesWhatQuadratureGives, ()) {
  const auto seed = any_seed();
  const int rows = any_within(1, 3), columns = any_within(1, 5);
  RingSheet sheet = random_sheet(rows, columns, seed);
  std::mt19937 generator(seed + 1);
  std::uniform_real_distribution<double> place(-3, 6);
  const Vector3d at(place(generator), place(generator), 1 + std::abs(place(generator)));
  Vector3d expected = Vector3d::Zero();
  double scale = 0;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) {
      const std::vector<Vector3d> ring = {sheet.nodes[sheet.node(i, j)], sheet.nodes[sheet.node(i, j + 1)],
                                          sheet.nodes[sheet.node(i + 1, j + 1)], sheet.nodes[sheet.node(i + 1, j)]};
      expected += by_quadrature(ring, sheet.circulation[sheet.ring(i, j)], at);
      scale += std::abs(sheet.circulation[sheet.ring(i, j)]);
    }
  // Simpson's rule with 2000 intervals errs by some (l/n r)⁴ ≈ 1e-13.
  RC_ASSERT((velocity(sheet, at) - expected).norm() < 1e-12 * scale);
}

TEST(RingSheet, NearALongSegmentItIsAStraightVortexWithScullysCore) {
  // A ring so large that three of its sides are far: near the middle of the first, Γ/2π h/(h² + r_c²).
  RingSheet sheet(1, 1);
  sheet.rows = 1;
  const double far = 1e6;
  sheet.nodes.set(0, {0, -far, 0});
  sheet.nodes.set(1, {0, far, 0});
  sheet.nodes.set(2, {far, -far, 0});
  sheet.nodes.set(3, {far, far, 0});
  sheet.circulation[0] = 1.7;
  for (const double core : {0.0, 0.3})
    for (const double h : {1e-3, 0.1, 0.3, 2.0}) {
      const double expected = 1.7 / (2 * pi) * h / (h * h + core * core);
      // Ahead of a lifting vortex the air goes up. The far sides give some Γ/far.
      EXPECT_NEAR(velocity(sheet, {-h, 0, 0}, core).z(), expected, 1e-12 * expected + 1e-6) << h << ' ' << core;
      EXPECT_NEAR(velocity(sheet, {0, 0, h}, core).x(), expected, 1e-12 * expected + 1e-6) << h << ' ' << core;
    }
}

TEST(RingSheet, IsRegularOnItsSegmentsAndTheirProlongations) {
  RingSheet sheet = random_sheet(3, 4, 5);
  for (int k = 0; k < sheet.n_nodes(); ++k) EXPECT_LT(velocity(sheet, sheet.nodes[k]).norm(), 10) << k;
  // A lone ring: on a segment the other three sides alone are left, and they are no more than Γ/4π·(a few)/size.
  RingSheet square(1, 1);
  square.rows = 1;
  for (int k = 0; k < 4; ++k) square.nodes.set(k, {double(k / 2), double(k % 2), 0.0});
  square.circulation[0] = 1;
  const Vector3d middle = velocity(square, {0, 0.5, 0});
  // By hand: the far side Γ/4π·(2 cos θ)/1 with cos θ = ½/√(1¼), the two others Γ/4π·(1/√(1¼))/½ each; all downwards.
  EXPECT_NEAR(middle.z(), -(1 / std::sqrt(1.25) + 2 * (1 / std::sqrt(1.25)) / 0.5) / (4 * pi), 1e-15);
  EXPECT_NEAR(velocity(square, {1 / 3.0, 0.1 + 0.2 - 0.3, 0}).head<2>().norm(), 0, 1e-15);
}

TEST(RingSheet, FarAwayItIsADipole) {
  // v = Γ/4π (3 (A·e) e − A)/r³ with A the ring's vector area; the next term is smaller by (size/r)².
  RingSheet sheet(1, 1);
  sheet.rows = 1;
  const Vector3d corners[] = {{-0.5, -0.4, 0.1}, {-0.5, 0.4, -0.1}, {0.5, -0.4, 0.1}, {0.5, 0.4, -0.1}};
  for (int k = 0; k < 4; ++k) sheet.nodes.set(k, corners[k]);
  sheet.circulation[0] = 2;
  const Vector3d area = 0.5 * (corners[3] - corners[0]).cross(corners[2] - corners[1]);
  const Vector3d direction = Vector3d(1, 2, -1.5).normalized();
  double previous = 0;
  for (const double r : {20.0, 40.0, 80.0}) {
    const Vector3d dipole = 2 / (4 * pi) * (3 * area.dot(direction) * direction - area) / std::pow(r, 3);
    const double error = (velocity(sheet, r * direction) - dipole).norm() / dipole.norm();
    EXPECT_LT(error, 2 / (r * r));
    if (previous > 0) {
      EXPECT_NEAR(previous / error, 4, 0.1);
    }
    previous = error;
  }
}

TEST(RingSheet, HasNoDivergenceAndNoCurlOffTheVortices) {
  RingSheet sheet = random_sheet(2, 3, 11);
  const Vector3d at(0.7, 1.1, 0.9);
  const double h = 1e-4;
  Eigen::Matrix3d gradient;
  for (int k = 0; k < 3; ++k) {
    const Vector3d step = h * Vector3d::Unit(k);
    gradient.col(k) = (velocity(sheet, at + step) - velocity(sheet, at - step)) / (2 * h);
  }
  ASSERT_GT(gradient.norm(), 1e-3);
  EXPECT_NEAR(gradient.trace(), 0, 1e-8);
  EXPECT_LT((gradient - gradient.transpose()).norm(), 1e-7);  // differences: h² times third derivatives
}

TEST(RingSheet, ImageIsTheMirroredSheet) {
  RingSheet sheet = random_sheet(2, 3, 3);
  const SymmetryPlane plane{.point = {0, -1, 0.2}, .normal = {0.2, 1, -0.4}};
  RingSheet image = sheet;
  for (int k = 0; k < sheet.n_nodes(); ++k) image.nodes.set(k, plane.mirrored(sheet.nodes[k]));
  image.circulation = -sheet.circulation;  // a mirrored ring turns the other way
  const Vector3d at(2.3, 0.4, 1.5);
  const Vector3d both = velocity(sheet, at) + velocity(image, at);
  EXPECT_LT((velocity(sheet, at, 0, plane) - both).norm(), 1e-15);
  // Nothing crosses the plane.
  const Vector3d on_plane = at - plane.height(at) * plane.normal.normalized();
  EXPECT_NEAR(velocity(sheet, on_plane, 0, plane).dot(plane.normal), 0, 1e-15);
}

TEST(RingSheet, InfluenceIsTheVelocityOfEachRingAlone) {
  RingSheet sheet = random_sheet(3, 2, 8);
  const int n = 7;  // one whole pack and a part of one
  VectorArray targets(n), normals(n);
  for (int k = 0; k < n; ++k) {
    targets.set(k, {0.3 * k, 0.2 * k - 0.5, 0.4});
    normals.set(k, Vector3d(0.1 * k, -0.2, 1).normalized());
  }
  const SymmetryPlane plane{.point = {0, -1, 0}};
  for (const auto& symmetry : {std::optional<SymmetryPlane>(), std::optional(plane)}) {
    sheet.prepare(0.1);
    Eigen::MatrixXd a = Eigen::MatrixXd::Zero(n, 2 + sheet.n_rings());
    sheet.add_influence(targets, normals, symmetry, a, 2);
    EXPECT_EQ(a.leftCols(2).norm(), 0);
    for (int ring = 0; ring < sheet.n_rings(); ++ring) {
      RingSheet alone = sheet;
      alone.circulation.setZero();
      alone.circulation[ring] = 1;
      for (int k = 0; k < n; ++k)
        EXPECT_NEAR(a(k, 2 + ring), normals[k].dot(velocity(alone, targets[k], 0.1, symmetry)), 1e-14);
    }
  }
}

TEST(RingSheet, TargetsFromAnyFirstOneOn) {
  RingSheet sheet = random_sheet(2, 2, 4);
  sheet.prepare(0);
  VectorArray targets(11);
  for (int k = 0; k < 11; ++k) targets.set(k, {0.1 * k, 0.3, 0.5});
  VectorArray all(11);
  sheet.add_velocity(targets, 0, {}, all);
  for (int first = 0; first < 11; ++first) {
    VectorArray some(11);
    sheet.add_velocity(targets, first, {}, some);
    for (int k = 0; k < 11; ++k)
      EXPECT_EQ(some[k], k < first ? Vector3d(Vector3d::Zero()) : all[k]) << first << ' ' << k;
  }
}

}  // namespace
}  // namespace lithe::aero::testing
