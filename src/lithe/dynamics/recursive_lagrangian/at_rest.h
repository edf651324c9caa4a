#pragma once

#include "lithe/arm/small_motion.h"
#include "lithe/dynamics/recursive_lagrangian/equations.h"

namespace lithe::book83 {

/// Weight of an arm at rest, and its slopes, by the paper's matrices: for tips that turn by 1 + [θ]× (eq 5), where no body moves
/// rigidly and SmallMotion has nothing to say. Exact: E_j is linear in δ_j and r_j too, so V_g = −gᵀ Σ W_i r_i has no second
/// derivative within one link but that of its joint.
///
/// With t_c what lies outboard of a coordinate c as it moves, ∂(Σ W_i r_i)/∂z_c = F_c t_c:
///
///   t_c = U_j P_j                            in F_c = Ŵ_{j−1}    for q_j                      (84)
///   t_c = M_jf A_{j+1} P_{j+1} + ε_jf        in F_c = W_j        for δ_jf                     (86)
///
/// so that the weight on c is −gᵀ F_c t_c, and its slope by a coordinate further in takes the same way once more.
class AtRest {
 public:
  /// Only for `tip_rotation: small`. Throws UnsupportedError for an arm outside the domain. The arm must outlive this.
  AtRest(const Arm& arm, const State& state);

  /// ∂V/∂z of the weight V = −Σ m g·r.
  VectorXd weight(const Vector3d& g) const;
  /// Adds ∂²V/∂z².
  void add_weight_stiffness(const Vector3d& g, Triplets& entries) const;
  /// Linear momentum per rate of each coordinate, world axes.
  Matrix3Xd linear_momentum() const;

 private:
  using Vector = Eigen::Vector4d;
  /// A coordinate of the chain: where it stands in z, at which link, which of its shapes (−1: its joint), and t_c.
  struct Coordinate {
    int z, link, shape;
    Vector t;
  };
  Vector4<double> world(const Coordinate& c) const;

  const Arm& arm_;
  Chain chain_;
  Letters<double> letters_;
  std::vector<Vector> P_;  // P_j of eqs 89, 90
  std::vector<Coordinate> coordinates_;
};

}  // namespace lithe::book83
