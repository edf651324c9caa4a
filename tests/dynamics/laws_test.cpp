// Laws that every formulation must obey on every arm, each with a witness that shares no code with it.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "lithe/arm/kinematics.h"
#include "lithe/dynamics/articulated/articulated.h"
#include "lithe/dynamics/lagrange/lagrange.h"
#include "support/covering.h"
#include "support/draw.h"
#include "support/random_arm.h"

namespace lithe::testing {
namespace {

const std::vector<BaseType> bases{BaseType::fixed, BaseType::planar, BaseType::free, BaseType::moving};

struct Trial {
  Arm arm;
  State state;
  std::uint32_t seed;
};

/// A random arm with a drive line on a random base, in a random state at a random time.
Trial any_trial(int most_links = 8) {
  const auto seed = any_seed();
  RandomArmOptions options{.drive_line = *rc::gen::arbitrary<bool>(), .base = *rc::gen::elementOf(bases)};
  Arm arm = Arm::assemble(random_case(any_link_count(most_links), seed, options));
  State state = random_state(arm, seed);
  state.t = 0.3;
  return {std::move(arm), std::move(state), seed};
}

/// The largest force that appears on the way: what rounding is measured against.
double force_scale(const MatrixXd& M, const VectorXd& vdot, const VectorXd& h, const VectorXd& tau) {
  return (M.cwiseAbs() * vdot.cwiseAbs()).maxCoeff() + h.cwiseAbs().maxCoeff() + tau.cwiseAbs().maxCoeff();
}

RC_GTEST_PROP(Laws, FormulationsAgree, ()) {
  const Trial trial = any_trial();
  const int nv = trial.arm.nv();
  if (nv == 0) return;
  Articulated articulated(trial.arm);
  Lagrange lagrange(trial.arm);
  MatrixXd M1(nv, nv), M2(nv, nv);
  articulated.mass_matrix(trial.state, M1);
  lagrange.mass_matrix(trial.state, M2);
  RC_ASSERT((M1 - M2).cwiseAbs().maxCoeff() <= 1e-12 * M2.cwiseAbs().maxCoeff());
  VectorXd h1(nv), h2(nv), a1(nv), a2(nv);
  const VectorXd tau = random_vector(nv, trial.seed, 20);
  for (const Terms terms : {Terms::coriolis, Terms::gravity, Terms::elastic, Terms::damping, Terms::all}) {
    articulated.bias(trial.state, terms, h1);
    lagrange.bias(trial.state, terms, h2);
    // Long arms at high rates: partial sums exceed h itself by some orders.
    RC_ASSERT((h1 - h2).cwiseAbs().maxCoeff() <= 1e-11 * (1 + h2.cwiseAbs().maxCoeff()));
  }
  articulated.forward(trial.state, tau, a1);
  lagrange.forward(trial.state, tau, a2);
  // As torques, where no condition number enters: the promise of design (1e-9 of the largest force), with room.
  RC_ASSERT((M2 * (a1 - a2)).cwiseAbs().maxCoeff() <= 1e-10 * force_scale(M2, a2, h2, tau));
}

RC_GTEST_PROP(Laws, InverseUndoesForward, ()) {
  const Trial trial = any_trial();
  const int nv = trial.arm.nv();
  for (const auto& dynamics : covering_with_default(trial.arm)) {
    const VectorXd vdot = random_vector(nv, trial.seed, 5);
    VectorXd tau(nv), back(nv), h(nv);
    MatrixXd M(nv, nv);
    dynamics->inverse(trial.state, vdot, tau);
    dynamics->forward(trial.state, tau, back);
    dynamics->mass_matrix(trial.state, M);
    dynamics->bias(trial.state, Terms::all, h);
    if (nv == 0) continue;
    const double scale = force_scale(M, vdot, h, tau);
    RC_ASSERT((M * (back - vdot)).cwiseAbs().maxCoeff() <= 1e-11 * scale);
    RC_ASSERT((M * vdot + h - tau).cwiseAbs().maxCoeff() <= 1e-12 * scale);
  }
}

RC_GTEST_PROP(Laws, PowerPutInIsEnergyGained, ()) {
  // v·τ = d(T+V)/dt + dissipation, for bases that do no work themselves. Energies come from kinematics alone.
  const auto seed = any_seed();
  const auto base = *rc::gen::element(BaseType::fixed, BaseType::planar, BaseType::free);
  const Arm arm = Arm::assemble(random_case(any_link_count(7), seed, {.drive_line = true, .base = base}));
  const int nv = arm.nv();
  if (nv == 0) return;
  const State state = random_state(arm, seed);
  const VectorXd tau = random_vector(nv, seed, 10);
  for (const auto& dynamics : covering_with_default(arm)) {
    VectorXd vdot(nv), loss(nv);
    dynamics->forward(state, tau, vdot);
    dynamics->bias(state, Terms::damping, loss);
    auto energy = [&](double dt) {
      State moved = state;
      displace(arm, moved.q, dt * state.v + dt * dt / 2 * vdot);
      moved.v += dt * vdot;
      const Kinematics kin = kinematics_of(arm, moved);
      return kinetic_energy(arm, moved, kin) + gravity_energy(arm, kin) + elastic_energy(arm, moved);
    };
    // Four-point rule, error h⁴; rounding ε·E/h.
    const double h = 1e-4 / (1 + vdot.norm() / (1 + state.v.norm()));
    const double rate = (8 * (energy(h) - energy(-h)) - (energy(2 * h) - energy(-2 * h))) / (12 * h);
    const double scale = tau.cwiseAbs().dot(state.v.cwiseAbs()) + loss.dot(state.v) + std::abs(energy(0)) + 1;
    RC_ASSERT(std::abs(rate - (tau - loss).dot(state.v)) <= 1e-5 * scale);
  }
}

RC_GTEST_PROP(Laws, MassMatrixIsTheKineticEnergy, ()) {
  const auto seed = any_seed();
  const auto base = *rc::gen::element(BaseType::fixed, BaseType::planar, BaseType::free);
  const Arm arm = Arm::assemble(random_case(any_link_count(9), seed, {.drive_line = true, .base = base}));
  const State state = random_state(arm, seed);
  const double energy = kinetic_energy(arm, state, kinematics_of(arm, state));
  for (const auto& dynamics : covering_with_default(arm)) {
    MatrixXd M(arm.nv(), arm.nv());
    dynamics->mass_matrix(state, M);
    RC_ASSERT(std::abs(state.v.dot(M * state.v) / 2 - energy) <= 1e-12 * (1 + energy));
    RC_ASSERT((M - M.transpose()).norm() <= 1e-13 * (1 + M.norm()));
  }
}

RC_GTEST_PROP(Laws, GravityIsTheSlopeOfItsEnergy, ()) {
  const Trial trial = any_trial();
  const Arm& arm = trial.arm;
  VectorXd g(arm.nv());
  for (const auto& dynamics : covering_with_default(arm)) {
    dynamics->bias(trial.state, Terms::gravity, g);
    for (int k = 0; k < arm.nv(); ++k) {
      const double h = 1e-5;
      State up = trial.state, down = trial.state;
      displace(arm, up.q, h * VectorXd::Unit(arm.nv(), k));
      displace(arm, down.q, -h * VectorXd::Unit(arm.nv(), k));
      const double slope =
          (gravity_energy(arm, kinematics_of(arm, up)) - gravity_energy(arm, kinematics_of(arm, down))) / (2 * h);
      RC_ASSERT(std::abs(slope - g[k]) <= 1e-6 * (1 + g.norm()));
    }
  }
}

RC_GTEST_PROP(Laws, MassRateMinusTwiceCoriolisIsSkew, ()) {
  const auto seed = any_seed();
  const auto base = *rc::gen::element(BaseType::fixed, BaseType::planar, BaseType::free);
  const Arm arm = Arm::assemble(random_case(any_link_count(7), seed, {.base = base}));
  const int nv = arm.nv();
  if (nv == 0) return;
  const State state = random_state(arm, seed);
  Lagrange lagrange(arm);
  auto mass_after = [&](double dt) {
    State moved = state;
    displace(arm, moved.q, dt * state.v);
    MatrixXd M(nv, nv);
    lagrange.mass_matrix(moved, M);
    return M;
  };
  const double h = 1e-4;
  const MatrixXd rate = (8 * (mass_after(h) - mass_after(-h)) - (mass_after(2 * h) - mass_after(-2 * h))) / (12 * h);
  MatrixXd C(nv, nv);
  lagrange.coriolis_matrix(state, C);
  const MatrixXd N = rate - 2 * C;
  RC_ASSERT((N + N.transpose()).cwiseAbs().maxCoeff() <=
            1e-7 * (1 + C.cwiseAbs().maxCoeff() + mass_after(0).cwiseAbs().maxCoeff()));
  // And it is the C of the motion: C v is the velocity part of h.
  VectorXd h_velocity(nv);
  Articulated(arm).bias(state, Terms::coriolis, h_velocity);
  RC_ASSERT((C * state.v - h_velocity).cwiseAbs().maxCoeff() <= 1e-11 * (1 + C.cwiseAbs().maxCoeff() * state.v.norm()));
}

RC_GTEST_PROP(Laws, DrivenJointsCloseWithInverseDynamics, ()) {
  const Trial trial = any_trial();
  const Arm& arm = trial.arm;
  const int nv = arm.nv();
  if (nv == 0) return;
  std::vector<bool> driven(nv);
  for (const Link& link : arm.links()) {
    const bool choice = *rc::gen::arbitrary<bool>();
    for (int k = 0; k < link.nv(); ++k) driven[link.v0 + k] = choice;
  }
  const VectorXd given_tau = random_vector(nv, trial.seed, 10), given_vdot = random_vector(nv, trial.seed + 1, 5);
  for (const auto& dynamics : covering_with_default(arm)) {
    VectorXd tau = given_tau, vdot = given_vdot, needed(nv), free_vdot(nv), h(nv);
    MatrixXd M(nv, nv);
    dynamics->hybrid(trial.state, driven, tau, vdot);
    for (int k = 0; k < nv; ++k) {
      if (driven[k]) {
        RC_ASSERT(vdot[k] == given_vdot[k]);
      } else {
        RC_ASSERT(tau[k] == given_tau[k]);
      }
    }
    // The motion and torques found together satisfy the equations, and the torques alone reproduce the motion.
    dynamics->inverse(trial.state, vdot, needed);
    dynamics->forward(trial.state, tau, free_vdot);
    dynamics->mass_matrix(trial.state, M);
    dynamics->bias(trial.state, Terms::all, h);
    const double scale = force_scale(M, vdot, h, tau);
    RC_ASSERT((needed - tau).cwiseAbs().maxCoeff() <= 1e-10 * scale);
    RC_ASSERT((M * (free_vdot - vdot)).cwiseAbs().maxCoeff() <= 1e-10 * scale);
  }
}

RC_GTEST_PROP(Laws, MovingBaseEqualsAFreeBaseDrivenAlong, ()) {
  // The given motion of a moving base, imposed on a free base by hybrid dynamics, must give the same joint
  // accelerations.
  const auto seed = any_seed();
  const bool by_profiles = *rc::gen::arbitrary<bool>();
  Case moving = random_case(any_link_count(6), seed, {.base = BaseType::moving, .base_profiles = by_profiles});
  Case free = moving;
  free.arm.base = {BaseType::free, {}, RigidBody{}, {}};
  free.arm.base.body->mass = 1;
  free.arm.base.body->inertia = InertiaEntries{1, 1, 1, 0, 0, 0};
  const Arm arm = Arm::assemble(moving), floating = Arm::assemble(free);
  const int nv = arm.nv();
  State state = random_state(arm, seed);
  state.t = 0.4;
  const RootMotion root = arm.root(state.t);
  State on_free = State::zero(floating);
  const Quaterniond turn(root.X_WR.R);
  on_free.q.head<7>() << root.X_WR.p, turn.w(), turn.vec();
  on_free.q.tail(nv) = state.q;
  const Vector3d w = root.X_WR.R.transpose() * root.omega, v = root.X_WR.R.transpose() * root.velocity;
  on_free.v << w, v, state.v;
  VectorXd tau = VectorXd::Zero(nv + 6), vdot = VectorXd::Zero(nv + 6);
  tau.tail(nv) = random_vector(nv, seed, 10);
  vdot.head<6>() << root.X_WR.R.transpose() * root.alpha, root.X_WR.R.transpose() * root.acceleration - w.cross(v);
  std::vector<bool> driven(nv + 6, false);
  std::fill_n(driven.begin(), 6, true);
  for (const auto& dynamics : covering_with_default(floating)) {
    VectorXd expected = vdot, tau_all = tau, got(nv);
    dynamics->hybrid(on_free, driven, tau_all, expected);
    const auto on_moving_base = make_formulation(dynamics->name(), arm);
    on_moving_base->forward(state, tau.tail(nv), got);
    MatrixXd M(nv, nv);
    on_moving_base->mass_matrix(state, M);
    if (nv == 0) continue;
    RC_ASSERT((M * (got - expected.tail(nv))).cwiseAbs().maxCoeff() <=
              1e-10 * (1 + (M.cwiseAbs() * got.cwiseAbs()).maxCoeff() + tau.cwiseAbs().maxCoeff()));
  }
}

RC_GTEST_PROP(Laws, FreeArmKeepsItsMomentum, ()) {
  // No external force: the rate of momentum, found by moving a little along the accelerations, vanishes.
  const auto seed = any_seed();
  Case data = random_case(any_link_count(6), seed, {.base = BaseType::free});
  data.arm.gravity.setZero();
  const Arm arm = Arm::assemble(data);
  const State state = random_state(arm, seed);
  VectorXd tau = random_vector(arm.nv(), seed, 10), vdot(arm.nv());
  tau.head<6>().setZero();  // joint torques only: internal
  Articulated(arm).forward(state, tau, vdot);
  auto momentum_after = [&](double dt) {
    State moved = state;
    displace(arm, moved.q, dt * state.v + dt * dt / 2 * vdot);
    moved.v += dt * vdot;
    return momentum(arm, moved, kinematics_of(arm, moved));
  };
  const double h = 1e-4 / (1 + vdot.norm() / (1 + state.v.norm()));
  const Vector6d rate =
      (8 * (momentum_after(h) - momentum_after(-h)) - (momentum_after(2 * h) - momentum_after(-2 * h))) / (12 * h);
  RC_ASSERT(rate.norm() <= 1e-6 * (1 + momentum_after(0).norm() + tau.norm()));
}

RC_GTEST_PROP(Laws, TurningTheWorldChangesNothing, ()) {
  // Base and gravity turned together: the same joint accelerations.
  const auto seed = any_seed();
  Case data = random_case(any_link_count(7), seed, {});
  const Arm arm = Arm::assemble(data);
  const Vector3d rpy = random_vector(3, seed, 3);
  const Matrix3d turn = rpy_rotation(rpy);
  data.arm.gravity = turn * data.arm.gravity;
  data.arm.base.origin.xyz = turn * data.arm.base.origin.xyz;
  const Matrix3d turned = turn * rpy_rotation(data.arm.base.origin.rpy);
  data.arm.base.origin.rpy = {std::atan2(turned(2, 1), turned(2, 2)), std::asin(-turned(2, 0)),
                              std::atan2(turned(1, 0), turned(0, 0))};
  const Arm other = Arm::assemble(data);
  const State state = random_state(arm, seed);
  const VectorXd tau = random_vector(arm.nv(), seed, 5);
  VectorXd one(arm.nv()), two(arm.nv());
  Articulated(arm).forward(state, tau, one);
  Articulated(other).forward(state, tau, two);
  // Roll, pitch and yaw back from the matrix lose up to √ε near the pole.
  RC_ASSERT((one - two).norm() <= 1e-6 * (1 + one.norm()));
}

TEST(Laws, RepeatedCallsGiveTheSameBits) {
  const Arm arm = Arm::assemble(random_case(7, 11, {.drive_line = true, .base = BaseType::free}));
  const State state = random_state(arm, 11), other = random_state(arm, 12);
  const VectorXd tau = random_vector(arm.nv(), 11, 5);
  for (const auto& dynamics : covering_with_default(arm)) {
    VectorXd first(arm.nv()), second(arm.nv());
    dynamics->forward(state, tau, first);
    dynamics->forward(other, tau, second);  // leaves other numbers in the workspace
    dynamics->forward(state, tau, second);
    EXPECT_EQ(first, second) << dynamics->name();
  }
}

}  // namespace
}  // namespace lithe::testing
