#include "lithe/profile/profile_curve.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "lithe/profile/cubic_spline.h"

namespace lithe {
namespace {

constexpr double pi = std::numbers::pi;

/// A polynomial a₀ + a₁t + a₂t² + a₃t³.
std::function<ProfileSample(double)> cubic(double a0, double a1, double a2, double a3) {
  return [=](double t) {
    return ProfileSample{a0 + t * (a1 + t * (a2 + t * a3)), a1 + t * (2 * a2 + t * 3 * a3), 2 * a2 + 6 * a3 * t};
  };
}

}  // namespace

ProfileCurve::ProfileCurve(const Profile& profile, double start, const std::string& path) : end_value_(start) {
  add(profile, path);
  pieces_.push_back({end_time_, [value = end_value_](double) { return ProfileSample{value, 0, 0}; }, {}});
}

void ProfileCurve::add(double duration, double end_value, std::function<ProfileSample(double)> curve) {
  pieces_.push_back({end_time_, std::move(curve), {}});
  end_time_ += duration;
  end_value_ = end_value;
  if (std::isfinite(end_time_)) breakpoints_.push_back(end_time_);
}

void ProfileCurve::add(const Profile& profile, const std::string& path) {
  const double start = end_value_;
  if (const auto* p = std::get_if<Cycloidal>(&profile.shape)) {
    const double T = p->in, D = p->to - start;
    add(T, p->to, [=](double t) {
      const double x = 2 * pi * t / T;
      return ProfileSample{start + D * (t / T - std::sin(x) / (2 * pi)), D / T * (1 - std::cos(x)),
                           2 * pi * D / (T * T) * std::sin(x)};
    });
  } else if (const auto* p5 = std::get_if<Quintic>(&profile.shape)) {
    const double T = p5->in, D = p5->to - start;
    add(T, p5->to, [=](double t) {
      const double s = t / T;
      return ProfileSample{start + D * s * s * s * (10 + s * (-15 + 6 * s)), D / T * 30 * s * s * (1 - s) * (1 - s),
                           D / (T * T) * 60 * s * (1 - s) * (1 - 2 * s)};
    });
  } else if (const auto* pv = std::get_if<TrapezoidalVelocity>(&profile.shape)) {
    const double T = pv->in, r = pv->ramp.value_or(T / 3), D = pv->to - start;
    const double V = D / (T - r), a = V / r;  // the area under the trapezoid of velocity is D
    add(r, start + a * r * r / 2, cubic(start, 0, a / 2, 0));
    if (T > 2 * r) add(T - 2 * r, end_value_ + V * (T - 2 * r), cubic(end_value_, V, 0, 0));
    add(r, pv->to, cubic(end_value_, V, -a / 2, 0));
    if (pv->dwell > 0) add(pv->dwell, pv->to, cubic(pv->to, 0, 0, 0));
  } else if (const auto* pa = std::get_if<TrapezoidalAcceleration>(&profile.shape)) {
    // Acceleration rises for r, stays, falls for r to zero at half time; then the same downwards.
    const double T = pa->in, r = pa->ramp.value_or(T / 8), D = pa->to - start, flat = T / 2 - 2 * r;
    const double a = D / ((T / 2 - r) * T / 2);  // peak rate a(T/2 − r) over the mean time T/2
    double rate = 0;
    auto flank = [&](double from, double to, double duration) {
      if (duration <= 0) return;
      const double jerk = (to - from) / duration, value = end_value_, v = rate;
      rate = v + from * duration + jerk * duration * duration / 2;
      add(duration, value + v * duration + from * duration * duration / 2 + jerk * duration * duration * duration / 6,
          cubic(value, v, from / 2, jerk / 6));
    };
    for (const double sign : {1.0, -1.0}) {
      flank(0, sign * a, r);
      flank(sign * a, sign * a, flat);
      flank(sign * a, 0, r);
    }
    end_value_ = pa->to;
  } else if (const auto* lines = std::get_if<Lines>(&profile.shape)) {
    double before = 0;
    for (const LinePoint& point : lines->points) {
      const double T = point.at - before, from = end_value_, rate = (point.to - from) / T;
      add(T, point.to, cubic(from, rate, 0, 0));
      before = point.at;
    }
  } else if (const auto* ps = std::get_if<Sinusoid>(&profile.shape)) {
    const double A = ps->amplitude, w = 2 * pi * ps->frequency, phase = ps->phase;
    const double duration = ps->duration.value_or(std::numeric_limits<double>::infinity());
    const double end = std::isfinite(duration) ? start + A * std::sin(w * duration + phase) : start;
    const double first = std::floor(phase / pi - 0.5) + 1;  // sin turns around at (k + ½)π, k from here on
    add(duration, end, [=](double t) {
      const double x = w * t + phase;
      return ProfileSample{start + A * std::sin(x), A * w * std::cos(x), -A * w * w * std::sin(x)};
    });
    pieces_.back().turns = {std::ceil(w * duration / pi) + 1,
                            [=](double i) { return ((first + i + 0.5) * pi - phase) / w; }};
  } else if (const auto* spin = std::get_if<SpinUp>(&profile.shape)) {
    // The integral of a cycloidal move of the rate (J. C. Simo, L. Vu-Quoc, J. Sound Vib. 119, 1987).
    const double T = spin->in, W = spin->rate, w = 2 * pi / T;
    add(T, start + W * T / 2, [=](double t) {
      return ProfileSample{start + W * (t * t / (2 * T) + (std::cos(w * t) - 1) / (w * w * T)),
                           W * (t / T - std::sin(w * t) / (2 * pi)), W / T * (1 - std::cos(w * t))};
    });
    const double rest = spin->duration.value_or(std::numeric_limits<double>::infinity()) - T;
    const double reached = end_value_;
    if (rest > 0) add(rest, std::isfinite(rest) ? reached + W * rest : reached, cubic(reached, W, 0, 0));
  } else if (const auto* pt = std::get_if<Table>(&profile.shape)) {
    CubicSpline spline = CubicSpline::from_csv(pt->file, pt->column, path + ".table");
    const double first = spline.first_time(), duration = spline.last_time() - first,
                 last = spline.at(spline.last_time()).value;
    std::vector<double> at = spline.turning_points();
    add(duration, last, [spline = std::move(spline), first](double t) { return spline.at(first + t); });
    const double count = double(at.size());
    pieces_.back().turns = {count, [at = std::move(at), first](double i) { return at[size_t(i)] - first; }};
  } else if (const auto* pd = std::get_if<Dwell>(&profile.shape)) {
    add(pd->duration, start, cubic(start, 0, 0, 0));
  } else if (const auto* steps = std::get_if<Steps>(&profile.shape)) {
    add_steps(*steps, path + ".steps");
  } else {
    const auto& parts = std::get<Sequence>(profile.shape).parts;
    for (size_t i = 0; i < parts.size(); ++i) add(parts[i], fmt::format("{}.sequence[{}]", path, i));
  }
}

ProfileSample ProfileCurve::at(double t, double inside) const {
  auto next = std::upper_bound(pieces_.begin(), pieces_.end(), inside,
                               [](double time, const Piece& piece) { return time < piece.from; });
  const Piece& piece = next == pieces_.begin() ? pieces_.front() : *std::prev(next);
  return piece.curve(t - piece.from);
}

std::optional<std::vector<double>> ProfileCurve::turning_points(std::size_t most) const {
  double count = double(breakpoints_.size());
  for (const Piece& piece : pieces_) count += piece.turns.count;
  if (!(count <= double(most)) || !std::isfinite(end_time_)) return std::nullopt;
  std::vector<double> times = breakpoints_;
  for (size_t k = 0; k + 1 < pieces_.size(); ++k)
    for (double i = 0; i < pieces_[k].turns.count; ++i) {
      const double t = pieces_[k].from + pieces_[k].turns.at(i);
      if (t > pieces_[k].from && t < pieces_[k + 1].from) times.push_back(t);
    }
  std::sort(times.begin(), times.end());
  return times;
}

std::optional<Leap> first_leap(const ProfileCurve& curve, double ProfileSample::*what, double until) {
  double before = 0;
  const std::vector<double>& corners = curve.breakpoints();
  for (size_t i = 0; i < corners.size() && corners[i] < until; ++i) {
    const double t = corners[i], after = i + 1 < corners.size() ? corners[i + 1] : t + 1;
    const double from = curve.at(t, (before + t) / 2).*what, to = curve.at(t, (t + after) / 2).*what;
    if (std::abs(to - from) > 1e-9 * (1 + std::abs(from))) return Leap{t, from, to};
    before = t;
  }
  return {};
}

}  // namespace lithe
