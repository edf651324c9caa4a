// The lectures' example of a holonomic constraint: two particles held at a constant distance by a rigid wire,
//   (r₁ − r₂)ᵀ(r₁ − r₂) = L²,   f₁ᵃ = c (r₁ − r₂) = −f₂ᵃ,
// against the library's constraints. In closed form: with d = r₁ − r₂ the second derivative of the constraint is d·d̈ + ḋ·ḋ = 0 and
// d̈ = f₁/m₁ − f₂/m₂ + c d (1/m₁ + 1/m₂), so that
//   c = −(ḋ·ḋ + d·(f₁/m₁ − f₂/m₂)) / (L² (1/m₁ + 1/m₂)).
// Each particle slides along x, y and z; weight is part of f.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "lithe/arm/constraint.h"
#include "lithe/describe/case_reader.h"
#include "lithe/dynamics/constrained_dynamics.h"
#include "lithe/simulate/simulation.h"
#include "support/random_arm.h"

namespace lithe::closed_form {
namespace {

constexpr double m1 = 3, m2 = 2, length = 0.8, gravity = 9.81;
constexpr double rounding = 1e-13;  // of the largest force; a solution with six unknowns

/// ½(d·d − L²) = 0: the row is d for the first particle and −d for the second, so that λ is the c of the lectures.
class Wire final : public Constraint {
 public:
  std::string what_binds() const override { return "a wire holds"; }
  const std::vector<Reaction>& reactions() const override { return reactions_; }
  void fill_rows(const ConstraintReading& now, Eigen::Ref<MatrixXd> a) const override {
    const Vector3d d = now.state.q.head<3>() - now.state.q.tail<3>();
    a.row(0) << d.transpose(), -d.transpose();
  }
  void fill_rate(const ConstraintReading& now, Eigen::Ref<VectorXd> adot_v) const override {
    adot_v[0] = (now.state.v.head<3>() - now.state.v.tail<3>()).squaredNorm();
  }
  bool binds_positions() const override { return true; }
  void fill_gap(const ConstraintReading& now, Eigen::Ref<VectorXd> gap) const override {
    gap[0] = ((now.state.q.head<3>() - now.state.q.tail<3>()).squaredNorm() - length * length) / 2;
  }

 private:
  std::vector<Reaction> reactions_{{"wire.c", "N/m"}};
};

CaseFile particles(const std::string& start = "") {
  std::string links;
  for (const char* particle : {"1", "2"})
    for (int axis = 0; axis < 3; ++axis) {
      const std::string name = std::string(1, "xyz"[axis]) + particle;
      const bool last = axis == 2;
      links += "    - {name: " + name + "_slide, " + (axis == 0 ? "parent: base, " : "") + "joint: {name: " + name +
               ", type: prismatic, axis: [" +
               (axis == 0   ? "1, 0, 0"
                : axis == 1 ? "0, 1, 0"
                            : "0, 0, 1") +
               "]}, rigid: {mass: " + (last ? (particle[0] == '1' ? "3" : "2") : "0") + "}}\n";
    }
  return read_case_text("arm:\n  gravity: [0, 0, -9.81]\n  links:\n" + links + start + "simulate: {for: 1 s}\n",
                        "particles.yaml");
}

/// Positions at the distance, and rates that keep it.
State on_the_wire(unsigned seed) {
  State state{0, testing::random_vector(6, seed, 1), testing::random_vector(6, seed + 7, 2)};
  const Vector3d d = (state.q.head<3>() - state.q.tail<3>()).normalized();
  state.q.head<3>() = state.q.tail<3>() + length * d;
  state.v.head<3>() -= d * d.dot(state.v.head<3>() - state.v.tail<3>());
  return state;
}

TEST(Holonomic, ForceOfAWireBetweenTwoParticles) {
  const CaseFile file = particles();
  const Arm arm = Arm::assemble(file.data).with_constraint(std::make_shared<Wire>());
  for (const char* formulation : {"articulated", "lagrange", "kane"})
    for (unsigned seed = 1; seed <= 5; ++seed) {
      const State state = on_the_wire(seed);
      const VectorXd pushes = testing::random_vector(6, seed + 30, 20);
      ConstrainedDynamics dynamics(formulation, arm);
      VectorXd accelerations(6);
      dynamics.forward(state, pushes, accelerations);
      const Vector3d weight(0, 0, -gravity);
      const Vector3d f1 = pushes.head<3>() + m1 * weight, f2 = pushes.tail<3>() + m2 * weight;
      const Vector3d d = state.q.head<3>() - state.q.tail<3>(), rate = state.v.head<3>() - state.v.tail<3>();
      const double c = -(rate.squaredNorm() + d.dot(f1 / m1 - f2 / m2)) / (length * length * (1 / m1 + 1 / m2));
      const double size = f1.norm() + f2.norm() + m1 * rate.squaredNorm();
      EXPECT_NEAR(dynamics.reactions()[0], c, rounding * size) << formulation;
      EXPECT_LE((accelerations.head<3>() - (f1 + c * d) / m1).norm(), rounding * size) << formulation;
      EXPECT_LE((accelerations.tail<3>() - (f2 - c * d) / m2).norm(), rounding * size) << formulation;
      // Virtual displacements that the wire allows, δd ⊥ d: its forces do no work on them.
      const VectorXd wanted = testing::random_vector(6, seed + 60, 1);
      Vector3d delta1 = wanted.head<3>();
      const Vector3d delta2 = wanted.tail<3>();
      delta1 -= d * d.dot(delta1 - delta2) / d.squaredNorm();
      EXPECT_NEAR(c * d.dot(delta1) - c * d.dot(delta2), 0, rounding * std::abs(c));
    }
}

// Without pushes the pair falls while it turns at a constant rate: c = −μ ω² with the reduced mass μ.
TEST(Holonomic, PairFallsAndTurns) {
  // The first particle moves across the wire at 2 m/s: ω = 2/L.
  const CaseFile file = particles("initial: {x1: 0.8 m, y1: {rate: 2 m/s}}\n");
  const Arm arm = Arm::assemble(file.data).with_constraint(std::make_shared<Wire>());
  Simulation simulation(file.data, arm);
  simulation.keep_rows();
  simulation.finish();
  const double omega = 2 / length, mu = m1 * m2 / (m1 + m2), t = 1;
  const VectorXd& q = simulation.state().q;
  const Vector3d d = q.head<3>() - q.tail<3>();
  // The integrator's relative tolerance is 1e-6 by default, over a third of a turn.
  EXPECT_NEAR(d.norm(), length, 1e-9) << "positions are put back on the wire";
  EXPECT_NEAR(d.x(), length * std::cos(omega * t), 1e-5);
  EXPECT_NEAR(d.y(), length * std::sin(omega * t), 1e-5);
  const Vector3d centre = (m1 * q.head<3>() + m2 * q.tail<3>()) / (m1 + m2);
  EXPECT_NEAR(centre.z(), -gravity * t * t / 2, 1e-5);
  EXPECT_NEAR(centre.y(), 2 * m1 / (m1 + m2) * t, 1e-5);
  const Results& results = simulation.results();
  const int column = results.find("wire.c");
  ASSERT_GE(column, 0);
  EXPECT_NEAR(results.series[size_t(column)].back(), -mu * omega * omega, 1e-4);
}

}  // namespace
}  // namespace lithe::closed_form
