#include "support/beam_points.h"

#include <cmath>
#include <functional>
#include <numbers>
#include <stdexcept>

#include "lithe/describe/sections.h"

namespace lithe::testing {
namespace {

/// A shape and its first two derivatives along the beam.
struct Shape {
  std::function<double(double x)> value, slope, curvature;
};

/// Σ c_i (x/L)^i and its derivatives.
Shape polynomial(const std::vector<double>& c, double L) {
  auto derivative = [c, L](int order) {
    return [c, L, order](double x) {
      double sum = 0;
      for (int i = order; i < int(c.size()); ++i) {
        double term = c[i] * std::pow(x / L, i - order);
        for (int j = 0; j < order; ++j) term *= (i - j) / L;
        sum += term;
      }
      return sum;
    };
  };
  return {derivative(0), derivative(1), derivative(2)};
}

/// x^p, x^(p+1), … by Gram–Schmidt over a uniform beam, each one at the tip. Monomials: for a few shapes only.
std::vector<Shape> polynomials(int count, int p, double L) {
  if (count > 4) throw std::invalid_argument("monomials lose their digits beyond four shapes");
  std::vector<std::vector<double>> done;
  auto inner = [](const std::vector<double>& f, const std::vector<double>& g) {
    double sum = 0;
    for (size_t i = 0; i < f.size(); ++i)
      for (size_t j = 0; j < g.size(); ++j) sum += f[i] * g[j] / double(i + j + 1);
    return sum;
  };
  std::vector<Shape> shapes;
  for (int k = 0; k < count; ++k) {
    std::vector<double> c(p + k + 1, 0.0);
    c.back() = 1;
    // Twice, because once leaves a rest of rounding.
    for (int pass = 0; pass < 2; ++pass)
      for (const std::vector<double>& earlier : done) {
        const double share = inner(c, earlier) / inner(earlier, earlier);
        for (size_t i = 0; i < earlier.size(); ++i) c[i] -= share * earlier[i];
      }
    double tip = 0;
    for (const double ci : c) tip += ci;
    for (double& ci : c) ci /= tip;
    done.push_back(c);
    shapes.push_back(polynomial(c, L));
  }
  return shapes;
}

/// Vibration of a clamped beam with a free end, each one at the tip:
/// φ ∝ cosh βx − cos βx − σ (sinh βx − sin βx), 1 + cos β cosh β = 0, σ = (cosh β + cos β)/(sinh β + sin β) (with L = 1).
std::vector<Shape> clamped_free(int count, double L) {
  if (count > 4) throw std::invalid_argument("hyperbolic functions lose their digits beyond four shapes");
  std::vector<Shape> shapes;
  for (int k = 1; k <= count; ++k) {
    double beta = (k - 0.5) * std::numbers::pi;
    if (k == 1) beta += 0.3;
    for (int iteration = 0; iteration < 30; ++iteration)
      beta -= (std::cos(beta) + 1 / std::cosh(beta)) / (-std::sin(beta) - std::tanh(beta) / std::cosh(beta));
    const double sigma = (std::cosh(beta) + std::cos(beta)) / (std::sinh(beta) + std::sin(beta)), b = beta / L;
    auto f = [=](double z) { return std::cosh(z) - std::cos(z) - sigma * (std::sinh(z) - std::sin(z)); };
    auto f1 = [=](double z) { return std::sinh(z) + std::sin(z) - sigma * (std::cosh(z) - std::cos(z)); };
    auto f2 = [=](double z) { return std::cosh(z) + std::cos(z) - sigma * (std::sinh(z) + std::sin(z)); };
    const double tip = f(beta);
    shapes.push_back({[=](double x) { return f(b * x) / tip; }, [=](double x) { return b * f1(b * x) / tip; },
                      [=](double x) { return b * b * f2(b * x) / tip; }});
  }
  return shapes;
}

/// Twist and stretch of a beam held at its root: quarter waves, each one at the tip.
std::vector<Shape> quarter_waves(int count, double L) {
  std::vector<Shape> shapes;
  for (int k = 1; k <= count; ++k) {
    const double b = (k - 0.5) * std::numbers::pi / L, tip = k % 2 == 1 ? 1 : -1;
    shapes.push_back({[=](double x) { return std::sin(b * x) / tip; },
                      [=](double x) { return b * std::cos(b * x) / tip; },
                      [=](double x) { return -b * b * std::sin(b * x) / tip; }});
  }
  return shapes;
}

struct GaussPoint {
  double x, weight;
};

/// Gauss's rule with n points on [0, L]: roots of Legendre's polynomial by Newton's iteration.
std::vector<GaussPoint> gauss_rule(int n, double L) {
  std::vector<GaussPoint> points;
  for (int i = 0; i < n; ++i) {
    double z = std::cos(std::numbers::pi * (i + 0.75) / (n + 0.5)), slope = 0;
    for (int iteration = 0; iteration < 20; ++iteration) {
      double before = 1, now = z;
      for (int k = 2; k <= n; ++k) {
        const double next = ((2 * k - 1) * z * now - (k - 1) * before) / k;
        before = now;
        now = next;
      }
      slope = n * (z * now - before) / (z * z - 1);
      z -= now / slope;
    }
    points.push_back({L * (1 + z) / 2, L / ((1 - z * z) * slope * slope)});
  }
  return points;
}

struct Kinds {
  std::vector<Shape> bending_y, bending_z, torsion, axial;
};

Kinds shapes_of(const Beam& beam) {
  if (std::holds_alternative<NoFlexibility>(beam.flexibility)) return {};
  const Modes* modes = std::get_if<Modes>(&beam.flexibility);
  const double L = beam.length;
  if (modes && modes->shape == ModeShape::clamped_free)
    return {clamped_free(modes->bending_y, L), clamped_free(modes->bending_z, L), quarter_waves(modes->torsion, L),
            quarter_waves(modes->axial, L)};
  if (!modes || modes->shape != ModeShape::polynomial)
    throw std::invalid_argument("only polynomial and clamped-free shapes are known here");
  return {polynomials(modes->bending_y, 2, L), polynomials(modes->bending_z, 2, L), polynomials(modes->torsion, 1, L),
          polynomials(modes->axial, 1, L)};
}

}  // namespace

BeamPoints::BeamPoints(const Beam& beam, bool rotary_inertia) {
  if (beam.tip_section || !beam.steps.empty()) throw std::invalid_argument("uniform beams only");
  const SectionConstants section = section_constants(beam.section, beam.material.nu);
  const double rho = beam.material.density, E = beam.material.E, G = beam.material.shear_modulus();
  const Kinds kinds = shapes_of(beam);
  const int n_y = int(kinds.bending_y.size()), n_z = int(kinds.bending_z.size()), n_t = int(kinds.torsion.size()),
            n_a = int(kinds.axial.size()), m = n_y + n_z + n_t + n_a;

  // Deflection along y turns the section by +φ′ about z, deflection along z by −φ′ about y.
  auto slice_at = [&](double x) {
    BeamPoint slice{x, 0, Vector3d::Zero(), Matrix3Xd::Zero(3, m), Matrix3Xd::Zero(3, m)};
    for (int k = 0; k < n_y; ++k) {
      slice.phi(1, k) = kinds.bending_y[k].value(x);
      slice.psi(2, k) = kinds.bending_y[k].slope(x);
    }
    for (int k = 0; k < n_z; ++k) {
      slice.phi(2, n_y + k) = kinds.bending_z[k].value(x);
      slice.psi(1, n_y + k) = -kinds.bending_z[k].slope(x);
    }
    for (int k = 0; k < n_t; ++k) slice.psi(0, n_y + n_z + k) = kinds.torsion[k].value(x);
    for (int k = 0; k < n_a; ++k) slice.phi(0, n_y + n_z + n_t + k) = kinds.axial[k].value(x);
    return slice;
  };

  // Exact for products of two quintics; for waves far below rounding.
  const Modes* modes = std::get_if<Modes>(&beam.flexibility);
  const int n_points = modes && modes->shape != ModeShape::polynomial ? 32 : 8;
  K = MatrixXd::Zero(m, m);
  for (const GaussPoint& point : gauss_rule(n_points, beam.length)) {
    BeamPoint slice = slice_at(point.x);
    slice.mass = rho * section.area * point.weight;
    if (rotary_inertia) slice.rotary = rho * point.weight * Vector3d(section.Iy + section.Iz, section.Iy, section.Iz);
    slices.push_back(slice);

    auto stiffness = [&](const std::vector<Shape>& shapes, std::function<double(double)> Shape::*strain, double modulus,
                         int first) {
      for (int k = 0; k < int(shapes.size()); ++k)
        for (int l = 0; l < int(shapes.size()); ++l)
          K(first + k, first + l) +=
              point.weight * modulus * (shapes[k].*strain)(point.x) * (shapes[l].*strain)(point.x);
    };
    stiffness(kinds.bending_y, &Shape::curvature, E * section.Iz, 0);
    stiffness(kinds.bending_z, &Shape::curvature, E * section.Iy, n_y);
    stiffness(kinds.torsion, &Shape::slope, G * section.J, n_y + n_z);
    stiffness(kinds.axial, &Shape::slope, E * section.area, n_y + n_z + n_t);
  }
  tip = slice_at(beam.length);
  D = MatrixXd::Zero(m, m);
  if (!beam.damping) return;
  const RayleighDamping damping = std::get<RayleighDamping>(*beam.damping);
  D = damping.beta * K;
  for (const BeamPoint& slice : slices)
    D += damping.alpha * (slice.mass * slice.phi.transpose() * slice.phi +
                          slice.psi.transpose() * slice.rotary.asDiagonal() * slice.psi);
}

}  // namespace lithe::testing
