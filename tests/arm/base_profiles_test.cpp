// A base that follows profiles: its velocities against differences of its places, every formulation against points, and what is
// refused.
#include "lithe/arm/base_profiles.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "lithe/describe/case_reader.h"
#include "support/covering.h"
#include "support/draw.h"
#include "support/point_evaluator.h"
#include "support/random_arm.h"

namespace lithe::testing {
namespace {

/// Between the corners of random_case's profiles.
double any_time() { return 0.25 * any_within(0, 4) + 0.05 + 0.15 * any_within(0, 1000) / 1000.0; }

RC_GTEST_PROP(BaseProfiles, VelocitiesAreThoseOfThePlaces, ()) {
  const Arm arm = Arm::assemble(random_case(1, any_seed(), {.base = BaseType::moving, .base_profiles = true}));
  const double t = any_time(), h = 1e-4;
  // Third derivatives of these profiles are some thousands.
  const RootMotion now = arm.root(t), before = arm.root(t - h), after = arm.root(t + h);
  RC_ASSERT(((after.X_WR.p - before.X_WR.p) / (2 * h) - now.velocity).norm() < 1e-5);
  RC_ASSERT(((after.velocity - before.velocity) / (2 * h) - now.acceleration).norm() < 1e-4);
  RC_ASSERT((log_rotation(after.X_WR.R * before.X_WR.R.transpose()) / (2 * h) - now.omega).norm() < 1e-4);
  RC_ASSERT(((after.omega - before.omega) / (2 * h) - now.alpha).norm() < 1e-3);
}

RC_GTEST_PROP(BaseProfiles, EveryFormulationAgreesWithPoints, ()) {
  const auto seed = any_seed();
  const bool bends = *rc::gen::arbitrary<bool>();
  const RandomArmOptions options{.base = BaseType::moving, .base_profiles = true};
  const Case data = bends ? random_flexible_case(any_link_count(4), seed, {.arm = options})
                          : random_case(any_link_count(6), seed, options);
  const Arm arm = Arm::assemble(data);
  const int nv = arm.nv();
  if (nv == 0) return;
  State state = random_state(arm, seed);
  state.t = any_time();
  const PointDynamics truth = point_dynamics(data, state);
  const VectorXd tau = random_vector(nv, seed, 10), h = truth.bias();
  for (const auto& dynamics : covering_with_default(arm)) {
    VectorXd got(nv), vdot(nv);
    dynamics->bias(state, Terms::all, got);
    RC_ASSERT((got - h).cwiseAbs().maxCoeff() <= 1e-10 * (1 + h.cwiseAbs().maxCoeff()));
    dynamics->forward(state, tau, vdot);
    const double scale = 10 + h.cwiseAbs().maxCoeff() + (truth.M.cwiseAbs() * vdot.cwiseAbs()).maxCoeff();
    RC_ASSERT((truth.M * vdot + h - tau).cwiseAbs().maxCoeff() <= 1e-10 * scale);
  }
}

// At a corner the piece that is asked for counts, whatever the formulation.
TEST(BaseProfiles, AtACornerThePieceSaysTheAcceleration) {
  const Case data = random_flexible_case(3, 4, {.arm = {.base = BaseType::moving, .base_profiles = true}});
  const Arm arm = Arm::assemble(data);
  const RootMotion left = arm.root({0.25, 0.2}), right = arm.root({0.25, 0.3}), plain = arm.root(0.25);
  EXPECT_LT((left.velocity - right.velocity).norm(), 1e-12);
  EXPECT_GT((left.acceleration - right.acceleration).norm(), 1);
  EXPECT_EQ(plain.acceleration, right.acceleration);
  State state = random_state(arm, 4);
  const double near = 1e-9;
  for (const auto& dynamics : covering_with_default(arm))
    for (const double side : {-1.0, 1.0}) {
      VectorXd at(arm.nv()), beside(arm.nv());
      state.t = {0.25, 0.25 + 0.1 * side};
      dynamics->bias(state, Terms::all, at);
      state.t = 0.25 + near * side;
      dynamics->bias(state, Terms::all, beside);
      EXPECT_LT((at - beside).cwiseAbs().maxCoeff(), 1e-5 * beside.cwiseAbs().maxCoeff()) << dynamics->name();
    }
}

TEST(BaseProfiles, CornersAreThoseOfAllProfiles) {
  const Arm arm = Arm::assemble(random_case(1, 3, {.base = BaseType::moving, .base_profiles = true}));
  const std::vector<double> corners(arm.root_corners().begin(), arm.root_corners().end());
  EXPECT_EQ(corners, (std::vector<double>{0.25, 0.5, 0.75, 1}));
  EXPECT_TRUE(Arm::assemble(random_case(1, 3, {.base = BaseType::moving})).root_corners().empty());
}

std::string refusal(const std::string& motion, const std::string& more = "") {
  const std::string text = "arm:\n  base: {type: moving, motion: " + motion +
                           "}\n  links:\n    - {name: a, joint: {type: revolute, axis: [0, 0, 1]}, rigid: {mass: 1, "
                           "inertia: {xx: 1, yy: 1, zz: 1}}}\n" +
                           more;
  try {
    Arm::assemble(read_case_text(text).data);
  } catch (const FieldError& error) {
    return error.path() + ": " + error.what();
  }
  return "";
}

TEST(BaseProfiles, LeapsAreRefusedWhereTheyHappen) {
  EXPECT_NE(refusal("{x: {lines: [{at: 1 s, to: 1}]}}")
                .find("arm.base.motion.x: its velocity jumps from 1 to 0 m/s at t = 1 s"),
            std::string::npos);
  // A run that ends before it never meets it.
  EXPECT_EQ(refusal("{x: {lines: [{at: 1 s, to: 1}]}}", "simulate: {for: 1 s}\n"), "");
  EXPECT_NE(refusal("{yaw: {sinusoid: {amplitude: 0.1, frequency: 1 Hz, for: 2 s}}}")
                .find("arm.base.motion.yaw: its velocity jumps"),
            std::string::npos);
  EXPECT_EQ(refusal("{yaw: {sinusoid: {amplitude: 0.1, frequency: 1 Hz, for: 2.25 s}}}"), "");  // ends at its peak
  EXPECT_NE(
      refusal("{z: {sequence: [{dwell: {for: 1 s}}, {sinusoid: {amplitude: 1, frequency: 1 Hz, phase: 90 deg}}]}}")
          .find("arm.base.motion.z: jumps from 0 to 1 m at t = 1 s"),
      std::string::npos);
}

}  // namespace
}  // namespace lithe::testing
