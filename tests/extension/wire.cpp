// Two particles on a wire of fixed length: a holonomic constraint of the user's own, and the force that holds it.
//
//   (r₁ − r₂)ᵀ(r₁ − r₂) = L²,      f₁ = c (r₁ − r₂) = −f₂                                                              (1)
//
// The library wants the condition on rates, a v = 0 with a = [dᵀ −dᵀ], d = r₁ − r₂, and what ȧ v is, ḋ·ḋ. The multiplier of that row is c.
// Thrown across the wire at 2 m/s, the first particle makes the pair turn with ω = v/L while it falls; by hand c = −μω², μ = m₁m₂/(m₁ + m₂).
#include <lithe/lithe.h>

#include <cmath>
#include <memory>

#include "expect.h"

namespace extension {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr double m1 = 3, m2 = 2, length = 0.8, speed = 2, gravity = 9.81;

class Wire final : public lithe::Constraint {
 public:
  std::string what_binds() const override { return "a wire holds"; }
  const std::vector<Reaction>& reactions() const override { return reactions_; }
  void fill_rows(const lithe::ConstraintReading& now, Eigen::Ref<MatrixXd> a) const override {
    const Vector3d d = between(now.state.q);
    a.row(0) << d.transpose(), -d.transpose();
  }
  void fill_rate(const lithe::ConstraintReading& now, Eigen::Ref<VectorXd> adot_v) const override {
    adot_v[0] = between(now.state.v).squaredNorm();
  }
  // It holds positions, too: ½(d·d − L²), whose slope is the row above, is brought back to zero where it drifts.
  bool binds_positions() const override { return true; }
  void fill_gap(const lithe::ConstraintReading& now, Eigen::Ref<VectorXd> gap) const override {
    gap[0] = (between(now.state.q).squaredNorm() - length * length) / 2;
  }

 private:
  static Vector3d between(const VectorXd& both) { return both.head<3>() - both.tail<3>(); }
  std::vector<Reaction> reactions_{{"wire.c", "N/m"}};
};

/// Each particle slides along x, y and z.
lithe::CaseFile particles() {
  return lithe::read_case_text(R"(
arm:
  gravity: [0, 0, -9.81]
  links:
    - {name: a, parent: base, joint: {name: x1, type: prismatic, axis: [1, 0, 0]}, rigid: {mass: 0}}
    - {name: b, joint: {name: y1, type: prismatic, axis: [0, 1, 0]}, rigid: {mass: 0}}
    - {name: c, joint: {name: z1, type: prismatic, axis: [0, 0, 1]}, rigid: {mass: 3}}
    - {name: d, parent: base, joint: {name: x2, type: prismatic, axis: [1, 0, 0]}, rigid: {mass: 0}}
    - {name: e, joint: {name: y2, type: prismatic, axis: [0, 1, 0]}, rigid: {mass: 0}}
    - {name: f, joint: {name: z2, type: prismatic, axis: [0, 0, 1]}, rigid: {mass: 2}}
initial: {x1: 0.8 m, y1: {rate: 2 m/s}}
simulate: {for: 1 s, rtol: 1e-9, atol: 1e-11}
)");
}

}  // namespace

void try_wire() {
  const lithe::CaseFile file = particles();
  const lithe::Arm arm = lithe::Arm::assemble(file.data).with_constraint(std::make_shared<Wire>());
  const double mu = m1 * m2 / (m1 + m2), omega = speed / length;

  // At one state: the force of the wire without integrating anything.
  lithe::ConstrainedDynamics dynamics("articulated", arm);
  lithe::State state = lithe::State::zero(arm);
  state.q[0] = length;
  state.v[1] = speed;
  VectorXd accelerations(6);
  dynamics.forward(state, VectorXd::Zero(6), accelerations);
  expect(std::abs(dynamics.reactions()[0] + mu * omega * omega) < 1e-12,
         "the wire pulls with the reduced mass's force");

  // Through a run: the pair turns, its centre falls, and the results have the wire's c as a series.
  lithe::Simulation simulation(file.data, arm);
  simulation.keep_rows();
  simulation.finish();
  const VectorXd& q = simulation.state().q;
  const Vector3d d = q.head<3>() - q.tail<3>(), centre = (m1 * q.head<3>() + m2 * q.tail<3>()) / (m1 + m2);
  expect((d - length * Vector3d(std::cos(omega), std::sin(omega), 0)).norm() < 1e-6, "the pair turns at its rate");
  expect(std::abs(d.norm() - length) < 1e-9, "the wire keeps its length");
  expect((centre - Vector3d(m1 * length, m1 * speed, 0) / (m1 + m2) - Vector3d(0, 0, -gravity / 2)).norm() < 1e-6,
         "and its centre falls");
  const lithe::Results& results = simulation.results();
  const int column = results.find("wire.c");
  expect(column >= 0 && std::abs(results.series[size_t(column)].back() + mu * omega * omega) < 1e-5,
         "the wire's force is in the results");
}

}  // namespace extension
