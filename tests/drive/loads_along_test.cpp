// Loads on sections of links: virtual work by differences of poses, stiffness and slopes by differences of forces, closed forms,
// section forces, energy.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "lithe/analyse/statics.h"
#include "lithe/describe/case_reader.h"
#include "lithe/drive/drives.h"
#include "lithe/dynamics/articulated/articulated.h"
#include "lithe/dynamics/derivatives/inverse_derivatives.h"
#include "lithe/simulate/finite_element/floating_model.h"
#include "lithe/simulate/finite_element/nominal_model.h"
#include "support/allocation_count.h"
#include "support/random_arm.h"
#include "support/run_results.h"

namespace lithe::testing {
namespace {

double largest(const MatrixXd& values) { return values.size() > 0 ? values.cwiseAbs().maxCoeff() : 0; }

/// By the shapes at a station, which are stored apart from those that loads ask for.
Pose station_pose(const Arm& arm, const State& state, int i_link, int station) {
  const Link& link = arm.link(i_link);
  const Stations& stations = link.flex->stations;
  const VectorXd delta = state.q.segment(link.flex_q0(), link.n_flex());
  const Vector3d u = VectorXd(stations.phi * delta).segment<3>(3 * station),
                 theta = VectorXd(stations.psi * delta).segment<3>(3 * station);
  return kinematics_of(arm, state).X_WB[size_t(i_link)] *
         Pose{exp_rotation(theta), Vector3d(stations.x[size_t(station)], 0, 0) + u};
}

struct Trial {
  struct Placed {
    int link, station;
    Vector3d offset;
  };
  Case data;
  Arm arm;
  State state;
  std::vector<Placed> placed;

  /// A load on every link that bends, at a station of it; axes in turn.
  Trial(Case given, std::uint32_t seed)
      : data(std::move(given)), arm(Arm::assemble(data)), state(random_state(arm, seed)) {
    for (int i = 0; i < arm.n_links(); ++i) {
      if (!arm.link(i).flex) continue;
      const auto& x = arm.link(i).flex->stations.x;
      const int station = 5 + 3 * int(placed.size()) % 12;
      const VectorXd some = random_vector(8, seed + std::uint32_t(i), 10);
      const Vector3d offset(0, some[0] / 50, some[1] / 50);
      data.loads.push_back({arm.link(i).name,
                            Vector3d(x[size_t(station)], 0, 0) + offset,
                            some.segment<3>(2),
                            some.tail<3>(),
                            placed.size() % 2 == 0 ? Axes::world : Axes::link,
                            {}});
      placed.push_back({i, station, offset});
    }
  }

  State moved(const VectorXd& step) const {
    State other = state;
    displace(arm, other.q, step);
    return other;
  }
  VectorXd forces(const Loads& loads, const State& at) const {
    VectorXd tau = VectorXd::Zero(arm.nv());
    loads.add(arm, at, kinematics_of(arm, at), 0, tau);
    return tau;
  }
  /// Per unit of coordinate k, by steps that turn no section by more than a thousandth.
  template <class Function>
  auto slope(Function f, int k) const {
    double most = 1;
    for (const Link& link : arm.links())
      if (k >= link.flex_v0() && k < link.flex_v0() + link.n_flex())
        most = std::max(most, largest(MatrixXd(link.flex->stations.psi.col(k - link.flex_v0()))));
    auto difference = [&](double h) {
      const VectorXd step = h / most * VectorXd::Unit(arm.nv(), k);
      return VectorXd((f(moved(step)) - f(moved(-step))) * most / (2 * h));
    };
    return VectorXd((4 * difference(5e-4) - difference(1e-3)) / 3);
  }
};

std::vector<Trial> trials() {
  std::vector<Trial> list;
  for (const BaseType base : {BaseType::fixed, BaseType::free, BaseType::moving})
    for (const std::uint32_t seed : {3u, 11u})
      list.emplace_back(random_flexible_case(4, seed, {.arm = {.base = base}, .elements = true, .every_kind = true}),
                        seed);
  return list;
}

TEST(LoadsAlong, DoTheWorkThatPosesSay) {
  for (const Trial& trial : trials()) {
    const Loads loads(trial.data.loads, "loads", trial.arm);
    const int nv = trial.arm.nv();
    VectorXd expected = VectorXd::Zero(nv);
    for (size_t i = 0; i < trial.placed.size(); ++i) {
      const auto& [link, station, offset] = trial.placed[i];
      const Load& load = trial.data.loads[i];
      auto pose = [&, link = link, station = station](const State& at) {
        return station_pose(trial.arm, at, link, station);
      };
      const Pose X = pose(trial.state);
      const Matrix3d R = load.axes == Axes::link ? X.R : Matrix3d::Identity();
      for (int k = 0; k < nv; ++k) {
        // Twelve numbers of the pose: the point, and the rotation's columns.
        const VectorXd change = trial.slope(
            [&, offset = offset](const State& at) {
              const Pose there = pose(at);
              VectorXd numbers(12);
              numbers << there * offset, there.R.col(0), there.R.col(1), there.R.col(2);
              return numbers;
            },
            k);
        const Eigen::Map<const Matrix3d> dR(change.data() + 3);
        const Matrix3d spin = dR * X.R.transpose();
        const Vector3d turn(spin(2, 1), spin(0, 2), spin(1, 0));
        expected[k] += (R * load.force).dot(change.head<3>()) + (R * load.moment).dot(turn);
      }
    }
    const VectorXd tau = trial.forces(loads, trial.state);
    EXPECT_GT(largest(tau), 1);
    EXPECT_LT(largest(tau - expected), 1e-9 * largest(expected));
  }
}

TEST(LoadsAlong, StiffnessAndSlopesAreDifferencesOfForces) {
  for (const Trial& trial : trials()) {
    const Loads loads(trial.data.loads, "loads", trial.arm);
    const int nv = trial.arm.nv();
    const VectorXd tau = trial.forces(loads, trial.state), vdot = random_vector(nv, 5);
    MatrixXd expected(nv, nv);
    for (int k = 0; k < nv; ++k)
      expected.col(k) = trial.slope([&](const State& at) { return trial.forces(loads, at); }, k);
    const double scale = largest(expected) + largest(tau);

    if (trial.data.arm.base.type == BaseType::fixed) {
      Triplets entries;
      loads.unscaled().add_stiffness(small_motion(trial.arm, trial.state), entries);
      EXPECT_LT(largest(MatrixXd(assembled(nv, entries)) + expected), 1e-9 * scale);
    }
    InverseDerivatives with(trial.arm), without(trial.arm);
    const std::vector<SectionLoad> list = loads.list_in_full();
    with.update(trial.state, vdot, list);
    without.update(trial.state, vdot);
    EXPECT_LT(largest(without.force() - with.force() - tau), 1e-10 * scale);
    EXPECT_LT(largest(without.by_position() - with.by_position() - expected), 2e-9 * scale);
    EXPECT_LT(largest(without.by_rate() - with.by_rate()), 1e-11 * largest(with.by_rate()));

    // Of the power τ·v, rates held.
    VectorXd forces = VectorXd::Zero(nv), by_position = VectorXd::Zero(nv), power_slopes(nv);
    for (const SectionLoad& load : list) with.add_load_power(trial.arm.root(trial.state.t), load, forces, by_position);
    for (int k = 0; k < nv; ++k) power_slopes[k] = expected.col(k).dot(trial.state.v);
    EXPECT_LT(largest(forces - tau), 1e-10 * scale);
    EXPECT_LT(largest(by_position - power_slopes), 1e-8 * (scale + largest(power_slopes)));
  }
}

TEST(LoadsAlong, AllocateNothing) {
  const Trial trial = trials().front();
  const Loads loads(trial.data.loads, "loads", trial.arm);
  const Kinematics kin = kinematics_of(trial.arm, trial.state);
  VectorXd tau = VectorXd::Zero(trial.arm.nv());
  std::vector<Vector6d> on_tips(size_t(trial.arm.n_links()), Vector6d::Zero());
  std::vector<AlongLoad> along;
  InternalForces internal(trial.arm);
  const VectorXd vdot = VectorXd::Zero(trial.arm.nv());
  auto evaluate = [&] {
    loads.add(trial.arm, trial.state, kin, 0, tau);
    along.clear();
    loads.add_wrenches(trial.arm, trial.state, kin, 0, on_tips, along);
    internal.update(trial.state, vdot, on_tips, along);
  };
  evaluate();
  const long before = allocations();
  evaluate();
  EXPECT_EQ(allocations(), before);
}

// EI = 100 about both axes, L = 2, no weight.
std::string cantilever(const std::string& flexibility, const std::string& loads, const std::string& more = "") {
  return fmt::format(R"(
arm:
  gravity: [0, 0, 0]
  links:
    - name: bar
      joint: {{name: pivot, type: revolute, axis: [0, -1, 0]}}
      beam: {{length: 2, material: {{E: 1e8, nu: 0.25, density: 500}}, section: {{area: 1e-3, Iy: 1e-6, Iz: 1e-6, J: 2e-6}}, flexibility: {}}}
{}
loads: [{}]
)",
                     flexibility, more, loads);
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
};

constexpr double EI = 100, L = 2;

TEST(LoadsAlong, DeflectACantileverAsTextbooksSay) {
  // Elements are exact at their nodes whatever acts between them, but for shear; a = 0.7 is inside one of them.
  for (const double a : {0.5, 0.7, 1.0, 1.9}) {
    const Rest force(
        cantilever("{elements: 4}", fmt::format("{{link: bar, point: [{}, 0, 0], force: [0, 0, 0.02]}}", a)));
    const double kGA = force.arm.link(0).flex->stations.stiffness[0][2];
    EXPECT_NEAR(force.result.sag.z(), 0.02 * (a * a * (3 * L - a) / (6 * EI) + a / kGA), 1e-12) << a;
    EXPECT_NEAR(force.result.rest.force[0], -0.02 * a, 1e-12) << a;
    const Rest moment(
        cantilever("{elements: 4}", fmt::format("{{link: bar, point: [{}, 0, 0], moment: [0, -0.02, 0]}}", a)));
    EXPECT_NEAR(moment.result.sag.z(), 0.02 * a * (L - a / 2) / EI, 1e-12) << a;
    EXPECT_NEAR(moment.result.tip_turn.y(), -0.02 * a / EI, 1e-12) << a;
    // An offset carries a pull along the link as a moment.
    const Rest pull(
        cantilever("{elements: 4}", fmt::format("{{link: bar, point: [{}, 0, 0.1], force: [-0.02, 0, 0]}}", a)));
    EXPECT_NEAR(pull.result.sag.z(), 0.002 * a * (L - a / 2) / EI, 1e-7) << a;
  }
  // Few smooth shapes come near, segments too, and elements but for shear (0.3 %); a place at the tip is the tip.
  const double exact = 0.02 * (L * L / 4) * (3 * L - L / 2) / (6 * EI), tip = 0.02 * L * L * L / (3 * EI);
  for (const auto& [kind, error] :
       {std::pair{"{modes: {bending_z: 4}}", 1e-3}, {"{elements: 8, keep: 10}", 4e-3}, {"{segments: 10}", 0.01}}) {
    const std::string half = "{link: bar, point: [1, 0, 0], force: [0, 0, 0.02]}";
    EXPECT_NEAR(Rest(cantilever(kind, half)).result.sag.z(), exact, error * exact) << kind;
    const Rest at_tip(cantilever(kind, "{link: bar, point: [2, 0, 0], force: [0, 0, 0.02]}")),
        no_point(cantilever(kind, "{link: bar, force: [0, 0, 0.02]}"));
    EXPECT_NEAR(at_tip.result.sag.z(), no_point.result.sag.z(), 1e-14) << kind;
    EXPECT_NEAR(at_tip.result.sag.z(), tip, 0.01 * tip) << kind;
  }
}

TEST(LoadsAlong, OnRigidLinksPlacedByDenavitHartenbergAreInTheAxesOfTheirMasses) {
  // D is turned by alpha: a point on D's y axis is one on the world's z axis.
  const Rest rest(R"(
arm:
  gravity: [0, 0, 0]
  links:
    - {name: a, joint: {name: j, type: revolute, dh: {a: 1, alpha: 90 deg, convention: standard}}, rigid: {length: 0.3, mass: 1}}
loads: [{link: a, point: [0.1, 0.2, 0], force: [0, 5, 0]}, {link: a, point: [0.1, 0, 0.2], force: [3, 0, 0]}]
)");
  // D at (1, 0, 0), its z along −y of the world: places (1.1, 0, 0.2) and (1.1, −0.2, 0).
  EXPECT_NEAR(rest.result.rest.force[0], -(1.1 * 5 + 0.2 * 3), 1e-12);
}

TEST(LoadsAlong, MakeAJumpInTheSectionForces) {
  for (const char* const flexibility : {"{modes: {bending_y: 2, bending_z: 3, torsion: 1}}", "{elements: 5}"}) {
    const Rest rest(cantilever(
        flexibility, "{link: bar, point: [0.85, 0.1, 0], force: [0.01, 0.02, -0.03], moment: [0.004, 0.005, 0.006]}"));
    const Loads::Wrenches outer = rest.drives.loads().wrenches_in_full(rest.arm, rest.result.rest.state);
    InternalForces internal(rest.arm);
    internal.update(rest.result.rest.state, VectorXd::Zero(rest.arm.nv()), outer.on_tips, outer.along);
    const auto& x = rest.arm.link(0).flex->stations.x;
    const InternalForces::Along& along = internal.along(0);
    for (size_t k = 0; k < x.size(); ++k) {
      const bool inboard = x[k] < 0.85;
      const Vector3d force = inboard ? Vector3d(0.01, 0.02, -0.03) : Vector3d::Zero();
      EXPECT_LT((along.force.col(Eigen::Index(k)) - force).norm(), 1e-14) << x[k];
      const Vector3d about = Vector3d(0.004, 0.005, 0.006) + Vector3d(0.85 - x[k], 0.1, 0).cross(force);
      EXPECT_LT((along.moment.col(Eigen::Index(k)) - (inboard ? about : Vector3d::Zero())).norm(), 2e-5) << x[k];
    }
    EXPECT_LT((internal.reaction(0).tail<3>() + Vector3d(0.01, 0.02, -0.03)).norm(), 1e-14);
  }
}

TEST(LoadsAlong, WorkBalancesInRuns) {
  for (const char* const flexibility : {"{modes: {bending_y: 2, bending_z: 2, torsion: 1}}", "{segments: 4}"})
    for (const char* const method : {"cvode", "esdirk"}) {
      const Results results =
          results_of(cantilever(flexibility,
                                "{link: bar, point: [0.9, 0.05, 0.02], force: [1, 2, 3], moment: [0.1, 0.2, 0.3], "
                                "axes: link, scale: {sinusoid: "
                                "{amplitude: 1, frequency: 1.3 Hz}}}, {link: bar, point: [1.4, 0, 0], force: [0, 1, "
                                "-2], scale: {sinusoid: "
                                "{amplitude: 1, frequency: 0.7 Hz}}}",
                                "      payload: [{mass: 0.2, at: 0.6, com: [0, 0.03, 0.01], inertia: {xx: 1e-3, yy: "
                                "2e-3, zz: 2e-3}}, {mass: 0.1}]") +
                     fmt::format("simulate: {{for: 1 s, method: {}, rtol: 1e-9, atol: 1e-11}}\n", method));
      double most = 0, open = 0;
      for (const double kinetic : series(results, "energy.kinetic")) most = std::max(most, kinetic);
      for (const double residual : series(results, "energy.residual")) open = std::max(open, std::abs(residual));
      EXPECT_GT(most, 0.1);
      EXPECT_LT(open, 1e-6 * most) << flexibility << " " << method;
    }
}

/// Two links of linear elements, one of them turned, with loads and bodies along them.
const char* elements = R"(
arm:
  gravity: [0.3, -0.4, -9.81]
  links:
    - name: upper
      joint: {name: shoulder, type: revolute, axis: [0, -1, 0]}
      beam: &beam {length: 0.9, material: {E: 7 GPa, nu: 0.3, density: 2700}, section: {rectangle: {width_y: 30 mm, height_z: 12 mm}}, flexibility: {elements: 3, element: linear}}
      payload: [{mass: 0.3, at: 0.4, inertia: {xx: 1e-3, yy: 2e-3, zz: 2.5e-3, xy: 2e-4}}, {mass: 0.2, at: 0.6}, {mass: 0.5, com: [0.02, 0.01, 0]}]
    - name: fore
      joint: {name: elbow, type: revolute, axis: [0, 0.6, 0.8], origin: {xyz: [0, 0.05, 0.02], rpy: [0.3, 0.2, -0.1]}}
      beam: *beam
loads: [{link: upper, point: [0.35, 0.02, -0.01], force: [3, 4, 5], moment: [0.1, 0.2, 0.3]}, {link: fore, point: [0.6, 0, 0.03], force: [-2, 1, 3], axes: link}]
)";

TEST(LoadsAlong, FiniteElementsFeelThemAsArticulatedDoes) {
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
  const SparseMatrixd& half = model.weighted_sum(0, z, v, 1, 0, 0);
  MatrixXd M(arm.nv(), arm.nv());
  Articulated(arm).mass_matrix(state, M);
  EXPECT_LT(largest(MatrixXd(SparseMatrixd(half.selfadjointView<Eigen::Lower>())) - M), 1e-11 * largest(M));
  const Kinematics kin = kinematics_of(arm, state);
  model.unbalanced(0, z, v, vdot, unbalanced);
  EXPECT_NEAR(model.kinetic_energy(), kinetic_energy(arm, state, kin), 1e-11 * model.kinetic_energy());
  EXPECT_NEAR(model.gravity_energy(), gravity_energy(arm, kin), 1e-11);
}

TEST(LoadsAlong, LinearFiniteElementsDeflectAsStaticsSay) {
  const std::string text =
      cantilever("{elements: 6, element: linear}",
                 "{link: bar, point: [0.85, 0, 0.1], force: [0.001, 0.002, -0.003], moment: [0.001, 0, 0.002]}",
                 "      payload: [{mass: 0.3, at: 0.55, inertia: {xx: 1e-3, yy: 2e-3, zz: 2.5e-3}}]") +
      "motion: {pivot: {dwell: {for: 1 s}}}\n";
  const Rest rest(text);
  const Case& data = rest.data;
  Drives drives(data, rest.arm);
  NominalModel model(data, rest.arm, drives);
  VectorXd z;
  model.quasi_static(0, z);
  const Link& link = rest.arm.link(0);
  // Link and world axes are the same: the unknowns are the nodes' coordinates. Statics turn the section exactly.
  EXPECT_LT(largest(z - rest.result.rest.state.q.tail(link.n_flex())), 1e-4 * largest(z));
  EXPECT_LT(largest(MatrixXd(model.matrices(0).J) - MatrixXd(link.flex->M)), 1e-13);
}

TEST(LoadsAlong, AreRefusedWhereALinkHasNoSuchSection) {
  auto refusal = [](const std::string& text) {
    try {
      const Case data = read_case_text(text).data;
      const Arm arm = Arm::assemble(data);
      const Drives drives(data, arm);
      FloatingModel{data, arm, const_cast<Drives&>(drives)};
    } catch (const FieldError& error) {
      return error.path() + ": " + error.what();
    }
    return std::string();
  };
  for (const char* const flexibility : {"{modes: {bending_z: 2}}", "{segments: 3}"})
    EXPECT_EQ(refusal(cantilever(flexibility, "{link: bar, point: [2.1, 0, 0], force: [1, 0, 0]}")),
              "loads[0].point: expected a place on link 'bar', x from 0 to its tip at 2 m, got x = 2.1 m");
  EXPECT_EQ(refusal(R"(
arm:
  links:
    - name: rod
      joint: {name: slide, type: prismatic, axis: [1, 0, 0], guide: 0.5 m}
      beam: {length: 2, material: aluminium, section: {circle: {diameter: 20 mm}}, flexibility: {elements: 3, element: linear}}
loads: [{link: rod, point: [1, 0, 0], force: [1, 0, 0]}]
)"),
            "loads[0].point: joint 'slide' slides the beam through a guide, so no section stays in place; expected no "
            "point: a load on link 'rod' acts at its tip frame");
  EXPECT_EQ(refusal(cantilever("{elements: 3, element: linear}", "{link: bar, force: [1, 0, 0]}",
                               "      payload: [{mass: 1, at: 0.5, com: [0, 0.1, 0]}, {mass: 1}]")),
            "arm.links[0].payload[0].com: finite-element: a body along link 'bar' must have its mass centre on the "
            "link's axis, at `at`; expected no `com`, or a payload on the tip");
}

}  // namespace
}  // namespace lithe::testing
