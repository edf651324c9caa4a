#pragma once

#include "lithe/spatial/exp_map.h"

namespace lithe {

/// How the turning of a tip, ω_rel = J_l(θ) θ̇, changes with θ: first and second derivatives of the left Jacobian of exp[θ]×, as
/// 3×3 matrices, so that any number of shapes ψ_k costs one product each. In the axes of θ.
///
///   J_l w = w + b θ×w + c θ×(θ×w),   b and c functions of x = θ·θ
struct TipTurnSlopes {
  TipTurnSlopes(const ExpMap& turn, const Vector3d& theta_rate, const Vector3d& theta_acceleration);

  Vector3d convective;        // (∂J_l/∂θ · θ̇) θ̇
  Matrix3d rate;              // ∂(J_l θ̇)/∂θ
  Matrix3d acceleration;      // ∂(J_l θ̈)/∂θ
  Matrix3d convective_slope;  // ∂convective/∂θ
  Matrix3d along_rate;        // w → (∂J_l/∂θ · θ̇) w
};

/// C with ψ_kᵀ C ψ_l = n·(∂J_l/∂θ · ψ_l) ψ_k: how the moment n on a tip, projected on its shapes, changes as they turn it.
Matrix3d projected_turn_slope(const ExpMap& turn, const Vector3d& n);

/// d²b/dx² and d²c/dx².
struct ExpMapCurvature {
  explicit ExpMapCurvature(const ExpMap& turn);
  double ddb, ddc;
};

}  // namespace lithe
