#pragma once

#include <array>
#include <string>
#include <variant>
#include <vector>

#include "lithe/derive/names.h"
#include "lithe/spatial/spatial.h"

namespace lithe::derive {

using Triple = std::array<ex, 3>;

// The way from one frame to another, step by step; each step is in the axes reached so far.

struct Shift {
  Triple by;
};
/// About one of the axes x, y, z by sign times an angle.
struct Turn {
  int axis = 2, sign = 1;
  std::string token, latex;  // how waves spell the angle
  ex form;                   // the angle, linear in coordinates and parameters
  int angle = -1;            // its number once registered
};
/// By a rotation that does not change.
struct ConstantTurn {
  Matrix3d R;
};
/// By a rotation given by its nine entries.
struct EntryTurn {
  std::array<Triple, 3> R;
};
using Step = std::variant<Shift, Turn, ConstantTurn, EntryTurn>;
using Way = std::vector<Step>;

/// A number as in the equations: rounding errors near 0 and ±1 are removed.
ex exactly(double number);

/// The same way in fewer steps: without steps that do nothing, with shifts collected before constant turns, and with successive turns
/// about one axis added to one angle, so that the angle q₂ of a joint on a tip that bends by β₁ occurs only as θ₂ = q₂ + β₁.
Way simplified(const Way& way);

/// Gives every turn of a way its angle; the same token is the same angle.
void register_angles(Way& way, Names& names);

/// A constant rotation in steps. In symbols, one about a single axis becomes a named angle; others keep their numbers.
Way constant_turn(const Matrix3d& R, const std::string& owner, const std::string& token, Names& names);

/// The turn of a joint about its axis.
Way joint_turn(const Vector3d& axis, const std::string& token, const std::string& latex, const ex& coordinate);

}  // namespace lithe::derive
