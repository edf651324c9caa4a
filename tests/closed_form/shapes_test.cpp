// Formulas for solids and cross-sections against integrals over the shapes themselves.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <utility>

#include "closed_form/quadrature.h"
#include "lithe/describe/bodies.h"
#include "lithe/describe/sections.h"

namespace lithe::closed_form {
namespace {

constexpr double pi = std::numbers::pi;

// The integrands are polynomials that Gauss's rule takes exactly (in the angle: harmonics it takes exactly), so only
// the rounding of sums over some 2000 nodes is left: 1e-16 each, √2000 to 2000 times that together.
constexpr double rounding = 1e-13;

using Integrand = std::function<double(double, double, double)>;
using Volume = std::function<double(const Integrand&)>;  // ∫ f(x, y, z) dV over a shape

// ---------------------------------------------------------------------------------------------------- solids

Volume block(double a, double b, double c) {
  return [=](const Integrand& f) {
    return integral(0, a, [&](double x) {
      return integral(-b / 2, b / 2,
                      [&](double y) { return integral(-c / 2, c / 2, [&](double z) { return f(x, y, z); }); });
    });
  };
}

/// Along x from the origin, between two radii.
Volume tube(double L, double inner, double outer) {
  return [=](const Integrand& f) {
    return integral(0, L, [&](double x) {
      return turn_integral([&](double angle) {
        return integral(inner, outer, [&](double r) { return r * f(x, r * std::cos(angle), r * std::sin(angle)); });
      });
    });
  };
}

/// About the origin; the level u = cos(polar angle) makes the integrand a polynomial.
Volume ball(double radius) {
  return [=](const Integrand& f) {
    return integral(0, radius, [&](double r) {
      return integral(-1, 1, [&](double u) {
        const double across = r * std::sqrt(1 - u * u);
        return turn_integral(
            [&](double angle) { return r * r * f(r * u, across * std::cos(angle), across * std::sin(angle)); });
      });
    });
  };
}

void expect_properties(const BodyProperties& body, const Volume& volume, double density) {
  const double mass = density * volume([](double, double, double) { return 1; });
  EXPECT_NEAR(body.mass, mass, rounding * mass);
  const Vector3d com =
      density / mass *
      Vector3d(volume([](double x, double, double) { return x; }), volume([](double, double y, double) { return y; }),
               volume([](double, double, double z) { return z; }));
  EXPECT_LE((body.com - com).norm(), rounding) << com.transpose();  // every shape here is about a metre in size
  // I = ∫ (|r|² 1 − r rᵀ) dm about the mass centre, entry by entry.
  Matrix3d inertia;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      inertia(i, j) = density * volume([&](double x, double y, double z) {
                        const Vector3d r = Vector3d(x, y, z) - com;
                        return (i == j ? r.squaredNorm() : 0.0) - r[i] * r[j];
                      });
  EXPECT_LE((body.inertia_com - inertia).norm(), rounding * inertia.norm()) << body.inertia_com << "\nby quadrature\n"
                                                                            << inertia;
}

TEST(BodiesByQuadrature, BlockIsTheIntegralOverItsVolume) {
  const RigidBody body{.shape = Block{0.8, 0.3, 0.5}, .density = 900};
  expect_properties(body_properties(body), block(0.8, 0.3, 0.5), 900);
}

TEST(BodiesByQuadrature, CylinderIsTheIntegralOverItsVolume) {
  const RigidBody body{.shape = Cylinder{0.7, 0.4}, .density = 2700};
  expect_properties(body_properties(body), tube(0.7, 0, 0.2), 2700);
}

TEST(BodiesByQuadrature, SphereIsTheIntegralOverItsVolume) {
  const RigidBody body{.shape = Sphere{0.6}, .density = 1100};
  expect_properties(body_properties(body), ball(0.3), 1100);
}

TEST(BodiesByQuadrature, RodIsTheIntegralAlongIt) {
  const double L = 1.3, mass = 2.5;
  const BodyProperties rod = body_properties({.shape = Rod{L}, .mass = mass});
  const double across = integral(0, L, [&](double x) { return mass / L * (x - L / 2) * (x - L / 2); });
  EXPECT_LE((rod.com - Vector3d(L / 2, 0, 0)).norm(), rounding);
  EXPECT_LE((rod.inertia_com - Matrix3d(Vector3d(0, across, across).asDiagonal())).norm(), rounding * across);
  EXPECT_EQ(rod.length, L);
}

TEST(BodiesByQuadrature, GivenMassScalesTheShapesInertia) {
  const BodyProperties by_mass = body_properties({.shape = Block{0.8, 0.3, 0.5}, .mass = 7});
  expect_properties(by_mass, block(0.8, 0.3, 0.5), 7 / (0.8 * 0.3 * 0.5));
}

// Mass on the axis plus the section's own inertia is the whole solid, since no section is sheared or warped.
TEST(BodiesByQuadrature, RigidBeamIsTheSolidOfItsSection) {
  const Material material{.E = 70e9, .nu = 0.33, .density = 2700};
  const double L = 0.9;
  expect_properties(beam_properties({L, material, {.shape = Circle{0.4}}, NoFlexibility{}}, true), tube(L, 0, 0.2),
                    2700);
  expect_properties(beam_properties({L, material, {.shape = Tube{0.4, 0.3}}, NoFlexibility{}}, true),
                    tube(L, 0.15, 0.2), 2700);
  expect_properties(beam_properties({L, material, {.shape = Rectangle{0.2, 0.3}}, NoFlexibility{}}, true),
                    block(L, 0.2, 0.3), 2700);
}

// ---------------------------------------------------------------------------------------------------- sections

/// The section as the solid of unit length: area, ∫z² dA, ∫y² dA.
void expect_moments(const Section& section, const Volume& volume) {
  const SectionConstants constants = section_constants(section, 0.3);
  const double area = volume([](double, double, double) { return 1; });
  const double Iy = volume([](double, double, double z) { return z * z; });
  const double Iz = volume([](double, double y, double) { return y * y; });
  EXPECT_NEAR(constants.area, area, rounding * area);
  EXPECT_NEAR(constants.Iy, Iy, rounding * Iy);
  EXPECT_NEAR(constants.Iz, Iz, rounding * Iz);
}

TEST(SectionsByQuadrature, AreaAndSecondMomentsAreIntegralsOverTheShape) {
  expect_moments({.shape = Circle{0.5}}, tube(1, 0, 0.25));
  expect_moments({.shape = Tube{0.5, 0.4}}, tube(1, 0.2, 0.25));
  expect_moments({.shape = Rectangle{0.3, 0.7}}, block(1, 0.3, 0.7));
  const Volume outside = block(1, 0.3, 0.7), hollow = block(1, 0.3 - 2 * 0.02, 0.7 - 2 * 0.02);
  expect_moments({.shape = Box{0.3, 0.7, 0.02}}, [&](const Integrand& f) { return outside(f) - hollow(f); });
}

TEST(SectionsByQuadrature, CircleShearIsCowpers) {
  // Printed to four digits for ν = 0.3 (Cowper 1966: 6(1+ν)/(7+6ν)).
  const SectionConstants circle = section_constants({.shape = Circle{0.02}}, 0.3);
  EXPECT_NEAR(circle.shear_y, 0.8864, 0.5e-4);
  EXPECT_EQ(circle.shear_y, circle.shear_z);
}

// Without Poisson's ratio no section shrinks sideways, and the shear stress over a rectangle is Jourawski's parabola
// V Q/(I b). Equal energy then gives 1/κ = (A/I²) ∫ Q²/b dz.
TEST(SectionsByQuadrature, RectangleShearWithoutPoissonIsTheEnergyFactor) {
  const double b = 0.3, h = 0.7, area = b * h, I = b * h * h * h / 12;
  const double inverse = area / (I * I) * integral(-h / 2, h / 2, [&](double z) {
                           const double Q = b / 2 * (h * h / 4 - z * z);
                           return Q * Q / b;
                         });
  const SectionConstants section = section_constants({.shape = Rectangle{b, h}}, 0);
  EXPECT_NEAR(section.shear_z, 1 / inverse, rounding);
  EXPECT_NEAR(section.shear_y, 1 / inverse, rounding);  // 5/6 whatever the sides
}

/// κ of a thin-walled box from the energy of its shear flow, 1/κ = (A/I²) ∮ Q²/t ds along the walls' mid-lines, for
/// shear along the webs of height h, with flanges b. Q is counted from the middle of a flange, where symmetry stops the
/// flow.
double box_energy_shear(double b, double h, double t) {
  const double area = 2 * t * (b + h);
  const double I = 2 * (b * t * (h / 2) * (h / 2) + integral(-h / 2, h / 2, [&](double z) { return t * z * z; }));
  const auto flange = [&](double s) { return t * (h / 2) * s; };
  const auto web = [&](double z) { return flange(b / 2) + t * integral(z, h / 2, [](double at) { return at; }); };
  const double four_half_flanges = 4 * integral(0, b / 2, [&](double s) { return flange(s) * flange(s) / t; });
  const double two_webs = 2 * integral(-h / 2, h / 2, [&](double z) { return web(z) * web(z) / t; });
  return I * I / (area * (four_half_flanges + two_webs));
}

TEST(SectionsByQuadrature, BoxShearWithoutPoissonIsTheEnergyFactor) {
  for (const auto& [width, height] : {std::pair(0.1, 0.1), std::pair(0.06, 0.14), std::pair(0.2, 0.05)}) {
    const double t = 0.003;
    const SectionConstants box = section_constants({.shape = Box{width, height, t}}, 0);
    EXPECT_NEAR(box.shear_z, box_energy_shear(width - t, height - t, t), rounding) << width << " x " << height;
    EXPECT_NEAR(box.shear_y, box_energy_shear(height - t, width - t, t), rounding) << width << " x " << height;
  }
}

// A thin round tube at ν = 0: Q = R²t sin φ from the top, A = 2πRt, I = πR³t, hence κ = ½.
TEST(SectionsByQuadrature, ThinTubeShearWithoutPoissonIsTheEnergyFactor) {
  const double R = 1, t = 1e-4;
  const double flow = turn_integral([&](double angle) { return R * std::pow(R * R * t * std::sin(angle), 2) / t; });
  const double energy = std::pow(pi * R * R * R * t, 2) / (2 * pi * R * t * flow);
  const SectionConstants tube_section = section_constants({.shape = Tube{2 * R + t, 2 * R - t}}, 0);
  // The thin-wall formula leaves out terms of relative size (t/R)² = 1e-8.
  EXPECT_NEAR(tube_section.shear_y, energy, 1e-7);
}

TEST(SectionsByQuadrature, SquareTorsionConstant) {
  // Timoshenko & Goodier, Theory of Elasticity, §109: k = 0.1406 for the square; 0.140577 to six digits.
  const double a = 0.3;
  EXPECT_NEAR(section_constants({.shape = Rectangle{a, a}}, 0.3).J / std::pow(a, 4), 0.140577, 0.5e-6);
}

TEST(SectionsByQuadrature, NarrowRectangleTorsionConstant) {
  // a b³/3 (1 − 0.630 b/a): the series' limit, in which tanh has become 1: at a/b = 10 that is off by 1e-15. A series
  // cut at n = 200 is off by 5e-12.
  const double a = 1, b = 0.1, zeta5 = 1.0369277551433699, odd = zeta5 * (1 - 1 / 32.0);  // Σ over odd n of n⁻⁵
  const double limit = a * b * b * b / 3 * (1 - 192 / std::pow(pi, 5) * odd * b / a);
  EXPECT_NEAR(section_constants({.shape = Rectangle{a, b}}, 0.3).J, limit, 1e-10 * limit);
  EXPECT_EQ(section_constants({.shape = Rectangle{b, a}}, 0.3).J, section_constants({.shape = Rectangle{a, b}}, 0.3).J);
}

// The membrane analogy, solved on a grid: ∇²φ = −2 inside, φ = 0 on the edge, J = 2 ∫ φ dA. Shares nothing with the
// series.
TEST(SectionsByQuadrature, RectangleTorsionConstantIsTheMembranesVolume) {
  const double b = 1, h = 1.5;
  const auto membrane = [&](int n) {  // n cells across b, 3n/2 across h: square cells
    const int rows = n - 1, cols = 3 * n / 2 - 1;
    const double cell = b / n;
    // The grid's own sine modes diagonalise the five-point operator, so the grid is solved exactly.
    double sum = 0;
    for (int i = 1; i <= rows; i += 2)
      for (int j = 1; j <= cols; j += 2) {
        const double ti = pi * i / (2 * n), tj = pi * j / (3 * n);
        const double eigenvalue = 4 / (cell * cell) * (std::pow(std::sin(ti), 2) + std::pow(std::sin(tj), 2));
        const double load = 1 / std::tan(ti) / std::tan(tj);  // Σ over the grid of the mode: cot(ti) cot(tj)
        sum += 2 * load * load / eigenvalue * 4 / (n * 1.5 * n);
      }
    return 2 * sum * cell * cell;
  };
  // Second order (6.6e-5 at n = 100, four times that at 50), so extrapolating two grids leaves fourth order: 6e-8.
  const double coarse = membrane(50), fine = membrane(100);
  EXPECT_NEAR(section_constants({.shape = Rectangle{b, h}}, 0.3).J, fine + (fine - coarse) / 3, 2e-7);
}

TEST(SectionsByQuadrature, BoxTorsionConstantIsBredts) {
  const double width = 0.1, height = 0.06, t = 0.002, b = width - t, h = height - t;
  const double circuit =
      2 * (integral(0, b, [&](double) { return 1 / t; }) + integral(0, h, [&](double) { return 1 / t; }));
  const double bredt = 4 * (b * h) * (b * h) / circuit;
  EXPECT_NEAR(section_constants({.shape = Box{width, height, t}}, 0.3).J, bredt, rounding * bredt);
}

}  // namespace
}  // namespace lithe::closed_form
