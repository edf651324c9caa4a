// Kane and Levinson's arm: mass matrix and weight against the textbook's coefficients, its motion against a separate program.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "closed_form/kane_levinson_arm.h"
#include "support/covering.h"
#include "support/random_arm.h"
#include "support/run_results.h"

namespace lithe::testing {
namespace {

const std::string example = LITHE_SOURCE_DIR "/examples/28_kane_levinson_arm/case.yaml";

TEST(KaneLevinsonArm, CoefficientsAreTheTextbooks) {
  const closed_form::KaneLevinsonArm closed;
  const Arm arm = Arm::assemble(read_case(example).data);
  for (const auto& formulation : covering_with_default(arm))
    for (unsigned seed = 0; seed < 5; ++seed) {
      const State state = random_state(arm, seed);
      MatrixXd M(3, 3);
      VectorXd gravity(3);
      formulation->mass_matrix(state, M);
      formulation->bias(state, Terms::gravity, gravity);
      EXPECT_LT((M - closed.M(state.q)).cwiseAbs().maxCoeff(), 1e-13 * M.norm()) << formulation->name();
      EXPECT_LT((gravity - closed.gravity(state.q)).cwiseAbs().maxCoeff(), 1e-13 * 200) << formulation->name();
    }
}

struct Row {
  double t, hub, tilt, slide;
};
std::vector<Row> reference_motion() {
  std::ifstream file(LITHE_SOURCE_DIR "/tests/reference/kane_arm_equivalent.csv");
  std::string line;
  std::getline(file, line);
  std::vector<Row> rows;
  while (std::getline(file, line)) {
    std::replace(line.begin(), line.end(), ',', ' ');
    Row row{};
    std::istringstream(line) >> row.t >> row.hub >> row.tilt >> row.slide;
    rows.push_back(row);
  }
  if (rows.size() != 61) throw std::runtime_error("kane_arm_equivalent.csv: expected 61 rows");
  return rows;
}

// By abdelaziz04's method and formulation, and by ours.
TEST(KaneLevinsonArm, SettlesAsASeparateProgramHasIt) {
  const auto expected = reference_motion();
  for (const auto& [method, formulation] : {std::pair{"merson", "kane"}, {"cvode", "articulated"}}) {
    const Results results =
        results_of(read_case(example, {{"simulate.method", method}, {"simulate.formulation", formulation}}));
    const auto &hub = series(results, "hub"), &tilt = series(results, "tilt"), &slide = series(results, "slide");
    double worst = 0;
    for (const Row& row : expected) {
      const size_t k = size_t(std::lround(row.t / 0.05));
      ASSERT_NEAR(results.time[k], row.t, 1e-9);
      for (const double difference : {hub[k] - row.hub, tilt[k] - row.tilt, slide[k] - row.slide})
        worst = std::max(worst, std::abs(difference));
    }
    EXPECT_LT(worst, 1e-7) << method;  // rtol is 1e-8
    // Rises, overshoots slightly, settles.
    const double overshoot = *std::max_element(hub.begin(), hub.end()) / (M_PI / 3) - 1;
    EXPECT_NEAR(overshoot, 0.055, 1e-3);
    EXPECT_NEAR(hub.back(), M_PI / 3, 1e-4);
  }
}

}  // namespace
}  // namespace lithe::testing
