#pragma once

#include "lithe/beam/flex_basis.h"

namespace lithe {

/// Equations of motion in the form that time-marching methods of structural dynamics need: second order in time, implicit in the
/// accelerations, with matrices for the iteration.
class SecondOrderSystem {
 public:
  virtual ~SecondOrderSystem() = default;

  virtual int size() const = 0;

  /// An unknown by name, for messages.
  virtual std::string name_of(int unknown) const = 0;

  /// Unknowns of one group are alike in size and meaning: errors are measured by the largest of them. Groups count from 0.
  virtual int group_of(int /*unknown*/) const { return 0; }

  /// The unbalanced force F_u(t, z, ż, z̈): applied minus inertial, damping and elastic forces; zero along a motion.
  virtual void unbalanced(double t, const VectorXd& z, const VectorXd& v, const VectorXd& a, VectorXd& force) = 0;

  /// mass·M + damping·C + stiffness·K about that place: symmetric, lower half, the same pattern every time. It steers the
  /// iteration and need not be the exact derivative of F_u, which alone decides where the iteration ends.
  virtual const SparseMatrixd& weighted_sum(double t, const VectorXd& z, const VectorXd& v, double mass, double damping,
                                            double stiffness) = 0;

  /// Called before a step from (z, v, a): may describe the same motion by other numbers, if the present ones come near a place where they
  /// cannot. Returns whether it did.
  virtual bool recentre(VectorXd& /*z*/, VectorXd& /*v*/, VectorXd& /*a*/) { return false; }
};

}  // namespace lithe
