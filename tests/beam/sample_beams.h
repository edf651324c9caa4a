// Beams that several tests share, and a few words to ask them.
#pragma once

#include <cmath>

#include "lithe/beam/beam_basis.h"
#include "lithe/beam/natural_modes.h"
#include "lithe/spatial/dense_eigen.h"

namespace lithe {

inline const Material soft{"", 70e9, 0.33, 2700, {}};

/// A rectangular bar: different about y and z, so that no mix-up of the two passes.
inline Beam bar(Flexibility flexibility, double L = 1.3) { return {L, soft, {Rectangle{0.02, 0.03}, {}}, flexibility}; }

/// A beam by the numbers that theory uses: mass per length, bending stiffness, and next to no thickness.
inline Beam slender(double mass_per_length, double EI, double L, Flexibility flexibility) {
  const double area = 1e-4, I = 1e-10;
  return {L, {"", EI / I, 0.3, mass_per_length / area, {}}, {GeneralSection{area, I, I, {}}, {}}, flexibility};
}

/// Natural frequencies [rad/s] of K and M by Eigen's dense solver with M as the definite one: not the way of the library.
inline VectorXd frequencies(const SparseMatrixd& K, const SparseMatrixd& M) {
  return symmetric_modes(MatrixXd(K), MatrixXd(M)).values.cwiseSqrt();
}
inline VectorXd frequencies(const FlexBasis& basis) { return frequencies(basis.K, basis.M); }

/// Tip motion [u; θ] under a force and a moment on the tip.
inline Vector6d tip_motion(const FlexBasis& basis, const Vector3d& force, const Vector3d& moment) {
  const VectorXd load = basis.tip_phi.transpose() * force + basis.tip_psi.transpose() * moment;
  const VectorXd delta = solve_symmetric(MatrixXd(basis.K), load);
  Vector6d motion;
  motion << basis.tip_phi * delta, basis.tip_psi * delta;
  return motion;
}

/// Every number of two bases, relative to the largest of its kind.
inline double difference(const FlexBasis& a, const FlexBasis& b) {
  auto gap = [](const MatrixXd& x, const MatrixXd& y) {
    if (x.rows() != y.rows() || x.cols() != y.cols()) return 1e300;
    if (x.size() == 0) return 0.0;
    return (x - y).cwiseAbs().maxCoeff() / std::max(1e-300, x.cwiseAbs().maxCoeff());
  };
  double worst = std::abs(a.mass - b.mass) / a.mass;
  auto take = [&](double value) { worst = std::max(worst, value); };
  take(gap(a.s0, b.s0));
  take(gap(a.Sigma0, b.Sigma0));
  take(gap(a.j0, b.j0));
  take(gap(a.S, b.S));
  take(gap(a.H, b.H));
  for (int i = 0; i < 3; ++i) take(gap(a.P0[i], b.P0[i]));
  for (int i = 0; i < 9; ++i) take(gap(MatrixXd(a.P[i]), MatrixXd(b.P[i])));
  take(gap(MatrixXd(a.M), MatrixXd(b.M)));
  take(gap(MatrixXd(a.K), MatrixXd(b.K)));
  take(gap(MatrixXd(a.D), MatrixXd(b.D)));
  take(gap(a.tip0, b.tip0));
  take(gap(a.tip_phi, b.tip_phi));
  take(gap(a.tip_psi, b.tip_psi));
  return worst;
}

}  // namespace lithe
