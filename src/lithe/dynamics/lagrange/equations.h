#pragma once

#include "lithe/dynamics/formulation.h"
#include "lithe/dynamics/lagrange/body_terms.h"

namespace lithe::lagrange {

/// The equations of motion D(z) z̈ + C(z, ż) ż + K δ + g(z) = τ as the Euler–Lagrange textbook derivation gives them
/// (lew-book §3, eq 22; the lectures' D, C, g for rigid links):
///
///   D = Σ ∫ JᵀJ dm                                from the Jacobians of each body's points (eq 10; `BodyTerms`)    (1)
///   C_kj = Σ_i c_ijk ż_i                          with the Christoffel symbols
///   c_ijk = ½(∂d_kj/∂z_i + ∂d_ki/∂z_j − ∂d_ij/∂z_k)                                                               (2)
///   g_k = ∂P/∂z_k,   P = −Σ ∫ gᵀr dm                                                                              (3)
///
/// (2) is eq 23 in the form that makes Ḋ − 2C skew; as printed it gives the same C ż without that property. With ∂D/∂z_i exact and
/// computed one at a time, B = [∂D/∂z_1 ż, ∂D/∂z_2 ż, …] and
///   C = ½(Ḋ + B − Bᵀ),   Ḋ = Σ_i ż_i ∂D/∂z_i
///
/// The six rates of a free base are not rates of coordinates but components in base axes, and those of a ball joint components in
/// link axes, so brackets of these directions do not vanish and (2) gains the structure constants of rigid motion (Koszul's
/// formula for the Levi-Civita connection in a moving frame):
///   c_ijk += ½( [i,j]·k − [j,k]·i + [k,i]·j ),   [a,b]·c = Σ_l s_ab^l d_lc                                        (4)
/// D itself does not depend on the position of the base. With (2) and (4) Ḋ − 2C is skew. A base of given motion is the same with
/// its six rates known: its accelerations and rates enter h.
///
/// S is double or `Counted`.
template <class S>
class Equations {
 public:
  using Vector = Eigen::VectorX<S>;
  using Matrix = Eigen::MatrixX<S>;
  using State = Eigen::Ref<const Vector>;

  explicit Equations(const Arm& arm);

  /// Sets M.
  void evaluate_mass(const State& q, Instant t);
  /// Sets C, and also M.
  void evaluate_coriolis(const State& q, const State& v, Instant t);
  /// Sets M and the chosen terms of h.
  void evaluate(const State& q, const State& v, Instant t, Terms terms = Terms::all);

  /// D, C and h of the nv coordinates.
  auto M() const { return D_.bottomRightCorner(arm_.nv(), arm_.nv()); }
  auto C() const { return C_.bottomRightCorner(arm_.nv(), arm_.nv()); }
  auto h() const { return h_.tail(arm_.nv()); }
  /// Poses and screws at the last evaluation.
  const ScrewTable<S>& screws() const { return screws_; }

 private:
  void add_bodies();
  void given_base(Instant t);                         // rates and accelerations of a base of given motion
  void assemble_coriolis(const State& v, Instant t);  // C_ from the Jacobians and D_
  /// (4) for the columns of one group of rates, of which those beyond the third, if any, are velocities.
  template <int n>
  void add_brackets(int first);

  const Arm& arm_;
  ScrewTable<S> screws_;
  int n_given_;             // leading columns of a base whose motion is given: 6 or 0
  int n_frame_;             // leading columns that are components in base axes: 6 for a free or moving base
  std::vector<int> balls_;  // columns of the first rate of each ball joint
  int n_;                   // columns: the nv coordinates and those given
  std::vector<BodyTerms<S>> bodies_;
  Matrix D_, dD_, C_, B_;
  Vector rate_, h_;                                    // with the given base's rates in front
  Vector6<S> base_acceleration_ = Vector6<S>::Zero();  // v̇ of the given base rates
};

}  // namespace lithe::lagrange
