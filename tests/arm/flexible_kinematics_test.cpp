// Where bending links are and how they move, against points and differentiation (support/point_evaluator.h).
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "lithe/arm/kinematics.h"
#include "support/draw.h"
#include "support/point_evaluator.h"
#include "support/random_arm.h"

namespace lithe::testing {
namespace {

struct Trial {
  Arm arm;
  State state;
  PointDynamics truth;
  Kinematics kin;
};

Trial any_trial(TipRotation tip_rotation) {
  const auto seed = any_seed();
  FlexibleArmOptions options;
  options.arm.drive_line = *rc::gen::arbitrary<bool>();
  options.arm.base = *rc::gen::element(BaseType::fixed, BaseType::planar, BaseType::free, BaseType::moving);
  options.tip_rotation = tip_rotation;
  options.rotary_inertia = tip_rotation == TipRotation::finite && *rc::gen::arbitrary<bool>();
  const Case data = random_flexible_case(any_link_count(8), seed, options);
  Arm arm = Arm::assemble(data);
  State state = random_state(arm, seed);
  state.t = 0.3;
  PointDynamics truth = point_dynamics(data, state);
  Kinematics kin = kinematics_of(arm, state);
  return {std::move(arm), std::move(state), std::move(truth), std::move(kin)};
}

constexpr double tolerance = 1e-12;  // six links of metres, some dozen operations each

/// Calls check(link of the arm, link of the case) for every link that is one.
template <class Check>
void for_each_case_link(const Arm& arm, Check check) {
  for (int i = 0; i < arm.n_links(); ++i)
    if (arm.link(i).i_case >= 0 && arm.link(i).role != LinkRole::rotor) check(i, arm.link(i).i_case);
}

RC_GTEST_PROP(FlexibleKinematics, FramesAreWhereThePointsAre, ()) {
  const Trial trial = any_trial(*rc::gen::element(TipRotation::finite, TipRotation::small));
  for_each_case_link(trial.arm, [&](int i, int i_case) {
    RC_ASSERT((trial.kin.X_WB[i].R - trial.truth.X_WB[i_case].R).norm() <= tolerance);
    RC_ASSERT((trial.kin.X_WB[i].p - trial.truth.X_WB[i_case].p).norm() <= tolerance * 10);
    RC_ASSERT((trial.kin.X_WT[i].R - trial.truth.X_WT[i_case].R).norm() <= tolerance);
    RC_ASSERT((trial.kin.X_WT[i].p - trial.truth.X_WT[i_case].p).norm() <= tolerance * 10);
  });
}

RC_GTEST_PROP(FlexibleKinematics, TipVelocityAndJacobianAreDerivativesOfTheTipPose, ()) {
  const Trial trial = any_trial(TipRotation::finite);
  for_each_case_link(trial.arm, [&](int i, int i_case) {
    const Vector6d& velocity = trial.truth.V_WT_W[i_case];
    RC_ASSERT((trial.kin.V_WT_W[i] - velocity).norm() <= tolerance * (1 + velocity.norm()));
    const Matrix6Xd& J = trial.truth.Jv_V_WT_W[i_case];
    RC_ASSERT((tip_jacobian(trial.arm, trial.kin, i) - J).norm() <= tolerance * (1 + J.norm()));
  });
}

RC_GTEST_PROP(FlexibleKinematics, EnergiesMomentumAndMassCentreAreThoseOfThePoints, ()) {
  const Trial trial = any_trial(TipRotation::finite);
  const PointDynamics& truth = trial.truth;
  const double kinetic = kinetic_energy(trial.arm, trial.state, trial.kin);
  RC_ASSERT(std::abs(kinetic - truth.kinetic_energy) <= tolerance * (1 + truth.kinetic_energy));
  const double weight = truth.mass * trial.arm.gravity().norm();
  RC_ASSERT(std::abs(gravity_energy(trial.arm, trial.kin) - truth.gravity_energy) <=
            tolerance * weight * (1 + truth.centre_of_mass.norm()));
  RC_ASSERT(std::abs(elastic_energy(trial.arm, trial.state) - truth.elastic_energy) <=
            tolerance * (1 + truth.elastic_energy));
  RC_ASSERT(std::abs(total_mass(trial.arm) - truth.mass) <= tolerance * truth.mass);
  RC_ASSERT((centre_of_mass(trial.arm, trial.kin) - truth.centre_of_mass).norm() <=
            tolerance * (1 + truth.centre_of_mass.norm()));
  RC_ASSERT((momentum(trial.arm, trial.state, trial.kin) - truth.momentum).norm() <=
            tolerance * (1 + truth.momentum.norm() * (1 + truth.centre_of_mass.norm())));
}

}  // namespace
}  // namespace lithe::testing
