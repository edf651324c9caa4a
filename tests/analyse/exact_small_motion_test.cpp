// Arms with exact links in small motion about loaded, buckling and spinning states.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <numbers>

#include "lithe/analyse/case_modes.h"
#include "lithe/analyse/linearise.h"
#include "lithe/dynamics/articulated/articulated.h"
#include "lithe/dynamics/derivatives/inverse_derivatives.h"
#include "lithe/dynamics/steady_state.h"
#include "support/clamped_bar.h"
#include "support/draw.h"
#include "support/rod_arms.h"

namespace lithe::testing {
namespace {

using std::numbers::pi;

/// The first frequency of a clamped column under the load P: y⁗ + P y″ = ω² y with no moment and no force across its tip.
double column_frequency(double P) {
  const auto determinant = [&](double omega) {
    const double root = std::sqrt(P * P / 4 + omega * omega), a = std::sqrt(root + P / 2), b = std::sqrt(root - P / 2),
                 c = std::cos(a), s = std::sin(a), C = std::cosh(b), S = std::sinh(b);
    // y = A (cos ax − cosh bx) + B (sin ax/a − sinh bx/b)
    const double moment_A = -a * a * c - b * b * C, moment_B = -a * s - b * S;
    const double force_A = a * a * a * s - b * b * b * S + P * moment_B, force_B = -a * a * c - b * b * C + P * (c - C);
    return moment_A * force_B - moment_B * force_A;
  };
  double low = 0.1, high = 3.6;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (determinant(middle) * determinant(0.1) > 0 ? low : high) = middle;
  }
  return low;
}

TEST(ExactSmallMotion, LoadedColumnsVibrateMoreSlowly) {
  const auto modes = [](double load, const std::string& axes) {
    const Rest rest(bar("strains: {bending_y: 4}",
                        fmt::format("loads: [{{link: bar, force: [{}, 0, 0], axes: {}}}]", -load, axes)));
    return modes_of_case(rest.arm, rest.drives, {.count = 1, .deformed = true, .loads = true}).result;
  };
  const double euler = pi * pi / 4;
  for (const double part : {0.0, 0.5, 0.9}) {
    const double exact = column_frequency(part * euler);
    EXPECT_NEAR(2 * pi * modes(part * euler, "world").modes[0].frequency_hz, exact, 1e-5 * 3.516) << part;
  }
  EXPECT_NEAR(column_frequency(0), 3.51602, 1e-5);
  EXPECT_EQ(modes(0.9999 * euler, "world").n_unstable, 0);
  EXPECT_EQ(modes(1.0001 * euler, "world").n_unstable, 1);
  EXPECT_THROW(modes(euler, "link"), std::invalid_argument);
}

// A. G. Greenhill (1881): w L³/EI = 7.8373.
TEST(ExactSmallMotion, ColumnsBuckleUnderTheirOwnWeight) {
  const auto upright = [](double weight) {
    return Rest(
        bar("strains: {bending_y: 4, bending_z: 4}", "", fmt::format("[0, 0, {}]", -weight), "[0, -90 deg, 0]"));
  };
  const auto lowest = [&](double weight) {
    const Rest rest = upright(weight);
    const Mode mode = natural_modes_of(rest.arm, rest.result.rest.state, {.count = 1}).modes.front();
    return mode.frequency_hz > 0 ? std::pow(2 * pi * mode.frequency_hz, 2) : -std::pow(mode.growth_rate, 2);
  };
  // The square of the first frequency falls to zero there.
  double low = 7, high = 9;
  for (int i = 0; i < 30; ++i) (lowest((low + high) / 2) > 0 ? low : high) = (low + high) / 2;
  EXPECT_NEAR(low, 7.8373, 1.5e-3);
  EXPECT_GT(low, 7.8373);  // too stiff, as Ritz's method is
  const std::optional<double> buckles_at = upright(10).result.rest.buckles_at;
  ASSERT_TRUE(buckles_at);
  EXPECT_NEAR(*buckles_at, 0.1 * low, 1.2e-4);
}

// M. Beck, ZAMP 3 (1952): a column under a force that follows its tip never buckles, but flutters beyond 20.05 EI/L².
TEST(ExactSmallMotion, BecksColumnFlutters) {
  const auto growth = [](double load) {
    const Rest rest(
        bar("strains: {bending_y: 6}", fmt::format("loads: [{{link: bar, force: [{}, 0, 0], axes: link}}]", -load)));
    EXPECT_FALSE(rest.result.rest.buckles_at) << load;
    Drives drives(rest.data, rest.arm);
    return linearise(rest.arm, rest.result.rest.state, drives, {.coordinates_only = true}).poles.real().maxCoeff();
  };
  EXPECT_LT(growth(10), 1e-3);
  double low = 15, high = 25;
  for (int i = 0; i < 16; ++i) (growth((low + high) / 2) < 0.05 ? low : high) = (low + high) / 2;
  EXPECT_NEAR(low, 20.05, 0.02);
}

// Rigid pieces joined by springs know nothing of strains: places and frequencies of the sagged arm converge to those of exact links.
TEST(ExactSmallMotion, SaggedArmVibratesAsOneOfManySegments) {
  const auto at_rest = [](const std::string& flexibility) {
    return Rest(two_links(flexibility, "initial: {p: -20 deg, q: 50 deg}"));
  };
  const auto frequencies = [](const Rest& rest) {
    VectorXd result(4);
    const std::vector<Mode> modes = natural_modes_of(rest.arm, rest.result.rest.state, {.count = 4}).modes;
    for (size_t k = 0; k < 4; ++k) result[Eigen::Index(k)] = modes[k].frequency_hz;
    return result;
  };
  const Rest exact = at_rest("strains: {bending_y: 3, bending_z: 4, torsion: 2, axial: 1, shear_y: 2, shear_z: 2}"),
             coarse = at_rest("segments: 24"), fine = at_rest("segments: 48");
  // Their error falls as their length, since the turns of a hinge about its axes follow one another.
  const Vector3d tip = 2 * fine.tip() - coarse.tip();
  EXPECT_LT((exact.tip() - tip).norm(), 1e-4 * exact.result.sag.norm());
  EXPECT_GT((exact.tip() - fine.tip()).norm(), 5e-4 * exact.result.sag.norm());
  const VectorXd expected = 2 * frequencies(fine) - frequencies(coarse), found = frequencies(exact);
  for (int k = 0; k < 4; ++k) EXPECT_NEAR(found[k], expected[k], 1e-3 * expected[k]) << k;
}

// Loads on tips and along links, in world axes and in theirs: what statics says of their stiffness against what derivatives do, which
// share only how sections move.
RC_GTEST_PROP(ExactSmallMotion, StiffnessOfLoadsIsThatOfDerivatives, ()) {
  const auto seed = any_seed();
  const Arm arm = Arm::assemble(with_exact_links(random_flexible_case(any_link_count(5), seed), seed));
  State state = random_state(arm, seed);
  bend_far(arm, state, seed);
  state.v.setZero();
  const int nv = arm.nv();
  std::vector<LinkSection> sections;
  for (int i = 0; i < arm.n_links(); ++i) {
    sections.push_back(tip_section(arm, i));
    if (arm.link(i).flex && arm.link(i).flex->exact)
      sections.push_back(place_on_link(arm, i, {0.4 * arm.link(i).flex->exact->length, 0, 0}, "loads").section);
  }
  std::vector<SectionLoad> loads;
  for (const LinkSection& section : sections)
    loads.push_back({&section, {0.1, 0.2, -0.1}, {20, -10, 5}, {3, 4, -5}, loads.size() % 2 == 0});
  InverseDerivatives with(arm), without(arm);
  const VectorXd still = VectorXd::Zero(nv);
  with.update(state, still, loads);
  without.update(state, still);
  Triplets entries;
  const SmallMotion motion = small_motion(arm, state);
  for (const SectionLoad& load : loads) add_stiffness(load, motion, entries);
  const MatrixXd expected = with.by_position() - without.by_position(), K = MatrixXd(assembled(nv, entries));
  RC_ASSERT((K - expected).cwiseAbs().maxCoeff() <= 1e-11 * (1 + with.by_position().cwiseAbs().maxCoeff()));
  MatrixXd M(nv, nv);
  Articulated(arm).mass_matrix(state, M);
  RC_ASSERT((MatrixXd(motion.mass_matrix()) - M).cwiseAbs().maxCoeff() <= 1e-12 * M.cwiseAbs().maxCoeff());
}

/// The bar of above on a hub, in steady rotation about z.
struct Boom {
  Case data;
  Arm arm;
  Drives drives;
  Equilibrium steady;
  explicit Boom(const std::string& strains, double rate, const std::string& gravity = "[0, 0, 0]")
      : data(read_case_text([&] {
               const std::string clamp = "name: clamp, type: fixed, origin: {rpy: [0, 0, 0]}";
               std::string text = bar(strains, "", gravity);
               return text.replace(text.find(clamp), clamp.size(), "name: hub, type: revolute, axis: [0, 0, 1]");
             }())
                 .data),
        arm(Arm::assemble(data)),
        drives(data, arm) {
    State state = State::zero(arm);
    state.v[0] = rate;
    steady = find_steady_state(arm, state, held_by_motors(arm), drives.all_at_rest());
  }
  /// Angular frequencies with the hub kept at its rate, ascending.
  std::vector<double> frequencies() {
    const LinearModel model = linearise(arm, steady.state, drives, {.coordinates_only = true, .joints_locked = true});
    std::vector<double> result;
    for (const std::complex<double>& pole : model.poles) {
      EXPECT_LT(std::abs(pole.real()), 1e-6);
      if (pole.imag() > 0) result.push_back(pole.imag());
    }
    return result;
  }
};

// A. D. Wright et al., J. Appl. Mech. 49 (1982) 197: out of the plane of rotation; in it the square is less by that of the rate.
TEST(ExactSmallMotion, SpinningBoomsStiffen) {
  for (const auto& [rate, flap] : {std::pair{0.0, 3.5160}, {2.0, 4.1373}, {6.0, 7.3604}, {12.0, 13.1702}}) {
    Boom boom("strains: {bending_y: 5, bending_z: 5}", rate);
    const std::vector<double> found = boom.frequencies();
    EXPECT_NEAR(found[1], flap, 3e-4 * flap) << rate;
    EXPECT_NEAR(found[0] * found[0] + rate * rate, found[1] * found[1], 1e-8 * flap * flap) << rate;
  }
}

// EA u″ = −ρA Ω² (x + u): u(1) = tan λ/λ − 1 with λ² = ρAΩ²/EA. Under weight it also sags, less than at rest.
TEST(ExactSmallMotion, SpinningBoomsStretchAndSagLess) {
  const double lambda = std::sqrt(36.0 / 1000);
  const Boom boom("strains: {bending_z: 3, axial: 4}", 6);
  const Kinematics kin = kinematics_of(boom.arm, boom.steady.state);
  EXPECT_NEAR(kin.X_WT[0].p.x(), std::tan(lambda) / lambda, 1e-9);
  EXPECT_LT(boom.steady.residual, 1e-9);
  const Boom heavy("strains: {bending_z: 4}", 6, "[0, 0, -12]"), resting("strains: {bending_z: 4}", 0, "[0, 0, -12]");
  VectorXd vdot(heavy.arm.nv());
  Articulated(heavy.arm).forward(heavy.steady.state, VectorXd::Zero(heavy.arm.nv()), vdot);
  EXPECT_LT(vdot.cwiseAbs().maxCoeff(), 1e-8) << "about the direction of its weight it stays as it is";
  const auto sag = [](const Boom& of) { return kinematics_of(of.arm, of.steady.state).X_WT[0].p.z(); };
  EXPECT_LT(sag(resting), -0.6);
  EXPECT_GT(sag(heavy), 0.5 * sag(resting));
  const Rest rest(bar("strains: {bending_z: 4}", "", "[0, 0, -12]"));
  EXPECT_NEAR(sag(resting), rest.tip().z(), 1e-9);
}

}  // namespace
}  // namespace lithe::testing
