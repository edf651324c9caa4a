#include "lithe/joint/joint.h"

#include <algorithm>
#include <array>

namespace lithe {
namespace {

// Step of central differences for functions that are smooth over a radian or a metre: truncation and rounding errors are both
// some 1e-11.
constexpr double step = 6e-6;

using Position = std::array<double, 7>;
using Rate = std::array<double, 6>;

/// The positions on both sides of q along coordinate k.
std::array<Position, 2> beside(const Joint& joint, const double* q, int k) {
  std::array<Position, 2> both;
  for (int side = 0; side < 2; ++side) {
    std::copy_n(q, joint.nq(), both[side].begin());
    Rate dv{};
    dv[k] = side == 0 ? -step : step;
    joint.displace(both[side].data(), dv.data());
  }
  return both;
}

}  // namespace

std::vector<std::string> Joint::position_suffixes() const {
  std::vector<std::string> suffixes;
  for (const JointCoordinate& coordinate : coordinates_) suffixes.push_back(coordinate.suffix);
  return suffixes;
}

Vector6d Joint::direction_rate(const double* q, const double* v) const {
  JointDirections slopes(6, nv());
  direction_slopes(q, v, slopes);
  return slopes * Eigen::Map<const VectorXd>(v, nv());
}

void Joint::direction_slopes(const double* q, const double* u, JointDirections& slopes) const {
  const Eigen::Map<const VectorXd> rates(u, nv());
  JointDirections before(6, nv()), after(6, nv());
  slopes.resize(6, nv());
  for (int k = 0; k < nv(); ++k) {
    const auto [q_before, q_after] = beside(*this, q, k);
    directions(q_before.data(), before);
    directions(q_after.data(), after);
    slopes.col(k) = (after * rates - before * rates) / (2 * step);
  }
}

void Joint::rate_slopes(const double* q, const double* v, JointDirections& by_position,
                        JointDirections& by_rate) const {
  by_position.resize(6, nv());
  by_rate.resize(6, nv());
  for (int k = 0; k < nv(); ++k) {
    const auto [q_before, q_after] = beside(*this, q, k);
    by_position.col(k) = (direction_rate(q_after.data(), v) - direction_rate(q_before.data(), v)) / (2 * step);
    // Ḣv is quadratic in v, so that this difference is exact at any step.
    Rate v_before{}, v_after{};
    std::copy_n(v, nv(), v_before.begin());
    std::copy_n(v, nv(), v_after.begin());
    v_before[k] -= 1;
    v_after[k] += 1;
    by_rate.col(k) = (direction_rate(q, v_after.data()) - direction_rate(q, v_before.data())) / 2;
  }
}

void Joint::set_zero(double* q) const { std::fill_n(q, nq_, 0.0); }

void Joint::displace(double* q, const double* dv) const {
  for (int k = 0; k < nq_; ++k) q[k] += dv[k];
}

void Joint::position_rate(const double*, const double* v, double* qdot) const { std::copy_n(v, nq_, qdot); }

void Joint::chart(const double*, const double*, JointChart& to_rates, JointChart& to_positions,
                  JointChart& slope) const {
  to_rates.setIdentity(nv(), nq_);
  to_positions.setIdentity(nq_, nv());
  slope.setZero(nq_, nq_);
}

}  // namespace lithe
