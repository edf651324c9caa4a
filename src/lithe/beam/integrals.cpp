#include "lithe/beam/integrals.h"

namespace lithe {

Integrals::Integrals(int m)
    : S(Matrix3Xd::Zero(3, m)), H(Matrix3Xd::Zero(3, m)), rotary(MatrixXd::Zero(m, m)), K(MatrixXd::Zero(m, m)) {
  P0.fill(Matrix3Xd::Zero(3, m));
  P.fill(MatrixXd::Zero(m, m));
}

void Integrals::add_inertia(double x, double dx, const SectionMatter& matter, const FieldValues& field) {
  const double dm = matter.mass * dx;
  const Vector3d j = matter.rotary * dx;
  mass += dm;
  s0.x() += dm * x;
  Sigma0(0, 0) += dm * x * x;
  j0 += j.asDiagonal();
  S += dm * field.phi;
  H += j.asDiagonal() * field.psi;
  P0[0] += dm * x * field.phi;  // r0 = (x, 0, 0): the other two stay zero
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b) P[3 * a + b].noalias() += dm * field.phi.row(a).transpose() * field.phi.row(b);
  rotary.noalias() += field.psi.transpose() * j.asDiagonal() * field.psi;
}

void Integrals::add_stiffness(double dx, const SectionMatter& matter, const FieldValues& field) {
  K.noalias() += field.strain.transpose() * (dx * matter.stretch).asDiagonal() * field.strain;
  K.noalias() += field.curvature.transpose() * (dx * matter.bending).asDiagonal() * field.curvature;
}

}  // namespace lithe
