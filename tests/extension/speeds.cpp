// Generalised speeds of the user's own: u = Y(q) v, linear in the rates, and a condition among them, as Kane takes them up. Any formulation
// gives M and h in the rates v; with v = W u + …, W = Y⁻¹ or fewer columns,
//
//   (Wᵀ M W) u̇ = Wᵀ (τ − h − M Ẇ u)                                                                                 (1)
//
// The arm is Kane & Levinson's: hub, tilt, slide. Their speeds are those of the tilting arm's own axes, here u₁ = q̇₁ cos q₂ (about its z),
// u₂ = q̇₂, u₃ = q̇₃; and then the rack is geared to the tilt, u₃ = ρ u₂, so that two are left.
#include <lithe/lithe.h>

#include <cmath>
#include <memory>

#include "expect.h"

namespace extension {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double ratio = 0.4;  // m of slide per radian of tilt

/// How rates follow from speeds, v = W(q) u, and what Ẇ u is. A condition among speeds is a W with fewer columns.
struct Speeds {
  bool geared;
  int count() const { return geared ? 2 : 3; }

  MatrixXd W(const VectorXd& q) const {
    MatrixXd W = MatrixXd::Zero(3, count());
    W(0, 0) = 1 / std::cos(q[1]);
    W(1, 1) = 1;
    if (geared)
      W(2, 1) = ratio;
    else
      W(2, 2) = 1;
    return W;
  }
  VectorXd Wdot_u(const VectorXd& q, const VectorXd& u) const {
    const double c = std::cos(q[1]);
    return Eigen::Vector3d(u[0] * u[1] * std::sin(q[1]) / (c * c), 0, 0);
  }
};

/// (1), by any formulation.
VectorXd speed_rates(lithe::Formulation& formulation, const Speeds& speeds, const VectorXd& q, const VectorXd& u,
                     const VectorXd& tau) {
  const MatrixXd W = speeds.W(q);
  lithe::State state{0, q, W * u};
  MatrixXd M(3, 3);
  VectorXd h(3);
  formulation.mass_matrix(state, M);
  formulation.bias(state, lithe::Terms::all, h);
  return (W.transpose() * M * W).llt().solve(W.transpose() * (tau - h - M * speeds.Wdot_u(q, u)));
}

/// u₃ = ρ u₂ as a constraint of the library, which adds the force that holds it instead of leaving the speed out.
class Pinion final : public lithe::Constraint {
 public:
  std::string what_binds() const override { return "a pinion binds"; }
  const std::vector<Reaction>& reactions() const override { return reactions_; }
  void fill_rows(const lithe::ConstraintReading&, Eigen::Ref<MatrixXd> a) const override {
    a(0, 1) = -ratio;
    a(0, 2) = 1;
  }
  void fill_rate(const lithe::ConstraintReading&, Eigen::Ref<VectorXd> adot_v) const override { adot_v[0] = 0; }

 private:
  std::vector<Reaction> reactions_{{"pinion.force", "N"}};
};

lithe::CaseFile kane_levinson() {
  return lithe::read_case_text(R"(
arm:
  gravity: [-9.81, 0, 0]
  links:
    - {name: A, joint: {name: hub, type: revolute, axis: [1, 0, 0]}, rigid: {mass: 12, com: [0, 0, 0.3], inertia: {xx: 0.5, yy: 0.5, zz: 0.05}}}
    - {name: B, joint: {name: tilt, type: revolute, axis: [0, 1, 0], origin: {xyz: [0, 0, 0.6]}}, rigid: {mass: 8, com: [0, 0, 0.4], inertia: {xx: 0.30, yy: 0.28, zz: 0.04}}}
    - {name: C, joint: {name: slide, type: prismatic, axis: [0, 0, 1], origin: {xyz: [0, 0, 0.4]}}, rigid: {mass: 7, com: [0.01, 0.005, 0.04], inertia: {xx: 0.20, yy: 0.19, zz: 0.01, xy: 0.001}}}
torque: {hub: 8 N.m, tilt: -5 N.m, slide: 60 N}
initial: {hub: {position: 0.2, rate: 0.7}, tilt: {position: 0.4, rate: 0.3}, slide: {position: 0.1, rate: 0.12}}
simulate: {for: 1 s, rtol: 1e-10, atol: 1e-12}
)");
}

/// By (1) and the classical Runge–Kutta method, q̇ = W u.
VectorXd marched(lithe::Formulation& formulation, const Speeds& speeds, VectorXd q, VectorXd u, const VectorXd& tau) {
  constexpr int steps = 2000;
  constexpr double step = 1.0 / steps;
  auto slope = [&](const VectorXd& y) {
    const VectorXd at_q = y.head(3), at_u = y.tail(speeds.count());
    VectorXd rate(3 + speeds.count());
    rate << speeds.W(at_q) * at_u, speed_rates(formulation, speeds, at_q, at_u, tau);
    return rate;
  };
  VectorXd y(3 + speeds.count());
  y << q, u;
  for (int k = 0; k < steps; ++k) {
    const VectorXd a = slope(y), b = slope(y + step / 2 * a), c = slope(y + step / 2 * b), d = slope(y + step * c);
    y += step / 6 * (a + 2 * b + 2 * c + d);
  }
  return y.head(3);
}

}  // namespace

void try_speeds() {
  const lithe::CaseFile file = kane_levinson();
  const lithe::Arm arm = lithe::Arm::assemble(file.data);
  const VectorXd tau = Eigen::Vector3d(8, -5, 60), q = Eigen::Vector3d(0.2, 0.4, 0.1);
  const double hub = 0.7, tilt = 0.3, slide = 0.12;  // slide = ratio · tilt, so that the pinion holds from the start

  // All three: the accelerations are those of `kane`, which has the rates as speeds.
  const Speeds own{false};
  const auto kane = lithe::make_formulation("kane", arm);
  const VectorXd u = Eigen::Vector3d(hub * std::cos(q[1]), tilt, slide);
  const VectorXd udot = speed_rates(*kane, own, q, u, tau), vdot = own.W(q) * udot + own.Wdot_u(q, u);
  VectorXd expected(3);
  kane->forward({0, q, Eigen::Vector3d(hub, tilt, slide)}, tau, expected);
  expect((vdot - expected).norm() < 1e-12 * expected.norm(), "speeds of one's own give the accelerations of kane");

  lithe::Simulation free(file.data, arm);
  free.finish();
  expect((marched(*kane, own, q, u, tau) - free.state().q).norm() < 1e-7, "and its motion");

  // Two: the pinion's force does not appear. With a constraint it does, and the motion is the same.
  const Speeds fewer{true};
  const VectorXd two = u.head(2);
  const auto articulated = lithe::make_formulation("articulated", arm);
  lithe::Simulation held(file.data, arm.with_constraint(std::make_shared<Pinion>()));
  held.finish();
  const VectorXd end = marched(*articulated, fewer, q, two, tau);
  expect((end - held.state().q).norm() < 1e-7, "a condition among speeds is the constraint");
  expect(std::abs(end[2] - q[2] - ratio * (end[1] - q[1])) < 1e-12, "and holds");
  expect((end - free.state().q).norm() > 0.01, "and changes the motion");
}

}  // namespace extension
