#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lithe/derive/names.h"
#include "lithe/spatial/spatial.h"

namespace lithe {
class Arm;
struct Case;
}  // namespace lithe

namespace lithe::derive {

/// The order of the coordinates z: link by link as everywhere in lithe, or all joints before all deformations, (q, q_f) as in
/// lew-book. A split arm has those of the carrier before those of the carried arm in either.
enum class CoordinateOrder { by_link, joints_first };

/// What to derive, in which form, and for how long.
struct DeriveOptions {
  bool numbers = false;    // values instead of symbols
  double time_limit = 60;  // seconds for folding; after that the equations are written unfolded
  std::string split;       // name of the link at whose joint the arm is cut; empty: not cut, but for
                           // an arm composed of others, which is cut at its last mount
  /// For a split arm: the coupling alone, for two arms whose equations are known: M holds M_L/S and M_cp, C the Christoffel symbols
  /// of these, which add to those of the arms, G the load's weight and the carried arm's on its moving base; no passive forces.
  bool coupling_only = false;
  bool factored = false;    // common factors of M, C and G before brackets; not together with `numbers`
  bool kinematics = false;  // also poses of links and tips, and Jacobians of tips
  CoordinateOrder order = CoordinateOrder::by_link;
  std::vector<std::string> neglected;  // patterns of parameters to take as zero
  const Case* data = nullptr;  // the case of the arm: its Denavit–Hartenberg parameters and motors get their names
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
  std::vector<ex> f;              // nonlinear joint forces: friction, stops, hardening, rest positions of springs
  std::vector<int> torque_rows;   // B: row of each torque
  std::vector<ex> torque_ratios;  // of each: of its motor's gear, 1 if there is none
  std::vector<std::string> torque_names;
  std::vector<std::string> coordinate_names;
  ex potential = 0;        // gravity and elastic energy
  std::vector<int> order;  // coordinate k is the arm's coordinate order[k]
  /// The number of the arm's coordinate v.
  int number_of(int v) const;
  bool reordered() const;
  /// q and v of the arm in the order of these equations.
  VectorXd positions(const VectorXd& q) const;
  VectorXd rates(const VectorXd& v) const;

  /// c_ijk as [k][i][j], where each is one folded sum; else empty.
  std::vector<ExMatrix> christoffel;

  bool coupling_only = false;
  bool factored = false;
  bool folded = true;
  std::string unfolded_because;  // why intermediate results are named and products not expanded; empty if folded
  double seconds = 0;
  std::uint64_t products_of_terms = 0;  // formed on the way; 0 if not folded

  /// The arm cut in two at a joint (lew-book eqs 36–41): the carrier's coordinates and those of what it carries. Blocks have the
  /// names of `CoupledBlocks` (dynamics/composed/composed.h) and sum to M, C and G.
  struct Split {
    std::string link;
    std::vector<int> carrier, carried;  // coordinates
    ExMatrix own, load;                 // of the carrier's coordinates: M_L by itself, M_L/S by what it carries
    ExMatrix C_L, C_LS, C_Lcp;          // of the carrier's coordinates
    ExMatrix C_cp1, C_cp2;
    ExMatrix C_S, C_Scp;                        // of the carried arm's
    std::vector<ex> own_gravity, load_gravity;  // G_L, G_LS
    ExMatrix M_cp(const ExMatrix& M) const { return block(M, carrier, carried); }
    ExMatrix M_S(const ExMatrix& M) const { return block(M, carried, carried); }
    static ExMatrix block(const ExMatrix& A, const std::vector<int>& rows, const std::vector<int>& columns);
  };
  std::optional<Split> split;

  /// Where links and tips are in the world, and how tips move: only with `DeriveOptions::kinematics`, and not with small tips.
  struct Pose {
    std::string link, code;  // code: `pose_upper`, `tip_pose`
    int i_link = 0;
    bool far_end = false;  // the link's Denavit–Hartenberg frame at its far end, in which the case gives its body
    ExMatrix T;            // 4 × 4, homogeneous, with the 1 last
    ExMatrix jacobian;     // of a tip: [ω; v] in world axes per rate, 6 × nv
    std::string jacobian_code;
  };
  std::vector<Pose> links, tips;
};

/// Throws FieldError for an arm outside the domain, std::invalid_argument for an unknown link to split at.
Equations derive_equations(const Arm& arm, const DeriveOptions& given = {});

}  // namespace lithe::derive
