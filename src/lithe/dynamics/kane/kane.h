#pragma once

#include "lithe/dynamics/dense_solve.h"
#include "lithe/dynamics/formulation.h"
#include "lithe/dynamics/kane/equations.h"

namespace lithe {

/// Kane's method (H. M. Abdelaziz, M. M. Helaly, E. H. Atta, Numerical simulation and visualization of robotic arm
/// manipulators, Alexandria Engineering Journal 43 (2004) 719–728, "abdelaziz04"; T. R. Kane, D. A. Levinson, Dynamics, 1985):
/// partial velocities of every body, generalised inertia forces F* and active forces F, and F + F* = 0.
///
/// For trees with every joint and base, rigid links, segments (rigid links on springs, as in the paper) and links that bend,
/// with finite tip rotation and complete inertia. Refuses the other options with UnsupportedError.
///
/// Cost O(bodies · nv²) for the matrix, O(nv³) for its solution: by LU as in the paper or, half the work, Cholesky.
class Kane final : public Formulation {
 public:
  explicit Kane(const Arm& arm, DenseMethod method = DenseMethod::cholesky);
  std::string_view name() const override { return "kane"; }

  void mass_matrix(const State& state, Eigen::Ref<MatrixXd> M) override;
  void bias(const State& state, Terms terms, Eigen::Ref<VectorXd> h) override;
  void forward(const State& state, const Eigen::Ref<const VectorXd>& tau, Eigen::Ref<VectorXd> vdot) override;
  void inverse(const State& state, const Eigen::Ref<const VectorXd>& vdot, Eigen::Ref<VectorXd> tau) override;
  void hybrid(const State& state, const std::vector<bool>& driven, Eigen::Ref<VectorXd> tau,
              Eigen::Ref<VectorXd> vdot) override;

 private:
  void evaluate(const State& state);

  kane::Equations<double> equations_;
  DenseSolver solver_;
};

}  // namespace lithe
