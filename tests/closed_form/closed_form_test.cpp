// The examples against equations of motion worked out by hand. The closed forms (headers beside this file) and the
// library share nothing but Eigen, and their parameters are written here once more: so this checks reading, units,
// placement, shapes and dynamics all at once, for every formulation.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "closed_form/cartesian_two_link.h"
#include "closed_form/cylindrical_three_link.h"
#include "closed_form/floating_planar_arm.h"
#include "closed_form/planar_elbow.h"
#include "closed_form/single_geared_link.h"
#include "lithe/arm/kinematics.h"
#include "lithe/describe/case_reader.h"
#include "lithe/dynamics/formulation.h"
#include "lithe/dynamics/lagrange/lagrange.h"
#include "support/covering.h"

namespace lithe::closed_form {
namespace {

// Both sides take a few dozen operations, each off by at most 1.1e-16 of the largest number in it (for these arms under
// ten times the largest answer); 1e-14 of the answer leaves room for that and for nothing else.
constexpr double rounding = 1e-14;

Arm example(const std::string& name) {
  return Arm::assemble(read_case(LITHE_SOURCE_DIR "/examples/" + name + "/case.yaml").data);
}

/// Equal but for rounding, measured against `size`. The norm, not the largest entry: it cannot overlook a NaN.
void expect_equal(const MatrixXd& ours, const MatrixXd& theirs, double size, const std::string& what) {
  ASSERT_EQ(ours.rows(), theirs.rows()) << what;
  ASSERT_EQ(ours.cols(), theirs.cols()) << what;
  EXPECT_LE((ours - theirs).norm(), rounding * size) << what << ": library\n" << ours << "\nclosed form\n" << theirs;
}

/// Rest, and states with every coordinate and rate at work, beyond a quarter turn on both sides.
std::vector<State> some_states(const Arm& arm) {
  std::vector<State> states{State::zero(arm)};
  for (int sample = 1; sample <= 6; ++sample) {
    State state = State::zero(arm);
    for (int i = 0; i < arm.nv(); ++i) {
      state.q[i] = 2.5 * std::sin(1.7 * sample + 2.3 * i);
      state.v[i] = 3 * std::cos(2.9 * sample + 1.1 * i);
    }
    states.push_back(state);
  }
  return states;
}

template <class Model>
void expect_same_dynamics(const Model& model, const Arm& arm) {
  const int n = arm.nv();
  const VectorXd tau = VectorXd::LinSpaced(n, 4, -3);
  for (const State& state : some_states(arm)) {
    const MatrixXd D = model.D(state.q), C = model.C(state.q, state.v);
    const VectorXd coriolis = C * state.v, gravity = model.gravity(state.q), damping = model.damping(state.v);
    const VectorXd bias = coriolis + gravity + damping;
    // Sizes that cannot vanish by chance, against which differences count.
    const double inertia = D.norm(), velocity_force = inertia * (1 + state.v.squaredNorm());
    const double force = tau.norm() + velocity_force + gravity.norm() + damping.norm();

    for (const auto& formulation : lithe::testing::covering_with_default(arm)) {
      SCOPED_TRACE(std::string(formulation->name()) +
                   " at q = " + ::testing::PrintToString(std::vector<double>(state.q.begin(), state.q.end())));
      MatrixXd M(n, n);
      VectorXd h(n), vdot(n), torque(n);
      formulation->mass_matrix(state, M);
      expect_equal(M, D, inertia, "mass matrix");
      formulation->bias(state, Terms::coriolis, h);
      expect_equal(h, coriolis, velocity_force, "Coriolis and centrifugal forces");
      formulation->bias(state, Terms::gravity, h);
      expect_equal(h, gravity, force, "gravity");
      formulation->bias(state, Terms::damping, h);
      expect_equal(h, damping, damping.norm(), "damping");
      formulation->bias(state, Terms::all, h);
      expect_equal(h, bias, force, "bias");

      // Accelerations are compared as the forces that make them, so that no condition number enters.
      const VectorXd theirs = D.ldlt().solve(tau - bias);
      formulation->forward(state, tau, vdot);
      expect_equal(D * vdot, D * theirs, force, "forward dynamics, as forces");
      formulation->inverse(state, theirs, torque);
      expect_equal(torque, tau, force, "inverse dynamics");
    }

    MatrixXd ours(n, n);
    Lagrange(arm).coriolis_matrix(state, ours);
    expect_equal(ours, C, velocity_force, "C matrix");

    const Kinematics kin = kinematics_of(arm, state);
    const double kinetic = state.v.dot(D * state.v) / 2;
    EXPECT_NEAR(kinetic_energy(arm, state, kin), kinetic, rounding * velocity_force * (1 + state.v.norm()));
    // A potential is known but for a constant: the library's is zero at the world's origin. Its terms are as large as
    // the weight of everything times a metre or two.
    const State zero = State::zero(arm);
    const double rise = gravity_energy(arm, kin) - gravity_energy(arm, kinematics_of(arm, zero));
    const double weight = total_mass(arm) * arm.gravity().norm();
    EXPECT_NEAR(rise, model.potential(state.q) - model.potential(zero.q), rounding * weight * (1 + state.q.norm()));
  }
}

/// With one rate of one and all others zero, C_kj is the Christoffel symbol c_ijk alone.
template <class Model>
void expect_same_christoffel_symbols(const Model& model, const Arm& arm) {
  const int n = arm.nv();
  Lagrange lagrange(arm);
  MatrixXd C(n, n);
  for (State state : some_states(arm))
    for (int i = 0; i < n; ++i) {
      state.v = VectorXd::Unit(n, i);
      lagrange.coriolis_matrix(state, C);
      for (int j = 0; j < n; ++j)
        for (int k = 0; k < n; ++k)
          EXPECT_NEAR(C(k, j), model.christoffel(i + 1, j + 1, k + 1, state.q), rounding * model.D(state.q).norm())
              << "c_" << i + 1 << j + 1 << k + 1 << " at q = " << state.q.transpose();
    }
}

TEST(ClosedForm, SingleGearedLink) {
  const double M = 2, L = 0.8, height = 0.03;  // the joint turns about the block's y, across x and z
  const double J_l = M * (L * L + height * height) / 12 + M * L * L / 4;
  const SingleGearedLink model{.M = M, .L = L, .J_l = J_l, .J_m = 40e-6, .B_m = 20e-6, .B_l = 0.3, .r = 100, .g = 9.81};
  ASSERT_GT(std::abs(model.r * model.B_m + model.B_l - model.damping(VectorXd::Ones(1))[0]), 0.1)
      << "the case must tell the slides' slip r B_m from the right r² B_m";
  expect_same_dynamics(model, example("01_single_link_motor"));
}

TEST(ClosedForm, CartesianTwoLink) {
  expect_same_dynamics(CartesianTwoLink{.m1 = 8, .m2 = 3, .g = 9.81}, example("02_cartesian"));
}

TEST(ClosedForm, PlanarElbow) {
  const PlanarElbow model{.m1 = 3, .m2 = 2, .L1 = 1, .Lc1 = 0.45, .Lc2 = 0.35, .I1 = 0.25, .I2 = 0.12, .g = 9.81};
  const Arm arm = example("03_planar_elbow");
  expect_same_dynamics(model, arm);
  expect_same_christoffel_symbols(model, arm);
}

TEST(ClosedForm, CylindricalThreeLink) {
  const CylindricalThreeLink model = example_cylindrical();
  const Arm arm = example("04_cylindrical");
  expect_same_dynamics(model, arm);
  expect_same_christoffel_symbols(model, arm);
}

// Some of the placement does not show in the dynamics (which way a level slide points, say); the tip shows it.
TEST(ClosedForm, TipsOfTheExamples) {
  const auto tip = [](const std::string& name, const State& state) -> Vector3d {
    return kinematics_of(example(name), state).X_WT.back().p;
  };
  using std::cos, std::sin;
  for (const double s : {0.0, 0.4, -1.9}) {
    State one, two, three;
    one.q = VectorXd::Constant(1, s);
    two.q = Eigen::Vector2d(s, 0.3 - s);
    three.q = Vector3d(s, 0.3 - s, 0.2 + s);
    one.v = VectorXd::Zero(1), two.v = VectorXd::Zero(2), three.v = VectorXd::Zero(3);
    const double a = s, b = 0.3 - s, c = 0.2 + s;  // the coordinates
    expect_equal(tip("01_single_link_motor", one), Vector3d(0.8 * sin(a), 0, -0.8 * cos(a)), 1, "hanging bar");
    expect_equal(tip("02_cartesian", two), Vector3d(0.15, 0.6 + b, a), 1, "two slides");
    expect_equal(tip("03_planar_elbow", two), Vector3d(cos(a) + 0.8 * cos(a + b), sin(a) + 0.8 * sin(a + b), 0), 1,
                 "planar elbow");
    const double out = 0.7 + c, aside = 0.12;
    expect_equal(tip("04_cylindrical", three),
                 Vector3d(out * cos(a) - aside * sin(a), out * sin(a) + aside * cos(a), 0.2 + b), 1,
                 "cylindrical robot");
  }
}

FloatingPlanarArm floating_arm() {
  const auto square = [](double x) { return x * x; };
  // Tubes of aluminium: mass ρAL on the axis, and ρIL across it for the section's own inertia.
  const double density = 2700, pi = std::numbers::pi;
  struct Part {
    double mass, inertia;
  };
  const auto tube = [&](double L, double ro, double ri) {
    const double m = density * pi * (square(ro) - square(ri)) * L;
    return Part{m, m * L * L / 12 + density * L * pi / 4 * (square(square(ro)) - square(square(ri)))};
  };
  const double L1 = 1.2, L2 = 1.0, m0 = 60, payload = 4;
  const Part upper = tube(L1, 0.040, 0.037), fore = tube(L2, 0.030, 0.0275);
  const double m2 = fore.mass + payload, Lc2 = (fore.mass * L2 / 2 + payload * L2) / m2;
  const double I2 = fore.inertia + fore.mass * square(L2 / 2 - Lc2) + payload * square(L2 - Lc2);
  return {.m0 = m0,
          .m1 = upper.mass,
          .m2 = m2,
          .I0 = m0 * (square(0.8) + square(0.8)) / 12,
          .I1 = upper.inertia,
          .I2 = I2,
          .s = 0.4,
          .L1 = L1,
          .Lc1 = L1 / 2,
          .Lc2 = Lc2};
}

TEST(ClosedForm, FloatingArmInItsPlane) {
  const Arm arm = example("06_free_floating");
  const FloatingPlanarArm model = floating_arm();
  const std::vector<int> in_plane{2, 3, 4, 6, 7};  // of wx wy wz vx vy vz shoulder elbow
  for (const auto& [q1, q2] : {std::pair(0.0, 0.0), std::pair(0.5, 0.8), std::pair(-2.0, 1.3)}) {
    State state = State::zero(arm);
    state.q.tail<2>() << q1, q2;
    // The rates are in base axes, so where the base is and how it is turned must not matter.
    state.q.head<7>() << 3, -1, 2, 0.5, -0.5, 0.5, 0.5;
    const MatrixXd D = model.D(q1, q2);
    for (const auto& formulation : lithe::testing::covering_with_default(arm)) {
      SCOPED_TRACE(std::string(formulation->name()));
      MatrixXd M(arm.nv(), arm.nv());
      formulation->mass_matrix(state, M);
      expect_equal(M(in_plane, in_plane), D, D.norm(), "mass matrix");
    }
  }
}

// With nothing outside to push on, joint torques change neither momentum nor angular momentum, in space as in the
// plane.
TEST(ClosedForm, FloatingArmKeepsItsMomentum) {
  const Arm arm = example("06_free_floating");
  State state = State::zero(arm);
  state.q << 0.3, -0.2, 0.1, 0.5, 0.5, -0.5, 0.5, 0.4, -1.1;
  state.v << 0.3, -0.4, 0.2, 0.1, 0.05, -0.2, 1.5, -2.0;
  VectorXd tau = VectorXd::Zero(arm.nv()), vdot(arm.nv());
  tau.tail<2>() << 6, -4;
  for (const auto& formulation : lithe::testing::covering_with_default(arm)) {
    SCOPED_TRACE(std::string(formulation->name()));
    formulation->forward(state, tau, vdot);
    ASSERT_GT(vdot.head<6>().norm(), 0.1) << "the base must feel the arm, or this test cannot fail";
    const auto momentum_after = [&](double step) {
      State moved = state;
      displace(arm, moved.q, step * state.v + step * step / 2 * vdot);
      moved.v += step * vdot;
      return momentum(arm, moved, kinematics_of(arm, moved));
    };
    // Central differences: truncation, step² times third derivatives of the momentum, is 4e-7 here; rounding, 1e-16 of
    // a momentum of 30 over the step, 1e-10. A newton-metre lost on the way is a million times more.
    const double step = 1e-4;
    const Vector6d rate = (momentum_after(step) - momentum_after(-step)) / (2 * step);
    EXPECT_LE(rate.norm(), 2e-6) << rate.transpose();
  }
}

}  // namespace
}  // namespace lithe::closed_form
