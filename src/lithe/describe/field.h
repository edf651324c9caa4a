#pragma once

#include <initializer_list>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "lithe/describe/case/joint.h"
#include "lithe/describe/units.h"

namespace lithe {

/// Words and the booleans that they set.
using Flags = std::initializer_list<std::pair<const char*, bool*>>;

/// The path of item i of a list that may be written as a single mapping: a list of one has the path of that mapping.
inline std::string item_path(const std::string& list, size_t size, size_t i) {
  return size == 1 ? list : list + "[" + std::to_string(i) + "]";
}

/// Whether a key may be left out.
enum class Need { optional, required };

/// The values that a number may take, and the words for it after its noun: "expected a length" + words.
struct Range {
  double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
  bool low_itself = true;  // is `low` allowed?
  bool zero = true;        // is 0 allowed?
  const char* words = "";

  bool contains(double value) const {
    return (low_itself ? value >= low : value > low) && value <= high && (zero || value != 0);
  }
};

namespace range {
inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr Range any{};
inline constexpr Range positive{0, infinity, false, true, " greater than zero"};
inline constexpr Range non_negative{0, infinity, true, true, " of at least zero"};
inline constexpr Range non_zero{-infinity, infinity, true, false, " other than zero"};
inline constexpr Range acute{0, 1.5707963267948966, false, true, " above zero and up to a right angle"};
inline constexpr Range fraction{0, 1, true, true, " from 0 to 1"};
inline constexpr Range poisson{-1, 0.5, false, true, " above -1 and up to 0.5"};
}  // namespace range

/// A field whose unit depends on the coordinate: an angle where it turns, a length where it slides, and of strains of a link a number.
struct JointDimension {
  Dimension turning, sliding, straining = dimension::number;
  const Dimension& of(CoordinateUnit unit) const {
    return unit == CoordinateUnit::metres ? sliding : unit == CoordinateUnit::radians ? turning : straining;
  }
};

/// That of a value per time, for values that profiles have.
inline const Dimension& per_time(const Dimension& value) {
  const std::string_view unit = value.unit;
  return unit == "rad"   ? dimension::angular_velocity
         : unit == "m"   ? dimension::velocity
         : unit == "m/s" ? dimension::acceleration
                         : dimension::gain_rate;
}

namespace joint_dimension {
inline constexpr JointDimension position{dimension::angle, dimension::length};
inline constexpr JointDimension rate{dimension::angular_velocity, dimension::velocity, dimension::gain_rate};
inline constexpr JointDimension effort{dimension::torque, dimension::force, dimension::torque};
inline constexpr JointDimension stiffness{dimension::angular_stiffness, dimension::stiffness};
inline constexpr JointDimension damping{dimension::angular_damping, dimension::damping};
inline constexpr JointDimension hardening{dimension::angular_hardening, dimension::hardening};
/// A length, whatever the joint does.
inline constexpr JointDimension place{dimension::length, dimension::length};
/// An angle, whatever the joint does.
inline constexpr JointDimension turn{dimension::angle, dimension::angle};
/// A velocity, whatever the joint does.
inline constexpr JointDimension speed{dimension::velocity, dimension::velocity};
/// A pure number, for profiles that scale.
inline constexpr JointDimension factor{dimension::number, dimension::number};
inline constexpr JointDimension inertia{dimension::inertia, dimension::mass};
/// Rotational, whatever the joint does.
inline constexpr JointDimension turning_inertia{dimension::inertia, dimension::inertia};
inline constexpr JointDimension turning_damping{dimension::angular_damping, dimension::angular_damping};
/// Torque per integral of the position error.
inline constexpr JointDimension integral_gain{dimension::angular_integral_gain, dimension::integral_gain};
}  // namespace joint_dimension

/// What the units of a field may depend on: the coordinate of the joint, and what a profile describes.
struct UnitContext {
  CoordinateUnit joint = CoordinateUnit::radians;
  JointDimension profile = joint_dimension::position;
};

}  // namespace lithe
