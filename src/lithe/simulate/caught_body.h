#pragma once

#include "lithe/arm/kinematics.h"

namespace lithe {

/// A body at rest in the world that a link's tip catches. The arm with the body on it has M₊ and goes on with M₊ Δv = P − Jᵀh: had the body
/// moved with the tip before, its momentum h there would be too much. P are the impulses of driven coordinates, whose rates do not change.
struct CaughtBody {
  Vector3d turning, velocity;  // of the tip before, world axes
  Vector3d angular, linear;    // h, about the tip
  VectorXd blow;               // −Jᵀh (nv)

  /// `added` is about the tip frame T; the arm is the one that carries it.
  CaughtBody(const Arm& arm, const Kinematics& kin, int link, const RigidInertia& added);

  /// Work of what moves at given rates, beyond that of M₊ Δv: of driven coordinates, and of a moving base, at rates v.
  double given_work(const VectorXd& v, const std::vector<bool>& driven) const;
};

}  // namespace lithe
