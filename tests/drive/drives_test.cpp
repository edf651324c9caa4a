#include "lithe/drive/drives.h"

#include <gtest/gtest.h>

#include <cmath>

#include "lithe/describe/case_reader.h"
#include "lithe/dynamics/articulated/articulated.h"
#include "lithe/dynamics/lagrange/lagrange.h"
#include "support/random_arm.h"

namespace lithe::testing {
namespace {

/// The arm of naganathan86's planar case 1, its links taken as rigid.
const char* case1 = R"(
arm:
  gravity: [0, 0, 0]
  rotary_inertia: false
  links:
    - {name: upper, joint: {name: shoulder, type: revolute, axis: [0, 0, 1]}, beam: &beam {length: 1 m, material: {E: 70 GPa, nu: 0.3,
       density: 2700}, section: {area: 350 mm^2, Iy: 10000 mm^4, Iz: 10000 mm^4}, flexibility: rigid}}
    - {name: fore, joint: {name: elbow, type: revolute, axis: [0, 0, 1]}, beam: *beam}
torque:
  shoulder: {servo: {structural_frequency: 3.80775 Hz, follow: {cycloidal: {to: 60 deg, in: 2.5 s}}}}
  elbow: {servo: {structural_frequency: 3.80775 Hz, follow: {cycloidal: {to: 60 deg, in: 2.5 s}}}}
)";

TEST(Drives, ServoGainsFollowThePublishedRule) {
  const Case data = read_case_text(case1).data;
  const Arm arm = Arm::assemble(data);
  // Two rods of 0.945 kg: stretched out (2·0.945)·2²/3 about the shoulder, 0.945/3 about the elbow.
  EXPECT_NEAR(largest_reflected_inertia(arm, 0), 2.520, 1e-9);
  EXPECT_NEAR(largest_reflected_inertia(arm, 1), 0.315, 1e-12);
  // f = 3.808 Hz to the digits printed; kp = 360.6 and 45.08 N·m/rad, kv = 60.29 and 7.536 N·m·s/rad, as inferred from the thesis's rule for this arm.
  Drives drives(data, arm);
  Articulated model(arm);
  State state = State::zero(arm);
  VectorXd tau(2);
  state.q << -1, 0;
  drives.torques(state, model, tau);
  EXPECT_NEAR(tau[0], 360.6, 0.05);
  state.q << 0, 0;
  state.v << -1, -1;
  drives.torques(state, model, tau);
  EXPECT_NEAR(tau[0], 60.29, 0.005);
  EXPECT_NEAR(tau[1], 7.536, 0.0005);
}

TEST(Drives, LoadsDoTheWorkTheirPointDoes) {
  // Power by generalised forces = force · velocity of the point + moment · angular velocity.
  for (unsigned seed = 0; seed < 20; ++seed) {
    Case data = random_case(5, seed, {.base = seed % 2 ? BaseType::free : BaseType::planar});
    const Vector3d force = random_vector(3, seed, 10), moment = random_vector(3, seed + 1, 10),
                   point = random_vector(3, seed + 2);
    const bool in_link = seed % 3 == 0;
    data.loads = {{"link3", point, force, moment, in_link ? Axes::link : Axes::world, {}}};
    const Arm arm = Arm::assemble(data);
    Drives drives(data, arm);
    const State state = random_state(arm, seed);
    VectorXd tau = VectorXd::Zero(arm.nv());
    drives.add_loads(state, tau);
    const Kinematics kin = kinematics_of(arm, state);
    const int i = arm.find_link("link3");
    const Matrix3d R = in_link ? kin.X_WB[i].R : Matrix3d::Identity();
    const Vector3d omega = kin.V_WB_W[i].head<3>();
    const Vector3d velocity = kin.V_WB_W[i].tail<3>() + omega.cross(kin.X_WB[i].R * point);
    EXPECT_NEAR(tau.dot(state.v), velocity.dot(R * force) + omega.dot(R * moment), 1e-11);
  }
}

TEST(Drives, ComputedTorqueAchievesItsAcceleration) {
  Case data = random_case(4, 3, {.tree = false, .fixed_joints = false, .prismatic = false});
  for (const LinkSpec& link : data.arm.links)
    data.torque[link.joint.name] = {ComputedTorque{25, 10, {{}, Profile{Cycloidal{1, 2}}}, {}}};
  const Arm arm = Arm::assemble(data);
  Drives drives(data, arm);
  Articulated model(arm);
  State state = random_state(arm, 3);
  state.t = 0.7;
  drives.enter(0, 2);
  VectorXd tau(4), vdot(4);
  drives.torques(state, model, tau);
  model.forward(state, tau, vdot);
  const ProfileSample want = ProfileCurve(Profile{Cycloidal{1, 2}}, 0, "").at(0.7);
  for (int k = 0; k < 4; ++k)
    EXPECT_NEAR(vdot[k], want.acceleration + 10 * (want.rate - state.v[k]) + 25 * (want.value - state.q[k]), 1e-9);
}

TEST(Drives, GravityCompensationHoldsTheArm) {
  Case data = random_case(4, 5, {.tree = false, .fixed_joints = false});
  for (const LinkSpec& link : data.arm.links) data.torque[link.joint.name] = {Pd{0, 0, true, {}, {0.0, {}}, {}}};
  const Arm arm = Arm::assemble(data);
  Drives drives(data, arm);
  Lagrange model(arm);
  State state = random_state(arm, 5);
  state.v.setZero();
  VectorXd tau(4), vdot(4);
  drives.torques(state, model, tau);
  model.forward(state, tau, vdot);
  EXPECT_LT(vdot.norm(), 1e-10);
}

TEST(Drives, ElasticJointsStartAtRestUnderTheirWeight) {
  const Case data = read_case_text(R"(
arm:
  links:
    - {name: a, joint: {name: p, type: revolute, axis: [0, 1, 0], motor: {inertia: 1e-4, gear_ratio: 50, stiffness: 300, hardening: 2000}}, rigid: {mass: 2, com: [0.5, 0, 0]}}
    - {name: b, joint: {name: q, type: revolute, axis: [0, 1, 0], origin: {xyz: [1, 0, 0]}, motor: {inertia: 1e-4, gear_ratio: 50, stiffness: 200}}, rigid: {mass: 1, com: [0.5, 0, 0]}}
initial: {p: 0.3, deformation: static}
torque:
  p: {pd: {kp: 0, kd: 0, target: 0, gravity_compensation: true}}
  q: {pd: {kp: 0, kd: 0, target: 0, gravity_compensation: true}}
)")
                        .data;
  const Arm arm = Arm::assemble(data);
  Drives drives(data, arm);
  Articulated model(arm);
  const State state = drives.initial_state();
  VectorXd tau(4), vdot(4);
  drives.torques(state, model, tau);
  EXPECT_GT(std::abs(tau[1]), 1) << "the motors carry nothing: this proves nothing";
  model.forward(state, tau, vdot);
  EXPECT_LT(vdot.norm(), 1e-9);  // springs wound up by the weight, motors holding them
}

TEST(Drives, SaturationAndHoldLimitTheTorque) {
  Case data = read_case_text(R"(
arm: {links: [{name: a, joint: {name: p, type: revolute, axis: [0, 0, 1]}, rigid: {mass: 1, com: [1, 0, 0]}}]}
torque: {p: {pd: {kp: 100, kd: 0, target: 1, saturation: 30 N.m, sample_time: 0.5 s}}}
)")
                  .data;
  const Arm arm = Arm::assemble(data);
  Drives drives(data, arm);
  Articulated model(arm);
  State state = State::zero(arm);
  VectorXd tau(1);
  drives.sample(state, model);
  drives.torques(state, model, tau);
  EXPECT_EQ(tau[0], 30);
  state.q[0] = 0.9;
  state.t = 0.3;
  drives.sample(state, model);  // no sample falls here
  drives.torques(state, model, tau);
  EXPECT_EQ(tau[0], 30);
  state.t = 0.5;
  drives.sample(state, model);
  drives.torques(state, model, tau);
  EXPECT_NEAR(tau[0], 10, 1e-12);
  EXPECT_EQ(drives.breakpoints(2), (std::vector<double>{0.5, 1.0, 1.5}));
}

}  // namespace
}  // namespace lithe::testing
