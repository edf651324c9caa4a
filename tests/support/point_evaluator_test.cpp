// The witness itself: its derivatives against differences of its energies, and on rigid arms against what is known there.
#include "support/point_evaluator.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "support/covering.h"
#include "support/draw.h"
#include "support/random_arm.h"

namespace lithe::testing {
namespace {

RC_GTEST_PROP(PointEvaluator, ForcesAreLagrangesOfItsEnergies, ()) {
  const auto seed = any_seed();
  const bool small = *rc::gen::arbitrary<bool>();
  FlexibleArmOptions options;
  options.arm.drive_line = true;
  options.arm.base = *rc::gen::element(BaseType::fixed, BaseType::planar);
  options.tip_rotation = small ? TipRotation::small : TipRotation::finite;
  options.rotary_inertia = !small;
  options.elements = options.segments = true;
  const Case data = random_flexible_case(any_link_count(4), seed, options);
  const Arm arm = Arm::assemble(data);
  const State state = random_state(arm, seed);
  const PointDynamics here = point_dynamics(data, state);
  RC_ASSERT(std::abs(state.v.dot(here.M * state.v) / 2 - here.kinetic_energy) <= 1e-12 * (1 + here.kinetic_energy));

  // At constant rates: d/dt(M v)_k − ∂T/∂z_k, and ∂V/∂z_k.
  const double h = 1e-5;
  auto moved = [&](const VectorXd& step) {
    State there = state;
    there.q += h * step;
    return point_dynamics(data, there);
  };
  const VectorXd momentum_rate = (moved(state.v).M - moved(-state.v).M) * state.v / (2 * h);
  for (int k = 0; k < arm.nv(); ++k) {
    const VectorXd unit = VectorXd::Unit(arm.nv(), k);
    const PointDynamics up = moved(unit), down = moved(-unit);
    auto slope = [&](double PointDynamics::*energy) { return (up.*energy - down.*energy) / (2 * h); };
    RC_ASSERT(std::abs(momentum_rate[k] - slope(&PointDynamics::kinetic_energy) - here.coriolis[k]) <=
              1e-6 * (1 + here.coriolis.norm() + here.kinetic_energy));
    RC_ASSERT(std::abs(slope(&PointDynamics::gravity_energy) - here.gravity[k]) <= 1e-6 * (1 + here.gravity.norm()));
    // A soft stop's force has a kink, which differences may straddle.
    RC_ASSERT(std::abs(slope(&PointDynamics::elastic_energy) - here.elastic[k]) <= 1e-3 + 1e-6 * here.elastic.norm());
  }
}

RC_GTEST_PROP(PointEvaluator, KnowsRigidArmsOnAnyBase, ()) {
  const auto seed = any_seed();
  const auto base = *rc::gen::element(BaseType::fixed, BaseType::planar, BaseType::free, BaseType::moving);
  const Case data = random_case(any_link_count(8), seed, {.drive_line = true, .base = base});
  const Arm arm = Arm::assemble(data);
  const int nv = arm.nv();
  if (nv == 0) return;
  State state = random_state(arm, seed);
  state.t = 0.3;
  const PointDynamics truth = point_dynamics(data, state);
  for (const auto& dynamics : covering_with_default(arm)) {
    MatrixXd M(nv, nv);
    VectorXd h(nv);
    dynamics->mass_matrix(state, M);
    dynamics->bias(state, Terms::all, h);
    RC_ASSERT((M - truth.M).cwiseAbs().maxCoeff() <= 1e-12 * M.cwiseAbs().maxCoeff());
    RC_ASSERT((h - truth.bias()).cwiseAbs().maxCoeff() <= 1e-11 * (1 + h.cwiseAbs().maxCoeff()));
  }
}

}  // namespace
}  // namespace lithe::testing
