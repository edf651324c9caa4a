// Profiles: a value over time that starts from a given value and holds its last one. `to` is absolute.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "lithe/describe/case/nested.h"

namespace lithe {

struct Cycloidal {
  double to = 0, in = 0;
  bool operator==(const Cycloidal&) const = default;
};
struct Quintic {
  double to = 0, in = 0;
  bool operator==(const Quintic&) const = default;
};
/// Constant acceleration, constant velocity, constant deceleration, dwell.
struct TrapezoidalVelocity {
  double to = 0, in = 0;
  std::optional<double> ramp;  // time of each ramp; default: a third of the move
  double dwell = 0;
  bool operator==(const TrapezoidalVelocity&) const = default;
};
/// The acceleration is a trapezoid over the first half of the move, and its mirror image over the second.
struct TrapezoidalAcceleration {
  double to = 0, in = 0;
  std::optional<double> ramp;  // time of each rise and fall of the trapezoids; default: an eighth of the move
  bool operator==(const TrapezoidalAcceleration&) const = default;
};
/// start + amplitude·sin(2π·frequency·t + phase)
struct Sinusoid {
  double amplitude = 0, frequency = 0, phase = 0;
  std::optional<double> duration;  // default: unlimited
  bool operator==(const Sinusoid&) const = default;
};
/// The rate rises from zero to `rate` as a cycloidal move does, without a jump of the acceleration, and then stays.
struct SpinUp {
  double rate = 0, in = 0;
  std::optional<double> duration;  // in all; default: unlimited
  bool operator==(const SpinUp&) const = default;
};
/// A cubic spline through the rows of a CSV file: time, value.
struct Table {
  std::string file;
  int column = 2;  // of the values, counted from one; the first column holds the times
  bool operator==(const Table&) const = default;
};
/// Straight lines from the start value through these points.
struct LinePoint {
  double at = 0, to = 0;  // time since the profile began, and the value at that time
  bool operator==(const LinePoint&) const = default;
};
struct Lines {
  std::vector<LinePoint> points;
  bool operator==(const Lines&) const = default;
};
struct Dwell {
  double duration = 0;
  bool operator==(const Dwell&) const = default;
};
struct Profile;
struct Sequence {
  std::vector<Profile> parts;
  bool operator==(const Sequence&) const;
};
/// A stepping motor follows another profile: each time that profile has moved by a step, the value moves by one step as well. It is
/// half a step away from the profile at most, and each step is a quintic move.
struct Steps {
  Nested<Profile> of;
  double size = 0;
  double in = 0;  // duration of the move of one step
  bool operator==(const Steps&) const;
};
struct Profile {
  std::variant<Cycloidal, Quintic, TrapezoidalVelocity, TrapezoidalAcceleration, Sinusoid, Table, Lines, Dwell,
               Sequence, Steps, SpinUp>
      shape;
  bool operator==(const Profile&) const = default;
};
inline bool Sequence::operator==(const Sequence& other) const { return parts == other.parts; }
inline bool Steps::operator==(const Steps& other) const {
  return of == other.of && size == other.size && in == other.in;
}

}  // namespace lithe
