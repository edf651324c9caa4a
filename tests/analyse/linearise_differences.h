// Linear models by central differences of the accelerations: the witness of exact ones.
#pragma once

#include <functional>

#include "lithe/analyse/linearise.h"

namespace lithe::testing {

/// Extrapolated twice (Richardson): good to about 1e-8 of the largest entry of a row.
struct DifferenceModel {
  MatrixXd A, B;
  VectorXd torque;
};

inline DifferenceModel linearise_by_differences(const Arm& arm, const State& state, Drives& drives, bool closed_loop) {
  const int nv = arm.nv();
  const auto formulation = make_formulation("articulated", arm);
  const OuterForces loads = drives.loads().unscaled();
  MatrixXd forces = MatrixXd::Zero(nv, Eigen::Index(arm.torque_inputs().size()));
  for (int k = 0; k < forces.cols(); ++k) forces(arm.torque_inputs()[size_t(k)].v, k) = 1;
  DifferenceModel model;

  // The torques at the state: such that no joint accelerates while the links do what they must.
  std::vector<bool> driven(size_t(nv), false);
  for (const TorqueInput& input : arm.torque_inputs()) driven[input.v] = true;
  auto load_at = [&](const State& at) {
    VectorXd force = VectorXd::Zero(nv);
    if (loads.add) loads.add(small_motion(arm, at), force);
    return force;
  };
  VectorXd tau = load_at(state), vdot = VectorXd::Zero(nv);
  const VectorXd load0 = tau;
  formulation->hybrid(state, driven, tau, vdot);
  model.torque = tau - load0;

  // With feedback, torques change by what the laws make of the deviation.
  VectorXd law(nv), law0 = VectorXd::Zero(nv);
  if (closed_loop) drives.unsaturated_torques(state, *formulation, law0);
  auto acceleration = [&](const State& at, const VectorXd& extra) {
    VectorXd torque = model.torque + extra + load_at(at), result(nv);
    if (closed_loop) {
      drives.unsaturated_torques(at, *formulation, law);
      torque += law - law0;
    }
    formulation->forward(at, torque, result);
    return result;
  };
  auto derivative = [&](const std::function<VectorXd(double)>& f) -> VectorXd {
    auto over = [&](double h) -> VectorXd { return (f(h) - f(-h)) / (2 * h); };
    constexpr double h = 8e-4;
    const VectorXd wide = over(h), middle = over(h / 2), narrow = over(h / 4);
    return (16 * (4 * narrow - middle) - (4 * middle - wide)) / 45;
  };
  const VectorXd none = VectorXd::Zero(nv);
  model.A = MatrixXd::Zero(2 * nv, 2 * nv);
  model.A.topRightCorner(nv, nv).setIdentity();
  for (int k = 0; k < nv; ++k) {
    model.A.col(k).tail(nv) = derivative([&](double step) {
      State at = state;
      displace(arm, at.q, step * VectorXd::Unit(nv, k));
      return acceleration(at, none);
    });
    model.A.col(nv + k).tail(nv) = derivative([&](double step) {
      State at = state;
      at.v[k] += step;
      return acceleration(at, none);
    });
  }
  // Deviations of a moving free base or ball are measured in axes that move: ξ̇ = Δv − ω×ξ, and a turn shifts what v means.
  for (const Link& link : arm.links()) {
    if (link.joint->rates_are_coordinates()) continue;
    const Vector3d omega = state.v.segment<3>(link.v0);
    model.A.block<3, 3>(link.v0, link.v0) = -skew(omega);
    if (link.nv() == 3) continue;
    const Vector3d v = state.v.segment<3>(link.v0 + 3);
    model.A.block<3, 3>(link.v0 + 3, link.v0 + 3) = -skew(omega);
    model.A.block<3, 3>(link.v0 + 3, link.v0) = -skew(v);
  }
  model.B = MatrixXd::Zero(2 * nv, forces.cols());
  const VectorXd rest = acceleration(state, none);
  // Accelerations are linear in torques.
  for (int k = 0; k < forces.cols(); ++k) model.B.col(k).tail(nv) = acceleration(state, forces.col(k)) - rest;
  return model;
}

}  // namespace lithe::testing
