// Finite elements on bases that move freely or along profiles: beside the articulated recursion, by momentum, through full turns.
#include <gtest/gtest.h>

#include <cmath>

#include "app/run_program.h"
#include "lithe/arm/kinematics.h"
#include "lithe/simulate/simulation.h"
#include "support/random_arm.h"
#include "support/run_results.h"

namespace lithe::testing {
namespace {

/// Two links on a base, one joint driven and one under a servo.
std::string arm_on(const std::string& base, const std::string& more) {
  return "arm:\n  gravity: [0, 0, -9.81]\n  base: " + base + R"(
  links:
    - name: upper
      joint: {name: shoulder, type: revolute, axis: [0, 0, 1], origin: {xyz: [0.3, 0.1, 0], rpy: [0.2, -0.1, 0.3]}}
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
motion: {shoulder: &slew {cycloidal: {to: 50 deg, in: 0.8 s}}}
torque: {elbow: {servo: {kp: 300, kv: 30, follow: *slew}}}
simulate: {for: 1.5 s, output_step: 10 ms, rtol: 1e-7, atol: 1e-10}
)" + more;
}
const std::string planar =
    arm_on("{type: planar, rigid: {mass: 20, com: [0.05, 0.02, 0.1], inertia: {xx: 1, yy: 1.5, zz: 2}}}",
           "initial: {base: {velocity: [0.3, -0.1, 0], angular_velocity: [0, 0, -0.7]}}\n");
// So fast that the base turns by more than half a turn.
const std::string floating =
    arm_on("{type: free, rigid: {mass: 20, com: [0.05, 0.02, 0.1], inertia: {xx: 1, yy: 1.5, zz: 2, xy: 0.1}}}",
           "initial: {base: {velocity: [0.3, -0.1, 0.2], angular_velocity: [0.5, 2.5, -0.7]}}\n");
const std::string carried = arm_on(
    "{type: moving, motion: {z: {cycloidal: {to: 0.3 m, in: 0.7 s}}, x: {trapezoidal_velocity: {to: 0.2 m, in: 0.6 "
    "s}}, yaw: {cycloidal: {to: 40 deg, in: 1.1 s}}}}",
    "initial: {deformation: static}\n");

double largest(const Results& a, const Results* b, const std::string& name) {
  double worst = 0;
  for (size_t k = 0; k < a.time.size(); ++k)
    worst = std::max(worst, std::abs(series(a, name)[k] - (b == nullptr ? 0 : series(*b, name)[k])));
  return worst;
}

TEST(ElementBases, RunsAreTheArticulatedOnes) {
  const std::pair<std::string, std::vector<const char*>> cases[] = {
      {planar, {"base.x", "base.y", "base.yaw"}},
      {floating, {"base.x", "base.y", "base.z", "base.qw", "base.qx", "base.qy", "base.qz"}},
      {carried, {}}};
  for (const auto& [text, of_base] : cases) {
    const Results ours = results_of(text, {{"simulate.formulation", "finite-element"}, {"simulate.rtol", "2e-8"}});
    const Results theirs = results_of(text, {{"simulate.rtol", "1e-9"}, {"simulate.atol", "1e-11"}});
    ASSERT_EQ(ours.time, theirs.time);
    // As for arms on the ground (ElementMarch). A base that drifts adds its own error to the tip's, so that steps are smaller here.
    for (const char* name : {"tip_error.y", "tip_error.z", "tip.x", "elbow"})
      EXPECT_LT(largest(ours, &theirs, name), 1e-4 * largest(theirs, nullptr, name)) << name;
    for (const char* name : of_base)
      EXPECT_LT(largest(ours, &theirs, name), 1e-5 * largest(theirs, nullptr, name)) << name;
    for (const char* name : {"shoulder.torque", "elbow.torque", "energy.kinetic", "energy.elastic", "energy.input"})
      EXPECT_LT(largest(ours, &theirs, name), 2e-4 * largest(theirs, nullptr, name)) << name;
    EXPECT_LT(largest(ours, nullptr, "energy.residual"), 1e-5 * largest(ours, nullptr, "energy.kinetic"));
  }
  const Results turned = results_of(floating, {{"simulate.formulation", "finite-element"}});
  double least = 1;
  for (const double w : series(turned, "base.qw")) least = std::min(least, std::abs(w));
  EXPECT_LT(least, 0.1) << "the base must turn by most of half a turn, or the reference need not follow";
}

TEST(ElementBases, LinearRunsFollowAProfiledBase) {
  const std::vector<Override> elements{{"simulate.formulation", "finite-element"}};
  auto differ = [&](const std::string& model, const std::string& stiffness) {
    std::vector<Override> overrides = elements;
    overrides.push_back({"arm.links[0].beam.material", "{E: " + stiffness + ", nu: 0.33, density: 2700 kg/m^3}"});
    overrides.push_back({"arm.links[1].beam.material", "{E: " + stiffness + ", nu: 0.33, density: 2700 kg/m^3}"});
    overrides.push_back({"torque.elbow.servo.kp", stiffness == "70 GPa" ? "300" : "3000"});
    overrides.push_back({"torque.elbow.servo.kv", stiffness == "70 GPa" ? "30" : "95"});
    const Results nonlinear = results_of(carried, overrides);
    overrides.push_back({"simulate.model", model});
    return largest(results_of(carried, overrides), &nonlinear, "tip_error.z") /
           largest(nonlinear, nullptr, "tip_error.z");
  };
  // What the linear model leaves out is of second order: at ten times the stiffness about a tenth of the share.
  const double soft = differ("linear", "70 GPa"), stiff = differ("linear", "700 GPa");
  EXPECT_LT(soft, 0.1);
  EXPECT_LT(stiff, 0.2 * soft);
}

/// [angular, about the mass centre; linear] momentum at the end of a run at a fixed step.
std::pair<Vector6d, Vector6d> momenta(const std::string& text, const char* step) {
  const Case data =
      read_case_text(
          text, "case",
          {{"simulate.formulation", "finite-element"}, {"arm.gravity", "[0, 0, 0]"}, {"simulate.step", step}})
          .data;
  const Arm arm = Arm::assemble(data);
  Simulation simulation(data, arm);
  auto now = [&] { return momentum(arm, simulation.state(), kinematics_of(arm, simulation.state())); };
  const Vector6d before = now();
  simulation.advance(0.6);
  return {before, now()};
}

TEST(ElementBases, AFloatingArmKeepsItsMomentum) {
  // By arm/kinematics.h, which sums over links and shares nothing with the elements' equations. Newmark's method is of second order, so a
  // quarter remains at half the step. A planar base is held in its plane: it keeps what the plane does not bear.
  for (const auto& [text, kept] :
       {std::pair<std::string, std::vector<int>>{floating, {0, 1, 2, 3, 4, 5}}, {planar, {2, 3, 4}}}) {
    const auto [start, coarse] = momenta(text, "2 ms");
    const auto [again, fine] = momenta(text, "1 ms");
    const double angular = start.head<3>().norm(), linear = start.tail<3>().norm();
    ASSERT_GT(angular, 0.5);
    ASSERT_GT(linear, 1);
    auto error = [&](const Vector6d& end, bool of_turning) {
      double sum = 0;
      for (const int k : kept)
        if ((k < 3) == of_turning) sum += std::pow(end[k] - start[k], 2);
      return std::sqrt(sum);
    };
    for (const bool of_turning : {true, false}) {
      const double scale = of_turning ? angular : linear;
      EXPECT_LT(error(fine, of_turning), 2e-5 * scale);
      EXPECT_LT(error(fine, of_turning), 0.3 * error(coarse, of_turning) + 1e-9 * scale);
    }
  }
}

TEST(ElementBases, NoPoseOfATumblingBaseIsSingular) {
  // A body that nothing acts on, about its middle axis, which it leaves and returns to: ten turns and more, flipping over.
  const std::string text = R"(
arm:
  gravity: [0, 0, 0]
  base: {type: free, rigid: {mass: 2, inertia: {xx: 0.1, yy: 0.2, zz: 0.28}}}
  links: [{name: knob, joint: {name: weld, type: fixed}, rigid: {mass: 0.1}}]
initial: {base: {angular_velocity: [0.02, 12, 0.01], velocity: [0.1, 0, 0]}}
simulate: {for: 8 s, output_step: 20 ms, formulation: finite-element, rtol: 1e-7, atol: 1e-10}
)";
  const Case data = read_case_text(text).data;
  const Arm arm = Arm::assemble(data);
  Simulation simulation(data, arm);
  const Vector6d start = momentum(arm, simulation.state(), kinematics_of(arm, simulation.state()));
  double least = 1;
  while (!simulation.done()) {
    simulation.advance(simulation.t() + 0.1);
    const Vector6d now = momentum(arm, simulation.state(), kinematics_of(arm, simulation.state()));
    // 1e-7 per step, some thousands of steps; the body turns by 96 rad.
    EXPECT_LT((now - start).norm(), 2e-4 * start.norm()) << simulation.t();
    least = std::min(least, simulation.state().v[1]);
  }
  EXPECT_LT(least, -8) << "it must flip over, or the test is too easy";
}

TEST(ElementBases, ResumedRunsEndWithTheSameBits) {
  for (const std::string& text : {planar, floating}) {
    const std::vector<Override> overrides{
        {"simulate.formulation", "finite-element"}, {"simulate.rtol", "1e-5"}, {"simulate.checkpoint", "0.17 s"}};
    const Results whole = results_of(text, overrides);
    const TemporaryFolder scratch;
    std::atomic<bool> stop = false;
    RunOptions options{scratch.path() + "/r.h5", "", false, &stop, [&](double t) { stop = t > 1.1; }, 0};
    EXPECT_THROW(results_of(text, overrides, options), RunError);
    stop = false;
    options.progress = {};
    options.resume = true;
    const Results resumed = results_of(text, overrides, options);
    EXPECT_TRUE(resumed.complete);
    EXPECT_EQ(resumed.series, whole.series);
  }
}

TEST(ElementBases, TheLinearModelsNameWhatHasNoCommand) {
  for (const char* model : {"linear", "quasi-static", "literal"})
    for (const std::string& text : {planar, floating}) {
      const CaseFile file =
          read_case_text(text, "case", {{"simulate.formulation", "finite-element"}, {"simulate.model", model}});
      try {
        Simulation simulation(file.data, Arm::assemble(file.data));
        ADD_FAILURE() << model;
      } catch (const UnsupportedError& error) {
        EXPECT_EQ(error.path(), "arm.base");
        EXPECT_STREQ(error.what(),
                     "finite-element, linear: the base must be fixed or have a given motion; the nonlinear model "
                     "supports planar and free bases");
      }
    }
}

}  // namespace
}  // namespace lithe::testing
