// Wind, and the surfaces on which it acts.
#pragma once

#include <optional>
#include <variant>
#include <vector>

#include "lithe/describe/case/profile.h"
#include "lithe/describe/case/vectors.h"
#include "lithe/describe/case/words.h"

namespace lithe {

/// A thin lifting surface on a link, with its span along the link's x. It is flat and bends with the link.
struct SurfaceSpec {
  double chord = 0;
  std::optional<double> tip_chord;  // at the far end; default: the same
  double axis = 0.5;                // of the link's x axis in the chord: 0 at the leading edge, 1 at the trailing edge
  Vector3d trailing = Vector3d(0, -1, 0);  // from leading to trailing edge, in link axes, perpendicular to x
  int panels_chord = 4, panels_span = 8;
  bool operator==(const SurfaceSpec&) const = default;
};

enum class WakeModel { prescribed, free };
enum class Coupling { strong, once };
/// w(ξ) = ½ velocity (1 − cos 2πξ/length) over 0 < ξ < length, with ξ how far the front has passed a point.
struct OneMinusCosine {
  double velocity = 0, length = 0;
  std::optional<Vector3d> direction = {};  // of the velocity, in world axes; default: `up` of the wind
  double at = 0;                           // when its front passes the world's origin
  bool operator==(const OneMinusCosine&) const = default;
};
/// The full velocity from the front on, as far as `length`.
struct SharpEdged {
  double velocity = 0;
  std::optional<double> length = {};  // default: without end
  std::optional<Vector3d> direction = {};
  double at = 0;
  bool operator==(const SharpEdged&) const = default;
};
/// A gust that stands in the air and comes with the wind. Its front is a plane across the wind.
struct GustSpec {
  std::variant<OneMinusCosine, SharpEdged> gust;
  bool operator==(const GustSpec&) const = default;
};
/// The air in which lifting surfaces move.
struct WindSpec {
  double speed = 0;
  Vector3d direction = Vector3d::UnitX(),
           up = Vector3d::UnitZ();  // in world axes; `incidence` turns the direction towards `up`
  double incidence = 0;
  double density = 1.225;
  std::optional<Vector3d> mirror;  // normal of a plane through the world's origin that the flow does not cross
  WakeModel wake = WakeModel::prescribed;
  double wake_length = 10;     // in chords of the longest surface
  std::optional<double> step;  // largest step of the air; default: the time in which the wind passes one panel
  Coupling coupling = Coupling::strong;
  std::optional<Profile> speed_over_time = {}, incidence_over_time = {};  // from `speed` and from `incidence`
  std::vector<GustSpec> gusts = {};
  std::optional<double> stall =
      {};  // incidence beyond which a strip's lift does not grow; default: lift is not limited
  bool operator==(const WindSpec&) const = default;
};
/// Velocity of the wind in world axes, with its incidence, as it is at the start and without gusts.
Vector3d wind_velocity(const WindSpec& wind);
/// The same with another speed and incidence.
Vector3d wind_velocity(const WindSpec& wind, double speed, double incidence);

// The words of the choices above.
template <>
struct Words<WakeModel> {
  static constexpr WordList<WakeModel, 2> list{{{WakeModel::prescribed, "prescribed"}, {WakeModel::free, "free"}}};
};
template <>
struct Words<Coupling> {
  static constexpr WordList<Coupling, 2> list{{{Coupling::strong, "strong"}, {Coupling::once, "once"}}};
};

}  // namespace lithe
