// Finite elements whose joints have friction, dampers, stops and controllers: the same runs as by the articulated recursion under
// CVODE, and what the linear models say at the start.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "app/run_program.h"
#include "lithe/simulate/element_march.h"
#include "support/allocation_count.h"
#include "support/run_results.h"

namespace lithe::testing {
namespace {

/// Two bending links in a level plane; the joints have more to them, and something moves them.
std::string planar(const std::string& shoulder, const std::string& elbow, const std::string& torque,
                   const std::string& more = "") {
  return fmt::format(R"(
arm:
  gravity: [0, 0, 0]
  links:
    - name: upper
      joint: {{name: shoulder, type: revolute, axis: [0, 0, 1]{}}}
      beam: &link
        length: 1 m
        material: {{E: 70 GPa, nu: 0.3, density: 2700 kg/m^3}}
        section: {{area: 350 mm^2, Iy: 10000 mm^4, Iz: 10000 mm^4, shear: 0.8864}}
        damping: {{rayleigh: {{alpha: 0, beta: 1e-4 s}}}}
        flexibility: {{elements: 2, element: linear, plane: y}}
    - name: fore
      joint: {{name: elbow, type: revolute, axis: [0, 0, 1]{}}}
      beam: *link
torque: {}
{}
simulate: {{for: 0.6 s, output_step: 5 ms, rtol: 1e-7, atol: 1e-10}}
)",
                     shoulder, elbow, torque, more);
}

const std::string slew = "&slew {cycloidal: {to: 20 deg, in: 0.4 s}}";
const std::string servos =
    "{shoulder: {servo: {kp: 360, kv: 60, follow: " + slew + "}}, elbow: {servo: {kp: 45, kv: 7.5, follow: *slew}}}";

const std::string rotor = ", motor: {inertia: 0.1 kg.m^2}";

double largest(const Results& a, const Results* b, const std::string& name) {
  double worst = 0;
  for (size_t k = 0; k < a.time.size(); ++k)
    worst = std::max(worst, std::abs(series(a, name)[k] - (b == nullptr ? 0 : series(*b, name)[k])));
  return worst;
}

/// The largest difference of tip errors of an element run from the articulated one under CVODE, by the peak of the latter.
double against_articulated(const std::string& text, double most_evaluations = 6) {
  const Results ours = results_of(text, {{"simulate.formulation", "finite-element"}}), theirs = results_of(text);
  EXPECT_EQ(ours.time, theirs.time);
  // A step that converges well takes three iterations or four.
  EXPECT_LT(ours.statistics.at("evaluations"), most_evaluations * ours.statistics.at("steps"));
  EXPECT_LT(largest(ours, nullptr, "energy.residual"), 1e-4 * largest(ours, nullptr, "energy.kinetic"));
  double worst = 0, peak = 0;
  for (const char* name : {"tip_error.x", "tip_error.y"}) {
    worst = std::max(worst, largest(ours, &theirs, name));
    peak = std::max(peak, largest(theirs, nullptr, name));
  }
  EXPECT_GT(peak, 1e-3);
  return worst / peak;
}

TEST(ElementLaws, DampersAndFrictionOnServosAreTheArticulatedOnes) {
  EXPECT_LT(against_articulated(planar(", damping: 500", ", damping: 40", servos)), 1e-4);
  EXPECT_LT(
      against_articulated(planar(", friction: 5", ", friction: {forward: 2, backward: 1, smoothing: 0.01}", servos)),
      1e-4);
}

TEST(ElementLaws, SpringsAndStopsOnServosAreTheArticulatedOnes) {
  EXPECT_LT(against_articulated(planar(", spring: {stiffness: 1000, rest: 2 deg}",
                                       ", limits: {lower: -1, upper: 12 deg, stiffness: 1e5, damping: 100}", servos)),
            1e-4);
}

TEST(ElementLaws, SaturatedAndSampledServosAreTheArticulatedOnes) {
  const std::string sampled = "{shoulder: {servo: {kp: 360, kv: 60, sample_time: 5 ms, follow: " + slew +
                              "}}, elbow: {servo: {kp: 45, kv: 7.5, follow: *slew}}}";
  EXPECT_LT(against_articulated(planar(", motor: {inertia: 0.25 kg.m^2}", ", motor: {inertia: 0.05 kg.m^2}", sampled)),
            1e-4);
  const std::string saturated = "{shoulder: {servo: {kp: 3600, kv: 60, saturation: 6, follow: " + slew +
                                "}}, elbow: {servo: {kp: 450, kv: 7.5, saturation: 1.5, follow: *slew}}}";
  EXPECT_LT(against_articulated(planar("", "", saturated)), 1e-4);
}

TEST(ElementLaws, ComputedTorqueIsTheArticulatedOne) {
  auto computed = [](const std::string& more) {
    return "{shoulder: {computed_torque: {kp: 100, kd: 20" + more + ", follow: " + slew +
           "}}, elbow: {computed_torque: {kp: 100, kd: 20" + more + ", follow: *slew}}}";
  };
  // Friction and a load that the law does not know; the load changes what the joints do.
  const std::string more = "initial: {shoulder: 0.1 rad}\nloads: [{link: fore, force: [0, 5, 0]}]";
  EXPECT_LT(against_articulated(planar(", friction: 2", "", computed(""), more)), 1e-4);
  EXPECT_LT(against_articulated(planar(rotor, rotor, computed(", saturation: 8"), more)), 1e-4);
}

// The law of one joint counts on what another cannot give.
TEST(ElementLaws, ComputedTorqueBesideASaturatedJointIsTheArticulatedOne) {
  auto computed = [](const std::string& shoulder, const std::string& elbow) {
    return "{shoulder: {computed_torque: {kp: 100, kd: 20" + shoulder + ", follow: " + slew +
           "}}, elbow: {computed_torque: {kp: 100, kd: 20" + elbow + ", follow: *slew}}}";
  };
  const std::string more = "initial: {shoulder: 0.1 rad}\nloads: [{link: fore, force: [0, 5, 0]}]";
  // By the saturated joint's torque, as stiff as the links, the first erred by 4e-3: iterations that went nowhere were taken for
  // rounding. They still take eight to ten a step where no rotor steadies the joints.
  EXPECT_LT(against_articulated(planar("", "", computed(", saturation: 8", ""), more), 12), 2e-4);
  EXPECT_LT(against_articulated(planar("", "", computed("", ", saturation: 2"), more), 12), 2e-4);
}

TEST(ElementLaws, EvaluationsUnderComputedTorqueAllocateNothing) {
  const Case data = read_case_text(planar("", "", "{elbow: {computed_torque: {kp: 100, kd: 20, target: 1}}}")).data;
  const Arm arm = Arm::assemble(data);
  Drives drives(data, arm);
  FloatingModel model(data, arm, drives);
  const VectorXd z = VectorXd::Constant(model.size(), 1e-3);
  VectorXd force(model.size());
  model.weighted_sum(0, z, z, 1, 1, 1);
  model.unbalanced(0, z, z, z, force);
  const long before = allocations();
  model.weighted_sum(0, z, z, 1, 1, 1);
  model.unbalanced(0, z, z, z, force);
  EXPECT_EQ(allocations(), before);
}

TEST(ElementLaws, CorrectionsUnderComputedTorqueAreThoseOfTheTrueSlopes) {
  // K*⁻¹ F̂ takes the exact F_u to zero where that is linear: in the accelerations.
  const Case data = read_case_text(planar("", "", "{elbow: {computed_torque: {kp: 100, kd: 20, target: 1}}}")).data;
  const Arm arm = Arm::assemble(data);
  Drives drives(data, arm);
  FloatingModel model(data, arm, drives);
  VectorXd z(model.size()), v(model.size()), a = VectorXd::Zero(model.size()), force(model.size());
  for (int k = 0; k < model.size(); ++k) {
    z[k] = 1e-3 * std::sin(1 + k);
    v[k] = 0.1 * std::cos(2 + k);
  }
  const MatrixXd M = MatrixXd(model.weighted_sum(0, z, v, 1, 0, 0)).selfadjointView<Eigen::Lower>();
  model.unbalanced(0, z, v, a, force);
  a += M.llt().solve(force);
  model.unbalanced(0, z, v, a, force);
  EXPECT_LT(model.forces().lpNorm<Eigen::Infinity>(), 1e-6 * M.cwiseAbs().maxCoeff() * a.lpNorm<Eigen::Infinity>());
  const int elbow = arm.link(1).v0;
  EXPECT_NEAR(a[elbow], 100 * (1 - z[elbow]) - 20 * v[elbow], 1e-3);
}

/// Tubes under gravity from a static start, their servos unwound: the joints are let go under load.
const std::string let_go = R"(
arm:
  gravity: [0, -9.81, 0]
  links:
    - name: upper
      joint: {name: shoulder, type: revolute, axis: [0, 0, 1]}
      beam: &link
        length: 1 m
        material: aluminium
        section: {tube: {outer_diameter: 40 mm, inner_diameter: 36 mm}}
        flexibility: {elements: 2, element: linear, plane: y}
    - name: fore
      joint: {name: elbow, type: revolute, axis: [0, 0, 1]}
      beam: *link
initial: {deformation: static}
torque: {shoulder: {servo: {kp: 3000, kv: 60, target: 0}}, elbow: {servo: {kp: 3000, kv: 60, target: 0}}}
simulate: {for: 20 ms, output_step: 1 ms, formulation: finite-element, rtol: 1e-6}
)";

TEST(ElementLaws, JointsLetGoUnderLoadDoNotStrainTheLinearModel) {
  const Results nonlinear = results_of(let_go), linear = results_of(let_go, {{"simulate.model", "linear"}});
  // At first both have the deformation of the static start. It bends the links as before but at the joints, which give nothing.
  for (const char* name : {"upper@0.N", "upper@0.Vy", "upper@0.Mz", "upper@0.5.Mz", "fore@0.Vy", "fore@0.5.Mz",
                           "upper.stress", "fore.stress"}) {
    const double expected = series(nonlinear, name)[0];
    EXPECT_NEAR(series(linear, name)[0], expected, 1e-6 * (1 + std::abs(expected))) << name;
  }
  const double weight = 9.81 * 2700 * std::numbers::pi / 4 * (0.04 * 0.04 - 0.036 * 0.036);  // of each link, per metre
  EXPECT_NEAR(series(linear, "upper@0.5.Vy")[0], -1.5 * weight, 0.02 * weight);
  // From there on they differ at second order.
  EXPECT_LT(largest(linear, &nonlinear, "upper.stress"), 0.05 * largest(nonlinear, nullptr, "upper.stress"));
}

TEST(ElementLaws, QuasiStaticServosCarryWhatTheirJointsDo) {
  const std::string text = planar(", spring: {stiffness: 100, rest: -0.2}, damping: 3", "", servos, "");
  const Results run = results_of(
      text,
      {{"simulate.formulation", "finite-element"}, {"simulate.model", "quasi-static"}, {"simulate.rtol", "1e-6"}});
  // At the start kp z + k (z + 0.2) = 0.
  EXPECT_NEAR(series(run, "shoulder")[0], -100 * 0.2 / 460, 1e-9);
}

}  // namespace
}  // namespace lithe::testing
