#include "lithe/beam/fibres.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "lithe/describe/sections.h"

namespace lithe {
namespace {

constexpr double pi = std::numbers::pi;
constexpr int per_side = 16;

/// Shear stress in a solid rectangle |x| ≤ a, |y| ≤ b per unit of Gθ′, on the side x = a at y:
///   2a (1 − 8/π² Σ_odd cosh(nπy/2a)/cosh(nπb/2a)/n²),   zero at the corners.
double on_side_x(double a, double b, double y) {
  if (std::abs(y) >= b) return 0;
  double sum = 0;
  for (int n = 1; n < 200; n += 2) {
    // cosh(ky)/cosh(kb), without overflow
    const double k = n * pi / (2 * a), s = std::abs(y);
    sum += std::exp(k * (s - b)) * (1 + std::exp(-2 * k * s)) / (1 + std::exp(-2 * k * b)) / (n * n);
  }
  return 2 * a * (1 - 8 / (pi * pi) * sum);
}

/// The same on the side y = b at x: 16a/π² Σ_odd ± tanh(nπb/2a) cos(nπx/2a)/n².
double on_side_y(double a, double b, double x) {
  if (std::abs(x) >= a) return 0;
  double sum = 0;
  for (int n = 1; n < 200; n += 2) {
    const double k = n * pi / (2 * a);
    sum += (n % 4 == 1 ? 1 : -1) * std::tanh(k * b) * std::cos(k * x) / (n * n);
  }
  return 16 * a / (pi * pi) * sum;
}

}  // namespace

/// Fills the fibres of one kind of section; false where they are not known.
struct Fibres::Maker {
  Fibres& fibres;
  const SectionConstants& section;
  double nu;

  bool round(double r) const {
    fibres.round_ = true;
    fibres.per_M_ = r / section.Iy;
    fibres.per_T_ = r / section.J;
    return true;
  }
  void add(double y, double z, double T, double Vy, double Vz) const {
    fibres.half_.push_back({z / section.Iy, -y / section.Iz, T, Vy, Vz});
  }
  /// Calls add_at(y, z, on the side at +y) along the sides at +y and +z, from corner to corner.
  template <class AddAt>
  void along_two_sides(double y, double z, AddAt add_at) const {
    for (int i = 0; i < per_side; ++i) add_at(y, z * (2.0 * i / per_side - 1), true);
    for (int i = 0; i < per_side; ++i) add_at(y * (1 - 2.0 * i / per_side), z, false);
  }

  bool operator()(const GeneralSection& s) const {
    if (!s.outer_y || !s.outer_z) return false;
    const double y = *s.outer_y, z = *s.outer_z, polar = section.polar();
    // Only a circle twists with its polar moment.
    if (y == z && std::abs(section.J - polar) <= 1e-9 * polar) return round(y);
    const double T = std::hypot(y, z) / section.J;
    add(y, z, T, 0, 0);
    add(-y, z, T, 0, 0);
    return true;
  }
  bool operator()(const Circle& s) const { return (*this)(Tube{s.diameter, 0}); }
  bool operator()(const Tube& s) const {
    const double r = s.outer_diameter / 2, inner = s.inner_diameter / 2;
    fibres.per_V_ = ((0.5 + nu) * r * r + (1.5 + nu) * inner * inner) / (2 * (1 + nu) * section.Iy);
    return round(r);
  }
  bool operator()(const Rectangle& s) const {
    const double b = s.width_y / 2, h = s.height_z / 2, parabola = 1.5 / section.area;
    // The series converges with its cosines across the shorter side.
    auto twist = [&](double y, double z, bool at_y) {
      const bool narrow = b <= h;
      const double shear = at_y ? (narrow ? on_side_x(b, h, z) : on_side_y(h, b, z))
                                : (narrow ? on_side_y(b, h, y) : on_side_x(h, b, y));
      return shear / section.J;
    };
    along_two_sides(b, h, [&](double y, double z, bool at_y) {
      const double Vy = at_y ? 0 : -parabola * (1 - y * y / (b * b));
      const double Vz = at_y ? parabola * (1 - z * z / (h * h)) : 0;
      add(y, z, twist(y, z, at_y), Vy, Vz);
    });
    return true;
  }
  bool operator()(const Box& s) const {
    const double t = s.thickness, b = (s.width_y - t) / 2, h = (s.height_z - t) / 2;  // halves of the mid-lines
    const double twist = 1 / (2 * (2 * b) * (2 * h) * t);
    // The wall as a line: only so do its shear flows sum up to the force.
    const double Iy = 4 * t * (b * h * h + h * h * h / 3), Iz = 4 * t * (h * b * b + b * b * b / 3);
    along_two_sides(s.width_y / 2, s.height_z / 2, [&](double y, double z, bool at_y) {
      const double ym = y * 2 * b / s.width_y, zm = z * 2 * h / s.height_z;
      // Up both sides along the force, out of and into the middles of the other two.
      const double Vy = at_y ? -b * zm / Iz : -(h * b + (b * b - ym * ym) / 2) / Iz;
      const double Vz = at_y ? (b * h + (h * h - zm * zm) / 2) / Iy : h * ym / Iy;
      add(y, z, twist, Vy, Vz);
    });
    return true;
  }
};

std::shared_ptr<const Fibres> Fibres::of(const Section& section, const Material& material) {
  const SectionConstants constants = section_constants(section, material.nu);
  auto fibres = std::make_shared<Fibres>();
  fibres->E_ = material.E;
  fibres->per_N_ = 1 / constants.area;
  if (!std::visit(Maker{*fibres, constants, material.nu}, section.shape)) return nullptr;
  return fibres;
}

double Fibres::strain(const Vector3d& force, const Vector3d& moment) const {
  double bending = per_M_ * std::hypot(moment.y(), moment.z());
  for (const Point& p : half_) bending = std::max(bending, std::abs(p.My * moment.y() + p.Mz * moment.z()));
  return (per_N_ * std::abs(force.x()) + bending) / E_;
}

double Fibres::stress(const Vector3d& force, const Vector3d& moment) const {
  const double tension = per_N_ * force.x();
  double largest = 0;
  if (!round_) {
    for (const Point& p : half_) {
      const double bending = p.My * moment.y() + p.Mz * moment.z(), twist = p.T * moment.x(),
                   shear = p.Vy * force.y() + p.Vz * force.z();
      const double here = tension + bending, opposite = tension - bending;
      const double tau = twist + shear, tau_opposite = twist - shear;
      largest = std::max({largest, here * here + 3 * tau * tau, opposite * opposite + 3 * tau_opposite * tau_opposite});
    }
    return std::sqrt(largest);
  }
  // φ from the fibre that bending stretches most, where (y, z) ∝ (−M_z, M_y); shear by its parts along cos φ and sin φ.
  const double M = std::hypot(moment.y(), moment.z()), bending = per_M_ * M, twist = per_T_ * moment.x();
  const double c = M > 0 ? -moment.z() / M : 1, s = M > 0 ? moment.y() / M : 0;
  const double along = per_V_ * (c * force.z() - s * force.y()), across = -per_V_ * (c * force.y() + s * force.z());
  auto squared = [&](double cosine, double sine) {
    const double sigma = tension + bending * cosine, tau = twist + along * cosine + across * sine;
    return sigma * sigma + 3 * tau * tau;
  };
  constexpr int n = 24;
  constexpr double step = 2 * pi / n;
  static const auto circle = [] {
    std::array<std::pair<double, double>, n> points;
    for (int i = 0; i < n; ++i) points[i] = {std::cos(i * step), std::sin(i * step)};
    return points;
  }();
  int best = 0;
  for (int i = 0; i < n; ++i) {
    const double value = squared(circle[i].first, circle[i].second);
    if (value > largest) largest = value, best = i;
  }
  if (along == 0 && across == 0) return std::sqrt(largest);  // then one of the two extreme fibres has it
  // The parabola through the best place and its neighbours.
  auto at = [&](int i) { return squared(circle[(i + n) % n].first, circle[(i + n) % n].second); };
  const double before = at(best - 1), after = at(best + 1), bend = before - 2 * largest + after;
  if (bend < 0) {
    const double phi = step * (best + (before - after) / (2 * bend));
    largest = std::max(largest, squared(std::cos(phi), std::sin(phi)));
  }
  return std::sqrt(largest);
}

}  // namespace lithe
