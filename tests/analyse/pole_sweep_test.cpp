// Poles followed over a number: an oscillator by its closed form, paths that cross, and the command over poses and gains.
#include "lithe/analyse/pole_sweep.h"

#include <gtest/gtest.h>

#include <cmath>

#include "app/run_program.h"

namespace lithe::testing {
namespace {

using Complex = std::complex<double>;

std::vector<double> numbers(double from, double to, int count) {
  std::vector<double> values;
  for (int k = 0; k < count; ++k) values.push_back(from + (to - from) * k / (count - 1));
  return values;
}

TEST(PoleSweep, FollowsPathsThatCross) {
  // Two pairs that swap places on the imaginary axis, given in an order that changes from value to value.
  const PoleSweep sweep = sweep_poles("x", "", numbers(-1, 1, 40), [](double x) {
    Eigen::VectorXcd poles(4);
    const Complex a(-0.1, 5 + x), b(-0.2, 5 - x);
    if (std::lround(39 * (x + 1) / 2) % 2 == 0)
      poles << a, std::conj(a), b, std::conj(b);
    else
      poles << std::conj(b), b, std::conj(a), a;
    return poles;
  });
  ASSERT_EQ(sweep.branches.size(), 4u);
  for (const auto& branch : sweep.branches) {
    const double growth = branch[0].real();
    for (const Complex& pole : branch) EXPECT_EQ(pole.real(), growth);
    // Straight on through the crossing.
    for (size_t i = 2; i < branch.size(); ++i)
      EXPECT_LT(std::abs(branch[i] - 2.0 * branch[i - 1] + branch[i - 2]), 1e-12);
  }
  EXPECT_EQ(stable_stretches(sweep), (std::vector<std::pair<double, double>>{{-1, 1}}));
}

TEST(PoleSweep, FindsWhereStabilityEnds) {
  // s² + 2 d s + 9 with d = x² − 1: unstable from −1 to 1.
  const PoleSweep sweep = sweep_poles("x", "", numbers(-2, 2, 201), [](double x) {
    const Complex root = std::sqrt(Complex((x * x - 1) * (x * x - 1) - 9));
    return Eigen::VectorXcd(Eigen::Vector2cd(-(x * x - 1) + root, -(x * x - 1) - root));
  });
  const auto stretches = stable_stretches(sweep);
  ASSERT_EQ(stretches.size(), 2u);
  EXPECT_NEAR(stretches[0].second, -1, 1e-3);  // a line between values 0.02 apart
  EXPECT_NEAR(stretches[1].first, 1, 1e-3);
  EXPECT_NEAR(sweep.damping[100], -1. / 3, 1e-12);
  EXPECT_THROW(
      sweep_poles("x", "", {0, 1}, [](double x) { return Eigen::VectorXcd(Eigen::VectorXcd::Ones(x > 0.5 ? 3 : 2)); }),
      Error);
}

/// A joint of inertia 2 under a law that its own rate may feed.
const char* const joint = R"(
arm:
  gravity: [0, 0, 0]
  links:
    - {name: arm, joint: {name: hinge, type: revolute, axis: [0, 0, 1]}, rigid: {mass: 1, inertia: {xx: 1, yy: 1, zz: 2}}}
torque: {hinge: {pd: {kp: 50, kd: 4, target: 0, feedback: [{of: hinge, rate: 0}]}}}
simulate: {for: 1 s}
)";

TEST(PoleSweep, ByCommandOverGainsIsTheClosedForm) {
  const TemporaryFolder scratch;
  const std::string file = scratch.write("case.yaml", joint);
  const auto answer = json_of({"linearise", file, "--closed-loop", "--sweep", "torque.hinge.pd.kp=20..120 N.m/rad",
                               "--sweep", "torque.hinge.pd.feedback[0].rate=-8..8", "--points", "11,3", "--json"});
  ASSERT_EQ(answer["results"].size(), 3u);
  for (const auto& one : answer["results"]) {
    const double d = (4 + double(one["torque.hinge.pd.feedback[0].rate"])) / 4;
    for (size_t i = 0; i < one["values"].size(); ++i) {
      const Complex root = std::sqrt(Complex(d * d - double(one["values"][i]) / 2));
      EXPECT_NEAR(double(one["growth"][i]), std::max((-d + root).real(), (-d - root).real()), 1e-9);
    }
    EXPECT_EQ(one["stable"].size(), d > 0 ? 1u : 0u);
  }
}

TEST(PoleSweep, ByCommandOverAPoseIsTheModelThere) {
  const TemporaryFolder scratch;
  const std::string file = example("31_ralf_sam/control.yaml"), csv = scratch.path() + "/poles.csv";
  const auto swept = json_of({"linearise", file, "--closed-loop", "--set", "motion=", "--sweep", "elbow=-90..-30deg",
                              "--points", "3", "-o", csv, "--json"});
  const auto there =
      json_of({"linearise", file, "--closed-loop", "--set", "motion=", "--set", "initial.elbow=-60 deg", "--json"});
  double growth = -1e300;
  for (const auto& pole : there["poles"]) growth = std::max(growth, double(pole["real"]));
  EXPECT_NEAR(double(swept["results"][0]["growth"][1]), growth, 1e-6 * (1 + std::abs(growth)));
  EXPECT_NE(double(swept["results"][0]["growth"][0]), double(swept["results"][0]["growth"][2]));
  const std::string table = read_text(csv);
  EXPECT_EQ(table.find("elbow [deg],growth [1/s],damping,pole1.real [1/s],"), 0u);
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 4);
}

TEST(PoleSweep, RefusesWhatItCannotSweep) {
  const TemporaryFolder scratch;
  const std::string file = scratch.write("case.yaml", joint);
  auto said = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"linearise", file});
    const Finished finished = run_program(words);
    EXPECT_EQ(finished.code, 2);
    return finished.err;
  };
  EXPECT_EQ(said({"--sweep", "hinge"}).find("lithe: --sweep: expected NAME=LOW..HIGH"), 0u);
  EXPECT_EQ(said({"--sweep", "hinge=1..1"}).find("lithe: --sweep: expected LOW..HIGH and a unit"), 0u);
  EXPECT_EQ(said({"--sweep", "hinge=1..2 m"}).find("lithe: --sweep hinge: expected an angle"), 0u);
  EXPECT_EQ(said({"--sweep", "hinge=1..2", "--points", "1"}).find("lithe: --points: expected one or two numbers"), 0u);
  EXPECT_EQ(said({"--points", "5"}).find("lithe: --points: needs --sweep"), 0u);
  EXPECT_NE(said({"--closed-loop", "--sweep", "torque.hinge.pd.kq=1..2"}).find("kq"), std::string::npos);
}

TEST(DivergenceSweep, TakesUnitsAndRefusesOthers) {
  const std::string file = example("29_diverging_wing/case.yaml");
  const auto answer = json_of({"divergence", file, "--count", "2", "--sweep", "36..216 km/h", "--json"});
  EXPECT_NEAR(double(answer["speeds"].front()), 10, 1e-12);
  EXPECT_NEAR(double(answer["speeds"].back()), 60, 1e-12);
  const Finished refused = run_program({"divergence", file, "--sweep", "60..10 m/s"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_EQ(refused.err.find("lithe: --sweep: expected two speeds above zero, the lower one first"), 0u) << refused.err;
}

}  // namespace
}  // namespace lithe::testing
