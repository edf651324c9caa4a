#pragma once

#include <memory>
#include <vector>

#include "lithe/dynamics/articulated/beam_plan.h"

namespace lithe {

/// A link with any FlexBasis: elements, imported shapes, axial shapes, mass off the axis.
///
/// Of F = M_ff + ΦᵀP_TΦ only the rows of coordinates that move the tip change with the state. The others, I, are ordered first
/// and factored at assembly, M_II = L Lᵀ, which for elements numbered outwards has a band's fill; what reaches the tip's
/// coordinates, T, are constants too: W = L⁻¹M_IT and C = M_TT − WᵀW. A state costs the solution of L for the border's columns,
/// linear in elements, and a factorisation of C + ΦᵀP_TΦ.
struct BorderPlan {
  std::shared_ptr<const FlexBasis> basis;
  int n_inner = 0, n_tip = 0;
  int size() const { return n_inner + n_tip; }
  std::vector<int> index;     // coordinate in the FlexBasis of each of ours, inner ones first
  std::vector<int> position;  // and the way back
  // L by rows, below the diagonal; W by rows of inner coordinates
  std::vector<int> L_start, L_column, W_start, W_column;
  std::vector<double> L_value, W_value, inverse_diagonal;
  std::vector<double> C;  // n_tip × n_tip, by rows
  bool factored = true;   // false where some inner coordinate has no inertia of its own
  TipBody tip_body;

  BorderPlan(std::shared_ptr<const FlexBasis> basis, const RigidInertia& tip_body);
};

}  // namespace lithe
