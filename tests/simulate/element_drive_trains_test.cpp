// Rotors, gears and elastic transmissions in the finite-element models: beside the articulated recursion, the linear model at second
// order, and oscillations by hand.
#include <gtest/gtest.h>

#include <cmath>

#include "lithe/simulate/simulation.h"
#include "support/run_results.h"

namespace lithe::testing {
namespace {

/// An arm that swings under gravity, with drive trains of its two joints.
std::string arm_with(const std::string& shoulder, const std::string& elbow, const std::string& torque) {
  return R"(
arm:
  gravity: [0, 0, -9.81]
  links:
    - name: upper
      joint: {name: shoulder, type: revolute, axis: [0, 0, 1], motor: )" +
         shoulder + R"(}
      beam: &link
        length: 0.8 m
        material: aluminium
        section: {tube: {outer_diameter: 20 mm, inner_diameter: 16 mm}}
        damping: {rayleigh: {alpha: 0, beta: 1e-4 s}}
        flexibility: {elements: 2, element: linear}
    - name: fore
      joint: {name: elbow, type: revolute, axis: [0, -1, 0], damping: 0.05, motor: )" +
         elbow + R"(}
      beam: *link
      payload: {mass: 0.4 kg}
initial: {deformation: static}
motion: {shoulder: &slew {cycloidal: {to: 50 deg, in: 0.8 s}}}
torque: {elbow: )" +
         torque + R"(}
simulate: {for: 1 s, output_step: 10 ms, rtol: 1e-7, atol: 1e-10}
)";
}
const std::string geared = "{inertia: 2e-4, gear_ratio: 60, damping: 1e-4}",
                  elastic = "{inertia: 2e-4, gear_ratio: 60, stiffness: 4000, damping: 3, bearing: 1e-4}",
                  softer = "{inertia: 1e-4, gear_ratio: 50, stiffness: 900, damping: 1}",
                  hardening = "{inertia: 1e-4, gear_ratio: 50, stiffness: 600, damping: 1, hardening: 30000}";
const std::string servo = "{servo: {kp: 600, kv: 30, follow: *slew}}",
                  computed = "{computed_torque: {kp: 400, kd: 40, follow: *slew}}";

double largest(const Results& a, const Results* b, const std::string& name) {
  double worst = 0;
  for (size_t k = 0; k < a.time.size(); ++k)
    worst = std::max(worst, std::abs(series(a, name)[k] - (b == nullptr ? 0 : series(*b, name)[k])));
  return worst;
}

TEST(ElementDriveTrains, RunsAreTheArticulatedOnes) {
  struct Trial {
    std::string text;
    bool elbow_rotor;
  };
  for (const auto& [text, elbow_rotor] :
       {Trial{arm_with(geared, geared, servo), false}, Trial{arm_with(elastic, softer, servo), true},
        Trial{arm_with(elastic, hardening, servo), true}, Trial{arm_with(geared, hardening, computed), true}}) {
    const Results ours = results_of(text, {{"simulate.formulation", "finite-element"}});
    const Results theirs = results_of(text, {{"simulate.rtol", "1e-9"}, {"simulate.atol", "1e-11"}});
    ASSERT_EQ(ours.time, theirs.time);
    for (const char* name : {"tip_error.y", "tip_error.z", "elbow", "shoulder"})
      EXPECT_LT(largest(ours, &theirs, name), 1e-4 * largest(theirs, nullptr, name)) << name << text;
    const std::string rotor = elbow_rotor ? "elbow.motor" : "elbow";
    EXPECT_LT(largest(ours, &theirs, rotor), 1e-5 * largest(theirs, nullptr, rotor));
    for (const char* name : {"shoulder.torque", "elbow.torque", "energy.kinetic", "energy.elastic", "energy.input"})
      EXPECT_LT(largest(ours, &theirs, name), 2e-4 * largest(theirs, nullptr, name)) << name << text;
    EXPECT_LT(largest(ours, nullptr, "energy.residual"), 1e-5 * largest(ours, nullptr, "energy.input"));
  }
}

const std::string gapped = "{inertia: 1e-4, gear_ratio: 50, stiffness: 900, damping: 1, backlash: 1 deg}",
                  gapped_shoulder =
                      "{inertia: 2e-4, gear_ratio: 60, stiffness: 4000, damping: 3, bearing: 1e-4, backlash: 0.5 deg}";

TEST(ElementDriveTrains, BacklashIsTheArticulatedOne) {
  // Both gears change their flanks as the arm speeds up and brakes.
  const std::string text = arm_with(gapped_shoulder, gapped, servo);
  const Results ours = results_of(text, {{"simulate.formulation", "finite-element"}});
  const Results theirs = results_of(text, {{"simulate.rtol", "1e-9"}, {"simulate.atol", "1e-11"}});
  ASSERT_EQ(ours.time, theirs.time);
  int inside = 0, outside = 0;
  for (const char* joint : {"shoulder", "elbow"})
    for (size_t k = 0; k < theirs.time.size(); ++k) {
      const double half = (joint[0] == 's' ? 0.25 : 0.5) * M_PI / 180,
                   twist = series(theirs, std::string(joint) + ".motor")[k] - series(theirs, joint)[k];
      (std::abs(twist) < half ? inside : outside) += 1;
    }
  EXPECT_GT(inside, 10);
  EXPECT_GT(outside, 100);
  // Newmark's steps do not end at flanks: where one falls within a step, the local error says so.
  for (const char* name : {"tip_error.y", "tip_error.z", "elbow", "shoulder", "elbow.motor"})
    EXPECT_LT(largest(ours, &theirs, name), 2e-4 * largest(theirs, nullptr, name)) << name;
  for (const char* name : {"energy.kinetic", "energy.elastic", "energy.dissipated"})
    EXPECT_LT(largest(ours, &theirs, name), 5e-4 * largest(theirs, nullptr, name)) << name;
  EXPECT_LT(largest(ours, nullptr, "energy.residual"), 1e-5 * largest(ours, nullptr, "energy.input"));
}

TEST(ElementDriveTrains, ReflectedInertiaIsNoSmallThing) {
  // The same without rotors: the torque of the driven joint is most of it the rotor's, or the runs above would not show an error.
  const std::vector<Override> elements{{"simulate.formulation", "finite-element"}};
  const Results with = results_of(arm_with(geared, geared, servo), elements);
  const Results without = results_of(arm_with("{inertia: 0, gear_ratio: 1}", geared, servo), elements);
  EXPECT_GT(largest(with, &without, "shoulder.torque"), 0.2 * largest(with, nullptr, "shoulder.torque"));
}

TEST(ElementDriveTrains, LinearRunsDifferAtSecondOrder) {
  // At ten times the stiffness everywhere, and with it a tenth of the deformation, the share that the linear model leaves out is about a
  // tenth.
  auto differ = [](const char* E, const std::string& shoulder, const std::string& elbow, const std::string& law,
                   const char* model, const char* name) {
    std::string text = arm_with(shoulder, elbow, law);
    const std::vector<Override> material{{"arm.links[0].beam.material", E}, {"arm.links[1].beam.material", E}};
    std::vector<Override> overrides = material;
    overrides.push_back({"simulate.formulation", "finite-element"});
    const Results nonlinear = results_of(text, overrides);
    overrides.push_back({"simulate.model", model});
    return largest(results_of(text, overrides), &nonlinear, name) / largest(nonlinear, nullptr, name);
  };
  const std::string stiff_elastic = "{inertia: 2e-4, gear_ratio: 60, stiffness: 40000, damping: 10, bearing: 1e-4}",
                    stiff_softer = "{inertia: 1e-4, gear_ratio: 50, stiffness: 9000, damping: 3}",
                    stiff_servo = "{servo: {kp: 6000, kv: 95, follow: *slew}}";
  const char *soft = "{E: 70 GPa, nu: 0.33, density: 2700 kg/m^3}",
             *stiff = "{E: 700 GPa, nu: 0.33, density: 2700 kg/m^3}";
  for (const char* name : {"tip_error.y", "tip_error.z", "elbow.torque"}) {
    const double share = differ(soft, elastic, softer, servo, "linear", name),
                 less = differ(stiff, stiff_elastic, stiff_softer, stiff_servo, "linear", name);
    EXPECT_LT(share, 0.05) << name;
    EXPECT_LT(less, 0.2 * share) << name;
  }
}

TEST(ElementDriveTrains, ALinkSwingsOnItsTransmission) {
  // A rigid link on a held rotor, and on a free one, with no gravity: J₁ and J₂ on a spring k swing at √(k/J₁) and √(k/J₁ + k/J₂).
  const double J1 = 0.5, J2 = 0.02 * 9, k = 200;
  auto text = [](const std::string& held) {
    return R"(
arm:
  gravity: [0, 0, 0]
  links:
    - {name: arm, joint: {name: axle, type: revolute, axis: [0, 0, 1], motor: {inertia: 0.02, gear_ratio: 3, stiffness: 200}}, rigid: {mass: 1, inertia: {xx: 0.5, yy: 0.5, zz: 0.5}}}
initial: {axle: 0.1 rad, axle.motor: 0 rad}
simulate: {for: 1 s, output_step: 10 ms, formulation: finite-element, rtol: 1e-9, atol: 1e-13}
)" + held;
  };
  const std::string driven = "motion: {axle: {cycloidal: {to: 0 rad, in: 1 s}}}\n";
  // 1 s is three swings or six; at rtol 1e-9 their phase is right to 2e-5.
  for (const char* model : {"nonlinear", "linear"}) {
    const Results held = results_of(text(driven), {{"simulate.model", model}});
    double error = 0;
    for (size_t row = 0; row < held.time.size(); ++row)
      error = std::max(error, std::abs(series(held, "axle")[row] - 0.1 * std::cos(std::sqrt(k / J1) * held.time[row])));
    EXPECT_LT(error, 2e-6) << model;
  }
  const Results loose = results_of(text(""));
  const double w = std::sqrt(k / J1 + k / J2), middle = 0.1 * J1 / (J1 + J2);
  double of_arm = 0, of_rotor = 0;
  for (size_t row = 0; row < loose.time.size(); ++row) {
    const double apart = 0.1 * std::cos(w * loose.time[row]);
    of_arm = std::max(of_arm, std::abs(series(loose, "axle")[row] - middle - J2 / (J1 + J2) * apart));
    of_rotor = std::max(of_rotor, std::abs(series(loose, "axle.motor")[row] - middle + J1 / (J1 + J2) * apart));
  }
  EXPECT_LT(of_arm, 2e-6);
  EXPECT_LT(of_rotor, 2e-6);
}

TEST(ElementDriveTrains, WhatTheLinearModelsLeaveOutIsNamed) {
  auto refusal = [](const std::string& text, const char* model) {
    const CaseFile file =
        read_case_text(text, "case", {{"simulate.formulation", "finite-element"}, {"simulate.model", model}});
    try {
      Simulation simulation(file.data, Arm::assemble(file.data));
    } catch (const UnsupportedError& error) {
      return error.path() + ": " + error.what();
    }
    return std::string();
  };
  EXPECT_EQ(refusal(arm_with(elastic, hardening, servo), "linear"),
            "arm.links[1].joint.motor.hardening: finite-element, linear: the transmission of joint 'elbow' must have a "
            "linear spring; the nonlinear model supports others");
  EXPECT_EQ(refusal(arm_with(elastic, softer, servo), "quasi-static"), "");
  for (const char* model : {"linear", "quasi-static"})
    EXPECT_EQ(refusal(arm_with(elastic, gapped, servo), model),
              "arm.links[1].joint.motor.backlash: finite-element, linear: the transmission of joint 'elbow' must have "
              "no gap; the nonlinear model supports backlash");
  EXPECT_EQ(refusal(arm_with(elastic, softer, servo), "literal"),
            "simulate.model: finite-element, literal: the thesis has no elastic transmissions; use another model");
}

}  // namespace
}  // namespace lithe::testing
