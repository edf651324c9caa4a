#include "lithe/arm/joint_forces.h"

#include <algorithm>
#include <cmath>

namespace lithe {
namespace {

/// How far beyond its limits a joint is: positive above the upper one, negative below the lower one.
double excess(const Limits& limits, double q) {
  return std::max(q - limits.upper, 0.0) + std::min(q - limits.lower, 0.0);
}

// The stop's damping sets in over this depth (rad or m), so that touching the stop is no jump in force.
constexpr double damping_depth = 1e-3;

}  // namespace

double JointForces::elastic(double q) const {
  double force = 0;
  if (spring) force += spring->stiffness * (q - spring->rest);
  if (limits) force += limits->stiffness * excess(*limits, q);
  return force;
}

double JointForces::dissipative(double q, double rate) const {
  double force = damping * rate;
  if (friction) force += (rate > 0 ? friction->forward : friction->backward) * std::tanh(rate / friction->smoothing);
  if (limits && limits->damping > 0) {
    const double depth = excess(*limits, q);
    // Only while pressing in: a stop never holds a joint back on its way out.
    if (depth * rate > 0) force += limits->damping * rate * std::tanh(std::abs(depth) / damping_depth);
  }
  return force;
}

double JointForces::energy(double q) const {
  double energy = 0;
  if (spring) energy += spring->stiffness * (q - spring->rest) * (q - spring->rest) / 2;
  if (limits) energy += limits->stiffness * excess(*limits, q) * excess(*limits, q) / 2;
  return energy;
}

}  // namespace lithe
