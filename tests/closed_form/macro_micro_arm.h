// A long arm with two bending links (RALF) and a short one with two stiff links (SAM) on its tip, in one plane: the second case
// study of J. Lew, W. J. Book, "Dynamics of two serially connected manipulators".
#pragma once

#include <cmath>

#include "lithe/spatial/spatial.h"

namespace lithe::closed_form {

/// q = (q₁, q₂, q_f1, q_f2 | q₅, q₆). Link i of RALF bends by one shape with the value s_i at its end, whose slope there the paper
/// neglects: what follows is not turned by it. d₃ = I₃ + m₃l₃c² and d₄ are SAM's inertias about its joints.
///
/// Corrected where the print is damaged: M_cp(1,1) had lost C25 m₃l₁l₃c, C5 m₃l₂l₃c and C256 m₄l₁l₄c; M_LS(1,1) and (1,2) mix l₁ with
/// l₂ and double terms; the rest of M_LS is lost, and derived here.
struct MacroMicroArm {
  double l1, l2, l3, l3c, l4c, m3, m4, d3, d4, s1, s2;

  using Matrix42 = Eigen::Matrix<double, 4, 2>;

  Matrix42 M_cp(const VectorXd& q) const {
    const Terms t(*this, q);
    const double last = d4 + t.C6 * m4 * l3 * l4c, swing = m4 * l4c;
    Matrix42 M;
    M << t.own + t.a + t.b,
        last + swing * (t.C256 * l1 + t.C56 * l2 + t.S256 * q[2] * s1 + t.S56 * q[3] * s2),  //
        t.own + t.b, last + swing * (t.C56 * l2 + t.S56 * q[3] * s2),                        //
        s1 * (t.C25 * t.A + t.C256 * swing), s1 * t.C256 * swing,                            //
        s2 * (t.C5 * t.A + t.C56 * swing), s2 * t.C56 * swing;
    return M;
  }

  Eigen::Matrix4d M_LS(const VectorXd& q) const {
    const Terms t(*this, q);
    const double f1 = q[2] * s1, f2 = q[3] * s2, m = m3 + m4, swing = m4 * l4c;
    const double tip1 = t.C25 * t.A + t.C256 * swing, tip2 = t.C5 * t.A + t.C56 * swing;
    Eigen::Matrix4d M;
    M(0, 0) = t.own +
              m * (l1 * l1 + 2 * t.C2 * l1 * l2 + l2 * l2 + 2 * t.S2 * l2 * f1 + f1 * f1 - 2 * t.S2 * l1 * f2 +
                   2 * t.C2 * f1 * f2 + f2 * f2) +
              2 * (t.a + t.b);
    M(0, 1) = t.own + m * (t.C2 * l1 * l2 + l2 * l2 + t.S2 * l2 * f1 - t.S2 * l1 * f2 + t.C2 * f1 * f2 + f2 * f2) +
              t.a + 2 * t.b;
    M(0, 2) = s1 * (m * (l1 + t.C2 * l2 - t.S2 * f2) + tip1);
    M(0, 3) = s2 * (m * (l2 + t.C2 * l1 + t.S2 * f1) + tip2);
    M(1, 1) = t.own + m * (l2 * l2 + f2 * f2) + 2 * t.b;
    M(1, 2) = s1 * (m * (t.C2 * l2 - t.S2 * f2) + tip1);
    M(1, 3) = s2 * (m * l2 + tip2);
    M(2, 2) = m * s1 * s1;
    M(2, 3) = m * t.C2 * s1 * s2;
    M(3, 3) = m * s2 * s2;
    return M.selfadjointView<Eigen::Upper>();
  }

  Eigen::Matrix2d M_S(const VectorXd& q) const {
    const double coupled = m4 * l3 * l4c * std::cos(q[5]);
    return (Eigen::Matrix2d() << d3 + d4 + m4 * l3 * l3 + 2 * coupled, d4 + coupled, d4 + coupled, d4).finished();
  }

 private:
  struct Terms {
    Terms(const MacroMicroArm& p, const VectorXd& q)
        : C2(std::cos(q[1])),
          S2(std::sin(q[1])),
          C5(std::cos(q[4])),
          S5(std::sin(q[4])),
          C6(std::cos(q[5])),
          C25(std::cos(q[1] + q[4])),
          S25(std::sin(q[1] + q[4])),
          C56(std::cos(q[4] + q[5])),
          S56(std::sin(q[4] + q[5])),
          C256(std::cos(q[1] + q[4] + q[5])),
          S256(std::sin(q[1] + q[4] + q[5])),
          A(p.m4 * p.l3 + p.m3 * p.l3c),
          own(p.d3 + p.d4 + p.m4 * p.l3 * p.l3 + 2 * C6 * p.m4 * p.l3 * p.l4c),
          a((C25 * p.l1 + S25 * q[2] * p.s1) * A + p.m4 * p.l4c * (C256 * p.l1 + S256 * q[2] * p.s1)),
          b((C5 * p.l2 + S5 * q[3] * p.s2) * A + p.m4 * p.l4c * (C56 * p.l2 + S56 * q[3] * p.s2)) {}
    double C2, S2, C5, S5, C6, C25, S25, C56, S56, C256, S256, A, own, a, b;
  };
};

}  // namespace lithe::closed_form
