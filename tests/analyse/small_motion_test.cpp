// The sparse matrices of small motion against dense formulations and differences of their forces.
#include "lithe/arm/small_motion.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "lithe/drive/drives.h"
#include "lithe/dynamics/articulated/articulated.h"
#include "support/draw.h"
#include "support/random_arm.h"

namespace lithe::testing {
namespace {

Case bending_case(std::uint32_t seed, BaseType base, int most_links = 5) {
  FlexibleArmOptions options;
  options.arm.drive_line = *rc::gen::arbitrary<bool>();
  options.arm.base = base;
  options.every_kind = options.elements = options.segments = *rc::gen::arbitrary<bool>();
  return random_flexible_case(any_link_count(most_links), seed, options);
}

State at_rest(State state) {
  state.v.setZero();
  return state;
}

/// ∂f/∂z by central differences, extrapolated: error of order h⁴.
template <class F>
MatrixXd derivative(const Arm& arm, const State& state, F f, double h = 5e-4) {
  MatrixXd result(arm.nv(), arm.nv());
  for (int k = 0; k < arm.nv(); ++k) {
    auto at = [&](double step) {
      State moved = state;
      displace(arm, moved.q, step * VectorXd::Unit(arm.nv(), k));
      return VectorXd(f(moved));
    };
    result.col(k) = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
  }
  return result;
}

RC_GTEST_PROP(SmallMotion, SparseMassMatrixIsTheDenseOne, ()) {
  const auto seed = any_seed();
  const auto base = *rc::gen::element(BaseType::fixed, BaseType::planar, BaseType::free);
  const Arm arm = Arm::assemble(bending_case(seed, base, 8));
  if (arm.nv() == 0) return;
  const State state = random_state(arm, seed);
  MatrixXd M(arm.nv(), arm.nv());
  Articulated(arm).mass_matrix(state, M);
  RC_ASSERT((MatrixXd(sparse_mass_matrix(arm, state)) - M).cwiseAbs().maxCoeff() <= 1e-12 * M.cwiseAbs().maxCoeff());
}

RC_GTEST_PROP(SmallMotion, WeightAndMomentumAreTheKinematics, ()) {
  const auto seed = any_seed();
  const auto base = *rc::gen::element(BaseType::fixed, BaseType::planar, BaseType::free);
  const Arm arm = Arm::assemble(bending_case(seed, base));
  if (arm.nv() == 0) return;
  const State state = random_state(arm, seed);
  const SmallMotion motion = small_motion(arm, state);
  VectorXd gravity(arm.nv());
  Articulated(arm).bias(state, Terms::gravity, gravity);
  RC_ASSERT((motion.weight(arm.gravity()) - gravity).cwiseAbs().maxCoeff() <= 1e-11 * (1 + gravity.norm()));
  const Kinematics kin = kinematics_of(arm, state);
  const Vector6d expected = momentum(arm, state, kin);
  const Vector6d ours = motion.momentum(centre_of_mass(arm, kin)) * state.v;
  RC_ASSERT((ours - expected).norm() <= 1e-11 * (1 + expected.norm()));
}

RC_GTEST_PROP(SmallMotion, StiffnessIsTheDerivativeOfTheForces, ()) {
  const auto seed = any_seed();
  const Arm arm = Arm::assemble(bending_case(seed, BaseType::fixed, 4));
  if (arm.nv() == 0) return;
  const State state = at_rest(random_state(arm, seed));
  Articulated dynamics(arm);
  for (const Terms terms : {Terms::gravity, Terms::elastic}) {
    Triplets entries;
    if (terms == Terms::gravity)
      small_motion(arm, state).add_weight_stiffness(arm.gravity(), entries);
    else
      add_elastic_stiffness(arm, state, entries);
    const MatrixXd K = MatrixXd(assembled(arm.nv(), entries));
    const MatrixXd expected = derivative(
        arm, state,
        [&](const State& at) {
          VectorXd h(arm.nv());
          dynamics.bias(at, terms, h);
          return h;
        },
        // A stop has a corner; random states stay clear of it by more than this.
        terms == Terms::gravity ? 5e-4 : 1e-6);
    // Rounding of the forces, amplified by 1/h.
    const double tolerance = terms == Terms::gravity ? 1e-7 : 1e-5;
    RC_ASSERT((K - expected).cwiseAbs().maxCoeff() <= tolerance * (1 + expected.cwiseAbs().maxCoeff()));
    RC_ASSERT((K - K.transpose()).norm() <= 1e-12 * (1 + K.norm()));
  }
}

RC_GTEST_PROP(SmallMotion, DampingIsTheDerivativeOfTheForces, ()) {
  const auto seed = any_seed();
  const Arm arm = Arm::assemble(bending_case(seed, BaseType::fixed, 4));
  if (arm.nv() == 0) return;
  const State state = random_state(arm, seed);
  Triplets entries;
  add_damping(arm, state, entries);
  Articulated dynamics(arm);
  const double h = 1e-6;
  for (int k = 0; k < arm.nv(); ++k) {
    VectorXd forth(arm.nv()), back(arm.nv());
    State moved = state;
    moved.v[k] += h;
    dynamics.bias(moved, Terms::damping, forth);
    moved.v[k] -= 2 * h;
    dynamics.bias(moved, Terms::damping, back);
    const VectorXd column = MatrixXd(assembled(arm.nv(), entries)).col(k), expected = (forth - back) / (2 * h);
    RC_ASSERT((column - expected).cwiseAbs().maxCoeff() <= 1e-5 * (1 + expected.norm()));
  }
}

RC_GTEST_PROP(Loads, StiffnessIsTheDerivativeOfTheForces, ()) {
  const auto seed = any_seed();
  Case data = bending_case(seed, BaseType::fixed, 4);
  const VectorXd numbers = random_vector(12, seed + 1, 3);
  for (const Axes axes : {Axes::world, Axes::link}) {
    Load load;
    load.link = data.arm.links.back().name;
    load.force = numbers.segment<3>(axes == Axes::link ? 0 : 6);
    load.moment = numbers.segment<3>(axes == Axes::link ? 3 : 9);
    load.axes = axes;
    data.loads.push_back(load);
  }
  const Arm arm = Arm::assemble(data);
  if (arm.nv() == 0) return;
  const State state = at_rest(random_state(arm, seed));
  const Loads loads(data.loads, "loads", arm);
  const OuterForces outer = loads.unscaled();
  Triplets entries;
  outer.add_stiffness(small_motion(arm, state), entries);
  const MatrixXd expected = derivative(arm, state, [&](const State& at) {
    VectorXd force = VectorXd::Zero(arm.nv());
    loads.add(arm, at, kinematics_of(arm, at), 0, force);
    return force;
  });
  const MatrixXd K = MatrixXd(assembled(arm.nv(), entries));
  RC_ASSERT((K + expected).cwiseAbs().maxCoeff() <= 1e-7 * (1 + expected.cwiseAbs().maxCoeff()));
}

TEST(SmallMotion, SmallTipsAreRefused) {
  FlexibleArmOptions options;
  options.tip_rotation = TipRotation::small;
  options.rotary_inertia = false;
  const Arm arm = Arm::assemble(random_flexible_case(2, 5, options));
  EXPECT_THROW(sparse_mass_matrix(arm, State::zero(arm)), UnsupportedError);
}

}  // namespace
}  // namespace lithe::testing
