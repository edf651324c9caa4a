#include "lithe/beam/section_shapes.h"

namespace lithe {

SectionShapes SectionShapes::of(const Vector3d& place, const Matrix3Xd& phi, const Matrix3Xd& psi) {
  SectionShapes section{place, {}, {}, {}};
  for (int k = 0; k < phi.cols(); ++k)
    if (!phi.col(k).isZero(0) || !psi.col(k).isZero(0)) section.coordinates.push_back(k);
  section.phi = phi(Eigen::all, section.coordinates);
  section.psi = psi(Eigen::all, section.coordinates);
  return section;
}

SectionShapes SectionShapes::transformed(const MatrixXd& T) const {
  const MatrixXd rows = T(coordinates, Eigen::all);
  return of(place, phi * rows, psi * rows);
}

}  // namespace lithe
