#pragma once

#include <vector>

#include "lithe/dynamics/recursive_lagrangian/chain.h"
#include "lithe/dynamics/recursive_lagrangian/matrix4.h"

namespace lithe::book83 {

/// book83's matrices at a state, by their letters, from §2 (kinematics) and §3 (inertia integrals). Index j = 1 … n is the
/// link; Ŵ_0 is the base. Deflections f = 1 … m_j of the paper are 0 … m_j − 1 here.
///
/// D_jf and M_jf appear everywhere behind W_j: they are kept as W_j D_jfᵀ and W_j M_jf, so that each inertia coefficient is
/// one Tr{X Yᵀ}, that is, one sum of products. M_jf vanishes for shapes that leave the tip alone (inner nodes of elements).
template <class S>
struct Letters {
  using List = std::vector<Matrix4<S>>;  // by link
  using State = Eigen::Ref<const Eigen::VectorX<S>>;

  explicit Letters(const Chain& chain);

  /// A, E, W, Ŵ (eqs 3–13) and the integrals D, G, r (eqs 36, 37, 51).
  void update_positions(const Chain& chain, const RootMotion& root, const State& z);

  /// First and second rates (eqs 9–17) at accelerations z̈. At z̈ = 0 the second rates are the paper's Ẅ_v (eqs 64, 65). Needs
  /// the positions.
  void update_rates(const Chain& chain, const RootMotion& root, const State& z, const State& zdot, const State& zddot);

  // Set by update_positions:
  List A, U, U_2;                         // joint matrix and its first and second derivative by q_j
  List E, EA;                             // link matrix; E_j A_{j+1}, j < n
  List W, W_hat;                          // from link j, from its distal end, to the base's coordinates
  List WU;                                // Ŵ_{j−1} U_j = ∂W_j/∂q_j
  std::vector<List> M, WM;                // by link and deflection: M_jf = ∂E_j/∂δ_jf; W_j M_jf
  std::vector<List> WD;                   // by link and deflection: W_j D_jfᵀ
  List G;                                 // ½∫h hᵀ dm
  std::vector<Vector4<S>> r;              // ∫h dm (eq 51)
  std::vector<FlexMomentsOf<S>> moments;  // the integrals behind D, G and r

  // Set by update_rates:
  List E_dot, B_2;  // B_2j = Σ_k δ̇_jk D_jk (eqs 27, 36)
  List W_dot, W_hat_dot;
  List W_ddot, W_hat_ddot;  // at the accelerations given

 private:
  void joint_matrices(const ChainLink& link, int j, const S& q);
  Eigen::Vector3<S> inertia_row(const ChainLink& link, int j, int k, int a) const;
  void link_matrices(const ChainLink& link, int j, bool small, const State& delta);
  void link_integrals(const ChainLink& link, int j);
  void link_rates(const ChainLink& link, int j, bool small, const State& delta, const State& rate,
                  const State& acceleration, Matrix4<S>& E_ddot);
};

/// K of eq 22. Needs positions and rates.
template <class S>
S kinetic_energy(const Chain& chain, const Letters<S>& l, const typename Letters<S>::State& zdot);

/// Calls visit(k, f, value) for every stored entry of a sparse matrix.
template <class Visit>
void for_each_entry(const SparseMatrixd& matrix, Visit visit) {
  for (int f = 0; f < matrix.outerSize(); ++f)
    for (SparseMatrixd::InnerIterator entry(matrix, f); entry; ++entry) visit(int(entry.row()), f, entry.value());
}

}  // namespace lithe::book83
