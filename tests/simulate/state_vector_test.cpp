// The vectors SUNDIALS marches, beside those that come with it.
#include "lithe/simulate/state_vector.h"

#include <gtest/gtest.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>

#include <Eigen/Core>
#include <vector>

namespace lithe {
namespace {

/// Every operation on vectors of both kinds with the same entries.
class StateVectors : public testing::Test {
 protected:
  StateVectors() { SUNContext_Create(nullptr, &context_); }
  ~StateVectors() override {
    for (N_Vector vector : made_) N_VDestroy(vector);
    SUNContext_Free(&context_);
  }
  struct Pair {
    N_Vector ours, theirs;
  };
  Pair random_pair(int size) {
    const Pair pair{new_state_vector(size, context_), N_VNew_Serial(size, context_)};
    made_.push_back(pair.ours);
    made_.push_back(pair.theirs);
    entries(pair.ours).setRandom();
    entries(pair.theirs) = entries(pair.ours);
    return pair;
  }
  static Eigen::Map<Eigen::VectorXd> entries(N_Vector x) { return {NV_DATA_S(x), NV_LENGTH_S(x)}; }
  static void expect_equal(const Pair& pair, const char* what) {
    EXPECT_LT((entries(pair.ours) - entries(pair.theirs)).cwiseAbs().maxCoeff(), 1e-14) << what;
  }

  SUNContext context_ = nullptr;
  std::vector<N_Vector> made_;
};

TEST_F(StateVectors, OperateAsThoseOfTheLibrary) {
  for (const int size : {1, 2, 3, 4, 5, 14, 31, 50}) {
    const Pair x = random_pair(size), y = random_pair(size), z = random_pair(size);
    N_VLinearSum(0.3, x.ours, -1.7, y.ours, z.ours);
    N_VLinearSum(0.3, x.theirs, -1.7, y.theirs, z.theirs);
    expect_equal(z, "sum");
    N_VLinearSum(2, x.ours, 1, y.ours, y.ours);
    N_VLinearSum(2, x.theirs, 1, y.theirs, y.theirs);
    expect_equal(y, "sum in place");
    for (const double factor : {1.0, -1.0, 0.4}) {
      N_VScale(factor, x.ours, z.ours);
      N_VScale(factor, x.theirs, z.theirs);
      expect_equal(z, "multiple");
      N_VScale(factor, z.ours, z.ours);
      N_VScale(factor, z.theirs, z.theirs);
      expect_equal(z, "multiple in place");
    }
    EXPECT_NEAR(N_VWrmsNorm(x.ours, y.ours), N_VWrmsNorm(x.theirs, y.theirs), 1e-14);
  }
}

TEST_F(StateVectors, AddManyTermsInOnePass) {
  for (const int size : {1, 4, 14, 51})
    for (const int n_terms : {1, 2, 7, 13, 32, 33, 70}) {
      std::vector<N_Vector> ours, theirs;
      std::vector<double> factors;
      for (int k = 0; k < n_terms; ++k) {
        const Pair term = random_pair(size);
        ours.push_back(term.ours);
        theirs.push_back(term.theirs);
        factors.push_back(0.1 * (k % 7) - 0.25);
      }
      const Pair sum = random_pair(size);
      N_VLinearCombination(n_terms, factors.data(), ours.data(), sum.ours);
      N_VLinearCombination(n_terms, factors.data(), theirs.data(), sum.theirs);
      expect_equal(sum, "combination");
      factors[0] = 1;  // the library's own wants this where the sum takes the place of its first term
      N_VLinearCombination(n_terms, factors.data(), ours.data(), ours[0]);
      N_VLinearCombination(n_terms, factors.data(), theirs.data(), theirs[0]);
      expect_equal({ours[0], theirs[0]}, "combination in place of its first term");

      std::vector<N_Vector> our_sums, their_sums;
      for (int k = 0; k < n_terms; ++k) {
        const Pair result = random_pair(size);
        our_sums.push_back(result.ours);
        their_sums.push_back(result.theirs);
      }
      N_VScaleAddMulti(n_terms, factors.data(), sum.ours, ours.data(), our_sums.data());
      N_VScaleAddMulti(n_terms, factors.data(), sum.theirs, theirs.data(), their_sums.data());
      for (int k = 0; k < n_terms; ++k) expect_equal({our_sums[k], their_sums[k]}, "multiples of one added to many");
    }
}

TEST_F(StateVectors, CloneWithTheirOperations) {
  const Pair x = random_pair(5);
  N_Vector clone = N_VClone(x.ours);
  made_.push_back(clone);
  EXPECT_EQ(clone->ops->nvlinearcombination, x.ours->ops->nvlinearcombination);
  EXPECT_NE(clone->ops->nvlinearcombination, x.theirs->ops->nvlinearcombination);
}

TEST_F(StateVectors, WeighErrorsByToleranceOfEachEntry) {
  const Pair y = random_pair(9), weights = random_pair(9);
  error_weights(1e-3, 1e-5, y.ours, weights.ours);
  for (int i = 0; i < 9; ++i)
    EXPECT_NEAR(entries(weights.ours)[i] * (1e-3 * std::abs(entries(y.ours)[i]) + 1e-5), 1, 1e-14);
}

}  // namespace
}  // namespace lithe
