#include "lithe/arm/base_profiles.h"

#include <fmt/format.h>

#include <algorithm>

namespace lithe {

BaseProfiles::BaseProfiles(const GivenMotion& motion, const Origin& origin, double until) : origin_(origin) {
  const auto given = motion.profiles();
  for (size_t k = 0; k < given.size(); ++k) {
    const auto& [name, profile] = given[k];
    if (!*profile) continue;
    const std::string path = fmt::format("arm.base.motion.{}", name);
    const ProfileCurve& curve = curves_[k].emplace(**profile, 0, path);
    const bool turns = k >= 3;
    if (const auto leap = first_leap(curve, &ProfileSample::value, until))
      throw FieldError(path, fmt::format("jumps from {:.6g} to {:.6g} {} at t = {:.6g} s, which a base cannot do: end "
                                         "this part where the next begins",
                                         leap->from, leap->to, turns ? "rad" : "m", leap->t));
    if (const auto leap = first_leap(curve, &ProfileSample::rate, until))
      throw FieldError(
          path,
          fmt::format(
              "its velocity jumps from {:.6g} to {:.6g} {} at t = {:.6g} s, which takes an impulse on the base: give a "
              "ramp (trapezoidal_velocity, cycloidal, quintic), or end the part with the velocity of the next",
              leap->from, leap->to, turns ? "rad/s" : "m/s", leap->t));
    corners_.insert(corners_.end(), curve.breakpoints().begin(), curve.breakpoints().end());
  }
  std::sort(corners_.begin(), corners_.end());
  corners_.erase(std::unique(corners_.begin(), corners_.end()), corners_.end());
}

RootMotion BaseProfiles::at(Instant now) const {
  std::array<ProfileSample, 6> s{};
  for (size_t k = 0; k < s.size(); ++k)
    if (curves_[k]) s[k] = curves_[k]->at(now);
  RootMotion root;
  root.X_WR.p = origin_.xyz + Vector3d(s[0].value, s[1].value, s[2].value);
  root.velocity = {s[0].rate, s[1].rate, s[2].rate};
  root.acceleration = {s[0].acceleration, s[1].acceleration, s[2].acceleration};
  const Vector3d rpy = origin_.rpy + Vector3d(s[3].value, s[4].value, s[5].value);
  root.X_WR.R = rpy_rotation(rpy);
  const Matrix3d Rz = axis_rotation(Vector3d::UnitZ(), rpy.z());
  const Vector3d a = Vector3d::UnitZ(), b = Rz.col(1),
                 c = Rz * (axis_rotation(Vector3d::UnitY(), rpy.y()) * Vector3d::UnitX());
  const Vector3d yaw = s[5].rate * a, pitch = s[4].rate * b, roll = s[3].rate * c;
  root.omega = yaw + pitch + roll;
  root.alpha = s[5].acceleration * a + s[4].acceleration * b + s[3].acceleration * c + yaw.cross(pitch) +
               (yaw + pitch).cross(roll);
  return root;
}

}  // namespace lithe
