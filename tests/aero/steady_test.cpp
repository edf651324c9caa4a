// Wings in steady flow against published and converged values.
#include "lithe/aero/steady.h"

#include <gtest/gtest.h>

#include <cmath>

#include "aero/wings.h"

namespace lithe::aero::testing {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double alpha = 1e-3;  // so small that lift is linear in it to 1e-6

struct Coefficients {
  double lift_slope, drag_factor, centre_of_pressure;
};

/// A flat rectangular wing of chord 1; the drag factor is C_Di π AR/C_L².
Coefficients rectangular(double aspect, const SurfaceShape& shape) {
  const SteadySolution flow =
      steady(Lattice({shape}), rectangle(shape, 1, inset_span(aspect, shape.n_span)), climbing_wind(alpha));
  const double lift = flow.lift.norm() / aspect, drag = flow.induced_drag / aspect;
  return {lift / alpha, drag * pi * aspect / (lift * lift), -flow.loads.moment.y() / flow.loads.force.z()};
}

TEST(SteadyWing, LiftDragAndCentreOfPressureOfRectanglesMeetConvergedValues) {
  auto reference = columns_of("aero_liftslope_rectangular.csv");
  ASSERT_EQ(reference["AR"].size(), 14);
  for (size_t row = 0; row < reference["AR"].size(); ++row) {
    const double aspect = reference["AR"][row];
    const int n = aspect > 5 ? 24 : 12;
    const Coefficients coarse = rectangular(aspect, {6, n}), fine = rectangular(aspect, {12, 2 * n});
    // An inset lattice errs with the square of its panels; the reference is good to 2e-4 (drag, centre: its last digit).
    EXPECT_NEAR(extrapolated(coarse.lift_slope, fine.lift_slope, 2), reference["CLa_extrapolated"][row], 2e-4)
        << aspect;
    EXPECT_NEAR(extrapolated(coarse.drag_factor, fine.drag_factor, 2), reference["span_efficiency_1_over_e"][row], 1e-4)
        << aspect;
    EXPECT_NEAR(extrapolated(coarse.centre_of_pressure, fine.centre_of_pressure, 2), reference["x_cp_over_c"][row],
                2e-4)
        << aspect;
    // Tuck's series for wide wings is another witness from AR 10 on.
    if (aspect >= 10) {
      EXPECT_NEAR(extrapolated(coarse.lift_slope, fine.lift_slope, 2), reference["Tuck_1993_large_AR"][row], 2e-4);
    }
  }
}

TEST(SteadyWing, ConvergesWithTheSquareOfThePanels) {
  const double a = rectangular(4, {4, 8}).lift_slope, b = rectangular(4, {8, 16}).lift_slope,
               c = rectangular(4, {16, 32}).lift_slope;
  EXPECT_NEAR((b - a) / (c - b), 4, 0.3);
}

TEST(SteadyWing, BertinAndSmithsSweptWing) {
  // Aspect ratio 5, 45° of sweep, one row of four per half: circulation as Γ/(4 π b V α), recomputed to four digits.
  const SurfaceShape shape{1, 4};
  const Points half = corners_of(shape, [](double x, double y) -> Vector3d { return {0.2 * x + 0.5 * y, 0.5 * y, 0}; });
  const SteadySolution flow = steady(Lattice({shape}), half, climbing_wind(alpha), SymmetryPlane{});
  const double expected[] = {0.02730, 0.02873, 0.02864, 0.02496};
  for (int j = 0; j < 4; ++j) EXPECT_NEAR(flow.edge_circulation[j] / (4 * pi * alpha), expected[j], 5e-6);
  EXPECT_NEAR(flow.lift.norm() / 0.1 / alpha, 3.4442, 5e-5);
  EXPECT_NEAR(flow.loads.force.z() / 0.1 / alpha, 3.4442, 5e-5);
}

TEST(SteadyWing, TaperedWingMeetsAvl) {
  // VortexLattice.jl's documentation prints AVL's values for this wing of 12 by 6 panels per half, 2° incidence, α = 1°.
  const SurfaceShape shape{6, 12};
  const double incidence = 2 * pi / 180, angle = pi / 180;
  const Points half = corners_of(shape, [&](double x, double y) -> Vector3d {
    const double chord = 2.2 - 0.4 * y;
    return {0.4 * y + chord * x * std::cos(incidence), 7.5 * y, -chord * x * std::sin(incidence)};
  });
  const SteadySolution flow = steady(Lattice({shape}), half, climbing_wind(angle), SymmetryPlane{});
  const double area = 15;  // of the half
  const Vector3d along(std::cos(angle), 0, std::sin(angle)), across(-std::sin(angle), 0, std::cos(angle));
  const Vector3d moment = flow.loads.moment - Vector3d(0.5, 0, 0).cross(flow.loads.force);
  // AVL turns normals instead of panels: differences of the order of the incidence squared, 3e-3 at most.
  EXPECT_NEAR(flow.loads.force.dot(across) / area, 0.24454, 1e-3 * 0.24454);
  EXPECT_NEAR(flow.loads.force.dot(along) / area, 0.00247, 5e-6);
  EXPECT_NEAR(flow.induced_drag / area, 0.00248, 5e-6);
  EXPECT_NEAR(moment.y() / area / 2, -0.02091, 3e-3 * 0.02091);
}

/// Unit span, elliptic chord about a straight quarter-chord line.
SteadySolution elliptic(double aspect, int n_chord, int n_span) {
  const SurfaceShape shape{n_chord, n_span};
  const double root = 4 / (pi * aspect), span = inset_span(1, n_span);
  const Points corners = corners_of(shape, [&](double x, double y) -> Vector3d {
    const double along = span * (y - 0.5);
    return {root * std::sqrt(1 - 4 * along * along) * (x - 0.25), along, 0};
  });
  return steady(Lattice({shape}), corners, climbing_wind(alpha));
}

TEST(SteadyWing, EllipticWing) {
  // Lift: the next order beyond the lifting line, 2π/(1 + 2/A + 16/π² (ln πA − 9/8)/A²), for elliptic wings [Van Dyke
  // 1964, J. Fluid Mech. 19, 90]; what it leaves out falls like A⁻³. Drag: the least there can be, C_L²/(π A), as A
  // grows.
  double gap[2];
  const double aspects[] = {20, 40};
  for (int k = 0; k < 2; ++k) {
    const double A = aspects[k];
    double slope[3], factor[3];
    for (int i = 0; i < 3; ++i) {
      const SteadySolution flow = elliptic(A, 4, 20 << i);
      const double lift = flow.lift.norm() * A;
      slope[i] = lift / alpha;
      factor[i] = flow.induced_drag * A * pi * A / (lift * lift);
    }
    // Tips with a root in the chord converge with a power of their own: extrapolated by the ratio found (Aitken).
    auto limit = [](const double* x) { return x[2] + (x[2] - x[1]) / ((x[1] - x[0]) / (x[2] - x[1]) - 1); };
    const double expected = 2 * pi / (1 + 2 / A + 16 / (pi * pi) * (std::log(pi * A) - 1.125) / (A * A));
    gap[k] = std::abs(limit(slope) / expected - 1);
    EXPECT_LT(gap[k], 16 / (A * A * A)) << A;
    EXPECT_NEAR(limit(factor), 1, 0.3 / (A * A)) << A;
  }
  EXPECT_GT(gap[0] / gap[1], 4);
}

TEST(SteadyWing, TrefftzDragOfEllipticLoadingIsTheClosedForm) {
  // D = π ρ Γ₀²/8 whatever the span.
  double error[2];
  for (int k = 0; k < 2; ++k) {
    const int n = 100 << k;
    RingSheet sheet(1, n);
    sheet.rows = 1;
    const double span = inset_span(3, n);
    for (int i = 0; i <= 1; ++i)
      for (int j = 0; j <= n; ++j) sheet.nodes.set(sheet.node(i, j), {double(i), span * (double(j) / n - 0.5), 0.0});
    for (int j = 0; j < n; ++j) {
      const double y = 2 * span * ((j + 0.5) / n - 0.5) / 3;
      sheet.circulation[j] = 0.7 * std::sqrt(1 - y * y);
    }
    const double exact = pi * 1.3 * 0.49 / 8;
    error[k] = trefftz_drag({sheet}, {.velocity = {5, 0, 0}, .density = 1.3}, {}) / exact - 1;
  }
  EXPECT_LT(std::abs(error[1]), 2e-3);
  EXPECT_LT(std::abs(error[1]), 0.6 * std::abs(error[0]));
}

TEST(SteadyWing, NearFieldDragMeetsTheEnergyLeftInTheWake) {
  // What pulls at the wing is what stands behind it: they differ by the lattice's error alone.
  double gap[3];
  for (int k = 0; k < 3; ++k) {
    const SurfaceShape shape{2 << k, 8 << k};
    const Points swept = corners_of(shape, [](double x, double y) -> Vector3d {
      const double s = std::abs(2 * y - 1);
      return {0.8 * s + (1 - 0.5 * s) * x, 5 * (y - 0.5), 0.3 * s};
    });
    const double angle = 0.05;
    const SteadySolution flow = steady(Lattice({shape}), swept, climbing_wind(angle));
    gap[k] = std::abs(flow.loads.force.dot(Vector3d(std::cos(angle), 0, std::sin(angle))) / flow.induced_drag - 1);
  }
  EXPECT_LT(gap[2], 0.02);
  EXPECT_LT(gap[1], 0.7 * gap[0]);
  EXPECT_LT(gap[2], 0.7 * gap[1]);
}

TEST(SteadyWing, HalfAWingWithItsImageIsTheWholeWing) {
  const SurfaceShape whole_shape{3, 8}, half_shape{3, 4};
  auto place = [](double x, double y) -> Vector3d { return {x + 0.4 * std::abs(y), 3 * y, 0.2 * std::abs(y)}; };
  const Points whole = corners_of(whole_shape, [&](double x, double y) { return place(x, 2 * y - 1); });
  const Points half = corners_of(half_shape, [&](double x, double y) { return place(x, y); });
  const SteadySolution both = steady(Lattice({whole_shape}), whole, climbing_wind(0.1)),
                       one = steady(Lattice({half_shape}), half, climbing_wind(0.1), SymmetryPlane{});
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 4; ++j) {
      EXPECT_NEAR(one.circulation[4 * i + j], both.circulation[8 * i + 4 + j], 1e-14);
      EXPECT_LT((one.loads.panel_force.col(4 * i + j) - both.loads.panel_force.col(8 * i + 4 + j)).norm(), 1e-14);
    }
  EXPECT_NEAR(2 * one.induced_drag, both.induced_drag, 1e-15);
  EXPECT_NEAR(2 * one.lift.z(), both.lift.z(), 1e-14);
}

}  // namespace
}  // namespace lithe::aero::testing
