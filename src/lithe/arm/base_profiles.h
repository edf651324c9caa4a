#pragma once

#include <array>
#include <optional>
#include <vector>

#include "lithe/arm/arm.h"
#include "lithe/profile/profile_curve.h"

namespace lithe {

/// The motion of a base given by profiles: p = origin + [x y z], R = Rz(yaw) Ry(pitch) Rx(roll), the angles added to the origin's.
/// With b = Rz e_y and c = Rz Ry e_x, the axes that pitch and roll turn about in the world,
///
///   ω = ψ̇ e_z + θ̇ b + φ̇ c      α = ψ̈ e_z + θ̈ b + φ̈ c + θ̇ ψ̇ e_z×b + φ̇ (ψ̇ e_z + θ̇ b)×c
///
/// which is valid at any attitude: ω is computed from the rates, never the rates from ω.
class BaseProfiles {
 public:
  /// Throws FieldError if the position or the velocity jumps before the time `until`: no force can move a base in that way.
  BaseProfiles(const GivenMotion& motion, const Origin& origin, double until);

  RootMotion at(Instant now) const;
  /// Times at which a piece of any profile ends, ascending.
  const std::vector<double>& corners() const { return corners_; }

 private:
  Origin origin_;
  std::array<std::optional<ProfileCurve>, 6> curves_;  // x, y, z, roll, pitch, yaw
  std::vector<double> corners_;
};

}  // namespace lithe
