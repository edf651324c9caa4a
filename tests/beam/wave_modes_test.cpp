// Assumed modes that are natural shapes of uniform beams: wavenumbers, shapes and constants against textbook forms.
#include <gtest/gtest.h>

#include <numbers>

#include "beam/sample_beams.h"
#include "closed_form/quadrature.h"
#include "lithe/beam/shape_set.h"

namespace lithe {
namespace {

constexpr double pi = std::numbers::pi;
using closed_form::integral;

// 16 digits from tables; they are the roots of 1 + cos β cosh β.
TEST(WaveModes, ClampedFreeWavenumbers) {
  const auto beta = clamped_shapes(60, 1, 0, 0).wavenumbers;
  EXPECT_NEAR(beta[0], 1.8751040687119611, 4e-16);
  EXPECT_NEAR(beta[1], 4.6940911329741746, 1e-15);
  EXPECT_NEAR(beta[2], 7.8547574382376126, 2e-15);
  for (int k = 1; k <= 9; ++k) {
    const long double b = beta[k - 1];
    EXPECT_NEAR(double(std::cos(b) + 1 / std::cosh(b)), 0, 4e-16 * double(b)) << k;
  }
  for (int k = 10; k <= 60; ++k) EXPECT_NEAR(beta[k - 1], (2 * k - 1) * pi / 2, 1e-12) << k;
}

TEST(WaveModes, PinnedWavenumbers) {
  const auto free = pinned_free_shapes(45, 1).wavenumbers;
  EXPECT_NEAR(free[0], 3.9266023120479185, 1e-15);
  EXPECT_NEAR(free[1], 7.0685827456287321, 1e-15);
  EXPECT_NEAR(free[39], (4 * 40 + 1) * pi / 4, 1e-12);
  EXPECT_EQ(pinned_pinned_shapes(3, 1).wavenumbers, (std::vector{pi, 2 * pi, 3 * pi}));
}

TEST(WaveModes, RodWavenumbers) {
  const auto free = rod_shapes(40, 1, 0).wavenumbers;
  for (int k = 1; k <= 40; ++k) EXPECT_NEAR(free[k - 1], (2 * k - 1) * pi / 2, 1e-13);
  // β tan β = 1 with a tip as heavy as the rod: tables give 0.8603335890.
  EXPECT_NEAR(rod_shapes(1, 1, 1).wavenumbers[0], 0.86033358901937973, 1e-15);
}

/// De Luca & Siciliano's characteristic function, with hyperbolic functions and in extended precision.
long double characteristic(long double b, long double m, long double j) {
  const long double c = std::cos(b), s = std::sin(b), ch = std::cosh(b), sh = std::sinh(b);
  return (1 + c * ch) - m * b * (s * ch - c * sh) - j * b * b * b * (s * ch + c * sh) +
         m * j * b * b * b * b * (1 - c * ch);
}

/// Its roots below `end`, by changes of sign on a fine grid.
std::vector<double> scanned_roots(double m, double j, double end) {
  std::vector<double> roots;
  const double step = 2e-3;
  for (double b = step; b < end; b += step) {
    long double low = b, high = b + step;
    const bool sign = characteristic(low, m, j) > 0;
    if (sign == (characteristic(high, m, j) > 0)) continue;
    for (int i = 0; i < 60; ++i) {
      const long double middle = (low + high) / 2;
      ((characteristic(middle, m, j) > 0) == sign ? low : high) = middle;
    }
    roots.push_back(double(low));
  }
  return roots;
}

TEST(WaveModes, TipMassWavenumbersAreThoseOfTheCharacteristicEquation) {
  for (double m : {0.0, 0.1, 1.0, 12.0, 1e4})
    for (double j : {0.0, 1e-3, 0.02, 0.3, 20.0}) {
      const auto expected = scanned_roots(m, j, 20);
      ASSERT_GE(expected.size(), 5u);
      const auto found = clamped_shapes(int(expected.size()), 1, m, j).wavenumbers;
      for (size_t k = 0; k < expected.size(); ++k)
        EXPECT_NEAR(found[k], expected[k], 1e-11 * expected[k]) << m << " " << j << " " << k;
    }
}

/// The textbook form, whose hyperbolic functions are harmless for the first three modes.
struct Textbook {
  double beta, sigma;
  int family;  // 0 clamped–free, 1 pinned–free, 2 pinned–pinned, 3 rod
  long double value(long double x, int derivative) const {
    const long double z = beta * x;
    const long double c = std::cos(z), s = std::sin(z), ch = std::cosh(z), sh = std::sinh(z);
    const long double power = std::pow((long double)beta, derivative);
    const long double cosine = derivative == 0 ? c : derivative == 1 ? -s : -c;
    const long double sine = derivative == 0 ? s : derivative == 1 ? c : -s;
    const long double Ch = derivative == 1 ? sh : ch, Sh = derivative == 1 ? ch : sh;
    if (family == 0) return power * (Ch - cosine - sigma * (Sh - sine));
    if (family == 1) return power * (sine + sigma * Sh);
    return power * sine;
  }
  /// Beams on a hinge are seen from their root section, which turns with the joint.
  long double seen(long double x, int derivative) const {
    if (family == 0 || family == 3) return value(x, derivative);
    const long double turn = value(0, 1);
    return value(x, derivative) - (derivative == 0 ? turn * x : derivative == 1 ? turn : 0.0L);
  }
  double scaled(double x, int derivative) const { return double(seen(x, derivative) / seen(1, 0)); }
};

std::vector<Textbook> textbook_shapes(ModeShape shape) {
  std::vector<Textbook> shapes;
  if (shape == ModeShape::clamped_free)
    for (double b : {1.8751040687119611, 4.6940911329741746, 7.8547574382376126})
      shapes.push_back({b, (std::sinh(b) - std::sin(b)) / (std::cosh(b) + std::cos(b)), 0});
  if (shape == ModeShape::pinned_free)
    for (double b : {3.9266023120479185, 7.0685827456287321, 10.2101761228130305})
      shapes.push_back({b, std::sin(b) / std::sinh(b), 1});
  if (shape == ModeShape::pinned_pinned)
    for (double b : {pi, 2 * pi, 3 * pi}) shapes.push_back({b, 0, 2});
  return shapes;
}

class WaveConstants : public ::testing::TestWithParam<ModeShape> {};

TEST_P(WaveConstants, AreTheIntegralsOfTheTextbookShapes) {
  constexpr int n = 3;
  const Beam beam = bar(Modes{n, n, n, n, GetParam()});
  const FlexBasis basis = beam_basis(beam, true, {});
  const double L = beam.length, rho = soft.density, A = 0.02 * 0.03, Iy = 0.02 * std::pow(0.03, 3) / 12,
               Iz = 0.03 * std::pow(0.02, 3) / 12, mu = rho * A;
  const double GJ = basis.stations.bending[0][0], EA = soft.E * A;
  const auto bend = textbook_shapes(GetParam());
  std::vector<Textbook> rod;
  for (int k = 1; k <= n; ++k) rod.push_back({(k - 0.5) * pi, 0, 3});
  auto over = [](const auto& f) { return integral(0, 1, f, 60); };
  const MatrixXd M = basis.M, K = basis.K, Pyz = basis.P[5], Pxy = basis.P[1];
  const double close = 1e-12;
  for (int k = 0; k < n; ++k) {
    auto phi = [&](double x) { return bend[k].scaled(x, 0); };
    auto slope = [&](double x) { return bend[k].scaled(x, 1); };
    auto sine = [&](double x) { return rod[k].scaled(x, 0); };
    const double S = mu * L * over(phi), first = mu * L * L * over([&](double x) { return x * phi(x); });
    EXPECT_NEAR(basis.S(1, k), S, close * mu * L);
    EXPECT_NEAR(basis.S(2, n + k), S, close * mu * L);
    EXPECT_NEAR(basis.S(0, 3 * n + k), mu * L * over(sine), close * mu * L);
    EXPECT_NEAR(basis.P0[0](1, k), first, close * mu * L * L);
    EXPECT_NEAR(basis.P0[0](2, n + k), first, close * mu * L * L);
    EXPECT_NEAR(basis.H(2, k), rho * Iz * over(slope), 10 * close * rho * Iz);
    EXPECT_NEAR(basis.H(1, n + k), -rho * Iy * over(slope), 10 * close * rho * Iy);
    EXPECT_NEAR(basis.H(0, 2 * n + k), rho * (Iy + Iz) * L * over(sine), close * rho * Iy * L);
    EXPECT_NEAR(basis.tip_phi(1, k), phi(1), 1e-12);
    EXPECT_NEAR(basis.tip_psi(2, k), slope(1) / L, 1e-11);
    for (int i = 0; i < n; ++i) {
      const double bb = over([&](double x) { return phi(x) * bend[i].scaled(x, 0); });
      const double ss = over([&](double x) { return slope(x) * bend[i].scaled(x, 1); });
      const double cc = over([&](double x) { return bend[k].scaled(x, 2) * bend[i].scaled(x, 2); });
      const double rr = over([&](double x) { return sine(x) * rod[i].scaled(x, 0); });
      const double ee = over([&](double x) { return rod[k].scaled(x, 1) * rod[i].scaled(x, 1); });
      EXPECT_NEAR(M(k, i), mu * L * bb + rho * Iz / L * ss, close * mu * L);
      EXPECT_NEAR(M(n + k, n + i), mu * L * bb + rho * Iy / L * ss, close * mu * L);
      EXPECT_NEAR(M(2 * n + k, 2 * n + i), rho * (Iy + Iz) * L * rr, close * rho * Iy * L);
      EXPECT_NEAR(M(3 * n + k, 3 * n + i), mu * L * rr, close * mu * L);
      EXPECT_NEAR(Pyz(k, n + i), mu * L * bb, close * mu * L);
      EXPECT_NEAR(Pxy(3 * n + k, i), mu * L * over([&](double x) { return sine(x) * bend[i].scaled(x, 0); }),
                  close * mu * L);
      const double EIz = soft.E * Iz / (L * L * L), EIy = soft.E * Iy / (L * L * L);
      EXPECT_NEAR(K(k, i), EIz * cc, 1e4 * close * EIz);  // φ″ is of order β² = 100 here
      EXPECT_NEAR(K(n + k, n + i), EIy * cc, 1e4 * close * EIy);
      EXPECT_NEAR(K(2 * n + k, 2 * n + i), GJ / L * ee, 1e2 * close * GJ);
      EXPECT_NEAR(K(3 * n + k, 3 * n + i), EA / L * ee, 1e2 * close * EA);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, WaveConstants,
                         ::testing::Values(ModeShape::clamped_free, ModeShape::pinned_free, ModeShape::pinned_pinned));

// With nothing left to cancel, mode 50 is as orthogonal as mode 1, and its frequency is β². Beams on a hinge are seen from their
// root section; the turn that gives them back their own frame, φ + φ′(0) x, is what makes them orthogonal.
TEST(WaveModes, ManyModesStayOrthogonalInMassAndStiffness) {
  const int n = 50;
  for (ModeShape shape : {ModeShape::clamped_free, ModeShape::pinned_free, ModeShape::pinned_pinned}) {
    const FlexBasis basis = beam_basis(slender(1, 1, 1, Modes{.bending_z = n, .shape = shape}), false, {});
    MatrixXd M = basis.M;
    if (shape != ModeShape::clamped_free) {
      const ShapeSet seen = shape == ModeShape::pinned_free ? pinned_free_shapes(n, 1) : pinned_pinned_shapes(n, 1);
      VectorXd turn(n);  // φ′(0) of the shape on its hinge, in parts of the tip's deflection as seen from the root
      for (int k = 0; k < n; ++k) {
        const double beta = seen.wavenumbers[k];
        const bool both = shape == ModeShape::pinned_pinned;
        const double share = both ? 0 : std::sin(beta) / std::sinh(beta);
        turn[k] = beta * (1 + share) / ((both ? 0 : 2 * std::sin(beta)) - beta * (1 + share));
      }
      const VectorXd first = basis.P0[0].row(2);  // ∫ x φ dm
      M += turn * first.transpose() + first * turn.transpose() + basis.Sigma0(0, 0) * turn * turn.transpose();
    }
    const MatrixXd K = basis.K;
    for (const MatrixXd& dense : {M, K}) {
      const VectorXd scale = dense.diagonal().cwiseSqrt().cwiseInverse();
      const MatrixXd cosines = scale.asDiagonal() * dense * scale.asDiagonal();
      // Taking the turn away and putting it back costs digits as β grows: shapes become small beside it.
      EXPECT_LT((cosines - MatrixXd::Identity(n, n)).cwiseAbs().maxCoeff(),
                shape == ModeShape::clamped_free ? 2e-13 : 1e-10);
    }
    const ShapeSet shapes = shape == ModeShape::clamped_free  ? clamped_shapes(n, 1, 0, 0)
                            : shape == ModeShape::pinned_free ? pinned_free_shapes(n, 1)
                                                              : pinned_pinned_shapes(n, 1);
    for (int k = 0; k < n; ++k) {
      const double quotient = std::pow(K(k, k) / M(k, k), 0.25);
      EXPECT_NEAR(quotient, shapes.wavenumbers[k], (shape == ModeShape::clamped_free ? 1e-12 : 1e-10) * quotient) << k;
    }
  }
}

TEST(WaveModes, AreOneAtTheTipOrWhereTheyAreLargest) {
  const FlexBasis free = beam_basis(bar(Modes{5, 5, 5, 5, ModeShape::clamped_free}), true, {});
  for (int k = 0; k < 5; ++k) {
    EXPECT_NEAR(free.tip_phi(1, k), 1, 1e-13);
    EXPECT_NEAR(free.tip_phi(2, 5 + k), 1, 1e-13);
    EXPECT_NEAR(free.tip_psi(0, 10 + k), 1, 1e-13);
    EXPECT_NEAR(free.tip_phi(0, 15 + k), 1, 1e-13);
  }
  // A tip that a huge mass holds: the shape is one in its middle instead of huge there.
  const FlexBasis held =
      beam_basis(bar(Modes{.bending_y = 2, .shape = ModeShape::clamped_mass}), true, {1e9, Vector3d::Zero()});
  EXPECT_NEAR(held.tip_phi(1, 0), 1, 1e-9);
  EXPECT_LT(std::abs(held.tip_phi(1, 1)), 1e-6);
  EXPECT_NEAR(MatrixXd(held.stations.phi).col(1).cwiseAbs().maxCoeff(), 1, 0.02);
}

// The lower the tip's inertia makes the first wavenumber, the closer its shape is to the static one, 3ξ²/2 − ξ³/2.
TEST(WaveModes, HeavyTipMakesTheStaticShape) {
  const ShapeSet shapes = clamped_shapes(1, 1, 1e8, 0);
  EXPECT_NEAR(shapes.wavenumbers[0], std::pow(3e-8, 0.25), 1e-9);
  for (double x : {0.1, 0.5, 0.9}) {
    const ShapeValues values = shapes.at(x);
    EXPECT_NEAR(values.value[0], (3 * x * x - x * x * x) / 2, 1e-8);
    EXPECT_NEAR(values.curvature[0], 3 - 3 * x, 1e-7);
  }
}

TEST(WaveModes, CarriedInertiaActsAboutTheRightAxis) {
  const CarriedLoad load{0, {0, 0, 0.01}};  // about z: bending along y feels it, bending along z does not
  const FlexBasis with = beam_basis(bar(Modes{1, 1, 1, 0, ModeShape::clamped_mass}), true, load);
  const FlexBasis without = beam_basis(bar(Modes{1, 1, 1, 0, ModeShape::clamped_free}), true, {});
  EXPECT_GT(std::abs(with.S(1, 0) - without.S(1, 0)), 1e-3 * std::abs(without.S(1, 0)));
  EXPECT_EQ(with.S(2, 1), without.S(2, 1));
  EXPECT_EQ(with.H(0, 2), without.H(0, 2));
}

}  // namespace
}  // namespace lithe
