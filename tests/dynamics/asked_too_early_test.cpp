// What a call would answer from another call's leftovers, or from velocities that are none, is refused.
#include <gtest/gtest.h>

#include "lithe/arm/kinematics.h"
#include "lithe/describe/case_reader.h"
#include "lithe/dynamics/articulated/articulated.h"
#include "lithe/dynamics/recursive_lagrangian/recursive_lagrangian.h"

namespace lithe::testing {
namespace {

const std::string links = R"(
  links:
    - name: upper
      joint: {name: shoulder, type: revolute, axis: [0, 0, 1]}
      beam:
        length: 1 m
        material: aluminium
        section: {tube: {outer_diameter: 60 mm, inner_diameter: 56 mm}}
        flexibility: {modes: {bending_y: 1}}
    - {name: fore, joint: {name: elbow, type: revolute, axis: [0, 0, 1]}, rigid: {length: 0.5, mass: 2, com: [0.25, 0, 0], inertia: {xx: 0.01, yy: 0.05, zz: 0.05}}}
)";

TEST(AskedTooEarly, RootPowerIsOfAnInverse) {
  const Arm arm = Arm::assemble(
      read_case_text("arm:\n  base: {type: moving, motion: {velocity: [1, 0, 0], acceleration: [2, 0, 0]}}" + links)
          .data);
  Articulated dynamics(arm);
  State state = State::zero(arm);
  VectorXd vdot = VectorXd::Zero(arm.nv()), tau(arm.nv());
  MatrixXd M(arm.nv(), arm.nv());
  EXPECT_THROW(dynamics.root_power(state), std::logic_error);
  dynamics.inverse(state, vdot, tau);
  // All moves along with the base: mass times acceleration times velocity, straight ahead.
  EXPECT_NEAR(dynamics.root_power(state), total_mass(arm) * 2 * 1, 1e-9);
  dynamics.mass_matrix(state, M);
  EXPECT_THROW(dynamics.root_power(state), std::logic_error);
  dynamics.inverse(state, vdot, tau);
  dynamics.bias(state, Terms::gravity, tau);
  EXPECT_THROW(dynamics.root_power(state), std::logic_error);
  dynamics.inverse(state, VectorXd::Zero(arm.nv()), tau);
  dynamics.forward(state, tau, vdot);  // has memory of its own
  EXPECT_NEAR(dynamics.root_power(state), total_mass(arm) * 2 * 1, 1e-9);
}

TEST(AskedTooEarly, VelocitiesUnderSmallTipRotationsAreNone) {
  const Arm arm = Arm::assemble(read_case_text("arm:\n  tip_rotation: small\n  rotary_inertia: false" + links).data);
  State state = State::zero(arm);
  state.q << 0.2, 0.1, 0.3;
  state.v << 1, 0.5, -2;
  const Kinematics kin = kinematics_of(arm, state);
  EXPECT_THROW(kinetic_energy(arm, state, kin), UnsupportedError);
  EXPECT_THROW(momentum(arm, state, kin), UnsupportedError);
  // The formulation that knows what `small` means has the energy: ½ vᵀ M v.
  RecursiveLagrangian dynamics(arm);
  MatrixXd M(arm.nv(), arm.nv());
  dynamics.mass_matrix(state, M);
  const double expected = 0.5 * state.v.dot(M * state.v);
  EXPECT_NEAR(dynamics.kinetic_energy(state), expected, 1e-12 * expected);
  // It is not what rigid velocities of finite rotations would say.
  const Arm finite = arm.with_tip_rotation(TipRotation::finite);
  EXPECT_GT(std::abs(kinetic_energy(finite, state, kinematics_of(finite, state)) - expected), 1e-6 * expected);
}

}  // namespace
}  // namespace lithe::testing
