#include "lithe/dynamics/formulation.h"

#include <fmt/format.h>

#include <random>

#include "lithe/describe/spelling.h"
#include "lithe/dynamics/articulated/articulated.h"
#include "lithe/dynamics/kane/kane.h"
#include "lithe/dynamics/lagrange/lagrange.h"
#include "lithe/dynamics/recursive_lagrangian/recursive_lagrangian.h"

namespace lithe {

const std::vector<std::string>& formulation_names() {
  static const std::vector<std::string> names{"articulated", "lagrange", "kane", "recursive-lagrangian"};
  return names;
}

std::unique_ptr<Formulation> make_formulation(std::string_view name, const Arm& arm) {
  if (name == "articulated") return std::make_unique<Articulated>(arm);
  if (name == "lagrange") return std::make_unique<Lagrange>(arm);
  if (name == "kane") return std::make_unique<Kane>(arm);
  if (name == "recursive-lagrangian") return std::make_unique<RecursiveLagrangian>(arm);
  throw std::invalid_argument(fmt::format("no formulation '{}'{} Known: {}", name,
                                          guess_in_sentence(name, formulation_names()),
                                          comma_list(formulation_names())));
}

void check_regular(const Arm& arm) {
  if (arm.nv() == 0) return;
  Articulated articulated(arm.with_tip_rotation(TipRotation::finite));  // undeformed, both are the same
  MatrixXd M(arm.nv(), arm.nv());
  VectorXd best = VectorXd::Zero(arm.nv());
  // A generic configuration shows the rank; a few of them, so that an unlucky one does no harm.
  std::minstd_rand random(7);
  std::uniform_real_distribution<double> angle(-2, 2);
  for (int trial = 0; trial < 3; ++trial) {
    State state = State::zero(arm);
    VectorXd step = VectorXd::NullaryExpr(arm.nv(), [&] { return angle(random); });
    for (const Link& link : arm.links()) step.segment(link.flex_v0(), link.n_flex()).setZero();
    displace(arm, state.q, step);
    articulated.mass_matrix(state, M);
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
    std::string path = "arm.base", advice = "give the base a body";
    for (const Link& link : arm.links()) {
      if (link.i_case < 0 || k < link.v0 || k >= link.flex_v0() + link.n_flex()) continue;
      path = fmt::format("arm.links[{}]", link.i_case);
      advice =
          k < link.flex_v0() ? "massless link?" : "torsion of a thin link without rotary inertia, or too many shapes?";
    }
    throw FieldError(path, fmt::format("the mass matrix is singular: '{}' moves no inertia of its own ({})",
                                       arm.coordinates()[k], advice));
  }
}

}  // namespace lithe
