// Runs on a base that follows profiles: an oscillator and a link that bends, shaken, against their closed forms; a base that yaws
// against a joint that does; work of the base against energy; orders of convergence across corners; runs taken up again.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "lithe/analyse/modes.h"
#include "lithe/arm/small_motion.h"
#include "support/run_results.h"

namespace lithe::testing {
namespace {

constexpr double pi = std::numbers::pi;

double largest(const std::vector<double>& values) {
  double most = 0;
  for (const double value : values) most = std::max(most, std::abs(value));
  return most;
}
double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) throw std::runtime_error("series of different length");
  double most = 0;
  for (size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}

// Den Hartog: relative motion r²/√((1−r²)² + (2ζr)²) of the base's, lagging by atan(2ζr/(1−r²)); begun there, no transient.
TEST(BaseProfilesRun, ShakenOscillatorHasItsTransmissibility) {
  const double m = 2, k = 800, c = 12, A = 0.03;
  const double wn = std::sqrt(k / m), zeta = c / (2 * std::sqrt(k * m));
  for (const double f : {1.5, 3.1, 7.0}) {
    const double w = 2 * pi * f, r = w / wn, Q = A * r * r / std::hypot(1 - r * r, 2 * zeta * r),
                 lag = std::atan2(2 * zeta * r, 1 - r * r);
    const Results results = results_of(fmt::format(
        R"(
arm:
  gravity: [0, 0, 0]
  base: {{type: moving, origin: {{xyz: [1, 2, 3]}}, motion: {{x: {{sinusoid: {{amplitude: {}, frequency: {}}}}}}}}}
  links:
    - {{name: mass, joint: {{name: slide, type: prismatic, axis: [1, 0, 0], spring: {{stiffness: {}}}, damping: {}}}, rigid: {{mass: {}, inertia: {{xx: 1, yy: 1, zz: 1}}}}}}
initial: {{slide: {{position: {:.17g}, rate: {:.17g}}}}}
simulate: {{for: 2 s, rtol: 1e-10, atol: 1e-12}}
)",
        A, f, k, c, m, -Q * std::sin(lag), Q * w * std::cos(lag)));
    double transmitted = 0;
    for (size_t i = 0; i < results.time.size(); ++i) {
      const double t = results.time[i];
      EXPECT_NEAR(series(results, "slide")[i], Q * std::sin(w * t - lag), 1e-8 * Q);
      EXPECT_NEAR(series(results, "base.x")[i], 1 + A * std::sin(w * t), 1e-14);
      EXPECT_NEAR(series(results, "base.vx")[i], A * w * std::cos(w * t), 1e-13);
      EXPECT_NEAR(series(results, "base.vx.acceleration")[i], -A * w * w * std::sin(w * t), 1e-11);
      transmitted = std::max(transmitted, std::abs(series(results, "tip.x")[i] - 1));
    }
    const double T = std::sqrt((1 + std::pow(2 * zeta * r, 2)) / (std::pow(1 - r * r, 2) + std::pow(2 * zeta * r, 2)));
    EXPECT_NEAR(transmitted, T * A, 2e-3 * T * A);  // the peak falls between rows
    EXPECT_LT(largest(series(results, "energy.residual")), 1e-7 * largest(series(results, "energy.input")));
  }
}

// Clamped to a base that shakes along z: η̈ + ω²η = Γ A w² sin wt for a mode of unit mass that takes part by Γ.
TEST(BaseProfilesRun, ShakenLinkBendsAsItsModeSays) {
  const std::string arm_text = R"(
arm:
  gravity: [0, 0, 0]
  base: {type: moving, motion: {z: {sinusoid: {amplitude: 1e-4 m, frequency: 9 Hz}}}}
  links:
    - {name: boom, joint: {name: wall, type: fixed}, beam: {length: 1 m, material: aluminium, section: {tube: {outer_diameter: 30 mm, inner_diameter: 26 mm}}, flexibility: {modes: {bending_z: 1}}}, payload: {mass: 0.5}}
)";
  const Arm arm = Arm::assemble(read_case_text(arm_text).data);
  const Mode mode = natural_modes_of(arm, State::zero(arm), {}).modes.at(0);
  const double wn = 2 * pi * mode.frequency_hz, w = 2 * pi * 9, shape = mode.shape[0];
  ASSERT_GT(std::abs(wn - w), 5);
  // By its sign too: the momentum along z per rate of the mode.
  const double taking_part = small_motion(arm, State::zero(arm)).momentum(Vector3d::Zero())(5, 0) * shape;
  EXPECT_NEAR(taking_part * taking_part, mode.effective_mass.z(), 1e-12);
  const double amplitude = shape * taking_part * 1e-4 * w * w / (wn * wn - w * w);
  for (const char* formulation : {"articulated", "kane", "lagrange"}) {
    const Results results =
        results_of(arm_text + fmt::format("initial: {{boom.1: {{position: 0, rate: {:.17g}}}}}\nsimulate: {{for: 1 s, "
                                          "formulation: {}, rtol: 1e-10, atol: 1e-14}}\n",
                                          amplitude * w, formulation));
    for (size_t i = 0; i < results.time.size(); ++i)
      EXPECT_NEAR(series(results, "boom.1")[i], amplitude * std::sin(w * results.time[i]), 1e-6 * std::abs(amplitude));
  }
}

/// A column that turns about the vertical, by its base or by its joint, with a link that bends and one that swings.
std::string turning_arm(bool by_base, const std::string& profile, const std::string& simulate,
                        const std::string& flexibility = "{modes: {bending_y: 2, bending_z: 1, torsion: 1}}") {
  return fmt::format(
      R"(
arm:
  base: {}
  links:
    - {{name: column, joint: {{name: turn, {}}}, rigid: {{length: 0, mass: 3, com: [0.1, 0, 0.2], inertia: {{xx: 0.2, yy: 0.2, zz: 0.3}}}}}}
    - {{name: boom, joint: {{name: shoulder, type: revolute, axis: [0, -1, 0], origin: {{xyz: [0.2, 0, 0.5]}}, damping: 0.5, spring: {{stiffness: 60, rest: 0.5}}}}, beam: {{length: 0.8 m, material: aluminium, section: {{rectangle: {{width_y: 6 mm, height_z: 40 mm}}}}, flexibility: {}}}}}
    - {{name: fore, joint: {{name: elbow, type: revolute, axis: [0, 0, 1], damping: 0.02}}, rigid: {{length: 0.4, mass: 0.3, com: [0.2, 0, 0], inertia: {{xx: 0.001, yy: 0.004, zz: 0.004}}}}}}
{}
initial: {{shoulder: 0.6, elbow: -0.4}}
simulate: {{{}}}
)",
      by_base ? "{type: moving, motion: {yaw: " + profile + "}}" : "fixed",
      by_base ? "type: fixed" : "type: revolute, axis: [0, 0, 1]", flexibility,
      by_base ? "" : "motion: {turn: " + profile + "}", simulate);
}

// With corners: both stop at them, and both take the piece that they are in.
TEST(BaseProfilesRun, YawingBaseEqualsADrivenFirstJoint) {
  for (const char* profile :
       {"{trapezoidal_velocity: {to: 70 deg, in: 0.9 s, ramp: 0.22 s}}", "{sinusoid: {amplitude: 0.4, frequency: 1.3}}",
        "{sequence: [{dwell: {for: 0.21 s}}, {quintic: {to: 1, in: 0.4 s}}]}"}) {
    const std::string simulate = "for: 1.2 s, rtol: 1e-12, atol: 1e-14, method: dopri5";
    const Results base = results_of(turning_arm(true, profile, simulate)),
                  joint = results_of(turning_arm(false, profile, simulate));
    for (const char* name : {"shoulder", "elbow", "boom.1", "boom.2", "boom.3", "boom.4", "shoulder.rate", "elbow.rate",
                             "tip.x", "tip.y", "tip.z", "energy.kinetic", "energy.input", "energy.dissipated"})
      EXPECT_LT(largest_difference(series(base, name), series(joint, name)), 1e-10 * (1 + largest(series(joint, name))))
          << name << " " << profile;
    for (const char* name : {"shoulder.reaction.mx", "shoulder.reaction.fy", "elbow.acceleration", "boom@0.Mz"})
      EXPECT_LT(largest_difference(series(base, name), series(joint, name)), 1e-8 * (1 + largest(series(joint, name))))
          << name << " " << profile;
    // What the motor bears about its axis the column's foot bears.
    EXPECT_LT(largest_difference(series(base, "turn.reaction.mz"), series(joint, "turn.torque")),
              1e-8 * (1 + largest(series(joint, "turn.torque"))));
  }
}

const char* const rough =
    "{x: {trapezoidal_velocity: {to: 0.4 m, in: 0.55 s, ramp: 0.13 s}}, z: {sinusoid: {amplitude: 0.05 m, "
    "frequency: 2 Hz}}, roll: {cycloidal: {to: 20 deg, in: 0.47 s}}, pitch: {sinusoid: {amplitude: 8 "
    "deg, frequency: 1.5 Hz}}, yaw: {trapezoidal_acceleration: {to: 1, in: 0.61 s}}}";

std::string rough_ride(const std::string& simulate,
                       const std::string& flexibility = "{modes: {bending_y: 2, bending_z: 1, torsion: 1}}") {
  const std::string text = turning_arm(true, "{dwell: {for: 1}}", simulate, flexibility);
  const std::string line = "{yaw: {dwell: {for: 1}}}";
  return std::string(text).replace(text.find(line), line.size(), rough);
}

TEST(BaseProfilesRun, WorkOfTheBaseIsInTheAudit) {
  for (const char* how :
       {"formulation: articulated, rtol: 1e-10, atol: 1e-12", "formulation: kane, rtol: 1e-10, atol: 1e-12",
        "formulation: lagrange, rtol: 1e-10, atol: 1e-12", "method: esdirk, rtol: 1e-9, atol: 1e-11"}) {
    const Results results = results_of(rough_ride(std::string("for: 0.9 s, ") + how));
    EXPECT_LT(largest(series(results, "energy.residual")), 1e-6 * largest(series(results, "energy.input"))) << how;
    EXPECT_GT(largest(series(results, "energy.input")), 1) << how;
  }
}

TEST(BaseProfilesRun, MidpointKnowsMomentaOnAMovingBase) {
  auto tip = [](const std::string& how) { return series(results_of(rough_ride("for: 0.5 s, " + how)), "tip.y"); };
  const auto truth = tip("method: dopri5, rtol: 1e-11, atol: 1e-13"), coarse = tip("method: midpoint, step: 1e-3"),
             fine = tip("method: midpoint, step: 5e-4");
  EXPECT_LT(largest_difference(coarse, truth), 1e-3);
  EXPECT_NEAR(std::log2(largest_difference(coarse, truth) / largest_difference(fine, truth)), 2, 0.4);
}

// Were a corner stepped over, or looked at from the wrong side, the order would fall to one or two.
TEST(BaseProfilesRun, FourthOrderHoldsAcrossCorners) {
  const std::string slow = "{modes: {bending_z: 1}}";  // 1400 rad/s: steps that resolve it
  auto last = [&](const std::string& how) {
    const Results results = results_of(rough_ride("for: 0.8 s, output_step: 0.1 s, checkpoint: 0.8 s, " + how, slow));
    EXPECT_NEAR(series(results, "base.x").back(), 0.4, 1e-12);  // by its last piece, not by one that was left
    VectorXd end(4);
    end << series(results, "shoulder").back(), series(results, "elbow").back(), series(results, "elbow.rate").back(),
        series(results, "boom.1").back();
    return end;
  };
  const VectorXd truth = last("method: dopri5, rtol: 1e-12, atol: 1e-14");
  const double coarse = (last("method: rk4, step: 2.1e-4") - truth).norm(),
               fine = (last("method: rk4, step: 1.05e-4") - truth).norm();
  EXPECT_GT(coarse, 1e-11);  // far above rounding
  EXPECT_GT(std::log2(coarse / fine), 3.7) << coarse << " " << fine;
}

TEST(BaseProfilesRun, ResumedRunsEndWithTheSameBits) {
  for (const char* how : {"method: cvode", "method: dopri5", "method: rk4, step: 2e-3",
                          "formulation: finite-element, method: newmark, step: 2e-3"}) {
    const bool elements = std::string(how).starts_with("formulation");
    const std::string text = rough_ride(std::string("for: 0.8 s, checkpoint: 0.13 s, ") + how,
                                        elements ? "{elements: 2, element: linear}" : "{modes: {bending_y: 2}}");
    const Results whole = results_of(text);
    const TemporaryFolder scratch;
    std::atomic<bool> stop = false;
    RunOptions options{scratch.path() + "/r.h5", "", false, &stop, [&](double t) { stop = t > 0.45; }, 0};
    EXPECT_THROW(results_of(text, {}, options), RunError) << how;
    stop = false;
    options.progress = {};
    options.resume = true;
    const Results resumed = results_of(text, {}, options);
    EXPECT_TRUE(resumed.complete);
    EXPECT_EQ(resumed.time, whole.time) << how;
    EXPECT_EQ(resumed.series, whole.series) << how;  // every bit
  }
}

TEST(BaseProfilesRun, FiniteElementsRideAlong) {
  const std::string elements = "{elements: 2, element: linear}, damping: {rayleigh: {beta: 2e-4}}";
  const std::vector<Override> sagging{{"initial.deformation", "static"}};
  const Results truth = results_of(rough_ride("for: 0.7 s, rtol: 1e-9, atol: 1e-11", elements), sagging);
  auto error = [&](const char* step, double audit) {
    const Results results = results_of(
        rough_ride(std::string("for: 0.7 s, formulation: finite-element, step: ") + step, elements), sagging);
    EXPECT_LT(largest(series(results, "energy.residual")), audit * largest(series(results, "energy.input"))) << step;
    return largest_difference(series(results, "tip.z"), series(truth, "tip.z"));
  };
  // The audit sums powers by the trapezoidal rule: it closes as the steps do.
  const double coarse = error("2e-4", 2e-2), fine = error("1e-4", 5e-3);
  EXPECT_LT(fine, 1e-5);
  EXPECT_GT(std::log2(coarse / fine), 1.8) << coarse << " " << fine;
}

// The linear model displaces nodes from the commanded rigid motion, the base's included.
TEST(BaseProfilesRun, LinearElementsRideAlong) {
  const std::string text = R"(
arm:
  base: {type: moving, motion: {x: {sinusoid: {amplitude: 10 mm, frequency: 3 Hz}}, yaw: {trapezoidal_velocity: {to: 30 deg, in: 0.55 s, ramp: 0.13 s}}}}
  links:
    - {name: boom, joint: {name: shoulder, type: revolute, axis: [0, -1, 0]}, beam: {length: 1 m, material: aluminium, section: {tube: {outer_diameter: 40 mm, inner_diameter: 37 mm}}, flexibility: {elements: 4, element: linear}}, payload: {mass: 1}}
motion: {shoulder: {cycloidal: {to: 20 deg, in: 0.6 s}}}
initial: {deformation: static}
simulate: {for: 0.7 s, formulation: finite-element, step: 0.5 ms, )";
  const Results linear = results_of(text + "model: linear}\n"), nonlinear = results_of(text + "model: nonlinear}\n");
  const double size = largest(series(nonlinear, "|tip_error|"));
  EXPECT_GT(size, 1e-3);
  for (const char* name : {"tip_error.x", "tip_error.y", "tip_error.z"})
    EXPECT_LT(largest_difference(series(linear, name), series(nonlinear, name)), 0.01 * size) << name;
}

}  // namespace
}  // namespace lithe::testing
