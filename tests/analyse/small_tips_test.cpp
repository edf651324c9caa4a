// Statics, modes and linear models under `tip_rotation: small`: against differences of recursive-lagrangian's own forces, and
// against true rotations where the two must meet.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <functional>

#include "lithe/analyse/linearise.h"
#include "lithe/analyse/modes.h"
#include "lithe/analyse/statics.h"
#include "lithe/arm/kinematics.h"
#include "lithe/describe/case_reader.h"
#include "lithe/drive/drives.h"
#include "lithe/dynamics/recursive_lagrangian/recursive_lagrangian.h"
#include "lithe/dynamics/resting_arm.h"
#include "support/draw.h"
#include "support/random_arm.h"

namespace lithe::testing {
namespace {

double largest(const MatrixXd& numbers) { return numbers.size() ? numbers.cwiseAbs().maxCoeff() : 0; }

Arm sheared_chain(int n_links, std::uint32_t seed) {
  return Arm::assemble(random_flexible_case(
      n_links, seed,
      {.arm = {.tree = false, .base = *rc::gen::element(BaseType::fixed, BaseType::planar, BaseType::moving)},
       .tip_rotation = TipRotation::small}));
}

RC_GTEST_PROP(SmallTips, WeightAndItsSlopesAreThoseOfTheForces, ()) {
  const auto seed = any_seed();
  const Arm arm = sheared_chain(any_link_count(5), seed);
  if (!arm.small_tips()) return;
  State state = random_state(arm, seed);
  state.t = 0.2;
  RecursiveLagrangian model(arm);
  auto weight = [&](const State& at) {
    VectorXd h(arm.nv());
    model.bias(at, Terms::gravity, h);
    return h;
  };
  const RestingArm rest(arm, state);
  const double size = 1 + largest(weight(state));
  RC_ASSERT(largest(rest.weight(arm.gravity()) - weight(state)) <= 1e-12 * size);
  Triplets entries;
  rest.add_weight_stiffness(arm.gravity(), entries);
  const MatrixXd K = assembled(arm.nv(), entries);
  // The forces are sines in joints and straight lines in deflections: the four-point rule loses step⁴/30.
  const double step = 1e-3;
  for (int k = 0; k < arm.nv(); ++k) {
    auto at = [&](double by) {
      State moved = state;
      moved.q[k] += by;
      return weight(moved);
    };
    const VectorXd slope = (8 * (at(step) - at(-step)) - (at(2 * step) - at(-2 * step))) / (12 * step);
    RC_ASSERT(largest(K.col(k) - slope) <= 1e-9 * (size + largest(K)));
  }
  // Momentum is mass times the velocity of its centre.
  const Matrix3Xd momentum = rest.linear_momentum();
  for (int k = 0; k < arm.nv(); ++k) {
    auto at = [&](double by) {
      State moved = state;
      moved.q[k] += by;
      return Vector3d(total_mass(arm) * centre_of_mass(arm, kinematics_of(arm, moved)));
    };
    const Vector3d slope = (8 * (at(step) - at(-step)) - (at(2 * step) - at(-2 * step))) / (12 * step);
    RC_ASSERT(largest(momentum.col(k) - slope) <= 1e-9 * (1 + largest(momentum)));
  }
}

/// Two bending links and a hand, stiff enough to hold their own weight.
std::string arm_text(const std::string& options, const std::string& more = "") {
  return R"(
arm:
  tip_rotation: )" +
         options + R"(
  links:
    - name: upper
      joint: {name: shoulder, type: revolute, axis: [0, -1, 0], damping: 0.5}
      beam: &link
        length: 1.2 m
        material: aluminium
        section: {tube: {outer_diameter: 30 mm, inner_diameter: 26 mm}}
        flexibility: {modes: {bending_y: 2, bending_z: 2, torsion: 1}}
    - {name: fore, joint: {name: elbow, type: revolute, axis: [0, -1, 0.5]}, beam: *link}
    - {name: hand, joint: {name: roll, type: revolute, axis: [1, 0, 0]}, rigid: {mass: 0.5, length: 0.2, com: [0.1, 0.05, 0], inertia: {xx: 0.001, yy: 0.002, zz: 0.002}}}
initial: {shoulder: 20 deg, elbow: -50 deg}
)" + more;
}

struct Loaded {
  Case data;
  Arm arm;
  Drives drives;
  explicit Loaded(const std::string& text)
      : data(read_case_text(text).data), arm(Arm::assemble(data)), drives(data, arm) {}
  StaticResult rest() const {
    return static_deflection(arm, drives.initial_state(), arm.last_link(), drives.all_at_rest());
  }
};

TEST(SmallTips, RestWhereTheirOwnForcesVanish) {
  const Loaded small(arm_text("small")), first(arm_text("small\n  inertia: first-order")), finite(arm_text("finite"));
  const StaticResult rest = small.rest(), exact = finite.rest();
  RecursiveLagrangian model(small.arm);
  VectorXd h(small.arm.nv());
  model.bias(rest.rest.state, Terms::all, h);
  EXPECT_LE(largest(h - rest.rest.force), 1e-9 * largest(h));
  for (const Link& link : small.arm.links())
    for (int k = 0; k < link.n_flex(); ++k) EXPECT_EQ(rest.rest.force[link.flex_v0() + k], 0);
  // The paper's truncation of inertia has no part in it.
  EXPECT_LE(largest(first.rest().rest.state.q - rest.rest.state.q), 1e-12);
  // A slope of 1/40 turns what it carries by its own square otherwise.
  EXPECT_GT(exact.sag.norm(), 0.02);
  EXPECT_LT((rest.sag - exact.sag).norm(), 0.01 * exact.sag.norm());
  EXPECT_GT((rest.sag - exact.sag).norm(), 1e-7);
  EXPECT_LT((rest.tip_turn - exact.tip_turn).norm(), 0.02 * exact.tip_turn.norm());
  // A run may start there.
  const Loaded started(
      arm_text("small", "").replace(arm_text("small").find("initial: {"), 10, "initial: {deformation: static, "));
  EXPECT_LE(largest(started.drives.initial_state().q - rest.rest.state.q), 1e-12);
}

TEST(SmallTips, HaveTheModesOfTrueTurnsWhereNothingIsBent) {
  // At δ = 0 both tips have the same first derivatives, and the second ones count with the weight alone.
  const Loaded small(arm_text("small")), finite(arm_text("finite"));
  const std::string weightless = "\n  gravity: [0, 0, 0]";
  const Loaded small_0(arm_text("small" + weightless)), finite_0(arm_text("finite" + weightless));
  auto modes = [](const Loaded& of) {
    return natural_modes_of(of.arm, of.drives.initial_state(), {.joints = JointCondition::locked, .count = 10});
  };
  const ModesResult a = modes(small_0), b = modes(finite_0);
  ASSERT_EQ(a.modes.size(), 10u);
  for (size_t k = 0; k < a.modes.size(); ++k) {
    EXPECT_NEAR(a.modes[k].frequency_hz, b.modes[k].frequency_hz, 1e-9 * b.modes[k].frequency_hz);
    EXPECT_LE((a.modes[k].effective_mass - b.modes[k].effective_mass).norm(), 1e-7);
    EXPECT_EQ(a.modes[k].description, b.modes[k].description);
  }
  EXPECT_NEAR(modes(small).modes[0].frequency_hz, modes(finite).modes[0].frequency_hz, 0.01);
}

TEST(SmallTips, LinearModelsAreDifferencesOfTheMotion) {
  Loaded loaded(arm_text("small"));
  const State state = loaded.rest().rest.state;
  const LinearModel model = linearise(loaded.arm, state, loaded.drives, {.coordinates_only = true});
  const int nv = loaded.arm.nv();
  RecursiveLagrangian dynamics(loaded.arm);
  auto motion = [&](int k, double by) {
    State moved = state;
    (k < nv ? moved.q[k] : moved.v[k - nv]) += by;
    VectorXd vdot(nv);
    dynamics.forward(moved, model.torque, vdot);
    return vdot;
  };
  const MatrixXd lower = model.A.bottomRows(nv);
  for (int k = 0; k < 2 * nv; ++k) {
    const double step = 1e-5;
    const VectorXd slope =
        (8 * (motion(k, step) - motion(k, -step)) - (motion(k, 2 * step) - motion(k, -2 * step))) / (12 * step);
    EXPECT_LE(largest(lower.col(k) - slope), 1e-6 * (1 + largest(lower.col(k)))) << model.states[size_t(k)];
  }
}

std::string refusal(const std::function<void()>& action) {
  try {
    action();
  } catch (const UnsupportedError& error) {
    return error.path() + ": " + error.what();
  }
  return "none";
}

TEST(SmallTips, SayWhatTheyCannotDo) {
  Loaded loaded(arm_text("small"));
  const State state = loaded.drives.initial_state();
  EXPECT_EQ(refusal([&] { linearise(loaded.arm, state, loaded.drives, {}); }),
            "arm.tip_rotation: linearise with the tip among its outputs needs 'finite': with 'small', the tip has no "
            "angular velocity; --output coordinates has every coordinate instead");
  State moving = state;
  moving.v[0] = 1;
  EXPECT_EQ(
      refusal([&] { linearise(loaded.arm, moving, loaded.drives, {.coordinates_only = true}); }),
      "arm.tip_rotation: linearise about a moving state needs 'finite'; with 'small' leave out --v, and the arm is "
      "taken at rest");
  const Loaded pulled(arm_text("small", "loads: [{link: hand, force: [1, 0, 0]}]\n"));
  EXPECT_EQ(
      refusal([&] { pulled.rest(); }),
      "arm.tip_rotation: loads and forces at rest need 'finite': with 'small', what a tip carries does not move as "
      "a rigid body that a force could act on");
}

}  // namespace
}  // namespace lithe::testing
