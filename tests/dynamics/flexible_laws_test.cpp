// Laws and limits that every formulation must obey on arms with bending links.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

#include "closed_form/single_flexible_link.h"
#include "lithe/arm/kinematics.h"
#include "lithe/spatial/dense_eigen.h"
#include "support/covering.h"
#include "support/draw.h"
#include "support/random_arm.h"

namespace lithe::testing {
namespace {

Case any_flexible_case(std::uint32_t seed, BaseType base, bool drive_line) {
  FlexibleArmOptions options;
  options.arm.drive_line = drive_line;
  options.arm.base = base;
  options.rotary_inertia = *rc::gen::arbitrary<bool>();
  options.elements = true;
  options.strains = any_within(0, 2) == 0;
  // Half of the arms are chains of turning joints, the domain of recursive-lagrangian.
  options.arm.tree = options.arm.prismatic = *rc::gen::arbitrary<bool>();
  return random_flexible_case(any_link_count(8), seed, options);
}

/// d/dt of a function of the state, along accelerations v̇, by the four-point rule.
template <class F>
auto rate_along(const Arm& arm, const State& state, const VectorXd& vdot, const F& f, double step = 1e-4) {
  auto after = [&](double dt) {
    State moved = state;
    displace(arm, moved.q, dt * state.v + dt * dt / 2 * vdot);
    moved.v += dt * vdot;
    return f(moved);
  };
  // Steps such that neither the fourth power of the motion nor rounding is felt.
  const double h = step / (1 + vdot.norm() / (1 + state.v.norm()));
  using Value = std::remove_cvref_t<decltype(f(state))>;
  return Value((8 * (after(h) - after(-h)) - (after(2 * h) - after(-2 * h))) / (12 * h));
}

RC_GTEST_PROP(FlexibleLaws, PowerPutInIsEnergyGained, ()) {
  const auto seed = any_seed();
  const auto base = *rc::gen::element(BaseType::fixed, BaseType::planar, BaseType::free);
  const Arm arm = Arm::assemble(any_flexible_case(seed, base, true));
  const int nv = arm.nv();
  if (nv == 0) return;
  const State state = random_state(arm, seed);
  const VectorXd tau = random_vector(nv, seed, 10);
  auto energy = [&](const State& at) {
    const Kinematics kin = kinematics_of(arm, at);
    return kinetic_energy(arm, at, kin) + gravity_energy(arm, kin) + elastic_energy(arm, at);
  };
  for (const auto& dynamics : covering_with_default(arm)) {
    VectorXd vdot(nv), loss(nv);
    dynamics->forward(state, tau, vdot);
    dynamics->bias(state, Terms::damping, loss);
    const double scale = tau.cwiseAbs().dot(state.v.cwiseAbs()) + loss.dot(state.v) + std::abs(energy(state)) + 1;
    // The longer step for light coordinates of stiff links: they change their energy so fast that rounding is felt in the shorter.
    double error = INFINITY;
    for (const double step : {1e-4, 1e-3})
      error = std::min(error, std::abs(rate_along(arm, state, vdot, energy, step) - (tau - loss).dot(state.v)));
    RC_ASSERT(error <= 1e-5 * scale);
  }
}

RC_GTEST_PROP(FlexibleLaws, MassMatrixIsTheKineticEnergy, ()) {
  const auto seed = any_seed();
  const auto base = *rc::gen::element(BaseType::fixed, BaseType::planar, BaseType::free);
  const Arm arm = Arm::assemble(any_flexible_case(seed, base, true));
  const State state = random_state(arm, seed);
  const double energy = kinetic_energy(arm, state, kinematics_of(arm, state));
  for (const auto& dynamics : covering_with_default(arm)) {
    MatrixXd M(arm.nv(), arm.nv());
    dynamics->mass_matrix(state, M);
    RC_ASSERT(std::abs(state.v.dot(M * state.v) / 2 - energy) <= 1e-12 * (1 + energy));
    RC_ASSERT((M - M.transpose()).norm() <= 1e-13 * (1 + M.norm()));
  }
}

RC_GTEST_PROP(FlexibleLaws, OnlyWeightChangesTheMomentumOfAFreeArm, ()) {
  const auto seed = any_seed();
  Case data = any_flexible_case(seed, BaseType::free, false);
  if (*rc::gen::arbitrary<bool>()) data.arm.gravity.setZero();
  const Arm arm = Arm::assemble(data);
  const State state = random_state(arm, seed);
  VectorXd tau = random_vector(arm.nv(), seed, 10), vdot(arm.nv());
  tau.head<6>().setZero();  // torques in joints, and forces on shapes, are internal
  auto momentum_at = [&](const State& at) { return momentum(arm, at, kinematics_of(arm, at)); };
  for (const auto& dynamics : covering_with_default(arm)) {
    dynamics->forward(state, tau, vdot);
    Vector6d rate = rate_along(arm, state, vdot, momentum_at);
    rate.tail<3>() -= total_mass(arm) * arm.gravity();
    RC_ASSERT(rate.norm() <= 1e-6 * (1 + momentum_at(state).norm() + tau.norm() + total_mass(arm) * vdot.norm()));
  }
}

RC_GTEST_PROP(FlexibleLaws, StiffLinksMoveAsRigidOnes, ()) {
  const auto seed = any_seed();
  const auto base = *rc::gen::element(BaseType::fixed, BaseType::planar, BaseType::free, BaseType::moving);
  Case data = any_flexible_case(seed, base, true), stiff_data = data;
  for (LinkSpec& link : data.arm.links)
    if (link.beam) link.beam->flexibility = NoFlexibility{};
  for (LinkSpec& link : stiff_data.arm.links)
    if (link.beam) link.beam->material.E *= 1e11;
  const Arm rigid = Arm::assemble(data), stiff = Arm::assemble(stiff_data);
  if (rigid.nv() == 0) return;

  // The same joints, straight links.
  const State rigid_state = random_state(rigid, seed);
  State state = State::zero(stiff);
  VectorXd tau = random_vector(rigid.nv(), seed, 10), stiff_tau = VectorXd::Zero(stiff.nv());
  auto for_each_joint = [&](auto copy) {
    for (int i = 0; i < rigid.n_links(); ++i) copy(rigid.link(i), stiff.link(i));
  };
  for_each_joint([&](const Link& from, const Link& to) {
    state.q.segment(to.q0, to.nq()) = rigid_state.q.segment(from.q0, from.nq());
    state.v.segment(to.v0, to.nv()) = rigid_state.v.segment(from.v0, from.nv());
    stiff_tau.segment(to.v0, to.nv()) = tau.segment(from.v0, from.nv());
  });
  for (const auto& dynamics : covering_with_default(stiff)) {
    VectorXd expected(rigid.nv()), wanted = VectorXd::Zero(stiff.nv()), needed(stiff.nv()), vdot(stiff.nv());
    make_formulation(dynamics->name(), rigid)->forward(rigid_state, tau, expected);
    for_each_joint([&](const Link& from, const Link& to) {
      wanted.segment(to.v0, to.nv()) = expected.segment(from.v0, from.nv());
    });
    // Held straight, the links need no other joint torques than rigid ones …
    dynamics->inverse(state, wanted, needed);
    const double force = needed.cwiseAbs().maxCoeff() + tau.cwiseAbs().maxCoeff();
    for_each_joint([&](const Link&, const Link& to) {
      if (to.nv() == 0) return;
      RC_ASSERT((needed - stiff_tau).segment(to.v0, to.nv()).cwiseAbs().maxCoeff() <= 1e-10 * force);
    });
    // … and with what holds them left to their own stiffness, bent by next to nothing, they move as rigid ones.
    State bent = state;
    double largest_bend = 0;
    for (const Link& link : stiff.links()) {
      if (!link.flex) continue;
      const VectorXd delta = -solve_symmetric(MatrixXd(link.flex->K), needed.segment(link.flex_v0(), link.n_flex()));
      bent.q.segment(link.flex_q0(), link.n_flex()) = delta;
      largest_bend = std::max(largest_bend, delta.cwiseAbs().maxCoeff());
    }
    RC_ASSERT(largest_bend < 1e-7);
    dynamics->forward(bent, stiff_tau, vdot);
    MatrixXd M(stiff.nv(), stiff.nv());
    dynamics->mass_matrix(bent, M);
    // As forces, relative to the largest of any term; a bend of δ moves levers of a metre by δ and turns them by up to 16 δ.
    const double largest_force = force + (M.cwiseAbs() * wanted.cwiseAbs()).maxCoeff();
    RC_ASSERT((M * (vdot - wanted)).cwiseAbs().maxCoeff() <= (1e-9 + 1e3 * largest_bend) * largest_force);
  }
}

TEST(FlexibleLaws, OneLinkWithOneShapeIsTheTextbooks) {
  const double L = 1.2, rho = 2700, A = 4e-4, Iz = 3e-8, E = 5e8;
  for (const bool rotary_inertia : {true, false}) {
    const closed_form::SingleFlexibleLink textbook{
        .L = L, .mu = rho * A, .EI = E * Iz, .rho_I = rotary_inertia ? rho * Iz : 0, .m = 0.7, .J = 0.05, .g = 9.81};
    Case data;
    data.arm.gravity = {0, -textbook.g, 0};
    data.arm.rotary_inertia = rotary_inertia;
    LinkSpec link;
    link.name = "link";
    link.joint.name = "joint";
    link.joint.axis = Vector3d::UnitZ();
    link.beam = Beam{L, {"", E, 0.3, rho, {}}, {GeneralSection{A, 2e-8, Iz, {}}, {}}, Modes{.bending_y = 1}};
    link.payloads = {Payload{textbook.m, Vector3d::Zero(), {0.02, 0.06, textbook.J}}};
    data.arm.links = {link};
    const Arm arm = Arm::assemble(data);
    const auto formulations = covering_with_default(arm);
    for (unsigned seed = 0; seed < 10; ++seed) {
      State state = State::zero(arm);
      state.q = random_vector(2, seed, 1).cwiseProduct(Eigen::Vector2d(3, 0.2));
      state.v = random_vector(2, seed + 50, 2);
      const VectorXd tau = Eigen::Vector2d(3, 0);
      const VectorXd h = textbook.coriolis(state.q, state.v) + textbook.gravity(state.q) + textbook.elastic(state.q);
      for (const auto& dynamics : formulations) {
        SCOPED_TRACE(std::string(dynamics->name()));
        MatrixXd M(2, 2);
        VectorXd part(2), vdot(2);
        dynamics->mass_matrix(state, M);
        EXPECT_LT((M - textbook.D(state.q)).norm(), 1e-13);
        dynamics->bias(state, Terms::coriolis, part);
        EXPECT_LT((part - textbook.coriolis(state.q, state.v)).norm(), 1e-13);
        dynamics->bias(state, Terms::gravity, part);
        EXPECT_LT((part - textbook.gravity(state.q)).norm(), 1e-12);
        dynamics->bias(state, Terms::elastic, part);
        EXPECT_LT((part - textbook.elastic(state.q)).norm(), 1e-12);
        dynamics->forward(state, tau, vdot);
        EXPECT_LT((textbook.D(state.q) * vdot + h - tau).norm(), 1e-11);
      }
    }
  }
}

}  // namespace
}  // namespace lithe::testing
