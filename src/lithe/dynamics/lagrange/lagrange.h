#pragma once

#include "lithe/dynamics/dense_formulation.h"
#include "lithe/dynamics/lagrange/equations.h"

namespace lithe {

/// The Euler–Lagrange equations with D, C, g as in textbooks; see `lagrange::Equations`.
///
/// For any joint, tree and base, rigid links and links that bend by any `FlexBasis`, with finite tip rotation and complete
/// inertia. Cost O(bodies · nv³): the formulation that is easiest to read, for checks and for control laws that need C itself.
class Lagrange : public DenseFormulation<lagrange::Equations<double>> {
 public:
  static constexpr RunFormulation kind = RunFormulation::lagrange;

  /// Throws UnsupportedError for a bent link with `tip_rotation: small` or `inertia: first-order`.
  explicit Lagrange(const Arm& arm);

  /// C(z, ż), nv × nv, such that Ḋ − 2C is skew-symmetric. With a moving base h has a further part,
  /// linear in the base's rates and accelerations; `bias` includes it.
  void coriolis_matrix(const State& state, Eigen::Ref<MatrixXd> C);
};

}  // namespace lithe
