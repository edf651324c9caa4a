#include "support/beam_points.h"

#include <cmath>
#include <functional>
#include <numbers>
#include <stdexcept>

#include "lithe/describe/sections.h"

namespace lithe::testing {

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

/// Everything every coordinate does at one place: deflection, turn, [stretch, shear], [twist rate, curvatures].
struct Slice {
  Matrix3Xd phi, psi, strain, curvature;
  explicit Slice(int m) : phi(Matrix3Xd::Zero(3, m)), psi(phi), strain(phi), curvature(phi) {}
};

/// Shapes over pieces of a beam within which they are smooth.
struct Field {
  int size = 0, n_points = 8;
  std::vector<double> ends;  // of the pieces, root and tip included
  std::function<Slice(int piece, double x)> at;
};

struct Kinds {
  std::vector<Shape> bending_y, bending_z, torsion, axial;
};

Kinds shapes_of(const Modes& modes, double L) {
  if (modes.shape == ModeShape::clamped_free)
    return {clamped_free(modes.bending_y, L), clamped_free(modes.bending_z, L), quarter_waves(modes.torsion, L),
            quarter_waves(modes.axial, L)};
  if (modes.shape != ModeShape::polynomial)
    throw std::invalid_argument("only polynomial and clamped-free shapes are known here");
  return {polynomials(modes.bending_y, 2, L), polynomials(modes.bending_z, 2, L), polynomials(modes.torsion, 1, L),
          polynomials(modes.axial, 1, L)};
}

/// Deflection along y turns the section by +φ′ about z, deflection along z by −φ′ about y.
Field modal_field(const Modes& modes, double L) {
  const Kinds kinds = shapes_of(modes, L);
  const int n_y = int(kinds.bending_y.size()), n_z = int(kinds.bending_z.size()), n_t = int(kinds.torsion.size()),
            m = n_y + n_z + n_t + int(kinds.axial.size());
  auto at = [=](int, double x) {
    Slice slice(m);
    for (int k = 0; k < m; ++k) {
      if (k < n_y) {
        slice.phi(1, k) = kinds.bending_y[k].value(x);
        slice.psi(2, k) = kinds.bending_y[k].slope(x);
        slice.curvature(2, k) = kinds.bending_y[k].curvature(x);
      } else if (k < n_y + n_z) {
        const Shape& shape = kinds.bending_z[k - n_y];
        slice.phi(2, k) = shape.value(x);
        slice.psi(1, k) = -shape.slope(x);
        slice.curvature(1, k) = -shape.curvature(x);
      } else if (k < n_y + n_z + n_t) {
        slice.psi(0, k) = kinds.torsion[k - n_y - n_z].value(x);
        slice.curvature(0, k) = kinds.torsion[k - n_y - n_z].slope(x);
      } else {
        slice.phi(0, k) = kinds.axial[k - n_y - n_z - n_t].value(x);
        slice.strain(0, k) = kinds.axial[k - n_y - n_z - n_t].slope(x);
      }
    }
    return slice;
  };
  // Eight points are exact for products of two quintics; for waves 32 are far below rounding.
  return {m, modes.shape == ModeShape::polynomial ? 8 : 32, {0, L}, at};
}

/// Deflection and turn of a Timoshenko beam of length l that only end loads bend, for given (w₁, θ₁, w₂, θ₂):
///   θ = a + bs + cs²,   shear force −EIθ″,   w′ = θ + γ,   γ = −2EIc/κGA,   w = w₁ + (a + γ)s + bs²/2 + cs³/3
/// with a, b, c from the four conditions at the ends.
struct EndLoaded {
  Eigen::Matrix3d abc;  // columns of the conditions w(l) − w₁, θ₁, θ₂, solved for a, b, c
  double EI, GA, l;

  EndLoaded(double EI_, double GA_, double l_) : EI(EI_), GA(GA_), l(l_) {
    Eigen::Matrix3d conditions;
    conditions << l, l * l / 2, l * l * l / 3 - 2 * EI / GA * l,  // w(l) − w₁
        1, 0, 0,                                                  // θ(0)
        1, l, l * l;                                              // θ(l)
    abc = conditions.inverse();
  }
  /// [w, θ, γ, θ′] at s for unit w₁, θ₁, w₂, θ₂ (column by column).
  Eigen::Matrix4d at(double s) const {
    Eigen::Matrix<double, 3, 4> given;  // w₂ − w₁, θ₁, θ₂
    given << -1, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 1;
    const Eigen::Matrix<double, 3, 4> solved = abc * given;
    Eigen::Matrix4d rows;
    rows.row(1) = solved.row(0) + s * solved.row(1) + s * s * solved.row(2);
    rows.row(2) = -2 * EI / GA * solved.row(2);
    rows.row(3) = solved.row(1) + 2 * s * solved.row(2);
    rows.row(0) = s * (solved.row(0) + rows.row(2)) + s * s / 2 * solved.row(1) + s * s * s / 3 * solved.row(2);
    rows(0, 0) += 1;
    return rows;
  }
};

/// Nodes at equal distances, the first one held; each has u_x, u_y, u_z, θ_x, θ_y, θ_z, or those of a plane.
Field element_field(const Elements& elements, double L, const SectionConstants& section, double E, double G) {
  if (elements.element != ElementKind::exact || elements.keep || !elements.mesh.empty())
    throw std::invalid_argument("only equal elements of the default kind are known here");
  const int n = elements.count;
  const double l = L / n;
  std::vector<int> wanted{0, 1, 2, 3, 4, 5};
  if (elements.plane == BendingPlane::y) wanted = {0, 1, 5};
  if (elements.plane == BendingPlane::z) wanted = {0, 2, 4};
  const int per_node = int(wanted.size()), m = n * per_node;
  const EndLoaded along_y(E * section.Iz, G * section.area * section.shear_y, l),
      along_z(E * section.Iy, G * section.area * section.shear_z, l);
  auto at = [=](int i, double x) {
    const double s = x - i * l;
    const Eigen::Matrix4d y = along_y.at(s), z = along_z.at(s);
    Slice slice(m);
    for (int end = 0; end < 2; ++end) {
      if (i + end == 0) continue;
      const double N = end == 0 ? 1 - s / l : s / l, slope = end == 0 ? -1 / l : 1 / l;
      for (int place = 0; place < per_node; ++place) {
        const int k = (i + end - 1) * per_node + place, what = wanted[place], w = 2 * end, theta = w + 1;
        if (what == 0) slice.phi(0, k) = N, slice.strain(0, k) = slope;
        if (what == 3) slice.psi(0, k) = N, slice.curvature(0, k) = slope;
        if (what == 1 || what == 5) {
          const Eigen::Vector4d column = y.col(what == 1 ? w : theta);
          slice.phi(1, k) = column[0], slice.psi(2, k) = column[1];
          slice.strain(1, k) = column[2], slice.curvature(2, k) = column[3];
        }
        if (what == 2 || what == 4) {  // along z with −θ_y in the place of θ
          const Eigen::Vector4d column = what == 2 ? z.col(w) : Eigen::Vector4d(-z.col(theta));
          slice.phi(2, k) = column[0], slice.psi(1, k) = -column[1];
          slice.strain(2, k) = column[2], slice.curvature(1, k) = -column[3];
        }
      }
    }
    return slice;
  };
  std::vector<double> ends;
  for (int i = 0; i <= n; ++i) ends.push_back(i * l);
  return {m, 8, ends, at};
}

}  // namespace

BeamPoints::BeamPoints(const Beam& beam, bool rotary_inertia, const std::vector<double>& places) {
  if (beam.tip_section || !beam.steps.empty()) throw std::invalid_argument("uniform beams only");
  const SectionConstants section = section_constants(beam.section, beam.material.nu);
  const double rho = beam.material.density, E = beam.material.E, G = beam.material.shear_modulus(), L = beam.length;
  const Vector3d bending(G * section.J, E * section.Iy, E * section.Iz),
      stretch(E * section.area, G * section.area * section.shear_y, G * section.area * section.shear_z);
  const RayleighDamping damping = beam.damping ? std::get<RayleighDamping>(*beam.damping) : RayleighDamping{};
  auto point_at = [&](double x, double length, const Matrix3Xd& phi, const Matrix3Xd& psi) {
    BeamPoint point{x, rho * section.area * length, Vector3d::Zero(), phi, psi};
    if (rotary_inertia) point.rotary = rho * length * Vector3d(section.Iy + section.Iz, section.Iy, section.Iz);
    return point;
  };

  if (const auto* segments = std::get_if<Segments>(&beam.flexibility)) {
    if (segments->springs != SegmentSprings::calibrated) throw std::invalid_argument("only calibrated springs");
    // Rigid between hinges, which sit in the middle of n equal segments; each is as compliant as its segment.
    const double l = L / segments->count;
    for (int i = 0; i < segments->count; ++i)
      hinges.push_back({(i + 0.5) * l, Vector3d(bending[2], bending[1], bending[0]) / l, damping.beta});
    const Matrix3Xd none(3, 0);
    for (int i = 0; i <= segments->count; ++i) {
      const double from = i == 0 ? 0 : hinges[i - 1].x, to = i == segments->count ? L : hinges[i].x;
      for (const GaussPoint& point : gauss_rule(2, to - from))
        slices.push_back(point_at(from + point.x, point.weight, none, none));
    }
    tip = point_at(L, 0, none, none);
    for (const double x : places) at.push_back(point_at(x, 0, none, none));
    return;
  }

  Field field{0, 8, {0, L}, [](int, double) { return Slice(0); }};
  if (const auto* modes = std::get_if<Modes>(&beam.flexibility)) field = modal_field(*modes, L);
  if (const auto* elements = std::get_if<Elements>(&beam.flexibility))
    field = element_field(*elements, L, section, E, G);
  K = D = MatrixXd::Zero(field.size, field.size);
  for (int piece = 0; piece + 1 < int(field.ends.size()); ++piece)
    for (const GaussPoint& gauss : gauss_rule(field.n_points, field.ends[piece + 1] - field.ends[piece])) {
      const double x = field.ends[piece] + gauss.x;
      const Slice here = field.at(piece, x);
      slices.push_back(point_at(x, gauss.weight, here.phi, here.psi));
      K += gauss.weight * here.curvature.transpose() * bending.asDiagonal() * here.curvature;
      K += gauss.weight * here.strain.transpose() * stretch.asDiagonal() * here.strain;
    }
  const Slice end = field.at(int(field.ends.size()) - 2, L);
  tip = point_at(L, 0, end.phi, end.psi);
  for (const double x : places) {
    int piece = 0;
    while (piece + 2 < int(field.ends.size()) && x > field.ends[piece + 1]) ++piece;
    const Slice here = field.at(piece, x);
    at.push_back(point_at(x, 0, here.phi, here.psi));
  }
  D = damping.beta * K;
  for (const BeamPoint& slice : slices)
    D += damping.alpha * (slice.mass * slice.phi.transpose() * slice.phi +
                          slice.psi.transpose() * slice.rotary.asDiagonal() * slice.psi);
}

}  // namespace lithe::testing
