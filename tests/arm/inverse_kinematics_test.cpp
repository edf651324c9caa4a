#include "lithe/arm/inverse_kinematics.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "lithe/describe/case_reader.h"
#include "support/draw.h"
#include "support/random_arm.h"

namespace lithe::testing {
namespace {

RC_GTEST_PROP(Reach, FindsPosesTheArmCanTake, ()) {
  const auto seed = any_seed();
  const Arm arm = Arm::assemble(random_case(6, seed, {.tree = false, .fixed_joints = false}));
  const int tip = arm.n_links() - 1;
  const Pose goal = kinematics_of(arm, random_state(arm, seed)).X_WT[tip];
  ReachOptions options;
  options.n_starts = 100;
  const ReachResult result = reach(arm, tip, {goal.p, goal.R}, State::zero(arm), options);
  RC_ASSERT(result.reached);
  State state = State::zero(arm);
  state.q = result.q;
  const Pose got = kinematics_of(arm, state).X_WT[tip];
  RC_ASSERT((got.p - goal.p).norm() <= options.position_tolerance);
  RC_ASSERT(log_rotation(got.R.transpose() * goal.R).norm() <= 2 * options.rotation_tolerance);
}

Arm elbow(const char* limits = "") {
  return Arm::assemble(read_case_text(std::string(R"(
arm:
  links:
    - {name: upper, joint: {name: shoulder, type: revolute, axis: [0, 0, 1]}, rigid: {length: 1, mass: 1}}
    - {name: fore, joint: {name: elbow, type: revolute, axis: [0, 0, 1])") +
                                      limits + R"(}, rigid: {length: 0.5, mass: 1}}
)")
                           .data);
}

TEST(Reach, KeepsLimits) {
  // Both elbow-up and elbow-down reach this point; the limit leaves one.
  const Arm arm = elbow(", limits: {lower: 0, upper: 2}");
  const PoseTarget target{{0.3, 1.1, 0}, {}};
  State start = State::zero(arm);
  start.q << 2, -1;
  const ReachResult result = reach(arm, 1, target, start);
  EXPECT_TRUE(result.reached);
  EXPECT_GE(result.q[1], 0);
  EXPECT_LE(result.q[1], 2);
}

TEST(Reach, ComesBackUnwound) {
  // Started several turns away, the same pose without them.
  const Arm arm = elbow();
  State start = State::zero(arm);
  start.q << 14.5, -21;
  const ReachResult result = reach(arm, 1, {{0.3, 1.1, 0}, {}}, start);
  ASSERT_TRUE(result.reached);
  for (const double angle : result.q) EXPECT_LE(std::abs(angle), M_PI);
  State there = start;
  there.q = result.q;
  EXPECT_LT((kinematics_of(arm, there).X_WT[1].p - Vector3d(0.3, 1.1, 0)).norm(), 1e-8);
  // Limits that leave only angles beyond half a turn: the smallest of those.
  const Arm far = elbow(", limits: {lower: 3.5, upper: 20}");
  start.q << 0, 18;
  const ReachResult limited = reach(far, 1, {{0.3, 1.1, 0}, {}}, start);
  ASSERT_TRUE(limited.reached);
  EXPECT_GE(limited.q[1], 3.5);
  EXPECT_LE(limited.q[1], 3.5 + 2 * M_PI);
}

TEST(Reach, SaysHowFarOutOfReach) {
  const Arm arm = elbow();
  const ReachResult result = reach(arm, 1, {{0, 2, 0}, {}}, State::zero(arm));
  EXPECT_FALSE(result.reached);
  EXPECT_NEAR(result.position_error, 0.5, 1e-6);  // stretched out, 1.5 of 2
  EXPECT_EQ(result.why,
            "the nearest pose found is 0.5 m and 0 deg away; the target is 2 m from the base and the arm reaches 1.5 m "
            "at most");
}

TEST(Reach, SaysWhichLimitsStandInTheWay) {
  const Arm arm = elbow(", limits: {lower: -0.1, upper: 0.1}");
  const ReachResult result = reach(arm, 1, {{0.6, 0, 0}, {}}, State::zero(arm));
  EXPECT_FALSE(result.reached);
  EXPECT_NE(result.why.find("at their limits: elbow"), std::string::npos) << result.why;
}

TEST(Reach, SaysWhenAPoseTakesMoreJoints) {
  const Arm arm = elbow();
  const ReachResult result = reach(arm, 1, {{1, 0.5, 0}, axis_rotation(Vector3d::UnitX(), 1)}, State::zero(arm));
  EXPECT_FALSE(result.reached);
  EXPECT_NE(result.why.find("a full pose needs six joints, but 2 move this tip"), std::string::npos) << result.why;
}

TEST(Reach, LeavesAFreeBaseAlone) {
  const Arm arm = Arm::assemble(random_case(6, 3, {.tree = false, .fixed_joints = false, .base = BaseType::free}));
  const State start = random_state(arm, 3);
  State other = start;
  other.q.tail(6).setConstant(0.3);
  const ReachResult result = reach(arm, arm.n_links() - 1, {kinematics_of(arm, other).X_WT.back().p, {}}, start);
  EXPECT_TRUE(result.reached);
  EXPECT_EQ(result.q.head(7), start.q.head(7));
}

}  // namespace
}  // namespace lithe::testing
