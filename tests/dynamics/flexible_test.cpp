// Every formulation on random arms with bending links, against points and differentiation (support/point_evaluator.h).
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "lithe/arm/kinematics.h"
#include "support/covering.h"
#include "support/draw.h"
#include "support/point_evaluator.h"
#include "support/random_arm.h"

namespace lithe::testing {
namespace {

struct Trial {
  Case data;
  Arm arm;
  State state;
  PointDynamics truth;
  VectorXd tau, vdot;  // something to try
};

Trial any_trial() {
  const auto seed = any_seed();
  FlexibleArmOptions options;
  options.arm.drive_line = *rc::gen::arbitrary<bool>();
  options.arm.base = *rc::gen::element(BaseType::fixed, BaseType::planar, BaseType::free, BaseType::moving);
  options.rotary_inertia = *rc::gen::arbitrary<bool>();
  options.elements = options.segments = true;
  options.strains = any_within(0, 2) == 0;
  // Half of the arms are chains of turning joints, the domain of recursive-lagrangian.
  options.arm.tree = options.arm.prismatic = *rc::gen::arbitrary<bool>();
  Case data = random_flexible_case(any_link_count(7), seed, options);
  Arm arm = Arm::assemble(data);
  State state = random_state(arm, seed);
  state.t = 0.3;
  PointDynamics truth = point_dynamics(data, state);
  const int nv = arm.nv();
  return {std::move(data),
          std::move(arm),
          std::move(state),
          std::move(truth),
          random_vector(nv, seed, 20),
          random_vector(nv, seed + 1, 5)};
}

double largest(const VectorXd& x) { return x.size() == 0 ? 0 : x.cwiseAbs().maxCoeff(); }

/// The largest force on the way to M v̇ + h = τ.
double force_scale(const Trial& trial, const VectorXd& vdot, const VectorXd& tau) {
  const PointDynamics& truth = trial.truth;
  return largest(truth.M.cwiseAbs() * vdot.cwiseAbs()) + largest(truth.coriolis) + largest(truth.gravity) +
         largest(truth.elastic) + largest(truth.damping) + largest(tau);
}

/// How far motion and torque are from satisfying the equations of motion of the points, relative to the largest force.
double residual(const Trial& trial, const VectorXd& vdot, const VectorXd& tau) {
  return largest(trial.truth.M * vdot + trial.truth.bias() - tau) / force_scale(trial, vdot, tau);
}

// The promise is 1e-9. Worst of 20 000 arms: 7e-14 of the largest force for motions, 2e-12 for Coriolis forces alone, where
// steep shapes and long arms bring sums well above their result.
constexpr double tolerance = 1e-11;

RC_GTEST_PROP(FlexibleArms, MassMatrixAndBiasAreThoseOfThePoints, ()) {
  const Trial trial = any_trial();
  const int nv = trial.arm.nv();
  if (nv == 0) return;
  const PointDynamics& truth = trial.truth;
  const std::pair<Terms, VectorXd> parts[] = {{Terms::coriolis, truth.coriolis},
                                              {Terms::gravity, truth.gravity},
                                              {Terms::elastic, truth.elastic},
                                              {Terms::damping, truth.damping},
                                              {Terms::all, truth.bias()}};
  for (const auto& dynamics : covering_with_default(trial.arm)) {
    MatrixXd M(nv, nv);
    VectorXd h(nv);
    dynamics->mass_matrix(trial.state, M);
    RC_ASSERT((M - truth.M).cwiseAbs().maxCoeff() <= tolerance * truth.M.cwiseAbs().maxCoeff());
    for (const auto& [terms, expected] : parts) {
      dynamics->bias(trial.state, terms, h);
      RC_ASSERT(largest(h - expected) <= tolerance * (1 + largest(expected)));
    }
  }
}

RC_GTEST_PROP(FlexibleArms, MotionSatisfiesTheEquationsOfThePoints, ()) {
  const Trial trial = any_trial();
  const int nv = trial.arm.nv();
  if (nv == 0) return;
  std::vector<bool> driven(nv, false);
  for (const Link& link : trial.arm.links()) {
    const bool choice = *rc::gen::arbitrary<bool>();
    for (int k = 0; k < link.nv(); ++k) driven[link.v0 + k] = choice;
  }
  for (const auto& dynamics : covering_with_default(trial.arm)) {
    VectorXd tau = trial.tau, vdot(nv);
    dynamics->forward(trial.state, tau, vdot);
    RC_ASSERT(residual(trial, vdot, tau) <= tolerance);

    dynamics->inverse(trial.state, trial.vdot, tau);
    RC_ASSERT(residual(trial, trial.vdot, tau) <= tolerance);

    tau = trial.tau;
    vdot = trial.vdot;
    dynamics->hybrid(trial.state, driven, tau, vdot);
    RC_ASSERT(residual(trial, vdot, tau) <= tolerance);
    for (int k = 0; k < nv; ++k) RC_ASSERT((driven[k] ? vdot[k] == trial.vdot[k] : tau[k] == trial.tau[k]));
  }
}

}  // namespace
}  // namespace lithe::testing
