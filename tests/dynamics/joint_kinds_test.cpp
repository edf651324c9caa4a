// Joints of other directions and several coordinates, in every formulation and everywhere else that asks a joint: against points,
// chains of one-axis joints, dual numbers, closed forms and energy.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <numbers>

#include "lithe/analyse/modes.h"
#include "lithe/arm/inverse_kinematics.h"
#include "lithe/arm/small_motion.h"
#include "lithe/describe/case_reader.h"
#include "lithe/dynamics/articulated/articulated.h"
#include "lithe/dynamics/articulated/batch_forward.h"
#include "lithe/dynamics/derivatives/inverse_derivatives.h"
#include "lithe/simulate/integrator.h"
#include "lithe/simulate/system.h"
#include "support/allocation_count.h"
#include "support/draw.h"
#include "support/kane_slopes.h"
#include "support/point_evaluator.h"
#include "support/random_arm.h"

namespace lithe::testing {
namespace {

double largest(const MatrixXd& x) { return x.size() == 0 ? 0 : x.cwiseAbs().maxCoeff(); }

/// Trees on every base, most links bending, with joints of every kind; some with springs and dampers.
Case any_case(std::uint32_t seed) {
  FlexibleArmOptions options;
  options.arm.other_joints = true;
  options.arm.drive_line = *rc::gen::arbitrary<bool>();
  options.arm.base = *rc::gen::element(BaseType::fixed, BaseType::planar, BaseType::free, BaseType::moving);
  options.elements = true;
  return random_flexible_case(any_link_count(6), seed, options);
}

RC_GTEST_PROP(JointKinds, EveryFormulationAgreesWithPoints, ()) {
  const auto seed = any_seed();
  const Case data = any_case(seed);
  const Arm arm = Arm::assemble(data);
  State state = random_state(arm, seed);
  state.t = 0.3;
  const PointDynamics points = point_dynamics(data, state);
  const double force = 1 + largest(points.coriolis) + largest(points.gravity) + largest(points.elastic);
  for (const char* name : {"articulated", "kane", "lagrange"}) {
    const auto dynamics = make_formulation(name, arm);
    MatrixXd M(arm.nv(), arm.nv());
    dynamics->mass_matrix(state, M);
    RC_ASSERT(largest(M - points.M) < 1e-11 * largest(points.M));
    const std::pair<Terms, const VectorXd*> parts[] = {{Terms::coriolis, &points.coriolis},
                                                       {Terms::gravity, &points.gravity},
                                                       {Terms::elastic, &points.elastic},
                                                       {Terms::damping, &points.damping}};
    for (const auto& [term, expected] : parts) {
      VectorXd h(arm.nv());
      dynamics->bias(state, term, h);
      RC_ASSERT(largest(h - *expected) < 1e-10 * force);
    }
    // Forward dynamics by its own way, hybrid with some coordinates given.
    const VectorXd tau = random_vector(arm.nv(), seed + 1, 5);
    VectorXd vdot(arm.nv());
    dynamics->forward(state, tau, vdot);
    const double scale = force + largest(points.M) * largest(vdot);
    RC_ASSERT(largest(points.M * vdot + points.bias() - tau) < 1e-10 * scale);
    std::vector<bool> driven(size_t(arm.nv()), false);
    for (const Link& link : arm.links())
      for (int k = 0; k < link.nv() && link.nv() < 6; ++k)
        driven[size_t(link.v0 + k)] = (seed >> (link.v0 + k) % 30) & 1;
    VectorXd mixed = tau, given = random_vector(arm.nv(), seed + 2, 5);
    const VectorXd wanted = given;
    dynamics->hybrid(state, driven, mixed, given);
    const double mixed_scale = force + largest(points.M) * largest(given);
    RC_ASSERT(largest(points.M * given + points.bias() - mixed) < 1e-10 * mixed_scale);
    for (int k = 0; k < arm.nv(); ++k) RC_ASSERT((driven[size_t(k)] ? given[k] == wanted[k] : mixed[k] == tau[k]));
  }
}

RC_GTEST_PROP(JointKinds, FourStatesAtOnceAreTheSame, ()) {
  const auto seed = any_seed();
  const Arm arm = Arm::assemble(any_case(seed));
  constexpr int n = 6;
  MatrixXd q(arm.nq(), n), v(arm.nv(), n), tau(arm.nv(), n), vdot(arm.nv(), n);
  VectorXd t(n), one(arm.nv());
  Articulated single(arm);
  for (int k = 0; k < n; ++k) {
    const State state = random_state(arm, seed + std::uint32_t(k));
    q.col(k) = state.q;
    v.col(k) = state.v;
    tau.col(k) = random_vector(arm.nv(), seed + std::uint32_t(k), 5);
    t[k] = 0.1 * k;
  }
  BatchForward(arm, 1).forward(q, v, tau, vdot, t);
  for (int k = 0; k < n; ++k) {
    single.forward({t[k], q.col(k), v.col(k)}, tau.col(k), one);
    MatrixXd M(arm.nv(), arm.nv());
    single.mass_matrix({t[k], q.col(k), v.col(k)}, M);
    RC_ASSERT(largest(M * (vdot.col(k) - one)) < 1e-10 * (1 + largest(M) * largest(one)));
  }
}

RC_GTEST_PROP(JointKinds, DerivativesAreThoseOfDualNumbers, ()) {
  const auto seed = any_seed();
  const Arm arm = Arm::assemble(any_case(seed));
  State state = random_state(arm, seed);
  state.t = 0.3;
  const VectorXd vdot = random_vector(arm.nv(), seed + 1, 5);
  InverseDerivatives derivatives(arm);
  derivatives.update(random_state(arm, seed + 7), vdot);
  derivatives.update(state, vdot);
  const InverseSlopes slopes = kane_slopes(arm, state, vdot);
  RC_ASSERT(largest(derivatives.force() - slopes.force) < 1e-10 * (1 + largest(slopes.force)));
  RC_ASSERT(largest(derivatives.by_position() - slopes.by_position) < 1e-9 * (1 + largest(slopes.by_position)));
  RC_ASSERT(largest(derivatives.by_rate() - slopes.by_rate) <
            1e-9 * (1 + largest(slopes.by_rate) + largest(derivatives.mass_matrix())));
}

/// An arm of three links, with this one in the middle.
Case with(const std::string& joint) {
  return read_case_text(R"(
arm:
  gravity: [1, -2, -9]
  links:
    - {name: a, joint: {name: first, type: revolute, axis: [0.2, 1, 0.3]}, rigid: {length: 0.5, mass: 2, com: [0.2, 0.1, 0], inertia: {xx: 0.1, yy: 0.2, zz: 0.25}}}
)" + joint + R"(
    - {name: c, joint: {name: last, type: revolute, axis: [0.5, 0.1, 1], origin: {xyz: [0.1, 0, 0.2], rpy: [0.3, 0.2, 0.1]}}, rigid: {length: 0.3, mass: 1, com: [0.1, 0, 0.1], inertia: {xx: 0.02, yy: 0.05, zz: 0.04}}}
)")
      .data;
}
constexpr const char* body =
    "rigid: {length: 0.4, mass: 1.5, com: [0.2, 0.05, 0.1], inertia: {xx: 0.05, yy: 0.1, zz: 0.12}}";
constexpr const char* nothing = "rigid: {mass: 0}";
constexpr const char* origin = "origin: {xyz: [0.1, 0.2, -0.1], rpy: [0.4, -0.3, 0.8]}";

TEST(JointKinds, AreChainsOfOneAxisJoints) {
  const std::string chains[][2] = {
      {fmt::format("    - {{name: b, joint: {{name: j, type: universal, axes: [[1, 0, 0.2], [0.1, 1, 0]], {}}}, {}}}",
                   origin, body),
       fmt::format("    - {{name: n, joint: {{name: j1, type: revolute, axis: [1, 0, 0.2], {}}}, {}}}\n"
                   "    - {{name: b, joint: {{name: j2, type: revolute, axis: [0.1, 1, 0]}}, {}}}",
                   origin, nothing, body)},
      {fmt::format("    - {{name: b, joint: {{name: j, type: cylindrical, axis: [1, 0.5, 0.2], {}}}, {}}}", origin,
                   body),
       fmt::format("    - {{name: n, joint: {{name: j1, type: revolute, axis: [1, 0.5, 0.2], {}}}, {}}}\n"
                   "    - {{name: b, joint: {{name: j2, type: prismatic, axis: [1, 0.5, 0.2]}}, {}}}",
                   origin, nothing, body)},
      {fmt::format("    - {{name: b, joint: {{name: j, type: planar, {}}}, {}}}", origin, body),
       fmt::format("    - {{name: n, joint: {{name: j1, type: prismatic, axis: [1, 0, 0], {}}}, {}}}\n"
                   "    - {{name: m, joint: {{name: j2, type: prismatic, axis: [0, 1, 0]}}, {}}}\n"
                   "    - {{name: b, joint: {{name: j3, type: revolute, axis: [0, 0, 1]}}, {}}}",
                   origin, nothing, nothing, body)},
  };
  for (const auto& [joint, chain] : chains) {
    const Arm arm = Arm::assemble(with(joint)), chained = Arm::assemble(with(chain));
    ASSERT_EQ(arm.nv(), chained.nv());
    for (const char* name : {"articulated", "kane", "lagrange", "recursive-lagrangian"}) {
      const auto one = make_formulation(name, arm), other = make_formulation("articulated", chained);
      for (std::uint32_t seed = 0; seed < 10; ++seed) {
        const State state = random_state(arm, seed);
        const VectorXd tau = random_vector(arm.nv(), seed, 5);
        VectorXd a(arm.nv()), b(arm.nv());
        one->forward(state, tau, a);
        other->forward(state, tau, b);
        EXPECT_LT((a - b).norm(), 1e-10 * (1 + b.norm())) << joint << name;
      }
    }
    // The weight's stiffness too, about any pose.
    for (std::uint32_t seed = 0; seed < 5; ++seed) {
      State state = random_state(arm, seed);
      Triplets one, other;
      small_motion(arm, state).add_weight_stiffness(arm.gravity(), one);
      small_motion(chained, state).add_weight_stiffness(arm.gravity(), other);
      EXPECT_LT(largest(MatrixXd(assembled(arm.nv(), one)) - MatrixXd(assembled(arm.nv(), other))), 1e-11);
    }
  }
}

/// A screw under its own weight: (m a² + I) q̈ = −m g a with a = pitch/2π.
TEST(JointKinds, AScrewTurnsByItsWeight) {
  const Arm arm = Arm::assemble(read_case_text(R"(
arm:
  links:
    - {name: nut, joint: {name: screw, type: helical, axis: [0, 0, 1], pitch: 50 mm}, rigid: {mass: 2, inertia: {zz: 0.003}}}
)")
                                    .data);
  const double a = 0.05 / (2 * std::numbers::pi), expected = -2 * 9.81 * a / (2 * a * a + 0.003);
  State state = random_state(arm, 1);
  VectorXd vdot(1);
  Articulated(arm).forward(state, VectorXd::Zero(1), vdot);
  EXPECT_NEAR(vdot[0], expected, 1e-12 * std::abs(expected));
}

constexpr const char* top = R"(
arm:
  links:
    - {name: top, joint: {name: ball, type: spherical}, rigid: {mass: 1.2, com: [0, 0, 0.3], inertia: {xx: 0.02, yy: 0.02, zz: 0.008}}}
initial: {ball: {rpy: [0, 0.7, 0]}, ball.x: {rate: RX}, ball.z: {rate: RZ}}
simulate: {for: 2 s, method: METHOD, rtol: 1e-10, atol: 1e-12}
)";

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  return text.replace(text.find(what), what.size(), by);
}

/// A symmetric top in steady precession: its axis keeps its angle θ and goes round at Ω where
///   A Ω² cos θ − C ω₃ Ω + m g l = 0   with A about the pivot, ω₃ the spin about the axis.
TEST(JointKinds, ATopPrecessesSteadily) {
  const double m = 1.2, l = 0.3, A = 0.02 + m * l * l, C = 0.008, theta = 0.7, Omega = 2.5, g = 9.81;
  const double spin = (A * Omega * Omega * std::cos(theta) + m * g * l) / (C * Omega);
  for (const char* method : {"cvode", "dopri5", "esdirk"}) {
    // ω in the top's axes: Ω about the vertical, which is (−sin θ, 0, cos θ) there after a turn θ about y; the spin is what is left.
    std::string text = replaced(top, "RX", fmt::format("{:.17g}", -Omega * std::sin(theta)));
    text = replaced(replaced(text, "RZ", fmt::format("{:.17g}", spin)), "METHOD", method);
    const Case data = read_case_text(text).data;
    const Arm arm = Arm::assemble(data);
    Drives drives(data, arm);
    drives.enter(0, 2);
    System system(arm, drives, "articulated", false, *data.simulate);
    VectorXd y = system.initial();
    const auto integrator = make_integrator(system, *data.simulate);
    integrator->restart(0, y, 2);
    State state = State::zero(arm);
    for (double t = 0.1; t < 2.05; t += 0.1) {
      const double reached = integrator->advance(std::min(t, 2.0), y);
      system.state_of(reached, y.data(), state);
      const Vector3d axis = kinematics_of(arm, state).X_WB[0].R.col(2);
      const Vector3d expected(std::sin(theta) * std::cos(Omega * reached), std::sin(theta) * std::sin(Omega * reached),
                              std::cos(theta));
      EXPECT_LT((axis - expected).norm(), 1e-7) << method << " at " << reached;
    }
  }
}

/// A ball pendulum at rest: two equal frequencies √(m g l/A), and none about its axis, which nothing holds.
TEST(JointKinds, ABallPendulumHasItsTwoFrequencies) {
  const Case data = read_case_text(R"(
arm:
  links:
    - {name: bob, joint: {name: ball, type: spherical, origin: {rpy: [0.4, 2.0, 0.3]}}, rigid: {length: 0.5, mass: 1.2, com: [0.3, 0, 0], inertia: {xx: 0.008, yy: 0.02, zz: 0.02}}}
)")
                        .data;
  const Arm arm = Arm::assemble(data);
  // Hanging: the link's x axis down.
  State state = State::zero(arm);
  const Matrix3d R_WF = arm.link(0).X_PF.R;
  const Quaterniond turn = Quaterniond::FromTwoVectors(R_WF.col(0), -Vector3d::UnitZ());
  const Quaterniond q(Matrix3d(R_WF.transpose() * turn.toRotationMatrix() * R_WF));
  state.q << q.w(), q.vec();
  ModesOptions options;
  options.joints = JointCondition::free;
  const ModesResult modes = natural_modes_of(arm, state, options);
  const double expected = std::sqrt(1.2 * 9.81 * 0.3 / (0.02 + 1.2 * 0.09)) / (2 * std::numbers::pi);
  ASSERT_EQ(modes.modes.size(), 3u);
  EXPECT_NEAR(modes.modes[0].frequency_hz, 0, 1e-6);
  EXPECT_NEAR(modes.modes[1].frequency_hz, expected, 1e-9);
  EXPECT_NEAR(modes.modes[2].frequency_hz, expected, 1e-9);
}

TEST(JointKinds, EvaluationsAllocateNothing) {
  FlexibleArmOptions options;
  options.arm.other_joints = true;
  const Arm arm = Arm::assemble(random_flexible_case(6, 5, options));
  const State state = random_state(arm, 3);
  const VectorXd tau = random_vector(arm.nv(), 4);
  VectorXd vdot = VectorXd::Zero(arm.nv()), force = vdot;
  MatrixXd M(arm.nv(), arm.nv());
  Articulated dynamics(arm);
  InverseDerivatives derivatives(arm);
  auto work = [&] {
    dynamics.forward(state, tau, vdot);
    dynamics.inverse(state, vdot, force);
    dynamics.mass_matrix(state, M);
    derivatives.update(state, vdot);
  };
  work();
  const long before = allocations();
  work();
  EXPECT_EQ(allocations(), before);
}

TEST(JointKinds, AreRefusedByNameWhereTheyAreOutside) {
  const std::string joint = fmt::format("    - {{name: b, joint: {{name: j, type: spherical}}, {}}}", body);
  const Arm arm = Arm::assemble(with(joint));
  try {
    make_formulation("recursive-lagrangian", arm);
    FAIL();
  } catch (const UnsupportedError& error) {
    EXPECT_EQ(error.path(), "arm.links[1].joint.type");
    EXPECT_STREQ(error.what(),
                 "expected a joint made of turns about axes and slides along them: recursive-lagrangian has a matrix "
                 "A(q) for each coordinate, but 'j' is spherical; articulated, kane and lagrange cover it");
  }
}

/// A pose that takes the ball to be turned: found by moving along its three directions.
TEST(JointKinds, ReachTurnsBalls) {
  const std::string joint = fmt::format("    - {{name: b, joint: {{name: j, type: spherical}}, {}}}", body);
  const Arm arm = Arm::assemble(with(joint));
  for (std::uint32_t seed = 1; seed < 6; ++seed) {
    const State there = random_state(arm, seed);
    const Pose X_WT = kinematics_of(arm, there).X_WT[arm.last_link()];
    const ReachResult result = reach(arm, arm.last_link(), {X_WT.p, {}}, State::zero(arm));
    EXPECT_TRUE(result.reached) << result.why;
  }
}

}  // namespace
}  // namespace lithe::testing
