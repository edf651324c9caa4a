#pragma once

#include "lithe/dynamics/recursive_lagrangian/letters.h"

namespace lithe::book83 {

/// book83's inertia matrix J (§5.2): coefficients 66–75 from the matrices F̃, F and Φ, which come by the recursions 77–81.
template <class S>
class InertiaMatrix {
 public:
  using Matrix = Eigen::Ref<Eigen::MatrixX<S>>;

  explicit InertiaMatrix(const Chain& chain);

  /// Puts every coefficient into J, which must be zero. Needs the positions of `l`.
  void put_into(Matrix J, const Chain& chain, const Letters<S>& l);

 private:
  // ʲF̃_h = Σ_{i ≥ max(j,h)} ʲW̃_i G_i ʰW̃_iᵀ (eq 67), all of it.
  Matrix4<S>& F_tilde(int j, int h) { return F_tilde_[size_t(j * (n_ + 1) + h)]; }
  const Matrix4<S>& F_tilde(int j, int h) const { return F_tilde_[size_t(j * (n_ + 1) + h)]; }
  // ʲF_h and ʲΦ_h (eqs 71, 76), only where link h bends (and link j, for Φ).
  Matrix4<S> F(const Letters<S>& l, int j, int h) const;
  Matrix4<S> Phi(const Letters<S>& l, int j, int h) const;

  void recur(const Letters<S>& l);
  void joint_coefficients(Matrix J, const Chain& chain, const Letters<S>& l, int j) const;
  void own_deflection_coefficients(Matrix J, const Chain& chain, const Letters<S>& l, int j) const;
  void deflection_coefficients(Matrix J, const Chain& chain, const Letters<S>& l, int j);

  int n_;
  std::vector<Matrix4<S>> F_tilde_;
  std::vector<Matrix4<S>> WMW_;  // per deflection f of one link j: W_j M_jf ʲW_h = ∂W_h/∂δ_jf
};

}  // namespace lithe::book83
