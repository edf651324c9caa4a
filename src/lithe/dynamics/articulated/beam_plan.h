#pragma once

#include <optional>
#include <vector>

#include "lithe/beam/flex_basis.h"

namespace lithe {

/// The payload on a tip.
struct TipBody {
  enum class Kind { none, point, body };
  Kind kind = Kind::none;
  double mass = 0, s[3] = {}, J[6] = {};  // about T

  TipBody() = default;
  explicit TipBody(const RigidInertia& inertia);
};

/// A straight beam with its mass on its axis, that bends in y, bends in z and twists, each by separate shapes: the common
/// case, in which every integral of the FlexBasis is a scalar.
///
/// Its coordinates η come in the order y, z, torsion, scaled so that a bending shape has deflection 1 at the tip (or leaves the
/// tip where it is): δ[index[k]] = η_k / scale[k].
struct BeamPlan {
  int ny = 0, nz = 0, nt = 0;
  int size() const { return ny + nz + nt; }
  std::vector<int> index;
  std::vector<double> scale, inverse_scale;
  bool scaled = false;    // whether any scale is not 1
  bool unit_tips = true;  // whether every bending shape moves the tip
  bool has_rotary = false;

  double length = 0, mass = 0, s0 = 0, I0 = 0;
  double j0[3] = {};           // rotary inertia about x, y, z
  std::vector<double> S, X;    // ∫f_k, ∫x f_k; none for torsion
  std::vector<double> psi, H;  // tip rotation about the shape's own axis and ∫jψ_k, signed as in the FlexBasis
  std::vector<double> tip;     // deflection at the tip: 1 or 0
  std::vector<double> Gyy, Gzz, Gyz;  // ∫f_k f_l, by rows
  std::vector<double> M;              // M_ff, by rows, rotary inertia included
  bool shortens = false;              // `stiffening` (beam/shortening.h), by rows of one plane after the other:
  std::vector<double> drawn, drawn_x, drawn_tip;  // ∫G dm, ∫x G dm and G(L)
  TipBody tip_body;

  /// Empty where the link is not of this kind.
  static std::optional<BeamPlan> of(const FlexBasis& basis, const RigidInertia& tip_body);
};

}  // namespace lithe
