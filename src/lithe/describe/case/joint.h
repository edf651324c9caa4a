// Joints: placement, passive forces, motors.
#pragma once

#include <map>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

#include "lithe/describe/case/vectors.h"
#include "lithe/describe/case/words.h"

namespace lithe {

struct Origin {
  Vector3d xyz = Vector3d::Zero();
  Vector3d rpy = Vector3d::Zero();
  bool operator==(const Origin&) const = default;
};
enum class DhConvention { standard, modified };
struct DenavitHartenberg {
  double a = 0, alpha = 0, d = 0, theta = 0;
  DhConvention convention = DhConvention::standard;
  bool operator==(const DenavitHartenberg&) const = default;
};
/// The unit of a joint's coordinate. The units of its rates, forces and gains follow.
enum class CoordinateUnit { radians, metres, number };
/// Coulomb friction c·tanh(rate/smoothing), with its own level for each direction.
struct Friction {
  double forward = 0, backward = 0;
  double smoothing = 1e-3;
  bool operator==(const Friction&) const = default;
};
struct Spring {
  double stiffness = 0, rest = 0;
  bool operator==(const Spring&) const = default;
};
struct Limits {
  double lower = 0, upper = 0;
  double stiffness = 0,
         damping = 0;  // of the soft stop; with zero there is no force, and the limits bound inverse kinematics only
  bool operator==(const Limits&) const = default;
};
struct Motor {
  double inertia = 0;  // of the rotor, at the motor
  double gear_ratio = 1;
  double damping = 0;  // at the motor; or, where a stiffness is given, of the transmission at the output
  // An elastic transmission: the rotor has its own coordinate behind a spring.
  std::optional<double> stiffness;      // at the output
  double hardening = 0;                 // torque k·Δ + hardening·Δ³
  std::optional<double> backlash = {};  // width of the gap at the output within which spring and damper do not touch
  double bearing = 0;                   // viscous damping of the rotor, at the motor; only with a stiffness
  // A rotary motor on a prismatic joint, through a screw or a rack. Inertia, damping and bearing are then rotational.
  std::optional<double> lead = {},
                        pinion_radius = {};  // travel per turn of the screw; radius of the pinion on the rack
  /// Motor motion per joint motion: the gear ratio, times 2π/lead with a screw or 1/radius with a pinion.
  double ratio() const {
    const double per_travel = lead ? 2 * std::numbers::pi / *lead : pinion_radius ? 1 / *pinion_radius : 1.0;
    return gear_ratio * per_travel;
  }
  bool turns_a_slide() const { return lead || pinion_radius; }
  bool operator==(const Motor&) const = default;
};

/// A sleeve through which a prismatic joint slides its beam. The beam is held straight up to the exit and bends beyond it, so its
/// free length changes with the joint.
struct Guide {
  double exit = 0;        // from the joint's origin, along its axis
  bool transport = true;  // with the effects of the flow of material through the elements; not in naganathan86
  bool operator==(const Guide&) const = default;
};

/// Passive forces of one coordinate of a joint that has several.
struct CoordinateSpec {
  double damping = 0;
  std::optional<Friction> friction;
  std::optional<Spring> spring;
  std::optional<Limits> limits;
  bool operator==(const CoordinateSpec&) const = default;
};

struct JointSpec {
  std::string name;
  std::string type = "revolute";  // a word of joint/kinds.h
  std::optional<Vector3d> axis;
  std::vector<Vector3d> axes;
  std::optional<double> pitch;
  std::map<std::string, CoordinateSpec> coordinates;  // by the part of the name after the dot: `turn`
  std::optional<Origin> origin;
  std::optional<DenavitHartenberg> dh;
  double damping = 0;
  std::optional<Friction> friction;
  std::optional<Spring> spring;
  std::optional<Limits> limits;
  std::optional<Motor> motor;
  std::optional<Guide> guide;
  bool operator==(const JointSpec&) const = default;
};

// The words of the choices above.
template <>
struct Words<DhConvention> {
  static constexpr WordList<DhConvention, 2> list{
      {{DhConvention::standard, "standard"}, {DhConvention::modified, "modified"}}};
};

}  // namespace lithe
