// The implicit midpoint rule where positions and momenta are zero: its stages are solved all the same.
#include <gtest/gtest.h>

#include <cmath>

#include "lithe/simulate/simulation.h"
#include "support/run_results.h"

namespace lithe::testing {
namespace {

std::string turning_strip(const std::string& more,
                          const std::string& flexibility = "{modes: {bending_y: 2, bending_z: 2}}") {
  return R"(
arm:
  gravity: [0, 0, 0]
  rotary_inertia: false
  links:
    - name: strip
      joint: {name: hub, type: revolute, axis: [0, 0, 1]}
      beam: {length: 2 m, material: {E: 70 GPa, nu: 0.3, density: 2700 kg/m^3}, section: {rectangle: {width_y: 10 mm, height_z: 50 mm}}, flexibility: )" +
         flexibility + "}\nmotion: {hub: {lines: [{at: 1 s, to: 2 rad}]}}\n" + more;
}

// A straight beam that turns steadily stays straight, with the energy of a rod, mL²/6 Ω², and without torque.
TEST(Midpoint, SteadyTurnLeavesShapesAtRest) {
  const Results results =
      results_of(turning_strip("simulate: {for: 0.5 s, method: midpoint, step: 1 ms, output_step: 10 ms}\n"));
  ASSERT_TRUE(results.complete);
  const double mass = 2700 * 0.01 * 0.05 * 2, energy = mass * 4 / 6 * 4;
  for (size_t k = 0; k < results.time.size(); ++k) {
    EXPECT_NEAR(series(results, "hub")[k], 2 * results.time[k], 1e-12);
    EXPECT_NEAR(series(results, "energy.kinetic")[k], energy, 1e-9 * energy);
    EXPECT_NEAR(series(results, "hub.torque")[k], 0, 1e-9);
    for (const char* name : {"strip.1", "strip.2", "strip.3", "strip.4"})
      EXPECT_NEAR(series(results, name)[k], 0, 1e-12);
  }
}

// Hinges that all stand at zero, in a frame that turns: differences by tolerances left no stage that converged.
TEST(Midpoint, SteadyTurnLeavesHingesAtRest) {
  const Results results =
      results_of(turning_strip("simulate: {for: 0.5 s, method: midpoint, step: 1 ms, output_step: 10 ms}\n",
                               "{segments: 4, locked: [torsion]}"));
  ASSERT_TRUE(results.complete);
  for (size_t k = 0; k < results.time.size(); ++k) {
    EXPECT_NEAR(series(results, "hub")[k], 2 * results.time[k], 1e-12);
    for (const char* name : {"strip.s1.y", "strip.s1.z", "strip.s4.y", "strip.s4.z"})
      EXPECT_NEAR(series(results, name)[k], 0, 1e-12);
    EXPECT_NEAR(series(results, "energy.residual")[k], 0, 1e-9);
  }
}

// One shape starts to swing while the rest is zero: as by another method.
TEST(Midpoint, OneShapeSwingsAmongOthersAtRest) {
  const std::string start = "initial: {strip.3: {position: 0 m, rate: 0.1 m/s}}\n";
  const Results ours =
      results_of(turning_strip(start + "simulate: {for: 0.2 s, method: midpoint, step: 0.1 ms, output_step: 10 ms}\n"));
  const Results theirs = results_of(
      turning_strip(start + "simulate: {for: 0.2 s, method: dopri5, rtol: 1e-10, atol: 1e-13, output_step: 10 ms}\n"));
  ASSERT_EQ(ours.time, theirs.time);
  double largest = 0;
  for (const double x : series(theirs, "strip.3")) largest = std::max(largest, std::abs(x));
  EXPECT_GT(largest, 1e-4);
  // Second order: (ωΔt)²/12 of the phase, ω some 60 rad/s here.
  for (size_t k = 0; k < ours.time.size(); ++k)
    EXPECT_NEAR(series(ours, "strip.3")[k], series(theirs, "strip.3")[k], 1e-3 * largest);
}

// `check` finds it in a file; a program that chooses the method itself hears it from the simulation.
TEST(Midpoint, RefusesJointsWhoseRatesAreNoDerivatives) {
  CaseFile file = read_case_text(R"(
arm:
  links:
    - {name: bob, joint: {name: ball, type: spherical}, rigid: {mass: 1, com: [1, 0, 0], inertia: {xx: 0.1, yy: 0.1, zz: 0.1}}}
simulate: {for: 1 s}
)");
  file.data.simulate->method = Method::midpoint;
  file.data.simulate->step = 1e-3;
  try {
    const Simulation simulation(file.data, Arm::assemble(file.data));
    ADD_FAILURE();
  } catch (const UnsupportedError& error) {
    EXPECT_EQ(error.path(), "simulate.method");
    EXPECT_STREQ(error.what(),
                 "midpoint cannot integrate 'ball': its rates are not derivatives of coordinates; use another method");
  }
}

}  // namespace
}  // namespace lithe::testing
