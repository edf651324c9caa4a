#pragma once

#include <memory>

#include "lithe/drive/force.h"
#include "lithe/dynamics/equilibrium.h"

namespace lithe {

/// Slopes of forces at a state: their own where they give them, else by differences. Sized once; `add` allocates only while its lists
/// grow. One per thread.
class ForceSlopes {
 public:
  explicit ForceSlopes(const Arm& arm);

  /// Appends ∂τ/∂q and ∂τ/∂v along coordinate directions. Where the force gives its own it is appended to `listed` too: what the
  /// motion of the points and directions of those forces adds is left to whoever asked (Force::add_slopes).
  void add(const Force& force, const ForceReading& now, Triplets& by_position, Triplets& by_rate,
           std::vector<SectionLoad>& listed);
  /// All of it by central differences.
  void add_differences(const Force& force, const ForceReading& now, Triplets& by_position, Triplets& by_rate);

 private:
  Arm arm_;
  State moved_;
  Kinematics kin_;
  VectorXd plus_, minus_, step_;
};

/// Forces on an arm at rest, with the slopes of what they do. `forces` must outlive it.
OuterForces forces_at_rest(const std::vector<std::shared_ptr<Force>>& forces);

}  // namespace lithe
