#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "lithe/aero/lattice.h"
#include "lithe/aero/wind.h"
#include "lithe/describe/case.h"
#include "lithe/profile/profile_curve.h"

namespace lithe {

/// The wind of a case at any place and time: V(t) everywhere, from its profiles of speed and incidence, and gusts that stand in the air
/// and come with it,
///
///   w(r, t) = u shape(ξ),   ξ = V (t − t₀) − d·r                                                                          (1)
///
/// with d the direction of the wind V d at the start, and ξ how far the front has passed r. Cheap to copy; threads may share one.
class CaseWind {
 public:
  /// Throws FieldError for a table that cannot be read.
  explicit CaseWind(const WindSpec& spec);

  /// Without gusts.
  Vector3d uniform(double t) const;
  Vector3d gust(const Vector3d& point, double t) const;
  /// For the lattice: the velocity of the start, and all that changes as its gust. It keeps what it needs of this.
  aero::Wind for_lattice() const;

  /// The largest speed up to a time. Throws FieldError where the speed falls to nothing before: a wake needs wind.
  double fastest(double until) const;
  /// The least and the largest incidence up to a time.
  std::pair<double, double> incidences(double until) const;
  /// Throws FieldError where a gust has reached one of these points at the start: the flow there could not be steady.
  void check_start(const aero::Points& corners) const;

 private:
  /// A gust made ready.
  struct Front {
    Vector3d velocity, along;  // u; the direction it comes in
    double speed, starts, length;
    bool smooth;

    double passed(const Vector3d& point, double t) const { return speed * (t - starts) - along.dot(point); }
    double share(double passed) const;
  };

  WindSpec spec_;
  std::optional<ProfileCurve> speed_, incidence_;
  std::vector<Front> fronts_;
};

}  // namespace lithe
