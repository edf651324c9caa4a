// profile/ — values over time. Takes a `Profile` of a case; gives its value, rate and acceleration at any time, and where its smooth
// pieces meet. Does not depend on what follows a profile: joints, bases, loads.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lithe/describe/case.h"
#include "lithe/profile/instant.h"

namespace lithe {

/// Value, rate and acceleration of a profile at one time.
struct ProfileSample {
  double value = 0, rate = 0, acceleration = 0;
};

/// A profile ready to be evaluated: smooth pieces one after the other, after which the last value is held.
///
/// Between two breakpoints everything is smooth. At a breakpoint a derivative may jump; `at` then needs to know which
/// side is meant: an integrator that stops there evaluates the piece it is in, identified by any time inside it.
class ProfileCurve {
 public:
  /// `start` is the value at t = 0. Throws FieldError (path of the profile, e.g. `motion.shoulder`) for a bad table.
  ProfileCurve(const Profile& profile, double start, const std::string& path);

  /// At time t, by the piece that contains the time `inside`.
  ProfileSample at(double t, double inside) const;
  ProfileSample at(Instant now) const { return at(now.t, now.inside); }

  /// Times at which one piece ends and the next begins, ascending.
  const std::vector<double>& breakpoints() const { return breakpoints_; }

  /// Breakpoints, and the times between them at which the value may turn around: from one to the next it is monotone. Ascending.
  /// None for a profile without end, and if there are more than `most`.
  std::optional<std::vector<double>> turning_points(std::size_t most) const;

 private:
  /// Times at which the value may turn around within a piece: the i-th, counted from its beginning.
  struct Turns {
    double count = 0;
    std::function<double(double i)> at;
  };
  struct Piece {
    double from;                                 // time it starts at; it ends where the next one starts
    std::function<ProfileSample(double)> curve;  // of the time since then
    Turns turns;
  };
  void add(const Profile& profile, const std::string& path);
  void add(double duration, double end_value, std::function<ProfileSample(double)> curve);
  void add_steps(const Steps& steps, const std::string& path);

  std::vector<Piece> pieces_;
  std::vector<double> breakpoints_;
  double end_time_ = 0, end_value_ = 0;
};

/// A jump of a profile's value, or of its rate, from one piece to the next.
struct Leap {
  double t = 0, from = 0, to = 0;
};
/// The first jump before time `until` that is larger than rounding.
std::optional<Leap> first_leap(const ProfileCurve& curve, double ProfileSample::*what, double until);

}  // namespace lithe
