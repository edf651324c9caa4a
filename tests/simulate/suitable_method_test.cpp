// The method of a case that gives none, and the longest stable step.
#include "lithe/simulate/suitable_method.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "lithe/analyse/modes.h"
#include "lithe/describe/case_reader.h"
#include "lithe/simulate/simulation.h"
#include "lithe/simulate/stability_limit.h"
#include "lithe/simulate/system.h"

namespace lithe::testing {
namespace {

std::string boom(const std::string& flexibility, const std::string& tolerances) {
  return fmt::format(R"(
arm:
  gravity: [0, 0, 0]
  links:
    - name: boom
      joint: {{name: root, type: fixed}}
      beam: {{length: 1, material: aluminium, section: {{rectangle: {{width_y: 5 mm, height_z: 50 mm}}}}, flexibility: {}}}
simulate: {{for: 1 s{}}}
)",
                     flexibility, tolerances);
}

std::string chosen(const std::string& flexibility, const std::string& tolerances) {
  const CaseFile file = read_case_text(boom(flexibility, tolerances));
  return Simulation(file.data, Arm::assemble(file.data)).method_chosen().substr(0, 6);
}

TEST(SuitableMethod, DependsOnHowFastExactLinksMoveAndOnTheTolerance) {
  EXPECT_EQ(chosen("{strains: {bending_y: 2}}", ", rtol: 1e-3, atol: 1e-5"), "rk4: l");
  EXPECT_EQ(chosen("{strains: {bending_y: 2}}", ""), "dopri5");
  EXPECT_EQ(chosen("{strains: {bending_y: 2, axial: 1}}", ", rtol: 1e-3, atol: 1e-5"), "cvode:");
  EXPECT_EQ(chosen("{modes: {bending_y: 2}}", ", rtol: 1e-3, atol: 1e-5"), "") << "the usual default needs no words";
  EXPECT_EQ(chosen("{strains: {bending_y: 2}}", ", method: esdirk"), "") << "the case has said it";
}

TEST(StabilityLimit, IsThatOfTheHighestNaturalFrequency) {
  const CaseFile file = read_case_text(boom("{strains: {bending_y: 3, bending_z: 2}}", ""));
  const Arm arm = Arm::assemble(file.data);
  const double highest = natural_modes_of(arm, State::zero(arm), {}).modes.back().frequency_hz * 2 * M_PI;
  Drives drives(file.data, arm);
  drives.enter(0, 1);
  System system(arm, drives, "articulated", false, *file.data.simulate);
  const VectorXd start = system.initial();
  // Power iteration from a general direction: twenty steps bring the highest of these frequencies out to a per mille.
  EXPECT_NEAR(StabilityLimit(system).fastest_rate(0, start.data()), highest, 1e-3 * highest);
}

}  // namespace
}  // namespace lithe::testing
