#include "lithe/arm/passive_forces.h"

#include <gtest/gtest.h>

#include <cmath>

namespace lithe {
namespace {

const JointForces everything{0.3, Friction{2, 1, 0.01}, Spring{10, 0.5}, Limits{-1, 1, 200, 5}};

TEST(JointForces, ElasticPartIsTheSlopeOfItsEnergy) {
  for (double q = -1.5; q < 1.5; q += 0.0371) {
    const double h = 1e-6;  // away from the corners of the stop by more than h
    EXPECT_NEAR((everything.energy(q + h) - everything.energy(q - h)) / (2 * h), everything.elastic(q), 1e-6);
  }
}

TEST(JointForces, NeverPutEnergyIn) {
  for (double q = -1.5; q < 1.5; q += 0.1)
    for (double rate = -3; rate < 3; rate += 0.07) EXPECT_GE(everything.dissipative(q, rate) * rate, 0);
}

TEST(JointForces, FrictionHasALevelPerDirection) {
  const JointForces friction{0, Friction{2, 1, 0.01}, {}, {}};
  EXPECT_NEAR(friction.dissipative(0, 1), 2, 1e-12);
  EXPECT_NEAR(friction.dissipative(0, -1), -1, 1e-12);
  EXPECT_NEAR(friction.dissipative(0, 0.01), 2 * std::tanh(1), 1e-15);
  EXPECT_EQ(friction.dissipative(0, 0), 0);
}

TEST(JointForces, StopResistsInwardMotionOnly) {
  const JointForces stop{0, {}, {}, Limits{-1, 1, 200, 5}};
  EXPECT_EQ(stop.elastic(0.99), 0);
  EXPECT_NEAR(stop.elastic(1.1), 20, 1e-12);
  EXPECT_NEAR(stop.elastic(-1.1), -20, 1e-12);
  EXPECT_NEAR(stop.dissipative(1.1, 2), 10, 1e-12);  // pressing in, deeper than where damping sets in
  EXPECT_EQ(stop.dissipative(1.1, -2), 0);           // on its way out
  EXPECT_EQ(stop.dissipative(0.9, 2), 0);
}

}  // namespace
}  // namespace lithe
