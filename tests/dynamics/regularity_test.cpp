// Which arms have an invertible mass matrix, and what is said of those that have not.
#include "lithe/dynamics/regularity.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>

#include "lithe/describe/case_reader.h"
#include "lithe/dynamics/articulated/articulated.h"
#include "lithe/dynamics/lagrange/lagrange.h"
#include "support/covering.h"
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
      "arm.links[0]: the mass matrix is singular: 'p' moves no inertia of its own (it turns about the same axis as 'q' "
      "and nothing between them has mass: leave out one of them, or give the link between them mass)");
}

// The paper's rule has its first hinge at the beam's root: on a joint about the same axis, or about any where it turns every way.
TEST(Regularity, PaperHingeOnACoaxialJointIsCalledThat) {
  auto said = [](const std::string& axis, const std::string& more, const std::string& motor = "") {
    return complaint("    - name: a\n      joint: {name: p, type: revolute, axis: " + axis + motor +
                     "}\n      beam: {length: 1, material: steel, section: {circle: {diameter: 20 mm}}, flexibility: "
                     "{segments: 3, " +
                     more + "}}\n");
  };
  const std::string advice =
      " turns at the joint itself and nothing between them has mass: use `springs: calibrated`, whose first hinge is "
      "half a segment further out, or give the joint a motor with inertia)";
  const std::string begin =
      "arm.links[0]: the mass matrix is singular: 'p' moves no inertia of its own (the first hinge of the segments, ";
  EXPECT_EQ(said("[0, 1, 0]", "springs: paper, locked: [bending_y, torsion]"), begin + "'a.s1.z'," + advice);
  EXPECT_EQ(said("[0, 1, 0]", "springs: paper"), begin + "'a.s1.y'," + advice);
  // About another axis than the only hinge, with springs further out, and with a rotor it is sound.
  EXPECT_EQ(said("[0, 0, 1]", "springs: paper, locked: [bending_y, torsion]"), "");
  EXPECT_EQ(said("[0, 1, 0]", "springs: calibrated, locked: [bending_y, torsion]"), "");
  EXPECT_EQ(said("[0, 1, 0]", "springs: paper", ", motor: {inertia: 0.1}"), "");
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

/// The pivots of elimination from the last coordinate on: by the Euler–Lagrange equations' mass matrix, which knows no
/// articulated bodies.
VectorXd pivots_of(MatrixXd M) {
  VectorXd pivots(M.rows());
  for (Eigen::Index k = M.rows() - 1; k >= 0; --k) {
    pivots[k] = M(k, k);
    const VectorXd column = M.col(k).head(k);
    M.topLeftCorner(k, k) -= column * column.transpose() / pivots[k];
  }
  return pivots;
}

TEST(Regularity, PivotsAreThoseOfTheMassMatrix) {
  auto check = [](const Case& data, unsigned seed) {
    const Arm arm = Arm::assemble(data);
    State state = random_state(arm, seed);
    for (const Link& link : arm.links()) state.q.segment(link.flex_q0(), link.n_flex()).setZero();
    MatrixXd M(arm.nv(), arm.nv());
    Lagrange(arm).mass_matrix(state, M);
    const VectorXd expected = pivots_of(M);
    const std::vector<InertiaPivot> pivots = inertia_pivots(arm, state);
    ASSERT_EQ(pivots.size(), size_t(arm.nv()));
    for (int k = 0; k < arm.nv(); ++k) {
      // Eliminating the whole matrix loses digits of its diagonal, not of what is left.
      EXPECT_NEAR(pivots[k].left, expected[k], 1e-9 * expected[k] + 1e-13 * M(k, k)) << arm.coordinates()[k];
      EXPECT_GE(pivots[k].measure, pivots[k].left * (1 - 1e-12)) << arm.coordinates()[k];
    }
  };
  for (unsigned seed = 0; seed < 12; ++seed) {
    const BaseType base = seed % 3 == 0 ? BaseType::free : seed % 3 == 1 ? BaseType::planar : BaseType::fixed;
    check(random_case(7, seed, {.drive_line = true, .base = base}), seed);
    check(random_flexible_case(5, seed, {.arm = {.base = base}, .elements = true, .segments = true}), seed);
  }
}

TEST(Regularity, WhatAPayloadMakesRegularIsAccepted) {
  // Twist of a thin link without rotary inertia: the payload turns with it.
  auto twisting = [](int shapes, const std::string& payload) {
    return complaint(
        "    - name: a\n      joint: {name: p, type: revolute, axis: [0, 0, 1]}\n      beam: {length: 1, material: "
        "steel, section: {circle: {diameter: 0.02}}, flexibility: {modes: {bending_z: 1, torsion: " +
            std::to_string(shapes) + "}}}\n" + payload,
        "fixed\n  rotary_inertia: false");
  };
  const std::string body = "      payload: {mass: 1, inertia: {xx: 0.1, yy: 0.1, zz: 0.1}}\n";
  EXPECT_EQ(twisting(1, body), "");
  EXPECT_EQ(
      twisting(1, "      payload: {mass: 1}\n"),
      "arm.links[0]: the mass matrix is singular: 'a.2' moves no inertia of its own (torsion of a thin link without "
      "rotary inertia, or too many shapes?)");
  EXPECT_NE(twisting(2, body), "") << "one payload turns by one twist only";
  // The same carried by links further out, and through a joint that takes the twist away.
  EXPECT_EQ(
      twisting(1, "    - {name: b, joint: {type: fixed}, rigid: {mass: 0}, payload: {mass: 1, com: [0, 0.5, 0]}}\n"),
      "");
  EXPECT_NE(
      twisting(
          1, "    - {name: b, joint: {name: q, type: revolute, axis: [1, 0, 0]}, rigid: {mass: 1, com: [0, 1, 0]}}\n"),
      "");
  // A massless link whose payload is all there is.
  EXPECT_EQ(
      complaint(
          "    - {name: a, joint: {name: p, type: revolute, axis: [0, 0, 1]}, rigid: {mass: 0, length: 1}, payload: "
          "{mass: 2}}\n"),
      "");
  EXPECT_EQ(
      read_case_text(
          "arm:\n  rotary_inertia: false\n  links:\n    - name: a\n      joint: {name: p, type: revolute, axis: "
          "[0, 0, 1]}\n      beam: {length: 1, material: steel, section: {circle: {diameter: 0.02}}, flexibility: "
          "{modes: {torsion: 1}}}\n" +
          body)
          .warnings.size(),
      0u);
}

TEST(Regularity, IsDecidedInTimeThatGrowsWithTheLinks) {
  const auto start = std::chrono::steady_clock::now();
  EXPECT_NO_THROW(check_regular(Arm::assemble(chain_case(4000, 1))));
  EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), 5)
      << "as the cube it took 18 s";
  // Rounding does not grow with the length of the arm, and does not hide what is singular at its far end.
  Case data = chain_case(12000, 1);
  EXPECT_NO_THROW(check_regular(Arm::assemble(data)));
  data.arm.links.back().rigid = RigidBody{};
  data.arm.links.back().rigid->mass = 0;
  data.arm.links.back().payloads.clear();
  EXPECT_THROW(check_regular(Arm::assemble(data)), FieldError);
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
  for (const auto& dynamics : covering_with_default(arm))
    EXPECT_NO_THROW(dynamics->forward(State::zero(arm), tau, vdot)) << dynamics->name();
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
