#pragma once

#include <memory>

#include "lithe/drive/force.h"
#include "lithe/dynamics/equilibrium.h"

namespace lithe {

/// Slopes of forces at a state: those that the forces provide, otherwise by differences. Sized once; `add` allocates only while its lists
/// grow. One per thread.
class ForceSlopes {
 public:
  explicit ForceSlopes(const Arm& arm);

  /// Appends ∂τ/∂q and ∂τ/∂v along coordinate directions. If the force provides slopes it is appended to `listed` too: the
  /// caller adds what the motion of its points and directions contributes (Force::add_slopes).
  void add(const Force& force, const ForceReading& now, Triplets& by_position, Triplets& by_rate,
           std::vector<SectionLoad>& listed);
  /// Appends all slopes by central differences.
  void add_differences(const Force& force, const ForceReading& now, Triplets& by_position, Triplets& by_rate);

 private:
  Arm arm_;
  State moved_;
  Kinematics kin_;
  VectorXd plus_, minus_, step_;
};

/// Forces on an arm at rest, with their slopes. `forces` must outlive it.
OuterForces forces_at_rest(const std::vector<std::shared_ptr<Force>>& forces);

}  // namespace lithe
