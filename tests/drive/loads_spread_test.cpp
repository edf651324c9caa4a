// Loads spread along links: weight as a witness, virtual work by differences of poses, textbooks, resultants, section forces, energy.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <ctime>

#include "lithe/analyse/statics.h"
#include "lithe/describe/case_reader.h"
#include "lithe/describe/sections.h"
#include "lithe/drive/drives.h"
#include "lithe/dynamics/articulated/articulated.h"
#include "lithe/dynamics/derivatives/inverse_derivatives.h"
#include "lithe/simulate/finite_element/floating_model.h"
#include "lithe/simulate/finite_element/nominal_model.h"
#include "support/allocation_count.h"
#include "support/draw.h"
#include "support/random_arm.h"
#include "support/run_results.h"

namespace lithe::testing {
namespace {

double largest(const MatrixXd& values) { return values.size() > 0 ? values.cwiseAbs().maxCoeff() : 0; }

Load spread(const std::string& link, const Vector3d& force, const Vector3d& moment = Vector3d::Zero(),
            Axes axes = Axes::world) {
  Load load{.link = link, .axes = axes};
  load.spread = Spread{.force = force, .moment = moment};
  return load;
}

VectorXd forces_of(const Loads& loads, const Arm& arm, const State& state) {
  VectorXd tau = VectorXd::Zero(arm.nv());
  loads.add(arm, state, kinematics_of(arm, state), 0, tau);
  return tau;
}

RC_GTEST_PROP(LoadsSpread, AlikeToWeightAreWeight, ()) {
  // Beams of twice the density weigh more by what a load of their weight per length does. Weight comes from the links' integrals.
  const std::uint32_t seed = any_seed();
  Case data =
      random_flexible_case(any_link_count(6), seed,
                           {.arm = {.payloads = false, .base = BaseType::free}, .elements = true, .segments = true});
  data.arm.gravity = Vector3d(1, -3, 9) + random_vector(3, seed).head<3>();
  Case heavier = data;
  for (LinkSpec& link : heavier.arm.links) {
    if (!link.beam) continue;
    const Material& material = link.beam->material;
    const double area = section_constants(section_at(*link.beam, 0), material.nu).area;
    data.loads.push_back(spread(link.name, material.density * area * data.arm.gravity));
    link.beam->material.density *= 2;
  }
  const Arm arm = Arm::assemble(data), twice = Arm::assemble(heavier);
  State state = random_state(arm, seed);
  state.v.setZero();
  const VectorXd still = VectorXd::Zero(arm.nv());
  VectorXd held(arm.nv()), held_twice(arm.nv());
  Articulated(arm).inverse(state, still, held);
  Articulated(twice).inverse(state, still, held_twice);
  const VectorXd tau = forces_of(Loads(data.loads, "loads", arm), arm, state);
  // Worst of 5000 arms: 2e-13 of the largest force.
  RC_ASSERT(largest(held - held_twice - tau) <= 1e-11 * largest(held_twice));
}

TEST(LoadsSpread, DoTheWorkThatPosesSay) {
  // Twenty-one stations along a link of few smooth shapes: Boole's rule of their virtual work, with poses moved by differences.
  for (const Axes axes : {Axes::world, Axes::link})
    for (const std::uint32_t seed : {3u, 11u, 20u}) {
      Case data = random_flexible_case(4, seed, {.most = {2, 2, 2, 1}});
      for (size_t i = 0; i < data.arm.links.size(); ++i) {
        const auto& beam = data.arm.links[i].beam;
        if (!beam || !std::holds_alternative<Modes>(beam->flexibility)) continue;
        const VectorXd some = random_vector(6, seed + std::uint32_t(i), 10);
        Load load = spread(data.arm.links[i].name, some.head<3>(), some.tail<3>(), axes);
        load.spread->shape = {{0, 0.5}, {beam->length, 2}};
        data.loads.push_back(load);
      }
      const Arm arm = Arm::assemble(data);
      const State state = random_state(arm, seed);
      const VectorXd tau = forces_of(Loads(data.loads, "loads", arm), arm, state);
      VectorXd expected = VectorXd::Zero(arm.nv());
      for (const Load& load : data.loads) {
        const int i_link = arm.find_link(load.link);
        const Link& link = arm.link(i_link);
        if (!link.flex) continue;
        const Stations& stations = link.flex->stations;
        ASSERT_EQ(stations.x.size(), 21u);
        auto pose = [&](const State& at, int k) {
          const VectorXd delta = at.q.segment(link.flex_q0(), link.n_flex());
          const Vector3d u = VectorXd(stations.phi * delta).segment<3>(3 * k),
                         theta = VectorXd(stations.psi * delta).segment<3>(3 * k);
          return kinematics_of(arm, at).X_WB[size_t(i_link)] *
                 Pose{exp_rotation(theta), Vector3d(stations.x[size_t(k)], 0, 0) + u};
        };
        for (int k = 0; k < 21; ++k) {
          const double boole[] = {14, 32, 12, 32};
          const double weight =
              (k == 0 || k == 20 ? 7 : boole[k % 4]) * 2.0 / 45 * stations.x[1] * (0.5 + 1.5 * k / 20);
          const Pose X = pose(state, k);
          const Matrix3d R = axes == Axes::link ? X.R : Matrix3d::Identity();
          for (int c = 0; c < arm.nv(); ++c) {
            auto difference = [&](double h) {
              State plus = state, minus = state;
              displace(arm, plus.q, h * VectorXd::Unit(arm.nv(), c));
              displace(arm, minus.q, -h * VectorXd::Unit(arm.nv(), c));
              const Pose a = pose(plus, k), b = pose(minus, k);
              Vector6d change;
              change << log_rotation(a.R * b.R.transpose()), a.p - b.p;
              return Vector6d(change / (2 * h));
            };
            const Vector6d move = (4 * difference(5e-4) - difference(1e-3)) / 3;
            expected[c] +=
                weight * ((R * load.spread->moment).dot(move.head<3>()) + (R * load.spread->force).dot(move.tail<3>()));
          }
        }
      }
      EXPECT_GT(largest(tau), 1);
      // Boole's rule over twentieths leaves 1e-6 of the second natural shape; differences are good to 1e-9.
      EXPECT_LT(largest(tau - expected), 1e-5 * largest(expected)) << seed;
    }
}

TEST(LoadsSpread, StiffnessAndSlopesAreDifferencesOfForces) {
  for (const Axes axes : {Axes::world, Axes::link}) {
    Case data = random_flexible_case(3, 11, {.elements = true, .every_kind = true});
    for (const LinkSpec& link : data.arm.links)
      if (link.beam) data.loads.push_back(spread(link.name, {3, -4, 5}, {1, 2, -1}, axes));
    const Arm arm = Arm::assemble(data);
    const State state = random_state(arm, 5);
    const Loads loads(data.loads, "loads", arm);
    const int nv = arm.nv();
    MatrixXd expected(nv, nv);
    for (int k = 0; k < nv; ++k) {
      double most = 1;
      for (const Link& link : arm.links())
        if (k >= link.flex_v0() && k < link.flex_v0() + link.n_flex())
          most = std::max(most, largest(MatrixXd(link.flex->stations.psi.col(k - link.flex_v0()))));
      auto difference = [&](double h) {
        State plus = state, minus = state;
        displace(arm, plus.q, h / most * VectorXd::Unit(nv, k));
        displace(arm, minus.q, -h / most * VectorXd::Unit(nv, k));
        return VectorXd((forces_of(loads, arm, plus) - forces_of(loads, arm, minus)) * most / (2 * h));
      };
      expected.col(k) = (4 * difference(5e-4) - difference(1e-3)) / 3;
    }
    const VectorXd tau = forces_of(loads, arm, state);
    const double scale = largest(expected) + largest(tau);
    Triplets entries;
    loads.unscaled().add_stiffness(small_motion(arm, state), entries);
    EXPECT_LT(largest(MatrixXd(assembled(nv, entries)) + expected), 1e-9 * scale);
    InverseDerivatives with(arm), without(arm);
    const VectorXd vdot = random_vector(nv, 6);
    const std::vector<SectionLoad> list = loads.list_in_full();
    with.update(state, vdot, list);
    without.update(state, vdot);
    EXPECT_LT(largest(without.force() - with.force() - tau), 1e-10 * (scale + largest(without.force())));
    EXPECT_LT(largest(without.by_position() - with.by_position() - expected),
              2e-9 * (scale + largest(without.by_position())));
  }
}

// EI = 100 about both axes, L = 2, no weight.
constexpr double EI = 100, L = 2;
std::string cantilever(const std::string& flexibility, const std::string& loads) {
  return fmt::format(R"(
arm:
  gravity: [0, 0, 0]
  links:
    - name: bar
      joint: {{name: pivot, type: revolute, axis: [0, -1, 0]}}
      beam: {{length: 2, material: {{E: 1e8, nu: 0.25, density: 500}}, section: {{area: 1e-3, Iy: 1e-6, Iz: 1e-6, J: 2e-6}}, flexibility: {}}}
loads: [{}]
)",
                     flexibility, loads);
}

struct Rest {
  Case data;
  Arm arm;
  Drives drives;
  StaticResult result;
  explicit Rest(const std::string& text)
      : data(read_case_text(text).data),
        arm(Arm::assemble(data)),
        drives(data, arm),
        result(static_deflection(arm, drives.initial_state(), arm.last_link(), drives.loads().unscaled())) {}
  double shear_stiffness() const { return arm.link(0).flex->stations.stiffness[0][2]; }
};

TEST(LoadsSpread, DeflectACantileverAsTextbooksSay) {
  const double q = 0.01;
  const struct {
    const char* load;
    double bending, force, moment;  // tip deflection by bending; whole load; its moment about the root
  } textbook[] = {
      {"force: [0, 0, 0.01 N/m]", q * std::pow(L, 4) / (8 * EI), q * L, q * L * L / 2},
      // largest at the root; at the tip
      {"force: [0, 0, 0.01], shape: [{at: 0, factor: 1}, {at: 2, factor: 0}]", q * std::pow(L, 4) / (30 * EI),
       q * L / 2, q * L * L / 6},
      {"force: [0, 0, 0.01], shape: [{at: 0, factor: 0}, {at: 2, factor: 1}]", 11 * q * std::pow(L, 4) / (120 * EI),
       q * L / 2, q * L * L / 3},
      // from 0.5 to 1.3: the difference of q a³ (4L − a)/24 EI at both
      {"force: [0, 0, 0.01], from: 0.5, to: 1.3",
       q * (std::pow(1.3, 3) * (4 * L - 1.3) - std::pow(0.5, 3) * (4 * L - 0.5)) / (24 * EI), q * 0.8, q * 0.8 * 0.9},
  };
  for (const auto& [load, bending, force, moment] : textbook) {
    const std::string text = fmt::format("{{link: bar, distributed: {{{}}}}}", load);
    // Elements are exact at their nodes, shear too: the shear angle adds the moment over the shear stiffness.
    const Rest elements(cantilever("{elements: 4}", text));
    const double exact = bending + moment / elements.shear_stiffness();
    EXPECT_NEAR(elements.result.sag.z(), exact, 1e-11) << load;
    EXPECT_NEAR(elements.result.rest.force[0], -moment, 1e-12) << load;
    // Few smooth shapes come near; segments, reduced elements too. Modes have no shear.
    EXPECT_NEAR(Rest(cantilever("{modes: {bending_z: 5}}", text)).result.sag.z(), bending, 1e-4 * bending) << load;
    EXPECT_NEAR(Rest(cantilever("{modes: {bending_z: 8, shape: clamped-free}}", text)).result.sag.z(), bending,
                1e-3 * bending)
        << load;
    EXPECT_NEAR(Rest(cantilever("{elements: 8, keep: 10}", text)).result.sag.z(), exact, 4e-3 * exact) << load;
    EXPECT_NEAR(Rest(cantilever("{segments: 12}", text)).result.sag.z(), bending, 0.01 * bending) << load;
  }
  // A moment per length m about −y: w″ = m (L − x)/EI.
  const Rest turned(cantilever("{elements: 3}", "{link: bar, distributed: {moment: [0, -0.01 N.m/m, 0]}}"));
  EXPECT_NEAR(turned.result.sag.z(), 0.01 * L * L * L / (3 * EI), 1e-11);
  EXPECT_NEAR(turned.result.tip_turn.y(), -0.01 * L * L / (2 * EI), 1e-11);
}

TEST(LoadsSpread, MakeShearFallAlongTheSpan) {
  for (const char* const flexibility : {"{modes: {bending_z: 4}}", "{elements: 3}", "{elements: 4, keep: 8}"}) {
    const Rest rest(cantilever(flexibility,
                               "{link: bar, distributed: {force: [0, 0, 0.01], from: 0.25, shape: [{at: 0.5, "
                               "factor: 1}, {at: 1.5, factor: 3}]}}"));
    const Loads::Wrenches outer = rest.drives.loads().wrenches_in_full(rest.arm, rest.result.rest.state);
    InternalForces internal(rest.arm);
    internal.update(rest.result.rest.state, VectorXd::Zero(rest.arm.nv()), outer.on_tips, outer.along);
    // q = 0.01 (1 from 0.25 to 0.5; then rising by 2 until 1.5; 3 beyond): shear and moment beyond x, from the tip inwards.
    auto beyond = [](double x) {
      auto density = [](double s) { return s < 0.25 ? 0 : 0.01 * std::clamp(2 * s, 1.0, 3.0); };
      Eigen::Vector2d sum(0, 0);
      const double breaks[] = {0, 0.25, 0.5, 1.5, 2};
      for (int i = 0; i < 4; ++i) {
        const double a = std::max(breaks[i], x), b = std::max(breaks[i + 1], x), m = (a + b) / 2, h = (b - a) / 6;
        // Simpson's rule is exact for the quadratic (s − x) q(s); from inside each piece.
        const double in = 1e-13;
        for (const auto& [s, w] : {std::pair{a + in, h}, {m, 4 * h}, {b - in, h}})
          sum += w * density(s) * Eigen::Vector2d(1, s - x);
      }
      return sum;
    };
    const auto& x = rest.arm.link(0).flex->stations.x;
    for (size_t k = 0; k < x.size(); ++k) {
      const Eigen::Vector2d expected = beyond(x[k]);
      EXPECT_NEAR(internal.along(0).force(2, Eigen::Index(k)), expected[0], 1e-13) << flexibility << x[k];
      // The bent arm shortens every lever by 1e-7 of itself.
      EXPECT_NEAR(internal.along(0).moment(1, Eigen::Index(k)), -expected[1], 1e-8) << flexibility << x[k];
    }
  }
}

TEST(LoadsSpread, OnRigidLinksAreTheirResultants) {
  const std::string arm = R"(
arm:
  gravity: [0, 0, 0]
  links:
    - {name: a, joint: {name: j, type: revolute, axis: [0, -1, 0]}, rigid: {length: 1.5, mass: 1}}
    - {name: b, joint: {name: k, type: revolute, dh: {a: 0.4, alpha: 90 deg, convention: standard}}, rigid: {length: 0.3, mass: 1}}
    - name: c
      joint: {name: l, type: revolute, axis: [0, 1, 0]}
      beam: {length: 2, material: steel, section: {circle: {diameter: 20 mm}}, flexibility: rigid}
loads: [)";
  for (const char* const axes : {"world", "link"}) {
    const std::string more = fmt::format(", axes: {}}}", axes);
    const Rest spread(
        arm +
        "{link: a, distributed: {force: [0, 3, 6], moment: [1, 0, 2], from: 0.5, shape: [{at: 0.5, factor: 0}, "
        "{at: 1.5, factor: 1}]}" +
        more + ", {link: b, distributed: {force: [1, 2, 3]}" + more +
        ", {link: c, distributed: {force: [0, 2, 1], to: 1}" + more + "]\n"),
        points(arm + "{link: a, point: [1.1666666666666667, 0, 0], force: [0, 1.5, 3], moment: [0.5, 0, 1]" + more +
               ", {link: b, point: [0.15, 0, 0], force: [0.3, 0.6, 0.9]" + more +
               ", {link: c, point: [0.5, 0, 0], force: [0, 2, 1]" + more + "]\n");
    EXPECT_LT(largest(spread.result.rest.force - points.result.rest.force), 1e-14) << axes;
    EXPECT_GT(largest(points.result.rest.force), 1);
  }
}

TEST(LoadsSpread, WorkBalancesInRunsAndFactorsScale) {
  for (const char* const flexibility : {"{modes: {bending_y: 2, bending_z: 2, torsion: 1}}", "{segments: 3}"})
    for (const char* const axes : {"world", "link"}) {
      const Results results = results_of(
          cantilever(
              flexibility,
              fmt::format("{{link: bar, name: wind, axes: {}, distributed: {{force: [0.5, 1, 2], moment: [0.1, 0.2, "
                          "0.3], from: 0.3, shape: [{{at: 1, factor: 1}}, {{at: 2, factor: 2}}]}}, scale: {{sinusoid: "
                          "{{amplitude: 1, frequency: 1.3 Hz}}}}}}",
                          axes)) +
          "events: [{at: 0.4 s, load: {name: wind, factor: 0.5}}]\n"
          "simulate: {for: 1 s, method: esdirk, rtol: 1e-9, atol: 1e-11}\n");
      double most = 0, open = 0;
      for (const double kinetic : series(results, "energy.kinetic")) most = std::max(most, kinetic);
      for (const double residual : series(results, "energy.residual")) open = std::max(open, std::abs(residual));
      EXPECT_GT(most, 0.1);
      EXPECT_LT(open, 1e-6 * most) << flexibility << axes;
    }
  const Rest rest(cantilever("{elements: 2}", "{link: bar, distributed: {force: [1, 2, 3]}}"));
  Loads loads(rest.data.loads, "loads", rest.arm);
  const State state = random_state(rest.arm, 4);
  const VectorXd whole = forces_of(loads, rest.arm, state);
  loads.set_factor(0, 0.25);
  EXPECT_LT(largest(forces_of(loads, rest.arm, state) - 0.25 * whole), 1e-15 * largest(whole));
}

TEST(LoadsSpread, CostLittleMoreThanAForceAtTheTip) {
  // 180 points of 8 shapes, whose displacements are added up once. Measured: 1.5 times a force at the tip; 100 times point by point.
  const Case data = read_case_text(R"(
arm:
  links:
    - name: bar
      joint: {name: pivot, type: revolute, axis: [0, -1, 0]}
      beam: {length: 1, material: steel, section: {circle: {diameter: 0.01}}, flexibility: {elements: 60, keep: 8}}
loads: [{link: bar, distributed: {force: [0, 0, 1]}}]
)")
                        .data;
  const Arm arm = Arm::assemble(data);
  const State state = random_state(arm, 1);
  const Kinematics kin = kinematics_of(arm, state);
  const Loads along(data.loads, "loads", arm), at_tip({{.link = "bar", .force = {0, 0, 1}}}, "loads", arm);
  VectorXd tau = VectorXd::Zero(arm.nv());
  const auto seconds = [&](const Loads& loads) {
    double least = 1e9;
    for (int k = 0; k < 5; ++k) {
      const std::clock_t begin = std::clock();
      for (int i = 0; i < 10000; ++i) loads.add(arm, state, kin, 0, tau);
      least = std::min(least, double(std::clock() - begin));
    }
    return least;
  };
  EXPECT_LT(seconds(along), 15 * seconds(at_tip));
}

TEST(LoadsSpread, OfTooManyPointsAreRefusedBeforeTheyAreMade) {
  Load load = spread("bar", {0, 0, 1});
  const int n = 100'000;
  for (int i = 0; i <= n; ++i) load.spread->shape.push_back({double(i) / n, 1.0 + i % 2});
  const Arm arm = Arm::assemble(read_case_text(R"(
arm:
  links:
    - name: bar
      joint: {name: pivot, type: revolute, axis: [0, -1, 0]}
      beam: {length: 1, material: steel, section: {circle: {diameter: 0.01}}, flexibility: {modes: {bending_z: 30}}}
)")
                                    .data);
  try {
    Loads({load}, "loads", arm);
    ADD_FAILURE() << "made";
  } catch (const FieldError& error) {
    EXPECT_EQ(error.path(), "loads[0].distributed");
    const std::string said = error.what();
    EXPECT_TRUE(
        said.ends_with(" points times shapes in the loads spread so far; at most 10000000: fewer elements or "
                       "shapes of the link, or fewer such loads"))
        << said;
    // Three points for the shares between stations, and more where only the shapes are smooth, of 30 shapes.
    EXPECT_GT(std::stod(said.substr(std::string("asks for ").size())), 6.0 * n * 30);
  }
}

TEST(LoadsSpread, AllocateNothing) {
  Case data = random_flexible_case(4, 3, {.elements = true});
  for (const LinkSpec& link : data.arm.links)
    if (link.beam) data.loads.push_back(spread(link.name, {3, -4, 5}));
  const Arm arm = Arm::assemble(data);
  const State state = random_state(arm, 5);
  const Loads loads(data.loads, "loads", arm);
  const Kinematics kin = kinematics_of(arm, state);
  VectorXd tau = VectorXd::Zero(arm.nv());
  std::vector<Vector6d> on_tips(size_t(arm.n_links()), Vector6d::Zero());
  std::vector<AlongLoad> along;
  std::vector<SectionLoad> listed;
  auto evaluate = [&] {
    loads.add(arm, state, kin, 0, tau);
    along.clear();
    loads.add_wrenches(arm, state, kin, 0, on_tips, along);
    loads.list(0, 0, listed);
  };
  evaluate();
  const long before = allocations();
  evaluate();
  EXPECT_EQ(allocations(), before);
}

const char* elements = R"(
arm:
  gravity: [0.3, -0.4, -9.81]
  links:
    - name: upper
      joint: {name: shoulder, type: revolute, axis: [0, -1, 0]}
      beam: &beam {length: 0.9, material: {E: 7 GPa, nu: 0.3, density: 2700}, section: {rectangle: {width_y: 30 mm, height_z: 12 mm}}, flexibility: {elements: 3, element: linear}}
    - name: fore
      joint: {name: elbow, type: revolute, axis: [0, 0.6, 0.8], origin: {xyz: [0, 0.05, 0.02], rpy: [0.3, 0.2, -0.1]}}
      beam: *beam
loads: [{link: upper, distributed: {force: [3, 4, 5], moment: [0.1, 0.2, 0.3], from: 0.2}}, {link: fore, distributed: {force: [-2, 1, 3]}, axes: link}]
)";

TEST(LoadsSpread, FiniteElementsFeelThemAsArticulatedDoes) {
  const Case data = read_case_text(elements).data;
  const Arm arm = Arm::assemble(data);
  Drives drives(data, arm);
  FloatingModel model(data, arm, drives);
  State state = State::zero(arm);
  state.q = random_vector(arm.nv(), 5);
  state.v = random_vector(arm.nv(), 6);
  for (const Link& link : arm.links()) state.q.segment(link.flex_q0(), link.n_flex()) *= 0.05;
  const VectorXd vdot = random_vector(arm.nv(), 7);
  VectorXd z, v, needed(arm.nv()), loads = VectorXd::Zero(arm.nv()), unbalanced(model.size());
  model.unknowns_of(state, z, v);
  model.unbalanced(0, z, v, vdot, unbalanced);
  Articulated(arm).inverse(state, vdot, needed);
  drives.add_loads(state, loads);
  EXPECT_GT(largest(loads), 1);
  EXPECT_LT(largest(model.forces() - needed + loads), 1e-11 * largest(needed));
}

TEST(LoadsSpread, LinearFiniteElementsDeflectAsStaticsSay) {
  const std::string text =
      cantilever("{elements: 6, element: linear}",
                 "{link: bar, distributed: {force: [0.001, 0.002, -0.003], moment: [0.001, 0, 0.002], "
                 "from: 0.4, to: 1.7}}") +
      "motion: {pivot: {dwell: {for: 1 s}}}\n";
  const Rest rest(text);
  Drives drives(rest.data, rest.arm);
  NominalModel model(rest.data, rest.arm, drives);
  VectorXd z;
  model.quasi_static(0, z);
  // Link and world axes are the same: the unknowns are the nodes' coordinates. Statics turn the section exactly.
  EXPECT_LT(largest(z - rest.result.rest.state.q.tail(rest.arm.link(0).n_flex())), 1e-4 * largest(z));
}

}  // namespace
}  // namespace lithe::testing
