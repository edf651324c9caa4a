// Where exact links end: strains against closed forms, turns against the places of Gauss's points, and that runs tell.
#include "lithe/dynamics/exact_limits.h"

#include <gtest/gtest.h>

#include <cmath>

#include "lithe/describe/case_reader.h"
#include "support/run_results.h"

namespace lithe::testing {
namespace {

constexpr double length = 2, width = 0.02, height = 0.03;

std::string rod(const std::string& strains, const std::string& rest = "",
                const std::string& section = "{rectangle: {width_y: 20 mm, height_z: 30 mm}}") {
  return "arm:\n  gravity: [0, 0, 0]\n  links:\n    - name: rod\n      joint: {name: hub, type: fixed}\n"
         "      beam: {length: 2 m, material: {E: 7e10, nu: 0.3, density: 2700}, section: " +
         section + ", flexibility: {strains: " + strains + "}}\n" + rest;
}
Arm arm_of(const std::string& text) { return Arm::assemble(read_case_text(text, "case").data); }

TEST(ExactLimits, StrainIsThatOfTheOutermostFibre) {
  const Arm arm = arm_of(rod("{bending_y: 1, bending_z: 1, axial: 1}"));
  const ExactLimits limits(arm);
  ASSERT_EQ(limits.size(), 1);
  State state = State::zero(arm);
  state.q << 1.1, 0.7, 0.004;
  EXPECT_NEAR(limits.strain(0, state), 0.004 + (1.1 * width + 0.7 * height) / 2 / length, 1e-12);
  EXPECT_EQ(limits.exceeded(state).size(), 0u);
  state.q << 12, 0, 0;
  ASSERT_GE(limits.exceeded(state).size(), 1u);
  EXPECT_EQ(limits.exceeded(state)[0],
            "'rod': its material was strained by 6 %, beyond the 5 % up to which constant stiffnesses describe it; a "
            "thinner section bears the same bend with less strain, or treat the result with doubt");
}

TEST(ExactLimits, WithoutAnOutlineTheAxisCounts) {
  const Arm arm = arm_of(rod("{bending_y: 1, axial: 1}", "", "{area: 1 cm^2, Iy: 1 cm^4, Iz: 1 cm^4}"));
  State state = State::zero(arm);
  state.q << 3, -0.07;
  EXPECT_NEAR(ExactLimits(arm).strain(0, state), 0.07, 1e-15);
}

TEST(ExactLimits, TurnsAreThoseBetweenNeighbouringPoints) {
  const Arm arm = arm_of(rod("{bending_y: 2, bending_z: 2, torsion: 1}"));
  const ExactLimits limits(arm);
  State state = State::zero(arm);
  state.q << 3, 0, 4, 0, 0;
  // Four of Gauss's points; the widest interval is that between the middle ones, ±√(3/7 − 2/7 √(6/5)).
  const double turn = 5 * std::sqrt(3.0 / 7 - 2.0 / 7 * std::sqrt(6.0 / 5));
  EXPECT_NEAR(limits.turn(0, state), turn, 1e-12);
  ASSERT_EQ(limits.exceeded(state).size(), 1u);
  EXPECT_EQ(limits.exceeded(state)[0],
            "'rod': it turned by 1.7 rad between two of its points, beyond the 1 rad that they resolve; write "
            "`flexibility: {strains: {bending_y: 2, bending_z: 2, torsion: 1, pieces: 3}}`");
  // A curvature that changes its sign turns most towards the ends.
  state.q << 0, 3, 0, 0, 0;
  const double inner = std::sqrt(3.0 / 7 - 2.0 / 7 * std::sqrt(6.0 / 5)),
               outer = std::sqrt(3.0 / 7 + 2.0 / 7 * std::sqrt(6.0 / 5));
  EXPECT_NEAR(limits.turn(0, state), 3.0 / 4 * (outer * outer - inner * inner), 1e-12);
}

TEST(ExactLimits, RunsTellWhatTheySaw) {
  const CaseFile file = read_case_text(
      rod("{bending_z: 2, axial: 1}",
          "initial: {rod.1: {position: 8 rad}}\nsimulate: {for: 1 ms, output_step: 1 ms, method: dopri5}\n"),
      "case");
  const TemporaryFolder scratch;
  const RunSummary summary = run(file, Arm::assemble(file.data), {scratch.path() + "/r.h5"});
  ASSERT_EQ(summary.warnings.size(), 2u);
  EXPECT_NE(summary.warnings[0].find("'rod': its material was strained by 6 % at t = "), std::string::npos)
      << summary.warnings[0];
  EXPECT_NE(summary.warnings[1].find("'rod': it turned by 2.7 rad between two of its points at t = "),
            std::string::npos)
      << summary.warnings[1];
  // Curvatures are in radians, the others are numbers.
  const Results rows = Results::read(scratch.path() + "/r.h5");
  const auto unit = [&](const std::string& name) {
    for (const Column& column : rows.header.columns)
      if (column.name == name) return column.unit;
    return std::string("none");
  };
  EXPECT_EQ(unit("rod.2.rate"), "rad/s");
  EXPECT_EQ(unit("rod.3"), "");
  EXPECT_EQ(unit("rod.3.rate"), "1/s");
  EXPECT_EQ(unit("rod.3.acceleration"), "1/s^2");
}

}  // namespace
}  // namespace lithe::testing
