#pragma once

#include "lithe/spatial/triple.h"

namespace lithe {

/// Moments of the curvature over an interval of length h and middle x̄ (or their slopes): ∫κ dx, ∫κ (x − x̄)/h dx, ∫κ ((x − x̄)/h)² dx.
template <class S>
struct CurvatureMoments {
  Triple<S> a, beta, e;
};

/// Magnus' expansion of order 6, with its first and second derivative along one direction of the moments. The moments are linear in δ.
///
///   α₁ = 9/4 a − 15 e    α₂ = 12 β    α₃ = −15 a + 180 e    C₁ = [α₁, α₂]    C₂ = −[α₁, 2α₃ + C₁]/60
///   Ω = α₁ + α₃/12 + [−20 α₁ − α₃ + C₁, α₂ + C₂]/240
///
/// R′ = R[κ]× multiplies on the right, which turns the bracket of Y′ = A Y round: [x, y] = −x×y.
/// [S. Blanes, F. Casas, J. A. Oteo, J. Ros, The Magnus expansion and some of its applications, Phys. Rep. 470 (2009), eqs 257 ff.]
template <class S>
struct Magnus6 {
  Triple<S> value, slope, second;

  LITHE_INLINE static Magnus6 of(const CurvatureMoments<S>& at, const CurvatureMoments<S>& along) {
    const auto jet = [&](double of_a, double of_beta, double of_e) {
      const auto sum = [&](const CurvatureMoments<S>& m) {
        return S(of_a) * m.a + S(of_beta) * m.beta + S(of_e) * m.e;
      };
      return Magnus6{sum(at), sum(along), Triple<S>::zero()};
    };
    const Magnus6 a1 = jet(2.25, 0, -15), a2 = jet(0, 12, 0), a3 = jet(-15, 0, 180);
    const Magnus6 C1 = bracket(a1, a2);
    const Magnus6 C2 = -1.0 / 60 * bracket(a1, 2 * a3 + C1);
    return a1 + 1.0 / 12 * a3 + 1.0 / 240 * bracket(-20 * a1 + -1 * a3 + C1, a2 + C2);
  }

 private:
  friend Magnus6 operator+(const Magnus6& x, const Magnus6& y) {
    return {x.value + y.value, x.slope + y.slope, x.second + y.second};
  }
  friend Magnus6 operator*(double s, const Magnus6& x) { return {S(s) * x.value, S(s) * x.slope, S(s) * x.second}; }
  static Magnus6 bracket(const Magnus6& x, const Magnus6& y) {
    const Triple<S> both = cross(y.slope, x.slope);
    return {cross(y.value, x.value), cross(y.slope, x.value) + cross(y.value, x.slope),
            cross(y.second, x.value) + both + both + cross(y.value, x.second)};
  }
};

}  // namespace lithe
