// Beams as rigid pieces on springs: where the hinges sit, what they are worth, and how fast they converge.
#include <gtest/gtest.h>

#include "beam/sample_beams.h"

namespace lithe {
namespace {

/// Small deflection and rotation of the tip along y under a force there, straight from the pieces: each hinge turns by its
/// moment over its stiffness, and swings what lies beyond it.
double tip_deflection(const std::vector<SegmentPiece>& pieces, double L, double force, int axis) {
  double x = 0, deflection = 0;
  for (const SegmentPiece& piece : pieces) {
    if (piece.hinged) deflection += force * (L - x) / piece.stiffness[axis] * (L - x);
    x += piece.length;
  }
  return deflection;
}
double tip_twist(const std::vector<SegmentPiece>& pieces, double moment) {
  double twist = 0;
  for (const SegmentPiece& piece : pieces)
    if (piece.hinged) twist += moment / piece.stiffness[2];
  return twist;
}

TEST(Segments, HingesInTheMiddleOrAtTheRootSide) {
  const auto calibrated = beam_segments(bar(Segments{4}), true);
  ASSERT_EQ(calibrated.size(), 5u);
  EXPECT_FALSE(calibrated[0].hinged);
  EXPECT_NEAR(calibrated[0].length, 1.3 / 8, 1e-15);
  EXPECT_NEAR(calibrated[1].length, 1.3 / 4, 1e-15);
  EXPECT_NEAR(calibrated[4].length, 1.3 / 8, 1e-15);
  const auto paper = beam_segments(bar(Segments{4, SegmentSprings::paper}), true);
  ASSERT_EQ(paper.size(), 4u);
  for (const SegmentPiece& piece : paper) {
    EXPECT_TRUE(piece.hinged);
    EXPECT_NEAR(piece.length, 1.3 / 4, 1e-15);
    const double l = 1.3 / 4, Iy = 0.02 * std::pow(0.03, 3) / 12, Iz = 0.03 * std::pow(0.02, 3) / 12;
    EXPECT_NEAR(piece.stiffness[0], soft.E * Iz / l, 1e-9);
    EXPECT_NEAR(piece.stiffness[1], soft.E * Iy / l, 1e-9);
    const double mass = soft.density * 0.02 * 0.03 * l;
    EXPECT_NEAR(piece.body.mass, mass, 1e-15);
    EXPECT_NEAR(piece.body.J(2, 2), mass * l * l / 3 + soft.density * Iz * l, 1e-15);
  }
}

// Deflection over the beam's: 1 − 1/(4n²) calibrated, (1 + 1/n)(1 + 1/(2n)) as the paper has it. Orders two and one.
TEST(Segments, ConvergeToTheBeam) {
  const double L = 1.3, P = 3;
  const FlexBasis beam = beam_basis(bar(Modes{2, 2, 1, 0}), true, {});
  const Vector6d exact_y = tip_motion(beam, {0, P, 0}, {0, 0, 0}), exact_z = tip_motion(beam, {0, 0, P}, {0, 0, 0});
  auto share = [&](int n, SegmentSprings springs, int axis) {
    return tip_deflection(beam_segments(bar(Segments{n, springs}), true), L, P, axis) /
           (axis == 0 ? exact_y[1] : exact_z[2]);
  };
  for (int axis : {0, 1})
    for (int n : {1, 2, 4, 9}) {
      EXPECT_NEAR(share(n, SegmentSprings::calibrated, axis), 1 - 1.0 / (4 * n * n), 1e-12);
      EXPECT_NEAR(share(n, SegmentSprings::paper, axis), (1 + 1.0 / n) * (1 + 0.5 / n), 1e-12);
    }
  auto order = [&](SegmentSprings springs) {
    return std::log2((share(64, springs, 0) - 1) / (share(128, springs, 0) - 1));
  };
  EXPECT_NEAR(order(SegmentSprings::calibrated), 2, 1e-3);
  EXPECT_NEAR(order(SegmentSprings::paper), 1, 2e-2);
  const double twist = tip_motion(beam, {0, 0, 0}, {P, 0, 0})[3];
  EXPECT_NEAR(tip_twist(beam_segments(bar(Segments{3}), true), P), twist, 1e-12 * twist);
}

TEST(Segments, TaperAndStepsKeepTheirOrder) {
  const double L = 1.3, P = 3;
  Beam tapered = bar({}), stepped = bar({});
  tapered.tip_section = Section{Rectangle{0.01, 0.02}, {}};
  stepped.steps = {{0.37, {Rectangle{0.015, 0.02}, {}}}};
  for (Beam beam : {tapered, stepped}) {
    beam.flexibility = Elements{.count = 80, .plane = BendingPlane::y};
    Beam stiff_in_shear = beam;
    stiff_in_shear.material.G = 1e6 * soft.shear_modulus();
    const double exact = tip_motion(beam_basis(stiff_in_shear, true, {}), {0, P, 0}, {0, 0, 0})[1];
    auto error = [&](int n) {
      beam.flexibility = Segments{n};
      return tip_deflection(beam_segments(beam, true), L, P, 0) / exact - 1;
    };
    // A step within a segment lies somewhere else in it for every n: a bound of that order instead of a ratio.
    for (int n : {5, 10, 20, 40}) EXPECT_LT(n * n * std::abs(error(n)), 0.5) << n;
    if (beam.tip_section) {
      EXPECT_NEAR(error(5) / error(20), 16, 2);
    }
  }
}

TEST(Segments, DampersGiveTheFirstModeItsRatio) {
  Beam beam = bar(Segments{20});
  beam.damping = DampingRatio{0.03};
  const double I = 0.03 * std::pow(0.02, 3) / 12, A = 0.02 * 0.03;
  const double omega = std::pow(1.8751040687119611 / 1.3, 2) * std::sqrt(soft.E * I / (soft.density * A));
  for (const SegmentPiece& piece : beam_segments(beam, false))
    EXPECT_NEAR(piece.damping[0], 2 * 0.03 / omega * piece.stiffness[0], 1e-6 * (1e-12 + piece.damping[0]));
  beam.damping = RayleighDamping{0, 2e-4};
  for (const SegmentPiece& piece : beam_segments(beam, true)) {
    EXPECT_LT((piece.damping - 2e-4 * piece.stiffness).norm(), 1e-15 + 1e-12 * piece.damping.norm());
  }
}

// Springs that the case gives: hinge by hinge, or one for all; directions that it does not give go by the rule.
TEST(Segments, TakeGivenSprings) {
  Segments segments{3, SegmentSprings::paper};
  segments.given.bending_z = {10, 20, 30};
  segments.given.torsion = {7};
  const auto given = beam_segments(bar(segments), true),
             rule = beam_segments(bar(Segments{3, SegmentSprings::paper}), true);
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(given[i].stiffness[1], 10 * double(i + 1));
    EXPECT_EQ(given[i].stiffness[2], 7);
    EXPECT_EQ(given[i].stiffness[0], rule[i].stiffness[0]);
    EXPECT_EQ(given[i].body.mass, rule[i].body.mass);
  }
  segments.springs = SegmentSprings::calibrated;
  const auto middle = beam_segments(bar(segments), true);
  ASSERT_EQ(middle.size(), 4u);
  EXPECT_EQ(middle[3].stiffness[1], 30);
}

// One segment on a given spring at its root is a compound pendulum: ω² = k/J. And given springs of the rule's stiffness have the ratio of the
// rule's chain, which the beam's first mode comes near.
TEST(Segments, DampersOfGivenSpringsGiveTheirOwnFirstModeItsRatio) {
  Segments one{1, SegmentSprings::paper};
  one.given = {{40}, {50}, {60}};
  Beam beam = bar(one);
  beam.damping = DampingRatio{0.03};
  const SegmentPiece piece = beam_segments(beam, true)[0];
  for (int k = 0; k < 3; ++k) {
    const double J = piece.body.J(2 - k, 2 - k);
    EXPECT_NEAR(piece.damping[k], 2 * 0.03 * std::sqrt(piece.stiffness[k] * J), 1e-9 * piece.damping[k]) << k;
  }
  Beam ruled = bar(Segments{20});
  ruled.damping = DampingRatio{0.03};
  const auto rule = beam_segments(ruled, true);
  Segments many{20};
  many.given = {{rule[1].stiffness[0]}, {rule[1].stiffness[1]}, {rule[1].stiffness[2]}};
  beam.flexibility = many;
  const auto given = beam_segments(beam, true);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(given[1].damping[k], rule[1].damping[k], 0.005 * rule[1].damping[k]) << k;
}

}  // namespace
}  // namespace lithe
