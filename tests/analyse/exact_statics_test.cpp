// Arms with exact links at rest, from case file to equilibrium: large deflections, buckling, sag.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "closed_form/elastica.h"
#include "lithe/drive/sag.h"
#include "lithe/dynamics/articulated/articulated.h"
#include "support/allocation_count.h"
#include "support/clamped_bar.h"
#include "support/reference_data.h"

namespace lithe::testing {
namespace {

using std::numbers::pi;

// The errors of each number of terms are those of the link alone (tests/beam/exact_statics_test.cpp): statics adds none.
TEST(ExactStatics, DeadForceBendsAsTheElastica) {
  for (const auto& [alpha, n, error] :
       {std::tuple{0.5, 3, 6e-8}, {1.0, 4, 3e-7}, {2.0, 4, 3e-6}, {5.0, 6, 2e-7}, {10.0, 6, 2e-6}, {20.0, 8, 3e-7}}) {
    const Rest rest(bar(fmt::format("strains: {{bending_y: {}}}", n),
                        fmt::format("loads: [{{link: bar, force: [0, {}, 0]}}]", alpha)));
    const closed_form::Elastica exact = closed_form::elastica_under_force(alpha);
    EXPECT_NEAR(rest.tip().x(), exact.x, error) << alpha;
    EXPECT_NEAR(rest.tip().y(), exact.y, error) << alpha;
    EXPECT_NEAR(rest.result.tip_turn.z(), exact.angle, error) << alpha;
    EXPECT_LT(rest.result.rest.residual, 1e-11);
    EXPECT_FALSE(rest.result.rest.buckles_at) << alpha;
  }
}

TEST(ExactStatics, MomentRollsItUpToACircle) {
  for (const double part : {0.25, 0.5, 1.0}) {
    const double mu = 2 * pi * part;
    const Rest rest(bar("strains: {bending_y: 4, bending_z: 1}",
                        fmt::format("loads: [{{link: bar, moment: [0, 0, {:.17g}]}}]", mu)));
    const closed_form::Elastica exact = closed_form::elastica_under_moment(mu);
    EXPECT_NEAR(rest.tip().x(), exact.x, 2e-6);
    EXPECT_NEAR(rest.tip().y(), exact.y, 2e-6);
    EXPECT_NEAR(rest.tip().z(), 0, 1e-12);
    EXPECT_NEAR(rest.result.rest.state.q[0], mu, 1e-11);
  }
}

/// y(1) of y″ = f(s, y) from y(0), y′(0), and ∫cos y, ∫sin y, by Runge and Kutta's method.
struct Swing {
  double y, rate, x, z;
};
template <class F>
Swing integrated(F f, double y0, double rate0) {
  constexpr int n = 2000;
  const double h = 1.0 / n;
  Eigen::Vector4d at(y0, rate0, 0, 0);
  const auto slope = [&](double s, const Eigen::Vector4d& v) {
    return Eigen::Vector4d(v[1], f(s, v[0]), std::cos(v[0]), std::sin(v[0]));
  };
  for (int i = 0; i < n; ++i) {
    const double s = i * h;
    const Eigen::Vector4d a = slope(s, at), b = slope(s + h / 2, at + h / 2 * a), c = slope(s + h / 2, at + h / 2 * b),
                          d = slope(s + h, at + h * c);
    at += h / 6 * (a + 2 * b + 2 * c + d);
  }
  return {at[0], at[1], at[2], at[3]};
}

// Seen from its tip, where force and axes are known, the bar is an initial value problem.
TEST(ExactStatics, FollowerForceStaysAcrossTheTip) {
  for (const auto& [alpha, error] : {std::pair{2.0, 1e-8}, {6.0, 3e-7}, {12.0, 5e-6}}) {
    const Swing from_tip = integrated([&](double, double turned) { return alpha * std::cos(turned); }, 0, 0);
    const double angle = from_tip.y;
    // The way from the root, in the root's axes: the tip's turn is the angle, and the bar runs backwards.
    const double along = from_tip.x * std::cos(angle) + from_tip.z * std::sin(angle),
                 across = from_tip.x * std::sin(angle) - from_tip.z * std::cos(angle);
    const auto off = [&](int n) {
      const Rest rest(bar(fmt::format("strains: {{bending_y: {}}}", n),
                          fmt::format("loads: [{{link: bar, force: [0, {}, 0], axes: link}}]", alpha)));
      // The first curvature is the turn of the tip.
      return std::max({std::abs(rest.tip().x() - along), std::abs(rest.tip().y() - across),
                       std::abs(rest.result.rest.state.q[0] - angle)});
    };
    EXPECT_LT(off(8), error) << alpha;
    EXPECT_GT(off(5), 3 * off(8)) << alpha;
  }
}

// y″ = −w (1 − s) cos y, clamped, with no moment at the tip.
TEST(ExactStatics, OwnWeightAndSpreadLoadsBendAlike) {
  const double w = 12;
  double low = 0, high = 10;
  const auto sag = [&](double rate) {
    return integrated([&](double s, double y) { return -w * (1 - s) * std::cos(y); }, 0, rate);
  };
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (sag(middle).rate > 0 ? high : low) = middle;
  }
  const Swing exact = sag(low);
  const Rest heavy(bar("strains: {bending_z: 7}", "", "[0, 0, -12]")),
      loaded(bar("strains: {bending_z: 7}", "loads: [{link: bar, distributed: {force: [0, 0, -12]}}]"));
  for (const Rest* rest : {&heavy, &loaded}) {
    EXPECT_NEAR(rest->tip().x(), exact.x, 2e-6);
    EXPECT_NEAR(rest->tip().z(), -exact.z, 2e-6);
  }
}

// E. H. Dowell, J. Traybar, Princeton AMS reports 1194 and 1257 (1975); data of O. A. Bauchau et al., Multibody Syst. Dyn. 37 (2016). Tips [mm] by
// an independent program, without shear; four terms and order 4 are within 3e-3 of them.
TEST(ExactStatics, PrincetonBeam) {
  const double h = 12.3777e-3, b = 3.2024e-3, E = 71.7e9, stiff = b * h * h * h / 12, soft = h * b * b * b / 12;
  const nlohmann::json table = reference("exact_statics.json").at("princeton");
  const VectorXd angles = vector(table.at("angles_deg"));
  ASSERT_EQ(table.at("loads").size(), 3u);
  for (const auto& [newtons, tips] : table.at("loads").items()) {
    const double load = std::stod(newtons);
    const VectorXd u_y = vector(tips.at("u_y_mm")), u_z = vector(tips.at("u_z_mm"));
    for (int i = 0; i < 7; ++i) {
      const double angle = angles[i] * pi / 180;
      const Rest rest(fmt::format(R"(
arm:
  gravity: [0, 0, 0]
  links:
    - name: beam
      joint: {{type: fixed}}
      beam: {{length: 0.508, material: {{E: {}, nu: 0.31, density: 2700}}, section: {{area: {:.17g}, Iy: {:.17g}, Iz: {:.17g}, J: {:.17g}}},
              flexibility: {{strains: {{bending_y: 4, bending_z: 4, torsion: 4}}}}}}
loads: [{{link: beam, force: [0, {:.17g}, {:.17g}]}}]
)",
                                  E, b * h, soft, stiff, 0.198 * (soft + stiff), load * std::cos(angle),
                                  load * std::sin(angle)));
      EXPECT_NEAR(1e3 * rest.result.sag.y(), u_y[i], 3e-3) << load << " N, " << angles[i] << "°";
      EXPECT_NEAR(1e3 * rest.result.sag.z(), u_z[i], 3e-3) << load << " N, " << angles[i] << "°";
    }
  }
}

// M. Géradin, A. Cardona, Flexible Multibody Dynamics (2001): published −0.596, −2.159, 0.6720; all digits from finite elements in absolute
// coordinates. EA 4.8e8, kGA 3.231e8, EI 9.346e6.
TEST(ExactStatics, ShearingCantileverOfGeradinAndCardona) {
  const Rest rest(R"(
arm:
  gravity: [0, 0, 0]
  links:
    - name: beam
      joint: {type: fixed}
      beam: {length: 5, material: {E: 1e10, nu: -0.4, density: 1000},
             section: {area: 0.048, Iy: 9.346e-4, Iz: 9.346e-4, J: 1e-3, shear: 0.80775},
             flexibility: {strains: {bending_z: 6, axial: 6, shear_z: 6}}}
loads: [{link: beam, force: [0, 0, -600 kN]}]
)");
  const VectorXd tip = vector(reference("exact_statics.json").at("geradin_cardona").at("u_x u_z turn"));
  EXPECT_NEAR(rest.result.sag.x(), tip[0], 3e-8);
  EXPECT_NEAR(rest.result.sag.z(), tip[1], 3e-8);
  EXPECT_NEAR(rest.result.tip_turn.y(), std::abs(tip[2]), 3e-8);
}

// The straight column is in equilibrium under any load; beyond Euler's it does not stay there. With n terms his load is found too
// high by 7.6e-3, 1.5e-4, 1.4e-6 of itself (n = 2, 3, 4).
TEST(ExactStatics, ColumnsBuckleAtEulersLoad) {
  const double euler = pi * pi / 4;
  for (const auto& [n, excess] : {std::pair{2, 7.6e-3}, {4, 1.5e-6}}) {
    const Rest light(bar(fmt::format("strains: {{bending_y: {0}, bending_z: {0}}}", n),
                         fmt::format("loads: [{{link: bar, force: [{}, 0, 0]}}]", -0.999 * euler))),
        heavy(bar(fmt::format("strains: {{bending_y: {0}, bending_z: {0}}}", n),
                  fmt::format("loads: [{{link: bar, force: [{}, 0, 0]}}]", -2 * euler)));
    EXPECT_FALSE(light.result.rest.buckles_at);
    ASSERT_TRUE(heavy.result.rest.buckles_at);
    EXPECT_NEAR(*heavy.result.rest.buckles_at, (1 + excess) / 2, 2.5e-4);  // two of the shortest steps
  }
}

// Of several equilibria under these loads, the one that a growing load reaches: a slightly bent column far beyond Euler's load, and a bar
// rolled up by a moment against a thrust.
TEST(ExactStatics, LoadsThatGrowLeadToOneOfSeveralEquilibria) {
  const char *const plane = "strains: {bending_y: 8}", *const space =
                                                           "strains: {bending_y: 6, bending_z: 3, torsion: 2}";
  for (const auto& [flexibility, thrust, side, moment] : {std::tuple{plane, -10.0, 0.1, 0.0},
                                                          {plane, -25.0, 0.5, 0.0},
                                                          {plane, -60.0, 5.0, 0.0},
                                                          {plane, -20.0, 0.0, 4.0},
                                                          {space, -20.0, 0.0, 4.0}}) {
    const auto loaded = [&](double part) {
      return bar(flexibility,
                 fmt::format("loads: [{{link: bar, force: [{:.17g}, {:.17g}, 0], moment: [0, 0, {:.17g}]}}]",
                             part * thrust, part * side, part * moment));
    };
    const Rest rest(loaded(1));
    State state = State::zero(rest.arm);
    constexpr int steps = 200;
    for (int k = 1; k <= steps; ++k) {
      const Case data = read_case_text(loaded(double(k) / steps)).data;
      const Drives drives(data, rest.arm);
      state = find_equilibrium(rest.arm, state, held_by_motors(rest.arm), rest.arm.gravity(), drives.loads().unscaled())
                  .state;
    }
    EXPECT_LT((rest.result.rest.state.q - state.q).cwiseAbs().maxCoeff(), 1e-9) << thrust;
    EXPECT_FALSE(rest.result.rest.buckles_at) << thrust;
    EXPECT_GT(rest.tip().y(), 0) << thrust;
    EXPECT_LT(rest.tip().x(), 0.2) << thrust;
  }
}

// A wall at d beside the tip attracts it by c/(gap)². A spring of stiffness 3 EI/L³ holds it until it has moved by d/3: c = 4 k d³/27.
TEST(ExactStatics, SnapsWhereNoEquilibriumIsLeft) {
  const double d = 0.01, c = 2 * 4 * 3 * d * d * d / 27;  // twice what it bears
  const Rest rest(bar("strains: {bending_y: 3}", ""));
  const LinkSection tip = tip_section(rest.arm, 0);
  struct Pull {
    SectionFrame frame;
    double force, slope;
  };
  const auto pull = [&](const SmallMotion& motion) {
    SectionFrame frame(motion.arm(), tip, motion.state(), motion.kinematics());
    const double gap = d - frame.X_WS.p.y();
    return Pull{frame, c / (gap * gap), 2 * c / (gap * gap * gap)};
  };
  const OuterForces wall{
      [&](const SmallMotion& motion, Eigen::Ref<VectorXd> force) {
        const Pull now = pull(motion);
        for (int k = 0; k < now.frame.size(); ++k) force[k] += now.force * now.frame.slide(k).y();
      },
      [&](const SmallMotion& motion, Triplets& entries) {
        const Pull now = pull(motion);
        add_stiffness({&tip, Vector3d::Zero(), {0, now.force, 0}, Vector3d::Zero(), false}, motion, entries);
        for (int k = 0; k < now.frame.size(); ++k)
          for (int l = 0; l < now.frame.size(); ++l)
            entries.emplace_back(k, l, -now.slope * now.frame.slide(k).y() * now.frame.slide(l).y());
      }};
  try {
    static_deflection(rest.arm, rest.drives.initial_state(), 0, wall);
    FAIL() << "there is no equilibrium";
  } catch (const EquilibriumError& error) {
    double percent = 0;
    ASSERT_EQ(std::sscanf(error.what(), "the arm buckles or snaps at %lf %%", &percent), 1) << error.what();
    EXPECT_NEAR(percent, 50, 0.05);
  }
}

TEST(ExactStatics, StartsSagAndHoldAlike) {
  const std::string strains = "strains: {bending_y: 2, bending_z: 3, torsion: 2}",
                    there = "initial: {p: -20 deg, q: 50 deg, deformation: static}";
  const Rest rest(two_links(strains, "initial: {p: -20 deg, q: 50 deg}"));
  ASSERT_GT(rest.result.tip_turn.norm(), 0.4) << "must sag far";
  // `deformation: static`
  const Case data = read_case_text(two_links(strains, there)).data;
  const State start = Drives(data, rest.arm).initial_state();
  EXPECT_LT((start.q - rest.result.rest.state.q).cwiseAbs().maxCoeff(), 1e-12);
}

// What gravity compensation of the sagged arm asks of the joints, also where steps by the unloaded stiffness would not converge.
TEST(ExactStatics, SagIsThatOfStatics) {
  for (const char* const mass : {"0.2", "0.8", "3.2"}) {
    std::string text =
        two_links("strains: {bending_y: 2, bending_z: 3, torsion: 2}", "initial: {p: -20 deg, q: 50 deg}");
    text.replace(text.find("mass: 0.2"), 9, fmt::format("mass: {}", mass));
    const Rest rest(text);
    Articulated model(rest.arm);
    Sag sag(rest.arm);
    const VectorXd& q = rest.result.rest.state.q;
    State still = State::zero(rest.arm);
    VectorXd weight(rest.arm.nv());
    const auto settle = [&] {
      still.q.setZero();
      for (const int i : {0, 1}) still.q[rest.arm.link(i).q0] = q[rest.arm.link(i).q0];
      return sag.weight(still, model, weight);
    };
    ASSERT_TRUE(settle()) << mass;
    EXPECT_LT((still.q - q).cwiseAbs().maxCoeff(), 1e-10) << mass;
    for (const int i : {0, 1}) {
      const int v0 = rest.arm.link(i).v0;
      EXPECT_NEAR(weight[v0], rest.result.rest.force[v0], 1e-9) << mass;
    }
    const long before = allocations();
    settle();
    EXPECT_EQ(allocations(), before);
  }
}

}  // namespace
}  // namespace lithe::testing
