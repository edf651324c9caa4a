// Linear models against closed forms, differences, and small motions of the whole arm.
#include "lithe/analyse/linearise.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "analyse/linearise_differences.h"
#include "lithe/describe/case_reader.h"
#include "lithe/dynamics/articulated/articulated.h"
#include "support/draw.h"
#include "support/matrix_functions.h"
#include "support/random_arm.h"

namespace lithe::testing {
namespace {

using Complex = std::complex<double>;

struct Subject {
  Case data;
  Arm arm;
  Drives drives;
  State rest;
  explicit Subject(const Case& given)
      : data(given), arm(Arm::assemble(data)), drives(data, arm), rest(drives.initial_state()) {
    rest = find_equilibrium(arm, rest, held_by_motors(arm), effective_gravity(arm), drives.loads().unscaled()).state;
  }
  explicit Subject(const std::string& text) : Subject(read_case_text(text).data) {}
  LinearModel model(bool closed_loop = false) {
    return linearise(arm, rest, drives, {.inputs = {}, .i_tip = arm.last_link(), .closed_loop = closed_loop});
  }
};

const char* const spring_pendulum = R"(
arm:
  links:
    - {name: a, joint: {name: p, type: revolute, axis: [0, 1, 0], damping: 0.8, spring: {stiffness: 30}}, rigid: {length: 2, mass: 3, com: [1, 0, 0], inertia: {xx: 0, yy: 0.5, zz: 0.5}}}
torque: {p: {pd: {kp: 40, kd: 6, target: 0}}}
initial: {p: 30 deg}
)";

TEST(Linearise, PendulumOnASpringHasItsPoles) {
  Subject subject(spring_pendulum);
  const double q = M_PI / 6, J = 3 + 0.5;
  // V = 15 q² + m g l sin q (turning about y takes the link down): stiffness 30 − m g l sin q.
  const double k = 30 + 3 * 9.81 * std::sin(q), d = 0.8;
  for (const bool closed : {false, true}) {
    const LinearModel model = subject.model(closed);
    const double stiffness = k + (closed ? 40 : 0), damping = d + (closed ? 6 : 0);
    const Complex pole(-damping / (2 * J), std::sqrt(stiffness / J - std::pow(damping / (2 * J), 2)));
    EXPECT_LT(std::abs(model.poles[0] - pole), 1e-12);
    EXPECT_LT(std::abs(model.poles[1] - std::conj(pole)), 1e-12);
    EXPECT_NEAR(model.B(1, 0), 1 / J, 1e-15);
    EXPECT_NEAR(model.torque[0], 30 * q - 3 * 9.81 * std::cos(q), 1e-10);
    // The tip moves down by 2 cos q per radian, and back by 2 sin q.
    EXPECT_EQ(model.outputs[2], "tip.z");
    EXPECT_NEAR(model.C(2, 0), -2 * std::cos(q), 1e-14);
    EXPECT_NEAR(model.C(0, 0), -2 * std::sin(q), 1e-14);
    EXPECT_EQ(model.outputs[4], "tip.ry");
    EXPECT_NEAR(model.C(4, 0), 1, 1e-15);
  }
}

TEST(Linearise, FrequencyResponseIsTheSecondOrderOne) {
  Subject subject(spring_pendulum);
  const LinearModel model = subject.model();
  const double q = M_PI / 6, J = 3.5, k = 30 + 3 * 9.81 * std::sin(q), d = 0.8;
  const std::vector<double> omega{0.1, 1, 3.5, 20, 1000};
  const auto response = frequency_response(model, 0, 2, omega);
  for (size_t i = 0; i < omega.size(); ++i) {
    const Complex expected = -2 * std::cos(q) / Complex(k - J * omega[i] * omega[i], d * omega[i]);
    EXPECT_LT(std::abs(response[i] - expected), 1e-12 * std::abs(expected));
  }
}

TEST(Linearise, ResponseOfManyStatesSolvesTheEquation) {
  FlexibleArmOptions options;
  options.arm.drive_line = true;
  Subject subject(random_flexible_case(3, 11, options));
  const LinearModel model = subject.model();
  const int n = int(model.A.rows());
  ASSERT_GT(n, 10);
  const auto response = frequency_response(model, 0, 1, {7.0});
  const Eigen::MatrixXcd G = Complex(0, 7) * Eigen::MatrixXcd::Identity(n, n) - model.A.cast<Complex>();
  const Complex expected =
      (model.C.row(1).cast<Complex>() * G.fullPivLu().solve(Eigen::VectorXcd(model.B.col(0).cast<Complex>())))(0);
  EXPECT_LT(std::abs(response[0] - expected), 1e-8 * std::abs(expected));
}

/// Rows of A differ in size by orders: each against its own largest entry.
double largest_difference(const MatrixXd& a, const MatrixXd& b) {
  double worst = 0;
  for (int i = 0; i < a.rows() && a.cols() > 0; ++i)
    worst = std::max(worst, (a.row(i) - b.row(i)).cwiseAbs().maxCoeff() / (1 + b.row(i).cwiseAbs().maxCoeff()));
  return worst;
}

RC_GTEST_PROP(Linearise, ExactMatricesAreTheDifferencesOfTheAccelerations, ()) {
  const auto seed = any_seed();
  FlexibleArmOptions options;
  // Friction curves on the scale of mrad/s, below the step of the differences.
  options.arm.drive_line = false;
  options.stiffer = 20;
  Case data = random_flexible_case(any_link_count(6), seed, options);
  Subject subject(data);
  if (subject.arm.nv() == 0) return;
  const LineariseOptions how{.inputs = {}, .i_tip = subject.arm.last_link()};
  const LinearModel exact = linearise(subject.arm, subject.rest, subject.drives, how);
  const DifferenceModel differences = linearise_by_differences(subject.arm, subject.rest, subject.drives, false);
  RC_ASSERT(largest_difference(exact.A, differences.A) <= 1e-7);
  RC_ASSERT(largest_difference(exact.B, differences.B) <= 1e-7);
  RC_ASSERT((exact.torque - differences.torque).cwiseAbs().maxCoeff() <= 1e-7 * (1 + exact.torque.norm()));
}

const char* const two_links = R"(
arm:
  links:
    - {name: a, joint: {name: p, type: revolute, axis: [0, -1, 0], damping: 0.3}, beam: {length: 1, material: aluminium, section: {rectangle: {width_y: 20 mm, height_z: 8 mm}}, flexibility: {modes: {bending_z: 2, bending_y: 1, torsion: 1}}, damping: {ratio: 0.01}}}
    - {name: b, joint: {name: q, type: revolute, axis: [0, -1, 0], damping: 0.1, motor: {inertia: 0.02, stiffness: 300}}, beam: {length: 0.8, material: aluminium, section: {rectangle: {width_y: 16 mm, height_z: 6 mm}}, flexibility: {modes: {bending_z: 2}}}, payload: {mass: 0.3}}
torque:
  p: {pd: {kp: 60, kd: 5, target: 20 deg, gravity_compensation: true}}
  q: {pd: {kp: 30, kd: 2, target: 40 deg, gravity_compensation: true, feedback: [{of: a.1, position: 40, rate: 9}, {of: p, rate: 2}]}}
loads: [{link: b, force: [1, 0.5, -2], moment: [0, 0.1, 0.2], axes: link}]
initial: {p: 20 deg, q: 40 deg}
)";

TEST(Linearise, FeedbackAndLoadsAreInIt) {
  Subject subject(two_links);
  for (const bool closed : {false, true}) {
    const LineariseOptions how{.inputs = {}, .i_tip = subject.arm.last_link(), .closed_loop = closed};
    const LinearModel exact = linearise(subject.arm, subject.rest, subject.drives, how);
    const DifferenceModel differences = linearise_by_differences(subject.arm, subject.rest, subject.drives, closed);
    EXPECT_LT(largest_difference(exact.A, differences.A), 1e-7) << closed;
  }
}

TEST(Linearise, SmallMotionOfTheArmFollowsIt) {
  Subject subject(two_links);
  const int nv = subject.arm.nv();
  const LinearModel model = subject.model();
  Articulated dynamics(subject.arm);
  // The whole arm from a small push, by RK4 at a step far below its fastest period.
  const VectorXd push = random_vector(2 * nv, 3);
  const double size = 1e-6, T = 0.05, dt = 5e-6;
  auto rates = [&](const VectorXd& x) {
    State state{0, x.head(nv), x.tail(nv)};
    VectorXd tau = model.torque, vdot(nv);
    subject.drives.add_loads(state, tau);
    dynamics.forward(state, tau, vdot);
    return (VectorXd(2 * nv) << x.tail(nv), vdot).finished();
  };
  VectorXd start(2 * nv);
  start << subject.rest.q, subject.rest.v;
  VectorXd scaled = push;
  scaled.tail(nv) *= 10;  // rates of the size that positions give rise to
  VectorXd x = start + size * scaled;
  for (int k = 0; k < int(std::round(T / dt)); ++k) {
    const VectorXd k1 = rates(x), k2 = rates(x + dt / 2 * k1), k3 = rates(x + dt / 2 * k2), k4 = rates(x + dt * k3);
    x += dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  const VectorXd linear = matrix_exponential(model.A * T) * scaled, whole = (x - start) / size;
  // Second-order terms: 1e-6 of motion against stiff shapes, whose rates are a thousand times larger.
  for (const int part : {0, 1})
    EXPECT_LT((linear - whole).segment(part * nv, nv).norm(), 2e-3 * linear.segment(part * nv, nv).norm());
}

TEST(Linearise, MovingStateByHand) {
  // A planar two-link rigid arm that swings: ∂/∂v of −M⁻¹ C(q, v) v by hand, m l² = 1 at the ends of massless rods.
  Subject subject(R"(
arm:
  gravity: [0, 0, 0]
  links:
    - {name: a, joint: {name: p, type: revolute, axis: [0, 0, 1]}, rigid: {length: 1, mass: 1, com: [1, 0, 0]}}
    - {name: b, joint: {name: q, type: revolute, axis: [0, 0, 1]}, rigid: {length: 1, mass: 1, com: [1, 0, 0]}}
initial: {q: 90 deg}
)");
  State state = subject.rest;
  state.v << 1, 2;
  const LinearModel model =
      linearise(subject.arm, state, subject.drives, {.inputs = {}, .i_tip = subject.arm.last_link()});
  // q₂ = 90°: M = [[3, 1], [1, 1]], C v = [−(2 v₁ v₂ + v₂²), v₁²]; ∂(C v)/∂v = [[−2 v₂, −2 v₁ − 2 v₂], [2 v₁, 0]].
  const Eigen::Matrix2d M{{3, 1}, {1, 1}}, dC{{-4, -6}, {2, 0}};
  EXPECT_LT((model.A.bottomRightCorner(2, 2) + M.inverse() * dC).norm(), 1e-14);
  EXPECT_LT((model.B.bottomRows(2) - M.inverse()).norm(), 1e-14);
  EXPECT_NEAR(model.torque[0], -8, 1e-10);
  EXPECT_NEAR(model.torque[1], 1, 1e-10);
}

RC_GTEST_PROP(Linearise, AboutMotionIsTheDifferencesOfTheAccelerations, ()) {
  const auto seed = any_seed();
  FlexibleArmOptions options;
  options.arm.base = *rc::gen::element(BaseType::fixed, BaseType::planar, BaseType::free, BaseType::moving);
  options.stiffer = 20;
  Subject subject(random_flexible_case(any_link_count(6), seed, options));
  if (subject.arm.nv() == 0) return;
  const State state = random_state(subject.arm, seed);
  const LinearModel exact =
      linearise(subject.arm, state, subject.drives, {.inputs = {}, .i_tip = subject.arm.last_link()});
  const DifferenceModel differences = linearise_by_differences(subject.arm, state, subject.drives, false);
  RC_ASSERT(largest_difference(exact.A, differences.A) <= 1e-6);
  RC_ASSERT(largest_difference(exact.B, differences.B) <= 1e-7);
}

TEST(Linearise, LawsAndLoadsAboutMotion) {
  std::string computed = two_links;
  for (const char* const gains :
       {"pd: {kp: 60, kd: 5, target: 20 deg, gravity_compensation: true}",
        "pd: {kp: 30, kd: 2, target: 40 deg, gravity_compensation: true, feedback: [{of: a.1, position: 40, "
        "rate: 9}, {of: p, rate: 2}]}"})
    computed.replace(computed.find(gains), std::string(gains).size(), "computed_torque: {kp: 50, kd: 9, target: 0.5}");
  // Without links that bend computed torque takes those it does not command as not accelerating.
  const char* const rigid_arm = R"(
arm:
  links:
    - {name: a, joint: {name: p, type: revolute, axis: [0, -1, 0]}, rigid: {length: 1, mass: 1, com: [0.5, 0, 0]}}
    - {name: b, joint: {name: q, type: revolute, axis: [0, -1, 0]}, rigid: {length: 1, mass: 1, com: [0.5, 0, 0.1]}}
torque: {p: {computed_torque: {kp: 50, kd: 9, target: 0.5}}}
loads: [{link: b, force: [1, 0.5, -2], moment: [0, 0.1, 0.2], axes: world, point: [0.3, 0.1, 0]}]
)";
  for (const std::string& text : {std::string(two_links), computed, std::string(rigid_arm)}) {
    Subject subject(text);
    const State state = random_state(subject.arm, 5);
    for (const bool closed : {false, true}) {
      const LinearModel exact =
          linearise(subject.arm, state, subject.drives,
                    {.inputs = {}, .i_tip = subject.arm.last_link(), .coordinates_only = false, .closed_loop = closed});
      const DifferenceModel differences = linearise_by_differences(subject.arm, state, subject.drives, closed);
      EXPECT_LT(largest_difference(exact.A, differences.A), 1e-6) << closed << text;
    }
  }
}

TEST(Linearise, RigidMotionsHaveTheirZerosExactly) {
  Subject subject(R"(
arm:
  gravity: [0, 0, 0]
  links:
    - {name: a, joint: {name: p, type: revolute, axis: [0, 0, 1]}, beam: {length: 1, material: aluminium, section: {circle: {diameter: 20 mm}}, flexibility: {elements: 6, plane: y}}, payload: {mass: 0.5}}
)");
  const LinearModel model = subject.model();
  EXPECT_EQ(model.poles[0], Complex(0, 0));
  EXPECT_EQ(model.poles[1], Complex(0, 0));
  EXPECT_GT(std::abs(model.poles[2]), 1);
  // Undamped: on the imaginary axis, however stiff the highest mode is.
  for (int k = 2; k < model.poles.size(); ++k)
    EXPECT_LT(std::abs(model.poles[k].real()), 1e-9 * std::abs(model.poles[k]));
}

TEST(Linearise, BalancingKeepsSmallEigenvaluesBesideLargeEntries) {
  // ω = 1 and ω = 1e6 as undamped oscillators, in units that make rows and columns differ by 1e12.
  MatrixXd A = MatrixXd::Zero(4, 4);
  A(0, 1) = 1e-6, A(1, 0) = -1e6;
  A(2, 3) = 1, A(3, 2) = -1e12;
  A(3, 0) = 1e3;
  const Eigen::VectorXcd values = balanced_eigenvalues(A);
  EXPECT_LT(std::abs(values[0] - Complex(0, 1)), 1e-9);
  EXPECT_LT(std::abs(values[2] - Complex(0, 1e6)), 1e-4);
}

}  // namespace
}  // namespace lithe::testing
