// Natural frequencies against closed forms, published numbers, and a frame in global coordinates.
#include "lithe/analyse/modes.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "analyse/frame_witness.h"
#include "lithe/analyse/eigenmodes.h"
#include "lithe/analyse/statics.h"
#include "lithe/arm/small_motion.h"
#include "lithe/describe/case_reader.h"
#include "lithe/drive/drives.h"
#include "support/naganathan_arms.h"
#include "support/reference_data.h"

namespace lithe::testing {
namespace {

Arm arm_of(const std::string& text) { return Arm::assemble(read_case_text(text).data); }

std::vector<double> frequencies(const Arm& arm, const State& state, JointCondition joints = JointCondition::locked,
                                int count = 12) {
  std::vector<double> list;
  for (const Mode& mode :
       natural_modes_of(arm, state, {.joints = joints, .count = count, .servos = {}, .driven = {}}).modes)
    list.push_back(mode.frequency_hz);
  return list;
}

/// A root of f between a and b.
template <class F>
double root(F f, double a, double b) {
  for (int k = 0; k < 200; ++k) {
    const double middle = (a + b) / 2;
    ((f(middle) > 0) == (f(a) > 0) ? a : b) = middle;
  }
  return (a + b) / 2;
}

// A bar of ρA = 2, EI = 8, L = 2: ω = (βL)²/L² · √(EI/ρA) = (βL)²/2.
std::string bar(const std::string& flexibility) {
  return fmt::format(R"(
arm:
  gravity: [0, 0, 0]
  rotary_inertia: false
  links:
    - name: bar
      joint: {{name: pivot, type: revolute, axis: [0, 0, 1]}}
      beam:
        length: 2
        material: {{E: 8, nu: 0.3, density: 2}}
        section: {{area: 1, Iy: 1, Iz: 1, J: 2}}
        flexibility: {{{}}}
)",
                     flexibility);
}

TEST(BeamModes, ClassicalSupportsHaveTheirTranscendentalRoots) {
  const Arm arm = arm_of(bar("modes: {bending_y: 14}"));
  struct Support {
    End root, tip;
    double (*equation)(double x);
    double near;  // the n-th root is close to near + nπ
    int rigid;    // motions of which the bar's own plane and the other, in which it is stiff, both have their share
  };
  // Each divided by cosh or sinh, so that nothing grows.
  const Support supports[] = {
      {End::clamped, End::free, [](double x) { return std::cos(x) + 1 / std::cosh(x); }, -M_PI / 2, 0},
      {End::clamped, End::clamped, [](double x) { return std::cos(x) - 1 / std::cosh(x); }, M_PI / 2, 0},
      {End::free, End::free, [](double x) { return std::cos(x) - 1 / std::cosh(x); }, M_PI / 2, 5},
      {End::pinned, End::pinned, [](double x) { return std::sin(x); }, 0, 0},
      {End::clamped, End::pinned, [](double x) { return std::sin(x) - std::cos(x) * std::tanh(x); }, M_PI / 4, 0},
      {End::pinned, End::free, [](double x) { return std::sin(x) - std::cos(x) * std::tanh(x); }, M_PI / 4, 2},
  };
  for (const Support& support : supports) {
    const ModesResult result = beam_modes(arm.link(0), support.root, support.tip, 12);
    std::vector<double> bending;
    for (const Mode& mode : result.modes)
      if (mode.frequency_hz > 0) bending.push_back(mode.frequency_hz);
    // Spin about its own axis has no inertia in this bar.
    EXPECT_EQ(result.n_rigid, support.rigid) << support.near;
    for (int n = 1; n <= 4; ++n) {
      const double x = root(support.equation, support.near + n * M_PI - 0.4, support.near + n * M_PI + 0.4);
      EXPECT_NEAR(bending.at(size_t(n - 1)), x * x / 2 / (2 * M_PI), 1e-9 * x * x) << n << " " << support.near;
    }
  }
}

TEST(BeamModes, FreeBeamHasItsRigidMotionsAndNoMore) {
  const Arm arm = arm_of(bar("elements: 6"));
  // Twist and spin about the axis have no inertia in this bar: five rigid motions are left.
  EXPECT_EQ(beam_modes(arm.link(0), End::free, End::free, 12).n_rigid, 5);
  EXPECT_EQ(beam_modes(arm.link(0), End::pinned, End::free, 12).n_rigid, 2);
  EXPECT_EQ(beam_modes(arm.link(0), End::pinned, End::pinned, 12).n_rigid, 0);
  EXPECT_EQ(beam_modes(arm.link(0), End::clamped, End::free, 12).n_rigid, 0);
}

TEST(Modes, LockedBarIsACantilever) {
  for (const char* flexibility : {"modes: {bending_y: 14}", "modes: {bending_y: 4, shape: clamped-free}"}) {
    const Arm arm = arm_of(bar(flexibility));
    const auto f = frequencies(arm, State::zero(arm));
    for (int n = 1; n <= 3; ++n) {
      const double x =
          root([](double b) { return std::cos(b) + 1 / std::cosh(b); }, (n - 0.5) * M_PI - 0.4, (n - 0.5) * M_PI + 0.4);
      EXPECT_NEAR(f[size_t(n - 1)], x * x / 2 / (2 * M_PI), 1e-10 * x * x) << flexibility;
    }
  }
}

TEST(Modes, FreeBarOnItsPivotIsPinnedFree) {
  const Arm arm = arm_of(bar("modes: {bending_y: 12}"));
  const ModesResult result =
      natural_modes_of(arm, State::zero(arm), {.joints = JointCondition::free, .count = 4, .servos = {}, .driven = {}});
  EXPECT_EQ(result.n_rigid, 1);
  EXPECT_EQ(result.modes[0].frequency_hz, 0);
  EXPECT_EQ(result.modes[0].description.rfind("pivot ", 0), 0u) << result.modes[0].description;
  const double x = root([](double b) { return std::sin(b) - std::cos(b) * std::tanh(b); }, 3.7, 4.2);
  EXPECT_NEAR(result.modes[1].frequency_hz, x * x / 2 / (2 * M_PI), 1e-9);
}

TEST(Modes, EffectiveMassesSumToTheMass) {
  // What is left out of the sum is what sits on the clamp, less with every shape.
  const Arm arm = arm_of(bar("modes: {bending_y: 12, axial: 12}"));
  const ModesResult result = natural_modes_of(
      arm, State::zero(arm), {.joints = JointCondition::locked, .count = 1000, .servos = {}, .driven = {}});
  Vector3d sum = Vector3d::Zero();
  for (const Mode& mode : result.modes) sum += mode.effective_mass;
  EXPECT_NEAR(result.mass, 4, 1e-12);
  // How far 1 is from the span of x^a … x^b on [0, 1], squared (Müntz): the product of (i/(i+1))², so (a/(b+1))².
  EXPECT_NEAR(sum.x(), 4 * (1 - 1 / 169.0), 1e-8);  // x … x^12
  EXPECT_NEAR(sum.y(), 4 * (1 - 1 / 49.0), 1e-8);   // x² … x^13
  EXPECT_EQ(sum.z(), 0);
  // The first bending mode of a cantilever takes 61.3 % of its mass. (This bar's first mode of all is a stretch.)
  double largest = 0;
  for (const Mode& mode : result.modes) largest = std::max(largest, mode.effective_mass.y());
  EXPECT_NEAR(largest / 4, 0.6131, 2e-4);
}

// ------------------------------------------------------------------------------------------------ whole arms

std::string naganathan_case1(const std::string& flexibility) {
  std::string text = R"(
arm:
  gravity: [0, 0, 0]
  links:
)";
  for (const char* names : {"name: upper\n      joint: {name: shoulder", "name: fore\n      joint: {name: elbow"})
    text += fmt::format(R"(    - {}, type: revolute, axis: [0, 0, 1]}}
      beam:
        length: 1
        material: {{E: 70 GPa, nu: 0.3, density: 2700 kg/m^3}}
        section: {{area: 350 mm^2, Iy: 10000 mm^4, Iz: 10000 mm^4, J: 20000 mm^4, shear: 0.8864}}
        flexibility: {{{}}}
)",
                        names, flexibility);
  return text;
}

struct Row {
  double elbow_deg;
  int elements;
  double f[3];
};
std::vector<Row> naganathan_rows() {
  std::ifstream file(LITHE_SOURCE_DIR "/tests/reference/naganathan_case1_frequencies.csv");
  std::string line;
  std::getline(file, line);
  std::vector<Row> rows;
  while (std::getline(file, line)) {
    std::replace(line.begin(), line.end(), ',', ' ');
    std::istringstream words(line);
    Row row{};
    words >> row.elbow_deg >> row.elements >> row.f[0] >> row.f[1] >> row.f[2];
    rows.push_back(row);
  }
  EXPECT_EQ(rows.size(), 30u);
  return rows;
}

TEST(Modes, NaganathanCase1ByHisElements) {
  for (const Row& row : naganathan_rows()) {
    const Arm arm = arm_of(naganathan_case1(fmt::format("elements: {}, element: linear, plane: y", row.elements)));
    State state = State::zero(arm);
    state.q[arm.link(1).q0] = row.elbow_deg * M_PI / 180;
    const auto f = frequencies(arm, state, JointCondition::locked, 3);
    // What rounding leaves of λ, whose largest is (4e5 rad/s / 24 rad/s)² above the lowest, and more with many short elements.
    const double tolerance = row.elements > 20 ? 1e-8 : 1e-9;
    for (size_t k = 0; k < 3; ++k)
      EXPECT_NEAR(f[k], row.f[k], tolerance * row.f[k]) << row.elbow_deg << "°, " << row.elements << " elements";
  }
}

TEST(Modes, NaganathanCase1ByBetterElementsAndByPolynomials) {
  for (const Row& row : naganathan_rows()) {
    if (row.elements != 100) continue;
    // His elements converge as h²: a hundred are 1e-4 from the limit. Two of the element that cannot lock are nearer to
    // it than twenty of his in the first mode.
    const Arm few = arm_of(naganathan_case1("elements: 2, plane: y")),
              many = arm_of(naganathan_case1("elements: 12, plane: y")),
              modes = arm_of(naganathan_case1("modes: {bending_y: 6, axial: 3}"));
    for (const Arm* arm : {&few, &many, &modes}) {
      State state = State::zero(*arm);
      state.q[arm->link(1).q0] = row.elbow_deg * M_PI / 180;
      const auto f = frequencies(*arm, state, JointCondition::locked, 3);
      // Polynomials know no shear, which takes some 3e-4 off these slender bars at the third frequency.
      const double tolerance = arm == &few ? 2e-3 : arm == &many ? 2e-4 : 2e-3;
      for (size_t k = 0; k < (arm == &few ? 1u : 3u); ++k) EXPECT_NEAR(f[k], row.f[k], tolerance * row.f[k]);
    }
  }
}

TEST(Modes, NaganathanSpatialArm) {
  const nlohmann::json witness = reference("naganathan_3R_spatial.json");
  for (const auto& reference_case : witness["cases"]) {
    const double gravity = 1e-4;  // so little that sag is proportional to it and the reference's linear frame applies
    const Case data = read_case_text(spatial_table_3(reference_case["shoulder_deg"], reference_case["elbow_deg"],
                                                     reference_case["post"] == "flexible post", -gravity))
                          .data;
    const Arm arm = Arm::assemble(data);
    const State state = Drives(data, arm).initial_state();
    const auto f = frequencies(arm, state, JointCondition::locked, 4);
    for (size_t k = 0; k < 4; ++k)
      EXPECT_NEAR(f[k], reference_case["frequencies_hz"][k].get<double>(), 1e-6 * f[k]) << reference_case.dump();
    const StaticResult rest = static_deflection(arm, state, arm.last_link(), {});
    const Vector3d sag = vector(reference_case["gravity_tip_m"]);
    EXPECT_LT((rest.sag * 9.81 / gravity - sag).norm(), 1e-6 * sag.norm()) << reference_case.dump();
  }
}

TEST(Modes, ConfigurationAndPayloadAsAFrameInGlobalCoordinates) {
  // Unequal bending stiffnesses, an axis out of the plane, a heavy payload with inertia: nothing symmetric about it.
  const double E = 70e9, nu = 0.3, rho = 2700, A = 3e-4, Iy = 4e-9, Iz = 1.2e-8, J = 9e-9;
  for (const double mass : {0.0, 1.7}) {
    for (const double elbow : {0.0, 0.7, 2.0}) {
      const std::string beam = fmt::format(
          "material: {{E: {}, nu: {}, density: {}}}, section: {{area: {}, Iy: {}, Iz: {}, J: {}}}, flexibility: "
          "{{modes: "
          "{{bending_y: 6, bending_z: 6, torsion: TORSION, axial: 3}}}}",
          E, nu, rho, A, Iy, Iz, J);
      // Without rotary inertia twist needs something to turn: the forearm's has only a payload with inertia.
      auto twisted = [&](int n) { return std::string(beam).replace(beam.find("TORSION"), 7, std::to_string(n)); };
      const Arm arm = arm_of(fmt::format(R"(
arm:
  gravity: [0, 0, 0]
  rotary_inertia: false
  links:
    - {{name: upper, joint: {{name: shoulder, type: revolute, axis: [0, 0, 1]}}, beam: {{length: 1.1, {}}}}}
    - {{name: fore, joint: {{name: elbow, type: revolute, axis: [0, 0.6, 0.8]}}, beam: {{length: 0.8, {}}}, payload: {{mass: {}, inertia: {{xx: {}, yy: 0.003, zz: 0.004}}}}}}
)",
                                         twisted(1), twisted(mass > 0 ? 1 : 0), mass, mass > 0 ? 0.01 : 0.007));
      State state = State::zero(arm);
      state.q[0] = 0.3;
      state.q[arm.link(1).q0] = elbow;
      const auto ours = frequencies(arm, state, JointCondition::locked, 6);

      const Matrix3d R1 = Eigen::AngleAxisd(0.3, Vector3d::UnitZ()).matrix();
      const Matrix3d R2 = R1 * Eigen::AngleAxisd(elbow, Vector3d(0, 0.6, 0.8)).matrix();
      const Vector3d p1 = 1.1 * R1.col(0), p2 = p1 + 0.8 * R2.col(0);
      const double G = E / (2 * (1 + nu));
      const Vector3d inertia(mass > 0 ? 0.01 : 0.007, 0.003, 0.004);
      const Frame frame({{Vector3d::Zero(), p1, R1.col(1), E * A, E * Iy, E * Iz, G * J, rho * A},
                         {p1, p2, R2.col(1), E * A, E * Iy, E * Iz, mass > 0 ? G * J : 1e10, rho * A}},
                        16, {mass, R2 * inertia.asDiagonal() * R2.transpose()});
      const VectorXd expected = frame.frequencies(6);
      // Sixteen cubic elements are good to 1e-6 at the sixth frequency, our shapes to some 6e-6.
      for (int k = 0; k < 6; ++k)
        EXPECT_NEAR(ours[size_t(k)], expected[k], 7e-6 * expected[k]) << "mass " << mass << ", elbow " << elbow;
    }
  }
}

TEST(Modes, FloatingArmHasSixRigidMotionsAndOnePerFreeJoint) {
  const std::string text = R"(
arm:
  base: {type: free, rigid: {mass: 20, inertia: {xx: 1, yy: 1.2, zz: 0.9}}}
  links:
    - {name: a, joint: {name: p, type: revolute, axis: [0, 0, 1]}, beam: {length: 1, material: aluminium, section: {circle: {diameter: 20 mm}}, flexibility: {modes: {bending_y: 2, bending_z: 2, torsion: 1}}}}
    - {name: b, joint: {name: q, type: revolute, axis: [0, 1, 0]}, beam: {length: 1, material: aluminium, section: {circle: {diameter: 20 mm}}, flexibility: {elements: 3}}, payload: {mass: 1}}
)";
  const Arm arm = arm_of(text);
  State state = State::zero(arm);
  state.q[arm.link(2).q0] = 0.8;
  auto result = [&](JointCondition joints) {
    return natural_modes_of(arm, state, {.joints = joints, .count = 12, .servos = {}, .driven = {}});
  };
  EXPECT_EQ(result(JointCondition::locked).n_rigid, 6);
  EXPECT_EQ(result(JointCondition::free).n_rigid, 8);
  EXPECT_EQ(result(JointCondition::free).n_unstable, 0);
  EXPECT_EQ(result(JointCondition::locked).modes[5].frequency_hz, 0);
  EXPECT_GT(result(JointCondition::locked).modes[6].frequency_hz, 1);
}

TEST(Modes, WeightStiffensWhatHangsAndTopplesWhatStands) {
  // A stiff pendulum: ω² = ±g/l about its two balances.
  const Arm arm = arm_of(R"(
arm:
  links:
    - {name: a, joint: {name: p, type: revolute, axis: [0, 1, 0]}, rigid: {length: 2, mass: 3, com: [2, 0, 0]}}
)");
  State state = State::zero(arm);
  state.q[0] = M_PI / 2;  // down
  EXPECT_NEAR(frequencies(arm, state, JointCondition::free)[0], std::sqrt(9.81 / 2) / (2 * M_PI), 1e-12);
  state.q[0] = -M_PI / 2;
  const ModesResult up =
      natural_modes_of(arm, state, {.joints = JointCondition::free, .count = 1, .servos = {}, .driven = {}});
  EXPECT_EQ(up.n_unstable, 1);
  EXPECT_NEAR(up.modes[0].growth_rate, std::sqrt(9.81 / 2), 1e-12);
}

TEST(Modes, ServosAndTransmissionsAreSprings) {
  const Arm arm = arm_of(R"(
arm:
  gravity: [0, 0, 0]
  links:
    - {name: a, joint: {name: p, type: revolute, axis: [0, 0, 1], motor: {inertia: 0.5, stiffness: 300}}, rigid: {length: 1, mass: 2, com: [1, 0, 0]}}
)");
  const State state = State::zero(arm);
  // Locked: the link swings against its held rotor.
  const auto locked = frequencies(arm, state);
  ASSERT_EQ(locked.size(), 1u);
  EXPECT_NEAR(locked[0], std::sqrt(300.0 / 2) / (2 * M_PI), 1e-12);
  // Free: both turn together, or against each other.
  const auto free = frequencies(arm, state, JointCondition::free);
  EXPECT_EQ(free[0], 0);
  EXPECT_NEAR(free[1], std::sqrt(300 * (1 / 2.0 + 1 / 0.5)) / (2 * M_PI), 1e-12);
  // A servo of 200 N m/rad on the rotor: two springs and two masses, ω⁴ − ω²(k₁/J + k₂/J + k₂/m) + k₁k₂/(Jm) = 0.
  const ModesResult servo =
      natural_modes_of(arm, state, {.joints = JointCondition::servo, .count = 2, .servos = {{1, 200}}, .driven = {}});
  const double b = 200 / 0.5 + 300 / 0.5 + 300 / 2.0, c = 200 * 300 / (0.5 * 2), s = std::sqrt(b * b / 4 - c);
  EXPECT_NEAR(servo.modes[0].frequency_hz, std::sqrt(b / 2 - s) / (2 * M_PI), 1e-10);
  EXPECT_NEAR(servo.modes[1].frequency_hz, std::sqrt(b / 2 + s) / (2 * M_PI), 1e-10);
}

TEST(Modes, NamesSayWhatMoves) {
  const Arm arm = arm_of(R"(
arm:
  gravity: [0, 0, 0]
  links:
    - name: mast
      joint: {name: p, type: revolute, axis: [0, 0, 1]}
      beam: {length: 1, material: steel, section: {circle: {diameter: 10 mm}}, flexibility: {modes: {bending_y: 2, bending_z: 2, torsion: 1, axial: 1}}}
      payload: {mass: 0.1, inertia: {xx: 2, yy: 1e-6, zz: 1e-6}}
)");
  const ModesResult result = natural_modes_of(
      arm, State::zero(arm), {.joints = JointCondition::locked, .count = 20, .servos = {}, .driven = {}});
  EXPECT_EQ(result.modes[0].description, "mast torsion 100 %");
  EXPECT_EQ(result.modes.back().description, "mast stretch 100 %");
  const std::string second = result.modes[1].description;
  EXPECT_TRUE(second.rfind("mast bending", 0) == 0) << second;
  double kinetic = 0, potential = 0;
  for (const Participation& part : result.modes[1].participation) {
    kinetic += part.kinetic;
    potential += part.potential;
  }
  EXPECT_NEAR(kinetic, 1, 1e-10);
  EXPECT_NEAR(potential, 1, 1e-10);
}

TEST(Modes, SegmentsAreNamedByTheirLinkAndNeverLocked) {
  const Arm arm = arm_of(R"(
arm:
  gravity: [0, 0, 0]
  links:
    - {name: mast, joint: {name: p, type: revolute, axis: [0, 0, 1]}, beam: {length: 1, material: steel, section: {circle: {diameter: 10 mm}}, flexibility: {segments: 12}}}
)");
  const ModesResult result = natural_modes_of(
      arm, State::zero(arm), {.joints = JointCondition::locked, .count = 4, .servos = {}, .driven = {}});
  EXPECT_EQ(result.n_coordinates, arm.nv() - 1);
  EXPECT_EQ(result.modes[0].description.rfind("mast bending", 0), 0u) << result.modes[0].description;
  const double EI = 210e9 * M_PI / 4 * std::pow(0.005, 4);
  // Twelve segments: about a percent from the beam. (Steel of the catalogue: within a few percent of 207–210 GPa, 7850.)
  EXPECT_NEAR(result.modes[0].frequency_hz, 3.516 / (2 * M_PI) * std::sqrt(EI / (7850 * M_PI * 25e-6)), 0.3);
}

// ------------------------------------------------------------------------------------------------ solvers

/// Three round bars in line.
Arm round_bars(const char* joint) {
  std::string text = "arm:\n  gravity: [0, 0, 0]\n  links:\n";
  for (int i = 0; i < 3; ++i)
    text += fmt::format(
        "    - {{name: l{0}, joint: {{name: j{0}, type: {1}}}, beam: {{length: 1, material: aluminium, section: "
        "{{circle: {{diameter: 30 mm}}}}, flexibility: {{elements: 20}}}}}}\n",
        i, joint);
  return arm_of(text);
}

TEST(Eigenmodes, LanczosFindsWhatTheDenseSolverFinds) {
  struct Trial {
    const char* joint;
    double shift;
    int zeros;
  };
  for (const Trial& trial : {Trial{"fixed", 0, 0}, Trial{"revolute, axis: [0, 0, 1]", 100, 3}}) {
    const Arm arm = round_bars(trial.joint);
    const State state = State::zero(arm);
    const SparseMatrixd M = sparse_mass_matrix(arm, state);
    Triplets entries;
    add_elastic_stiffness(arm, state, entries);
    const SparseMatrixd K = assembled(arm.nv(), entries);
    const Eigenmodes dense = dense_modes(K, M, 16, trial.shift), lanczos = lanczos_modes(K, M, 16, trial.shift);
    EXPECT_EQ((dense.lambda.array() == 0).count(), trial.zeros);
    EXPECT_EQ((lanczos.lambda.array() == 0).count(), trial.zeros);
    for (int k = 0; k < 16; ++k) {
      EXPECT_NEAR(lanczos.lambda[k], dense.lambda[k], 1e-8 * dense.lambda[k]);
      const VectorXd shape = lanczos.shapes.col(k);
      EXPECT_NEAR(shape.dot(M * shape), 1, 1e-10);
      if (lanczos.lambda[k] > 0) {
        EXPECT_LT((K * shape - lanczos.lambda[k] * (M * shape)).norm(), 1e-6 * (K * shape).norm());
      }
    }
    // Round and clamped: every bending mode has a twin, which Lanczos's method may overlook.
    if (trial.zeros == 0) {
      for (const int k : {0, 2, 4}) EXPECT_NEAR(lanczos.lambda[k + 1] / lanczos.lambda[k], 1, 1e-7);
    }
  }
}

TEST(Eigenmodes, ManyCoordinatesAgreeWithFewBetterOnes) {
  // 3000 coordinates of a straight arm of two links, against twelve of the same element: a fourth-order element is converged.
  auto text = [](int n) { return naganathan_case1(fmt::format("elements: {}", n)); };
  const Arm fine = arm_of(text(250)), coarse = arm_of(text(12));
  ASSERT_EQ(fine.nv(), 3002);
  const auto a = frequencies(fine, State::zero(fine), JointCondition::locked, 6),
             b = frequencies(coarse, State::zero(coarse), JointCondition::locked, 6);
  for (size_t k = 0; k < 6; ++k) EXPECT_NEAR(a[k], b[k], 2e-5 * b[k]);
}

}  // namespace
}  // namespace lithe::testing
