#include "lithe/beam/shortening.h"

#include <algorithm>

namespace lithe {
namespace {

SparseMatrixd sparse(const MatrixXd& dense) { return dense.sparseView(0.0, 0.0); }

SparseMatrixd congruent(const SparseMatrixd& G, const MatrixXd& T) {
  return sparse(MatrixXd(T.transpose() * MatrixXd(G * T)));
}

}  // namespace

Eigen::Matrix2Xd axis_slopes(const FieldValues& field) {
  // u′ is the section's rotation and the shear strain: [u_y′ − θ_z, u_z′ + θ_y].
  Eigen::Matrix2Xd slopes(2, field.phi.cols());
  slopes.row(0) = field.psi.row(2) + field.strain.row(1);
  slopes.row(1) = field.strain.row(2) - field.psi.row(1);
  return slopes;
}

Eigen::Vector2d matter_beyond(const BeamMatter& matter, double x) {
  Eigen::Vector2d sum = Eigen::Vector2d::Zero();
  const std::vector<double>& breaks = matter.breaks();
  for (size_t i = 0; i + 1 < breaks.size(); ++i) {
    const double a = std::max(x, breaks[i]), b = breaks[i + 1];
    if (!(a < b)) continue;
    // Areas of tapered sections are of second degree.
    for (const QuadraturePoint& point : gauss_points(a, b, matter.constant_between_breaks() ? 1 : 4)) {
      const double dm = point.weight * matter.at(point.x).mass;
      sum += dm * Eigen::Vector2d(1, point.x);
    }
  }
  return sum;
}

std::shared_ptr<const Shortening> shortening_of(
    const ShapeField& field, const BeamMatter& matter,
    const std::function<std::vector<QuadraturePoint>(double, double)>& points) {
  const int m = field.size;
  const auto sum = [field, points, m](double end, const std::function<double(double)>& weight) {
    MatrixXd G = MatrixXd::Zero(m, m);
    for (const QuadraturePoint& point : points(0, end)) {
      const Eigen::Matrix2Xd slopes = axis_slopes(field.at(point.x));
      G.noalias() += point.weight * weight(point.x) * slopes.transpose() * slopes;
    }
    return sparse(G);
  };
  Shortening shortening;
  // ∫ G dm: a slope at s draws in all of the mass beyond s.
  const double L = matter.length();
  shortening.mass = sum(L, [&](double s) { return matter_beyond(matter, s)[0]; });
  shortening.moment[0] = sum(L, [&](double s) { return matter_beyond(matter, s)[1]; });
  for (int a = 1; a < 3; ++a) shortening.moment[size_t(a)].resize(m, m);
  shortening.at = [sum](double end) { return sum(end, [](double) { return 1.0; }); };
  shortening.tip = shortening.at(L);
  return std::make_shared<const Shortening>(std::move(shortening));
}

std::shared_ptr<const Shortening> Shortening::transformed(const MatrixXd& T) const {
  Shortening result;
  result.mass = congruent(mass, T);
  result.tip = congruent(tip, T);
  for (size_t a = 0; a < 3; ++a) result.moment[a] = congruent(moment[a], T);
  result.at = [inner = at, T](double x) { return congruent(inner(x), T); };
  return std::make_shared<const Shortening>(std::move(result));
}

std::shared_ptr<const Shortening> Shortening::with_body(double body_mass, const Vector3d& r0, double ahead,
                                                        const SectionShapes& section) const {
  Shortening result = *this;
  MatrixXd G = at(r0.x() - ahead);
  for (int k = 0; k < section.size(); ++k)
    for (int l = 0; l < section.size(); ++l)
      G(section.coordinates[size_t(k)], section.coordinates[size_t(l)]) +=
          ahead * section.psi.col(k).tail<2>().dot(section.psi.col(l).tail<2>());
  result.mass += sparse(body_mass * G);
  for (int a = 0; a < 3; ++a)
    if (r0[a] != 0) result.moment[size_t(a)] += sparse(body_mass * r0[a] * G);
  return std::make_shared<const Shortening>(std::move(result));
}

}  // namespace lithe
