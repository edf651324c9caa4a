#include "lithe/show/playback.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lithe {
namespace {

/// The row before a time, and how far towards the next.
struct Between {
  size_t row = 0;
  double share = 0;

  double of(const std::vector<double>& series) const {
    if (share == 0) return series[row];
    return (1 - share) * series[row] + share * series[row + 1];
  }
};

Between rows_at(const std::vector<double>& time, double t) {
  const size_t after = size_t(std::upper_bound(time.begin(), time.end(), t) - time.begin());
  if (after == 0) return {0, 0};
  if (after == time.size()) return {time.size() - 1, 0};
  const double step = time[after] - time[after - 1];
  return {after - 1, step > 0 ? (t - time[after - 1]) / step : 0};
}

/// A quaternion and its negative are the same rotation: rows may change from one to the other.
void mend_quaternions(const Arm& arm, const ShownRun& run, const Between& at, State& state) {
  if (at.share == 0) return;
  for (const Link& link : arm.links()) {
    if (link.joint->quaternion() < 0) continue;
    const int place = link.q0 + link.joint->quaternion();
    Eigen::Vector4d first, second;
    for (int k = 0; k < 4; ++k) {
      first[k] = run.results.series[place + k][at.row];
      second[k] = run.results.series[place + k][at.row + 1];
    }
    if (first.dot(second) < 0) second = -second;
    state.q.segment<4>(place) = ((1 - at.share) * first + at.share * second).normalized();
  }
}

}  // namespace

double interpolated(const std::vector<double>& xs, const std::vector<double>& ys, double x) {
  return rows_at(xs, x).of(ys);
}

double value_at(const Results& results, const std::vector<double>& series, double t) {
  return interpolated(results.time, series, t);
}

State state_at(const ShownRun& run, double t) {
  const Arm& arm = *run.arm;
  State state = State::zero(arm);
  state.t = t;
  const Between at = rows_at(run.results.time, t);
  for (int i = 0; i < arm.nq(); ++i) state.q[i] = at.of(run.results.series[i]);
  mend_quaternions(arm, run, at, state);
  return state;
}

State commanded_at(const ShownRun& run, double t) {
  State state = state_at(run, t);
  const Between at = rows_at(run.results.time, t);
  for (const auto& [i, wanted] : run.commanded) state.q[i] = at.of(wanted);
  return exaggerated(*run.arm, state, 0);
}

double tip_error_at(const ShownRun& run, double t) {
  Vector3d error;
  const char* names[] = {"tip_error.x", "tip_error.y", "tip_error.z"};
  for (int k = 0; k < 3; ++k) {
    const int column = run.results.find(names[k]);
    if (column < 0) return std::numeric_limits<double>::quiet_NaN();
    error[k] = value_at(run.results, run.results.series[column], t);
  }
  return error.norm();
}

}  // namespace lithe
