// Where small deflections end: what the warnings measure, against closed forms, and that they come when they should.
#include "lithe/dynamics/deflection_limits.h"

#include <gtest/gtest.h>

#include <cmath>

#include "lithe/describe/case_reader.h"
#include "support/run_results.h"
#include "support/winged_arms.h"

namespace lithe::testing {
namespace {

constexpr double E = 70e9, width = 0.05, height = 0.004, rho = 2700;
constexpr double EI = E * width * height * height * height / 12, mu = rho * width * height;

/// A strip on a joint across it, with a payload on its tip; without gravity.
std::string strip(double payload, const std::string& rest, const std::string& flexibility = "{modes: {bending_y: 3}}") {
  return R"(
arm:
  gravity: [0, 0, 0]
  links:
    - name: strip
      joint: {name: hub, type: revolute, axis: [0, 0, 1]}
      beam: {length: 1 m, material: aluminium, section: {rectangle: {width_y: 4 mm, height_z: 50 mm}}, flexibility: )" +
         flexibility + "}\n" + (payload > 0 ? "      payload: {mass: " + std::to_string(payload) + "}\n" : "") + rest;
}

double stiffening_at(double payload, double spin, const std::string& flexibility = "{modes: {bending_y: 3}}") {
  const Arm arm = Arm::assemble(read_case_text(strip(payload, "", flexibility), "case").data);
  State state = State::zero(arm);
  state.v[0] = spin;
  InternalForces forces(arm);
  forces.update(state, VectorXd::Zero(arm.nv()), {});
  return DeflectionLimits(arm).stiffening(0, forces);
}

// A mass m on the tip of a massless beam that bends as under a tip force: N = mLΩ², K_g = 6N/5L against 3EI/L³.
TEST(DeflectionLimits, StiffeningOfALoadedBeamIsThatOfItsLoad) {
  const double m = 200 * mu, spin = 0.1, by_hand = 1.2 * m * spin * spin / (3 * EI);
  EXPECT_NEAR(stiffening_at(m, spin), by_hand, 0.01 * by_hand);
  EXPECT_NEAR(stiffening_at(m, spin, "{elements: 6, plane: y}"), by_hand, 0.01 * by_hand);
  EXPECT_NEAR(stiffening_at(m, 3 * spin), 9 * by_hand, 0.09 * by_hand);
}

// A bare cantilever's lowest mode gains 1.193 Ω² in ω² (the Southwell coefficient of flapping, e.g. Yntema, NACA TN 3459).
TEST(DeflectionLimits, StiffeningOfABareBeamIsSouthwells) {
  const double omega = 3.5160 * std::sqrt(EI / mu);
  EXPECT_NEAR(stiffening_at(0, omega / 4), 1.193 / 16, 0.02 * 1.193 / 16);
  EXPECT_NEAR(DeflectionLimits::largest_stiffening, 1.193 / 16, 0.01);
}

// Ten times the beam's mass on its tip: the link alone would still call a quarter of its own frequency the limit.
TEST(DeflectionLimits, PayloadCounts) {
  const double spin = 3.5160 * std::sqrt(EI / mu) / 4;
  EXPECT_NEAR(stiffening_at(10 * mu, spin), 3.1, 0.1);
  const std::string text = strip(10 * mu, "initial: {hub: {rate: " + std::to_string(spin / 5) +
                                              "}}\nsimulate: {for: 0.1 s, rtol: 1e-6, atol: 1e-8}\n");
  const TemporaryFolder scratch;
  const CaseFile file = read_case_text(text, "case");
  const RunSummary summary = run(file, Arm::assemble(file.data), {scratch.path() + "/r.h5"});
  ASSERT_EQ(summary.warnings.size(), 1u);
  EXPECT_NE(summary.warnings[0].find("'strip': under axial forces at t = "), std::string::npos) << summary.warnings[0];
  EXPECT_NE(summary.warnings[0].find("tension would stiffen it by about 13 %"), std::string::npos)
      << summary.warnings[0];
}

TEST(DeflectionLimits, StandingColumnSoftensAndBuckles) {
  // A weight W on a column: K_g = −6W/5L by the static shape, against 3EI/L³: within 2 % of Euler's π²EI/4L².
  auto part = [](double payload) {
    const std::string text =
        "arm:\n  gravity: [-9.81, 0, 0]\n  links:\n    - name: strip\n      joint: {name: hub, type: fixed}\n"
        "      beam: {length: 1 m, material: aluminium, section: {rectangle: {width_y: 4 mm, height_z: 50 mm}}, "
        "flexibility: {modes: {bending_y: 3}}}\n      payload: {mass: " +
        std::to_string(payload) + "}\n";
    const Arm arm = Arm::assemble(read_case_text(text, "case").data);
    InternalForces forces(arm);
    forces.update(State::zero(arm), VectorXd::Zero(arm.nv()), {});
    const DeflectionLimits limits(arm);
    return std::pair{limits.stiffening(0, forces), limits.exceeded(State::zero(arm), forces)};
  };
  const double euler = M_PI * M_PI * EI / 4 / 9.81;
  EXPECT_NEAR(part(euler - 0.3 * mu).first, -1, 0.05);
  EXPECT_NE(part(1.5 * euler).second.at(0).find("it would buckle"), std::string::npos);
  EXPECT_TRUE(part(0.01 * euler).second.empty());
}

// Warnings say which line of the case mends the model, with as many terms as the turn needs.
TEST(DeflectionLimits, NameTheLineToWrite) {
  const auto limits_of = [](const std::string& flexibility) {
    return DeflectionLimits(Arm::assemble(read_case_text(strip(0, "", flexibility), "case").data));
  };
  const DeflectionLimits modes = limits_of("{modes: {bending_y: 3, bending_z: 1, torsion: 1}}"),
                         elements = limits_of("{elements: 4, plane: y}");
  EXPECT_EQ(modes.rotation_text(0, 0.42, " at t = 1.5 s"),
            "'strip': its tip turned by 0.42 rad at t = 1.5 s, beyond the 0.2 rad that small deflections allow; write "
            "`flexibility: {strains: {bending_y: 2, bending_z: 2, torsion: 1}}` for it, which is valid for any "
            "deflection (about 3 times this link's cost)");
  EXPECT_EQ(elements.rotation_text(0, 0.9, ""),
            "'strip': its tip turned by 0.9 rad, beyond the 0.2 rad that small deflections allow; write `flexibility: "
            "{strains: {bending_y: 3}}` for it, which is valid for any deflection (about 3 times this link's cost)");
  EXPECT_NE(elements.rotation_text(0, 1.4, "").find("{strains: {bending_y: 4}}"), std::string::npos);
  EXPECT_EQ(modes.stiffening_text(0, 0.13, 0.1, ""),
            "'strip': under axial forces, tension would stiffen it by about 13 %, which small deflections neglect; add "
            "`stiffening: true` to its `modes`, which includes it");
  EXPECT_EQ(
      modes.stiffening_text(0, -0.2, 0.3, " at t = 2 s"),
      "'strip': under axial forces at t = 2 s, compression would soften it by about 20 %, which small deflections "
      "neglect; write `flexibility: {strains: {bending_y: 2, bending_z: 2, torsion: 1}}` for it, which is valid "
      "for any deflection (about 3 times this link's cost)");
  EXPECT_EQ(elements.stiffening_text(0, -1.5, 0, ""),
            "'strip': under axial forces, it would buckle: compression is 1.5 times the critical load, which small "
            "deflections neglect; write `flexibility: {strains: {bending_y: 3}}` for it, which is valid for any "
            "deflection (about 3 times this link's cost)");
}

// One period of one shape, with a row at its start and at its end, where the link is straight: the largest turn falls between.
TEST(DeflectionLimits, AreWatchedBetweenRows) {
  CaseFile file =
      read_case_text(strip(0,
                           "initial: {strip.1: {position: 0 m, rate: 8 m/s}}\nmotion: {hub: {dwell: {for: 1 s}}}\n"
                           "simulate: {for: 1 s}\n",
                           "{modes: {bending_y: 1}}"),
                     "case");
  const Arm arm = Arm::assemble(file.data);
  const double omega = std::sqrt(arm.link(0).flex->K.coeff(0, 0) / arm.link(0).flex->M.coeff(0, 0));
  file.data.simulate->duration = 2 * M_PI / omega;
  file.data.simulate->output_step = file.data.simulate->duration;
  for (const Method method : {Method::cvode, Method::dopri5, Method::esdirk, Method::midpoint}) {
    file.data.simulate->method = method;
    if (method == Method::midpoint) file.data.simulate->step = 1e-3;
    const TemporaryFolder scratch;
    const RunSummary summary = run(file, arm, {scratch.path() + "/r.h5"});
    const Results rows = Results::read(scratch.path() + "/r.h5");
    for (const double tip : series(rows, "strip.1")) EXPECT_LT(std::abs(tip), 0.01) << "a row shows it";
    const bool told = std::any_of(summary.warnings.begin(), summary.warnings.end(), [](const std::string& w) {
      return w.find("its tip turned by") != std::string::npos;
    });
    EXPECT_TRUE(told) << int(method);
  }
}

/// What a run says of tips that turned too far, without the time; "" where it says nothing.
std::string turned(const CaseFile& file, const Arm& arm) {
  const TemporaryFolder scratch;
  for (const std::string& warning : run(file, arm, {scratch.path() + "/r.h5"}).warnings)
    if (const size_t at = warning.find("its tip turned by"); at != std::string::npos)
      return warning.substr(at, warning.find(" at t", at) - at);
  return "";
}

// The same by elements under newmark: let go from a load against another one it swings through and back, and the rows at the start
// and a period later show less than the limit.
TEST(DeflectionLimits, AreWatchedBetweenRowsOfElements) {
  CaseFile file = read_case_text(strip(0,
                                       "initial: {deformation: static, loads: [{link: strip, force: [0, 5, 0]}]}\n"
                                       "loads: [{link: strip, force: [0, -2, 0]}]\n"
                                       "motion: {hub: {dwell: {for: 1 s}}}\n"
                                       "simulate: {for: 1 s, formulation: finite-element, step: 1 ms}\n",
                                       "{elements: 4, plane: y, element: linear}"),
                                 "case");
  const Arm arm = Arm::assemble(file.data);
  const double period = 2 * M_PI / (3.5160 * std::sqrt(EI / mu));
  file.data.simulate->duration = 1e-3 * std::round(period / 1e-3);
  file.data.simulate->output_step = file.data.simulate->duration;
  const std::string coarse = turned(file, arm);
  file.data.simulate->output_step = 1e-3;
  EXPECT_NE(coarse, "");
  EXPECT_EQ(coarse, turned(file, arm));
}

// And of a wing in the wind, whose arm's steps are tries until air and arm agree: one swing between two rows.
TEST(DeflectionLimits, AreWatchedBetweenRowsInTheWind) {
  CaseFile file = read_case_text(plate_wing("{modes: {bending_z: 1}}", 0.001, 2, 4, "speed: 10 m/s, step: 1 ms",
                                            "initial: {wing.1: {position: 0 m, rate: 6 m/s}}\n"
                                            "simulate: {for: 98 ms, output_step: 98 ms, method: dopri5}\n"),
                                 "case");
  const Arm arm = Arm::assemble(file.data);
  const std::string coarse = turned(file, arm);
  file.data.simulate->output_step = 1e-3;
  EXPECT_NE(coarse, "");
  EXPECT_EQ(coarse, turned(file, arm));
}

TEST(DeflectionLimits, StaticWarnsToo) {
  const std::string text = strip(0, "loads: [{link: strip, force: [0, 20, 0]}]\n");
  const TemporaryFolder scratch;
  const Finished found = run_program({"static", scratch.write("strip.yaml", text)});
  EXPECT_EQ(found.code, 0);
  EXPECT_NE(found.err.find("warning: 'strip': its tip turned by"), std::string::npos) << found.err;
}

}  // namespace
}  // namespace lithe::testing
