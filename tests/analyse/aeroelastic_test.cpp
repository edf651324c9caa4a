// Stability in the wind: against formulas for sections on springs, other models of the same wing, published wings, and the eigenvalues of arm and
// air marched together.
#include "lithe/analyse/aeroelastic.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "lithe/aero/linearised_lattice.h"
#include "lithe/aero/steady.h"
#include "lithe/describe/case_reader.h"
#include "lithe/drive/lifting_surfaces.h"
#include "lithe/spatial/dense_eigen.h"
#include "support/random_arm.h"
#include "support/winged_arms.h"

namespace lithe::testing {
namespace {

AeroelasticResult stability(const Case& data, double fastest, JointCondition joints = JointCondition::locked,
                            int count = 8, int n_speeds = 60) {
  const Arm arm = Arm::assemble(data);
  AeroelasticOptions options;
  options.modes.joints = joints;
  options.modes.count = count;
  options.slowest = 0.05 * fastest;
  options.fastest = fastest;
  options.n_speeds = n_speeds;
  return aeroelastic_stability(data, arm, State::zero(arm), options);
}

// q_D = K/(S e C_Lα): the moment about the axis per angle, from the steady solver at a small incidence.
TEST(Divergence, OfASectionOnASpringIsTheFormula) {
  for (const double axis : {0.35, 0.5, 0.8}) {
    const Case data = read_case_text(wing_on_a_spring(axis, 6, 10, "speed: 20 m/s")).data;
    const Arm arm = Arm::assemble(data);
    const LiftingSurfaces surfaces(data, arm);
    const double angle = 1e-4;
    State turned = State::zero(arm);
    turned.q[0] = angle;
    aero::Points corners;
    surfaces.place(turned, kinematics_of(arm, turned), corners);
    const aero::SteadySolution flow =
        aero::steady(surfaces.lattice(), corners, {.velocity = {20, 0, 0}}, aero::SymmetryPlane{});
    const double moment = flow.loads.moment.y();  // nose up about the span, which is the axis
    const double expected = 20 * std::sqrt(700 * angle / moment);
    const AeroelasticResult found = stability(data, 60, JointCondition::free);
    ASSERT_TRUE(found.divergence_speed);
    EXPECT_NEAR(*found.divergence_speed, expected, 1e-5 * expected) << axis;  // second order in the angle
  }
  // Ahead of the centre of pressure the air restores.
  EXPECT_FALSE(stability(read_case_text(wing_on_a_spring(0.1, 6, 10, "speed: 20 m/s")).data, 60, JointCondition::free)
                   .divergence_speed);
}

// Segments, shapes and elements of one wing agree as they are refined.
TEST(Divergence, DoesNotDependOnHowTheWingIsModelled) {
  auto speed = [](const std::string& flexibility) {
    return *stability(read_case_text(plate_wing(flexibility, 0, 4, 12, "speed: 60 m/s, wake_length: 20")).data, 200,
                      JointCondition::locked, 4, 2)
                .divergence_speed;
  };
  const double shapes = speed("{modes: {bending_z: 3, torsion: 4}}"), elements = speed("{elements: 16}");
  EXPECT_NEAR(shapes, elements, 2e-3 * elements);
  EXPECT_NEAR(speed("{segments: 6}"), elements, 5e-3 * elements);
  EXPECT_NEAR(speed("{segments: 12}"), elements, 1e-3 * elements);
  // Unloaded, an exact link has the small motions of polynomials; its surface moves by the link's own sections, that of
  // shapes by straight lines between 21 stations, which errs by (1/20)²/4.
  EXPECT_NEAR(speed("{strains: {bending_z: 3, torsion: 4}}"), shapes, 1e-3 * shapes);
}

// The measured Pazy wing (Technion; Riso & Cesnik, J. Aircraft 2023) in three-dimensional air: Nastran 100.97 m/s, their beam 98.32. Here with its
// stiffness at mid-span throughout, which is most of it: the published distribution is nearly uniform.
TEST(Divergence, OfThePazyWingIsThePublishedOne) {
  const Case data = read_case_text(R"(
arm:
  gravity: [0, 0, 0]
  base: {type: fixed, origin: {rpy: [0, 0, 90 deg]}}
  links:
    - name: wing
      joint: {type: fixed}
      beam: {length: 0.55 m, material: {E: 1 GPa, nu: 0.3, G: 1 GPa, density: 1000}, section: {area: 6.5e-4, Iy: 4.475e-9, Iz: 3.29e-6, J: 6.51e-9}, flexibility: {elements: 12}}
      surface: {chord: 0.1 m, axis: 0.44, panels_chord: 6, panels_span: 18}
wind: {speed: 50 m/s, mirror: [0, 1, 0], wake_length: 20}
)")
                        .data;
  const double speed = *stability(data, 100, JointCondition::locked, 2, 2).divergence_speed;
  EXPECT_NEAR(speed, 100, 0.03 * 100);
}

/// Goland's wing (1945): a uniform cantilever, its mass centre a tenth of the chord behind the axis it twists about. Stiff links with their mass off
/// the axis, springs EI/l and GJ/l between their middles.
std::string goland(int n, double density, int panels_chord) {
  constexpr double span = 6.096, chord = 1.8288, mass = 35.71, inertia = 8.64, EI = 9.77e6, GJ = 0.987e6,
                   behind = 0.1829;
  const double l = span / n;
  std::string text = R"(
arm:
  gravity: [0, 0, 0]
  base: {type: fixed, origin: {rpy: [0, 0, 90 deg]}}
  links:
)";
  auto link = [&](const std::string& name, const std::string& joint, double length) {
    // Inertia about the mass centre; I about the axis is given.
    const double m = mass * length, Ixx = (inertia - mass * behind * behind) * length, Iyy = m * length * length / 12;
    text += fmt::format(
        "    - {{name: {}, joint: {}, rigid: {{length: {}, mass: {}, com: [{}, {}, 0], inertia: {{xx: {}, yy: {}, zz: "
        "{}}}}}, surface: {{chord: {}, "
        "axis: 0.33, panels_chord: {}, panels_span: {}}}}}\n",
        name, joint, length, m, length / 2, -behind, Ixx, Iyy, Iyy + Ixx, chord, panels_chord,
        length < 0.75 * l ? 1 : 2);
  };
  link("w0", "{type: fixed}", l / 2);
  for (int k = 1; k <= n; ++k) {
    text += fmt::format(
        "    - {{name: h{}, joint: {{name: bend{}, type: revolute, axis: [0, 1, 0], spring: {{stiffness: {}}}}}, "
        "rigid: {{mass: 0}}}}\n",
        k, k, EI / l);
    link(fmt::format("w{}", k),
         fmt::format("{{name: twist{}, type: revolute, axis: [1, 0, 0], spring: {{stiffness: {}}}}}", k, GJ / l),
         k == n ? l / 2 : l);
  }
  return text + fmt::format("wind: {{speed: 100 m/s, density: {}, mirror: [0, 1, 0], wake_length: 15}}\n", density);
}

TEST(Flutter, OfGolandsWingIsThePublishedOne) {
  const Case data = read_case_text(goland(10, 1.02, 4)).data;
  const Arm arm = Arm::assemble(data);
  // In vacuum, exact beam: 48.152, 95.703, 243.73 rad/s.
  const ModesResult modes = natural_modes_of(arm, State::zero(arm), {.joints = JointCondition::free, .count = 3});
  const double exact[] = {48.152, 95.703, 243.73};
  for (size_t k = 0; k < 3; ++k)
    EXPECT_NEAR(modes.modes[k].frequency_hz * 2 * std::numbers::pi, exact[k], 5e-3 * exact[k]);
  // SHARPy, 16 × 32 panels, 10 chords of wake, four modes: 166 m/s ± 1 %; lattices in several papers 163 to 169, near 69 rad/s. They reach as far
  // as the tip, where they lift a few per cent too much; ours is drawn in by a quarter of a panel, and does not depend on the panels (170.5 m/s).
  const AeroelasticResult found = stability(data, 250, JointCondition::free, 4, 50);
  ASSERT_TRUE(found.flutter);
  EXPECT_NEAR(found.flutter->speed, 166, 0.03 * 166);
  EXPECT_NEAR(found.flutter->frequency_hz * 2 * std::numbers::pi, 69, 0.03 * 69);
}

/// The largest growth per second of arm and air marched together: Newmark's average acceleration beside the lattice's own march.
double growth(const Case& data, double speed, int count) {
  const Arm arm = Arm::assemble(data);
  const State state = State::zero(arm);
  const LiftingSurfaces surfaces(data, arm);
  const Kinematics kin = kinematics_of(arm, state);
  aero::Points corners;
  surfaces.place(state, kin, corners);
  const double dt = surfaces.shortest_panel() / speed;
  aero::LatticeOptions how;
  how.wake_rows = int(std::ceil(data.wind->wake_length * surfaces.longest_chord() / (speed * dt)));
  how.symmetry = aero::SymmetryPlane{};
  const aero::LinearisedLattice lattice(surfaces.lattice(), corners,
                                        {.velocity = {speed, 0, 0}, .density = data.wind->density}, dt, how);
  const ModesResult modes = natural_modes_of(arm, state, {.joints = JointCondition::free, .count = count});
  const int n = int(modes.modes.size());
  MatrixXd X(arm.nv(), n);
  VectorXd lambda(n);
  for (int k = 0; k < n; ++k) {
    X.col(k) = modes.modes[size_t(k)].shape;
    lambda[k] = std::pow(2 * std::numbers::pi * modes.modes[size_t(k)].frequency_hz, 2);
  }
  const aero::DiscreteSystem air = lattice.system(surfaces.shapes(state, kin) * X);
  // Unknowns [q; q̇; q̈; x]; with q₊ = q + dt q̇ + dt²/4 (q̈ + q̈₊), q̇₊ = q̇ + dt/2 (q̈ + q̈₊), q̈₊ + Λ q₊ = f₊.
  const Eigen::Index N = 3 * n + air.A.rows();
  MatrixXd L = MatrixXd::Identity(N, N), R = MatrixXd::Zero(N, N);
  const MatrixXd I = MatrixXd::Identity(n, n);
  L.block(0, 2 * n, n, n) = -dt * dt / 4 * I;
  R.block(0, 0, n, n) = I;
  R.block(0, n, n, n) = dt * I;
  R.block(0, 2 * n, n, n) = dt * dt / 4 * I;
  L.block(n, 2 * n, n, n) = -dt / 2 * I;
  R.block(n, n, n, n) = I;
  R.block(n, 2 * n, n, n) = dt / 2 * I;
  L.block(2 * n, 0, n, n) = MatrixXd(lambda.asDiagonal()) - air.D_displacement;
  L.block(2 * n, n, n, n) = -air.D_velocity;
  R.block(2 * n, 3 * n, n, air.A.rows()) = air.C;
  L.block(3 * n, 0, air.A.rows(), n) = -air.B_displacement;
  L.block(3 * n, n, air.A.rows(), n) = -air.B_velocity;
  R.bottomRightCorner(air.A.rows(), air.A.rows()) = air.A;
  const Eigen::VectorXcd z = complex_eigenvalues(L.partialPivLu().solve(R));
  return std::log(z.cwiseAbs().maxCoeff()) / dt;
}

// The p-k method finds the speed at which the march itself neither grows nor decays.
TEST(Flutter, IsWhereArmAndAirTogetherGrow) {
  const Case data = read_case_text(goland(4, 1.225, 4)).data;
  const AeroelasticResult found = stability(data, 250, JointCondition::free, 3, 50);
  ASSERT_TRUE(found.flutter);
  EXPECT_LT(growth(data, 0.98 * found.flutter->speed, 3), 0);
  EXPECT_GT(growth(data, 1.02 * found.flutter->speed, 3), 0);
}

// n bodies on springs and a beam of n segments on the same springs: one wing, whether a corner at a hinge belongs to two links or to two pieces.
TEST(Divergence, OfBodiesThatMeetEdgeToEdgeIsTheBeams) {
  const std::string wind = "speed: 60 m/s, wake_length: 12";
  auto of_bodies = [&](int n) {
    return stability(read_case_text(plate_of_bodies(n, 0, 4, 16, wind)).data, 150, JointCondition::free, 3, 40);
  };
  auto of_segments = [&](int n) {
    const double stiffness = 200e9 * 0.127 * std::pow(0.001455, 3) / 12 / (0.3429 / n);
    return stability(
        read_case_text(plate_wing(fmt::format("{{segments: {}, springs: {{rule: paper, torsion: [{}]}}, locked: "
                                              "[bending_y]}}",
                                              n, stiffness),
                                  0, 4, 16, wind))
            .data,
        150, JointCondition::locked, 3, 40);
  };
  for (const auto& [n, tolerance] : {std::pair{4, 0.01}, {8, 0.003}}) {
    const AeroelasticResult bodies = of_bodies(n), segments = of_segments(n);
    EXPECT_NEAR(*bodies.divergence_speed, *segments.divergence_speed, tolerance * *segments.divergence_speed) << n;
    EXPECT_NEAR(bodies.flutter->speed, segments.flutter->speed, tolerance * segments.flutter->speed) << n;
    // abdelaziz04: divergence at about 110 m/s, unstable at 100, not at 60.
    if (n == 4) {
      EXPECT_NEAR(*bodies.divergence_speed, 109, 2);
      EXPECT_GT(bodies.flutter->speed, 60);
      EXPECT_LT(bodies.flutter->speed, 100);
    }
  }
}

// A wing and its mirror image, fore and aft, in wind that is mirrored too.
TEST(Divergence, IsThatOfTheMirrorImage) {
  auto speed = [](const char* trailing, const char* direction) {
    const std::string text =
        plate_wing("{segments: 4}", 0, 4, 12, fmt::format("speed: 60 m/s, direction: {}", direction));
    const std::vector<Override> side{{"links[wing].surface.trailing", trailing}, {"links[wing].surface.axis", "0.4"}};
    return *stability(read_case_text(text, "case", side).data, 100, JointCondition::locked, 2, 2).divergence_speed;
  };
  const double forward = speed("[0, -1, 0]", "[1, 0, 0]");
  EXPECT_NEAR(speed("[0, 1, 0]", "[-1, 0, 0]"), forward, 1e-9 * forward);
}

// A surface has its wake at its trailing edge: wind from behind or along the span is not for it.
TEST(Divergence, IsRefusedForWindThatDoesNotComeOverTheLeadingEdge) {
  auto refusal = [](const Vector3d& direction) -> std::string {
    Case data = read_case_text(plate_wing("{segments: 4}", 0, 4, 12, "speed: 60 m/s")).data;
    data.wind->direction = direction;
    data.wind->mirror.reset();
    try {
      stability(data, 100, JointCondition::locked, 2, 2);
    } catch (const FieldError& error) {
      EXPECT_EQ(error.path(), "wind.direction");
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(refusal({1, 0, 0}), "accepted");
  EXPECT_EQ(refusal({1, 1.5, 0}), "accepted");  // a wing swept by 56°
  EXPECT_NE(refusal({-1, 0, 0}).find("from its trailing to its leading edge, 180 deg away"), std::string::npos);
  EXPECT_NE(refusal({0, 1, 0}).find("along its span, 90 deg away"), std::string::npos);
  EXPECT_NE(refusal({0.3, -1, 0}).find("along its span, 73 deg away"), std::string::npos);
}

// What does not twist does not diverge: rounding is no speed.
TEST(Divergence, IsNotFoundInRounding) {
  for (const char* flexibility :
       {"{elements: 4, plane: z}", "{segments: 4, locked: [torsion]}", "{modes: {bending_z: 3}}"})
    EXPECT_FALSE(stability(read_case_text(plate_wing(flexibility, 0, 4, 12, "speed: 60 m/s")).data, 100,
                           JointCondition::locked, 2, 2)
                     .divergence_speed)
        << flexibility;
  // Nor does a wing as stiff as a wall, below the speed of sound.
  const std::string stiff = "{segments: 4, springs: {torsion: [1e5], bending: [1e5]}}";
  EXPECT_FALSE(
      stability(read_case_text(plate_wing(stiff, 0, 4, 12, "speed: 60 m/s")).data, 100, JointCondition::locked, 2, 2)
          .divergence_speed);
}

TEST(Divergence, SaysWhenNothingMovesAndWhenNothingHolds) {
  auto refusal = [](const std::string& text, JointCondition joints) -> std::string {
    try {
      stability(read_case_text(text).data, 60, joints);
    } catch (const FieldError& error) {
      return error.what();
    }
    return "accepted";
  };
  std::string text = wing_on_a_spring(0.5, 2, 4, "speed: 20 m/s");
  EXPECT_EQ(refusal(text, JointCondition::locked),
            "nothing can diverge or flutter: no link bends, and the joints are locked");
  const std::string spring = ", spring: {stiffness: 700}";
  text.erase(text.find(spring), spring.size());
  EXPECT_EQ(refusal(text, JointCondition::free), "nothing holds 'pitch' against the wind: it has no stiffness");
}

TEST(Flutter, NeedsSurfacesAlongTheWind) {
  Case data = read_case_text(plate_wing("{segments: 4}", 0, 4, 12, "speed: 60 m/s")).data;
  data.wind->direction = Vector3d(1, 0, 0.2);
  try {
    stability(data, 100);
    FAIL();
  } catch (const FieldError& error) {
    EXPECT_EQ(error.path(), "wind.direction");
  }
}

}  // namespace
}  // namespace lithe::testing
