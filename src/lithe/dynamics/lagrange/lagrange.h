#pragma once

#include "lithe/dynamics/dense_solve.h"
#include "lithe/dynamics/formulation.h"
#include "lithe/dynamics/lagrange/equations.h"

namespace lithe {

/// The Euler–Lagrange equations with D, C, g as the textbooks have them; `lagrange::Equations` says how.
///
/// For any joint, tree and base, rigid links and links that bend by any `FlexBasis`, with finite tip rotation and complete
/// inertia. Cost O(bodies · nv³): the reading version, for checking and for control laws that need C itself.
class Lagrange : public Formulation {
 public:
  /// Throws UnsupportedError for a bent link with `tip_rotation: small` or `inertia: first-order`.
  explicit Lagrange(const Arm& arm);
  std::string_view name() const override { return "lagrange"; }

  void mass_matrix(const State& state, Eigen::Ref<MatrixXd> M) override;
  void bias(const State& state, Terms terms, Eigen::Ref<VectorXd> h) override;
  void forward(const State& state, const Eigen::Ref<const VectorXd>& tau, Eigen::Ref<VectorXd> vdot) override;
  void inverse(const State& state, const Eigen::Ref<const VectorXd>& vdot, Eigen::Ref<VectorXd> tau) override;
  void hybrid(const State& state, const std::vector<bool>& driven, Eigen::Ref<VectorXd> tau,
              Eigen::Ref<VectorXd> vdot) override;

  /// C(z, ż), nv × nv, such that Ḋ − 2C is skew-symmetric. With a moving base h has a further part,
  /// linear in the base's rates and accelerations; `bias` includes it.
  void coriolis_matrix(const State& state, Eigen::Ref<MatrixXd> C);

 private:
  void evaluate(const State& state);

  lagrange::Equations<double> equations_;
  DenseSolver solver_;
};

}  // namespace lithe
