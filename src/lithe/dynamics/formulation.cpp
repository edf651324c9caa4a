#include "lithe/dynamics/formulation.h"

#include <fmt/format.h>

#include <Eigen/SparseCholesky>
#include <random>

#include "lithe/describe/spelling.h"
#include "lithe/dynamics/articulated/articulated.h"
#include "lithe/dynamics/composed/composed.h"
#include "lithe/dynamics/kane/kane.h"
#include "lithe/dynamics/lagrange/lagrange.h"
#include "lithe/dynamics/recursive_lagrangian/recursive_lagrangian.h"
#include "lithe/dynamics/small_motion.h"

namespace lithe {

const std::vector<std::string>& formulation_names() {
  static const std::vector<std::string> names{"articulated", "lagrange", "kane", "recursive-lagrangian", "composed"};
  return names;
}

std::unique_ptr<Formulation> make_formulation(std::string_view name, const Arm& arm) {
  if (name == "articulated") return std::make_unique<Articulated>(arm);
  if (name == "lagrange") return std::make_unique<Lagrange>(arm);
  if (name == "kane") return std::make_unique<Kane>(arm);
  if (name == "recursive-lagrangian") return std::make_unique<RecursiveLagrangian>(arm);
  if (name == "composed") return std::make_unique<Composed>(arm);
  throw std::invalid_argument(fmt::format("no formulation '{}'{} Known: {}", name,
                                          guess_in_sentence(name, formulation_names()),
                                          comma_list(formulation_names())));
}

namespace {

/// Whether every pivot of the scaled mass matrix is sound, eliminated sparse from the tip inwards: settles nearly every arm, and
/// those with thousands of coordinates in time.
bool surely_regular(const Arm& arm, const State& state, double least) {
  const SparseMatrixd M = sparse_mass_matrix(arm, state);
  const int n = int(M.rows());
  const VectorXd scale = VectorXd(M.diagonal()).cwiseMax(0).cwiseSqrt();
  if (!(scale.minCoeff() > 0)) return false;
  Triplets entries;
  for (int k = 0; k < n; ++k)
    for (SparseMatrixd::InnerIterator entry(M, k); entry; ++entry)
      entries.emplace_back(n - 1 - int(entry.row()), n - 1 - k, entry.value() / (scale[k] * scale[entry.row()]));
  const Eigen::SimplicialLDLT<SparseMatrixd, Eigen::Lower, Eigen::NaturalOrdering<int>> factors(assembled(n, entries));
  return factors.info() == Eigen::Success && factors.vectorD().minCoeff() > least;
}

constexpr double least_pivot = 1e-12;
constexpr int most_named = 2000;  // coordinates among which a dense search for the culprit is quick

}  // namespace

void check_regular(const Arm& arm) {
  if (arm.nv() == 0) return;
  // Undeformed, tip rotations are the same, and how much of a beam can bend decides about no coordinate.
  const Arm finite = arm.with_tip_rotation(TipRotation::finite).without_guides();
  VectorXd best = VectorXd::Zero(arm.nv());
  // A generic configuration shows the rank; a few of them, so that an unlucky one does no harm.
  std::minstd_rand random(7);
  std::uniform_real_distribution<double> angle(-2, 2);
  for (int trial = 0; trial < 3; ++trial) {
    State state = State::zero(arm);
    VectorXd step = VectorXd::NullaryExpr(arm.nv(), [&] { return angle(random); });
    for (const Link& link : arm.links()) step.segment(link.flex_v0(), link.n_flex()).setZero();
    displace(arm, state.q, step);
    if (surely_regular(finite, state, least_pivot)) return;
    if (arm.nv() > most_named)
      throw FieldError("arm.links",
                       "the mass matrix is singular: some flexible coordinate moves no inertia of its own");
    MatrixXd M = MatrixXd(sparse_mass_matrix(finite, state));
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
      if (pivot <= least_pivot) continue;
      const VectorXd column = M.col(k).head(k);
      M.topLeftCorner(k, k) -= column * column.transpose() / pivot;
    }
  }
  for (int k = int(best.size()) - 1; k >= 0; --k) {
    if (best[k] > least_pivot) continue;
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
