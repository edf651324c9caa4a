// Wind that changes and gusts that come with it, by case files: against Küssner and Wagner, against a base that moves instead of the air,
// and lift that a limiter holds.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "aero/wings.h"
#include "lithe/drive/case_wind.h"
#include "support/run_results.h"

namespace lithe::testing {
namespace {

using aero::testing::columns_of;
using aero::testing::extrapolated;

constexpr double pi = std::numbers::pi, small = 1e-4;
constexpr double wide = 1e5;  // span in one strip: its middle sees plane flow

/// A plate of unit chord with its leading edge on the world's y axis, too heavy for the air to move. Free tips are drawn in by a quarter of a
/// panel each: one strip is left with 2/3 of the length.
std::string heavy_plate(int panels_chord, const std::string& wind, const std::string& run,
                        const std::string& base = "type: fixed") {
  return fmt::format(R"(
arm:
  gravity: [0, 0, 0]
  base: {{{}, origin: {{rpy: [0, 0, 90 deg]}}}}
  links:
    - name: wing
      joint: {{name: pitch, type: revolute, axis: [1, 0, 0]}}
      rigid: {{length: {}, mass: 1, inertia: {{xx: 1e20, yy: 1e20, zz: 1e20}}}}
      surface: {{chord: 1, axis: 0, panels_chord: {}, panels_span: 1}}
wind: {{density: 2, step: {}, {}}}
simulate: {{method: rk4, step: 0.0625, {}}}
)",
                     base, 1.5 * wide, panels_chord, 1.0 / panels_chord, wind, run);
}

/// Lift over 2π small, row by row at steps of a sixteenth of a chord.
std::vector<double> lift_of(int panels_chord, const std::string& wind, double until) {
  const Results results = results_of(
      heavy_plate(panels_chord, "wake_length: 14, " + wind, fmt::format("for: {}, output_step: 0.0625", until)));
  std::vector<double> lift = series(results, "wing.air.fz");
  for (double& value : lift) value /= wide * 2 * pi * small;
  return lift;
}

TEST(Gust, WithASharpEdgeIsKussners) {
  auto reference = columns_of("aero_wagner_kussner.csv");
  std::vector<double> lift[2];
  for (int i = 0; i < 2; ++i)
    lift[i] = lift_of(32 << i, fmt::format("speed: 1, gusts: [{{sharp_edged: {{velocity: {}, at: 0 s}}}}]", small), 10);
  int compared = 0;
  for (size_t row = 0; row < reference["s"].size(); ++row) {
    const double s = reference["s"][row];
    if (s < 3 || s > 20 || s != std::round(s)) continue;
    const size_t k = size_t(s / 2 * 16);
    // The front meets collocation points one at a time: first order in the panel.
    EXPECT_NEAR(extrapolated(lift[0].at(k), lift[1].at(k), 1), reference["kussner_exact"][row], 3e-4) << s;
    ++compared;
  }
  EXPECT_GT(compared, 5);
}

/// Superposition of a response to a step, linear between its points.
double response(const std::vector<double>& s, const std::vector<double>& step, double at) {
  if (at <= 0) return 0;
  const size_t k = size_t(std::upper_bound(s.begin(), s.end(), at) - s.begin());
  if (k >= s.size()) return step.back();
  return step[k - 1] + (step[k] - step[k - 1]) * (at - s[k - 1]) / (s[k] - s[k - 1]);
}

TEST(Gust, OneMinusCosineIsKussnersConvolution) {
  auto reference = columns_of("aero_wagner_kussner.csv");
  const double length = 4;  // chords
  std::vector<double> lift[2];
  for (int i = 0; i < 2; ++i)
    lift[i] = lift_of(
        16 << i,
        fmt::format("speed: 1, gusts: [{{one_minus_cosine: {{velocity: {}, length: {}, at: 0.5 s}}}}]", small, length),
        9);
  const std::vector<double>&s = reference["s"], &kussner = reference["kussner_exact"];
  for (double t = 1; t < 9; t += 0.5) {
    double expected = 0;
    constexpr int n = 4000;
    for (int i = 0; i < n; ++i) {
      const double x = (i + 0.5) / n * length;  // w'(x) = ½ · 2π/L · sin(2π x/L)
      expected += pi / length * std::sin(2 * pi * x / length) * response(s, kussner, 2 * (t - 0.5 - x)) * length / n;
    }
    // The table is coarse from s = 2 on, where ψ bends least: lines within it are some 1e-3 off.
    const size_t k = size_t(std::lround(16 * t));
    EXPECT_NEAR(extrapolated(lift[0].at(k), lift[1].at(k), 1), expected, 5e-3) << t;
  }
}

// Once a ramp of incidence is over, lift follows Wagner: the sum of the responses to its parts.
TEST(WindOverTime, RampOfIncidenceIsWagners) {
  auto reference = columns_of("aero_wagner_kussner.csv");
  const std::vector<double>&s = reference["s"], &wagner = reference["wagner_exact"];
  const std::vector<double> lift =
      lift_of(64, fmt::format("speed: 1, incidence_over_time: {{lines: [{{at: 1 s, to: {} rad}}]}}", small), 9);
  for (double t = 1.5; t < 9; t += 0.5) {
    double expected = 0;
    constexpr int n = 400;
    for (int i = 0; i < n; ++i) expected += response(s, wagner, 2 * (t - (i + 0.5) / n)) / n;
    EXPECT_NEAR(lift.at(size_t(std::lround(16 * t))), expected, 3e-3) << t;
  }
}

// It is the same whether the air speeds up or the base rushes into it.
TEST(WindOverTime, IsTheSameAsABaseThatMoves) {
  const double a = 0.3, w = 2 * pi * 0.4;
  const std::string run = "for: 4, output_step: 0.25";
  auto difference = [&](int panels) {
    const Results
        air = results_of(heavy_plate(
            panels,
            fmt::format("speed: 1, incidence: 4 deg, speed_over_time: {{sinusoid: {{amplitude: {}, frequency: 0.4}}}}",
                        a),
            run)),
        base = results_of(heavy_plate(
            panels, "speed: 1, incidence: 4 deg", run,
            // Along the wind, which is turned by the incidence: x and z.
            fmt::format("type: moving, motion: {{x: {{sinusoid: {{amplitude: {}, frequency: 0.4, phase: 90 deg}}}}, z: "
                        "{{sinusoid: {{amplitude: {}, frequency: 0.4, phase: 90 deg}}}}}}",
                        a / w * std::cos(pi / 45), a / w * std::sin(pi / 45))));
    double worst = 0;
    const std::vector<double>&one = series(air, "wing.air.fz"), &other = series(base, "wing.air.fz");
    for (size_t k = 0; k < one.size(); ++k) worst = std::max(worst, std::abs(one[k] - other[k]) / one[0]);
    return worst;
  };
  // The wake takes the wind at the start of each step: of first order in it, and small, since only its place is concerned.
  const double coarse = difference(16), fine = difference(32);
  EXPECT_LT(coarse, 2e-3);
  EXPECT_LT(fine, 0.6 * coarse);
}

/// Rows of the force on a plate at an incidence of 20°, in plane flow, and what its run says.
struct Stalled {
  double force;
  std::vector<std::string> warnings;
};
Stalled stalled(const std::string& more) {
  const CaseFile file =
      read_case_text(heavy_plate(1, "speed: 3, incidence: 20 deg, wake_length: 3000" + more, "for: 2, output_step: 1"));
  const TemporaryFolder scratch;
  RunOptions options;
  options.file = scratch.path() + "/results.h5";
  const RunSummary summary = run(file, Arm::assemble(file.data), options);
  const Results results = Results::read(options.file);
  return {std::hypot(series(results, "wing.air.fx").front(), series(results, "wing.air.fz").front()), summary.warnings};
}

TEST(Stall, HoldsTheLiftOfASectionAtItsIncidence) {
  // ρ V Γ with Γ = π c V sin α, α the incidence or the limit. The wake ends after 3000 chords: c/2L is left out.
  const double pressure = 2 * 9 * pi * wide, degree = pi / 180;
  EXPECT_NEAR(stalled("").force, pressure * std::sin(20 * degree), 5e-4 * pressure);
  const Stalled limited = stalled(", stall: 12 deg");
  EXPECT_NEAR(limited.force, pressure * std::sin(12 * degree), 5e-4 * pressure);
  ASSERT_EQ(limited.warnings.size(), 1u);
  EXPECT_EQ(limited.warnings[0].find("'wing': its surface reached an incidence of 20 deg at t = "), 0u);
  EXPECT_NE(limited.warnings[0].find(", and its lift was limited to that of 12 deg"), std::string::npos)
      << limited.warnings[0];
  // Below the limit it does nothing.
  EXPECT_EQ(stalled(", stall: 25 deg").force, stalled("").force);
  EXPECT_TRUE(stalled(", stall: 25 deg").warnings.empty());
}

TEST(Stall, LeavesTheBooksClosed) {
  const std::string text = R"(
arm:
  gravity: [0, 0, 0]
  base: {type: fixed, origin: {rpy: [0, 0, 90 deg]}}
  links:
    - name: wing
      joint: {name: pitch, type: revolute, axis: [1, 0, 0], spring: {stiffness: 30}, damping: 0.5}
      rigid: {length: 2, mass: 5, com: [1, 0, 0], inertia: {xx: 0.3, yy: 4, zz: 4.2}}
      surface: {chord: 0.5, axis: 0.35, panels_chord: 2, panels_span: 4}
wind: {speed: 20, incidence: 10 deg, stall: 8 deg, mirror: [0, 1, 0], gusts: [{one_minus_cosine: {velocity: 4, length: 3 m, at: 0.1 s}}]}
simulate: {for: 0.5 s, method: dopri5, rtol: 1e-7, atol: 1e-10, output_step: 5 ms}
)";
  const Results results = results_of(text);
  double energy = 0, open = 0, incidence = 0;
  for (size_t k = 0; k < results.time.size(); ++k) {
    energy = std::max(energy, series(results, "energy.kinetic")[k] + series(results, "energy.elastic")[k]);
    open = std::max(open, std::abs(series(results, "energy.residual")[k]));
    incidence = std::max(incidence, series(results, "wing.air.incidence")[k]);
  }
  EXPECT_GT(incidence, 0.2);  // it was at work
  EXPECT_LT(open, 1e-5 * energy);
}

TEST(WindOverTime, IsRefusedWhereItIsNoWind) {
  auto refusal = [](const std::string& wind) -> std::string {
    try {
      results_of(heavy_plate(4, wind, "for: 2, output_step: 0.5"));
    } catch (const FieldError& error) {
      return error.path() + ": " + error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(refusal("speed: 1, gusts: [{sharp_edged: {velocity: 1, at: -0.5 s}}]"),
            "wind.gusts[0].sharp_edged.at: the gust has reached a surface at the start, where the flow is taken as "
            "steady; expected at "
            "least 0 s");
  EXPECT_EQ(refusal("speed: 1, gusts: [{one_minus_cosine: {velocity: 1, length: 1 m, at: -9 s}}]"),
            "accepted");  // long past
  EXPECT_EQ(refusal("speed: 1, speed_over_time: {lines: [{at: 1 s, to: 0 m/s}]}")
                .find("wind.speed_over_time: expected a speed above zero"),
            0u);
  // A beat that even times would miss: at 10 Hz they fall on every zero of it.
  EXPECT_EQ(refusal("speed: 60, speed_over_time: {sinusoid: {amplitude: 100, frequency: 10 Hz}}"),
            "wind.speed_over_time: expected a speed above zero throughout, got -40 m/s at t = 0.075 s: without wind no "
            "wake goes away from a surface");
  const std::string behind =
      "deg the wind blows over the surface of 'wing' from its trailing to its leading edge, 180 deg away from the "
      "direction from leading to trailing edge; a surface sheds its wake at the trailing edge only, which is valid up "
      "to 60 deg. Turn the wind, or the surface by its `trailing`";
  // At 90 degrees it blows across the plate, to which it has no direction; beyond, it comes from behind.
  EXPECT_EQ(refusal("speed: 1, incidence_over_time: {lines: [{at: 1 s, to: 180 deg}]}"),
            "wind.incidence_over_time: at an incidence of 100 " + behind);
  EXPECT_EQ(refusal("speed: 1, incidence_over_time: {sinusoid: {amplitude: -175 deg, frequency: 1 Hz}}"),
            "wind.incidence_over_time: at an incidence of -175 " + behind);
  EXPECT_EQ(refusal("speed: 1, incidence_over_time: {lines: [{at: 1 s, to: 20 deg}]}"), "accepted");
}

TEST(WindOverTime, FastestIsTheCrest) {
  // 60 + A sin(2πft + φ) and its parts: the crest is 60 + |A| wherever a run sees one.
  auto fastest = [](const std::string& profile, double until) {
    const CaseFile file =
        read_case_text(heavy_plate(4, "speed: 60, speed_over_time: {" + profile + "}", "for: 2, output_step: 0.5"));
    return CaseWind(*file.data.wind).fastest(until);
  };
  for (const double frequency : {0.31, 9.9, 10.0, 50.0})
    for (const double phase : {0.0, 100.0, -260.0})
      EXPECT_NEAR(
          fastest(fmt::format("sinusoid: {{amplitude: -20, frequency: {} Hz, phase: {} deg}}", frequency, phase), 100),
          80, 1e-12)
          << frequency << " " << phase;
  EXPECT_NEAR(fastest("sinusoid: {amplitude: 20, frequency: 1 Hz}", 0.1), 60 + 20 * std::sin(0.2 * pi), 1e-12);
  EXPECT_NEAR(
      fastest("sequence: [{sinusoid: {amplitude: 30, frequency: 10 Hz, for: 5 s}}, {lines: [{at: 1 s, to: 70}]}]", 100),
      90, 1e-12);
}

}  // namespace
}  // namespace lithe::testing
