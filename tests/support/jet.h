#pragma once

#include <Eigen/Dense>

namespace lithe::testing {

/// A number with its derivatives along two directions a and b, as far as the equations of motion need them: 1, ∂a, ∂b, ∂aa,
/// ∂ab.
struct Jet {
  double value = 0, a = 0, b = 0, aa = 0, ab = 0;

  Jet() = default;
  Jet(double constant) : value(constant) {}  // NOLINT: numbers are jets
  Jet(double value_, double a_, double b_, double aa_ = 0, double ab_ = 0)
      : value(value_), a(a_), b(b_), aa(aa_), ab(ab_) {}

  Jet& operator+=(const Jet& y) { return *this = Jet(value + y.value, a + y.a, b + y.b, aa + y.aa, ab + y.ab); }
  Jet& operator-=(const Jet& y) { return *this = Jet(value - y.value, a - y.a, b - y.b, aa - y.aa, ab - y.ab); }
  Jet& operator*=(const Jet& y) {
    return *this = Jet(value * y.value, a * y.value + value * y.a, b * y.value + value * y.b,
                       aa * y.value + 2 * a * y.a + value * y.aa, ab * y.value + a * y.b + b * y.a + value * y.ab);
  }
  friend Jet operator+(Jet x, const Jet& y) { return x += y; }
  friend Jet operator-(Jet x, const Jet& y) { return x -= y; }
  friend Jet operator*(Jet x, const Jet& y) { return x *= y; }
  friend Jet operator-(const Jet& x) { return Jet() - x; }
};

}  // namespace lithe::testing

template <>
struct Eigen::NumTraits<lithe::testing::Jet> : Eigen::NumTraits<double> {
  using Real = lithe::testing::Jet;
  using NonInteger = lithe::testing::Jet;
  using Nested = lithe::testing::Jet;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = 5,
    AddCost = 5,
    MulCost = 13
  };
};

namespace lithe::testing {

using JetVector = Eigen::Matrix<Jet, 3, 1>;
using JetMatrix = Eigen::Matrix<Jet, 3, 3>;

/// One of the parts of a matrix of jets: part(R, &Jet::aa).
template <int n>
Eigen::Matrix<double, 3, n> part(const Eigen::Matrix<Jet, 3, n>& x, double Jet::*which) {
  return Eigen::Matrix<double, 3, n>::NullaryExpr([&](Eigen::Index i, Eigen::Index j) { return x(i, j).*which; });
}

/// w with [w]× the skew part of S.
inline Eigen::Vector3d vee(const Eigen::Matrix3d& S) {
  return Eigen::Vector3d(S(2, 1) - S(1, 2), S(0, 2) - S(2, 0), S(1, 0) - S(0, 1)) / 2;
}

inline JetMatrix jet_skew(const JetVector& x) {
  JetMatrix S;
  S << Jet(), -x[2], x[1], x[2], Jet(), -x[0], -x[1], x[0], Jet();
  return S;
}

/// exp[θ]× by its power series at θ/16, squared four times: no angle is special, and for |θ| < 4 the first term left out is
/// below rounding.
inline JetMatrix jet_exp(const JetVector& theta) {
  const JetMatrix S = jet_skew(theta) * Jet(1.0 / 16);
  JetMatrix E = JetMatrix::Identity();
  for (int k = 14; k >= 1; --k) E = JetMatrix::Identity() + JetMatrix(S * E) * Jet(1.0 / k);
  for (int k = 0; k < 4; ++k) E = JetMatrix(E * E);
  return E;
}

}  // namespace lithe::testing
