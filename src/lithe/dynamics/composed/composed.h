#pragma once

#include "lithe/dynamics/composed/equations.h"
#include "lithe/dynamics/dense_formulation.h"

namespace lithe {

/// The blocks of a carrier L (everything before a mount) and the arm S on it, as lew-book names them; docs/composed.md explains
/// each. Their sums are the pair's M, C and G:
///   M = [[M_L + M_LS, M_cp], [M_cpᵀ, M_S]]     C = [[C_L + C_LS + C_Lcp, C_cp1], [C_cp2, C_S + C_Scp]]     G = [G_L + G_LS; G_S]
struct CoupledBlocks {
  MatrixXd M_L, M_LS, M_cp, M_S;
  MatrixXd C_L, C_LS, C_Lcp, C_cp1, C_cp2, C_S, C_Scp;
  VectorXd G_L, G_LS, G_S;
};

/// A block and its name, for requests by name.
struct BlockName {
  const char *name, *help;
  bool carried_rows;  // its rows are the carried arm's coordinates
  MatrixXd (*of)(const CoupledBlocks&);
};
const std::vector<BlockName>& block_names();

/// Arms mounted on one another, from the dynamics of each alone and the coupling terms (lew-book §4); see
/// `composed::Equations`.
///
/// For arms with a mount (`Arm::mounts`), with finite tip rotation and complete inertia: with small tip rotations what is
/// carried does not move as it does alone.
class Composed : public DenseFormulation<composed::Equations<double>> {
 public:
  static constexpr RunFormulation kind = RunFormulation::composed;

  /// Throws UnsupportedError for an arm without a mount, and for a bent link with `tip_rotation: small` or
  /// `inertia: first-order`.
  explicit Composed(const Arm& arm);
  /// Each part by the formulation named for it; carried ones must be able to stand on a free base. Those other than `lagrange`
  /// have no C.
  Composed(const Arm& arm, const std::vector<std::string>& formulations);

  /// C(z, ż), nv × nv, such that Ṁ − 2C is skew-symmetric.
  void coriolis_matrix(const State& state, Eigen::Ref<MatrixXd> C);

  /// The blocks at mount i_mount, with L everything before it and S the arm that begins there, without what S carries.
  CoupledBlocks blocks(const State& state, int i_mount);
};

}  // namespace lithe
