// Derivatives of arms with exact links, against differences of the forces that the recursion finds.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "lithe/arm/small_motion.h"
#include "lithe/dynamics/articulated/articulated.h"
#include "lithe/dynamics/derivatives/forward_derivatives.h"
#include "support/allocation_count.h"
#include "support/draw.h"
#include "support/rod_arms.h"

namespace lithe::testing {
namespace {

double largest(const MatrixXd& x) { return x.size() == 0 ? 0 : x.cwiseAbs().maxCoeff(); }

struct Trial {
  Arm arm;
  State state;
  VectorXd vdot;
  std::uint32_t seed;
};

Trial trial_of(const Case& data, std::uint32_t seed) {
  Arm arm = Arm::assemble(data);
  State state = random_state(arm, seed);
  bend_far(arm, state, seed);
  state.t = 0.3;
  const int nv = arm.nv();
  return {std::move(arm), std::move(state), random_vector(nv, seed + 1, 5), seed};
}

Trial any_trial(bool plain = false) {
  const auto seed = any_seed();
  FlexibleArmOptions options;
  options.arm.other_joints = !plain && *rc::gen::arbitrary<bool>();
  if (!plain) options.arm.base = *rc::gen::element(BaseType::fixed, BaseType::planar, BaseType::free, BaseType::moving);
  options.rotary_inertia = *rc::gen::arbitrary<bool>();
  const Case data = random_flexible_case(any_link_count(5), seed, options);
  return trial_of(with_exact_links(data, seed), seed);
}

/// ID by the recursion.
VectorXd inverse(const Arm& arm, const State& state, const VectorXd& vdot) {
  VectorXd tau(arm.nv());
  Articulated(arm).inverse(state, vdot, tau);
  return tau;
}

/// Of error h⁶, and of rounding ε/h.
template <class F>
VectorXd slope(F force, double h) {
  const auto over = [&](double step) -> VectorXd { return (force(step) - force(-step)) / (2 * step); };
  const VectorXd wide = over(h), middle = over(h / 2), narrow = over(h / 4);
  return (16 * (4 * narrow - middle) - (4 * middle - wide)) / 45;
}
template <class F>
MatrixXd slopes(const Arm& arm, const State& state, F force, double h = 4e-3) {
  MatrixXd result(arm.nv(), arm.nv());
  for (int k = 0; k < arm.nv(); ++k)
    result.col(k) = slope(
        [&](double step) -> VectorXd {
          State moved = state;
          displace(arm, moved.q, step * VectorXd::Unit(arm.nv(), k));
          return force(moved);
        },
        h);
  return result;
}

/// As `update` leaves it after having been elsewhere before: nothing of an earlier state may stay.
InverseDerivatives derivatives_at(const Trial& trial, std::span<const SectionLoad> loads = {}) {
  InverseDerivatives derivatives(trial.arm);
  State elsewhere = random_state(trial.arm, trial.seed + 7);
  bend_far(trial.arm, elsewhere, trial.seed + 7);
  derivatives.update(elsewhere, random_vector(trial.arm.nv(), trial.seed), loads);
  derivatives.update(trial.state, trial.vdot, loads);
  return derivatives;
}

// Stiffness must not hide what turning and bending do to inertia: without K, which differences do not need to find.
RC_GTEST_PROP(ExactDerivatives, AreThoseOfDifferences, ()) {
  const Trial trial = any_trial();
  const Arm& arm = trial.arm;
  const int nv = arm.nv();
  if (nv == 0) return;
  const InverseDerivatives found = derivatives_at(trial);
  MatrixXd M(nv, nv);
  Articulated(arm).mass_matrix(trial.state, M);
  const VectorXd tau = inverse(arm, trial.state, trial.vdot);
  Triplets entries;
  add_elastic_stiffness(arm, trial.state, entries);
  const MatrixXd K = MatrixXd(assembled(nv, entries));
  const auto without_springs = [&](const State& state) -> VectorXd {
    VectorXd elastic = VectorXd::Zero(nv);
    for (const Link& link : arm.links())
      if (link.flex)
        elastic.segment(link.flex_v0(), link.n_flex()) = link.flex->K * state.q.segment(link.flex_q0(), link.n_flex());
    return inverse(arm, state, trial.vdot) - elastic;
  };
  const MatrixXd by_position = slopes(arm, trial.state, without_springs);
  // Forces are quadratic in the rates: differences of any step are exact.
  MatrixXd by_rate(nv, nv);
  for (int k = 0; k < nv; ++k) {
    const auto at = [&](double step) {
      State moved = trial.state;
      moved.v[k] += step;
      return inverse(arm, moved, trial.vdot);
    };
    by_rate.col(k) = (at(0.5) - at(-0.5));
  }
  const double inertia = largest(M), size = largest(by_position) + inertia, rounding = 1e-13 * largest(K);
  RC_ASSERT(largest(found.force() - tau) <= 1e-12 * (largest(tau) + inertia));
  RC_ASSERT(largest(found.mass_matrix() - M) <= 1e-12 * inertia);
  RC_ASSERT(largest(found.by_rate() - by_rate) <= 1e-11 * (largest(by_rate) + inertia) + rounding);
  RC_ASSERT(largest(found.by_position() - K - by_position) <= 1e-8 * size + 1e2 * rounding);
}

// Assembled there by other formulas.
RC_GTEST_PROP(ExactDerivatives, AtRestAreTheStiffnessOfStatics, ()) {
  Trial trial = any_trial(true);
  const int nv = trial.arm.nv();
  if (nv == 0) return;
  trial.state.v.setZero();
  InverseDerivatives derivatives(trial.arm);
  derivatives.update(trial.state, VectorXd::Zero(nv));
  Triplets entries;
  small_motion(trial.arm, trial.state).add_weight_stiffness(trial.arm.gravity(), entries);
  add_elastic_stiffness(trial.arm, trial.state, entries);
  const MatrixXd K = MatrixXd(assembled(nv, entries));
  RC_ASSERT(largest(derivatives.by_position() - K) <= 1e-12 * (1 + largest(K)));
}

TEST(ExactDerivatives, ForcesOfLoadsOnSectionsChangeAsDifferencesSay) {
  for (const BaseType base : {BaseType::fixed, BaseType::free})
    for (const std::uint32_t seed : {11u, 12u, 13u, 14u}) {
      const Case data = random_flexible_case(4, seed, {.arm = {.base = base}});
      const Trial trial = trial_of(with_exact_links(data, seed, true), seed);
      const int nv = trial.arm.nv();
      std::vector<int> exact;
      for (int i = 0; i < trial.arm.n_links(); ++i)
        if (trial.arm.link(i).flex && trial.arm.link(i).flex->exact) exact.push_back(i);
      ASSERT_FALSE(exact.empty());
      const int outer = exact.back(), inner = exact.front();
      const auto along = [&](int i, double part) {
        return place_on_link(trial.arm, i, Vector3d(part * trial.arm.link(i).flex->exact->length, 0, 0), "loads")
            .section;
      };
      const LinkSection tip = tip_section(trial.arm, outer), middle = along(outer, 0.37), near = along(inner, 0.8);
      const std::vector<SectionLoad> loads{{&tip, {0.1, 0.2, -0.1}, {20, -10, 5}, {3, 4, -5}, false},
                                           {&middle, {-0.1, 0, 0.3}, {5, 10, -20}, {-2, 1, 3}, true},
                                           {&near, {-0.1, 0, 0.3}, {-5, 7, -15}, {-4, 2, 1}, false}};
      // By virtual work: how poses move is found by differences, too.
      const auto pose = [&](const VectorXd& q, const LinkSection& section) {
        const State state{trial.state.t, q, trial.state.v};
        return SectionFrame(trial.arm, section, state, kinematics_of(trial.arm, state)).X_WS;
      };
      const auto generalised = [&](const State& state) -> VectorXd {
        VectorXd force = VectorXd::Zero(nv);
        for (const SectionLoad& load : loads) {
          const Pose X = pose(state.q, *load.section);
          const Matrix3d R = load.in_link_axes ? X.R : Matrix3d::Identity();
          for (int k = 0; k < nv; ++k) {
            const VectorXd moved = slope(
                [&](double step) -> VectorXd {
                  VectorXd q = state.q;
                  displace(trial.arm, q, step * VectorXd::Unit(nv, k));
                  const Pose Y = pose(q, *load.section);
                  const Matrix3d turn = Y.R * X.R.transpose();
                  VectorXd motion(6);
                  motion << Vector3d(turn(2, 1) - turn(1, 2), turn(0, 2) - turn(2, 0), turn(1, 0) - turn(0, 1)) / 2,
                      Y * load.point;
                  return motion;
                },
                1e-2);
            force[k] += (R * load.moment).dot(moved.head<3>()) + (R * load.force).dot(moved.tail<3>());
          }
        }
        return force;
      };
      const InverseDerivatives with = derivatives_at(trial, loads), without = derivatives_at(trial);
      const VectorXd force = generalised(trial.state);
      EXPECT_LT(largest(without.force() - with.force() - force), 1e-9 * largest(force));
      const MatrixXd expected = slopes(trial.arm, trial.state, generalised, 4e-2);
      EXPECT_LT(largest(without.by_position() - with.by_position() - expected), 3e-8 * largest(expected));
      EXPECT_LT(largest(without.by_rate() - with.by_rate()), 1e-12 * largest(with.by_rate()));

      // Their power, with the rates held.
      const RootMotion root = trial.arm.root(trial.state.t);
      VectorXd forces = VectorXd::Zero(nv), power_slopes = VectorXd::Zero(nv);
      for (const SectionLoad& load : loads) with.add_load_power(root, load, forces, power_slopes);
      EXPECT_LT(largest(forces - force), 1e-9 * largest(force));
      const VectorXd expected_slopes = expected.transpose() * trial.state.v;
      EXPECT_LT(largest(power_slopes - expected_slopes), 1e-7 * largest(expected_slopes));
    }
}

TEST(ExactDerivatives, OfAccelerationsSolveTheEquationsOfMotion) {
  const Case data = with_exact_links(random_flexible_case(4, 3, {.arm = {.base = BaseType::free}}), 3, true);
  const Trial trial = trial_of(data, 3);
  const int nv = trial.arm.nv();
  ForwardDerivatives forward(trial.arm);
  const VectorXd tau = random_vector(nv, 5, 20);
  forward.update(trial.state, tau);
  Articulated dynamics(trial.arm);
  MatrixXd M(nv, nv);
  dynamics.mass_matrix(trial.state, M);
  const VectorXd needed = inverse(trial.arm, trial.state, forward.acceleration());
  EXPECT_LT(largest(needed - tau), 1e-10 * (largest(tau) + largest(M.cwiseAbs() * forward.acceleration().cwiseAbs())));
  const MatrixXd expected = slopes(trial.arm, trial.state, [&](const State& state) -> VectorXd {
    return inverse(trial.arm, state, forward.acceleration());
  });
  const MatrixXd found = forward.by_position();
  EXPECT_LT(largest(M * found + expected), 1e-7 * (largest(expected) + largest(M.cwiseAbs() * found.cwiseAbs())));
}

TEST(ExactDerivatives, AllocateNothing) {
  for (const BaseType base : {BaseType::fixed, BaseType::free}) {
    const Arm arm = Arm::assemble(with_exact_links(random_flexible_case(6, 5, {.arm = {.base = base}}), 5, true));
    State state = random_state(arm, 5);
    bend_far(arm, state, 5);
    const VectorXd vdot = random_vector(arm.nv(), 5);
    int bent = 0;
    while (!arm.link(bent).flex || !arm.link(bent).flex->exact) ++bent;
    const LinkSection tip = tip_section(arm, bent), along = place_on_link(arm, bent, {0.2, 0, 0}, "loads").section;
    const std::vector<SectionLoad> loads{{&tip, {0.1, 0.2, -0.1}, {20, -10, 5}, {3, 4, -5}, false},
                                         {&along, {0, 0.2, -0.1}, {20, -10, 5}, {3, 4, -5}, true}};
    InverseDerivatives derivatives(arm);
    derivatives.update(state, vdot, loads);
    const long before = allocations();
    derivatives.update(state, vdot, loads);
    EXPECT_EQ(allocations(), before);
    ForwardDerivatives forward(arm);
    forward.update(state, vdot, loads);
    const long then = allocations();
    forward.update(state, vdot, loads);
    EXPECT_EQ(allocations(), then);
  }
}

}  // namespace
}  // namespace lithe::testing
