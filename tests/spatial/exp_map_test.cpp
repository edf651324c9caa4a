// The exponential of rotation vectors and its derivatives, against a power series carried along with its own derivatives.
#include "lithe/spatial/exp_map.h"

#include <gtest/gtest.h>

#include "support/jet.h"
#include "support/random_arm.h"

namespace lithe::testing {
namespace {

// At nothing, next to nothing, either side of where the formula changes (1 rad), near and beyond half a turn.
const double angles[] = {0, 1e-12, 1e-6, 1e-3, 0.3, 0.99, 1 - 1e-12, 1 + 1e-12, 1.01, 2, M_PI - 1e-7, M_PI, 3.5};

// Above 1 rad the derivatives c′ and b′ come from differences of nearby numbers, which cost up to two digits there.
constexpr double tolerance = 1e-13;

TEST(ExpMap, IsThePowerSeriesWithItsDerivatives) {
  for (const double angle : angles) {
    for (unsigned seed = 0; seed < 20; ++seed) {
      const Vector3d theta = angle * Vector3d(random_vector(3, seed)).normalized(), a = random_vector(3, seed + 100),
                     b = random_vector(3, seed + 200);
      JetVector moving;
      for (int i = 0; i < 3; ++i) moving[i] = Jet(theta[i], a[i], b[i]);
      const JetMatrix series = jet_exp(moving);
      const Matrix3d R = part(series, &Jet::value), R_a = part(series, &Jet::a), R_b = part(series, &Jet::b),
                     R_ab = part(series, &Jet::ab);
      const ExpMap map(theta);
      EXPECT_LT((map.rotation() - R).norm(), tolerance) << angle;
      // Angular velocity in the unturned axes, and how it changes with θ.
      EXPECT_LT((map.left_jacobian() * a - vee(R_a * R.transpose())).norm(), tolerance) << angle;
      const Vector3d change = vee(R_ab * R.transpose() + R_a * R_b.transpose());
      EXPECT_LT((map.left_jacobian_derivative(b, a) - change).norm(), tolerance) << angle;
    }
  }
}

}  // namespace
}  // namespace lithe::testing
