// The slewed two-link arm of example 17 comes out the same by every kind of shape, at the rate each promises.
#include <gtest/gtest.h>

#include <cmath>

#include "app/run_program.h"
#include "lithe/simulate/run.h"

namespace lithe::testing {
namespace {

/// How far the tip is off across the arm after one second.
double tip_error(const std::string& flexibility) {
  const std::string file = std::string(LITHE_SOURCE_DIR) + "/examples/17_two_link_slew/case.yaml";
  const CaseFile data = read_case(file, {{"arm.links[0].beam.flexibility", flexibility},
                                         {"arm.links[1].beam.flexibility", flexibility},
                                         {"simulate.for", "1 s"},
                                         {"simulate.output_step", "0.5 s"},
                                         {"simulate.rtol", "1e-9"},
                                         {"simulate.atol", "1e-12"}});
  const TemporaryFolder scratch;
  RunOptions options;
  options.file = scratch.path() + "/results.h5";
  run(data, Arm::assemble(data.data), options);
  const Results results = Results::read(options.file);
  return results.series[results.find("tip_error.y")].back();
}

/// Polynomials are beams without shear; their limit, to seven digits.
constexpr double without_shear = -3.073713e-3;

TEST(Convergence, PolynomialsHaveWhatTipLoadsNeedFromTheSecondOn) {
  EXPECT_GT(std::abs(tip_error("{modes: {bending_y: 1}}") / without_shear - 1), 0.1);
  EXPECT_LT(std::abs(tip_error("{modes: {bending_y: 2}}") / without_shear - 1), 1e-3);
  EXPECT_LT(std::abs(tip_error("{modes: {bending_y: 3}}") / without_shear - 1), 2e-5);
  EXPECT_LT(std::abs(tip_error("{modes: {bending_y: 4}}") / without_shear - 1), 1e-6);
}

TEST(Convergence, ClampedFreeShapesAreSlowOnALinkThatCarriesAnother) {
  // No bending moment at the tip in any of them, while the next link's weight puts one there: the error falls like 1/n.
  const double two = std::abs(tip_error("{modes: {bending_y: 2, shape: clamped-free}}") - without_shear),
               eight = std::abs(tip_error("{modes: {bending_y: 8, shape: clamped-free}}") - without_shear);
  const double order = std::log2(two / eight) / 2;
  EXPECT_GT(order, 0.9);
  EXPECT_LT(order, 1.5);
  EXPECT_GT(eight, 0.02 * std::abs(without_shear));  // eight of them are worse than two polynomials
}

TEST(Convergence, ElementsAreOfFourthOrderAndReductionKeepsThem) {
  const double fine = tip_error("{elements: 10, plane: y, keep: 6}");
  const double one = std::abs(tip_error("{elements: 1, plane: y}") - fine),
               two = std::abs(tip_error("{elements: 2, plane: y}") - fine);
  EXPECT_NEAR(std::log2(one / two), 4, 0.5);
  // Shear makes the arm softer, by what a tip load sees of it: 3EI/(κGA L²) is 1.6e-4 for these links.
  EXPECT_GT(fine / without_shear - 1, 1e-4);
  EXPECT_LT(fine / without_shear - 1, 2e-4);
}

TEST(Convergence, SegmentsAreOfSecondOrder) {
  const double two = std::abs(tip_error("{segments: 2}") - without_shear),
               four = std::abs(tip_error("{segments: 4}") - without_shear);
  EXPECT_NEAR(std::log2(two / four), 2, 0.3);
}

}  // namespace
}  // namespace lithe::testing
