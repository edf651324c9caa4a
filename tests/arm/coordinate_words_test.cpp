// Positions, rates and torques in words, without a command line: the same numbers as by hand, and refusals word for word.
#include "lithe/arm/coordinate_words.h"

#include <gtest/gtest.h>

#include <functional>
#include <numbers>

#include "lithe/describe/case_reader.h"

namespace lithe::testing {
namespace {

const Arm& elbow() {
  static const Arm arm = Arm::assemble(read_case_text(R"(arm:
  links:
    - name: upper
      joint: {name: shoulder, type: revolute, axis: [0, 0, 1]}
      rigid: {length: 1, mass: 1, com: [0.5, 0, 0], inertia: {xx: 0.1, yy: 0.1, zz: 0.1}}
    - name: fore
      joint: {name: rail, type: prismatic, axis: [1, 0, 0]}
      rigid: {length: 1, mass: 1, com: [0.5, 0, 0], inertia: {xx: 0.1, yy: 0.1, zz: 0.1}}
)")
                                           .data);
  return arm;
}

std::string refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(CoordinateWords, TakeNumbersQuantitiesAndNames) {
  const VectorXd q = positions_in_words(elbow(), "90deg,rail=20 mm");
  EXPECT_DOUBLE_EQ(q[0], std::numbers::pi / 2);
  EXPECT_DOUBLE_EQ(q[1], 0.02);
  EXPECT_EQ(positions_in_words(elbow(), ""), VectorXd::Zero(2));
  EXPECT_DOUBLE_EQ(rates_in_words(elbow(), "0,3 mm/s")[1], 0.003);
  EXPECT_DOUBLE_EQ(accelerations_in_words(elbow(), "2")[0], 2);
  EXPECT_DOUBLE_EQ(torques_in_words(elbow(), "rail=4 N")[1], 4);
  EXPECT_EQ(three_in_words("1,2 cm,3", dimension::length), Vector3d(1, 0.02, 3));
}

TEST(CoordinateWords, SayWhichPositionsTheyGive) {
  EXPECT_TRUE(words_give_position(elbow(), "0.1", "shoulder"));
  EXPECT_FALSE(words_give_position(elbow(), "0.1", "rail"));
  EXPECT_TRUE(words_give_position(elbow(), "rail=1", "rail"));
}

TEST(CoordinateWords, RefuseInWordsOfTheirOwn) {
  EXPECT_EQ(refusal([] { positions_in_words(elbow(), "rial=1"); }),
            "no 'rial', did you mean 'rail'? Known: shoulder, rail");
  EXPECT_EQ(refusal([] { positions_in_words(elbow(), "1,,2"); }), "expected numbers separated by commas, got \"1,,2\"");
  EXPECT_EQ(refusal([] { positions_in_words(elbow(), "1,shoulder=2"); }), "shoulder is given twice");
  EXPECT_EQ(refusal([] { positions_in_words(elbow(), "rail=1,2"); }),
            "expected numbers without a name before those with one, got \"rail=1,2\"");
  EXPECT_EQ(refusal([] { three_in_words("1,2", dimension::length); }), "expected three numbers, got 2");
}

TEST(CoordinateWords, FindTheLinkWhoseTipIsMeant) {
  EXPECT_EQ(tip_link_named(elbow(), ""), 1);
  EXPECT_EQ(tip_link_named(elbow(), "upper"), 0);
  EXPECT_EQ(refusal([] { tip_link_named(elbow(), "for"); }), "no link 'for', did you mean 'fore'? Links: upper, fore");
}

}  // namespace
}  // namespace lithe::testing
