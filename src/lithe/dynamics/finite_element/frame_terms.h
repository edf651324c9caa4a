#pragma once

#include "lithe/dynamics/finite_element/frame_motion.h"

namespace lithe {

/// What the motion of a link's frame adds to the equations of its nodes, in link axes: J q̈ + C q̇ + (K_c + K_b) q = F + ….
struct FrameTerms {
  Matrix6d C, K_b;
  Vector6d F;
};

/// For one block J_ij of a linear element's consistent mass matrix, the node of its columns being at s e_x. Four blocks make
/// the element matrices of naganathan86, appendix A (figs 45, 47, 48) and B (figs 50, 52, 53), corrected. With m the
/// displacements' part of J_ij, D its rotations' part and Ψ = ω̃ω̃ + α̃:
///
///   C = blkdiag(2mω̃, Dω̃ + ω̃D − [Dω]×)    K_b = blkdiag(mΨ, 0)    F = −[m(a_b + Ψ s e_x); Dα_b + ω_b×Dω_b]     (1)
///
/// Appendix B prints ω̃ and α̃ transposed, which contradicts appendix A: every odd term would change sign.
FrameTerms node_terms(const Matrix6d& J, double s, const FrameMotion& base);

/// The same for a rigid body on a node whose frame it is about, moved by the displacement field u + θ×r: with Λ = [1, −[r]×],
///   J = ∫ΛᵀΛ dm    C = 2∫Λᵀω̃Λ dm    K_b = ∫ΛᵀΨΛ dm    F = −∫Λᵀ(a + Ψr) dm                                      (2)
Matrix6d body_mass(const RigidInertia& body);
FrameTerms body_terms(const RigidInertia& body, const FrameMotion& node);

}  // namespace lithe
