// Which arms have an invertible mass matrix, and what is said of those that have not.
#include <gtest/gtest.h>

#include <cmath>

#include "lithe/describe/case_reader.h"
#include "lithe/dynamics/articulated/articulated.h"
#include "lithe/dynamics/lagrange/lagrange.h"
#include "support/random_arm.h"

namespace lithe::testing {
namespace {

std::string complaint(const std::string& links, const std::string& base = "fixed") {
  const Arm arm = Arm::assemble(read_case_text("arm:\n  base: " + base + "\n  links:\n" + links).data);
  try {
    check_regular(arm);
    return "";
  } catch (const FieldError& error) {
    return error.path() + ": " + error.what();
  }
}

TEST(Regularity, MasslessLinkBelowAMassiveOneIsSound) {
  EXPECT_EQ(
      complaint(
          "    - {name: a, joint: {name: p, type: revolute, axis: [0, 0, 1]}, rigid: {mass: 0, length: 1}}\n"
          "    - {name: b, joint: {name: q, type: revolute, axis: [0, 1, 0]}, rigid: {mass: 1, com: [1, 0, 0]}}\n"),
      "");
}

TEST(Regularity, PointMassOnTwoParallelJointsIsNot) {
  // A point mass on two intersecting, then parallel axes through one point: two rates, one motion.
  EXPECT_EQ(
      complaint(
          "    - {name: a, joint: {name: p, type: revolute, axis: [0, 0, 1]}, rigid: {mass: 0}}\n"
          "    - {name: b, joint: {name: q, type: revolute, axis: [0, 0, 1]}, rigid: {mass: 1, com: [1, 0, 0]}}\n"),
      "arm.links[0]: the mass matrix is singular: 'p' moves no inertia of its own (massless link?)");
}

TEST(Regularity, PlanarBaseWithoutABodyNeedsMassOnIt) {
  EXPECT_EQ(
      complaint(
          "    - {name: a, joint: {name: p, type: revolute, axis: [0, 0, 1]}, rigid: {mass: 1, com: [1, 0, 0]}}\n",
          "planar"),
      "arm.base: the mass matrix is singular: 'base.yaw' moves no inertia of its own (give the base a body)");
}

TEST(Regularity, RandomArmsAreSound) {
  for (unsigned seed = 0; seed < 30; ++seed)
    EXPECT_NO_THROW(
        check_regular(Arm::assemble(random_case(8, seed, {.base = seed % 2 ? BaseType::free : BaseType::planar}))));
}

TEST(Regularity, LongChainsAreSound) { EXPECT_NO_THROW(check_regular(Arm::assemble(chain_case(60, 1)))); }

TEST(Regularity, EvaluationSaysSoToo) {
  const Arm arm =
      Arm::assemble(read_case_text("arm: {links: [{name: a, joint: {name: p, type: revolute, axis: [0, 0, 1]}, "
                                   "rigid: {mass: 0}}]}")
                        .data);
  VectorXd vdot(1);
  EXPECT_THROW(Articulated(arm).forward(State::zero(arm), VectorXd::Zero(1), vdot), SingularError);
  EXPECT_THROW(Lagrange(arm).forward(State::zero(arm), VectorXd::Zero(1), vdot), SingularError);
}

TEST(Regularity, ThinWireOnAHeavyArmIsSound) {
  // A node's twist inertia is less than rounding of the first joint's, and inertia none the less.
  const Arm arm = Arm::assemble(read_case_text(R"(
arm:
  links:
    - name: boom
      joint: {name: yaw, type: revolute, axis: [0, 0, 1]}
      rigid: {length: 10, mass: 500, com: [5, 0, 0], inertia: {xx: 100, yy: 5000, zz: 5000}}
    - name: wire
      joint: {name: pitch, type: revolute, axis: [0, -1, 0]}
      beam: {length: 1, material: aluminium, section: {circle: {diameter: 0.5 mm}}, flexibility: {elements: 10}}
)")
                                    .data);
  VectorXd vdot(arm.nv());
  const VectorXd tau = VectorXd::Ones(arm.nv());
  for (const std::string& name : formulation_names())
    EXPECT_NO_THROW(make_formulation(name, arm)->forward(State::zero(arm), tau, vdot)) << name;
}

TEST(Regularity, SingularPositionsAreRefusedWhereTheyAre) {
  // A point mass on its first axis, reached by the second joint: regular elsewhere.
  const Arm arm = Arm::assemble(read_case_text(R"(
arm:
  links:
    - {name: a, joint: {name: p, type: revolute, axis: [0, 0, 1]}, rigid: {mass: 0}}
    - {name: b, joint: {name: q, type: revolute, axis: [0, 1, 0]}, rigid: {mass: 1, com: [1, 0, 0]}}
)")
                                    .data);
  EXPECT_NO_THROW(check_regular(arm));
  State state = State::zero(arm);
  state.q << 0, std::acos(-1) / 2;
  VectorXd vdot(2);
  EXPECT_THROW(Articulated(arm).forward(state, VectorXd::Ones(2), vdot), SingularError);
  EXPECT_THROW(Lagrange(arm).forward(state, VectorXd::Ones(2), vdot), SingularError);
  state.q[1] = 0.5;
  EXPECT_NO_THROW(Articulated(arm).forward(state, VectorXd::Ones(2), vdot));
}

}  // namespace
}  // namespace lithe::testing
