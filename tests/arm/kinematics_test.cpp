#include "lithe/arm/kinematics.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "support/draw.h"
#include "support/random_arm.h"

namespace lithe::testing {
namespace {

const std::vector<BaseType> bases{BaseType::fixed, BaseType::planar, BaseType::free, BaseType::moving};

/// Position moved by `step` seconds along its rates, and time with it.
State later(const Arm& arm, const State& state, double step) {
  State moved = state;
  moved.t += step;
  displace(arm, moved.q, step * state.v);
  return moved;
}

RC_GTEST_PROP(Kinematics, VelocitiesAreRatesOfPoses, ()) {
  const auto seed = any_seed();
  const Arm arm = Arm::assemble(random_case(any_link_count(7), seed, {.base = *rc::gen::elementOf(bases)}));
  const State state = random_state(arm, seed);
  const Kinematics kin = kinematics_of(arm, state);
  const double h = 1e-5;  // central differences err by h², rounding by ε/h: both near 1e-10
  const Kinematics before = kinematics_of(arm, later(arm, state, -h)), after = kinematics_of(arm, later(arm, state, h));
  for (int i = 0; i < arm.n_links(); ++i) {
    const Vector3d velocity = (after.X_WB[i].p - before.X_WB[i].p) / (2 * h);
    const Vector3d omega = log_rotation(after.X_WB[i].R * before.X_WB[i].R.transpose()) / (2 * h);
    const double size = 1 + kin.V_WB_W[i].norm();
    RC_ASSERT((velocity - kin.V_WB_W[i].tail<3>()).norm() < 1e-7 * size * size * size);
    RC_ASSERT((omega - kin.V_WB_W[i].head<3>()).norm() < 1e-7 * size * size * size);
  }
}

RC_GTEST_PROP(Kinematics, JacobianGivesTheTipsVelocity, ()) {
  const auto seed = any_seed();
  const Arm arm = Arm::assemble(random_case(
      any_link_count(7), seed, {.base = *rc::gen::element(BaseType::fixed, BaseType::planar, BaseType::free)}));
  const State state = random_state(arm, seed);
  const Kinematics kin = kinematics_of(arm, state);
  for (int i = 0; i < arm.n_links(); ++i) {
    const Vector6d V = tip_jacobian(arm, kin, i) * state.v;
    const Vector3d omega = kin.V_WB_W[i].head<3>();
    const Vector3d tip = kin.V_WB_W[i].tail<3>() + omega.cross(kin.X_WT[i].p - kin.X_WB[i].p);
    // Sums of some ten products of size up to |V|.
    RC_ASSERT((V.head<3>() - omega).norm() < 1e-13 * (1 + V.norm()));
    RC_ASSERT((V.tail<3>() - tip).norm() < 1e-13 * (1 + V.norm()));
  }
}

RC_GTEST_PROP(Kinematics, MomentumIsMassTimesTheCentresVelocity, ()) {
  const auto seed = any_seed();
  const Arm arm = Arm::assemble(random_case(any_link_count(7), seed, {.base = *rc::gen::elementOf(bases)}));
  const State state = random_state(arm, seed);
  const double h = 1e-5;
  const Vector3d before = centre_of_mass(arm, kinematics_of(arm, later(arm, state, -h)));
  const Vector3d after = centre_of_mass(arm, kinematics_of(arm, later(arm, state, h)));
  const Vector6d p = momentum(arm, state, kinematics_of(arm, state));
  RC_ASSERT((total_mass(arm) * (after - before) / (2 * h) - p.tail<3>()).norm() < 1e-6 * (1 + p.norm()));
}

TEST(Kinematics, PositionRateFollowsDisplacement) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const Arm arm = Arm::assemble(random_case(3, seed, {.base = BaseType::free}));
    const State state = random_state(arm, seed);
    VectorXd qdot(arm.nq());
    position_rate(arm, state, qdot);
    const double h = 1e-6;
    VectorXd after = later(arm, state, h).q, before = later(arm, state, -h).q;
    EXPECT_LT(((after - before) / (2 * h) - qdot).norm(), 1e-8 * (1 + qdot.norm()));
    EXPECT_NEAR(after.segment<4>(3).norm(), 1, 1e-14);  // the quaternion stays a rotation
  }
}

TEST(Kinematics, MovingBaseFollowsItsGivenMotion) {
  const Arm arm = Arm::assemble(random_case(1, 5, {.base = BaseType::moving}));
  const double t = 0.7, h = 1e-4;
  const RootMotion now = arm.root(t), before = arm.root(t - h), after = arm.root(t + h);
  EXPECT_LT(((after.X_WR.p - before.X_WR.p) / (2 * h) - now.velocity).norm(), 1e-10);
  EXPECT_LT(((after.velocity - before.velocity) / (2 * h) - now.acceleration).norm(), 1e-10);
  EXPECT_LT((log_rotation(after.X_WR.R * before.X_WR.R.transpose()) / (2 * h) - now.omega).norm(), 1e-7);
  EXPECT_LT(((after.omega - before.omega) / (2 * h) - now.alpha).norm(), 1e-10);
}

TEST(Kinematics, BothDhConventionsDescribeTheSameChain) {
  // Standard (a, α) of link i are modified (a, α) of link i+1: one chain written both ways, tips compared through a
  // last frame that only the standard table moves.
  const double a[] = {0.3, 0.7, 0.2}, alpha[] = {0.4, -1.1, 0.9}, d[] = {0.1, -0.2, 0.3}, theta[] = {0.5, 0.6, -0.7};
  Case standard, modified;
  for (int i = 0; i < 3; ++i) {
    LinkSpec link;
    link.name = "link" + std::to_string(i);
    link.joint.name = "joint" + std::to_string(i);
    link.joint.type = i == 1 ? "prismatic" : "revolute";
    link.rigid = RigidBody{};
    link.rigid->mass = 1;
    link.joint.dh = DenavitHartenberg{a[i], alpha[i], d[i], theta[i], DhConvention::standard};
    standard.arm.links.push_back(link);
    link.joint.dh =
        DenavitHartenberg{i > 0 ? a[i - 1] : 0, i > 0 ? alpha[i - 1] : 0, d[i], theta[i], DhConvention::modified};
    modified.arm.links.push_back(link);
  }
  const Arm one = Arm::assemble(standard), other = Arm::assemble(modified);
  State state = State::zero(one);
  state.q << 0.3, 0.4, -0.8;
  const Pose X_standard = kinematics_of(one, state).X_WT[2];
  const Pose X_modified = kinematics_of(other, state).X_WT[2];
  const Pose last{axis_rotation(Vector3d::UnitX(), alpha[2]), {a[2], 0, 0}};
  EXPECT_LT(((X_modified * last).p - X_standard.p).norm(), 1e-14);
  EXPECT_LT(((X_modified * last).R - X_standard.R).norm(), 1e-14);
}

TEST(Kinematics, BeamUnderStandardDhSpansTheCommonNormal) {
  // The same joint axes and tip as the rigid link of that table; the joint axis is the parent's z.
  Case rigid, beam;
  for (Case* data : {&rigid, &beam}) {
    for (int i = 0; i < 2; ++i) {
      LinkSpec link;
      link.name = "link" + std::to_string(i);
      link.joint.name = "joint" + std::to_string(i);
      link.joint.type = "revolute";
      link.joint.dh = DenavitHartenberg{1.0 + i, 0.8, 0.2, 0.3, DhConvention::standard};
      if (data == &rigid) {
        link.rigid = RigidBody{};
        link.rigid->mass = 1;
      } else {
        link.beam = Beam{1.0 + i, {"", 1, 0.3, 1, {}}, {Circle{0.01}, {}}, NoFlexibility{}};
      }
      data->arm.links.push_back(link);
    }
  }
  const Arm one = Arm::assemble(rigid), other = Arm::assemble(beam);
  State state = State::zero(one);
  state.q << 0.3, -0.8;
  const Kinematics a = kinematics_of(one, state), b = kinematics_of(other, state);
  for (int i = 0; i < 2; ++i) {
    EXPECT_LT((a.X_WT[i].p - b.X_WT[i].p).norm(), 1e-14);
    EXPECT_LT((a.X_WT[i].R - b.X_WT[i].R).norm(), 1e-14);
    // x runs along the beam, from the joint axis to the tip.
    EXPECT_LT((b.X_WB[i].R.col(0) * (1.0 + i) - (b.X_WT[i].p - b.X_WB[i].p)).norm(), 1e-14);
    EXPECT_LT((tip_jacobian(one, a, 1) - tip_jacobian(other, b, 1)).norm(), 1e-14);
  }
}

}  // namespace
}  // namespace lithe::testing
