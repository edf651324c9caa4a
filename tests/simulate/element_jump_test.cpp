// Driven joints whose rate jumps: momentum, ringing and the work of the impulse, in the models of finite elements.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <numbers>

#include "app/run_program.h"
#include "lithe/simulate/element_march.h"
#include "support/random_arm.h"
#include "support/run_results.h"

namespace lithe::testing {
namespace {

double largest_after(const Results& results, const std::string& name, double from) {
  double worst = 0;
  for (size_t k = 0; k < results.time.size(); ++k)
    if (results.time[k] > from) worst = std::max(worst, std::abs(series(results, name)[k]));
  return worst;
}

/// A boom with a payload that turns at 0.3 rad/s, or nearly, for 0.25 s and is stopped at once.
const double rate = 0.3, until = 0.25;
std::string boom(const std::string& pivot, const std::string& more = "") {
  return fmt::format(R"(
arm:
  gravity: [0, 0, 0]
  links:
    - name: boom
      joint: {{name: pivot, type: revolute, axis: [0, 0, 1], motor: {{inertia: 0.1 kg.m^2}}}}
      beam:
        length: 1 m
        material: {{E: 70 GPa, nu: 0.3, density: 2700 kg/m^3}}
        section: {{area: 350 mm^2, Iy: 10000 mm^4, Iz: 10000 mm^4, shear: 0.8864}}
        damping: {{rayleigh: {{alpha: 0, beta: 1e-5 s}}}}
        flexibility: {{elements: 8, element: linear, plane: y}}
      payload: {{mass: 2 kg}}
{}
motion: {{pivot: {}}}
simulate: {{for: 0.75 s, output_step: 1 ms, formulation: finite-element, rtol: 1e-5, atol: 1e-8}}
)",
                     more, pivot);
}
const std::string stopped = "{sinusoid: {amplitude: 30 rad, frequency: 0.0015915494309189535 Hz, for: 0.25 s}}";

/// Rayleigh's quotient on the beam bent by a force at its tip: the tip's amplitude after the stop.
double by_hand() {
  const double EI = 700, beam = 0.945, payload = 2, inertia = payload + 33.0 / 140 * beam;
  const double omega = std::sqrt(3 * EI / inertia);
  return rate * (payload + 11.0 / 40 * beam) / inertia / omega;
}

TEST(ElementJump, ASuddenStopRings) {
  for (const char* model : {"nonlinear", "linear"}) {
    const Results run = results_of(boom(stopped), {{"simulate.model", model}});
    EXPECT_NEAR(largest_after(run, "boom@1.uy", until), by_hand(), 0.01 * by_hand()) << model;
    // The impulse stops the rotor alone: everything else goes on and rings. The audit closes with its work.
    const double energy = series(run, "energy.kinetic").front(), of_rotor = 0.1 * rate * rate / 2;
    EXPECT_NEAR(series(run, "energy.input").back(), -of_rotor, 0.01 * of_rotor) << model;
    EXPECT_LT(largest_after(run, "energy.residual", 0), 1e-4 * energy) << model;
  }
}

TEST(ElementJump, AGivenRateThatDiffersFromTheProfileJumpsAtTheStart) {
  const std::string text =
      boom("{dwell: {for: 1 s}}", fmt::format("initial: {{pivot: {{position: 0, rate: {}}}}}", rate));
  for (const char* model : {"nonlinear", "linear"}) {
    const Results run = results_of(text, {{"simulate.model", model}});
    EXPECT_NEAR(largest_after(run, "boom@1.uy", 0), by_hand(), 0.01 * by_hand()) << model;
    EXPECT_LT(largest_after(run, "energy.residual", 0), 1e-4 * series(run, "energy.kinetic").front()) << model;
  }
  // A profile that begins with a rate is where the joint begins.
  const Results smooth = results_of(boom(stopped));
  EXPECT_LT(std::abs(series(smooth, "boom@1.uy")[50]), 1e-3 * by_hand());
}

/// A shoulder that is stopped at once, an elbow that gives way or is free, under gravity from a static start.
const std::string two_links = R"(
arm:
  gravity: [0, 0, -9.81]
  links:
    - name: upper
      joint: {name: shoulder, type: revolute, axis: [0, 0, 1]}
      beam: &link
        length: 0.8 m
        material: aluminium
        section: {tube: {outer_diameter: 20 mm, inner_diameter: 16 mm}}
        damping: {rayleigh: {alpha: 0, beta: 1e-4 s}}
        flexibility: {elements: 2, element: linear}
      payload: {mass: 0.5 kg, com: [0.02, 0.03, 0], inertia: {xx: 0.001, yy: 0.002, zz: 0.003}}
    - name: fore
      joint: {name: elbow, type: revolute, axis: [0.6, 0, 0.8]}
      beam: *link
      payload: {mass: 0.4 kg}
initial: {elbow: 0.4 rad, deformation: static}
motion: {shoulder: {sinusoid: {amplitude: 0.2 rad, frequency: 0.7 Hz, for: 0.3 s}}}
torque: {elbow: {servo: {kp: 300, kv: 30, target: 0.4 rad}}}
simulate: {for: 0.5 s, output_step: 5 ms, formulation: finite-element, rtol: 1e-6, atol: 1e-9}
)";

TEST(ElementJump, NoImpulseActsOnTheUnknowns) {
  const Case data = read_case_text(two_links).data;
  const Arm arm = Arm::assemble(data);
  Drives drives(data, arm);
  FloatingModel model(data, arm, drives);
  State state = State::zero(arm);
  state.q = 0.2 * random_vector(arm.nv(), 1);
  state.v = random_vector(arm.nv(), 2);
  state.t = 0.1;
  drives.enter(0, 0.3);
  drives.impose(state);
  VectorXd z, v, change = VectorXd::Zero(arm.nv()), impulse(arm.nv());
  model.unknowns_of(state, z, v);
  change[arm.link(0).v0] = -0.7;
  State after = state;
  model.jump(state.t, z, v, change);
  model.state_of(state.t, z, v, after);
  VectorXd all = after.v - state.v;
  EXPECT_EQ(all[arm.link(0).v0], 0) << "the drive says what the driven rate is";
  all += change;
  EXPECT_GT(std::abs(all[arm.link(1).v0]), 1e-5) << "the elbow feels it, through a link that bends";
  MatrixXd M(arm.nv(), arm.nv());
  make_formulation("lagrange", arm)->mass_matrix(state, M);
  const VectorXd expected = M * all;
  const double scale = (M.cwiseAbs() * all.cwiseAbs()).maxCoeff();  // of the momenta that cancel
  for (int k = 0; k < arm.nv(); ++k)
    if (k != arm.link(0).v0) {
      EXPECT_LT(std::abs(expected[k]), 1e-12 * scale) << k;
    }
  model.impulses(state.t, z, v, all, impulse);
  EXPECT_LT((impulse - expected).lpNorm<Eigen::Infinity>(), 1e-12 * scale);
}

TEST(ElementJump, LinearAndNonlinearModelsAgreeAndTheAuditCloses) {
  const Results nonlinear = results_of(two_links), linear = results_of(two_links, {{"simulate.model", "linear"}});
  EXPECT_LT(largest_after(nonlinear, "energy.residual", 0), 2e-4 * largest_after(nonlinear, "energy.kinetic", 0));
  double worst = 0;
  for (size_t k = 0; k < linear.time.size(); ++k)
    worst = std::max(worst, std::abs(series(linear, "tip_error.y")[k] - series(nonlinear, "tip_error.y")[k]));
  EXPECT_LT(worst, 0.05 * largest_after(nonlinear, "tip_error.y", 0));
}

TEST(ElementJump, AServoWhoseCommandJumpsDoesNot) {
  // The linear models measure from the command: what jumps there must come out again. With deformation it does to first order:
  // small rotations about other axes than the joint's do not add.
  std::string text = two_links;
  text.replace(text.find("target: 0.4 rad"), 15,
               "follow: {sinusoid: {amplitude: 0.1 rad, frequency: 1 Hz, for: 0.2 s}}");
  const Case data = read_case_text(text).data;
  const Arm arm = Arm::assemble(data);
  Drives drives(data, arm);
  const double t = 0.2, jump = 0.1 * 2 * std::numbers::pi * std::cos(2 * std::numbers::pi * t);
  std::vector<double> errors;
  for (const double size : {0.0, 2e-3}) {
    drives.enter(0, t);
    NominalModel model(data, arm, drives);
    const VectorXd z = size * random_vector(model.size(), 1), a = VectorXd::Zero(model.size());
    VectorXd v = size * random_vector(model.size(), 2), change = VectorXd::Zero(arm.nv()), vdot(arm.nv());
    State before = State::zero(arm), after = before;
    model.state_of(t, z, v, a, before, vdot);
    drives.enter(t, 0.3);
    model.forget();
    change[arm.link(1).v0] = -jump;
    model.jump(t, z, v, change);
    model.state_of(t, z, v, a, after, vdot);
    errors.push_back((after.v - before.v).lpNorm<Eigen::Infinity>() / jump);
  }
  EXPECT_LT(errors[0], 1e-12);
  EXPECT_LT(errors[1], 5e-3);
}

TEST(ElementJump, RunsResumedAtTheJumpEndWithTheSameBits) {
  for (const char* model : {"nonlinear", "linear"}) {
    const std::vector<Override> overrides{
        {"simulate.model", model}, {"simulate.checkpoint", "0.15 s"}, {"simulate.rtol", "1e-5"}};
    const Results whole = results_of(two_links, overrides);
    const TemporaryFolder scratch;
    std::atomic<bool> stop = false;
    RunOptions options{scratch.path() + "/r.h5", "", false, &stop, [&](double t) { stop = t > 0.31; }, 0};
    EXPECT_THROW(results_of(two_links, overrides, options), RunError) << model;
    stop = false;
    options.progress = {};
    options.resume = true;
    const Results resumed = results_of(two_links, overrides, options);
    EXPECT_TRUE(resumed.complete);
    EXPECT_EQ(resumed.series, whole.series) << model;
  }
}

TEST(ElementJump, TheLiteralModelRefusesIt) {
  const TemporaryFolder scratch;
  const std::string file = scratch.write("case.yaml", boom(stopped));
  const Finished output = run_program({"run", file, "-o", scratch.path() + "/out", "--set", "simulate.model=literal"});
  EXPECT_EQ(output.code, 2);
  EXPECT_NE(output.err.find(
                "simulate.model: finite-element, literal: the commanded rate of 'pivot' jumps by -0.3 at t = 0.25 s"),
            std::string::npos)
      << output.err;
  EXPECT_FALSE(std::filesystem::exists(scratch.path() + "/out/results.h5"));
}

// The literal model looks for jumps ahead of the run; that leaves its start alone.
TEST(ElementJump, LiteralModelStartsAtRest) {
  const Results results = results_of(R"(
arm:
  gravity: [0, 0, 0]
  links:
    - name: boom
      joint: {name: pivot, type: revolute, axis: [0, 0, 1]}
      beam: {length: 2 m, material: aluminium, section: {tube: {outer_diameter: 40 mm, inner_diameter: 36 mm}}, flexibility: {elements: 3, element: linear}}
motion: {pivot: {trapezoidal_velocity: {to: 0.1 rad, in: 0.4 s, ramp: 0.1 s}}}
simulate: {for: 0.5 s, formulation: finite-element, model: literal, step: 1 ms}
)");
  EXPECT_EQ(series(results, "energy.kinetic")[0], 0);
  EXPECT_EQ(series(results, "|tip_error|")[0], 0);
}

}  // namespace
}  // namespace lithe::testing
