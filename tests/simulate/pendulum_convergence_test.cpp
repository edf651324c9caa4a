// The flexible pendulum of example 21 swings the same by every kind of shape, at the rate each promises.
#include <gtest/gtest.h>

#include <cmath>

#include "app/run_program.h"
#include "lithe/simulate/run.h"

namespace lithe::testing {
namespace {

/// Where the tip is through the first second, and how far that is from a stiff strip's.
struct Path {
  std::vector<double> x, z;
  double largest_error = 0;
};

Path path_of(const std::string& file, const std::string& flexibility, const std::vector<Override>& changes = {}) {
  std::vector<Override> all{{"links[strip].beam.flexibility", flexibility},
                            {"simulate.for", "1 s"},
                            {"simulate.output_step", "0.05 s"},
                            {"simulate.rtol", "1e-9"},
                            {"simulate.atol", "1e-13"}};
  all.insert(all.end(), changes.begin(), changes.end());
  const CaseFile data = read_case(std::string(LITHE_SOURCE_DIR) + "/examples/21_flexible_pendulum/" + file, all);
  const TemporaryFolder scratch;
  RunOptions options;
  options.file = scratch.path() + "/results.h5";
  run(data, Arm::assemble(data.data), options);
  const Results results = Results::read(options.file);
  auto series = [&](const char* name) { return results.series[results.find(name)]; };
  Path path{series("tip.x"), series("tip.z")};
  const auto error_x = series("tip_error.x"), error_z = series("tip_error.z");
  for (size_t i = 0; i < error_x.size(); ++i)
    path.largest_error = std::max(path.largest_error, std::hypot(error_x[i], error_z[i]));
  return path;
}

/// Largest distance, as a part of the largest tip error.
double distance(const Path& a, const Path& b) {
  double largest = 0;
  for (size_t i = 0; i < a.x.size(); ++i) largest = std::max(largest, std::hypot(a.x[i] - b.x[i], a.z[i] - b.z[i]));
  return largest / b.largest_error;
}

std::string polynomials(int n) { return "{modes: {bending_z: " + std::to_string(n) + "}}"; }
std::string waves(int n) { return "{modes: {bending_z: " + std::to_string(n) + ", shape: clamped-free}}"; }
std::string elements(int n) { return "{elements: " + std::to_string(n) + ", plane: z}"; }
std::string reduced(int n) { return "{elements: 10, plane: z, keep: " + std::to_string(n) + "}"; }
std::string segments(int n) { return "{segments: " + std::to_string(n) + "}"; }

TEST(PendulumConvergence, PolynomialsFallFasterThanAnyPower) {
  const Path limit = path_of("case.yaml", polynomials(7));
  const double two = distance(path_of("case.yaml", polynomials(2)), limit),
               three = distance(path_of("case.yaml", polynomials(3)), limit),
               four = distance(path_of("case.yaml", polynomials(4)), limit);
  EXPECT_LT(two, 0.02);
  EXPECT_LT(three, two / 15);
  EXPECT_LT(four, three / 15);
}

TEST(PendulumConvergence, ElementsAreOfFourthOrderAndReductionKeepsThem) {
  const Path limit = path_of("case.yaml", reduced(8));
  const double one = distance(path_of("case.yaml", elements(1)), limit),
               two = distance(path_of("case.yaml", elements(2)), limit);
  EXPECT_NEAR(std::log2(one / two), 4, 0.3);
  EXPECT_LT(distance(path_of("case.yaml", reduced(6)), limit), 2e-4);
  // Polynomials have no shear, which is 8e-5 of the deflection of this strip.
  EXPECT_LT(distance(path_of("case.yaml", polynomials(6)), limit), 2e-4);
}

TEST(PendulumConvergence, ClampedFreeShapesAreFastWhereTheTipIsFree) {
  const Path limit = path_of("case.yaml", polynomials(7));
  const double two = distance(path_of("case.yaml", waves(2)), limit),
               four = distance(path_of("case.yaml", waves(4)), limit);
  EXPECT_GT(std::log2(two / four), 3) << two << " " << four;
}

TEST(PendulumConvergence, ClampedFreeShapesAreSlowOnAStripThatCarriesALink) {
  // The head bends the tip; no clamped-free shape has curvature there, and the tip's slope converges like 1/n.
  const Path limit = path_of("hammer.yaml", polynomials(6));
  const double two = distance(path_of("hammer.yaml", waves(2)), limit),
               eight = distance(path_of("hammer.yaml", waves(8)), limit),
               polynomial = distance(path_of("hammer.yaml", polynomials(4)), limit);
  EXPECT_NEAR(std::log2(two / eight) / 2, 1, 0.25);
  EXPECT_LT(polynomial, eight / 10);  // half as many
}

TEST(PendulumConvergence, SegmentsAreOfSecondOrderAndDrawTheTipIn) {
  // Chains of segments have finite turns: a bent one draws its tip in by 0.6 δ²/L, which shapes linear in δ leave out. So
  // their limit is another, by a part of the deflection that is proportional to it.
  auto gap = [](const char* push) {
    const std::vector<Override> changes{{"torque.hinge", std::string("{profile: {sequence: [quintic: {to: ") + push +
                                                             ", in: 0.4 s}, quintic: {to: 0, in: 0.4 s}]}}"}};
    const Path two = path_of("case.yaml", segments(2), changes), four = path_of("case.yaml", segments(4), changes),
               eight = path_of("case.yaml", segments(8), changes);
    EXPECT_NEAR(std::log2(distance(two, eight) / distance(four, eight)), std::log2(15.0 / 3), 0.3);  // of 1/n² − 1/64
    Path limit = eight;
    for (size_t i = 0; i < limit.x.size(); ++i) {
      limit.x[i] += (eight.x[i] - four.x[i]) / 3;
      limit.z[i] += (eight.z[i] - four.z[i]) / 3;
    }
    return distance(limit, path_of("case.yaml", polynomials(5), changes));
  };
  const double whole = gap("4 N.m"), half = gap("2 N.m");
  EXPECT_LT(whole, 5e-3);
  EXPECT_NEAR(whole / half, 2, 0.3);
}

}  // namespace
}  // namespace lithe::testing
