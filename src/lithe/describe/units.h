#pragma once

#include <string>
#include <string_view>

namespace lithe {

/// The physical dimension that a field of a case expects: its noun and its SI unit.
///
/// Angles are a separate dimension here, so that rad/s and 1/s (Hz) are different things.
struct Dimension {
  const char* noun;  // "a length"
  const char* unit;  // "m"; "" for a pure number
};

namespace dimension {
inline constexpr Dimension number{"a number", ""};
inline constexpr Dimension length{"a length", "m"};
inline constexpr Dimension angle{"an angle", "rad"};
inline constexpr Dimension time{"a time", "s"};
inline constexpr Dimension mass{"a mass", "kg"};
inline constexpr Dimension density{"a density", "kg/m^3"};
inline constexpr Dimension pressure{"a pressure", "Pa"};
inline constexpr Dimension area{"an area", "m^2"};
inline constexpr Dimension second_moment{"a second moment of area", "m^4"};
inline constexpr Dimension inertia{"a moment of inertia", "kg.m^2"};
inline constexpr Dimension velocity{"a velocity", "m/s"};
inline constexpr Dimension angular_velocity{"an angular velocity", "rad/s"};
inline constexpr Dimension acceleration{"an acceleration", "m/s^2"};
inline constexpr Dimension angular_acceleration{"an angular acceleration", "rad/s^2"};
inline constexpr Dimension force{"a force", "N"};
inline constexpr Dimension torque{"a torque", "N.m"};
inline constexpr Dimension stiffness{"a stiffness", "N/m"};
inline constexpr Dimension angular_stiffness{"an angular stiffness", "N.m/rad"};
inline constexpr Dimension hardening{"a cubic stiffness", "N/m^3"};
inline constexpr Dimension angular_hardening{"an angular cubic stiffness", "N.m/rad^3"};
inline constexpr Dimension frequency{"a frequency", "Hz"};
inline constexpr Dimension gain_rate{"a gain per time", "1/s"};
inline constexpr Dimension gain_square{"a gain per time squared", "1/s^2"};
inline constexpr Dimension damping{"a damping", "N.s/m"};
inline constexpr Dimension angular_damping{"an angular damping", "N.m.s/rad"};
inline constexpr Dimension integral_gain{"a stiffness per time", "N/m/s"};
inline constexpr Dimension angular_integral_gain{"an angular stiffness per time", "N.m/rad/s"};
}  // namespace dimension

/// A quantity read from text: a value in SI, or an error message ("" if it was read).
struct Quantity {
  double value = 0;
  std::string complaint;
};

/// Reads `12`, `-3.5e2 mm`, `0.1 N.m.s/rad`: a number, then a unit of the expected dimension (default: SI).
///
/// The units are those of udunits2, and deg, Nm and rpm. Rejected, each with its reason: units of another dimension or of its
/// reciprocal (which udunits2 would convert), cycles (Hz) for rad/s, units with an offset (celsius) or a logarithm, numbers
/// inside the unit ("1 000 mm").
Quantity read_quantity(std::string_view text, const Dimension& expected);

}  // namespace lithe
