// The linear and quasi-static finite-element models: element matrices as published, assembly in world axes, statics.
#include "lithe/simulate/finite_element/nominal_model.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <numbers>

#include "lithe/analyse/statics.h"
#include "lithe/describe/case_reader.h"
#include "support/allocation_count.h"
#include "support/matrix_functions.h"
#include "support/naganathan_arms.h"
#include "support/random_arm.h"
#include "support/reference_data.h"

namespace lithe::testing {
namespace {

using Matrix12d = Eigen::Matrix<double, 12, 12>;
using Vector12d = Eigen::Matrix<double, 12, 1>;

// ------------------------------------------------------------------------------------------------ element matrices

/// The second of three elements of a beam, s₁ to s₂, with what the motion of its link adds.
struct MovingElement {
  double rhoA = 2700 * 0.03 * 0.012, rho = 2700, Iy = 0.03 * std::pow(0.012, 3) / 12,
         Iz = 0.012 * std::pow(0.03, 3) / 12;
  double s1 = 0.9 * 0.5, s2 = 0.9 * 0.8, l = s2 - s1;
  Matrix12d J, C, K_b;
  Vector12d F = Vector12d::Zero();

  explicit MovingElement(const FrameMotion& base) {
    const Case data = read_case_text(R"(
arm:
  links:
    - name: beam
      joint: {name: hub, type: revolute, axis: [0, 0, 1]}
      beam: {length: 0.9, material: {E: 7 GPa, nu: 0.3, density: 2700}, section: {rectangle: {width_y: 30 mm, height_z: 12 mm}}, flexibility: {elements: 3, element: linear, mesh: [0.5, 0.3, 0.2]}}
)")
                          .data;
    const Arm arm = Arm::assemble(data);
    const NodalBeam beam = *nodal_beams(data, arm)[0];
    // What both elements at a node share is twice there; the blocks beside the diagonal belong to this element alone, and a
    // linear element's diagonal blocks are twice those.
    const Matrix6d beside = MatrixXd(beam.M).block<6, 6>(6, 12);
    const double s[] = {s1, s2};
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j) {
        const Matrix6d block = i == j ? 2 * beside : beside;
        const FrameTerms terms = node_terms(block, s[j], base);
        J.block<6, 6>(6 * i, 6 * j) = block;
        C.block<6, 6>(6 * i, 6 * j) = terms.C;
        K_b.block<6, 6>(6 * i, 6 * j) = terms.K_b;
        F.segment<6>(6 * i) += terms.F;
      }
  }
};

TEST(FrameTerms, PlanarElementOfAppendixA) {
  const double w = 1.7, al = -2.3, ax = 0.8, ay = -1.1;
  const MovingElement e({{0, 0, w}, {0, 0, al}, {ax, ay, 0}});
  const std::vector<int> plane{0, 1, 5, 6, 7, 11};
  const Eigen::Matrix2d shared = (Eigen::Matrix2d() << 2, 1, 1, 2).finished();
  const Matrix3d turn = (Matrix3d() << 0, -1, 0, 1, 0, 0, 0, 0, 0).finished();
  const Matrix3d base = (Matrix3d() << -w * w, -al, 0, al, -w * w, 0, 0, 0, 0).finished();
  const Matrix3d matter = Vector3d(e.rhoA, e.rhoA, e.rho * e.Iz).asDiagonal();
  // figs 44, 45 (its second row put right), 47, 48 without distributed load
  const MatrixXd J = e.l / 6 * kronecker_product(shared, matter);
  const MatrixXd C = e.rhoA * e.l / 3 * w * kronecker_product(shared, turn);
  const MatrixXd K_b = e.rhoA * e.l / 6 * kronecker_product(shared, base);
  VectorXd F(6);
  const double first = (2 * e.s1 + e.s2) / 6, second = (e.s1 + 2 * e.s2) / 6, m = e.rhoA * e.l;
  F << m * (w * w * first - ax / 2), -m * (al * first + ay / 2), -e.rho * e.Iz * al * e.l / 2,
      m * (w * w * second - ax / 2), -m * (al * second + ay / 2), -e.rho * e.Iz * al * e.l / 2;
  expect_close(e.J(plane, plane), J, 1e-15, "J");
  expect_close(e.C(plane, plane), C, 1e-15, "C");
  expect_close(e.K_b(plane, plane), K_b, 1e-15, "K_b");
  expect_close(e.F(plane), F, 1e-15, "F");
}

TEST(FrameTerms, SpatialElementIsNewtonAndEulerAtEverySection) {
  // Inertia forces ρA a and ρ(Iα_s + ω_s×Iω_s) of sections, at Gauss points, weighted by the linear shapes (eqs 5.17–5.22).
  const FrameMotion base{{0.7, -1.2, 1.9}, {-0.4, 2.2, 1.1}, {3, -2, 5}};
  const MovingElement e(base);
  const VectorXd q = random_vector(12, 1), rate = random_vector(12, 2), acceleration = random_vector(12, 3);
  const Matrix3d I = e.rho * Vector3d(e.Iy + e.Iz, e.Iy, e.Iz).asDiagonal();
  VectorXd expected = VectorXd::Zero(12);
  for (const double side : {-1.0, 1.0}) {
    const double x = 0.5 * (1 + side / std::sqrt(3.0));
    auto at = [&](const VectorXd& nodes, int part) {
      return Vector3d((1 - x) * nodes.segment<3>(part) + x * nodes.segment<3>(6 + part));
    };
    const Vector3d r = Vector3d(e.s1 + x * e.l, 0, 0) + at(q, 0);
    const Vector3d a = base.a + base.alpha.cross(r) + base.omega.cross(base.omega.cross(r)) +
                       2 * base.omega.cross(at(rate, 0)) + at(acceleration, 0);
    const Vector3d omega_d = at(rate, 3), omega = base.omega + omega_d;
    const Vector3d alpha = base.alpha + at(acceleration, 3) + base.omega.cross(omega_d);
    // The thesis leaves out ω_d×Iω_d, of second order.
    const Vector3d moment = I * alpha + omega.cross(I * omega) - omega_d.cross(I * omega_d);
    for (int node = 0; node < 2; ++node) {
      const double weight = e.l / 2 * (node == 0 ? 1 - x : x);
      expected.segment<3>(6 * node) += weight * e.rhoA * a;
      expected.segment<3>(6 * node + 3) += weight * moment;
    }
  }
  const VectorXd ours = e.J * acceleration + e.C * rate + e.K_b * q - e.F;
  expect_close(ours, expected, 1e-14, "inertia force");
  const double rotary = expected.segment<3>(3).norm();
  ASSERT_GT(rotary, 1e-6) << "or the rotations' part is not tested";
  expect_close(ours.segment<3>(3), expected.segment<3>(3), 1e-13 * rotary, "moment");
}

// -------------------------------------------------------------------------------------------------------- assembly

std::string case_1(const std::string& more) {
  const std::string four = "{elements: 4, element: linear, plane: y}";
  return planar_case_1({.upper = four, .fore = four, .more = more});
}
const char* slew =
    "motion: {shoulder: {cycloidal: {to: 60 deg, in: 0.5 s}}, elbow: {cycloidal: {to: -90 deg, in: 0.6 s}}}\n";

TEST(NominalModel, CoriolisAndBaseMotionCancelInWorldAxes) {
  const Case data = read_case_text(case_1(slew)).data;
  const Arm arm = Arm::assemble(data);
  Drives drives(data, arm);
  NominalModel model(data, arm, drives);
  EXPECT_EQ(model.size(), 24);
  EXPECT_EQ(model.correlation(0, 0, 0), -1);  // the root is clamped to the command
  EXPECT_EQ(model.correlation(0, 1, 2), -1);  // out of the plane
  EXPECT_EQ(model.correlation(0, 1, 5), 2);
  EXPECT_EQ(model.correlation(1, 4, 5), 23);
  for (const double t : {0.1, 0.25, 0.4}) {
    const auto& sums = model.matrices(t);
    // ΦᵀCΦ alone is some 2 ω m, 0.5 here; ΦᵀK_bΦ some ω² m.
    EXPECT_LT(MatrixXd(sums.C).cwiseAbs().maxCoeff(), 1e-15);
    EXPECT_LT(MatrixXd(sums.K - sums.K_c).cwiseAbs().maxCoeff(), 1e-15 * MatrixXd(sums.K).cwiseAbs().maxCoeff());
  }
}

/// Fast, spatial, with offsets, a rigid link and a slide: turned as a whole by a small angle, it needs its forces turned.
TEST(NominalModel, TurnedArmNeedsTurnedForces) {
  const Case data = read_case_text(R"(
arm:
  gravity: [0, 0, 0]
  rotary_inertia: false
  links:
    - name: upper
      joint: {name: hip, type: revolute, axis: [0, 0.6, 0.8], origin: {xyz: [0.1, 0.2, 0.3], rpy: [0.2, -0.4, 0.7]}}
      beam: &beam {length: 0.9, material: {E: 7 GPa, nu: 0.3, density: 2700}, section: {rectangle: {width_y: 30 mm, height_z: 12 mm}}, flexibility: {elements: 2, element: linear}}
    - name: bracket
      joint: {name: slide, type: prismatic, axis: [0, 0, 1], origin: {xyz: [0.2, -0.3, 0.1], rpy: [0.5, 0, 0.2]}}
      rigid: {length: 0.3, mass: 0}
    - name: fore
      joint: {name: elbow, type: revolute, axis: [0, 0, 1], origin: {xyz: [0.05, 0.2, 0.15]}}
      beam: *beam
motion:
  hip: {cycloidal: {to: 2, in: 0.7 s}}
  slide: {cycloidal: {to: 0.5, in: 0.8 s}}
  elbow: {cycloidal: {to: -1.5, in: 0.6 s}}
)")
                        .data;
  const Arm arm = Arm::assemble(data);
  Drives drives(data, arm);
  NominalModel model(data, arm, drives);
  const Vector3d turn(0.3, -0.5, 0.8);
  // Places, velocities and accelerations of nodes of the rigid motion, by central differences of the arm's kinematics.
  auto node_at = [&](double t, int i_link, int node) {
    State state = State::zero(arm);
    state.t = t;
    drives.enter(t, t);
    drives.impose(state);
    const Kinematics kin = kinematics_of(arm, state);
    return Vector3d(kin.X_WB[i_link] * Vector3d(0.45 * node, 0, 0));
  };
  // Five points: of fourth order, rounding 1e-10 m/s².
  const double t = 0.23, h = 1e-3;
  auto velocity = [&](int i, int n) {
    return Vector3d(
        (node_at(t - 2 * h, i, n) - 8 * node_at(t - h, i, n) + 8 * node_at(t + h, i, n) - node_at(t + 2 * h, i, n)) /
        (12 * h));
  };
  auto acceleration = [&](int i, int n) {
    return Vector3d((-node_at(t - 2 * h, i, n) + 16 * node_at(t - h, i, n) - 30 * node_at(t, i, n) +
                     16 * node_at(t + h, i, n) - node_at(t + 2 * h, i, n)) /
                    (12 * h * h));
  };
  VectorXd z = VectorXd::Zero(model.size()), v = z, a = z, force(z), zero = z, still(z);
  for (const int i : {0, 2})
    for (const int node : {1, 2})
      for (int c = 0; c < 3; ++c) {
        const int k = model.correlation(i, node, c);
        z[k] = turn.cross(node_at(t, i, node))[c];
        v[k] = turn.cross(velocity(i, node))[c];
        a[k] = turn.cross(acceleration(i, node))[c];
        z[model.correlation(i, node, c + 3)] = turn[c];
      }
  // The first frame is clamped to the command: turn it about its own origin, which stands still.
  const Vector3d origin = node_at(t, 0, 0);
  for (const int i : {0, 2})
    for (const int node : {1, 2})
      for (int c = 0; c < 3; ++c) z[model.correlation(i, node, c)] -= turn.cross(origin)[c];
  drives.enter(t, t);
  model.unbalanced(t, z, v, a, force);
  model.unbalanced(t, zero, zero, zero, still);
  // At the middle node of the outer link: no elastic force, and Σ m_ij turn×a_j.
  const double m = 2700 * 0.03 * 0.012 * 0.45 / 6;
  const Vector3d sum = m * (acceleration(2, 0) + 4 * acceleration(2, 1) + acceleration(2, 2));
  ASSERT_GT(turn.cross(sum).norm(), 0.3);
  for (int c = 0; c < 3; ++c) {
    const int k = model.correlation(2, 1, c);
    EXPECT_NEAR(still[k], -sum[c], 1e-7) << c;
    EXPECT_NEAR(force[k] - still[k], -turn.cross(sum)[c], 1e-7) << c;
  }
}

// --------------------------------------------------------------------------------------------------------- statics

TEST(NominalModel, SagOfTheSpatialArm) {
  // Frames in global coordinates by another program (linear), and statics of the nonlinear arm under little gravity.
  const nlohmann::json witness = reference("naganathan_3R_spatial.json");
  for (const auto& entry : witness["cases"]) {
    const Case data =
        read_case_text(spatial_table_3(entry["shoulder_deg"], entry["elbow_deg"], entry["post"] == "flexible post",
                                       -9.81e-5, "motion: {shoulder: {dwell: {for: 1 s}}, elbow: {dwell: {for: 1 s}}}"))
            .data;
    const Arm arm = Arm::assemble(data);
    Drives drives(data, arm);
    NominalModel model(data, arm, drives);
    VectorXd z;
    model.quasi_static(0, z);
    const Vector3d sag = model.tip_displacement(0, z, 2).head<3>(), expected = vector(entry["gravity_tip_m"]);
    EXPECT_LT((sag * 1e5 - expected).norm(), 1e-9 * expected.norm());
    const StaticResult rest = static_deflection(arm, drives.initial_state(), arm.last_link(), {});
    EXPECT_LT((sag - rest.sag).norm(), 1e-6 * sag.norm());
    EXPECT_LT((model.tip_displacement(0, z, 2).tail<3>() - rest.tip_turn).norm(), 1e-6 * rest.tip_turn.norm());
  }
}

TEST(NominalModel, LinkUnderAngularAccelerationAndAServoThatGivesWay) {
  // A quarter through a cycloid, where its acceleration is largest: eq 3.5 with shear and rotary inertia, transverse; a servo
  // adds the turn that the root moment needs.
  const double kp = 50, L = 1, E = 70e9, A = 350e-6, I = 1e-8, rho = 2700, al = 2 * std::numbers::pi * 0.5;
  const double kGA = 0.8864 * E / 2.6 * A, w0 = rho * A * al * L, t = 0.25;
  for (const auto& [servo, n] : {std::pair(false, 256), {true, 256}, {true, 3}}) {
    const std::string profile = "{cycloidal: {to: 0.5, in: 1 s}}";
    const Case data =
        read_case_text(fmt::format(R"(
arm:
  gravity: [0, 0, 0]
  links:
    - name: beam
      joint: {{name: hub, type: revolute, axis: [0, 0, 1]}}
      beam: {{length: 1, material: {{E: 70 GPa, nu: 0.3, density: 2700}}, section: {{area: 350 mm^2, Iy: 10000 mm^4, Iz: 10000 mm^4, shear: 0.8864}}, flexibility: {{elements: {0}, element: linear, plane: y}}}}
{1}
)",
                                   n,
                                   servo ? "torque: {hub: {servo: {kp: 50, kv: 3, follow: " + profile + "}}}"
                                         : "motion: {hub: " + profile + "}"))
            .data;
    const Arm arm = Arm::assemble(data);
    Drives drives(data, arm);
    NominalModel model(data, arm, drives);
    drives.enter(0, 1);
    VectorXd z;
    model.quasi_static(t, z);
    const Kinematics kin = [&] {
      State state = State::zero(arm);
      state.t = t;
      state.q[0] = 0.5 * (t - std::sin(2 * std::numbers::pi * t) / (2 * std::numbers::pi));
      return kinematics_of(arm, state);
    }();
    const Vector3d tip = kin.X_WB[0].R.transpose() * model.tip_displacement(t, z, 0).head<3>();
    const double bend = 11 * w0 / (120 * E * I), shear = w0 / (3 * kGA), rotary = rho * I * al / (3 * E * I) * L;
    const double root_moment = al * (rho * A * L * L * L / 3 + rho * I * L);
    const double expected = -(bend + shear + rotary) - (servo ? root_moment / kp * L : 0);
    // Elements of this kind err by about 1/4n². Their root moment does not: there few serve, for rounding's sake.
    if (n > 3) {
      EXPECT_NEAR(tip.y(), expected, 1e-5 * bend) << servo;
    } else {
      EXPECT_NEAR(z[model.compliance(0)], -root_moment / kp, 1e-12);
    }
  }
}

TEST(NominalModel, SaysWhatIsOutside) {
  auto refusal = [](const std::string& text) {
    const Case data = read_case_text(text).data;
    const Arm arm = Arm::assemble(data);
    Drives drives(data, arm);
    try {
      NominalModel model(data, arm, drives);
    } catch (const UnsupportedError& error) {
      return error.path() + ": " + error.what();
    }
    return std::string();
  };
  EXPECT_EQ(refusal(case_1(slew)), "");
  EXPECT_EQ(refusal(case_1("motion: {shoulder: {cycloidal: {to: 60 deg, in: 0.5 s}}}\n")),
            "arm.links: finite-element, linear: joint 'elbow' must be driven by a motion or a servo without saturation "
            "and sampling; the nonlinear model supports others");
  EXPECT_EQ(refusal(case_1("motion: {shoulder: {cycloidal: {to: 60 deg, in: 0.5 s}}}\n"
                           "torque: {elbow: {computed_torque: {kp: 4, kd: 4, target: 0}}}\n")),
            "torque.elbow: finite-element, linear: joint 'elbow' must be driven by a motion or a servo without "
            "saturation and sampling; the nonlinear model supports others");
  std::string text = case_1(slew);
  text.replace(text.rfind("[0, 0, 1]"), 9, "[0, 1, 0]");
  EXPECT_EQ(
      refusal(text),
      "arm.links: finite-element, linear: joint 'elbow' or a link's free bending leaves the plane that other links are "
      "confined to");
}

TEST(NominalModel, EvaluationsAllocateNothing) {
  const Case data = read_case_text(case_1(slew)).data;
  const Arm arm = Arm::assemble(data);
  Drives drives(data, arm);
  NominalModel model(data, arm, drives);
  const VectorXd z = random_vector(model.size(), 1);
  VectorXd force(model.size());
  model.unbalanced(0.1, z, z, z, force);
  const long before = allocations();
  model.unbalanced(0.2, z, z, z, force);
  model.weighted_sum(0.3, z, z, 1, 1, 1);
  EXPECT_EQ(allocations(), before);
}

}  // namespace
}  // namespace lithe::testing
