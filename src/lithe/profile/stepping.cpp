// A stepping motor: when it steps, and how its steps add up.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "lithe/describe/limits.h"
#include "lithe/describe/problem.h"
#include "lithe/profile/profile_curve.h"
#include "lithe/spatial/demand.h"

namespace lithe {
namespace {

/// One step: when it begins, and in which direction.
struct Move {
  double t;
  int direction;
};

/// The time from a to b, between which the curve is monotone, at which it has that value: Newton's method, or halving where that leads
/// out of the interval.
double crossing(const ProfileCurve& curve, double a, double b, double value, bool rises) {
  const double inside = (a + b) / 2;
  double t = inside;
  for (int k = 0; k < 200; ++k) {
    const ProfileSample now = curve.at(t, inside);
    ((now.value < value) == rises ? a : b) = t;
    const double newton = t - (now.value - value) / now.rate;
    const double next = newton > a && newton < b ? newton : (a + b) / 2;
    if (std::abs(next - t) <= 1e-15 * std::abs(t)) return next;
    t = next;
  }
  return t;
}

/// The steps of a motor of that step size: one whenever the curve passes start + (i + ½) size. What only touches such a value, up to
/// rounding, does not pass it.
std::vector<Move> moves_along(const ProfileCurve& curve, double start, double size, const std::string& path) {
  const auto parts = curve.turning_points(limits::motor_steps);
  if (!parts)
    throw FieldError(path + ".of", fmt::format("turns around or changes more than {} times: give a shorter one",
                                               limits::motor_steps));
  std::vector<Move> moves;
  std::int64_t n = 0;  // how far the motor is from its start, in steps
  auto follow = [&](double value, auto when) {
    constexpr double beyond = 0.5 + 1e-9;
    const double wanted = (value - start) / size;
    if (!(std::abs(wanted - double(n)) + double(moves.size()) <= limits::motor_steps))
      throw FieldError(path + ".size",
                       fmt::format("asks for more than {} steps: give a larger one, or a shorter profile `of`",
                                   limits::motor_steps));
    for (; wanted > double(n) + beyond; ++n) moves.push_back({when(start + (double(n) + 0.5) * size, true), 1});
    for (; wanted < double(n) - beyond; --n) moves.push_back({when(start + (double(n) - 0.5) * size, false), -1});
  };
  double from = 0;
  for (const double to : *parts) {
    const double inside = (from + to) / 2;
    follow(curve.at(from, inside).value, [&](double, bool) { return from; });  // by rounding, where pieces meet
    follow(curve.at(to, inside).value,
           [&](double value, bool rises) { return crossing(curve, from, to, value, rises); });
    from = to;
  }
  return moves;
}

// Every piece sums up the moves under way at its beginning.
constexpr std::size_t most_under_way = 1000;

/// Moves that are under way together, each D (10 s³ − 15 s⁴ + 6 s⁵) with s = (t − its beginning)/in, are one polynomial of degree 5.
class SumOfMoves {
 public:
  SumOfMoves(double before, double size, double in) : before_(before), size_(size), in_(in) {}

  /// Adds one that is at s now: its Taylor coefficients there.
  void add(int direction, double s) {
    const double r = 1 - s;
    const std::array<double, 6> P{s * s * s * (10 + s * (-15 + 6 * s)),
                                  30 * s * s * r * r,
                                  30 * s * r * (1 - 2 * s),
                                  10 + s * (-60 + 60 * s),
                                  -15 + 30 * s,
                                  6};
    for (std::size_t k = 0; k < P.size(); ++k) c_[k] += direction * P[k];
  }
  /// After the time t since now.
  ProfileSample operator()(double t) const {
    const double s = t / in_;
    return {before_ + size_ * (c_[0] + s * (c_[1] + s * (c_[2] + s * (c_[3] + s * (c_[4] + s * c_[5]))))),
            size_ / in_ * (c_[1] + s * (2 * c_[2] + s * (3 * c_[3] + s * (4 * c_[4] + s * 5 * c_[5])))),
            size_ / (in_ * in_) * (2 * c_[2] + s * (6 * c_[3] + s * (12 * c_[4] + s * 20 * c_[5])))};
  }

 private:
  double before_, size_, in_;
  std::array<double, 6> c_{};
};

}  // namespace

void ProfileCurve::add_steps(const Steps& steps, const std::string& path) {
  LITHE_DEMAND(steps.of.has_value() && steps.size > 0 && steps.in > 0);  // checked when the case is read
  const double start = end_value_, begin = end_time_, size = steps.size, in = steps.in;
  const ProfileCurve followed(*steps.of, start, path + ".of");
  LITHE_DEMAND(std::isfinite(followed.end_time_));
  const double first_value = followed.at(0).value;
  const auto leap = std::abs(first_value - start) > 1e-9 * (1 + std::abs(start))
                        ? std::optional(Leap{0, start, first_value})
                        : first_leap(followed, &ProfileSample::value, followed.end_time_);
  if (leap)
    throw FieldError(path + ".of", fmt::format("jumps from {:.6g} to {:.6g} at t = {:.6g} s, which no motor can follow "
                                               "step by step: end this part where the next begins",
                                               leap->from, leap->to, leap->t));
  const std::vector<Move> moves = moves_along(followed, start, size, path);

  std::vector<double> times{followed.end_time_};
  for (const Move& move : moves) {
    times.push_back(move.t);
    times.push_back(move.t + in);
  }
  std::sort(times.begin(), times.end());
  // Between two of these times some moves are under way, one after the other in the list; those before are complete.
  const double hair = 1e-12 * times.back();
  double from = 0;
  std::size_t first = 0, next = 0;
  std::int64_t complete = 0;
  for (const double to : times) {
    if (to - from <= hair) continue;
    const double middle = (from + to) / 2;
    while (next < moves.size() && moves[next].t < middle) ++next;
    for (; first < next && moves[first].t + in <= middle; ++first) complete += moves[first].direction;
    if (next - first > most_under_way)
      throw FieldError(path + ".in", fmt::format("is so long that more than {} steps are under way at once: give a "
                                                 "shorter one, or a larger size",
                                                 most_under_way));
    SumOfMoves sum(start + size * double(complete), size, in);
    for (std::size_t i = first; i < next; ++i)
      sum.add(moves[i].direction, std::clamp((from - moves[i].t) / in, 0.0, 1.0));
    pieces_.push_back({begin + from, sum, {}});
    end_time_ = begin + to;
    breakpoints_.push_back(end_time_);
    from = to;
  }
  for (; first < moves.size(); ++first) complete += moves[first].direction;
  end_value_ = start + size * double(complete);
}

}  // namespace lithe
