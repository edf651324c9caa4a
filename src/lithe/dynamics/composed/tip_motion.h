#pragma once

#include "lithe/dynamics/lagrange/screw_table.h"

namespace lithe::composed {

/// How the coordinates of an arm move the tip frame T of one of its links, in T's axes:
///   V = J ż = [ω; v],     V̇ = J z̈ + J̇ ż
/// J stacks lew-book's J_L, which moves T's origin, under the turns; its H_j = ∂(R_L r)/∂q of a carried point r is [−[r]× 0] J
/// in the same axes, so that J alone carries everything on T (eqs 29–33).
///
/// Columns are those of `lagrange::ScrewTable`: the nv coordinates, and before them the six rates of a base of given motion.
template <class S>
class TipMotion {
 public:
  TipMotion(const Arm& arm, int i_link);

  /// Sets J and T's orientation in the world.
  void update(const lagrange::ScrewTable<S>& screws);
  /// Sets J̇ for these rates of the columns; after `update`.
  void update_slopes(const lagrange::ScrewTable<S>& screws, const Eigen::VectorX<S>& rate);

  const lagrange::Matrix6X<S>& J() const { return J_; }
  const lagrange::Matrix6X<S>& J_dot() const { return J_dot_; }
  const Eigen::Matrix3<S>& R_WT() const { return X_WT_.R; }

 private:
  int i_link_;
  /// Columns that move T, from the root outwards, in groups that do not move each other: the coordinates of a joint, of a base,
  /// or the shapes of one bent link.
  std::vector<std::vector<int>> groups_;
  lagrange::Placement<S> X_WT_;
  lagrange::Matrix6X<S> J_, J_dot_;
};

}  // namespace lithe::composed
