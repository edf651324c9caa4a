#include "lithe/dynamics/derivatives/tip_turn_slopes.h"

#include <array>

namespace lithe {

ExpMapCurvature::ExpMapCurvature(const ExpMap& turn) {
  const double x = turn.x;
  if (x < 1) {
    // b = Σ(−x)ᵏ/(2k+2)!, c = Σ(−x)ᵏ/(2k+3)!, differentiated term by term. Ten terms are exact to rounding below 1 rad.
    constexpr int n = 10;
    static constexpr auto terms = [] {
      std::array<std::array<double, n>, 2> t{};
      double b_k = 1.0 / 2, c_k = 1.0 / 6;  // (−1)ᵏ/(2k+2)!, (−1)ᵏ/(2k+3)!
      for (int k = 0; k < n + 2; ++k) {
        if (k >= 2) {
          t[0][k - 2] = k * (k - 1) * b_k;
          t[1][k - 2] = k * (k - 1) * c_k;
        }
        b_k /= -double((2 * k + 3) * (2 * k + 4));
        c_k /= -double((2 * k + 4) * (2 * k + 5));
      }
      return t;
    }();
    ddb = ddc = 0;
    for (int k = n - 1; k >= 0; --k) {
      ddb = ddb * x + terms[0][k];
      ddc = ddc * x + terms[1][k];
    }
    return;
  }
  // From x b′ = a/2 − b and x c′ = −a′ − c with a′ = (cos − a)/(2x), cos′ = −a/2.
  const double cosine = 1 - x * turn.b, da = (cosine - turn.a) / (2 * x), dda = (-turn.a / 2 - da - 2 * da) / (2 * x);
  ddb = (da / 2 - 2 * turn.db) / x;
  ddc = (-dda - 2 * turn.dc) / x;
}

TipTurnSlopes::TipTurnSlopes(const ExpMap& turn, const Vector3d& y, const Vector3d& theta_acceleration) {
  const ExpMapCurvature second(turn);
  const Vector3d &theta = turn.theta, cross = theta.cross(y), twice = theta.cross(cross);
  const double along = theta.dot(y), b_rate = 2 * turn.db * along, c_rate = 2 * turn.dc * along;
  convective = turn.left_jacobian_derivative(y, y);
  for (int i = 0; i < 3; ++i) {
    const Vector3d e = Vector3d::Unit(i), e_cross = e.cross(y);
    rate.col(i) = turn.left_jacobian_derivative(e, y);
    acceleration.col(i) = turn.left_jacobian_derivative(e, theta_acceleration);
    along_rate.col(i) = turn.left_jacobian_derivative(y, e);
    // convective = ḃ θ×y + ċ θ×(θ×y) + c y×(θ×y), ḃ = 2b′ θ·y, and likewise ċ.
    convective_slope.col(i) = (2 * turn.db * y[i] + 4 * second.ddb * theta[i] * along) * cross + b_rate * e_cross +
                              (2 * turn.dc * y[i] + 4 * second.ddc * theta[i] * along) * twice +
                              c_rate * (e.cross(cross) + theta.cross(e_cross)) +
                              2 * turn.dc * theta[i] * y.cross(cross) + turn.c * y.cross(e_cross);
  }
}

Matrix3d projected_turn_slope(const ExpMap& turn, const Vector3d& n) {
  Matrix3d C;
  for (int l = 0; l < 3; ++l)
    for (int k = 0; k < 3; ++k) C(k, l) = n.dot(turn.left_jacobian_derivative(Vector3d::Unit(l), Vector3d::Unit(k)));
  return C;
}

}  // namespace lithe
