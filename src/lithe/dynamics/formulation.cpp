#include "lithe/dynamics/formulation.h"

#include <fmt/format.h>

#include <random>

#include "lithe/dynamics/articulated/articulated.h"
#include "lithe/dynamics/lagrange/lagrange.h"

namespace lithe {

void Formulation::add_joint_forces(const State& state, Terms terms, Eigen::Ref<VectorXd> h) const {
  for (const Link& link : arm_.links()) {
    if (link.nv() != 1 || !link.forces.any()) continue;
    const double q = state.q[link.q0], rate = state.v[link.v0];
    if (has(terms, Terms::elastic)) h[link.v0] += link.forces.elastic(q);
    if (has(terms, Terms::damping)) h[link.v0] += link.forces.dissipative(q, rate);
  }
}

const std::vector<std::string>& formulation_names() {
  static const std::vector<std::string> names{"articulated", "lagrange"};
  return names;
}

std::unique_ptr<Formulation> make_formulation(std::string_view name, const Arm& arm) {
  if (name == "articulated") return std::make_unique<Articulated>(arm);
  if (name == "lagrange") return std::make_unique<Lagrange>(arm);
  throw std::invalid_argument(
      fmt::format("no formulation '{}'; known: {}", name, fmt::join(formulation_names(), ", ")));
}

void check_regular(const Arm& arm) {
  if (arm.nv() == 0) return;
  Lagrange lagrange(arm);
  MatrixXd M(arm.nv(), arm.nv());
  VectorXd best = VectorXd::Zero(arm.nv());
  // A generic configuration shows the rank; a few of them, so that an unlucky one does no harm.
  std::minstd_rand random(7);
  std::uniform_real_distribution<double> angle(-2, 2);
  for (int trial = 0; trial < 3; ++trial) {
    State state = State::zero(arm);
    VectorXd step = VectorXd::NullaryExpr(arm.nv(), [&] { return angle(random); });
    displace(arm, state.q, step);
    lagrange.mass_matrix(state, M);
    // Coordinates differ in unit and size: scale the diagonal to one, then eliminate. What is left of a one tells how
    // much inertia a coordinate moves that no coordinate before it moves already.
    const VectorXd scale = M.diagonal().cwiseMax(0).cwiseSqrt();
    for (int i = 0; i < M.rows(); ++i) {
      if (scale[i] == 0) continue;
      M.row(i) /= scale[i];
      M.col(i) /= scale[i];
    }
    // From the tip inwards, so that the joint named is the one whose outboard side is empty.
    for (int k = int(M.rows()) - 1; k >= 0; --k) {
      const double pivot = scale[k] == 0 ? 0 : M(k, k);
      best[k] = std::max(best[k], pivot);
      if (pivot <= 1e-12) continue;
      const VectorXd column = M.col(k).head(k);
      M.topLeftCorner(k, k) -= column * column.transpose() / pivot;
    }
  }
  for (int k = int(best.size()) - 1; k >= 0; --k) {
    if (best[k] > 1e-12) continue;
    std::string path = "arm.base";
    int i_case = 0;
    for (const Link& link : arm.links()) {
      if (link.is_base) continue;
      if (link.v0 <= k && k < link.v0 + link.nv()) path = fmt::format("arm.links[{}]", i_case);
      ++i_case;
    }
    throw ArmError(path, fmt::format("the mass matrix is singular: '{}' moves no inertia of its own (massless link?)",
                                     arm.coordinates()[k]));
  }
}

}  // namespace lithe
