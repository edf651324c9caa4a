#pragma once

#include <array>

#include "lithe/dynamics/articulated/axial.h"
#include "lithe/spatial/exp_map.h"
#include "lithe/spatial/lanes.h"

namespace lithe {

/// b = (1 − cos|θ|)/x, c = (|θ| − sin|θ|)/|θ|³ and twice their derivatives, as functions of x = θ·θ.
template <class S>
struct ExpCoefficients {
  S b, c, two_db, two_dc;

  explicit ExpCoefficients(const S& x) {
    // Seven terms are exact to rounding below 0.6 rad.
    constexpr int n = 7;
    constexpr double limit = 0.36;
    static constexpr ExpSeries<n> terms;
    if (any_above(x, limit)) {
      const auto map = [](double y) { return ExpMap(Vector3d(std::sqrt(y), 0, 0)); };
      b = by_lane(x, [&](double y) { return map(y).b; });
      c = by_lane(x, [&](double y) { return map(y).c; });
      two_db = by_lane(x, [&](double y) { return 2 * map(y).db; });
      two_dc = by_lane(x, [&](double y) { return 2 * map(y).dc; });
      return;
    }
    // d/dx multiplies the k-th term by k: those factors are known to the compiler.
    b = terms.b[n - 1];
    c = terms.c[n - 1];
    two_db = 2 * (n - 1) * terms.b[n - 1];
    two_dc = 2 * (n - 1) * terms.c[n - 1];
    for (int k = n - 2; k >= 0; --k) {
      b = b * x + terms.b[k];
      c = c * x + terms.c[k];
    }
    for (int k = n - 2; k >= 1; --k) {
      two_db = two_db * x + 2 * k * terms.b[k];
      two_dc = two_dc * x + 2 * k * terms.c[k];
    }
  }
};

/// Pose and motion of a flexible link's tip relative to its frame B, in B axes.
template <class S>
struct TipMotion {
  S R[9];                  // R_BT = exp[θ]×, by rows
  S J_l[9];                // ω_rel = J_l θ̇
  S p[3];                  // p_BT
  S omega_T[3];            // ω + ω_rel
  axial::Vector6<S> zeta;  // velocity terms of A_T (5), (6)

  /// From θ, θ̇ and the rate of p, with ω and its products.
  void move(const S* theta, const S* theta_rate, const S* u_rate, const S* omega, const S* omega_products) {
    axial::Products<S> products(theta);
    S x = products.w[0] + products.w[1] + products.w[2];
    ExpCoefficients<S> k(x);
    S a = 1.0 - x * k.c;
    turn(a, k.b, theta, products.w, R);
    turn(k.b, k.c, theta, products.w, J_l);

    S once[3], twice[3], other[3];
    axial::cross(theta, theta_rate, once);
    axial::cross(theta, once, twice);
    axial::cross(theta_rate, once, other);
    S x_rate = axial::dot3(theta, theta_rate);  // half of it
    S e1 = k.two_db * x_rate, e2 = k.two_dc * x_rate;
    S omega_rel[3], angular[3], linear[3];
    for (int i = 0; i < 3; ++i) {
      omega_rel[i] = theta_rate[i] + k.b * once[i] + k.c * twice[i];
      angular[i] = e1 * once[i] + e2 * twice[i] + k.c * other[i];
      omega_T[i] = omega[i] + omega_rel[i];
    }
    axial::add_cross(omega, omega_rel, angular);
    axial::centripetal(omega_products, p, linear);
    S two_rate[3] = {u_rate[0] + u_rate[0], u_rate[1] + u_rate[1], u_rate[2] + u_rate[2]};
    axial::add_cross(omega, two_rate, linear);
    zeta = axial::Vector6<S>::of(angular, linear);
  }

 private:
  /// 1 + p[θ]× + r[θ]×².
  static void turn(const S& p, const S& r, const S* theta, const S* products, S* A) {
    S xx = r * products[0], yy = r * products[1], zz = r * products[2], xy = r * products[3], xz = r * products[4],
      yz = r * products[5], x = p * theta[0], y = p * theta[1], z = p * theta[2];
    A[0] = 1.0 - (yy + zz);
    A[1] = xy - z;
    A[2] = xz + y;
    A[3] = xy + z;
    A[4] = 1.0 - (xx + zz);
    A[5] = yz - x;
    A[6] = xz - y;
    A[7] = yz + x;
    A[8] = 1.0 - (xx + yy);
  }
};

}  // namespace lithe
