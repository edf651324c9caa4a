// Whole runs by finite elements: beside the articulated recursion under CVODE, through checkpoints, and what is refused.
#include "lithe/simulate/element_march.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "app/run_program.h"
#include "support/run_results.h"

namespace lithe::testing {
namespace {

/// Two links turning about crossed axes under gravity, with a payload and damping; the second joint gives way or not.
std::string spatial(const std::string& elbow) {
  return R"(
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
    - name: fore
      joint: {name: elbow, type: revolute, axis: [0, -1, 0]}
      beam: *link
      payload: {mass: 0.4 kg}
initial: {deformation: static}
motion: {shoulder: &slew {cycloidal: {to: 50 deg, in: 0.8 s}}ELBOW_MOTION}
TORQUE
simulate: {for: 1 s, output_step: 10 ms, rtol: 1e-7, atol: 1e-10}
)" + elbow;
}
std::string filled(std::string text, const std::string& motion, const std::string& torque) {
  text.replace(text.find("ELBOW_MOTION"), 12, motion);
  text.replace(text.find("TORQUE"), 6, torque);
  return text;
}
const std::string driven = filled(spatial(""), ", elbow: *slew", "");
const std::string served = filled(spatial(""), "", "torque: {elbow: {servo: {kp: 300, kv: 30, follow: *slew}}}");

double largest(const Results& a, const Results* b, const std::string& name) {
  double worst = 0;
  for (size_t k = 0; k < a.time.size(); ++k)
    worst = std::max(worst, std::abs(series(a, name)[k] - (b == nullptr ? 0 : series(*b, name)[k])));
  return worst;
}

TEST(ElementMarch, NonlinearRunsAreTheArticulatedOnes) {
  for (const std::string& text : {driven, served}) {
    const Results ours = results_of(text, {{"simulate.formulation", "finite-element"}});
    const Results theirs = results_of(text, {{"simulate.rtol", "1e-8"}});
    ASSERT_EQ(ours.time, theirs.time);
    for (const char* name : {"tip_error.x", "tip_error.y", "tip_error.z", "shoulder.torque", "elbow.torque", "elbow",
                             "upper@0.My", "energy.kinetic", "energy.elastic"})
      EXPECT_LT(largest(ours, &theirs, name), 2e-4 * (largest(theirs, nullptr, name) + 1e-6)) << name;
    EXPECT_LT(largest(ours, &theirs, "tip_error.y"), 1e-4 * largest(theirs, nullptr, "tip_error.y"));
    EXPECT_LT(largest(ours, nullptr, "energy.residual"), 1e-5 * largest(ours, nullptr, "energy.input"));
  }
}

TEST(ElementMarch, LinearRunsDifferAtSecondOrderAndSwingAboutTheQuasiStaticOnes) {
  const Results nonlinear = results_of(driven, {{"simulate.formulation", "finite-element"}});
  const Results linear = results_of(driven, {{"simulate.formulation", "finite-element"}, {"simulate.model", "linear"}});
  const Results still =
      results_of(driven, {{"simulate.formulation", "finite-element"}, {"simulate.model", "quasi-static"}});
  for (const char* name : {"tip_error.y", "tip_error.z", "shoulder.torque", "elbow.torque"}) {
    const double scale = largest(nonlinear, nullptr, name);
    EXPECT_LT(largest(linear, &nonlinear, name), 0.05 * scale) << name;
    EXPECT_GT(largest(linear, &nonlinear, name), 1e-5 * scale) << name;
  }
  // The mean of the difference is small beside its largest value: it goes to both sides.
  double mean = 0;
  const auto& y = series(nonlinear, "tip_error.y");
  for (size_t k = 0; k < y.size(); ++k) mean += (y[k] - series(still, "tip_error.y")[k]) / double(y.size());
  EXPECT_GT(largest(nonlinear, &still, "tip_error.y"), 0.05 * largest(still, nullptr, "tip_error.y"));
  EXPECT_LT(std::abs(mean), 0.2 * largest(nonlinear, &still, "tip_error.y"));
}

TEST(ElementMarch, LinearUnknownsStandForAStateOfTheArm) {
  for (const std::string& text : {driven, served}) {
    const Case data = read_case_text(text).data;
    const Arm arm = Arm::assemble(data);
    Drives drives(data, arm);
    drives.enter(0, 0.8);
    NominalModel model(data, arm, drives);
    const double t = 0.3, h = 1e-5;
    // z(t) = z₀ + z₁ t + z₂ t²/2, of some size; its states' rates and accelerations by differences.
    auto vector = [&](double phase) {
      VectorXd z(model.size());
      for (int k = 0; k < z.size(); ++k) z[k] = 1e-3 * std::sin(1.7 * k + phase);
      return z;
    };
    const VectorXd z0 = vector(0), z1 = vector(1), z2 = vector(2);
    auto at = [&](double when, State& state, VectorXd& vdot) {
      const double s = when - t;
      model.state_of(when, z0 + s * z1 + s * s / 2 * z2, z1 + s * z2, z2, state, vdot);
    };
    State before = State::zero(arm), now = before, after = before;
    VectorXd vdot(arm.nv()), other(arm.nv());
    at(t - h, before, other);
    at(t + h, after, other);
    at(t, now, vdot);
    EXPECT_LT(((after.q - before.q) / (2 * h) - now.v).lpNorm<Eigen::Infinity>(), 1e-8);
    EXPECT_LT(((after.v - before.v) / (2 * h) - vdot).lpNorm<Eigen::Infinity>(), 1e-7);
    VectorXd z, v;
    model.unknowns_of(now, z, v);
    EXPECT_LT((z - z0).lpNorm<Eigen::Infinity>(), 1e-15);
    EXPECT_LT((v - z1).lpNorm<Eigen::Infinity>(), 1e-14);
    // The tip by the arm's own kinematics, to second order.
    State commanded = now;
    drives.command_state(commanded);
    const Vector3d moved = kinematics_of(arm, now).X_WT.back().p - kinematics_of(arm, commanded).X_WT.back().p;
    const Vector3d said = model.tip_displacement(t, z0, arm.last_link()).head<3>();
    EXPECT_GT(said.norm(), 1e-3);
    EXPECT_LT((moved - said).norm(), 20 * said.squaredNorm());
  }
}

TEST(ElementMarch, ResumedRunsEndWithTheSameBits) {
  for (const auto& [model, method] : {std::pair{"nonlinear", "newmark"},
                                      {"nonlinear", "generalised-alpha"},
                                      {"linear", "newmark"},
                                      {"quasi-static", "newmark"}}) {
    const std::vector<Override> overrides{{"simulate.formulation", "finite-element"},
                                          {"simulate.model", model},
                                          {"simulate.method", method},
                                          {"simulate.rtol", "1e-5"},
                                          {"simulate.checkpoint", "0.17 s"}};
    const Results whole = results_of(driven, overrides);
    const TemporaryFolder scratch;
    std::atomic<bool> stop = false;
    RunOptions options{scratch.path() + "/r.h5", "", false, &stop, [&](double t) { stop = t > 0.55; }, 0};
    EXPECT_THROW(results_of(driven, overrides, options), RunError) << model;
    stop = false;
    options.progress = {};
    options.resume = true;
    const Results resumed = results_of(driven, overrides, options);
    EXPECT_TRUE(resumed.complete);
    EXPECT_EQ(resumed.time, whole.time) << model;
    EXPECT_EQ(resumed.series, whole.series) << model << " " << method;
  }
}

TEST(ElementMarch, RefusesWhatDoesNotGoTogether) {
  const TemporaryFolder scratch;
  const std::string file = scratch.write("case.yaml", driven);
  auto refuses = [&](const std::vector<std::string>& words, const std::string& message) {
    std::vector<std::string> arguments{"run", file, "-o", scratch.path() + "/out"};
    arguments.insert(arguments.end(), words.begin(), words.end());
    const Finished output = run_program(arguments);
    EXPECT_EQ(output.code, 2) << output.err;
    EXPECT_NE(output.err.find(message), std::string::npos) << output.err;
    EXPECT_FALSE(std::filesystem::exists(scratch.path() + "/out/results.h5"));
  };
  refuses(
      {"--set", "simulate.method=newmark"},
      "simulate.method: newmark is a method of the formulation finite-element; the formulation here is articulated");
  refuses({"--set", "simulate.method=cvode", "--formulation", "finite-element"},
          "simulate.method: expected newmark or generalised-alpha for the formulation finite-element, got cvode");
  refuses({"--set", "simulate.model=linear"}, "simulate.model: only for the formulation finite-element");
  refuses({"--set", "simulate.rho_infinity=0.5", "--set", "simulate.formulation=finite-element"},
          "simulate.rho_infinity: only for generalised-alpha");
  refuses({"--set", "simulate.rho_infinity=1.5"}, "simulate.rho_infinity: expected a number from 0 to 1");
  refuses({"--formulation", "finite-elements"}, "no formulation 'finite-elements', did you mean 'finite-element'?");
  refuses({"--formulation", "finite-element", "--set", "arm.links[1].beam.flexibility={modes: {bending_y: 1}}"},
          "links[1].beam.flexibility");
}

TEST(ElementMarch, TheFormulationAskedForDecidesWhichFieldsBelong) {
  const TemporaryFolder scratch;
  const std::string file = scratch.write("case.yaml", driven);
  auto run_with = [&](const std::vector<std::string>& words) {
    std::vector<std::string> arguments{"run", file, "-o", scratch.path() + "/out", "--overwrite"};
    arguments.insert(arguments.end(), words.begin(), words.end());
    return run_program(arguments);
  };
  const Finished linear =
      run_with({"--formulation", "finite-element", "--set", "simulate.model=linear", "--set", "simulate.rtol=1e-4"});
  EXPECT_EQ(linear.code, 0) << linear.err;
  EXPECT_NE(linear.out.find("`model: linear` neglects second-order terms"), std::string::npos) << linear.out;
  // The same the other way round: what only finite elements know does not belong to another formulation.
  const Finished other = run_with(
      {"--set", "simulate.formulation=finite-element", "--set", "simulate.model=linear", "--formulation", "kane"});
  EXPECT_EQ(other.code, 2);
  EXPECT_NE(other.err.find("simulate.model: only for the formulation finite-element"), std::string::npos) << other.err;
  const Finished nothing = run_with({"--set", "simulate=", "--formulation", "kane"});
  EXPECT_EQ(nothing.code, 2);
  EXPECT_NE(nothing.err.find("simulate: missing; expected a duration: simulate: {for: 5 s}"), std::string::npos)
      << nothing.err;
}

TEST(ElementMarch, AStepThatFailsNamesTheJointAndKeepsTheRows) {
  // A stop so stiff on a step so long that the iteration cannot converge.
  const TemporaryFolder scratch;
  const std::string file = scratch.write("case.yaml", served);
  const Finished output = run_program({"run", file, "-o", scratch.path() + "/out", "--set",
                                       "simulate.formulation=finite-element", "--set", "simulate.step=0.05", "--set",
                                       "arm.links[1].joint.limits={lower: -1, upper: 20 deg, stiffness: 1e12}"});
  EXPECT_EQ(output.code, 1) << output.err << output.out;
  for (const char* part :
       {"stopped at t = ", "equilibrium iteration does not converge", "unbalanced force by iteration",
        "most of it on '", "(link '", "', joint '", "Try a smaller step"})
    EXPECT_NE(output.err.find(part), std::string::npos) << output.err;
  const Results results = Results::read(scratch.path() + "/out/results.h5");
  EXPECT_FALSE(results.complete);
  EXPECT_GT(results.time.size(), 5u);
}

TEST(ElementMarch, ABeamDrawnIntoItsGuideEndsTheRunWhateverTheModel) {
  const std::string file = example("26_turn_and_slide/case.yaml");
  for (const char* model : {"nonlinear", "linear", "quasi-static"}) {
    const TemporaryFolder scratch;
    const Finished output =
        run_program({"run", file, "-o", scratch.path(), "--set", std::string("simulate.model=") + model, "--set",
                     "motion.reach={cycloidal: {to: -1.3 m, in: 2.5 s}}"});
    EXPECT_EQ(output.code, 1) << model;
    for (const char* part :
         {"stopped at t = ", "the beam of link 'boom' has been drawn into its guide", "marked incomplete"})
      EXPECT_NE(output.err.find(part), std::string::npos) << model << ": " << output.err;
    const Results results = Results::read(scratch.path() + "/results.h5");
    EXPECT_FALSE(results.complete);
    EXPECT_GT(results.time.size(), 50u) << model;
  }
}

}  // namespace
}  // namespace lithe::testing
