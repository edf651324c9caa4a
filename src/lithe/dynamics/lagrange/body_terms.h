#pragma once

#include "lithe/dynamics/lagrange/screw_table.h"

namespace lithe::lagrange {

/// What one body adds to D, to ∂D/∂z_i and to g. A body is a rigid link with its payload, the mass of a flexible link, or the
/// payload on the tip of a flexible link; it has a frame (B of the link, or T) and, if it bends, its own amplitudes δ.
///
/// In the axes of its frame a point at r has the Jacobian (lew-book eqs 6–9)
///   J = [−[r]× 1] ξ  for a coordinate that moves the frame with ξ = [ω; v] per unit rate,     J = φ_k  for an own δ_k,
/// so that M = ∫JᵀJ dm (eq 10) and its parts are
///   ξ_k·h_j     h_j = M_BB ξ_j      M_BB = [[J, [s]×], [−[s]×, m 1]]       momentum per unit rate of a carrying coordinate
///   ξ_k·h_l     h_l = [∫r×φ_l + H_l; S_l]                                 and of an own one                         (1)
///   M_kl = ∫φ_k·φ_l + …                                                   between own ones, constant
///
/// Derivatives are exact: seen from the body, everything outboard of coordinate i is fixed, and
///   ∂ξ_j/∂z_i = −[ξ_i, ξ_j] = [ω_j×ω_i; ω_j×v_i + v_j×ω_i]    for j inboard of i                                       (2)
///   ∂ξ_j/∂z_i from `ScrewTable::slope`                         for i and j of the same bent link
/// and zero otherwise; own amplitudes move no frame of theirs, but change (1):
///   ∂M_BB/∂δ_k from ∂J = tr(∂Σ) 1 − ∂Σ, ∂Σ = P_k + P_kᵀ, ∂s = S_k;      ∂h_l/∂δ_k = [∫φ_k×φ_l; 0]                      (3)
template <class S>
class BodyTerms {
 public:
  /// `carriers`: columns of the coordinates that move the frame, ascending.
  static BodyTerms rigid(int i_link, bool at_tip, const RigidInertia& inertia, std::vector<int> carriers);
  /// The mass of a flexible link, whose own amplitudes begin at column `own0`.
  static BodyTerms bent(int i_link, const FlexBasis& flex, std::vector<int> carriers, int own0);

  void update(const ScrewTable<S>& screws);

  void add_mass_matrix(Eigen::MatrixX<S>& D);
  /// ∂D/∂z_i, if coordinate i moves or bends the body.
  void add_mass_slope(int i, const ScrewTable<S>& screws, Eigen::MatrixX<S>& dD);
  /// g = −∫Jᵀg dm (lew-book eq 20): minus the weight's direction times momentum per unit rate.
  void add_gravity(const Vector3d& gravity, Eigen::VectorX<S>& g) const;

 private:
  BodyTerms(int i_link, bool at_tip, const RigidInertia& inertia, const FlexBasis* flex, std::vector<int> columns,
            int n_carriers);
  int n_own() const { return int(columns_.size()) - n_carriers_; }
  /// Symmetric: rows of own amplitudes are the transpose of their columns.
  void add_product(Eigen::MatrixX<S>& sum) const;
  void add_carried_slope(int place, const ScrewTable<S>& screws, Eigen::MatrixX<S>& dD);
  void add_bent_slope(int k, Eigen::MatrixX<S>& dD);

  int i_link_;
  bool at_tip_;
  Eigen::Matrix<S, 6, 6> M_BB_;  // of a rigid body, or of the flexible link in its present shape
  const FlexBasis* flex_;
  std::vector<int> columns_;  // carriers, then own
  int n_carriers_;
  std::vector<Eigen::Matrix3X<S>> cross_;  // [k].col(l) = ∫φ_k×φ_l dm

  Placement<S> X_WB_;
  const FlexMomentsOf<S>* moments_ = nullptr;
  Matrix6X<S> xi_, h_;         // of carriers; of all columns
  Matrix6X<S> d_xi_, d_h_;     // their slopes
  Eigen::MatrixX<S> product_;  // carriers × columns
};

}  // namespace lithe::lagrange
