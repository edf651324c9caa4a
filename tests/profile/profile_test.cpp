// Motion profiles: rates and accelerations against differences, continuity as declared, ends where they should be.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "app/run_program.h"
#include "lithe/describe/problem.h"
#include "lithe/profile/cubic_spline.h"
#include "lithe/profile/profile_curve.h"
#include "support/draw.h"

namespace lithe::testing {
namespace {

/// Inside pieces, rate and acceleration are the derivatives of the value.
void check_derivatives(const ProfileCurve& curve, double end) {
  const double h = 1e-5;  // central differences err by h² f‴/6, rounding by 1e-16/h² for the second
  for (double t = 0.0137 * end; t < 1.1 * end; t += 0.0137 * end) {
    bool near_a_break = false;
    for (const double b : curve.breakpoints()) near_a_break |= std::abs(t - b) < 3 * h;
    if (near_a_break) continue;
    const ProfileSample now = curve.at(t), before = curve.at(t - h), after = curve.at(t + h);
    const double size = 1 + std::abs(now.acceleration);
    EXPECT_NEAR((after.value - before.value) / (2 * h), now.rate, 1e-6 * size) << t;
    EXPECT_NEAR((after.rate - before.rate) / (2 * h), now.acceleration, 1e-5 * size) << t;
  }
}

/// Largest jump of value, rate and acceleration over all breakpoints.
ProfileSample jumps(const ProfileCurve& curve) {
  ProfileSample worst;
  for (const double t : curve.breakpoints()) {
    const ProfileSample left = curve.at(t, t - 1e-9), right = curve.at(t, t + 1e-9);
    worst.value = std::max(worst.value, std::abs(left.value - right.value));
    worst.rate = std::max(worst.rate, std::abs(left.rate - right.rate));
    worst.acceleration = std::max(worst.acceleration, std::abs(left.acceleration - right.acceleration));
  }
  return worst;
}

TEST(Profile, SmoothMovesAreContinuousToTheAcceleration) {
  for (const Profile& profile :
       {Profile{Cycloidal{2, 1.5}}, Profile{Quintic{2, 1.5}}, Profile{TrapezoidalAcceleration{2, 1.5, {}}},
        Profile{TrapezoidalAcceleration{2, 1.5, 0.375}}, Profile{TrapezoidalAcceleration{2, 1.5, 0.01}}}) {
    const ProfileCurve curve(profile, -0.5, "");
    check_derivatives(curve, 1.5);
    EXPECT_NEAR(curve.at(0).value, -0.5, 1e-15);
    EXPECT_NEAR(curve.at(1.5, 1.4999).value, 2, 1e-14);  // by the last piece itself, not by what is held after it
    EXPECT_EQ(curve.at(9).value, 2);
    EXPECT_LT(jumps(curve).value, 1e-14);
    EXPECT_LT(jumps(curve).rate, 1e-13);
    EXPECT_LT(jumps(curve).acceleration, 1e-11);
    EXPECT_NEAR(curve.at(0).rate, 0, 1e-15);
    EXPECT_NEAR(curve.at(0).acceleration, 0, 1e-13);
  }
}

TEST(Profile, ASpinUpIsSmoothAndKeepsItsRate) {
  const ProfileCurve forever(Profile{SpinUp{6, 15, {}}}, 0.2, ""), ends(Profile{SpinUp{6, 15, 20}}, 0.2, "");
  check_derivatives(forever, 15);
  EXPECT_NEAR(forever.at(0).value, 0.2, 1e-15);
  EXPECT_NEAR(forever.at(0).rate, 0, 1e-15);
  EXPECT_NEAR(forever.at(0).acceleration, 0, 1e-15);
  EXPECT_LT(jumps(forever).value, 1e-12);
  EXPECT_LT(jumps(forever).rate, 1e-13);
  EXPECT_LT(jumps(forever).acceleration, 1e-12);
  // Half way up the rate is half, by symmetry; then it grows by 6 rad every second.
  EXPECT_NEAR(forever.at(7.5).rate, 3, 1e-14);
  EXPECT_NEAR(forever.at(15).value, 0.2 + 45, 1e-12);
  EXPECT_NEAR(forever.at(1015).value, 0.2 + 45 + 6000, 1e-9);
  EXPECT_NEAR(ends.at(19.999).value, forever.at(19.999).value, 1e-12);
  EXPECT_NEAR(ends.at(25).value, 0.2 + 45 + 30, 1e-12);
  EXPECT_EQ(ends.at(25).rate, 0);
}

TEST(Profile, TrapezoidOfVelocityIsContinuousToTheRate) {
  const ProfileCurve curve(Profile{TrapezoidalVelocity{3, 2, 0.5, 0.7}}, 1, "");
  check_derivatives(curve, 2.7);
  EXPECT_LT(jumps(curve).value, 1e-14);
  EXPECT_LT(jumps(curve).rate, 1e-14);
  EXPECT_NEAR(jumps(curve).acceleration, 2 / (2 - 0.5) / 0.5, 1e-13);  // by hand: V = D/(T − r), a = V/r
  EXPECT_NEAR(curve.at(2, 1.9999).value, 3, 1e-14);
  EXPECT_EQ(curve.breakpoints().back(), 2.7);
}

TEST(Profile, CycloidHasThePublishedPeaks) {
  // 60° in 2.5 s: the peak speed 0.84 rad/s and acceleration 1.05 rad/s² of naganathan86's planar case 1.
  const ProfileCurve curve(Profile{Cycloidal{M_PI / 3, 2.5}}, 0, "");
  EXPECT_NEAR(curve.at(1.25).rate, 0.838, 5e-4);
  EXPECT_NEAR(curve.at(0.625).acceleration, 1.053, 5e-4);
}

TEST(Profile, SequencePartsStartWhereTheLastEnded) {
  const Profile profile{
      Sequence{{{Cycloidal{1, 1}}, {Dwell{0.5}}, {Quintic{-1, 2}}, {Sinusoid{0.3, 1, 0, 0.25}}, {Cycloidal{0, 1}}}}};
  const ProfileCurve curve(profile, 0.2, "");
  check_derivatives(curve, 4.75);
  EXPECT_LT(jumps(curve).value, 1e-14);
  EXPECT_EQ(curve.at(1.25).value, 1);
  EXPECT_NEAR(curve.at(3.75, 3.7499).value, -1 + 0.3, 1e-13);
  EXPECT_EQ(curve.at(10).value, 0);
}

TEST(Profile, TableIsASplineThroughItsRows) {
  const TemporaryFolder scratch;
  std::string text = "t [s],a [rad],b [rad]\n";
  for (int i = 0; i <= 40; ++i) {
    const double t = i * 0.05 + 0.01 * (i % 3);
    text += std::to_string(t) + ",7," + std::to_string(std::sin(2 * t)) + "\n";
  }
  const ProfileCurve curve(Profile{Table{scratch.write("table.csv", text), 3}}, 0, "motion.a");
  check_derivatives(curve, 2);
  for (double t = 0.3; t < 1.7; t += 0.0123) {
    // Away from the ends a natural spline errs by h⁴/384 |f⁗| in value and h²/8 |f⁗| in acceleration; the file has six digits.
    EXPECT_NEAR(curve.at(t).value, std::sin(2 * t), 5e-6);
    EXPECT_NEAR(curve.at(t).acceleration, -4 * std::sin(2 * t), 0.03);
  }
}

TEST(Profile, BadTablesAreRefused) {
  const TemporaryFolder scratch;
  auto complaint = [&](const std::string& file, int column) -> std::string {
    try {
      ProfileCurve(Profile{Table{file, column}}, 0, "motion.a");
      return "";
    } catch (const FieldError& error) {
      return error.path() + ": " + error.what();
    }
  };
  EXPECT_EQ(complaint("nowhere.csv", 2), "motion.a.table.file: cannot read \"nowhere.csv\": No such file or directory");
  const std::string words = scratch.write("words.csv", "0,1\n1,two\n");
  EXPECT_EQ(complaint(words, 2),
            "motion.a.table.file: " + words + ":2: expected numbers in columns 1 and 2, got \"1,two\"");
  const std::string back = scratch.write("back.csv", "0,1\n1,2\n1,3\n");
  EXPECT_EQ(complaint(back, 2), "motion.a.table.file: " + back + ":3: expected a time after 1 s, got 1 s");
  const std::string one = scratch.write("one.csv", "t,x\n0,1\n");
  EXPECT_EQ(complaint(one, 2), "motion.a.table.file: " + one + ": expected at least two rows");
}

RC_GTEST_PROP(Profile, EveryMoveArrives, ()) {
  const double to = any_within(-100, 99) / 10.0, in = any_within(1, 99) / 10.0, start = any_within(-50, 49) / 7.0;
  const double part = any_within(1, 99) / 100.0;
  for (const Profile& profile :
       {Profile{Cycloidal{to, in}}, Profile{Quintic{to, in}}, Profile{TrapezoidalVelocity{to, in, part * in / 2, 0}},
        Profile{TrapezoidalAcceleration{to, in, part * in / 4}}}) {
    const ProfileCurve curve(profile, start, "");
    const ProfileSample last = curve.at(in, in * (1 - 1e-9));
    RC_ASSERT(std::abs(last.value - to) < 1e-12 * (1 + std::abs(to) + std::abs(start)));
    RC_ASSERT(std::abs(last.rate) < 1e-11 * (1 + std::abs(to - start)) / in * 10);
  }
}

TEST(Profile, LinesGoStraightThroughTheirPoints) {
  const ProfileCurve curve(Profile{Lines{{{0.5, 1}, {1.5, 1}, {2, -1}}}}, 0.2, "");
  check_derivatives(curve, 2);
  EXPECT_EQ(curve.at(0).value, 0.2);
  EXPECT_NEAR(curve.at(0.25).value, 0.6, 1e-15);
  EXPECT_NEAR(curve.at(0.25).rate, 1.6, 1e-15);
  EXPECT_EQ(curve.at(1).rate, 0);
  EXPECT_NEAR(curve.at(1.75).rate, -4, 1e-14);
  EXPECT_EQ(curve.at(3).value, -1);
  EXPECT_EQ(curve.breakpoints(), (std::vector<double>{0.5, 1.5, 2}));
  EXPECT_LT(jumps(curve).value, 1e-14);
  EXPECT_NEAR(jumps(curve).rate, 4, 1e-14);
}

}  // namespace
}  // namespace lithe::testing
