// The robot arm of T. R. Kane and D. A. Levinson, "Dynamics" (1985): hub A, tilting arm B, rack C, payload D.
#pragma once

#include <cmath>

#include "lithe/spatial/spatial.h"

namespace lithe::closed_form {

/// World x is up. A turns by q₁ about x; B by q₂ about A's y through P, LP along A's z; C slides by q₃ along B's z from B*, LB
/// from P; D is fixed to C at (p₁, p₂, p₃) from C*. A* is LA along A's z. Inertias are matrix entries about mass centres.
///
///   Z₆ = −(LP + LB cos q₂)     Z₉ = LB + q₃     Z₁₀ = Z₆ − q₃ cos q₂     Z₁₃ = −p₂ sin q₂     Z₁₄ = Z₉ + p₃
///   Z₁₅ = Z₁₀ + p₁ sin q₂ − p₃ cos q₂     Z₁₆ = p₂ cos q₂
///   V = g[(m_B LB + m_C Z₉ + m_D Z₁₄) sin q₂ + m_D p₁ cos q₂]
struct KaneLevinsonArm {
  double LA = 0.3, LP = 0.6, LB = 0.4, p1 = 0.05, p2 = 0.02, p3 = 0.15, mA = 12, mB = 8, mC = 5, mD = 2, g = 9.81,
         A1 = 0.5, B1 = 0.30, B2 = 0.28, B3 = 0.04, C1 = 0.20, C2 = 0.19, C3 = 0.01, D11 = 0.02, D22 = 0.025,
         D33 = 0.015, D12 = 0.001, D23 = -0.002, D31 = 0.0015;

  MatrixXd M(const VectorXd& q) const {
    const double s = std::sin(q[1]), c = std::cos(q[1]);
    const double Z6 = -(LP + LB * c), Z9 = LB + q[2], Z10 = Z6 - q[2] * c, Z13 = -p2 * s, Z14 = Z9 + p3,
                 Z15 = Z10 + p1 * s - p3 * c, Z16 = p2 * c;
    const double M11 = A1 + c * c * (B1 + C1 + D11) + s * s * (B3 + C3 + D33) + 2 * D31 * s * c + mA * LA * LA +
                       mB * Z6 * Z6 + mC * Z10 * Z10 + mD * (Z13 * Z13 + Z15 * Z15 + Z16 * Z16);
    const double M12 = D12 * c + D23 * s + mD * (Z13 * Z14 - Z16 * p1), M13 = mD * Z16;
    const double M22 = B2 + C2 + D22 + mB * LB * LB + mC * Z9 * Z9 + mD * (Z14 * Z14 + p1 * p1), M23 = -mD * p1;
    return (MatrixXd(3, 3) << M11, M12, M13, M12, M22, M23, M13, M23, mC + mD).finished();
  }

  VectorXd gravity(const VectorXd& q) const {
    const double s = std::sin(q[1]), c = std::cos(q[1]), Z9 = LB + q[2], Z14 = Z9 + p3;
    return (VectorXd(3) << 0, g * ((mB * LB + mC * Z9 + mD * Z14) * c - mD * p1 * s), g * (mC + mD) * s).finished();
  }
};

}  // namespace lithe::closed_form
