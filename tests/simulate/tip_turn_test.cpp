// The rotation error of the tip: against beams in closed form, and against an arm with rigid links at the same joint positions.
#include <gtest/gtest.h>

#include <cmath>

#include "support/run_results.h"

namespace lithe::testing {
namespace {

TEST(TipTurn, IsTheSlopeOfASaggingCantilever) {
  // Under its own weight along −z a beam's tip turns by ρAg L³/(6 EI) about +y; a force adds F L²/(2 EI).
  const std::string text = R"(
arm:
  gravity: [0, 0, -9.81]
  links:
    - name: bar
      joint: {name: root, type: fixed}
      beam: {length: 1, material: {E: 70 GPa, nu: 0.3, density: 2700}, section: {rectangle: {width_y: 30 mm, height_z: 10 mm}}, flexibility: {modes: {bending_z: 4}}}
loads: [{link: bar, force: [0, 0, -2]}]
initial: {deformation: static, loads: [{link: bar, force: [0, 0, -2]}]}
simulate: {for: 1 ms}
)";
  const Results results = results_of(text);
  const double EI = 70e9 * 0.03 * 1e-6 / 12, slope = 2700 * 0.03 * 0.01 * 9.81 / (6 * EI) + 2 / (2 * EI);
  EXPECT_NEAR(series(results, "tip_turn.y")[0], slope, 1e-6 * slope);
  EXPECT_NEAR(series(results, "|tip_turn|")[0], slope, 1e-6 * slope);
  EXPECT_EQ(series(results, "tip_turn.x")[0], 0);
}

/// A roll, a lift and an elbow, the last link heavy at its tip and off its axis, so that everything bends and twists.
std::string arm_text(const std::string& flexibility) {
  return R"(
arm:
  gravity: [0, 0, -9.81]
  links:
    - {name: upper, joint: {name: lift, type: revolute, axis: [0, -1, 0]}, beam: {length: 1, material: {E: 70 GPa, nu: 0.3, density: 2700}, section: {circle: {diameter: 20 mm}}, flexibility: )" +
         flexibility + R"(}}
    - {name: fore, joint: {name: elbow, type: revolute, axis: [0, 0, 1]}, beam: {length: 0.8, material: {E: 70 GPa, nu: 0.3, density: 2700}, section: {circle: {diameter: 16 mm}}, flexibility: )" +
         flexibility + R"(}, payload: {mass: 0.3}}
initial: {lift: 20 deg, elbow: 70 deg, deformation: static}
motion: {lift: {cycloidal: {to: 60 deg, in: 0.5 s}}, elbow: {cycloidal: {to: -20 deg, in: 0.5 s}}}
simulate: {for: 0.5 s, output_step: 50 ms, rtol: 1e-6, atol: 1e-8}
)";
}

std::vector<Quaterniond> turns(const Results& results) {
  std::vector<Quaterniond> list;
  for (size_t k = 0; k < results.time.size(); ++k)
    list.emplace_back(series(results, "tip.qw")[k], series(results, "tip.qx")[k], series(results, "tip.qy")[k],
                      series(results, "tip.qz")[k]);
  return list;
}

TEST(TipTurn, TurnsTheRigidArmsTipIntoTheTipByEveryFormulation) {
  const std::vector<Quaterniond> rigid = turns(results_of(arm_text("rigid")));
  const char* const bending = "{modes: {bending_y: 2, bending_z: 2, torsion: 1}}";
  struct Kind {
    const char *flexibility, *formulation, *model;
  };
  for (const Kind& kind :
       {Kind{bending, "articulated", ""}, Kind{bending, "kane", ""}, Kind{"{segments: 3}", "articulated", ""},
        Kind{"{elements: 3, element: linear}", "finite-element", "nonlinear"},
        Kind{"{elements: 3, element: linear}", "finite-element", "linear"},
        Kind{"{elements: 3, element: linear}", "finite-element", "quasi-static"}}) {
    std::vector<Override> overrides{{"simulate.formulation", kind.formulation}};
    if (*kind.model != '\0') overrides.push_back({"simulate.model", kind.model});
    const Results results = results_of(arm_text(kind.flexibility), overrides);
    const std::vector<Quaterniond> bent = turns(results);
    double largest = 0;
    for (size_t k = 0; k < results.time.size(); ++k) {
      const Vector3d turn(series(results, "tip_turn.x")[k], series(results, "tip_turn.y")[k],
                          series(results, "tip_turn.z")[k]);
      const Quaterniond turned = Quaterniond(Eigen::AngleAxisd(turn.norm(), turn.normalized())) * rigid[k];
      EXPECT_LT(turned.angularDistance(bent[k]), 1e-7)
          << kind.formulation << kind.model << k;  // a quaternion's rounding
      EXPECT_NEAR(series(results, "|tip_turn|")[k], turn.norm(), 1e-15);
      largest = std::max(largest, turn.norm());
    }
    EXPECT_GT(largest, 0.02) << "there must be something to see";
  }
}

TEST(TipTurn, CountsTheErrorOfAJointUnderControl) {
  const std::string text = R"(
arm:
  gravity: [0, 0, 0]
  links: [{name: link, joint: {name: motor, type: revolute, axis: [0, 0, 1]}, rigid: {mass: 2, shape: {rod: {length: 1}}}}]
torque: {motor: {pd: {kp: 50, kd: 5, target: 0.3}}}
simulate: {for: 0.3 s, output_step: 0.1 s}
)";
  const Results results = results_of(text);
  for (size_t k = 0; k < results.time.size(); ++k)
    EXPECT_NEAR(series(results, "tip_turn.z")[k], series(results, "motor")[k] - 0.3, 1e-12);
}

}  // namespace
}  // namespace lithe::testing
