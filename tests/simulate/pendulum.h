#pragma once

#include <cmath>
#include <vector>

namespace lithe::testing {

/// cn(u, k) and dn(u, k) by the descending Landen (AGM) scheme: Abramowitz & Stegun 16.4.
struct Jacobi {
  double sn, cn, dn;
};
inline Jacobi jacobi(double u, double k) {
  std::vector<double> a{1}, c{k};
  double b = std::sqrt(1 - k * k);
  while (std::abs(c.back()) > 1e-17) {
    const double next = (a.back() + b) / 2;
    c.push_back((a.back() - b) / 2);
    b = std::sqrt(a.back() * b);
    a.push_back(next);
  }
  double phi = std::ldexp(a.back() * u, int(a.size()) - 1);
  for (size_t n = a.size() - 1; n > 0; --n) phi = (phi + std::asin(c[n] / a[n] * std::sin(phi))) / 2;
  const double sn = std::sin(phi);
  return {sn, std::cos(phi), std::sqrt(1 - k * k * sn * sn)};
}

/// Angle from hanging of a simple pendulum released at rest at `start`: sin(θ/2) = k cn/dn(ωt, k), k = sin(start/2).
inline double pendulum_angle(double start, double omega, double t) {
  const double k = std::sin(start / 2);
  const Jacobi j = jacobi(omega * t, k);
  return 2 * std::asin(k * j.cn / j.dn);
}

}  // namespace lithe::testing
