#pragma once

#include <vector>

#include "lithe/arm/state.h"
#include "lithe/dynamics/recursive_lagrangian/chain.h"

namespace lithe::book83 {

/// book83's matrices at a state, by their letters, from §2 (kinematics) and §3 (inertia integrals). Index j = 1 … n is the
/// link; Ŵ_0 is the base. Deflections f = 1 … m_j of the paper are 0 … m_j − 1 here.
///
/// D_jf and M_jf appear everywhere behind W_j: they are kept as W_j D_jfᵀ and W_j M_jf, so that each inertia coefficient is
/// one Tr{X Yᵀ}, that is, one sum of products. M_jf vanishes for shapes that leave the tip alone (inner nodes of elements).
struct Letters {
  explicit Letters(const Chain& chain);

  // Set by update_positions:
  std::vector<Matrix4d> A, U, U_2;           // joint matrix and its first and second derivative by q_j
  std::vector<Matrix4d> E, EA;               // link matrix; E_j A_{j+1}, j < n
  std::vector<Matrix4d> W, W_hat;            // from link j, from its distal end, to the base's coordinates
  std::vector<Matrix4d> WU;                  // Ŵ_{j−1} U_j = ∂W_j/∂q_j
  std::vector<std::vector<Matrix4d>> M, WM;  // M_jf = ∂E_j/∂δ_jf; W_j M_jf
  std::vector<std::vector<Matrix4d>> WD;     // W_j D_jfᵀ
  std::vector<Matrix4d> G;                   // ½∫h hᵀ dm
  std::vector<Vector4d> r;                   // ∫h dm (eq 51)
  std::vector<FlexMoments> moments;          // the integrals behind D, G and r

  // Set by update_rates:
  std::vector<Matrix4d> E_dot, B_2;  // B_2j = Σ_k δ̇_jk D_jk (eqs 27, 36)
  std::vector<Matrix4d> W_dot, W_hat_dot;
  std::vector<Matrix4d> W_ddot, W_hat_ddot;  // at the accelerations given
};

/// Calls visit(k, f, value) for every stored entry of a sparse matrix.
template <class Visit>
void for_each_entry(const SparseMatrixd& matrix, Visit visit) {
  for (int f = 0; f < matrix.outerSize(); ++f)
    for (SparseMatrixd::InnerIterator entry(matrix, f); entry; ++entry) visit(int(entry.row()), f, entry.value());
}

/// A, E, W, Ŵ (eqs 3–13) and the integrals D, G, r (eqs 36, 37, 51).
void update_positions(const Chain& chain, const RootMotion& root, const State& state, Letters& l);

/// First and second rates (eqs 9–17) at accelerations z̈. At z̈ = 0 the second rates are the paper's Ẅ_v (eqs 64, 65). Needs
/// the positions.
void update_rates(const Chain& chain, const RootMotion& root, const State& state,
                  const Eigen::Ref<const VectorXd>& zddot, Letters& l);

/// K of eq 22. Needs positions and rates.
double kinetic_energy(const Chain& chain, const State& state, const Letters& l);

}  // namespace lithe::book83
