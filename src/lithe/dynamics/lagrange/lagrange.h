#pragma once

#include "lithe/dynamics/dense_solve.h"
#include "lithe/dynamics/formulation.h"
#include "lithe/dynamics/lagrange/body_terms.h"

namespace lithe {

/// The equations of motion D(z) z̈ + C(z, ż) ż + K δ + g(z) = τ as the Euler–Lagrange textbook derivation gives them
/// (lew-book §3, eq 22; the lectures' D, C, g for rigid links):
///
///   D = Σ ∫ JᵀJ dm                                from the Jacobians of each body's points (eq 10; `BodyTerms`)    (1)
///   C_kj = Σ_i c_ijk ż_i                          with the Christoffel symbols
///   c_ijk = ½(∂d_kj/∂z_i + ∂d_ki/∂z_j − ∂d_ij/∂z_k)                                                               (2)
///   g_k = ∂P/∂z_k,   P = −Σ ∫ gᵀr dm                                                                              (3)
///
/// (2) is eq 23 in the form that makes Ḋ − 2C skew; as printed it gives the same C ż but not that. With ∂D/∂z_i exact and one
/// at a time, B = [∂D/∂z_1 ż, ∂D/∂z_2 ż, …] and
///   C = ½(Ḋ + B − Bᵀ),   Ḋ = Σ_i ż_i ∂D/∂z_i
///
/// The six rates of a free base are not rates of coordinates but components in base axes, so brackets of these directions
/// do not vanish and (2) gains the structure constants of rigid motion (Koszul's formula for the Levi-Civita connection
/// in a moving frame):
///   c_ijk += ½( [i,j]·k − [j,k]·i + [k,i]·j ),   [a,b]·c = Σ_l s_ab^l d_lc                                        (4)
/// D itself does not depend on where the base is. With (2) and (4) Ḋ − 2C is skew. A base of given motion is the same with
/// its six rates known: its accelerations and rates enter h.
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

  /// C(z, ż) of (2) and (4), nv × nv, such that Ḋ − 2C is skew-symmetric. With a moving base h has a further part,
  /// linear in the base's rates and accelerations; `bias` includes it.
  void coriolis_matrix(const State& state, Eigen::Ref<MatrixXd> C);

 private:
  void add_bodies();
  void update(const State& state);             // kinematics, Jacobians and D_
  void given_base(const State& state);         // rates and accelerations of a base of given motion
  void assemble_coriolis(const State& state);  // C_ from the Jacobians and D_
  void add_base_brackets();                    // (4)
  /// Rows and columns of the nv coordinates.
  auto own_D() const { return D_.bottomRightCorner(arm().nv(), arm().nv()); }

  ScrewTable screws_;
  int n_given_;  // leading columns of a base whose motion is given: 6 or 0
  int n_frame_;  // leading columns that are components in base axes: 6 for a free or moving base
  int n_;        // columns: the nv coordinates and those given
  Kinematics kin_;
  std::vector<BodyTerms> bodies_;
  MatrixXd D_, dD_, C_, B_;
  VectorXd rate_, h_;                              // with the given base's rates in front
  Vector6d base_acceleration_ = Vector6d::Zero();  // v̇ of the given base rates
  VectorXd bias_;
  DenseSolver solver_;
};

}  // namespace lithe
