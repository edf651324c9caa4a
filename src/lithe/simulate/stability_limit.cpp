#include "lithe/simulate/stability_limit.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "lithe/simulate/system.h"

namespace lithe {

double StabilityLimit::step(double t, const double* y) {
  const bool again = asked_ > 0 && t == t_;  // a step that was rejected: something has become faster
  if (asked_ == 0) {
    direction_ = VectorXd::Ones(system_.size());
    omega_ = fastest(t, y, at_first);
  } else if (asked_ > every || again) {
    // Short iterations see a little less than the largest.
    omega_ = std::max(fastest(t, y, later), 0.95 * omega_);
    asked_ = 0;
  }
  ++asked_;
  t_ = t;
  return omega_ > 0 ? reach / omega_ : std::numeric_limits<double>::infinity();
}

double StabilityLimit::fastest(double t, const double* y, int iterations) {
  const Eigen::Map<const VectorXd> at(y, system_.size());
  f0_.resize(at.size());
  f1_.resize(at.size());
  if (!system_.rates(t, y, f0_.data())) return omega_;
  direction_.normalize();
  double size = 0, before = 0, largest = 0;
  for (int k = 0; k < iterations; ++k) {
    const double h = 1e-7 * (1 + at.norm());
    moved_ = at + h * direction_;
    if (!system_.rates(t, moved_.data(), f1_.data())) break;
    direction_ = (f1_ - f0_) / h;
    before = size;
    size = direction_.norm();
    if (!(size > 0)) break;
    direction_ /= size;
    // Two steps together: of an oscillation one step multiplies by ω², the next by one.
    largest = std::sqrt(size * before);
  }
  return largest;
}

}  // namespace lithe
