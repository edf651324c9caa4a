#pragma once

#include "lithe/dynamics/recursive_lagrangian/letters.h"

namespace lithe::book83 {

/// book83's inertia matrix J (§5.2): coefficients 66–75 from the matrices F̃, F and Φ, which come by the recursions 77–81.
class InertiaMatrix {
 public:
  explicit InertiaMatrix(const Chain& chain);

  /// Adds every coefficient to J, which must be zero. Needs the positions of `l`.
  void add_to(Eigen::Ref<MatrixXd> J, const Chain& chain, const Letters& l);

 private:
  // ʲF̃_h = Σ_{i ≥ max(j,h)} ʲW̃_i G_i ʰW̃_iᵀ (eq 67), all of it.
  Matrix4d& F_tilde(int j, int h) { return F_tilde_[size_t(j * (n_ + 1) + h)]; }
  const Matrix4d& F_tilde(int j, int h) const { return F_tilde_[size_t(j * (n_ + 1) + h)]; }
  // ʲF_h and ʲΦ_h (eqs 71, 76), only where link h bends (and link j, for Φ).
  Matrix4d F(const Letters& l, int j, int h) const;
  Matrix4d Phi(const Letters& l, int j, int h) const;

  void recur(const Letters& l);
  void joint_coefficients(Eigen::Ref<MatrixXd> J, const Chain& chain, const Letters& l, int j) const;
  void own_deflection_coefficients(Eigen::Ref<MatrixXd> J, const Chain& chain, const Letters& l, int j) const;
  void deflection_coefficients(Eigen::Ref<MatrixXd> J, const Chain& chain, const Letters& l, int j);

  int n_;
  std::vector<Matrix4d> F_tilde_;
  std::vector<Matrix4d> WMW_;  // per deflection f of one link j: W_j M_jf ʲW_h = ∂W_h/∂δ_jf
};

}  // namespace lithe::book83
