// Constraints of any kind on arms of any kind: against equations in which they are eliminated, or solved with their multipliers as one
// dense system; and a closed loop against its closed form.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "lithe/dynamics/constrained_dynamics.h"
#include "lithe/dynamics/lagrange/lagrange.h"
#include "lithe/simulate/simulation.h"
#include "support/allocation_count.h"
#include "support/draw.h"
#include "support/random_arm.h"
#include "support/run_results.h"

namespace lithe::testing {
namespace {

/// Rows that mix all coordinates and turn with the first: a = A cos q₀ + B sin q₀.
class Mixture final : public Constraint {
 public:
  Mixture(MatrixXd A, MatrixXd B) : A_(std::move(A)), B_(std::move(B)) {
    for (int k = 0; k < A_.rows(); ++k) reactions_.push_back({fmt::format("mixture.{}", k), "N"});
  }
  std::string what_binds() const override { return "a mixture binds"; }
  const std::vector<Reaction>& reactions() const override { return reactions_; }
  void fill_rows(const ConstraintReading& now, Eigen::Ref<MatrixXd> a) const override { a = rows(now.state); }
  void fill_rate(const ConstraintReading& now, Eigen::Ref<VectorXd> adot_v) const override {
    adot_v = rate(now.state) * now.state.v;
  }
  MatrixXd rows(const State& state) const { return A_ * std::cos(state.q[0]) + B_ * std::sin(state.q[0]); }
  MatrixXd rate(const State& state) const {
    return (B_ * std::cos(state.q[0]) - A_ * std::sin(state.q[0])) * state.v[0];
  }

 private:
  MatrixXd A_, B_;
  std::vector<Reaction> reactions_;
};

MatrixXd random_matrix(int rows, int columns, std::uint32_t seed) {
  const VectorXd numbers = random_vector(rows * columns, seed);
  return Eigen::Map<const MatrixXd>(numbers.data(), rows, columns);
}

// [M −aᵀ; a 0] [v̇; λ] = [τ − h; −ȧ v] with M and h by `lagrange`, solved at once; given accelerations of driven coordinates as further
// rows, whose multipliers are what their drives need.
RC_GTEST_PROP(Constraints, AgreeWithOneSystemOfAccelerationsAndMultipliers, ()) {
  const auto seed = any_seed();
  const Case data = *rc::gen::arbitrary<bool>() ? random_flexible_case(any_link_count(6), seed)
                                                : random_case(any_link_count(8), seed);
  const Arm bare = Arm::assemble(data);
  const int nv = bare.nv(), n = any_within(1, 3);
  if (nv < n + 3 || bare.nq() != nv) RC_SUCCEED("nothing would be free");
  const auto mixture = std::make_shared<Mixture>(random_matrix(n, nv, seed + 3), random_matrix(n, nv, seed + 4));
  const Arm arm = bare.with_constraint(mixture);
  State state = random_state(arm, seed);
  std::vector<bool> driven(size_t(nv), false);
  if (const auto& inputs = arm.torque_inputs(); inputs.size() > 1) driven[size_t(inputs.back().v)] = true;

  ConstrainedDynamics dynamics(*rc::gen::element<std::string>("articulated", "kane"), arm);
  dynamics.project_rates(state, driven);
  RC_ASSERT(dynamics.slip(state).cwiseAbs().maxCoeff() <= 1e-12 * (1 + state.v.norm()));
  VectorXd tau = random_vector(nv, seed + 1, 5), vdot = random_vector(nv, seed + 2, 5);
  const VectorXd given_tau = tau, given_vdot = vdot;
  dynamics.hybrid(state, driven, tau, vdot);

  Lagrange witness(bare);
  MatrixXd M(nv, nv);
  VectorXd h(nv);
  witness.mass_matrix(state, M);
  witness.bias(state, Terms::all, h);
  const int n_driven = int(std::count(driven.begin(), driven.end(), true));
  MatrixXd held = MatrixXd::Zero(n + n_driven, nv);
  VectorXd right = VectorXd::Zero(n + n_driven), force = given_tau - h;
  held.topRows(n) = mixture->rows(state);
  right.head(n) = -mixture->rate(state) * state.v;
  for (int k = 0, row = n; k < nv; ++k)
    if (driven[size_t(k)]) {
      held(row, k) = 1;
      right[row++] = given_vdot[k];
      force[k] = -h[k];  // what drives it is an answer
    }
  MatrixXd system = MatrixXd::Zero(nv + n + n_driven, nv + n + n_driven);
  system << M, -held.transpose(), held, MatrixXd::Zero(n + n_driven, n + n_driven);
  VectorXd known(nv + n + n_driven);
  known << force, right;
  const VectorXd solution = system.fullPivLu().solve(known);
  const double size = 1 + (M * vdot).cwiseAbs().maxCoeff() + h.cwiseAbs().maxCoeff();
  RC_ASSERT((M * (vdot - solution.head(nv))).cwiseAbs().maxCoeff() <= 1e-8 * size);
  const double lambda_size = 1 + solution.segment(nv, n).cwiseAbs().maxCoeff();
  RC_ASSERT((dynamics.reactions() - solution.segment(nv, n)).cwiseAbs().maxCoeff() <= 1e-7 * lambda_size);
  for (int k = 0, row = nv + n; k < nv; ++k) {
    if (driven[size_t(k)])
      RC_ASSERT(std::abs(tau[k] - solution[row++]) <= 1e-7 * (size + lambda_size));
    else
      RC_ASSERT(tau[k] == given_tau[k]);
  }
}

const char* const two_bars = R"(
arm:
  links:
    - {name: one, joint: {name: first, type: revolute, axis: [0, -1, 0]}, rigid: {length: 0.7, mass: 2, com: [0.3, 0, 0], inertia: {xx: 0.01, yy: 0.05, zz: 0.05}}}
    - {name: two, joint: {name: second, type: revolute, axis: [0, -1, 0]}, rigid: {length: 0.5, mass: 1, com: [0.2, 0, 0], inertia: {xx: 0.01, yy: 0.03, zz: 0.03}}}
initial: {first: 20 deg, second: -40 deg}
simulate: {for: 1 s, rtol: 1e-10, atol: 1e-12}
)";

/// A gear between two joints: v₁ + ratio v₀ = 0.
class Gear final : public Constraint {
 public:
  explicit Gear(double ratio) : ratio_(ratio) {}
  std::string what_binds() const override { return "a gear binds"; }
  const std::vector<Reaction>& reactions() const override { return reactions_; }
  void fill_rows(const ConstraintReading&, Eigen::Ref<MatrixXd> a) const override {
    a(0, 0) = ratio_;
    a(0, 1) = 1;
  }
  void fill_rate(const ConstraintReading&, Eigen::Ref<VectorXd> adot_v) const override { adot_v[0] = 0; }

 private:
  double ratio_;
  std::vector<Reaction> reactions_{{"gear.torque", "N.m"}};
};

// With P = [1, −ratio]ᵀ one coordinate is left: Pᵀ M P v̇₀ = Pᵀ(τ − h).
TEST(Constraints, GearLeavesOneCoordinate) {
  const Arm bare = Arm::assemble(read_case_text(two_bars, "case").data);
  const double ratio = 1.5;
  const Arm arm = bare.with_constraint(std::make_shared<Gear>(ratio));
  ConstrainedDynamics dynamics("articulated", arm);
  State state = State::zero(arm);
  state.q << 0.3, -0.8;
  state.v << 1.2, -1.2 * ratio;
  EXPECT_EQ(dynamics.broken(state), "");
  const VectorXd tau = VectorXd::Constant(2, 0.4);
  VectorXd vdot(2);
  dynamics.forward(state, tau, vdot);
  const long before = allocations();
  dynamics.forward(state, tau, vdot);
  dynamics.project_rates(state);
  EXPECT_EQ(allocations(), before);
  Lagrange witness(bare);
  MatrixXd M(2, 2);
  VectorXd h(2);
  witness.mass_matrix(state, M);
  witness.bias(state, Terms::all, h);
  const Eigen::Vector2d P(1, -ratio);
  EXPECT_NEAR(vdot[0], P.dot(tau - h) / (P.transpose() * M * P).value(), 1e-12 * std::abs(vdot[0]));
  EXPECT_NEAR(vdot[1], -ratio * vdot[0], 1e-12 * std::abs(vdot[1]));
  // A run keeps the ratio, closes its energy audit without any work of the gear, and records what the gear bears.
  Simulation simulation(read_case_text(two_bars, "case").data, arm);
  simulation.keep_rows();
  simulation.finish();
  const Results& results = simulation.results();
  const auto first = series(results, "first"), second = series(results, "second"),
             residual = series(results, "energy.residual"), torque = series(results, "gear.torque");
  double open = 0, off = 0, most = 0;
  for (size_t k = 0; k < first.size(); ++k) {
    off = std::max(off, std::abs(ratio * (first[k] - first[0]) + second[k] - second[0]));
    open = std::max(open, std::abs(residual[k]));
    most = std::max(most, std::abs(torque[k]));
  }
  EXPECT_LT(off, 1e-8);
  EXPECT_LT(open, 1e-7);
  EXPECT_GT(most, 0.1);

  state.v[1] += 0.01;
  EXPECT_EQ(dynamics.broken(state), "violates a constraint: a gear binds rates, and these are off by 0.01");
  const Arm twice = arm.with_constraint(std::make_shared<Gear>(ratio));
  ConstrainedDynamics redundant("articulated", twice);
  try {
    redundant.forward(state, tau, vdot);
    FAIL() << "one gear twice";
  } catch (const SingularError& error) {
    EXPECT_STREQ(error.what(),
                 "the constraint of 'gear.torque' is redundant: other constraints or given motions already enforce it");
  }
}

/// A chain of bars in the xz plane, each turning about −y, whose tip is pinned to the ground at (x, z).
class Pin final : public Constraint {
 public:
  Pin(const Arm& chain, double x, double z) : chain_(chain), x_(x), z_(z) {}
  std::string what_binds() const override { return "a pin binds"; }
  const std::vector<Reaction>& reactions() const override { return reactions_; }
  bool needs_kinematics() const override { return true; }
  bool binds_positions() const override { return true; }
  void fill_rows(const ConstraintReading& now, Eigen::Ref<MatrixXd> a) const override {
    const Matrix6Xd J = tip_jacobian(chain_, now.kinematics, chain_.last_link());
    a.row(0) = J.row(3);
    a.row(1) = J.row(5);
  }
  // Per bar, length times the square of its turning rate, towards its root.
  void fill_rate(const ConstraintReading& now, Eigen::Ref<VectorXd> adot_v) const override {
    adot_v.setZero();
    for (int i = 0; i < chain_.n_links(); ++i) {
      const Vector3d along = now.kinematics.X_WT[i].p - now.kinematics.X_WB[i].p;
      adot_v -= now.kinematics.V_WB_W[i].head<3>().squaredNorm() * Eigen::Vector2d(along.x(), along.z());
    }
  }
  void fill_gap(const ConstraintReading& now, Eigen::Ref<VectorXd> gap) const override {
    const Vector3d& p = now.kinematics.X_WT[chain_.last_link()].p;
    gap << p.x() - x_, p.z() - z_;
  }
  void add_wrenches(const ConstraintReading&, const double* lambda, std::vector<Vector6d>& on_tips) const override {
    on_tips[size_t(chain_.last_link())].tail<3>() += Vector3d(lambda[0], 0, lambda[1]);
  }

 private:
  const Arm chain_;
  double x_, z_;
  std::vector<Reaction> reactions_{{"pin.x", "N"}, {"pin.z", "N"}};
};

// Two equal cranks that hang from the ground carry a coupler as long as their pivots are apart: it stays level, so that all is one
// pendulum, ½ I θ̇² = G (cos θ − cos θ₀) with I = 2 I_crank + m_coupler r² and G = g r (m_crank + m_coupler).
TEST(Constraints, ParallelogramSwingsAsOnePendulum) {
  const double r = 0.4, d = 0.6, m_crank = 0.8, m_coupler = 1.7, start = 1.0;
  const std::string text = fmt::format(R"(
arm:
  links:
    - {{name: crank, joint: {{name: a, type: revolute, axis: [0, -1, 0]}}, rigid: {{length: {0}, mass: {2}, com: [{3}, 0, 0], inertia: {{xx: 1e-4, yy: {4}, zz: {4}}}}}}}
    - {{name: coupler, joint: {{name: b, type: revolute, axis: [0, -1, 0]}}, rigid: {{length: {1}, mass: {5}, com: [0.3, 0, 0], inertia: {{xx: 1e-4, yy: 0.05, zz: 0.05}}}}}}
    - {{name: rocker, joint: {{name: c, type: revolute, axis: [0, -1, 0]}}, rigid: {{length: {0}, mass: {2}, com: [{3}, 0, 0], inertia: {{xx: 1e-4, yy: {4}, zz: {4}}}}}}}
initial: {{a: {6}, b: {7}, c: {8}}}
simulate: {{for: 1.5 s, rtol: 1e-10, atol: 1e-12}}
)",
                                       r, d, m_crank, r / 2, m_crank * r * r / 12, m_coupler, start - M_PI / 2,
                                       M_PI / 2 - start, start + M_PI / 2);
  const CaseFile file = read_case_text(text, "case");
  const Arm chain = Arm::assemble(file.data);
  const Arm arm = chain.with_constraint(std::make_shared<Pin>(chain, d, 0));
  Simulation simulation(file.data, arm);
  simulation.keep_rows();
  simulation.finish();
  const Results& results = simulation.results();
  const auto a = series(results, "a"), rate = series(results, "a.rate"), x = series(results, "tip.x"),
             z = series(results, "tip.z"), residual = series(results, "energy.residual"),
             pin_x = series(results, "pin.x"), pin_z = series(results, "pin.z");
  const double I = 2 * m_crank * r * r / 3 + m_coupler * r * r, G = 9.81 * r * (m_crank + m_coupler);
  double off = 0, gap = 0, open = 0, fastest = 0;
  for (size_t k = 0; k < a.size(); ++k) {
    const double theta = a[k] + M_PI / 2;  // from hanging
    off = std::max(off, std::abs(I * rate[k] * rate[k] / 2 - G * (std::cos(theta) - std::cos(start))));
    gap = std::max(gap, std::hypot(x[k] - d, z[k]));
    open = std::max(open, std::abs(residual[k]));
    fastest = std::max(fastest, std::abs(rate[k]));
  }
  EXPECT_GT(fastest, 4);
  EXPECT_LT(off, 1e-7 * G);
  EXPECT_LT(gap, 1e-8);
  EXPECT_LT(open, 1e-7 * G);
  // The coupler bears on the rocker with what its mass times acceleration, its weight and the pin leave: forces inside know of the pin.
  const double turning = -G * std::sin(start) / I;
  const Eigen::Vector2d a_centre = r / 2 * turning * Eigen::Vector2d(std::cos(start), std::sin(start));
  const Eigen::Vector2d borne =
      m_crank * (a_centre + Eigen::Vector2d(0, 9.81)) - Eigen::Vector2d(pin_x.front(), pin_z.front());
  const Eigen::Vector3d reaction(series(results, "c.reaction.fx").front(), series(results, "c.reaction.fy").front(),
                                 series(results, "c.reaction.fz").front());
  EXPECT_GT(std::hypot(pin_x.front(), pin_z.front()), 5);
  EXPECT_NEAR(reaction.norm(), borne.norm(), 1e-8);

  // From a chain that nearly closes: positions are brought together, then rates.
  State state = State::zero(arm);
  state.q << start - M_PI / 2 + 0.03, M_PI / 2 - start, start + M_PI / 2 - 0.02;
  state.v << 1, 0.2, 0.1;
  ConstrainedDynamics dynamics("articulated", arm);
  ASSERT_TRUE(dynamics.project(state));
  const Kinematics kin = kinematics_of(arm, state);
  EXPECT_LT((kin.X_WT[2].p - Vector3d(d, 0, 0)).norm(), 1e-12);
  EXPECT_LT(kin.V_WT_W[2].tail<3>().norm(), 1e-12);
}

}  // namespace
}  // namespace lithe::testing
