// A vehicle in the plane with a three-joint manipulator on it: the first case study of J. Lew, W. J. Book, "Dynamics of two
// serially connected manipulators".
#pragma once

#include <cmath>

#include "lithe/spatial/spatial.h"

namespace lithe::closed_form {

/// q = (x, y, q₃ | q₄, q₅, q₆): place and heading of the vehicle; yaw and two pitches of the manipulator, which stands L₃ ahead of
/// the vehicle's mass centre. Links 5 and 6 have x along the link and z on the pitch axis; L_c is joint to mass centre.
///
/// As printed, but for M_LS(3,3), which is scrambled there (and labelled 23), and the manipulator's own M_A, which the paper does
/// not print.
struct MobileManipulator {
  double L3, L5, L5c, L6c, m3, m5, m6, I3z, I5x, I5y, I5z, I6x, I6y, I6z;

  struct Angles {
    explicit Angles(const VectorXd& q)
        : S3(std::sin(q[2])),
          C3(std::cos(q[2])),
          S4(std::sin(q[3])),
          C4(std::cos(q[3])),
          S34(std::sin(q[2] + q[3])),
          C34(std::cos(q[2] + q[3])),
          S5(std::sin(q[4])),
          C5(std::cos(q[4])),
          C6(std::cos(q[5])),
          S56(std::sin(q[4] + q[5])),
          C56(std::cos(q[4] + q[5])) {}
    double S3, C3, S4, C4, S34, C34, S5, C5, C6, S56, C56;
  };

  Matrix3d M_v() const { return Vector3d(m3, m3, I3z).asDiagonal(); }

  Matrix3d M_cp(const VectorXd& q) const {
    const Angles a(q);
    const double out = a.C5 * L5c * m5 + (a.C5 * L5 + a.C56 * L6c) * m6,
                 up = L5c * m5 * a.S5 + m6 * (L5 * a.S5 + L6c * a.S56), last = L6c * m6 * a.S56;
    Matrix3d M;
    M << -a.S34 * out, -a.C34 * up, -a.C34 * last,  //
        a.C34 * out, -a.S34 * up, -a.S34 * last,    //
        spin(a) + m5 * a.C5 * L5c * (a.C4 * L3 + a.C5 * L5c) +
            m6 * (a.C5 * L5 + a.C56 * L6c) * (a.C4 * L3 + a.C5 * L5 + a.C56 * L6c),
        -L3 * a.S4 * up, -L3 * a.S4 * last;
    return M;
  }

  Matrix3d M_LS(const VectorXd& q) const {
    const Angles a(q);
    const double reach = a.C5 * L5 + a.C56 * L6c;
    const double M13 = -m5 * (L3 * a.S3 + a.C5 * L5c * a.S34) - m6 * (L3 * a.S3 + reach * a.S34);
    const double M23 = m5 * (L3 * a.C3 + a.C5 * L5c * a.C34) + m6 * (L3 * a.C3 + reach * a.C34);
    const double M33 = spin(a) + m5 * (L3 * L3 + 2 * a.C4 * a.C5 * L3 * L5c + a.C5 * a.C5 * L5c * L5c) +
                       m6 * (L3 * L3 + 2 * a.C4 * L3 * reach + reach * reach);
    return (Matrix3d() << m5 + m6, 0, M13, 0, m5 + m6, M23, M13, M23, M33).finished();
  }

  Matrix3d M_A(const VectorXd& q) const {
    const Angles a(q);
    const double reach = a.C5 * L5 + a.C56 * L6c, M23 = I6z + m6 * (L6c * L6c + L5 * L6c * a.C6);
    const double M11 = spin(a) + m5 * a.C5 * a.C5 * L5c * L5c + m6 * reach * reach;
    const double M22 = I5z + I6z + m5 * L5c * L5c + m6 * (L5 * L5 + L6c * L6c + 2 * L5 * L6c * a.C6);
    return (Matrix3d() << M11, 0, 0, 0, M22, M23, 0, M23, I6z + m6 * L6c * L6c).finished();
  }

 private:
  double spin(const Angles& a) const {
    return a.C5 * a.C5 * I5y + a.S5 * a.S5 * I5x + a.C56 * a.C56 * I6y + a.S56 * a.S56 * I6x;
  }
};

}  // namespace lithe::closed_form
