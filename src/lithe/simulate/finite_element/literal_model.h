#pragma once

#include <Eigen/LU>

#include "lithe/simulate/finite_element/nominal_model.h"

namespace lithe {

/// A frame on a node that is displaced by [u; θ] from where a commanded motion has it, all in world axes with `rate` and
/// `second` the displacement's time derivatives. R_c is the commanded orientation, `commanded` the motion in its axes:
///   R = exp[θ]× R_c    ω = J_l θ̇ + exp[θ]× ω_c    α = J_l θ̈ + J̇_l θ̇ + exp[θ]× α_c + J_lθ̇ × exp[θ]× ω_c    a = a_c + ü   (1)
/// In a plane the angles add.
struct DisplacedFrame {
  Matrix3d R;
  FrameMotion motion;  // in its own axes
};
DisplacedFrame displaced_frame(const Matrix3d& R_c, const FrameMotion& commanded, const Vector6d& displacement,
                               const Vector6d& rate, const Vector6d& second);

/// naganathan86 exactly as printed: nodes shared in ground axes, as in NominalModel, and frames fixed to the deformed parent
/// (2.5), so that Φ, ω_b, α_b and a_b contain the parent's deformation as well (2.25). It counts that motion twice and keeps no
/// balance of energy; docs/literal-thesis.md. Of interest for comparison with the thesis only.
///
/// A link's frame is the commanded one, displaced by (1) with the node on which it is fixed: the parent's tip node carried across the
/// joint. Frames on the ground or on driven rigid links move as commanded: there it is NominalModel.
///
/// F_u is linear in the accelerations with an unsymmetric matrix J + X Sᵀ, S the unknowns that move frames. Newton's matrix
/// must be symmetric, and without X it would converge slowly: the missing part is put into F_u by Woodbury's formula,
///   F̂ = F_u − Y (K*⁻¹S)ᵀ F_u,   Y = cX (1 + c (K*⁻¹S)ᵀX)⁻¹,   c the weight of the mass in K*,                        (2)
/// which vanishes with F_u and makes K*⁻¹F̂ = (K* + cXSᵀ)⁻¹F_u. Evaluations allocate nothing.
class LiteralModel : public NominalModel {
 public:
  /// As NominalModel's.
  LiteralModel(const Case& data, const Arm& arm, Drives& drives);

  /// F̂ of (2), with X of the last weighted_sum; F_u itself before the first.
  void unbalanced(double t, const VectorXd& z, const VectorXd& v, const VectorXd& a, VectorXd& force) override;
  const SparseMatrixd& weighted_sum(double t, const VectorXd& z, const VectorXd& v, double mass, double damping,
                                    double stiffness) override;

 private:
  void displace_frames(const VectorXd& z, const VectorXd& v, const VectorXd& a);
  void plain_unbalanced(double t, const VectorXd& z, const VectorXd& v, const VectorXd& a, VectorXd& force);

  std::vector<int> movers_;  // the unknowns that move frames
  MatrixXd X_, Y_, V_;       // size × movers; V = K*⁻¹S
  VectorXd a_, still_, moved_, along_;
  Eigen::SimplicialLDLT<SparseMatrixd, Eigen::Lower> solver_;
  bool corrected_ = false;
};

}  // namespace lithe
