#include "support/rod_points.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "lithe/describe/sections.h"
#include "support/beam_points.h"

namespace lithe::testing {

RodPoints::RodPoints(const Beam& beam, bool rotary_inertia, const std::vector<double>& places) : length_(beam.length) {
  if (beam.tip_section || !beam.steps.empty()) throw std::invalid_argument("uniform beams only");
  const auto& given = std::get<StrainTerms>(beam.flexibility);
  if (given.pieces != 1) throw std::invalid_argument("one piece only");
  const SectionConstants section = section_constants(beam.section, beam.material.nu);
  const double rho = beam.material.density, E = beam.material.E, G = beam.material.shear_modulus();
  mass_ = rho * section.area;
  if (rotary_inertia) rotary_ = rho * Vector3d(section.Iy + section.Iz, section.Iy, section.Iz);

  // A bend along y turns about z, one along z about −y.
  auto add = [&](int count, int row, double sign) {
    for (int degree = 0; degree < count; ++degree) terms_.push_back({row, sign, degree});
  };
  add(given.bending_y, 2, 1);
  add(given.bending_z, 1, -1);
  add(given.torsion, 0, 1);
  add(given.axial, 3, 1);
  add(given.shear_y, 4, 1);
  add(given.shear_z, 5, 1);

  const int most =
      std::max({given.bending_y, given.bending_z, given.torsion, given.axial, given.shear_y, given.shear_z});
  std::vector<GaussPoint> gauss = gauss_rule(most + 2, length_);
  std::ranges::sort(gauss, {}, &GaussPoint::x);
  for (const GaussPoint& point : gauss) {
    edges_.push_back({point.x, int(x_.size()), -1});
    x_.push_back(point.x);
    weight_.push_back(point.weight);
  }
  for (size_t i = 0; i < places.size(); ++i) edges_.push_back({places[i], -1, int(i)});
  edges_.push_back({length_, -1, -1});
  std::ranges::stable_sort(edges_, {}, &Edge::x);

  // Energy ½ ∫ EI κ² dx and its like; damping αM + βK with the M of the beam, not bent.
  const double stiffness[] = {G * section.J,
                              E * section.Iy,
                              E * section.Iz,
                              E * section.area,
                              G * section.area * section.shear_y,
                              G * section.area * section.shear_z};
  K = D = MatrixXd::Zero(size(), size());
  for (const GaussPoint& point : gauss_rule(most + 1, length_))
    for (int k = 0; k < size(); ++k)
      for (int l = 0; l < size(); ++l)
        if (terms_[k].row == terms_[l].row)
          K(k, l) += point.weight * stiffness[terms_[k].row] * strain(terms_[k], point.x) * strain(terms_[l], point.x);
  const RayleighDamping damping = beam.damping ? std::get<RayleighDamping>(*beam.damping) : RayleighDamping{};
  std::vector<std::vector<Section>> moved;
  for (int k = 0; k < size(); ++k) {
    std::vector<Jet> delta(terms_.size());
    delta[size_t(k)].a = 1;
    moved.push_back(sections(delta));
  }
  for (int k = 0; k < size(); ++k)
    for (int l = 0; l < size(); ++l)
      for (size_t i = 0; i < edges_.size(); ++i) {
        const Section &one = moved[k][i], &other = moved[l][i];
        D(k, l) += one.mass * part(one.p, &Jet::a).dot(part(other.p, &Jet::a));
        D(k, l) += vee(part(one.R, &Jet::a)).dot(one.rotary.asDiagonal() * vee(part(other.R, &Jet::a)));
      }
  D = damping.alpha * D + damping.beta * K;
}

/// How much a unit of the coordinate strains the beam at x.
double RodPoints::strain(const Term& term, double x) const {
  const double z = 2 * x / length_ - 1;
  const double values[] = {1,
                           z,
                           (3 * z * z - 1) / 2,
                           (5 * z * z - 3) * z / 2,
                           ((35 * z * z - 30) * z * z + 3) / 8,
                           ((63 * z * z - 70) * z * z + 15) * z / 8};
  if (term.degree >= int(std::size(values))) throw std::invalid_argument("up to six terms only");
  return term.sign * values[term.degree] / (term.row < 3 ? length_ : 1);
}

/// The integral from 0 to x of the polynomial that is one at a point and zero at the others.
double RodPoints::reach(int point, double x) const {
  double sum = 0;
  for (const GaussPoint& gauss : gauss_rule(int(x_.size()), x)) {
    double product = gauss.weight;
    for (size_t i = 0; i < x_.size(); ++i)
      if (int(i) != point) product *= (gauss.x - x_[i]) / (x_[size_t(point)] - x_[i]);
    sum += product;
  }
  return sum;
}

std::vector<RodPoints::Section> RodPoints::sections(const std::vector<Jet>& delta) const {
  std::vector<Section> result;
  std::vector<JetVector> t(x_.size());
  JetMatrix R = JetMatrix::Identity();
  double before = 0;
  for (const Edge& edge : edges_) {
    // Moments of the curvature: its integral, and that of its product with the distance from the middle, over the length.
    JetVector a = JetVector::Zero(), beta = JetVector::Zero();
    const double h = edge.x - before;
    for (const GaussPoint& gauss : gauss_rule(6, 1))
      for (int k = 0; k < size(); ++k) {
        if (terms_[k].row >= 3) continue;
        const double curvature = h * gauss.weight * strain(terms_[k], before + gauss.x * h);
        a[terms_[k].row] += delta[size_t(k)] * Jet(curvature);
        beta[terms_[k].row] += delta[size_t(k)] * Jet(curvature * (gauss.x - 0.5));
      }
    R = R * jet_exp(a + a.cross(beta));
    before = edge.x;
    Section section;
    section.R = R;
    section.body = edge.body;
    if (edge.point >= 0) {
      section.mass = mass_ * weight_[size_t(edge.point)];
      section.rotary = rotary_ * weight_[size_t(edge.point)];
      JetVector nu(Jet(1), Jet(0), Jet(0));
      for (int k = 0; k < size(); ++k)
        if (terms_[k].row >= 3) nu[terms_[k].row - 3] += delta[size_t(k)] * Jet(strain(terms_[k], edge.x));
      t[size_t(edge.point)] = R * nu;
    }
    result.push_back(section);
  }
  for (size_t i = 0; i < edges_.size(); ++i)
    for (size_t j = 0; j < t.size(); ++j) result[i].p += t[j] * Jet(reach(int(j), edges_[i].x));
  return result;
}

}  // namespace lithe::testing
