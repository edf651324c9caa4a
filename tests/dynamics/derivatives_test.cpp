// Derivatives of the dynamics, derived by hand, against dual numbers run through Kane's equations (support/kane_slopes.h).
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "lithe/dynamics/derivatives/inverse_derivatives.h"
#include "support/kane_slopes.h"
#include "support/random_arm.h"

namespace lithe::testing {
namespace {

double largest(const MatrixXd& x) { return x.size() == 0 ? 0 : x.cwiseAbs().maxCoeff(); }

struct Trial {
  Arm arm;
  State state;
  VectorXd vdot;
};

Trial any_trial() {
  const auto seed = *rc::gen::inRange(0u, 1u << 30);
  FlexibleArmOptions options;
  options.arm.drive_line = *rc::gen::arbitrary<bool>();
  options.arm.base = *rc::gen::element(BaseType::fixed, BaseType::planar, BaseType::free, BaseType::moving);
  options.rotary_inertia = *rc::gen::arbitrary<bool>();
  Case data = random_flexible_case(*rc::gen::inRange(1, 7), seed, options);
  if (*rc::gen::inRange(0, 4) == 0) data.arm.inertia = InertiaOrder::first_order;
  Arm arm = Arm::assemble(data);
  State state = random_state(arm, seed);
  state.t = 0.3;
  const int nv = arm.nv();
  return {std::move(arm), std::move(state), random_vector(nv, seed + 1, 5)};
}

/// Largest difference from the witness, relative to the largest entry.
double difference(const MatrixXd& found, const MatrixXd& expected) {
  return largest(found - expected) / (1e-300 + largest(expected));
}

RC_GTEST_PROP(Derivatives, OfInverseDynamicsAreThoseOfDualNumbers, ()) {
  const Trial trial = any_trial();
  if (trial.arm.nv() == 0) return;
  InverseDerivatives derivatives(trial.arm);
  derivatives.update(trial.state, trial.vdot);
  const InverseSlopes expected = kane_slopes(trial.arm, trial.state, trial.vdot);
  RC_ASSERT(difference(derivatives.force(), expected.force) <= 1e-12);
  RC_ASSERT(difference(derivatives.by_rate(), expected.by_rate) <= 1e-12);
  RC_ASSERT(difference(derivatives.by_position(), expected.by_position) <= 1e-12);
}

}  // namespace
}  // namespace lithe::testing
