#pragma once

#include <Eigen/LU>

#include "lithe/aero/geometry.h"

namespace lithe::aero {

/// The factorised influence matrix of the bound rings, kept while the lattice moves as a rigid body.
///
/// A rigid motion leaves n_i · v_k as it is, so the factor of the corners it was made for (the reference) serves all
/// positions that differ from them by a rotation and a shift; with a plane of symmetry only by a shift along the plane.
/// Whether they do is found by fitting the rotation (Kabsch) and checking the largest distance that remains.
class InfluenceFactor {
 public:
  InfluenceFactor(const Lattice& lattice, const Stencils& stencils, std::optional<SymmetryPlane> plane, double core,
                  double rigid_tolerance);

  /// Makes the factor valid for these corners; true if it had to be computed again. `keep`: any existing factor counts as valid.
  bool update(const Points& corners, bool keep);
  void solve(const VectorXd& normal_wash, VectorXd& circulation) const { circulation = factor_.solve(normal_wash); }

  bool made() const { return made_; }
  const Points& reference() const { return reference_; }
  /// Made for these corners, whatever it was before; the same corners give the same bits.
  void make(const Points& corners);
  void forget() { made_ = false; }

 private:
  bool serves(const Points& corners) const;

  const Stencils& stencils_;
  std::optional<SymmetryPlane> plane_;
  double core_, tolerance_;
  bool made_ = false;
  Points reference_;
  Geometry geometry_;
  MatrixXd matrix_;
  Eigen::PartialPivLU<MatrixXd> factor_;
};

}  // namespace lithe::aero
