#include "lithe/beam/beam_elements.h"
#include "lithe/spatial/quadrature.h"

namespace lithe {
namespace {

/// Columns of u_x, u_y, u_z, θ_x, θ_y, θ_z at the first node; six more at the second.
enum Column { ux, uy, uz, rx, ry, rz };

/// Deflection w, rotation θ, shear strain w′ − θ and curvature θ′ per (w₁, θ₁, w₂, θ₂): eqs (1) and (2) of the header.
struct BendingRows {
  Eigen::Vector4d w, theta, shear, curvature;
};

BendingRows exact_bending(double Phi, double l, double s) {
  const double x = s / l, x2 = x * x, x3 = x2 * x, mu = 1 / (1 + Phi);
  BendingRows rows;
  rows.w << 1 + Phi * (1 - x) - 3 * x2 + 2 * x3, l * (x - 2 * x2 + x3 + Phi * (x - x2) / 2), Phi * x + 3 * x2 - 2 * x3,
      l * (x3 - x2 - Phi * (x - x2) / 2);
  rows.theta << 6 * (x2 - x) / l, 1 - 4 * x + 3 * x2 + Phi * (1 - x), 6 * (x - x2) / l, 3 * x2 - 2 * x + Phi * x;
  rows.shear << -Phi / l, -Phi / 2, Phi / l, -Phi / 2;  // the same everywhere, as the shear force is
  rows.curvature << 6 * (2 * x - 1) / (l * l), (6 * x - 4 - Phi) / l, 6 * (1 - 2 * x) / (l * l), (6 * x - 2 + Phi) / l;
  for (Eigen::Vector4d* row : {&rows.w, &rows.theta, &rows.shear, &rows.curvature}) *row *= mu;
  return rows;
}

BendingRows linear_bending(double l, double s) {
  const double x = s / l;
  BendingRows rows;
  rows.w << 1 - x, 0, x, 0;
  rows.theta << 0, 1 - x, 0, x;
  rows.shear << -1 / l, -(1 - x), 1 / l, -x;
  rows.curvature << 0, -1 / l, 0, 1 / l;
  return rows;
}

}  // namespace

FieldValues element_field(ElementKind kind, const SectionMatter& middle, double l, double s) {
  FieldValues field(12);
  auto bending = [&](double EI, double GA) {
    return kind == ElementKind::exact ? exact_bending(12 * EI / (GA * l * l), l, s) : linear_bending(l, s);
  };
  const BendingRows y = bending(middle.bending[2], middle.stretch[1]),
                    z = bending(middle.bending[1], middle.stretch[2]);
  for (int node = 0; node < 2; ++node) {
    const int c = 6 * node, w = 2 * node, theta = w + 1;
    // Along y, w = u_y and θ = θ_z.
    field.phi(1, c + uy) = y.w[w];
    field.phi(1, c + rz) = y.w[theta];
    field.psi(2, c + uy) = y.theta[w];
    field.psi(2, c + rz) = y.theta[theta];
    field.strain(1, c + uy) = y.shear[w];
    field.strain(1, c + rz) = y.shear[theta];
    field.curvature(2, c + uy) = y.curvature[w];
    field.curvature(2, c + rz) = y.curvature[theta];
    // Along z, w = u_z and θ = −θ_y: rotations change sign, theirs and what they cause.
    field.phi(2, c + uz) = z.w[w];
    field.phi(2, c + ry) = -z.w[theta];
    field.psi(1, c + uz) = -z.theta[w];
    field.psi(1, c + ry) = z.theta[theta];
    field.strain(2, c + uz) = z.shear[w];
    field.strain(2, c + ry) = -z.shear[theta];
    field.curvature(1, c + uz) = -z.curvature[w];
    field.curvature(1, c + ry) = z.curvature[theta];
    // Stretch and twist are linear.
    const double N = node == 0 ? 1 - s / l : s / l, dN = node == 0 ? -1 / l : 1 / l;
    field.phi(0, c + ux) = N;
    field.strain(0, c + ux) = dN;
    field.psi(0, c + rx) = N;
    field.curvature(0, c + rx) = dN;
  }
  return field;
}

Integrals element_integrals(const BeamMatter& matter, const Elements& elements, double x1, double l) {
  const SectionMatter middle = matter.at(x1 + l / 2);
  const bool one_point_shear = elements.element == ElementKind::linear && elements.integration == Integration::reduced;
  Integrals sums(12);
  // Four points are exact for the product of two cubics; a tapered section adds up to four degrees.
  for (const QuadraturePoint& point : gauss_points(0, l, matter.constant_between_breaks() ? 4 : 8)) {
    FieldValues field = element_field(elements.element, middle, l, point.x);
    const double x = x1 + point.x;
    const SectionMatter here = matter.at(x);
    sums.add_inertia(x, point.weight, here, field);
    if (one_point_shear) field.strain.bottomRows<2>().setZero();
    sums.add_stiffness(point.weight, here, field);
  }
  if (one_point_shear) {
    FieldValues field = element_field(elements.element, middle, l, l / 2);
    field.strain.row(0).setZero();
    field.curvature.setZero();
    sums.add_stiffness(l, middle, field);
  }
  return sums;
}

}  // namespace lithe
