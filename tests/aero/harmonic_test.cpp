// Small harmonic motion in plane flow against Theodorsen, and the linearised lattice against the full one.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <random>

#include "aero/wings.h"
#include "lithe/aero/linearised_lattice.h"
#include "lithe/aero/steady.h"

namespace lithe::aero::testing {
namespace {

constexpr double pi = std::numbers::pi;
using Complex = std::complex<double>;

/// Heave up and pitch nose-up about mid-chord of a wide strip of unit chord in unit wind: generalised forces per span,
/// (lift, moment) by (heave, pitch).
Eigen::Matrix2cd strip_forces(double k, int m) {
  const double wide = 1e5, chords_of_wake = 400;
  const SurfaceShape shape{m, 1};
  const Points corners = rectangle(shape, 1, wide);
  MatrixXd modes = MatrixXd::Zero(corners.size(), 2);
  for (int c = 0; c < corners.cols(); ++c) {
    modes(3 * c + 2, 0) = 1;
    modes(3 * c + 2, 1) = -(corners(0, c) - 0.5);
  }
  const LinearisedLattice lattice(Lattice({shape}), corners, {.velocity = {1, 0, 0}, .density = 1}, 1.0 / m,
                                  {.wake_rows = int(chords_of_wake) * m});
  return lattice.harmonic_forces(2 * k, modes) / wide;  // k = ω b/V with b = ½
}

/// Theodorsen's loads with C = F + i G, semi-chord b = ½, V = ρ = 1.
Eigen::Matrix2cd theodorsen(double k, Complex C) {
  const double b = 0.5, omega = k / b;
  const Complex s(0, omega);
  Eigen::Matrix2cd f;
  f(0, 0) = -pi * b * b * s * s - 2 * pi * b * C * s;
  f(0, 1) = pi * b * b * s + 2 * pi * b * C * (1.0 + 0.5 * b * s);
  f(1, 0) = -pi * b * b * C * s;
  f(1, 1) = pi * b * b * (-0.5 * b * s - b * b / 8 * s * s) + pi * b * b * C * (1.0 + 0.5 * b * s);
  return f;
}

TEST(HarmonicMotion, IsTheodorsens) {
  auto reference = columns_of("aero_theodorsen.csv");
  int compared = 0;
  for (size_t row = 0; row < reference["k"].size(); ++row) {
    const double k = reference["k"][row];
    if (k < 0.05 || k > 1 || (std::abs(k * 20 - std::round(k * 20)) > 1e-9)) continue;
    ++compared;
    const Eigen::Matrix2cd exact = theodorsen(k, {reference["F"][row], reference["G"][row]});
    const Eigen::Matrix2cd coarse = strip_forces(k, 12), fine = strip_forces(k, 24);
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j) {
        const double before = std::abs(coarse(i, j) / exact(i, j) - 1.0),
                     error = std::abs(fine(i, j) / exact(i, j) - 1.0);
        const Complex limit = fine(i, j) + (fine(i, j) - coarse(i, j)) / 3.0;
        // Amplitude and phase together. Wake beyond 400 chords is missing: some 1/(2π·2k·400) of its share.
        EXPECT_NEAR(std::abs(limit / exact(i, j) - 1.0), 0, 2e-4 + 1e-3 * k * k) << k << ' ' << i << j;
        EXPECT_LT(error, 5e-4 + 2.5e-3 * k * k) << k << ' ' << i << j;  // 24 panels
        if (k >= 0.5) {
          EXPECT_NEAR(before / error, 4, 0.8) << k << ' ' << i << j;
        }
      }
  }
  EXPECT_GE(compared, 9);
}

TEST(HarmonicMotion, OfTheFullLatticeInTimeIsTheLinearisedOne) {
  const SurfaceShape shape{4, 5};
  const Points flat = rectangle(shape, 1, 3);
  const Wind wind{.velocity = {1.3, 0, 0}, .density = 1.1};
  const double dt = 0.2, omega = 0.9, size = 1e-6;
  const LatticeOptions options{.wake_rows = 30};
  MatrixXd modes = MatrixXd::Zero(flat.size(), 1);
  for (int c = 0; c < flat.cols(); ++c) modes(3 * c + 2, 0) = 0.2 + flat(1, c) * flat(1, c) - 0.6 * flat(0, c);
  const Complex expected =
      LinearisedLattice(Lattice({shape}), flat, wind, dt, options).harmonic_forces(omega, modes)(0, 0);
  VortexLattice flow(Lattice({shape}), flat, wind, options);
  const Eigen::Map<const Points> shape_of_mode(modes.data(), 3, flat.cols());
  for (int k = 1; k <= 130; ++k) {
    const double t = k * dt;
    flow.begin_step(dt);
    const Loads& loads = flow.solve(flat + size * std::cos(omega * t) * shape_of_mode,
                                    -size * omega * std::sin(omega * t) * shape_of_mode);
    // The start leaves the wake after 30 rows, and what it did to later rows with them.
    if (k > 123) {
      const double force = loads.corner_force.cwiseProduct(shape_of_mode).sum();
      EXPECT_NEAR(force / size, (expected * std::polar(1.0, omega * t)).real(), 1e-5 * std::abs(expected));
    }
    flow.accept();
  }
}

/// Two swept flat surfaces in parallel planes, the second in the first one's wake but above it, one touching the plane
/// y = 0.
struct Pair {
  Lattice lattice{{{3, 4}, {2, 3}}};
  Points corners;
  Wind wind{.velocity = {2, 0, 0}, .density = 1.2};
  Pair() : corners(3, 20 + 12) {
    corners.leftCols(20) = corners_of({3, 4}, [](double x, double y) -> Vector3d {
      return {x * (1 - 0.3 * y) + 0.5 * y, 2 * y, 0};
    });
    corners.rightCols(12) = corners_of({2, 3}, [](double x, double y) -> Vector3d {
      return {3 + 0.5 * x + 0.2 * y, 0.3 + y, 0.4};
    });
  }
};

TEST(LinearisedLattice, SteadyStiffnessIsTheDerivativeOfSteadyLoads) {
  const Pair pair;
  for (const auto& symmetry : {std::optional<SymmetryPlane>(), std::optional(SymmetryPlane{})}) {
    const LinearisedLattice linear(pair.lattice, pair.corners, pair.wind, 0.1, {.wake_rows = 1, .symmetry = symmetry});
    const MatrixXd Q = linear.steady_stiffness();
    const double h = 1e-5;
    for (int number = 0; number < Q.cols(); number += 7) {
      Points up = pair.corners, down = pair.corners;
      up.data()[number] += h;
      down.data()[number] -= h;
      // A corner in the plane of symmetry that leaves it is no longer what the linear model describes.
      if (symmetry && number % 3 == 1) continue;
      const Points difference = (steady(pair.lattice, up, pair.wind, symmetry).loads.corner_force -
                                 steady(pair.lattice, down, pair.wind, symmetry).loads.corner_force) /
                                (2 * h);
      EXPECT_LT((difference.reshaped() - Q.col(number)).norm(), 1e-8 * Q.norm()) << number;
    }
    const MatrixXd modes = MatrixXd::NullaryExpr(Q.rows(), 2, [](int i, int j) { return std::sin(1.0 + i * (j + 1)); });
    EXPECT_LT((linear.steady_stiffness(modes) - modes.transpose() * Q * modes).norm(), 1e-12 * Q.norm());
    // Normal wash to circulation: its product with the forces is Q again.
    EXPECT_LT(
        (linear.force_per_circulation() * linear.steady_circulation_per_wash() * linear.wash_per_displacement() - Q)
            .norm(),
        1e-12 * Q.norm());
  }
}

TEST(LinearisedLattice, StiffnessOfAStripIsThatOfTheTypicalSection) {
  // Turned by θ about mid-chord: lift ½ρV² c 2π θ per span at the quarter chord, so a moment of c/4 times it: ½ρV² =
  // K/(S e 2π) is where a spring K gives way. Exact with any number of panels; an endless strip lacks 1/(1 + 2/AR) of
  // it, here 2e-5.
  const double wide = 1e5, chord = 0.4;
  const SurfaceShape shape{3, 1};
  const Points corners = rectangle(shape, chord, wide);
  MatrixXd turn = MatrixXd::Zero(corners.size(), 1);
  for (int c = 0; c < corners.cols(); ++c) turn(3 * c + 2, 0) = -(corners(0, c) - chord / 2);
  const Wind wind{.velocity = {30, 0, 0}, .density = 1.2};
  const double pressure = 0.5 * 1.2 * 30 * 30;
  const double stiffness =
      LinearisedLattice(Lattice({shape}), corners, wind, 0.1, {.wake_rows = 1}).steady_stiffness(turn)(0, 0);
  EXPECT_NEAR(stiffness / (pressure * chord * wide * 2 * pi * chord / 4), 1, 3e-5);
}

TEST(LinearisedLattice, DiscreteSystemIsTheFullLatticeForSmallMotion) {
  const Pair pair;
  const double dt = 0.15, size = 1e-6;
  std::mt19937 generator(7);
  std::normal_distribution<double> normal;
  const MatrixXd modes = MatrixXd::NullaryExpr(pair.corners.size(), 3, [&](int i, int) {
    return i % 3 == 2 ? normal(generator) : 0.0;  // out of plane
  });
  for (const CirculationRate rate : {CirculationRate::first_order, CirculationRate::second_order}) {
    const LatticeOptions options{.wake_rows = 6, .rate = rate, .symmetry = SymmetryPlane{}};
    const DiscreteSystem system = LinearisedLattice(pair.lattice, pair.corners, pair.wind, dt, options).system(modes);
    VortexLattice flow(pair.lattice, pair.corners, pair.wind, options);
    VectorXd x = VectorXd::Zero(system.A.rows());
    // From rest in the lattice, so that its first two steps, of first order, have nothing to differ in.
    for (int k = 0; k < 20; ++k) {
      Eigen::Vector3d q = Vector3d::Zero(), v = Vector3d::Zero();
      if (k > 2)
        for (int i = 0; i < 3; ++i) q[i] = normal(generator), v[i] = normal(generator);
      const Points moved = pair.corners + size * (modes * q).reshaped(3, pair.corners.cols());
      const Points velocities = size * (modes * v).reshaped(3, pair.corners.cols());
      flow.begin_step(dt);
      const Loads& loads = flow.solve(moved, velocities);
      const VectorXd force = modes.transpose() * loads.corner_force.reshaped() / size;
      const VectorXd linear = system.C * x + system.D_displacement * q + system.D_velocity * v;
      EXPECT_LT((force - linear).norm(), 2e-5 * std::max(1.0, linear.norm())) << k;
      x = (system.A * x + system.B_displacement * q + system.B_velocity * v).eval();
      EXPECT_LT((flow.solved_circulation() / size - x.head(pair.lattice.n_panels())).norm(), 2e-5 * (1 + x.norm()))
          << k;
      flow.accept();
    }
  }
}

TEST(LinearisedLattice, HarmonicForcesAreTheTransferFunctionOfTheDiscreteSystem) {
  const Pair pair;
  const double dt = 0.15, omega = 2;
  const MatrixXd modes =
      MatrixXd::NullaryExpr(pair.corners.size(), 2, [](int i, int j) { return std::cos(0.3 * i * (j + 1)); });
  for (const CirculationRate rate : {CirculationRate::first_order, CirculationRate::second_order}) {
    const LinearisedLattice linear(pair.lattice, pair.corners, pair.wind, dt, {.wake_rows = 9, .rate = rate});
    const DiscreteSystem s = linear.system(modes);
    const Complex z = std::polar(1.0, omega * dt), i_omega(0, omega);
    const Eigen::MatrixXcd input = s.B_displacement + i_omega * s.B_velocity;
    const Eigen::MatrixXcd x =
        (Eigen::MatrixXcd::Identity(s.A.rows(), s.A.rows()) - s.A / z).partialPivLu().solve(input);
    const Eigen::MatrixXcd expected = s.C * x / z + s.D_displacement + i_omega * s.D_velocity;
    EXPECT_LT((linear.harmonic_forces(omega, modes) - expected).norm(), 1e-12 * expected.norm());
    // At rest, a wake that carries one circulation everywhere: the steady flow but for the rows dropped.
    EXPECT_EQ(linear.n_states(), s.A.rows());
  }
}

TEST(LinearisedLattice, AnotherSpeedIsAnotherScale) {
  const Pair pair;
  const double dt = 0.15, speed = 1.7, density = 0.6;
  const MatrixXd modes =
      MatrixXd::NullaryExpr(pair.corners.size(), 2, [](int i, int j) { return std::cos(0.3 * i * (j + 1)); });
  const Wind faster{.velocity = speed * pair.wind.velocity, .density = density * pair.wind.density};
  const DiscreteSystem scaled = LinearisedLattice(pair.lattice, pair.corners, pair.wind, dt, {.wake_rows = 4})
                                    .system(modes)
                                    .scaled(speed, density);
  const DiscreteSystem anew =
      LinearisedLattice(pair.lattice, pair.corners, faster, dt / speed, {.wake_rows = 4}).system(modes);
  EXPECT_DOUBLE_EQ(scaled.dt, anew.dt);
  using Part = MatrixXd DiscreteSystem::*;
  for (const Part part : {&DiscreteSystem::A, &DiscreteSystem::B_displacement, &DiscreteSystem::B_velocity,
                          &DiscreteSystem::C, &DiscreteSystem::D_displacement, &DiscreteSystem::D_velocity})
    EXPECT_LT((scaled.*part - anew.*part).norm(), 1e-12 * (anew.*part).norm());
}

TEST(LinearisedLattice, ALongWakeAtRestIsSteadyFlow) {
  const Pair pair;
  const MatrixXd modes =
      MatrixXd::NullaryExpr(pair.corners.size(), 2, [](int i, int j) { return std::cos(0.3 * i * (j + 1)); });
  const LinearisedLattice linear(pair.lattice, pair.corners, pair.wind, 50, {.wake_rows = 100});  // 10 km
  const MatrixXd at_rest = linear.harmonic_forces(0, modes).real(), steadily = linear.steady_stiffness(modes);
  EXPECT_LT((at_rest - steadily).norm(), 1e-7 * steadily.norm());
}

TEST(LinearisedLattice, RefusesALatticeAcrossTheWind) {
  const SurfaceShape shape{2, 2};
  try {
    LinearisedLattice(Lattice({shape}), rectangle(shape, 1, 2), climbing_wind(0.1), 0.1, {});
    FAIL();
  } catch (const LatticeError& error) {
    EXPECT_STREQ(
        error.what(),
        "surface 0, panel (0, 0) is at 0.0998334 rad to the wind; small motions are about a lattice along the wind");
  }
}

}  // namespace
}  // namespace lithe::aero::testing
