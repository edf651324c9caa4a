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

TEST(PoleSweep, FollowsThePoleThatCrosses) {
  // An undamped mode stands on the axis up to rounding; the end is that of the real pole, x − 0.3.
  const PoleSweep sweep = sweep_poles("x", "", {0, 0.5, 1}, [](double x) {
    const double hair = x > 0.4 ? 1e-12 : -1e-12;
    return Eigen::VectorXcd(Eigen::Vector3cd(Complex(hair, 100), Complex(hair, -100), 0.3 - x));
  });
  const auto stretches = stable_stretches(sweep);
  ASSERT_EQ(stretches.size(), 1u);
  EXPECT_NEAR(stretches[0].first, 0.3, 1e-12);
  EXPECT_EQ(stretches[0].second, 1);
}

TEST(PoleSweep, ComparesEachPoleWithItself) {
  // Beside a pole of 10⁷ 1/s, a growth of 0.9 1/s is one, and what is below 10⁻⁷ of it is not known.
  const PoleSweep sweep = sweep_poles("x", "", {0, 1, 2}, [](double x) {
    const Complex slow = x < 0.5 ? Complex(0.9, 50) : x < 1.5 ? Complex(-0.9, 50) : Complex(1e-9, 0);
    return Eigen::VectorXcd(Eigen::Vector3cd(slow, std::conj(slow), -1e7));
  });
  EXPECT_TRUE(sweep.unstable(0));
  EXPECT_TRUE(sweep.stable(1));
  EXPECT_FALSE(sweep.unstable(2) || sweep.stable(2));
  EXPECT_EQ((std::vector<int>{sweep.at_zero(0), sweep.at_zero(1), sweep.at_zero(2)}), (std::vector<int>{0, 0, 2}));
  EXPECT_EQ(stable_stretches(sweep), (std::vector<std::pair<double, double>>{{0.5, 1}}));
  // No damping is 0, not −0.
  const PoleSweep free = sweep_poles(
      "x", "", {0}, [](double) { return Eigen::VectorXcd(Eigen::Vector2cd(Complex(0, 1), Complex(0, -1))); });
  EXPECT_FALSE(std::signbit(free.damping[0]));
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

TEST(PoleSweep, ByCommandAnUprightLinkFallsBelowItsWeight) {
  // m g l/2 = 5.297 N·m falls when kp is less; bending adds a part m g l²/(8 EI) or so, 0.2 %.
  const TemporaryFolder scratch;
  auto swept = [&](int elements, const std::string& kp, const std::string& points) {
    const std::string file = scratch.write("upright.yaml", R"(
arm:
  gravity: [0, -9.81, 0]
  links:
    - name: bar
      joint: {name: hinge, type: revolute, axis: [0, 0, 1]}
      beam: {length: 1, material: aluminium, section: {rectangle: {width_y: 20 mm, height_z: 20 mm}}, flexibility: {elements: )" +
                                                               std::to_string(elements) + R"(, plane: y}}
torque: {hinge: {pd: {kp: 5, kd: 1, target: 90 deg}}}
simulate: {for: 1 s}
)");
    return json_of({"linearise", file, "--q", "hinge=1.5707963267948966", "--closed-loop", "--sweep",
                    "torque.hinge.pd.kp=" + kp, "--points", points, "--json"})["results"][0];
  };
  const auto few = swept(4, "4.2..6.2", "11");
  ASSERT_EQ(few["stable"].size(), 1u) << few["stable"];
  EXPECT_NEAR(double(few["stable"][0][0]), 0.02 * 0.02 * 2700 * 9.81 / 2, 0.02);
  EXPECT_EQ(double(few["stable"][0][1]), 6.2);
  for (const int elements : {30, 100}) {
    const auto many = swept(elements, "2..20", "4");
    ASSERT_EQ(many["stable"].size(), 1u) << many["stable"];
    EXPECT_GT(double(many["stable"][0][0]), 5.29) << elements;
    EXPECT_LE(double(many["stable"][0][0]), 14) << elements;
  }
}

TEST(PoleSweep, ByCommandAFreeJointIsNotJudged) {
  const TemporaryFolder scratch;
  const std::string file = scratch.write("case.yaml", joint);
  const std::vector<std::string> words{"linearise", file, "--sweep", "hinge=0..1rad", "--points", "3"};
  const Finished finished = run_program(words);
  EXPECT_EQ(finished.code, 0) << finished.err;
  EXPECT_NE(finished.out.find("   2 poles at zero\n"), std::string::npos) << finished.out;
  EXPECT_NE(finished.out.find("\nnowhere stable\n"), std::string::npos) << finished.out;
}

TEST(PoleSweep, ByCommandAPoseIsTheSameWhereAnotherSweepChangesTheCoordinates) {
  const std::string file = example("17_two_link_slew/case.yaml"),
                    shapes = "links[upper].beam.flexibility.modes.bending_y=";
  auto swept = [&](std::vector<std::string> more) {
    std::vector<std::string> words{"linearise", file, "--json", "--sweep", "elbow=-120..0deg"};
    words.insert(words.end(), more.begin(), more.end());
    return json_of(words)["results"];
  };
  const auto both = swept({"--sweep", shapes + "1..3", "--points", "2,2"});
  ASSERT_EQ(both.size(), 2u);
  for (const int n : {1, 3}) {
    const auto one = swept({"--set", shapes + std::to_string(n), "--points", "2"})[0];
    EXPECT_EQ(both[n / 2]["poles"], one["poles"]) << n;
  }
  EXPECT_NE(both[0]["poles"].back()[0], both[0]["poles"].back()[1]) << "the pose matters";
}

TEST(PoleSweep, WarnsOfManyTurns) {
  const TemporaryFolder scratch;
  const std::string file = scratch.write("case.yaml", joint);
  auto said = [&](const std::string& span) {
    const Finished finished = run_program({"linearise", file, "--sweep", "hinge=" + span, "--points", "2"});
    EXPECT_EQ(finished.code, 0);
    return finished.err;
  };
  EXPECT_EQ(said("-120..0"), "--sweep hinge: warning: -120 rad is 19.1 turns: did you mean hinge=-120..0deg?\n");
  EXPECT_EQ(said("-120..0rad"), "");
  EXPECT_EQ(said("-12..0"), "");
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
  EXPECT_EQ(said({"--sweep", "hinge=0..1", "--sweep", "hinge=0..2"}), "lithe: --sweep: 'hinge' is given twice\n");
  EXPECT_EQ(said({"--sweep", "hinge=0..1", "--points", "5,3"}),
            "lithe: --points: expected one number for one sweep, got \"5,3\"\n");
  for (const std::vector<std::string>& extra :
       {std::vector<std::string>{"--range", "1,2"}, {"--input", "hinge"}, {"--tip", "arm"}}) {
    std::vector<std::string> words{"--sweep", "hinge=0..1"};
    words.insert(words.end(), extra.begin(), extra.end());
    EXPECT_EQ(said(words),
              "lithe: --sweep: leave out --range, --input and --tip: poles have neither inputs nor outputs\n");
  }
  EXPECT_EQ(said({"--sweep", "hing=0..1"}),
            "lithe: --sweep: no joint 'hing', did you mean 'hinge'? Joints: hinge; or a field of the case, as in "
            "torque.elbow.pd.kp\n");
  EXPECT_EQ(said({"--sweep", "hinge=0..1", "-o", "folder"}),
            "lithe: -o: with --sweep, expected a file name ending in .svg, .png, .pdf or .csv, got \"folder\"\n");
  const Finished bent = run_program({"linearise", example("17_two_link_slew/case.yaml"), "--sweep", "upper.1=0..0.1"});
  EXPECT_EQ(bent.code, 2);
  EXPECT_EQ(
      bent.err,
      "lithe: --sweep upper.1: expected a joint: equilibrium gives deflections, and rotors follow their joints\n");
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
