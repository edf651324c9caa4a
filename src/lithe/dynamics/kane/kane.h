#pragma once

#include "lithe/dynamics/dense_formulation.h"
#include "lithe/dynamics/kane/equations.h"

namespace lithe {

/// Kane's method (H. M. Abdelaziz, M. M. Helaly, E. H. Atta, Numerical simulation and visualization of robotic arm
/// manipulators, Alexandria Engineering Journal 43 (2004) 719–728, "abdelaziz04"; T. R. Kane, D. A. Levinson, Dynamics, 1985):
/// partial velocities of every body, generalised inertia forces F* and active forces F, and F + F* = 0.
///
/// For trees with every joint and base, rigid links, segments (rigid links on springs, as in the paper) and links that bend,
/// by shapes with finite tip rotation and complete inertia or by strains. Throws UnsupportedError for the other options.
///
/// Cost O(bodies · nv²) for the matrix, O(nv³) for its solution: by LU as in the paper or, half the work, Cholesky.
class Kane final : public DenseFormulation<kane::Equations<double>> {
 public:
  static constexpr RunFormulation kind = RunFormulation::kane;

  explicit Kane(const Arm& arm, DenseMethod method = DenseMethod::cholesky);
};

}  // namespace lithe
