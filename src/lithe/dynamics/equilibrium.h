#pragma once

#include <functional>
#include <optional>

#include "lithe/arm/small_motion.h"
#include "lithe/error.h"

namespace lithe {

/// Forces from outside in an equilibrium: their generalised forces, and minus the derivatives of these by the coordinates and by
/// their rates. Any may be empty.
struct OuterForces {
  std::function<void(const SmallMotion& motion, Eigen::Ref<VectorXd> force)> add;
  std::function<void(const SmallMotion& motion, Triplets& entries)> add_stiffness;
  std::function<void(const SmallMotion& motion, Triplets& entries)> add_damping = {};
};
/// The sum of both.
OuterForces together(const OuterForces& a, const OuterForces& b);

/// An arm at rest: M z̈ + h = τ with all rates and accelerations zero.
struct Equilibrium {
  State state;
  VectorXd force;       // what holds every coordinate: zero for the free ones (what remains there is the residual)
  double residual = 0;  // largest unbalanced force on a free coordinate
  int iterations = 0;   // of Newton's method, over all load steps
  int load_steps = 1;   // 1: the whole load at once
  /// The part of the load beyond which the arm, if it bends far, does not stay there when pushed: it buckles. Empty: it stays.
  std::optional<double> buckles_at;
};

/// No equilibrium found: the arm buckles, or falls.
class EquilibriumError : public Error {
 public:
  using Error::Error;
};

/// Coordinates that an arm's motors hold: joints, or the rotors behind elastic transmissions; and those of its base. Flexible
/// coordinates, segment hinges and joints behind transmissions are free.
std::vector<bool> held_by_motors(const Arm& arm);

/// Where the coordinates that are not `held` come to rest under gravity and outer forces; the held ones stay as in `start`.
///
/// Newton's method with line search (KINSOL) on the exact stiffness, factorised sparse. If it does not converge under the
/// whole load, or an exact link turns far, the load is applied in steps, from the unloaded links, so that of several equilibria it is the
/// one that a growing load reaches. Beams in guides must be held (Arm::with_guides_held). Throws EquilibriumError, UnsupportedError.
Equilibrium find_equilibrium(const Arm& arm, const State& start, const std::vector<bool>& held, const Vector3d& gravity,
                             const OuterForces& outer = {});

/// Winds every transmission up until its spring carries what its joint needs to stay where it is.
void wind_up(const Arm& arm, Equilibrium& equilibrium);

}  // namespace lithe
