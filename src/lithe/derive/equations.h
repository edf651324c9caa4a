#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lithe/derive/names.h"

namespace lithe {
class Arm;
struct Case;
}  // namespace lithe

namespace lithe::derive {

/// What to derive, in which form, and for how long.
struct DeriveOptions {
  bool numbers = false;    // values instead of symbols
  double time_limit = 60;  // seconds for folding; after that the equations are written unfolded
  std::string split;       // name of the link at whose joint the arm is cut; empty: not cut, but for
                           // an arm composed of others, which is cut at its last mount
  /// For a split arm: the coupling alone, for two arms whose equations are known: M holds M_L/S and M_cp, C the Christoffel symbols
  /// of these, which add to those of the arms, G the load's weight and the carried arm's on its moving base; no passive forces.
  bool coupling_only = false;
  std::vector<std::string> neglected;  // patterns of parameters to take as zero
  const Case* data = nullptr;          // the case of the arm: its Denavit–Hartenberg parameters get their names
  std::function<void(const std::string&)> progress = [](const std::string&) {};
};

/// A matrix of expressions, row by row.
using ExMatrix = std::vector<std::vector<ex>>;

/// M z̈ + C ż + K z + D ż + G + f = B τ over names. Every entry of M is a name or a number; C refers to slopes of M or to
/// Christoffel symbols by name.
///
///   C_kj = Σ_i c_ijk ż_i,   c_ijk = ½(∂M_kj/∂z_i + ∂M_ki/∂z_j − ∂M_ij/∂z_k)                             (lew-book 23, corrected)
///
/// The six rates of a free base are components in base axes: with [i,j] the bracket of rigid motions, c_ijk gains
/// ½([i,j]·k − [j,k]·i + [k,i]·j).
struct Equations {
  Names names;
  int nv = 0;
  ExMatrix M, C, K, D;
  std::vector<ex> G;
  std::vector<ex> f;             // nonlinear joint forces: friction, stops, hardening, rest positions of springs
  std::vector<int> torque_rows;  // B: row of each torque
  std::vector<std::string> torque_names;
  std::vector<std::string> coordinate_names;
  ex potential = 0;  // gravity and elastic energy

  bool folded = true;
  std::string unfolded_because;  // why intermediate results are named and products not expanded; empty if folded
  double seconds = 0;

  /// The arm cut in two at a joint (lew-book eqs 36–38): the carrier's coordinates and those of what it carries.
  struct Split {
    std::string link;
    std::vector<int> carrier, carried;  // coordinates
    ExMatrix own, load;                 // of the carrier's coordinates: M_L by itself, M_L/S by what it carries
    std::vector<ex> own_gravity, load_gravity;
  };
  std::optional<Split> split;
};

/// Throws FieldError for an arm outside the domain, std::invalid_argument for an unknown link to split at.
Equations derive_equations(const Arm& arm, const DeriveOptions& given = {});

}  // namespace lithe::derive
