#include "lithe/drive/case_wind.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "lithe/describe/problem.h"

namespace lithe {
namespace {

/// The least and the largest value of a profile.
struct Range {
  double least = std::numeric_limits<double>::infinity(), least_at = 0, largest = -least;
};

/// Exact where the profile turns around at times that it knows, from one to the next of which it is monotone.
Range range_of(const ProfileCurve& curve, const Profile& profile, double until) {
  constexpr size_t most = 1'000'000, samples = 1000;
  std::vector<double> times;
  if (const auto turns = curve.turning_points(most)) {
    times = *turns;
  } else {
    times = curve.breakpoints();
    // At times that no period is a multiple of.
    const double golden = (std::sqrt(5.0) - 1) / 2;
    for (size_t k = 1; k <= samples; ++k)
      times.push_back(until * (double(k) * golden - std::floor(double(k) * golden)));
    // A sinusoid without end: its first crest and its first trough.
    if (const auto* wave = std::get_if<Sinusoid>(&profile.shape)) {
      const double pi = std::numbers::pi, first = std::floor(wave->phase / pi - 0.5) + 1.5;
      for (const double k : {0.0, 1.0}) times.push_back(((first + k) * pi - wave->phase) / (2 * pi * wave->frequency));
    }
  }
  std::erase_if(times, [&](double t) { return t > until; });
  times.insert(times.end(), {0, until});
  std::sort(times.begin(), times.end());
  Range range;
  // At both ends of every stretch by the piece within it, because a value may jump between pieces.
  for (size_t k = 0; k + 1 < times.size(); ++k)
    for (const double t : {times[k], times[k + 1]}) {
      const double value = curve.at(t, (times[k] + times[k + 1]) / 2).value;
      if (value < range.least) {
        range.least = value;
        range.least_at = t;
      }
      range.largest = std::max(range.largest, value);
    }
  return range;
}

}  // namespace

CaseWind::CaseWind(const WindSpec& spec) : spec_(spec) {
  if (spec.speed_over_time) speed_.emplace(*spec.speed_over_time, spec.speed, "wind.speed_over_time");
  if (spec.incidence_over_time)
    incidence_.emplace(*spec.incidence_over_time, spec.incidence, "wind.incidence_over_time");
  const Vector3d start = wind_velocity(spec);
  for (const GustSpec& one : spec.gusts) {
    Front front;
    std::visit(
        [&](const auto& gust) {
          front.velocity = gust.velocity * gust.direction.value_or(spec.up).normalized();
          front.starts = gust.at;
        },
        one.gust);
    front.along = start.normalized();
    front.speed = start.norm();
    const auto* smooth = std::get_if<OneMinusCosine>(&one.gust);
    front.smooth = smooth != nullptr;
    front.length = smooth ? smooth->length
                          : std::get<SharpEdged>(one.gust).length.value_or(std::numeric_limits<double>::infinity());
    fronts_.push_back(front);
  }
}

double CaseWind::Front::share(double passed) const {
  if (!(passed > 0) || passed >= length) return 0;
  return smooth ? (1 - std::cos(2 * std::numbers::pi * passed / length)) / 2 : 1;
}

Vector3d CaseWind::uniform(double t) const {
  return wind_velocity(spec_, speed_ ? speed_->at(t).value : spec_.speed,
                       incidence_ ? incidence_->at(t).value : spec_.incidence);
}

Vector3d CaseWind::gust(const Vector3d& point, double t) const {
  Vector3d sum = Vector3d::Zero();
  for (const Front& front : fronts_) sum += front.share(front.passed(point, t)) * front.velocity;
  return sum;
}

aero::Wind CaseWind::for_lattice() const {
  aero::Wind wind{wind_velocity(spec_), spec_.density, {}};
  if (!speed_ && !incidence_ && fronts_.empty()) return wind;
  wind.gust = [own = *this, start = wind.velocity](const Vector3d& point, double t) -> Vector3d {
    return own.uniform(t) - start + own.gust(point, t);
  };
  return wind;
}

double CaseWind::fastest(double until) const {
  if (!speed_) return spec_.speed;
  const Range speeds = range_of(*speed_, *spec_.speed_over_time, until);
  if (!(speeds.least > 0))
    throw FieldError("wind.speed_over_time",
                     fmt::format("expected a speed above zero throughout, got {:.4g} m/s at t = {:.4g} s: without "
                                 "wind no wake goes away from a surface",
                                 speeds.least, speeds.least_at));
  return speeds.largest;
}

std::pair<double, double> CaseWind::incidences(double until) const {
  if (!incidence_) return {spec_.incidence, spec_.incidence};
  const Range range = range_of(*incidence_, *spec_.incidence_over_time, until);
  return {range.least, range.largest};
}

void CaseWind::check_start(const aero::Points& corners) const {
  for (size_t i = 0; i < fronts_.size(); ++i) {
    const Front& front = fronts_[i];
    double latest = -std::numeric_limits<double>::infinity();  // the least time at which it may pass the origin
    bool reached = false;
    for (Eigen::Index k = 0; k < corners.cols(); ++k) {
      latest = std::max(latest, -front.along.dot(corners.col(k)) / front.speed);
      const double passed = front.passed(corners.col(k), 0);
      reached |= passed > 0 && passed < front.length;
    }
    // What is left of zero at corners far away.
    if (std::abs(latest) < 1e-12 * corners.cwiseAbs().maxCoeff() / front.speed) latest = 0;
    if (reached)
      throw FieldError(fmt::format("wind.gusts[{}].{}.at", i, front.smooth ? "one_minus_cosine" : "sharp_edged"),
                       fmt::format("the gust has reached a surface at the start, where the flow is taken as steady; "
                                   "expected at least {:.4g} s",
                                   latest));
  }
}

}  // namespace lithe
