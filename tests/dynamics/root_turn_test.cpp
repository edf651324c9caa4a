// Shapes of beams on a hinge, and shapes from a file that turn at the root: whatever acts at a joint acts on the root section, so
// that they give the answers of shapes that are clamped there.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "app/run_program.h"
#include "lithe/analyse/linearise.h"
#include "lithe/analyse/modes.h"
#include "lithe/analyse/statics.h"
#include "lithe/beam/imported_basis.h"
#include "lithe/describe/case_reader.h"
#include "lithe/dynamics/articulated/articulated.h"
#include "lithe/spatial/dense_eigen.h"
#include "support/covering.h"

namespace lithe::testing {
namespace {

/// A strip on one joint, with a payload, under PD control.
std::string strip(const std::string& flexibility, const std::string& joint, const std::string& rest = "") {
  return "arm:\n  gravity: [0, -9.81, 0]\n  links:\n    - name: strip\n      joint: " + joint +
         "\n      beam: {length: 1 m, material: aluminium, section: {rectangle: {width_y: 3 mm, height_z: 50 mm}}, "
         "flexibility: " +
         flexibility + "}\n      payload: {mass: 0.1 kg}\n" + rest;
}
const char* const turning = "{name: hub, type: revolute, axis: [0, 0, 1]}";
const char* const held = "{name: hub, type: fixed}";
std::string shapes(int n, const std::string& kind) {
  return "{modes: {bending_y: " + std::to_string(n) + ", shape: " + kind + "}}";
}
CaseFile read(const std::string& text) { return read_case_text(text, "case"); }

/// Poles with positive frequency of the strip on its controller, slowest first.
std::vector<std::complex<double>> poles(const std::string& flexibility, const std::string& joint = turning) {
  const CaseFile file = read(strip(flexibility, joint, "torque: {hub: {pd: {kp: 60, kd: 1.5, target: 0}}}\n"));
  const Arm arm = Arm::assemble(file.data);
  Drives drives(file.data, arm);
  const LinearModel model = linearise(arm, State::zero(arm), drives, {.closed_loop = true});
  std::vector<std::complex<double>> list;
  for (const auto& pole : model.poles)
    if (pole.imag() > 0) list.push_back(pole);
  std::sort(list.begin(), list.end(), [](auto a, auto b) { return std::abs(a) < std::abs(b); });
  return list;
}

// Shapes on a hinge have no curvature at the root, where a torque bends the beam most, so they converge slowly: as 1/n.
TEST(RootTurn, ControllersActOnTheRootSection) {
  const std::string geared =
      "{name: hub, type: revolute, axis: [0, 0, 1], motor: {inertia: 1e-4, gear_ratio: 30}, spring: {stiffness: 20}, "
      "damping: 0.3}";
  for (const std::string& joint : {std::string(turning), geared}) {
    const auto converged = poles(shapes(10, "polynomial"), joint);
    EXPECT_GT(-converged[1].real(), 0.02 * std::abs(converged[1])) << "too little damping to prove anything";
    for (const char* kind : {"pinned-free", "pinned-pinned"}) {
      for (int k = 0; k < 2; ++k) {
        auto error = [&](int n) {
          return std::abs(poles(shapes(n, kind), joint)[k] - converged[k]) / std::abs(converged[k]);
        };
        EXPECT_LT(error(12), 0.06) << kind << k;
        EXPECT_LT(error(24), 0.6 * error(12)) << kind << k;
        EXPECT_LT(error(48), 0.6 * error(24)) << kind << k;
      }
    }
  }
}

// A torque step bends the link at once: the tip lags behind the hub by as much as with shapes clamped at the root.
TEST(RootTurn, TorqueBendsTheLink) {
  auto tip_lag = [](const std::string& flexibility) {
    const Arm arm = Arm::assemble(read(strip(flexibility, turning)).data);
    // Shapes follow quasi-statically: at rest under torque the flexible coordinates balance inertia of the gross motion.
    Articulated dynamics(arm);
    MatrixXd M(arm.nv(), arm.nv());
    dynamics.mass_matrix(State::zero(arm), M);
    const FlexBasis& flex = *arm.link(0).flex;
    const double alpha = 1 / M(0, 0);
    const VectorXd delta = solve_symmetric(MatrixXd(flex.K), -alpha * M.col(0).tail(arm.nv() - 1));
    return (flex.tip_phi * delta).y();
  };
  const double exact = tip_lag(shapes(10, "polynomial"));
  EXPECT_LT(exact, -1e-4);
  for (const char* kind : {"pinned-free", "pinned-pinned"})
    EXPECT_NEAR(tip_lag(shapes(24, kind)), exact, 0.03 * std::abs(exact)) << kind;
}

TEST(RootTurn, FixedAndLockedJointsHoldTheRoot) {
  auto sag = [](const std::string& flexibility, const char* joint) {
    const Arm arm = Arm::assemble(read(strip(flexibility, joint)).data);
    return static_deflection(arm, State::zero(arm), 0, {}).sag.y();
  };
  const double E = 70e9, I = 0.05 * std::pow(0.003, 3) / 12, w = 2700 * 0.05 * 0.003 * 9.81, P = 0.1 * 9.81;
  const double exact = -(w / 8 + P / 3) / (E * I);
  EXPECT_NEAR(sag(shapes(3, "polynomial"), held), exact, 0.02 * std::abs(exact));
  double before = 1;
  for (const int n : {3, 6, 12, 24}) {
    const double error = std::abs(sag(shapes(n, "pinned-free"), held) / exact - 1);
    EXPECT_LT(error, 0.75 * before) << n;
    before = error;
  }
  EXPECT_LT(before, 0.05);
  EXPECT_NEAR(sag(shapes(12, "pinned-free"), turning), sag(shapes(12, "pinned-free"), held), 1e-12);
}

// A file's shapes with and without a rigid turn of the root are one link.
TEST(RootTurn, ImportedShapesAreSeenFromTheirRoot) {
  ImportedLink clamped;
  const int n = 5;
  clamped.nodes = Matrix3Xd::Zero(3, n);
  for (int i = 0; i < n; ++i) clamped.nodes.col(i) = Vector3d(0.25 * i, 0.01 * i * (i - 1), 0);
  clamped.mass = VectorXd::LinSpaced(n, 1, 2).asDiagonal();
  clamped.inertia = Matrix3Xd::Constant(3, n, 0.01);
  for (int k = 0; k < 2; ++k) {
    Matrix6Xd shape = Matrix6Xd::Zero(6, n);
    for (int i = 1; i < n; ++i) {
      const double x = 0.25 * i;
      shape.col(i) << 0, std::pow(x, 2 + k), 0.3 * x * x * (k + 1), 0.1 * x, 0, (2 + k) * std::pow(x, 1 + k);
    }
    clamped.shapes.push_back(shape);
  }
  clamped.stiffness = (MatrixXd(2, 2) << 30, 4, 4, 90).finished();
  clamped.damping = MatrixXd::Zero(2, 2);
  clamped.tip = n - 1;
  ImportedLink moved = clamped;
  for (int k = 0; k < 2; ++k) {
    const Vector3d a(0.1, 0.2 * (k + 1), -0.3), b(0.3, -0.2, 0.7 + k);
    for (int i = 0; i < n; ++i) {
      moved.shapes[k].col(i).head<3>() += a + b.cross(clamped.nodes.col(i));
      moved.shapes[k].col(i).tail<3>() += b;
    }
  }
  const FlexBasis one = imported_basis(clamped), other = imported_basis(moved);
  EXPECT_LT((MatrixXd(one.M) - MatrixXd(other.M)).norm(), 1e-13 * MatrixXd(one.M).norm());
  EXPECT_LT((one.S - other.S).norm(), 1e-13);
  EXPECT_LT((one.H - other.H).norm(), 1e-14);
  EXPECT_LT((one.tip_phi - other.tip_phi).norm() + (one.tip_psi - other.tip_psi).norm(), 1e-13);
}

}  // namespace
}  // namespace lithe::testing
