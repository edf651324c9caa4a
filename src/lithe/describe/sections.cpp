#include "lithe/describe/sections.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lithe/spatial/demand.h"

namespace lithe {
namespace {

constexpr double pi = std::numbers::pi;

double circle_shear(double nu) { return 6 * (1 + nu) / (7 + 6 * nu); }

/// J of a solid rectangle with sides a ≥ b: ab³/3 (1 − 192 b/(π⁵a) Σ_odd tanh(nπa/2b)/n⁵). Timoshenko & Goodier §109.
double rectangle_torsion(double a, double b) {
  if (a < b) std::swap(a, b);
  double sum = 0;
  for (int n = 1; n < 200; n += 2) sum += std::tanh(n * pi * a / (2 * b)) / std::pow(n, 5);
  return a * b * b * b / 3 * (1 - 192 * b / (std::pow(pi, 5) * a) * sum);
}

/// Cowper's thin-walled box, for shear along the walls of mid-line height h; b is the other mid-line width, t both
/// thicknesses: n = b/h, m = n (equal thickness).
double box_shear(double b, double h, double nu) {
  const double n = b / h, m = n;
  const double numerator = 10 * (1 + nu) * (1 + 3 * m) * (1 + 3 * m);
  const double denominator = (12 + 72 * m + 150 * m * m + 90 * m * m * m) +
                             nu * (11 + 66 * m + 135 * m * m + 90 * m * m * m) +
                             10 * n * n * ((3 + nu) * m + 3 * m * m);
  return numerator / denominator;
}

struct Constants {
  double nu;

  SectionConstants operator()(const GeneralSection& s) const {
    return {s.area, s.Iy, s.Iz, s.J.value_or(s.Iy + s.Iz), circle_shear(nu), circle_shear(nu)};
  }
  SectionConstants operator()(const Circle& s) const { return (*this)(Tube{s.diameter, 0}); }
  SectionConstants operator()(const Tube& s) const {
    const double ro = s.outer_diameter / 2, ri = s.inner_diameter / 2;
    const double I = pi / 4 * (std::pow(ro, 4) - std::pow(ri, 4));
    const double m2 = ri * ri / (ro * ro), k = (1 + m2) * (1 + m2);
    const double shear = 6 * (1 + nu) * k / ((7 + 6 * nu) * k + (20 + 12 * nu) * m2);
    return {pi * (ro * ro - ri * ri), I, I, 2 * I, shear, shear};
  }
  SectionConstants operator()(const Rectangle& s) const {
    const double b = s.width_y, h = s.height_z, shear = 10 * (1 + nu) / (12 + 11 * nu);
    return {b * h, b * h * h * h / 12, h * b * b * b / 12, rectangle_torsion(b, h), shear, shear};
  }
  SectionConstants operator()(const Box& s) const {
    const double b = s.width_y, h = s.height_z, t = s.thickness, bi = b - 2 * t, hi = h - 2 * t;
    const double bm = b - t, hm = h - t;  // mid-lines
    return {b * h - bi * hi,
            (b * h * h * h - bi * hi * hi * hi) / 12,
            (h * b * b * b - hi * bi * bi * bi) / 12,
            2 * t * bm * bm * hm * hm / (bm + hm),
            box_shear(hm, bm, nu),
            box_shear(bm, hm, nu)};
  }
};

/// Between two sections of one kind: a at t = 0, b at t = 1.
struct Between {
  double t;
  double operator()(double a, double b) const { return a + t * (b - a); }

  Circle operator()(const Circle& a, const Circle& b) const { return {(*this)(a.diameter, b.diameter)}; }
  Tube operator()(const Tube& a, const Tube& b) const {
    return {(*this)(a.outer_diameter, b.outer_diameter), (*this)(a.inner_diameter, b.inner_diameter)};
  }
  Rectangle operator()(const Rectangle& a, const Rectangle& b) const {
    return {(*this)(a.width_y, b.width_y), (*this)(a.height_z, b.height_z)};
  }
  Box operator()(const Box& a, const Box& b) const {
    return {(*this)(a.width_y, b.width_y), (*this)(a.height_z, b.height_z), (*this)(a.thickness, b.thickness)};
  }
  GeneralSection operator()(const GeneralSection& a, const GeneralSection& b) const {
    GeneralSection section{(*this)(a.area, b.area), (*this)(a.Iy, b.Iy), (*this)(a.Iz, b.Iz), {}, {}, {}};
    if (a.J || b.J) section.J = (*this)(a.J.value_or(a.Iy + a.Iz), b.J.value_or(b.Iy + b.Iz));
    if (a.outer_y && b.outer_y) section.outer_y = (*this)(*a.outer_y, *b.outer_y);
    if (a.outer_z && b.outer_z) section.outer_z = (*this)(*a.outer_z, *b.outer_z);
    return section;
  }
};

}  // namespace

std::vector<double> section_breaks(const Beam& beam) {
  std::vector<double> breaks{0};
  for (const SectionStep& step : beam.steps) breaks.push_back(step.at);
  breaks.push_back(beam.length);
  return breaks;
}

Section section_at(const Beam& beam, double x) {
  if (beam.tip_section) {
    const Between between{x / beam.length};
    const Section &root = beam.section, &tip = *beam.tip_section;
    Section section;
    std::visit(
        [&](const auto& shape) {
          const auto* end = std::get_if<std::remove_cvref_t<decltype(shape)>>(&tip.shape);
          LITHE_DEMAND(end != nullptr);  // checked when the case is read
          section.shape = between(shape, *end);
        },
        root.shape);
    section.shear = root.shear ? root.shear : tip.shear;
    if (root.shear && tip.shear) section.shear = between(*root.shear, *tip.shear);
    return section;
  }
  const Section* section = &beam.section;
  for (const SectionStep& step : beam.steps)
    if (x >= step.at) section = &step.section;
  return *section;
}

SectionConstants section_constants(const Section& section, double nu) {
  SectionConstants constants = std::visit(Constants{nu}, section.shape);
  if (section.shear) constants.shear_y = constants.shear_z = *section.shear;
  return constants;
}

}  // namespace lithe
