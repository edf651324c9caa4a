// Kane's method against others' ways and numbers.
#include "lithe/dynamics/kane/kane.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "lithe/dynamics/articulated/articulated.h"
#include "support/allocation_count.h"
#include "support/draw.h"
#include "support/four_bodies.h"
#include "support/random_arm.h"

namespace lithe::testing {
namespace {

BaseType any_base() { return *rc::gen::element(BaseType::fixed, BaseType::planar, BaseType::free, BaseType::moving); }

double largest(const MatrixXd& x) { return x.size() == 0 ? 0 : x.cwiseAbs().maxCoeff(); }

MatrixXd mass_matrix(Formulation& dynamics, const State& state) {
  MatrixXd M(dynamics.arm().nv(), dynamics.arm().nv());
  dynamics.mass_matrix(state, M);
  return M;
}
VectorXd bias(Formulation& dynamics, const State& state, Terms terms) {
  VectorXd h(dynamics.arm().nv());
  dynamics.bias(state, terms, h);
  return h;
}
VectorXd forward(Formulation& dynamics, const State& state, const VectorXd& tau) {
  VectorXd vdot(dynamics.arm().nv());
  dynamics.forward(state, tau, vdot);
  return vdot;
}

RC_GTEST_PROP(Kane, AgreesWithTheRecursionOnRigidTrees, ()) {
  const auto seed = any_seed();
  const Arm arm = Arm::assemble(random_case(any_link_count(9), seed, {.drive_line = true, .base = any_base()}));
  if (arm.nv() == 0) return;
  State state = random_state(arm, seed);
  state.t = 0.3;
  Kane kane(arm);
  Articulated articulated(arm);
  const MatrixXd M = mass_matrix(articulated, state);
  RC_ASSERT(largest(mass_matrix(kane, state) - M) <= 1e-12 * largest(M));
  for (const Terms terms : {Terms::coriolis, Terms::gravity, Terms::elastic, Terms::damping, Terms::all}) {
    const VectorXd h = bias(articulated, state, terms);
    // Long arms at high rates: partial sums exceed h itself by some orders.
    RC_ASSERT(largest(bias(kane, state, terms) - h) <= 1e-11 * (1 + largest(h)));
  }
  const VectorXd tau = random_vector(arm.nv(), seed, 20), vdot = forward(articulated, state, tau);
  const double force = largest(M.cwiseAbs() * vdot.cwiseAbs()) + largest(bias(kane, state, Terms::all)) + 20;
  RC_ASSERT(largest(M * (forward(kane, state, tau) - vdot)) <= 1e-10 * force);
}

/// Appendix A, entry by entry, with the corrections that tests/reference/README.md names.
TEST(Kane, FourBodiesOfAppendixA) {
  const nlohmann::json entries = reference("abdelaziz_fourbody.json")["states"];
  ASSERT_EQ(entries.size(), 4u);
  for (const nlohmann::json& entry : entries) {
    const FourBodies bodies(entry);
    const Arm arm = Arm::assemble(bodies.data);
    const MatrixXd A = matrix(entry["A"]), T = bodies.speed_map(), T_inverse = T.inverse();
    const VectorXd U = Eigen::Map<const VectorXd>(MatrixXd(matrix(entry["U"]).transpose()).data(), 15);
    const State state = bodies.state(arm, U);
    for (const DenseMethod method : {DenseMethod::cholesky, DenseMethod::lu}) {
      Kane kane(arm, method);
      // Entries up to 10; the turns' axes lose up to a factor of 100 near the ball joint's pole.
      const MatrixXd M = T_inverse.transpose() * mass_matrix(kane, state) * T_inverse;
      expect_close(M, -A, 1e-12, "−A");
      const VectorXd h = T_inverse.transpose() * bias(kane, state, Terms::all) - M * bodies.speed_rate(state.v);
      expect_close(-h, vector(entry["B"]), 1e-12, "B");
      const VectorXd Udot = T * forward(kane, state, VectorXd::Zero(15)) + bodies.speed_rate(state.v);
      expect_close(Udot, vector(entry["Udot_free"]), 1e-11, "U̇");
    }
  }
}

struct BendingTrial {
  Case data;
  Arm arm;
  State state;
  VectorXd tau, vdot;
};

BendingTrial any_bending_trial() {
  const auto seed = any_seed();
  FlexibleArmOptions options;
  options.arm.drive_line = *rc::gen::arbitrary<bool>();
  options.arm.base = any_base();
  options.rotary_inertia = *rc::gen::arbitrary<bool>();
  options.every_kind = options.elements = options.segments = *rc::gen::arbitrary<bool>();
  Case data = random_flexible_case(any_link_count(8), seed, options);
  Arm arm = Arm::assemble(data);
  State state = random_state(arm, seed);
  state.t = 0.3;
  const int nv = arm.nv();
  return {std::move(data), std::move(arm), std::move(state), random_vector(nv, seed, 20),
          random_vector(nv, seed + 1, 5)};
}

// Polynomial shapes have a witness of their own (flexible_test.cpp). Here whatever else bends, as the recursion has it.
RC_GTEST_PROP(Kane, AgreesWithTheRecursionOnElementsWavesAndSegments, ()) {
  BendingTrial trial = any_bending_trial();
  for (LinkSpec& link : trial.data.arm.links) {
    if (!link.beam || std::holds_alternative<NoFlexibility>(link.beam->flexibility)) continue;
    Elements reduced{4};
    reduced.keep = 8;
    link.beam->flexibility = *rc::gen::element<Flexibility>(Elements{3}, Elements{2, ElementKind::linear}, reduced,
                                                            Modes{2, 1, 0, 1, ModeShape::clamped_mass}, Segments{3});
  }
  trial.data.arm.rotary_inertia = true;  // else elements twist without inertia
  const Arm arm = Arm::assemble(trial.data);
  if (arm.nv() == 0) return;
  const auto seed = any_seed();
  State state = random_state(arm, seed);
  state.t = 0.3;
  Kane kane(arm);
  Articulated articulated(arm);
  const MatrixXd M = mass_matrix(articulated, state);
  RC_ASSERT(largest(mass_matrix(kane, state) - M) <= 1e-11 * largest(M));
  for (const Terms terms : {Terms::coriolis, Terms::gravity, Terms::elastic, Terms::damping, Terms::all}) {
    const VectorXd h = bias(articulated, state, terms);
    RC_ASSERT(largest(bias(kane, state, terms) - h) <= 1e-11 * (1 + largest(h)));
  }
}

RC_GTEST_PROP(Kane, LuAndCholeskyGiveTheSameMotion, ()) {
  const BendingTrial trial = any_bending_trial();
  const int nv = trial.arm.nv();
  if (nv == 0) return;
  std::vector<bool> driven(nv, false);
  for (const Link& link : trial.arm.links())
    std::fill_n(driven.begin() + link.v0, link.nv(), *rc::gen::arbitrary<bool>());
  Kane cholesky(trial.arm), lu(trial.arm, DenseMethod::lu);
  const MatrixXd M = mass_matrix(cholesky, trial.state);
  const VectorXd h = bias(cholesky, trial.state, Terms::all);
  auto force = [&](const VectorXd& vdot, const VectorXd& tau) {
    return largest(M.cwiseAbs() * vdot.cwiseAbs()) + largest(h) + largest(tau);
  };
  const VectorXd one = forward(cholesky, trial.state, trial.tau), two = forward(lu, trial.state, trial.tau);
  RC_ASSERT(largest(M * one + h - trial.tau) <= 1e-11 * force(one, trial.tau));
  RC_ASSERT(largest(M * two + h - trial.tau) <= 1e-11 * force(two, trial.tau));
  for (Kane* kane : {&cholesky, &lu}) {
    VectorXd tau = trial.tau, vdot = trial.vdot;
    kane->hybrid(trial.state, driven, tau, vdot);
    RC_ASSERT(largest(M * vdot + h - tau) <= 1e-11 * force(vdot, tau));
    for (int k = 0; k < nv; ++k) RC_ASSERT((driven[k] ? vdot[k] == trial.vdot[k] : tau[k] == trial.tau[k]));
  }
}

TEST(Kane, SaysWhoCoversWhatItDoesNot) {
  const auto refusal = [](const Case& data) -> std::string {
    try {
      Kane kane(Arm::assemble(data));
    } catch (const UnsupportedError& error) {
      return error.path() + ": " + error.what();
    }
    return "accepted";
  };
  Case data = random_flexible_case(3, 7, {});
  ASSERT_EQ(refusal(data), "accepted");
  data.arm.tip_rotation = TipRotation::small;
  EXPECT_EQ(refusal(data), "arm.tip_rotation: kane needs 'finite'; recursive-lagrangian covers 'small'");
  data.arm.tip_rotation = TipRotation::finite;
  data.arm.inertia = InertiaOrder::first_order;
  EXPECT_EQ(refusal(data), "arm.inertia: kane needs 'complete'; recursive-lagrangian covers 'first-order'");
  // Without bending links the options mean nothing.
  data = random_case(3, 7, {});
  data.arm.tip_rotation = TipRotation::small;
  EXPECT_EQ(refusal(data), "accepted");
}

TEST(Kane, SaysWhenTheMassMatrixIsSingular) {
  Case data = random_case(1, 7, {.tree = false, .fixed_joints = false, .prismatic = false, .payloads = false});
  data.arm.links[0].rigid = RigidBody{};
  data.arm.links[0].rigid->mass = 0;
  const Arm arm = Arm::assemble(data);
  const State state = State::zero(arm);
  VectorXd tau = VectorXd::Zero(1), vdot(1);
  for (const DenseMethod method : {DenseMethod::cholesky, DenseMethod::lu})
    EXPECT_THROW(Kane(arm, method).forward(state, tau, vdot), SingularError);
}

TEST(Kane, AllocatesNothing) {
  for (const DenseMethod method : {DenseMethod::cholesky, DenseMethod::lu}) {
    const Arm arm = Arm::assemble(random_flexible_case(8, 5, {.arm = {.drive_line = true, .base = BaseType::free}}));
    ASSERT_TRUE(arm.bends());
    const State state = random_state(arm, 5);
    Kane kane(arm, method);
    VectorXd tau = random_vector(arm.nv(), 5), vdot(arm.nv()), h(arm.nv());
    MatrixXd M(arm.nv(), arm.nv());
    std::vector<bool> driven(arm.nv(), false);
    driven.back() = true;
    kane.forward(state, tau, vdot);  // whatever is sized on first use
    const long before = allocations();
    kane.forward(state, tau, vdot);
    kane.inverse(state, vdot, tau);
    kane.mass_matrix(state, M);
    kane.bias(state, Terms::all, h);
    kane.hybrid(state, driven, tau, vdot);
    EXPECT_EQ(allocations(), before);
  }
}

}  // namespace
}  // namespace lithe::testing
