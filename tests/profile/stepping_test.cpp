// A stepping motor's profile against one made by hand: crossings found on a fine grid and halved, moves summed one by one.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>

#include "app/run_program.h"
#include "lithe/describe/limits.h"
#include "lithe/describe/problem.h"
#include "lithe/profile/profile_curve.h"
#include "support/draw.h"

namespace lithe::testing {
namespace {

struct Witness {
  std::vector<std::pair<double, int>> moves;
  double start, size, in;

  Witness(const std::function<double(double)>& followed, double first, double duration, double step, double move)
      : start(first), size(step), in(move) {
    constexpr int n = 200'000;
    auto level = [&](double t) { return int(std::floor((followed(t) - start) / size + 0.5)); };
    int now = 0;
    for (int i = 0; i < n; ++i) {
      double a = duration * i / n, b = duration * (i + 1) / n;
      const int next = level(b), towards = next > now ? 1 : -1;
      for (; now != next; now += towards) {
        double low = a, high = b;
        for (int k = 0; k < 60; ++k) {
          const double middle = (low + high) / 2;
          ((towards > 0 ? level(middle) > now : level(middle) < now) ? high : low) = middle;
        }
        moves.emplace_back(high, towards);
      }
    }
  }
  double at(double t) const {
    double value = start;
    for (const auto& [begin, direction] : moves) {
      const double s = std::clamp((t - begin) / in, 0.0, 1.0);
      value += size * direction * (10 * std::pow(s, 3) - 15 * std::pow(s, 4) + 6 * std::pow(s, 5));
    }
    return value;
  }
};

/// How far values are from the witness's, and rate and acceleration from their differences, in multiples of what rounding allows.
double error_of(const Profile& followed, double start, double duration, double size, double in) {
  const ProfileCurve inner(followed, start, ""), stepped(Profile{Steps{followed, size, in}}, start, "");
  const Witness witness([&](double t) { return inner.at(t).value; }, start, duration, size, in);
  double worst = 0;
  const double end = duration + in, h = 1e-6 * in;
  for (double t = 0.00317 * end; t < 1.05 * end; t += 0.00731 * end) {
    // Where the profile touches a value, rounding decides how long it is beyond; halving finds times to some 1e-15 of the run.
    worst = std::max(worst, std::abs(stepped.at(t).value - witness.at(t)) / (1e-7 * size));
    bool near_a_break = false;
    for (const double b : stepped.breakpoints()) near_a_break |= std::abs(t - b) < 2 * h;
    if (near_a_break) continue;
    const double rate = (stepped.at(t + h).value - stepped.at(t - h).value) / (2 * h),
                 acceleration = (stepped.at(t + h).rate - stepped.at(t - h).rate) / (2 * h);
    // Rounding of values over h, and h² of the quintic's third derivative of 60 size/in³.
    const double few = 1 + double(witness.moves.size());
    worst = std::max(worst, std::abs(rate - stepped.at(t).rate) / (1e-6 * few * (size + std::abs(start) + 1) / in));
    worst =
        std::max(worst, std::abs(acceleration - stepped.at(t).acceleration) / (1e-5 * few * (size + 1) / (in * in)));
  }
  return worst;
}

RC_GTEST_PROP(SteppingMotor, IsTheSumOfItsMoves, ()) {
  const double to = any_within(-300, 300) / 97.0, start = any_within(-50, 50) / 41.0, T = any_within(50, 300) / 101.0;
  const double size = any_within(20, 300) / 1003.0, in = any_within(5, 400) / 1007.0;
  const double amplitude = any_within(5, 120) / 103.0, frequency = any_within(2, 30) / 11.0;
  RC_ASSERT(error_of({Cycloidal{to, T}}, start, T, size, in) < 1);
  RC_ASSERT(error_of({TrapezoidalAcceleration{to, T, T / 10}}, start, T, size, in) < 1);
  RC_ASSERT(error_of({Sinusoid{amplitude, frequency, 0, T}}, start, T, size, in) < 1);
  RC_ASSERT(error_of({Lines{{{T / 3, to}, {T / 2, start - to}, {T, start}}}}, start, T, size, in) < 1);
  const Profile sequence{
      Sequence{{{Quintic{to, T}}, {Dwell{T / 2}}, {Sinusoid{amplitude, frequency, 0, T / 2}}, {Cycloidal{start, T}}}}};
  RC_ASSERT(error_of(sequence, start, 3 * T, size, in) < 1);
}

TEST(SteppingMotor, FollowsATableThatTurnsBetweenItsRows) {
  const TemporaryFolder scratch;
  std::string text;
  for (int i = 0; i <= 12; ++i)
    text += std::to_string(0.1 * i) + "," + std::to_string(0.8 * std::sin(1.7 * i) - 0.8 * std::sin(0.0)) + "\n";
  EXPECT_LT(error_of({Table{scratch.write("table.csv", text), 2}}, 0, 1.2, 0.11, 0.07), 1);
}

TEST(SteppingMotor, StepsWhereASineCrossesHalfAStep) {
  // 1.2 steps at 1 Hz: crosses half a step at asin(0.5/1.2)/2π, and turns around before a step and a half.
  const double size = 0.1, in = 0.02, first = std::asin(0.5 / 1.2) / (2 * M_PI);
  const ProfileCurve curve(Profile{Steps{Profile{Sinusoid{1.2 * size, 1, 0, 1.0}}, size, in}}, 0.3, "");
  std::vector<double> expected;
  for (const double t : {first, 0.5 - first, 0.5 + first, 1 - first}) expected.insert(expected.end(), {t, t + in});
  expected.push_back(1);
  ASSERT_EQ(curve.breakpoints().size(), expected.size());
  for (size_t k = 0; k < expected.size(); ++k) EXPECT_NEAR(curve.breakpoints()[k], expected[k], 1e-14) << k;
  EXPECT_EQ(curve.at(first - 1e-9).value, 0.3);
  EXPECT_NEAR(curve.at(first + in / 2).value, 0.3 + size / 2, 1e-13);
  EXPECT_NEAR(curve.at(0.25).value, 0.3 + size, 1e-15);
  EXPECT_NEAR(curve.at(0.75).value, 0.3 - size, 1e-15);
  EXPECT_NEAR(curve.at(2).value, 0.3, 1e-15);
}

TEST(SteppingMotor, WhatOnlyTouchesHalfAStepIsNoStep) {
  for (const double amplitude : {0.05, 0.05 * (1 - 1e-12), 0.05 * (1 + 1e-12), 0.049}) {
    const ProfileCurve curve(Profile{Steps{Profile{Sinusoid{amplitude, 3, 0, 2.0}}, 0.1, 0.01}}, 0, "");
    EXPECT_EQ(curve.breakpoints(), std::vector<double>{2.0});
  }
}

TEST(SteppingMotor, OverlappingMovesAddUpAndTheNextPartStartsWhereItStops) {
  // 0.37 in steps of 0.1 is four steps; each takes longer than the whole profile.
  const Profile followed{Lines{{{0.1, 0.37}}}};
  const ProfileCurve curve(Profile{Sequence{{{Steps{followed, 0.1, 0.5}}, {Quintic{1, 1}}}}}, 0, "");
  const double last = 0.35 / 0.37 * 0.1 + 0.5;
  EXPECT_NEAR(curve.at(last, last - 1e-9).value, 0.4, 1e-15);
  EXPECT_NEAR(curve.at(last + 0.5).value, 0.7, 1e-12);
  EXPECT_NEAR(curve.breakpoints().back(), last + 1, 1e-14);
  // All derivatives up to the acceleration are continuous.
  for (const double t : curve.breakpoints()) {
    EXPECT_NEAR(curve.at(t, t - 1e-7).rate, curve.at(t, t + 1e-7).rate, 1e-11);
    EXPECT_NEAR(curve.at(t, t - 1e-7).acceleration, curve.at(t, t + 1e-7).acceleration, 1e-9);
  }
}

TEST(SteppingMotor, CostsTheSameHoweverManyMovesAreUnderWay) {
  // 900 moves under way at once, against one: when moves were summed at every time, it took 900 times as long, not twice.
  auto seconds = [](double in) {
    const ProfileCurve curve(Profile{Steps{Profile{Lines{{{1, 1}}}}, 1e-3, in}}, 0, "");
    double best = 1e9, sum = 0;
    for (int round = 0; round < 5; ++round) {
      const auto begin = std::chrono::steady_clock::now();
      for (int k = 0; k < 10'000; ++k) sum += curve.at(0.9 + 1e-5 * k).value;
      best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    }
    EXPECT_GT(sum, 0);
    return best;
  };
  EXPECT_LT(seconds(0.9), 30 * seconds(0.9e-3));
  // And the sum is right.
  EXPECT_LT(error_of({Lines{{{1, 1}}}}, 0, 1, 1e-3, 0.9), 1);
}

TEST(SteppingMotor, RefusesWhatHasTooManySteps) {
  auto complaint = [](const Profile& profile) -> std::string {
    try {
      ProfileCurve(profile, 0, "motion.a");
      return "";
    } catch (const FieldError& error) {
      return error.path() + ": " + error.what();
    }
  };
  EXPECT_EQ(complaint({Steps{Profile{Quintic{1, 1}}, 1e-6, 1}}),
            "motion.a.steps.size: asks for more than 100000 steps: give a larger one, or a shorter profile `of`");
  EXPECT_EQ(complaint({Steps{Profile{Sinusoid{1, 10, 0, 1000.0}}, 0.1, 1}}),
            "motion.a.steps.size: asks for more than 100000 steps: give a larger one, or a shorter profile `of`");
  // 900 at once are summed up; 1100 are not.
  EXPECT_EQ(complaint({Steps{Profile{Lines{{{1, 1}}}}, 1e-3, 0.9}}), "");
  EXPECT_EQ(complaint({Steps{Profile{Lines{{{1, 1}}}}, 0.9e-3, 5}}),
            "motion.a.steps.in: is so long that more than 1000 steps are under way at once: give a shorter one, or a "
            "larger size");
  EXPECT_EQ(complaint({Steps{Profile{Sinusoid{0.01, 1e9, 0, 1e9}}, 0.1, 1}}),
            "motion.a.steps.of: turns around or changes more than 100000 times: give a shorter one");
  EXPECT_EQ(
      complaint({Steps{Profile{Sinusoid{1, 1, M_PI / 2, 1.0}}, 0.1, 1}}),
      "motion.a.steps.of: jumps from 0 to 1 at t = 0 s, which no motor can follow step by step: end this part where "
      "the next begins");
}

}  // namespace
}  // namespace lithe::testing
