// Arms at rest against closed forms, energies and virtual work.
#include "lithe/analyse/statics.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "lithe/describe/case_reader.h"
#include "lithe/drive/drives.h"
#include "lithe/dynamics/articulated/articulated.h"
#include "support/draw.h"
#include "support/random_arm.h"

namespace lithe::testing {
namespace {

// EI = 100 about both axes, ρA = 0.5, L = 2; no shear to speak of in these shapes.
std::string cantilever(const std::string& flexibility, const std::string& more = "", double tilt_deg = 0) {
  return fmt::format(R"(
arm:
  links:
    - name: bar
      joint: {{name: pivot, type: revolute, axis: [0, -1, 0]}}
      beam:
        length: 2
        material: {{E: 1e8, nu: 0.25, density: 500}}
        section: {{area: 1e-3, Iy: 1e-6, Iz: 1e-6, J: 2e-6}}
        flexibility: {{{}}}
{}
initial: {{pivot: {} deg}}
)",
                     flexibility, more, tilt_deg);
}

struct Rest {
  Case data;
  Arm arm;
  Drives drives;
  StaticResult result;
  explicit Rest(const std::string& text)
      : data(read_case_text(text).data),
        arm(Arm::assemble(data)),
        drives(data, arm),
        result(static_deflection(arm, drives.initial_state(), arm.last_link(), drives.loads().unscaled())) {}
  double torque(int link) const { return result.rest.force[arm.link(link).v0]; }
};

constexpr double g = 9.81, w = 0.5 * g, EI = 100, L = 2;

TEST(Static, BarUnderItsOwnWeight) {
  // Quartic deflection w L⁴/8EI: the third polynomial holds it exactly; so does any number of exact elements at their nodes,
  // but for shear, w L²/2κGA.
  const Rest shapes(cantilever("modes: {bending_z: 3}"));
  EXPECT_NEAR(shapes.result.sag.z(), -w * std::pow(L, 4) / (8 * EI), 1e-12);
  EXPECT_NEAR(shapes.torque(0), w * L * L / 2, 1e-10);
  const Rest elements(cantilever("elements: 3"));
  const double kGA = 1e8 / 2.5 * 1e-3 * elements.arm.link(0).flex->stations.stiffness[0][1] / (1e8 / 2.5 * 1e-3);
  EXPECT_NEAR(elements.result.sag.z(), -w * std::pow(L, 4) / (8 * EI) - w * L * L / (2 * kGA), 1e-10);
  // Tilted, only the part across it bends it; the part along it stretches.
  const Rest tilted(cantilever("modes: {bending_z: 3, axial: 2}", "", 60));
  const double across = -w * std::cos(M_PI / 3) * std::pow(L, 4) / (8 * EI),
               along = -w * std::sin(M_PI / 3) * L * L / (2 * 1e8 * 1e-3);
  EXPECT_NEAR(tilted.result.sag.z(), across * std::cos(M_PI / 3) + along * std::sin(M_PI / 3), 1e-12);
  EXPECT_NEAR(tilted.result.sag.x(), -across * std::sin(M_PI / 3) + along * std::cos(M_PI / 3), 1e-12);
}

TEST(Static, BarUnderTipForceAndMoment) {
  // So little that turns about different axes do not mix.
  std::string text = cantilever("modes: {bending_y: 2, bending_z: 2, torsion: 1}",
                                "loads: [{link: bar, force: [0, 3e-6, -5e-6], moment: [2e-6, 0, 4e-6]}]");
  text.replace(text.find("arm:\n"), 5, "arm:\n  gravity: [0, 0, 0]\n");
  const Rest rest(text);
  const double GJ = 1e8 / 2.5 * 2e-6;
  EXPECT_NEAR(rest.result.sag.y(), 3e-6 * std::pow(L, 3) / (3 * EI) + 4e-6 * L * L / (2 * EI), 1e-12);
  EXPECT_NEAR(rest.result.sag.z(), -5e-6 * std::pow(L, 3) / (3 * EI), 1e-12);
  EXPECT_NEAR(rest.result.tip_turn.x(), 2e-6 * L / GJ, 1e-12);
  EXPECT_NEAR(rest.result.tip_turn.z(), 3e-6 * L * L / (2 * EI) + 4e-6 * L / EI, 1e-12);
  // A force or a weight alone has its closed form at any size: the field is linear in the coordinates.
  const Rest force(cantilever("modes: {bending_y: 2, bending_z: 3}", "loads: [{link: bar, force: [0, 3, 0]}]"));
  EXPECT_NEAR(force.result.sag.y(), 3 * std::pow(L, 3) / (3 * EI), 1e-12);
  const Rest payload(cantilever("modes: {bending_z: 3}", "      payload: {mass: 2}"));
  EXPECT_NEAR(payload.result.sag.z(), -2 * g * std::pow(L, 3) / (3 * EI) - w * std::pow(L, 4) / (8 * EI), 1e-12);
}

TEST(Static, LoadsCountInFullWhateverTheirScale) {
  const Rest plain(cantilever("modes: {bending_z: 3}", "loads: [{link: bar, force: [0, 0, -5]}]")),
      scaled(cantilever("modes: {bending_z: 3}",
                        "loads: [{link: bar, force: [0, 0, -5], scale: {quintic: {to: 0.5, in: 1 s}}}]"));
  EXPECT_EQ(plain.result.sag, scaled.result.sag);
}

TEST(Static, LFrameHasItsClosedForm) {
  // AB upright, 1.2 m, clamped at A; BD level, 0.8 m; forces at D. The closed form is linear: a millionth of the load.
  const double H = 1.2, l = 0.8, E = 200e9, A = 4e-4, I = 4e-8 / 3, k = 5.0 / 6, G = E / 2.6, P = 1e-4, Q = -5e-5;
  for (const int n : {1, 3}) {
    const Rest rest(fmt::format(R"(
arm:
  gravity: [0, 0, 0]
  links:
    - {{name: AB, joint: {{name: A, type: fixed, origin: {{rpy: [0, -90 deg, 0]}}}}, beam: {{length: 1.2, {0}}}}}
    - {{name: BD, joint: {{name: B, type: fixed, origin: {{rpy: [0, 90 deg, 0]}}}}, beam: {{length: 0.8, {0}}}}}
loads: [{{link: BD, force: [{1}, 0, {2}]}}]
)",
                                fmt::format("material: {{E: {}, nu: 0.3, density: 7850}}, section: {{area: {}, Iy: {}, "
                                            "Iz: {}, J: 1e-8, shear: {}}}, flexibility: {{elements: {}}}",
                                            E, A, I, I, k, n),
                                P, Q));
    const double x = P * (H * H * H / (3 * E * I) + H / (k * G * A) + l / (E * A)) - Q * l * H * H / (2 * E * I),
                 z = Q * (l * l * l / (3 * E * I) + l * l * H / (E * I) + l / (k * G * A) + H / (E * A)) -
                     P * H * H * l / (2 * E * I),
                 turn = Q * (l * l / (2 * E * I) + l * H / (E * I)) - P * H * H / (2 * E * I);
    // The angle is 5e-8 rad: second-order terms are of that relative size.
    EXPECT_NEAR(rest.result.sag.x(), x, 1e-7 * x);
    EXPECT_NEAR(rest.result.sag.z(), z, -1e-7 * z);
    EXPECT_NEAR(rest.result.tip_turn.y(), -turn, -1e-7 * turn);  // about y a turn from x to z is negative
    EXPECT_NEAR(x, 3.24056800e-8, 1e-16);
  }
}

TEST(Static, SpringsOfTransmissionsGiveWay) {
  const Rest rest(R"(
arm:
  links:
    - {name: a, joint: {name: p, type: revolute, axis: [0, -1, 0], motor: {inertia: 0.1, stiffness: 500, hardening: 3000}}, rigid: {length: 1, mass: 3, com: [1, 0, 0]}}
)");
  const double q = rest.result.rest.state.q[0];
  EXPECT_LT(q, -0.04);
  EXPECT_EQ(rest.result.rest.state.q[1], 0);  // the rotor is held
  EXPECT_NEAR(500 * -q + 3000 * std::pow(-q, 3), 3 * g * std::cos(q), 1e-9);
  EXPECT_NEAR(rest.torque(1), 3 * g * std::cos(q), 1e-9);
  EXPECT_NEAR(rest.result.sag.z(), std::sin(q), 1e-12);
}

TEST(Static, NothingButRoundingIsNoLoad) {
  // Hanging straight down: what weight there is across the arm is sin of a rounded 180 degrees.
  const Rest hanging(R"(
arm:
  links:
    - name: upper
      joint: {name: shoulder, type: revolute, axis: [0, -1, 0], motor: {inertia: 1, stiffness: 4000, hardening: 20e6}}
      rigid: {length: 0.6, mass: 8, com: [0.3, 0, 0]}
    - name: fore
      joint: {name: elbow, type: revolute, axis: [0, -1, 0], motor: {inertia: 1, stiffness: 1500}}
      rigid: {length: 0.5, mass: 4, com: [0.25, 0, 0]}
initial: {shoulder: -90 deg}
)");
  EXPECT_LT(hanging.result.sag.norm(), 1e-14);
}

TEST(Static, ARulerSagsThoughItsOtherDirectionsAreStiff) {
  // 25 by 1 mm of steel: stiffnesses of nodes range over nine decades, and the residual stays above the solver's tolerance.
  const Rest ruler(R"(
arm:
  links:
    - name: ruler
      joint: {name: clamp, type: fixed}
      beam:
        length: 0.3
        material: {E: 200e9, nu: 0.3, density: 7850}
        section: {rectangle: {width_y: 0.025, height_z: 0.001}}
        flexibility: {elements: 8}
)");
  const double per_length = 7850 * 0.025 * 0.001 * g, stiffness = 200e9 * 0.025 * std::pow(0.001, 3) / 12;
  // Sagging by 1.6 % of its length it has become no stiffer than that squared.
  EXPECT_NEAR(ruler.result.sag.z() / (-per_length * std::pow(0.3, 4) / (8 * stiffness)), 1, 3e-4);
}

TEST(Static, SegmentsSagLikeTheBeam) {
  const Rest rest(cantilever("segments: 24", "      payload: {mass: 0.2}"));
  const double expected = -w * std::pow(L, 4) / (8 * EI) - 0.2 * g * std::pow(L, 3) / (3 * EI);
  // Large rotations count in segments: 0.2 rad, a few percent.
  EXPECT_NEAR(rest.result.sag.z(), expected, 0.03 * -expected);
}

TEST(Static, HeavyLoadBendsFar) {
  // So soft that the tip turns by more than a radian: Newton's first step is no longer near.
  const Rest rest(R"(
arm:
  links:
    - {name: a, joint: {name: p, type: revolute, axis: [0, -1, 0]}, beam: &soft {length: 1, material: {E: 1e8, nu: 0.3, density: 1000}, section: {circle: {diameter: 10 mm}}, flexibility: {modes: {bending_z: 3}}}}
    - {name: b, joint: {name: q, type: revolute, axis: [0, -1, 0]}, beam: {length: 1, material: {E: 1e8, nu: 0.3, density: 1000}, section: {circle: {diameter: 10 mm}}, flexibility: {modes: {bending_z: 3}}}, payload: {mass: 0.3}}
)");
  EXPECT_LT(rest.result.rest.residual, 1e-9);
  EXPECT_GT(rest.result.tip_turn.norm(), 1);
}

RC_GTEST_PROP(Static, IsAnEnergyMinimumAndHoldsByVirtualWork, ()) {
  const auto seed = any_seed();
  FlexibleArmOptions options;
  options.arm.drive_line = false;
  options.stiffer = 20;
  const Arm arm = Arm::assemble(random_flexible_case(any_link_count(8), seed, options));
  if (arm.nv() == 0) return;
  State start = random_state(arm, seed);
  start.v.setZero();
  start = undeformed(arm, start);
  const std::vector<bool> held = held_by_motors(arm);
  const Equilibrium rest = find_equilibrium(arm, start, held, arm.gravity());
  auto energy = [&](const VectorXd& step) {
    State moved = rest.state;
    displace(arm, moved.q, step);
    return gravity_energy(arm, kinematics_of(arm, moved)) + elastic_energy(arm, moved);
  };
  const double h = 1e-4;
  for (int k = 0; k < arm.nv(); ++k) {
    const VectorXd e = VectorXd::Unit(arm.nv(), k);
    const double slope = (8 * (energy(h * e) - energy(-h * e)) - (energy(2 * h * e) - energy(-2 * h * e))) / (12 * h);
    RC_ASSERT(std::abs(slope - rest.force[k]) <= 1e-6 * (1 + rest.force.norm()));
    if (held[k]) {
      RC_ASSERT(rest.state.q[k] == start.q[k]);
    }
  }
  // Forces of the formulation balance there too.
  VectorXd bias(arm.nv());
  Articulated(arm).bias(rest.state, Terms::all, bias);
  RC_ASSERT((bias - rest.force).cwiseAbs().maxCoeff() <= 1e-8 * (1 + rest.force.norm()));
}

TEST(Static, InitialDeformationStartsWithoutAJolt) {
  // Links that bend, on joints with and without elastic transmissions: held by the static torques, nothing moves.
  const Case data = read_case_text(R"(
arm:
  links:
    - {name: a, joint: {name: p, type: revolute, axis: [0, -1, 0]}, beam: {length: 1, material: aluminium, section: {circle: {diameter: 20 mm}}, flexibility: {modes: {bending_y: 1, bending_z: 3, torsion: 1}}}}
    - {name: b, joint: {name: q, type: revolute, axis: [0, -1, 0], motor: {inertia: 0.01, stiffness: 400, hardening: 5000}}, beam: {length: 0.7, material: aluminium, section: {circle: {diameter: 15 mm}}, flexibility: {segments: 3}}, payload: {mass: 0.5}}
initial: {p: 20 deg, q: 40 deg, deformation: static}
)")
                        .data;
  const Arm arm = Arm::assemble(data);
  const State state = Drives(data, arm).initial_state();
  EXPECT_NEAR(state.q[arm.link(1).q0], 40 * M_PI / 180, 1e-15);
  Articulated dynamics(arm);
  VectorXd tau(arm.nv()), vdot = VectorXd::Zero(arm.nv());
  dynamics.inverse(state, vdot, tau);
  for (const TorqueInput& input : arm.torque_inputs()) EXPECT_GT(std::abs(tau[input.v]), 0.1);
  double left = 0;
  for (const TorqueInput& input : arm.torque_inputs()) vdot[input.v] = tau[input.v];
  left = (tau - vdot).cwiseAbs().maxCoeff();
  EXPECT_LT(left, 1e-9);  // only motors need to push
}

}  // namespace
}  // namespace lithe::testing
