// Backlash in gears: free flight and flanks against closed forms and a Runge–Kutta of our own, energy, formulations, slopes, statics, modes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>

#include "lithe/analyse/case_modes.h"
#include "lithe/analyse/linearise.h"
#include "lithe/analyse/statics.h"
#include "lithe/arm/passive_forces.h"
#include "lithe/describe/case_reader.h"
#include "lithe/drive/drives.h"
#include "lithe/dynamics/articulated/batch_forward.h"
#include "lithe/dynamics/derivatives/inverse_derivatives.h"
#include "lithe/dynamics/formulation.h"
#include "support/random_arm.h"
#include "support/run_results.h"

namespace lithe::testing {
namespace {

double worst(const std::vector<double>& values) {
  double most = 0;
  for (const double value : values) most = std::max(most, std::abs(value));
  return most;
}

/// J = 2 kg.m² behind a gear of stiffness k = 800 with half a gap of 0.05 rad.
std::string wheel(const std::string& motor, const std::string& rest) {
  return fmt::format(R"(
arm:
  gravity: [0, 0, 0]
  links:
    - {{name: a, joint: {{name: j, type: revolute, axis: [0, 0, 1], motor: {{gear_ratio: 100, stiffness: 800, backlash: 0.1, {}}}}}, rigid: {{mass: 1, inertia: {{xx: 2, yy: 2, zz: 2}}}}}}
{})",
                     motor, rest);
}
constexpr double J = 2, rotor = 0.5, k = 800, gap = 0.05;  // rotors of 5e-5 kg.m² at the motor

TEST(Backlash, FliesFreelyAndBouncesForHalfAPeriod) {
  const double rate = 1.5, T = 0.47;
  for (const char* const method : {"dopri5", "cvode", "esdirk"}) {
    const Results results = results_of(
        wheel("inertia: 1e6",  // a rotor that does not yield
              fmt::format(
                  "initial: {{j: {{rate: {}}}, j.motor: {{rate: 0}}}}\nsimulate: {{for: {} s, method: {}, rtol: 1e-10, "
                  "atol: 1e-12, output_step: 5 ms}}\n",
                  rate, T, method)));
    const double omega = std::sqrt(k / J), meet = gap / rate, leave = meet + M_PI / omega,
                 across = leave + 2 * gap / rate;
    auto expected = [&](double t) {
      if (t < meet) return rate * t;
      if (t < leave) return gap + rate / omega * std::sin(omega * (t - meet));
      if (t < across) return gap - rate * (t - leave);
      const double again = t - across;
      return again < M_PI / omega ? -gap - rate / omega * std::sin(omega * again)
                                  : -gap + rate * (again - M_PI / omega);
    };
    const std::vector<double>& q = series(results, "j");
    ASSERT_GT(q.size(), 90u);
    EXPECT_LT(across, T);
    for (size_t i = 0; i < q.size(); ++i)
      EXPECT_NEAR(q[i], expected(results.time[i]), 1e-7) << method << results.time[i];
    EXPECT_LT(worst(series(results, "energy.residual")), 1e-6) << method;
  }
}

TEST(Backlash, DampedInertiasMoveAsOurOwnIntegrationSays) {
  // Joint and rotor under a torque that turns round; hardening flanks, damping that is cut where it would pull.
  const double hard = 4e4, d = 12;
  struct Y {
    double q, r, v, w;
  };
  auto f = [&](const Y& y, double t) {
    const double x = y.r - y.q, rate = y.w - y.v, s = x > gap ? x - gap : x < -gap ? x + gap : 0;
    double torque = k * s + hard * s * s * s + (s != 0 ? d * rate : 0);
    if (torque * s < 0) torque = 0;
    return Y{y.v, y.w, torque / J, (20 * std::sin(2 * M_PI * 2 * t) - torque) / rotor};
  };
  auto plus = [](const Y& a, double h, const Y& b) {
    return Y{a.q + h * b.q, a.r + h * b.r, a.v + h * b.v, a.w + h * b.w};
  };
  Y y{0, 0, 0, 0};
  const int n = 400'000;
  const double h = 1.0 / n;
  for (int i = 0; i < n; ++i) {
    const double t = i * h;
    const Y a = f(y, t), b = f(plus(y, h / 2, a), t + h / 2), c = f(plus(y, h / 2, b), t + h / 2),
            e = f(plus(y, h, c), t + h);
    y = plus(plus(plus(plus(y, h / 6, a), h / 3, b), h / 3, c), h / 6, e);
  }
  for (const char* const method : {"dopri5", "cvode", "esdirk"}) {
    const Results results = results_of(
        wheel("inertia: 5e-5, hardening: 4e4, damping: 12",
              fmt::format(
                  "torque: {{j: {{profile: {{sinusoid: {{amplitude: 20, frequency: 2 Hz}}}}}}}}\nsimulate: {{for: 1 s, "
                  "method: {}, rtol: 1e-9, atol: 1e-11}}\n",
                  method)));
    // A fixed step meets flanks within a step, and damping sets in there at once: 2.5e-6 s at 1 rad/s.
    EXPECT_NEAR(series(results, "j").back(), y.q, 2e-5) << method;
    EXPECT_NEAR(series(results, "j.motor").back(), y.r, 2e-5) << method;
    EXPECT_GT(worst(series(results, "energy.kinetic")), 1);
    EXPECT_LT(worst(series(results, "energy.residual")), 1e-6) << method;
  }
}

TEST(Backlash, ResumedRunsEndWithTheSameBits) {
  const std::string text = wheel("inertia: 5e-5, damping: 3",
                                 "torque: {j: {profile: {sinusoid: {amplitude: 20, frequency: 2 Hz}}}}\n"
                                 "simulate: {for: 1 s, checkpoint: 0.17 s}\n");
  const Results whole = results_of(text);
  const TemporaryFolder scratch;
  std::atomic<bool> stop = false;
  RunOptions options{scratch.path() + "/r.h5", "articulated", false, &stop, [&](double t) { stop = t > 0.55; }, 0};
  EXPECT_THROW(results_of(text, {}, options), RunError);
  stop = false;
  options.progress = {};
  options.resume = true;
  const Results resumed = results_of(text, {}, options);
  EXPECT_EQ(resumed.time, whole.time);
  EXPECT_EQ(resumed.series, whole.series);
}

/// Two joints, both behind gears with backlash, one of them with damping.
const char* two = R"(
arm:
  gravity: [0, 0, -9.81]
  links:
    - name: a
      joint: {name: j, type: revolute, axis: [0, -1, 0], motor: {inertia: 1e-4, gear_ratio: 50, stiffness: 900, hardening: 5e3, damping: 8, backlash: 2 deg}}
      beam: {length: 1, material: aluminium, section: {circle: {diameter: 30 mm}}, flexibility: {modes: {bending_z: 2}}}
    - name: b
      joint: {name: k, type: revolute, axis: [0, -1, 0], motor: {inertia: 1e-4, gear_ratio: 50, stiffness: 400, backlash: 1 deg}}
      rigid: {length: 0.5, mass: 2, com: [0.3, 0, 0], inertia: {xx: 0.01, yy: 0.04, zz: 0.04}}
)";

/// Positions with both gears pressed, one way or the other, with damping at work or cut, and free.
std::vector<State> states_of(const Arm& arm) {
  std::vector<State> states;
  for (const double turn : {0.03, -0.05, 0.001})
    for (const double rate : {0.4, -30.0}) {
      State state = random_state(arm, 5);
      for (const Transmission& one : arm.transmissions()) {
        state.q[arm.link(one.rotor_link).q0] = state.q[arm.link(one.joint_link).q0] + turn;
        state.v[arm.link(one.rotor_link).v0] = state.v[arm.link(one.joint_link).v0] + rate;
      }
      states.push_back(state);
    }
  return states;
}

TEST(Backlash, IsTheSameInEveryFormulationAndItsSlopesAreDifferences) {
  const Arm arm = Arm::assemble(read_case_text(two).data);
  const int nv = arm.nv();
  const VectorXd vdot = random_vector(nv, 3);
  int cut = 0, free = 0;
  for (const State& state : states_of(arm)) {
    VectorXd expected(nv), tau(nv), back(nv);
    make_formulation("articulated", arm)->inverse(state, vdot, expected);
    for (const char* const name : {"kane", "lagrange", "recursive-lagrangian", "composed"}) {
      if (std::string(name) == "composed") {  // takes arms on arms only
        EXPECT_THROW(make_formulation(name, arm), UnsupportedError);
        continue;
      }
      make_formulation(name, arm)->inverse(state, vdot, tau);
      EXPECT_LT((tau - expected).norm(), 1e-11 * expected.norm()) << name;
    }
    make_formulation("articulated", arm)->forward(state, expected, back);
    EXPECT_LT((back - vdot).norm(), 1e-9 * vdot.norm());
    MatrixXd lanes(nv, 1);
    BatchForward(arm).forward(state.q, state.v, expected, lanes);
    EXPECT_LT((lanes.col(0) - vdot).norm(), 1e-9 * vdot.norm());

    // What the gears do by themselves: a spring beyond the gap, a damper that never pulls.
    for (const Transmission& one : arm.transmissions()) {
      const double x = 0.001 + state.q[arm.link(one.rotor_link).q0] - state.q[arm.link(one.joint_link).q0] - 0.001,
                   rate = state.v[arm.link(one.rotor_link).v0] - state.v[arm.link(one.joint_link).v0],
                   s = std::copysign(std::max(0.0, std::abs(x) - one.gap), x);
      double torque = one.stiffness * s + one.hardening * s * s * s + (s != 0 ? one.damping * rate : 0);
      cut += torque * s < 0;
      free += s == 0;
      if (torque * s < 0) torque = 0;
      EXPECT_NEAR(one.elastic(x) + one.dissipative(x, rate), torque, 1e-12);
    }
    InverseDerivatives slopes(arm);
    slopes.update(state, vdot);
    for (int column = 0; column < nv; ++column) {
      auto difference = [&](VectorXd State::*member) {
        const double h = 1e-6;
        VectorXd up(nv), down(nv);
        State moved = state;
        (moved.*member)[column] += h;
        make_formulation("articulated", arm)->inverse(moved, vdot, up);
        (moved.*member)[column] -= 2 * h;
        make_formulation("articulated", arm)->inverse(moved, vdot, down);
        return VectorXd((up - down) / (2 * h));
      };
      const double scale = slopes.by_position().cwiseAbs().maxCoeff();
      EXPECT_LT((difference(&State::q) - slopes.by_position().col(column)).cwiseAbs().maxCoeff(), 1e-6 * scale);
      EXPECT_LT((difference(&State::v) - slopes.by_rate().col(column)).cwiseAbs().maxCoeff(), 1e-6 * scale);
    }
  }
  EXPECT_GT(cut, 0);
  EXPECT_GT(free, 0);
}

/// A level link of 3 kg whose weight acts at 0.4 m.
std::string level(double position, double load = 0) {
  return fmt::format(R"(
arm:
  gravity: [0, 0, -9.81]
  links:
    - {{name: a, joint: {{name: j, type: revolute, axis: [0, -1, 0], motor: {{inertia: 1e-4, gear_ratio: 50, stiffness: 800, damping: 5, backlash: 0.1}}}}, rigid: {{length: 0.8, mass: 3, com: [0.4, 0, 0], inertia: {{xx: 0.1, yy: 0.1, zz: 0.1}}}}}}
initial: {{j: {}}}
loads: [{{link: a, force: [0, 0, {}]}}]
)",
                     position, load);
}

TEST(Backlash, RestsOnTheLoadedFlank) {
  const double weight = 3 * 9.81 * 0.4;
  for (const double load : {0.0, 60.0}) {
    const Case data = read_case_text(level(0.3, load)).data;
    const Arm arm = Arm::assemble(data);
    Drives drives(data, arm);
    const StaticResult result = static_deflection(arm, drives.initial_state(), 0, drives.loads().unscaled());
    const double q = result.rest.state.q[0], twist = 0.3 - q, side = load > 0 ? -1 : 1;
    // The rotor stays at 0.3; the joint hangs on the flank below, or is lifted onto the one above.
    EXPECT_NEAR(800 * (twist - side * gap), (weight - 0.8 * load) * std::cos(q), 1e-10);
    EXPECT_GT(side * twist, gap);
    EXPECT_NEAR(result.rest.force[1], (weight - 0.8 * load) * std::cos(q), 1e-10);
  }
  // Hanging almost straight down, it does not reach a flank.
  const Case data = read_case_text(level(-M_PI / 2 + 0.02)).data;
  const Arm arm = Arm::assemble(data);
  Drives drives(data, arm);
  const StaticResult hanging = static_deflection(arm, drives.initial_state(), 0, drives.loads().unscaled());
  EXPECT_NEAR(hanging.rest.state.q[0], -M_PI / 2, 1e-10);
  EXPECT_NEAR(hanging.rest.force[1], 0, 1e-10);
  // A start at rest winds the rotor up, through the gap.
  const Case held = read_case_text(level(0.3), "case", {{"initial.deformation", "static"}}).data;
  const State start = Drives(held, arm).initial_state();
  EXPECT_NEAR(start.q[0], 0.3, 1e-15);
  EXPECT_NEAR(start.q[1], 0.3 + gap + weight * std::cos(0.3) / 800, 1e-12);
}

TEST(Backlash, VibratesOnItsFlankAndIsRefusedInTheGap) {
  const Case data = read_case_text(level(0.3)).data;
  const Arm arm = Arm::assemble(data);
  Drives drives(data, arm);
  const CaseModes sagged = modes_of_case(arm, drives, {.joints = JointCondition::locked, .count = 1, .deformed = true});
  const double q = sagged.about.q[0], J_pivot = 0.1 + 3 * 0.16, K = 800 - 3 * 9.81 * 0.4 * std::sin(q);
  EXPECT_NEAR(sagged.result.modes[0].frequency_hz, std::sqrt(K / J_pivot) / (2 * M_PI), 1e-9);
  const LinearModel model = linearise(arm, sagged.about, drives, {.coordinates_only = true});
  EXPECT_NEAR(model.A(2, 0), -K / J_pivot, 1e-9 * K / J_pivot);
  EXPECT_NEAR(model.A(2, 2), -5 / J_pivot, 1e-12 * 5 / J_pivot);
  auto refusal = [&](auto what) {
    try {
      what();
    } catch (const FieldError& error) {
      return error.path() + ": " + error.what();
    }
    return std::string();
  };
  const std::string gap_text =
      "joint 'j' is inside the gap of its gear, where nothing holds it against its motor; expected a position that "
      "presses a "
      "flank: the equilibrium under a weight or a load, or values of 'j' and 'j.motor'";
  EXPECT_EQ(refusal([&] { modes_of_case(arm, drives, {.joints = JointCondition::locked, .count = 1}); }),
            "arm.links[0].joint.motor.backlash: modes: " + gap_text);
  EXPECT_EQ(refusal([&] { linearise(arm, State::zero(arm), drives, {.coordinates_only = true}); }),
            "arm.links[0].joint.motor.backlash: linearise: " + gap_text);
  EXPECT_EQ(
      refusal([&] {
        Arm::assemble(read_case_text(level(0.3), "case", {{"arm.damping", "{modes: 0.01}"}}).data);
      }),
      "arm.damping: a gear with backlash has no natural modes while its flanks do not touch; give links a `damping` of "
      "their own");
  const Case sags = read_case_text(level(0.3), "case",
                                   {{"torque.j",
                                     "{pd: {kp: 10, kd: 1, target: 0, gravity_compensation: true, gravity_of: "
                                     "command}}"}})
                        .data;
  EXPECT_EQ(refusal([&] { Drives(sags, arm); }),
            "torque.j.pd.gravity_of: `command` needs gears without backlash, behind which joints hang by their "
            "stiffness; use "
            "`state`");
}

}  // namespace
}  // namespace lithe::testing
