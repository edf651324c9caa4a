// Derivatives of the dynamics, derived by hand, against dual numbers run through Kane's equations (support/kane_slopes.h).
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "lithe/arm/small_motion.h"
#include "lithe/describe/case_reader.h"
#include "lithe/dynamics/articulated/articulated.h"
#include "lithe/dynamics/derivatives/forward_derivatives.h"
#include "support/allocation_count.h"
#include "support/draw.h"
#include "support/kane_slopes.h"
#include "support/random_arm.h"

namespace lithe::testing {
namespace {

double largest(const MatrixXd& x) { return x.size() == 0 ? 0 : x.cwiseAbs().maxCoeff(); }

struct Trial {
  Arm arm;
  State state;
  VectorXd vdot;
  std::uint32_t seed;
};

Trial trial_of(const Case& data, std::uint32_t seed) {
  Arm arm = Arm::assemble(data);
  State state = random_state(arm, seed);
  state.t = 0.3;
  const int nv = arm.nv();
  return {std::move(arm), std::move(state), random_vector(nv, seed + 1, 5), seed};
}

Trial any_trial(bool complete_only = false) {
  const auto seed = any_seed();
  FlexibleArmOptions options;
  options.arm.drive_line = *rc::gen::arbitrary<bool>();
  options.arm.base = *rc::gen::element(BaseType::fixed, BaseType::planar, BaseType::free, BaseType::moving);
  options.rotary_inertia = *rc::gen::arbitrary<bool>();
  options.every_kind = options.elements = options.segments = *rc::gen::arbitrary<bool>();
  Case data = random_flexible_case(any_link_count(8), seed, options);
  if (!complete_only && any_within(0, 3) == 0) data.arm.inertia = InertiaOrder::first_order;
  return trial_of(data, seed);
}

/// As `update` leaves it after having been elsewhere before: nothing of an earlier state may stay.
InverseDerivatives derivatives_at(const Trial& trial) {
  InverseDerivatives derivatives(trial.arm);
  derivatives.update(random_state(trial.arm, trial.seed + 7), random_vector(trial.arm.nv(), trial.seed));
  derivatives.update(trial.state, trial.vdot);
  return derivatives;
}

/// Largest differences from the witness, relative to the largest entry. A single joint has no Coriolis force: there M at the
/// rates that occur is the measure.
struct Difference {
  double force, by_position, by_rate, mass;
};
Difference difference(const InverseDerivatives& found, const InverseSlopes& expected, const Trial& trial) {
  const int nv = trial.arm.nv();
  MatrixXd M(nv, nv);
  Articulated(trial.arm).mass_matrix(trial.state, M);
  const double inertia = largest(M), force = largest(expected.force) + inertia;
  return {largest(found.force() - expected.force) / force,
          largest(found.by_position() - expected.by_position) / (largest(expected.by_position) + force),
          largest(found.by_rate() - expected.by_rate) / (largest(expected.by_rate) + inertia),
          largest(found.mass_matrix() - M) / inertia};
}

// Worst of 20 000 arms: see docs/derivatives.md.
constexpr double tolerance = 1e-12;

RC_GTEST_PROP(Derivatives, OfInverseDynamicsAreThoseOfDualNumbers, ()) {
  const Trial trial = any_trial();
  if (trial.arm.nv() == 0) return;
  const Difference off = difference(derivatives_at(trial), kane_slopes(trial.arm, trial.state, trial.vdot), trial);
  RC_ASSERT(off.force <= tolerance);
  RC_ASSERT(off.mass <= tolerance);
  RC_ASSERT(off.by_position <= tolerance);
  RC_ASSERT(off.by_rate <= tolerance);
}

// Stiffness must not hide what turning and bending do to inertia: entries without K and D, against their own size.
RC_GTEST_PROP(Derivatives, AreRightBesideStiffLinks, ()) {
  const Trial trial = any_trial();
  if (trial.arm.nv() == 0) return;
  const InverseDerivatives found = derivatives_at(trial);
  const InverseSlopes expected = kane_slopes(trial.arm, trial.state, trial.vdot);
  Triplets entries;
  add_elastic_stiffness(trial.arm, trial.state, entries);
  const MatrixXd K = MatrixXd(assembled(trial.arm.nv(), entries));
  const double size = largest(expected.by_position - K), rounding = 1e-15 * largest(K);
  RC_ASSERT(largest(found.by_position() - expected.by_position) <= 1e-11 * (size + 1) + rounding);
}

const char* const element_arm = R"(
arm:
  links:
    - {name: a, joint: {name: p, type: revolute, axis: [0, -1, 0]}, beam: {length: 1, material: aluminium, section: {rectangle: {width_y: 20 mm, height_z: 8 mm}}, flexibility: {elements: 4}, damping: {rayleigh: {alpha: 0.1, beta: 1e-3}}}}
    - {name: b, joint: {name: q, type: prismatic, axis: [1, 0, 0]}, beam: {length: 0.8, material: aluminium, section: {rectangle: {width_y: 16 mm, height_z: 6 mm}}, flexibility: {elements: 6, keep: 7}}, payload: {mass: 0.3, com: [0.1, 0, 0.02]}}
    - {name: c, parent: a, joint: {name: r, type: revolute, axis: [0, 0.6, 0.8]}, beam: {length: 0.5, material: steel, section: {circle: {diameter: 10 mm}}, flexibility: {segments: 3}}}
)";

TEST(Derivatives, OfElementsAndSegments) {
  const Trial trial = trial_of(read_case_text(element_arm).data, 3);
  ASSERT_GT(trial.arm.nv(), 30);
  const Difference off = difference(derivatives_at(trial), kane_slopes(trial.arm, trial.state, trial.vdot), trial);
  EXPECT_LT(off.force, tolerance);
  EXPECT_LT(off.mass, tolerance);
  EXPECT_LT(off.by_position, tolerance);
  EXPECT_LT(off.by_rate, tolerance);
}

// Bends far beyond what the model is for: the exponential map's other branch.
TEST(Derivatives, OfTipsTurnedByMoreThanARadian) {
  for (const double size : {0.9, 1.1, 2.0}) {
    Trial trial = trial_of(two_bending_links_case(), 5);
    for (const Link& link : trial.arm.links())
      for (int k = 0; k < link.n_flex(); ++k) trial.state.q[link.flex_q0() + k] = 0;
    const Link& link = trial.arm.link(1);
    VectorXd delta = VectorXd::Ones(link.n_flex());
    delta *= size / (link.flex->tip_psi * delta).norm();
    trial.state.q.segment(link.flex_q0(), link.n_flex()) = delta;
    const Difference off = difference(derivatives_at(trial), kane_slopes(trial.arm, trial.state, trial.vdot), trial);
    EXPECT_LT(off.by_position, 1e-12) << size;
    EXPECT_LT(off.by_rate, 1e-12) << size;
  }
}

TEST(Derivatives, ForcesOfLoadsChangeAsDifferencesSay) {
  for (const BaseType base : {BaseType::fixed, BaseType::free}) {
    const Trial trial = trial_of(random_flexible_case(4, 11, {.arm = {.base = base}}), 11);
    const int nv = trial.arm.nv();
    const LinkSection outer = tip_section(trial.arm, 3), inner = tip_section(trial.arm, 2);
    const std::vector<SectionLoad> loads{{&outer, {0.1, 0.2, -0.1}, {20, -10, 5}, {3, 4, -5}, false},
                                         {&inner, {-0.1, 0, 0.3}, {5, 10, -20}, {-2, 1, 3}, true}};
    auto generalised = [&](const VectorXd& step) {
      State state = trial.state;
      displace(trial.arm, state.q, step);
      const Kinematics kin = kinematics_of(trial.arm, state);
      VectorXd force = VectorXd::Zero(nv);
      for (const SectionLoad& load : loads) {
        const Pose& X = kin.X_WT[size_t(load.section->link)];
        const Matrix3d R = load.in_link_axes ? X.R : Matrix3d::Identity();
        Vector6d wrench;
        wrench << R * load.moment + (X.R * load.point).cross(R * load.force), R * load.force;
        force += tip_jacobian(trial.arm, kin, load.section->link).transpose() * wrench;
      }
      return force;
    };
    InverseDerivatives with(trial.arm), without(trial.arm);
    with.update(trial.state, trial.vdot, loads);
    without.update(trial.state, trial.vdot);
    EXPECT_LT(largest(without.force() - with.force() - generalised(VectorXd::Zero(nv))), 1e-10);
    MatrixXd expected(nv, nv);
    for (int k = 0; k < nv; ++k) {
      auto slope = [&](double h) -> VectorXd {
        return (generalised(h * VectorXd::Unit(nv, k)) - generalised(-h * VectorXd::Unit(nv, k))) / (2 * h);
      };
      expected.col(k) = (4 * slope(5e-4) - slope(1e-3)) / 3;
    }
    EXPECT_LT(largest(without.by_position() - with.by_position() - expected), 1e-9 * largest(expected));
    EXPECT_LT(largest(without.by_rate() - with.by_rate()), 1e-12 * largest(with.by_rate()));
  }
}

RC_GTEST_PROP(Derivatives, OfAccelerationsSolveTheEquationsOfMotion, ()) {
  const Trial trial = any_trial(true);  // under `first-order` M need not be positive definite
  const int nv = trial.arm.nv();
  if (nv == 0) return;
  ForwardDerivatives forward(trial.arm);
  Articulated dynamics(trial.arm);
  const VectorXd tau = random_vector(nv, trial.seed, 20);
  forward.update(trial.state, tau);
  VectorXd needed(nv);
  dynamics.inverse(trial.state, forward.acceleration(), needed);
  MatrixXd M(nv, nv);
  dynamics.mass_matrix(trial.state, M);
  // Forces, so that the condition of M does not enter.
  const double scale = largest(tau) + largest(M.cwiseAbs() * forward.acceleration().cwiseAbs()) + largest(needed);
  RC_ASSERT(largest(needed - tau) <= 1e-11 * scale);
  const InverseSlopes expected = kane_slopes(trial.arm, trial.state, forward.acceleration());
  auto balanced = [&](const MatrixXd& slopes, const MatrixXd& of_forces) {
    return largest(M * slopes + of_forces) <=
           1e-11 * (largest(M.cwiseAbs() * slopes.cwiseAbs()) + largest(of_forces) + largest(M));
  };
  RC_ASSERT(balanced(forward.by_position(), expected.by_position));
  RC_ASSERT(balanced(forward.by_rate(), expected.by_rate));
  RC_ASSERT(balanced(forward.by_torque(), -MatrixXd::Identity(nv, nv)));
}

RC_GTEST_PROP(Derivatives, AtRestAreTheStiffnessOfStatics, ()) {
  const auto seed = any_seed();
  Trial trial = trial_of(random_flexible_case(any_link_count(8), seed), seed);
  const int nv = trial.arm.nv();
  if (nv == 0) return;
  trial.state.v.setZero();
  InverseDerivatives derivatives(trial.arm);
  derivatives.update(trial.state, VectorXd::Zero(nv));
  Triplets entries;
  small_motion(trial.arm, trial.state).add_weight_stiffness(trial.arm.gravity(), entries);
  add_elastic_stiffness(trial.arm, trial.state, entries);
  const MatrixXd K = MatrixXd(assembled(nv, entries));
  RC_ASSERT(largest(derivatives.by_position() - K) <= 1e-12 * (1 + largest(K)));
}

TEST(Derivatives, RefuseSmallTips) {
  FlexibleArmOptions options;
  options.tip_rotation = TipRotation::small;
  options.rotary_inertia = false;
  const Arm arm = Arm::assemble(random_flexible_case(3, 5, options));
  ASSERT_TRUE(arm.bends());
  EXPECT_THROW(InverseDerivatives{arm}, UnsupportedError);
}

TEST(Derivatives, AllocateNothing) {
  for (const BaseType base : {BaseType::fixed, BaseType::planar, BaseType::free, BaseType::moving}) {
    const Arm arm =
        Arm::assemble(random_flexible_case(8, 5, {.arm = {.drive_line = true, .base = base}, .most = {6, 6, 4, 4}}));
    const State state = random_state(arm, 5);
    const VectorXd vdot = random_vector(arm.nv(), 5);
    int bent = 0;
    while (!arm.link(bent).flex) ++bent;
    const LinkSection tip = tip_section(arm, 2),
                      along = place_on_link(arm, bent, 0.4 * arm.link(bent).X_BT.p, "loads").section;
    const std::vector<SectionLoad> loads{{&tip, {0.1, 0.2, -0.1}, {20, -10, 5}, {3, 4, -5}, false},
                                         {&along, {0, 0.2, -0.1}, {20, -10, 5}, {3, 4, -5}, true}};
    InverseDerivatives derivatives(arm);
    derivatives.update(state, vdot, loads);
    const long before = allocations();
    derivatives.update(state, vdot, loads);
    EXPECT_EQ(allocations(), before);
    ForwardDerivatives forward(arm);
    forward.update(state, vdot, loads);
    const long then = allocations();
    forward.update(state, vdot, loads);
    EXPECT_EQ(allocations(), then);
  }
}

}  // namespace
}  // namespace lithe::testing
