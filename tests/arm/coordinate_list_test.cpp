// Plain numbers mean joints, or all coordinates; what lies between is refused with both lists.
#include "lithe/arm/coordinate_list.h"

#include <gtest/gtest.h>

#include "lithe/arm/state.h"
#include "lithe/describe/case_reader.h"

namespace lithe::testing {
namespace {

Arm arm_of(const std::string& base, const std::string& flexibility, const std::string& motor = "") {
  return Arm::assemble(read_case_text("arm:\n  base: " + base + R"(
  links:
    - name: upper
      joint: {name: shoulder, type: revolute, axis: [0, 0, 1])" +
                                      motor + R"(}
      beam:
        length: 1 m
        material: aluminium
        section: {tube: {outer_diameter: 60 mm, inner_diameter: 56 mm}}
        flexibility: )" + flexibility +
                                      R"(
    - {name: fore, joint: {name: elbow, type: revolute, axis: [0, 0, 1]}, rigid: {length: 0.5, mass: 1, com: [0.2, 0, 0], inertia: {xx: 0.01, yy: 0.01, zz: 0.01}}}
)")
                           .data);
}

VectorXd numbers(std::initializer_list<double> list) {
  return Eigen::Map<const VectorXd>(list.begin(), Eigen::Index(list.size()));
}

std::string refusal(const Arm& arm, const std::vector<double>& list) {
  try {
    listed_positions(arm, list);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(CoordinateList, NumbersMeanJointsOrAllCoordinates) {
  const Arm arm = arm_of("fixed", "{modes: {bending_y: 2}}");
  ASSERT_EQ(arm.coordinates(), (std::vector<std::string>{"shoulder", "upper.1", "upper.2", "elbow"}));
  EXPECT_EQ(listed_positions(arm, {}), numbers({0, 0, 0, 0}));
  EXPECT_EQ(listed_positions(arm, std::vector<double>{0.3}), numbers({0.3, 0, 0, 0}));
  EXPECT_EQ(listed_positions(arm, std::vector<double>{0.3, 0.7}), numbers({0.3, 0, 0, 0.7}));
  EXPECT_EQ(listed_rates(arm, std::vector<double>{0.3, 0.7}), numbers({0.3, 0, 0, 0.7}));
  EXPECT_EQ(listed_torques(arm, std::vector<double>{0.3, 0.7}), numbers({0.3, 0, 0, 0.7}));
  EXPECT_EQ(listed_positions(arm, std::vector<double>{1, 2, 3, 4}), numbers({1, 2, 3, 4}));
  EXPECT_EQ(listed_torques(arm, std::vector<double>{1, 2, 3, 4}), numbers({1, 2, 3, 4}));
  EXPECT_EQ(refusal(arm, {1, 2, 3}),
            "expected at most 2 numbers for the joints (shoulder, elbow), or 4 for all coordinates (shoulder, upper.1, "
            "upper.2, elbow), got 3");
  EXPECT_NE(refusal(arm, {1, 2, 3, 4, 5}), "");
}

TEST(CoordinateList, HingesOfSegmentsAreNoJoints) {
  const Arm arm = arm_of("fixed", "{segments: 3}");
  const VectorXd q = listed_positions(arm, std::vector<double>{0.3, 0.7});
  EXPECT_EQ(q[0], 0.3);
  EXPECT_EQ(q[q.size() - 1], 0.7);
  EXPECT_EQ(q.segment(1, q.size() - 2).cwiseAbs().maxCoeff(), 0);
  EXPECT_NE(refusal(arm, {1, 2, 3}).find("joints (shoulder, elbow), or"), std::string::npos);
}

TEST(CoordinateList, RotorsAreNoJointsButTakeTheTorque) {
  const Arm arm = arm_of("fixed", "rigid", ", motor: {inertia: 0.001 kg.m^2, gear_ratio: 50, stiffness: 1000 N.m/rad}");
  ASSERT_EQ(arm.coordinates(), (std::vector<std::string>{"shoulder", "shoulder.motor", "elbow"}));
  EXPECT_EQ(listed_positions(arm, std::vector<double>{0.3, 0.7}), numbers({0.3, 0, 0.7}));
  EXPECT_EQ(listed_torques(arm, std::vector<double>{5, 6}), numbers({0, 5, 6}));
  EXPECT_EQ(find_entry(torque_list(arm), "shoulder"), 1);
  EXPECT_EQ(find_entry(position_list(arm), "shoulder"), 0);
  EXPECT_EQ(find_entry(position_list(arm), "wrist"), -1);
}

TEST(CoordinateList, AMovingBaseComesFirst) {
  const Arm planar =
      arm_of("{type: planar, rigid: {mass: 5, inertia: {xx: 1, yy: 1, zz: 1}}}", "{modes: {bending_y: 1}}");
  EXPECT_EQ(listed_positions(planar, std::vector<double>{1, 2, 3, 4, 5}), numbers({1, 2, 3, 4, 0, 5}));
  EXPECT_EQ(listed_torques(planar, std::vector<double>{4, 5}), numbers({0, 0, 0, 4, 0, 5}));
  const Arm free = arm_of("{type: free, rigid: {mass: 5, inertia: {xx: 1, yy: 1, zz: 1}}}", "{modes: {bending_y: 1}}");
  EXPECT_EQ(listed_positions(free, std::vector<double>{1, 2, 3, 0, 2, 0, 0, 4, 5}),
            numbers({1, 2, 3, 0, 1, 0, 0, 4, 0, 5}));
  EXPECT_EQ(listed_rates(free, std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8}), numbers({1, 2, 3, 4, 5, 6, 7, 0, 8}));
  EXPECT_EQ(refusal(free, {0, 0, 0, 0, 0, 0, 0}), "expected a quaternion w, x, y, z other than zero");
}

}  // namespace
}  // namespace lithe::testing
