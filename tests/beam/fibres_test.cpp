// Stress and strain of the outermost fibres against handbook formulas and hand calculations.
#include "lithe/beam/fibres.h"

#include <gtest/gtest.h>

#include <cmath>

namespace lithe::testing {
namespace {

const Material steel{"", 200e9, 0.3, 7850, {}};
const Vector3d nothing = Vector3d::Zero();

std::shared_ptr<const Fibres> fibres(const Section& section) { return Fibres::of(section, steel); }

// A round cantilever, 20 mm thick and 0.5 m long, with a tip force of 100 N and a torque of 30 N·m.
TEST(Fibres, RoundCantileverUnderForceAndTorque) {
  const auto round = fibres({.shape = Circle{0.02}});
  const double bending = 32 * 100 * 0.5 / (M_PI * std::pow(0.02, 3)), torsion = 16 * 30 / (M_PI * std::pow(0.02, 3));
  // The shear force is at its largest where bending is zero: it does not matter.
  const double stress = round->stress({0, 100, 0}, {30, 0, 100 * 0.5});
  EXPECT_NEAR(stress, std::hypot(bending, std::sqrt(3) * torsion), 1e-4 * stress);
  EXPECT_NEAR(round->stress(nothing, {30, 0, 50}), std::hypot(bending, std::sqrt(3) * torsion), 1e-12 * stress);
  EXPECT_NEAR(round->strain({0, 100, 0}, {30, 0, 50}), bending / 200e9, 1e-12 * bending / 200e9);
  // Round: only the size of a bending moment counts.
  EXPECT_NEAR(round->stress(nothing, {30, 30, -40}), round->stress(nothing, {30, 0, 50}), 1e-12 * stress);
}

// Outside 40 mm, inside 32 mm: A = 452.389 mm², I = 74 191.8 mm⁴; N = 5 kN, M = 60 and 80 N·m, T = 120 N·m. By hand:
// σ = 11.0524 + 100e3·20/74191.8 = 11.0524 + 26.9572 = 38.0096 MPa; τ = 120e3·20/148383.6 = 16.1743 MPa;
// √(38.0096² + 3·16.1743²) = 47.218 MPa.
TEST(Fibres, TubeBentAndTwistedByHand) {
  const auto tube = fibres({.shape = Tube{0.04, 0.032}});
  EXPECT_NEAR(tube->stress({5000, 0, 0}, {120, 60, 80}), 47.218e6, 1e3);
  EXPECT_NEAR(tube->stress({-5000, 0, 0}, {-120, 60, -80}), 47.218e6, 1e3);
}

// Timoshenko & Goodier, §109: τ_max = T/(k₂ · long · short²).
TEST(Fibres, RectangleTwistsByTheTabulatedCoefficients) {
  const std::pair<double, double> table[] = {{1, 0.208}, {1.2, 0.219}, {1.5, 0.231}, {2, 0.246}, {2.5, 0.258},
                                             {3, 0.267}, {4, 0.282},   {5, 0.291},   {10, 0.312}};
  for (const auto& [ratio, coefficient] : table) {
    const double a = 0.01, b = ratio * a, tau = 7 / (coefficient * b * a * a);
    EXPECT_NEAR(fibres({.shape = Rectangle{a, b}})->stress(nothing, {7, 0, 0}) / std::sqrt(3), tau, 3e-3 * tau);
    EXPECT_NEAR(fibres({.shape = Rectangle{b, a}})->stress(nothing, {7, 0, 0}) / std::sqrt(3), tau, 3e-3 * tau);
  }
}

/// Torsion of a rectangle by finite differences: ∇²ψ = −2, ψ = 0 around; τ per Gθ′ is its slope, J twice its integral.
struct Membrane {
  int ny, nz;
  double h;
  std::vector<double> psi;
  double J = 0;
  Membrane(double b, double c, int n)
      : ny(int(std::lround(b / c * n))), nz(n), h(c / n), psi((ny + 1) * (nz + 1), 0.0) {
    const double over = 2 / (1 + std::sin(M_PI / n));
    for (int sweep = 0; sweep < 12 * n; ++sweep)
      for (int i = 1; i < ny; ++i)
        for (int j = 1; j < nz; ++j) {
          double& here = at(i, j);
          here += over * ((at(i - 1, j) + at(i + 1, j) + at(i, j - 1) + at(i, j + 1) + 2 * h * h) / 4 - here);
        }
    for (const double value : psi) J += 2 * value * h * h;
  }
  double& at(int i, int j) { return psi[i * (nz + 1) + j]; }
  /// On the side at +y, place j along it; of second order, one-sided.
  double on_y(int j) { return (4 * at(ny - 1, j) - at(ny - 2, j)) / (2 * h); }
  double on_z(int i) { return (4 * at(i, nz - 1) - at(i, nz - 2)) / (2 * h); }
};

// Everything at once, by formulas of its own, all around the section.
TEST(Fibres, RectangleUnderEverythingIsTheWorstOfItsOutline) {
  const double b = 0.03, c = 0.02, A = b * c, Iy = b * c * c * c / 12, Iz = c * b * b * b / 12;
  Membrane membrane(b, c, 64);
  const auto rectangle = fibres({.shape = Rectangle{b, c}});
  const std::pair<Vector3d, Vector3d> loads[] = {{{2000, 300, -500}, {40, 12, -20}},
                                                 {{-1000, 9000, 4000}, {-30, 5, 8}},
                                                 {{0, 100, 20000}, {-60, 2, -3}},
                                                 {{500, 0, 0}, {50, -20, -30}}};
  for (const auto& [force, moment] : loads) {
    double worst = 0;
    auto see = [&](double y, double z, double tau) {
      const double sigma = force.x() / A + moment.y() * z / Iy - moment.z() * y / Iz;
      worst = std::max(worst, std::sqrt(sigma * sigma + 3 * tau * tau));
    };
    for (const int side : {1, -1}) {  // +y and −y, +z and −z; torsion runs from y to z
      for (int j = 0; j <= membrane.nz; ++j) {
        const double z = c * (double(j) / membrane.nz - 0.5);
        see(side * b / 2, z,
            side * membrane.on_y(j) / membrane.J * moment.x() + 1.5 * force.z() / A * (1 - 4 * z * z / (c * c)));
      }
      for (int i = 0; i <= membrane.ny; ++i) {
        const double y = b * (double(i) / membrane.ny - 0.5);
        see(y, side * c / 2,
            -side * membrane.on_z(i) / membrane.J * moment.x() + 1.5 * force.y() / A * (1 - 4 * y * y / (b * b)));
      }
    }
    EXPECT_NEAR(rectangle->stress(force, moment), worst, 3e-3 * worst);
  }
}

TEST(Fibres, BoxTwistsByBredt) {
  const auto box = fibres({.shape = Box{0.05, 0.08, 0.002}});
  const double tau = 200 / (2 * 0.048 * 0.078 * 0.002);
  EXPECT_NEAR(box->stress(nothing, {200, 0, 0}), std::sqrt(3) * tau, 1e-9 * tau);
  // At a corner, with both bendings: every wall has the torsion.
  const double Iy = (0.05 * std::pow(0.08, 3) - 0.046 * std::pow(0.076, 3)) / 12,
               Iz = (0.08 * std::pow(0.05, 3) - 0.076 * std::pow(0.046, 3)) / 12;
  const double sigma = 90 * 0.04 / Iy + 70 * 0.025 / Iz;
  EXPECT_NEAR(box->stress(nothing, {200, 90, -70}), std::sqrt(sigma * sigma + 3 * tau * tau), 1e-9 * sigma);
}

TEST(Fibres, TransverseShearAlone) {
  const double V = 1000, nu = 0.3;
  // Solid circle, at the ends of the neutral diameter (Timoshenko & Goodier §114): V(1+2ν)/(4(1+ν)I) r², 1.23 V/A.
  const double r = 0.01, circle = 1.23077 * V / (M_PI * r * r);
  EXPECT_NEAR(fibres({.shape = Circle{2 * r}})->stress({0, 0, V}, nothing) / std::sqrt(3), circle, 1e-5 * circle);
  EXPECT_NEAR(circle, V * (1 + 2 * nu) / (4 * (1 + nu)) * r * r / (M_PI / 4 * std::pow(r, 4)), 1e-5 * circle);
  // A thin tube: twice the mean.
  const double mean = V / (M_PI / 4 * (0.1 * 0.1 - 0.098 * 0.098));
  EXPECT_NEAR(fibres({.shape = Tube{0.1, 0.098}})->stress({0, V, 0}, nothing) / std::sqrt(3), 2 * mean, 0.02 * mean);
  EXPECT_NEAR(fibres({.shape = Rectangle{0.01, 0.05}})->stress({0, 0, V}, nothing) / std::sqrt(3),
              1.5 * V / (0.01 * 0.05), 1);
  // A box, in the middle of its sides: V Q/(I 2t) with Q of the half above.
  const double Q = 0.05 * 0.04 * 0.02 - 0.046 * 0.038 * 0.019,
               I = (0.05 * std::pow(0.08, 3) - 0.046 * std::pow(0.076, 3)) / 12, wall = V * Q / (I * 2 * 0.002);
  EXPECT_NEAR(fibres({.shape = Box{0.05, 0.08, 0.002}})->stress({0, 0, V}, nothing) / std::sqrt(3), wall, 2e-3 * wall);
  // With torsion it adds on one side: the tube's worst fibre is where both run the same way.
  const double tau = 2 * mean, twist = 50 * 0.05 / (M_PI / 2 * (std::pow(0.05, 4) - std::pow(0.049, 4)));
  EXPECT_NEAR(fibres({.shape = Tube{0.1, 0.098}})->stress({0, V, 0}, {50, 0, 0}) / std::sqrt(3), tau + twist,
              0.02 * tau);
}

TEST(Fibres, SectionsByTheirNumbers) {
  EXPECT_EQ(fibres({.shape = GeneralSection{3e-4, 1e-8, 1e-8, {}}}), nullptr);
  // A circle by its numbers is a circle, but for the transverse shear.
  const double r = 0.01, I = M_PI / 4 * std::pow(r, 4);
  const auto numbers = fibres({.shape = GeneralSection{M_PI * r * r, I, I, 2 * I, r, r}}),
             circle = fibres({.shape = Circle{2 * r}});
  const Vector3d force(3000, 0, 0), moment(20, 15, -8);
  EXPECT_NEAR(numbers->stress(force, moment), circle->stress(force, moment), 1e-6);
  EXPECT_NEAR(numbers->strain(force, moment), circle->strain(force, moment), 1e-15);
  // Others err on the safe side: a rectangle and a box by their numbers.
  for (const double ratio : {1.0, 2.0, 5.0}) {
    const double b = 0.01, h = ratio * b;
    const double J = b * b * b * h / 3 * (1 - 0.63 * b / h * (1 - std::pow(b / h, 4) / 12));
    const GeneralSection hull{b * h, b * h * h * h / 12, h * b * b * b / 12, J, b / 2, h / 2};
    const double safe = fibres({.shape = hull})->stress(force, moment),
                 exact = fibres({.shape = Rectangle{b, h}})->stress(force, moment);
    EXPECT_GT(safe, exact);
    EXPECT_NEAR(fibres({.shape = hull})->strain(force, moment),
                fibres({.shape = Rectangle{b, h}})->strain(force, moment), 1e-12);
  }
}

}  // namespace
}  // namespace lithe::testing
