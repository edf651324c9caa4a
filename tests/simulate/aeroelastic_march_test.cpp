// Arms with lifting surfaces in the wind: kinematics and work of the corners, statics, stability on both sides of the divergence speed, books, resuming.
#include "lithe/simulate/aeroelastic_march.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "lithe/aero/linearised_lattice.h"
#include "lithe/aero/steady.h"
#include "lithe/analyse/aeroelastic.h"
#include "support/draw.h"
#include "support/random_arm.h"
#include "support/run_results.h"
#include "support/winged_arms.h"

namespace lithe::testing {
namespace {

/// A random arm with surfaces on every link that can carry one.
Case with_surfaces(Case data, unsigned seed) {
  const VectorXd numbers = random_vector(4 * int(data.arm.links.size()), seed);
  for (size_t i = 0; i < data.arm.links.size(); ++i) {
    LinkSpec& link = data.arm.links[i];
    if (link.imported || !(link.beam || (link.rigid && link.rigid->length && *link.rigid->length > 0.01))) continue;
    SurfaceSpec surface;
    surface.chord = 0.3 + 0.2 * numbers[Eigen::Index(4 * i)];
    surface.tip_chord = 0.2 + 0.1 * numbers[Eigen::Index(4 * i + 1)];
    surface.axis = 0.4 + 0.3 * numbers[Eigen::Index(4 * i + 2)];
    surface.trailing =
        Vector3d(0, std::cos(3 * numbers[Eigen::Index(4 * i + 3)]), std::sin(3 * numbers[Eigen::Index(4 * i + 3)]));
    surface.panels_chord = 2;
    surface.panels_span = 3;
    link.surface = surface;
  }
  data.wind = WindSpec{.speed = 10};
  return data;
}

/// Beams of shapes become exact links.
void bend_by_strains(Case& data) {
  for (LinkSpec& link : data.arm.links)
    if (link.beam && std::holds_alternative<Modes>(link.beam->flexibility))
      link.beam->flexibility = StrainTerms{.bending_y = 2, .bending_z = 2, .torsion = data.arm.rotary_inertia ? 1 : 0};
}

RC_GTEST_PROP(LiftingSurfaces, VelocitiesAreThoseOfTheCornersAndForcesDoTheirWork, ()) {
  const auto seed = any_seed();
  const BaseType base = *rc::gen::element(BaseType::fixed, BaseType::planar, BaseType::free);
  const bool bends = *rc::gen::arbitrary<bool>();
  Case data = bends ? random_flexible_case(3, seed, {.arm = {.base = base}}) : random_case(4, seed, {.base = base});
  if (*rc::gen::arbitrary<bool>()) bend_by_strains(data);
  data = with_surfaces(data, seed);
  // Surfaces of any size: apart from each other, since ends that meet would have to be one edge.
  for (size_t i = 0; i < data.arm.links.size(); ++i) {
    JointSpec& joint = data.arm.links[i].joint;
    if (joint.dh) continue;
    if (!joint.origin) joint.origin.emplace();
    joint.origin->xyz += (1 + 0.3 * double(i)) * Vector3d(0.1, 0.7, -0.6);
  }
  bool any = false;
  for (const LinkSpec& link : data.arm.links) any |= link.surface.has_value();
  RC_PRE(any);
  const Arm arm = Arm::assemble(data);
  LiftingSurfaces surfaces(data, arm);
  const State state = random_state(arm, seed);
  const Kinematics kin = kinematics_of(arm, state);
  aero::Points corners, velocities, forward, backward;
  surfaces.place(state, kin, corners);
  surfaces.move(state, kin, velocities);
  // Along the motion, by differences.
  const double h = 1e-5;
  auto moved = [&](double step, aero::Points& points) {
    State at = state;
    displace(arm, at.q, step * state.v);
    surfaces.place(at, kinematics_of(arm, at), points);
  };
  moved(h, forward);
  moved(-h, backward);
  const double speed = 1 + velocities.cwiseAbs().maxCoeff();
  RC_ASSERT(((forward - backward) / (2 * h) - velocities).cwiseAbs().maxCoeff() <= 1e-6 * speed * (1 + speed * speed));
  // Work of random forces on both sides, and the linear map of the corners.
  const aero::Points forces =
      aero::Points(random_vector(3 * int(corners.cols()), seed + 7, 10).reshaped(3, corners.cols()));
  VectorXd tau = VectorXd::Zero(arm.nv());
  surfaces.add_forces(state, kin, forces, tau);
  const double work = forces.cwiseProduct(velocities).sum(), size = 1 + forces.norm() * velocities.norm();
  RC_ASSERT(std::abs(tau.dot(state.v) - work) <= 1e-12 * size);
  RC_ASSERT((surfaces.shapes(state, kin) * state.v - velocities.reshaped()).cwiseAbs().maxCoeff() <=
            1e-12 * speed * 10);
}

std::string wing(double speed, const std::string& simulate, double damping = 0.03) {
  return plate_wing("{segments: 3}", damping, 3, 6,
                    fmt::format("speed: {}, incidence: 0.1 deg, wake_length: 12", speed),
                    fmt::format("simulate: {{method: dopri5, rtol: 1e-7, atol: 1e-10, {}}}", simulate));
}

double divergence_speed() {
  const Case data = read_case_text(wing(60, "for: 1 s")).data;
  const Arm arm = Arm::assemble(data);
  AeroelasticOptions options{.slowest = 10, .fastest = 20, .n_speeds = 2};
  options.modes.count = 2;
  return aeroelastic_stability(data, arm, State::zero(arm), options).divergence_speed.value();
}

// It settles where springs hold the air: (K − Q) x = f, f the lift of the undeformed wing.
TEST(AeroelasticMarch, SettlesWhereSpringsHoldTheAir) {
  const double speed = 0.6 * divergence_speed();
  const std::string text = wing(speed, "for: 1.2 s, output_step: 10 ms", 0.15);
  const Case data = read_case_text(text).data;
  const Arm arm = Arm::assemble(data);
  const State rest = State::zero(arm);
  const Kinematics kin = kinematics_of(arm, rest);
  const LiftingSurfaces surfaces(data, arm);
  aero::Points corners;
  surfaces.place(rest, kin, corners);
  const double dt = surfaces.shortest_panel() / speed;
  aero::LatticeOptions how;
  how.wake_rows = 36;
  how.symmetry = aero::SymmetryPlane{};
  const aero::LinearisedLattice lattice(surfaces.lattice(), corners, {.velocity = {speed, 0, 0}}, dt, how);
  const MatrixXd shapes = surfaces.shapes(rest, kin), K = MatrixXd(small_system(arm, rest, {}).K);
  const aero::SteadySolution flow =
      aero::steady(surfaces.lattice(), corners, {.velocity = wind_velocity(*data.wind)}, aero::SymmetryPlane{});
  const VectorXd push = shapes.transpose() * flow.loads.corner_force.reshaped();
  const VectorXd x = (K - lattice.steady_stiffness(shapes)).partialPivLu().solve(push);

  const Results results = results_of(text);
  // Bending about y and twist about x of the last hinge; the wake ends after twelve chords, its rest in one row.
  const double twist = x.dot([&] {
    VectorXd pick = VectorXd::Zero(arm.nv());
    for (int k = 0; k < arm.nv(); ++k)
      if (arm.coordinates()[size_t(k)].ends_with(".x")) pick[k] = 1;
    return pick;
  }());
  double marched = 0;
  for (int k = 0; k < arm.nv(); ++k)
    if (arm.coordinates()[size_t(k)].ends_with(".x")) marched += series(results, arm.coordinates()[size_t(k)]).back();
  EXPECT_GT(twist, 1e-4);
  EXPECT_NEAR(marched, twist, 0.01 * twist);
  // In all, the air carries what the flow about the bent wing gives: more than about the stiff one.
  EXPECT_GT(series(results, "wing.air.fz").back(), 1.1 * flow.loads.force.z());
}

std::string section(double speed) {
  return wing_on_a_spring(0.5, 2, 4, fmt::format("speed: {}, incidence: 0.01 deg", speed),
                          "simulate: {for: 2 s, method: dopri5, rtol: 1e-6, atol: 1e-9, output_step: 20 ms}");
}

AeroelasticResult stability(const std::string& text, double fastest, JointCondition joints) {
  const Case data = read_case_text(text).data;
  const Arm arm = Arm::assemble(data);
  AeroelasticOptions options{.slowest = 0.1 * fastest, .fastest = fastest, .n_speeds = 40};
  options.modes.joints = joints;
  options.modes.count = 3;
  return aeroelastic_stability(data, arm, State::zero(arm), options);
}

// SimulatedSystem, what turns on a spring comes to rest below the eigenvalue's speed and turns away above it.
TEST(AeroelasticMarch, DivergesBeyondTheEigenvalueAndNotBelow) {
  const double critical = *stability(section(20), 60, JointCondition::free).divergence_speed;
  auto angle = [&](double speed) { return series(results_of(section(speed)), "pitch").back(); };
  // A hundredth of a degree of incidence, magnified by 1/((V_D/V)² − 1); beyond, until large angles end it.
  EXPECT_NEAR(angle(0.9 * critical), 1.7453e-4 / (1 / 0.81 - 1), 0.02 * 7.44e-4);
  EXPECT_LT(angle(0.95 * critical), 2e-3);
  EXPECT_GT(angle(1.05 * critical), 0.1);
}

// And a wing that flutters swings less and less below the speed of the p-k method, and more and more above it.
TEST(AeroelasticMarch, FluttersBeyondTheSpeedOfTheLinearModelAndNotBelow) {
  const double critical = stability(wing(60, "for: 1 s", 0), 170, JointCondition::locked).flutter.value().speed;
  auto growth = [&](double speed) {
    const auto twist = series(results_of(wing(speed, "for: 0.5 s, output_step: 2 ms", 0)), "wing.s1.x");
    auto swing = [&](size_t begin, size_t end) {
      const auto [low, high] = std::minmax_element(twist.begin() + long(begin), twist.begin() + long(end));
      return *high - *low;
    };
    return swing(200, 250) / swing(75, 125);
  };
  EXPECT_LT(growth(0.94 * critical), 0.75);
  EXPECT_GT(growth(1.06 * critical), 1.33);
}

TEST(AeroelasticMarch, KeepsItsBooksAndComesToTheSameByWeakCoupling) {
  const std::string text = wing(50, "for: 0.2 s, output_step: 2 ms");
  const Results strong = results_of(text);
  const auto kinetic = series(strong, "energy.kinetic"), elastic = series(strong, "energy.elastic"),
             residual = series(strong, "energy.residual");
  double energy = 0, open = 0;
  for (size_t k = 0; k < kinetic.size(); ++k) {
    energy = std::max(energy, kinetic[k] + elastic[k]);
    open = std::max(open, std::abs(residual[k]));
  }
  EXPECT_LT(open, 1e-5 * energy);  // integrated to 1e-7 a step, for a hundred steps
  // Weak coupling lags by a step: the difference falls with it.
  auto difference = [&](const char* step) {
    const Results tight = results_of(text, {{"wind.step", step}}),
                  loose = results_of(text, {{"wind.step", step}, {"wind.coupling", "once"}});
    const auto a = series(tight, "wing.s1.z"), b = series(loose, "wing.s1.z");
    double worst = 0, size = 0;
    for (size_t k = 0; k < a.size(); ++k) {
      worst = std::max(worst, std::abs(a[k] - b[k]));
      size = std::max(size, std::abs(a[k]));
    }
    return worst / size;
  };
  const double coarse = difference("1 ms"), fine = difference("0.5 ms");
  EXPECT_LT(coarse, 0.1);
  EXPECT_NEAR(fine / coarse, 0.5, 0.15);
}

// However the beam is modelled, it twists alike, and its root bears the same.
TEST(AeroelasticMarch, ModelsOfTheBeamAgree) {
  auto end_of = [](const char* flexibility) {
    const Results results = results_of(
        wing(60, "for: 0.8 s, output_step: 20 ms", 0.2),
        {{"links[wing].beam.flexibility", flexibility}, {"simulate.method", "cvode"}, {"simulate.rtol", "1e-5"}});
    return Vector3d(series(results, "wing@1.twist").back(), series(results, "wing@0.My").back(),
                    series(results, "wing@0.T").back());
  };
  const Vector3d segments = end_of("{segments: 8}"), shapes = end_of("{modes: {bending_z: 2, torsion: 2}}");
  // Twist by two shapes and by eight steps; at rest the root bears the lift, whatever holds it.
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(shapes[k], segments[k], 0.02 * std::abs(segments[k])) << k;
  EXPECT_GT(std::abs(segments[1]), 0.01);
}

// Two links whose surfaces meet, twisted against each other by less and less: the forces go to those of the linear theory, and not to
// infinity as between vortices that come closer and closer.
TEST(LiftingSurfaces, ThatMeetEdgeToEdgeAreOneHoweverLittleTheyTwistApart) {
  const Case data = read_case_text(plate_of_bodies(2, 0, 3, 8, "speed: 20 m/s")).data;
  const Arm arm = Arm::assemble(data);
  LiftingSurfaces surfaces(data, arm);
  const State rest = State::zero(arm);
  aero::Points flat, corners;
  surfaces.place(rest, kinematics_of(arm, rest), flat);
  const aero::Wind wind{.velocity = {20, 0, 0}};
  const aero::LinearisedLattice linear(surfaces.lattice(), flat, wind, 1e-3, {.symmetry = aero::SymmetryPlane{}});
  const MatrixXd Q = linear.steady_stiffness(surfaces.shapes(rest, kinematics_of(arm, rest)));
  const int outer = arm.link(arm.find_link("plate2")).v0;
  for (const double twist : {1e-2, 1e-3, 1e-4, 1e-6, 1e-8}) {
    State state = rest;
    state.q[outer] = twist;
    const Kinematics kin = kinematics_of(arm, state);
    surfaces.place(state, kin, corners);
    const aero::Points force =
        aero::steady(surfaces.lattice(), corners, wind, aero::SymmetryPlane{}).loads.corner_force;
    VectorXd tau = VectorXd::Zero(arm.nv());
    surfaces.add_forces(state, kin, force, tau);
    EXPECT_LT((tau - Q.col(outer) * twist).norm(), (twist + 1e-6) * Q.col(outer).norm() * twist) << twist;
  }
}

TEST(LiftingSurfaces, ThatMeetNeedTheSamePanelsAndTheSameEdge) {
  auto refusal = [](const std::string& key, const std::string& value) -> std::string {
    const Case data =
        read_case_text(plate_of_bodies(2, 0, 3, 8, "speed: 20 m/s"), "case", {{"links[plate2].surface." + key, value}})
            .data;
    const Arm arm = Arm::assemble(data);
    try {
      LiftingSurfaces surfaces(data, arm);
    } catch (const FieldError& error) {
      return error.path() + ": " + error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(refusal("panels_chord", "4"),
            "arm.links[3].surface.panels_chord: expected 3 as on 'plate1': the two meet edge to edge and form one "
            "surface, got 4");
  EXPECT_EQ(refusal("panels_span", "7"), "accepted");
  EXPECT_EQ(refusal("chord", "0.1").find("arm.links[3].surface: one of its ends lies on an end of 'plate1'"), 0u);
  EXPECT_EQ(refusal("trailing", "[0, 1, 0]").find("arm.links[3].surface: one of its ends lies on"), 0u);
  EXPECT_EQ(refusal("trailing", "[0, 0, 1]"), "accepted");  // a fin at the tip
}

// Bodies on springs settle where springs hold the air, as a beam does.
TEST(AeroelasticMarch, BodiesThatMeetEdgeToEdgeSettleWhereSpringsHoldTheAir) {
  const std::string text =
      plate_of_bodies(4, 0.4, 3, 8, "speed: 60, incidence: 0.1 deg, wake_length: 12",
                      "simulate: {method: dopri5, rtol: 1e-6, atol: 1e-9, for: 0.6 s, output_step: 10 ms}");
  const Case data = read_case_text(text).data;
  const Arm arm = Arm::assemble(data);
  const State rest = State::zero(arm);
  const Kinematics kin = kinematics_of(arm, rest);
  LiftingSurfaces surfaces(data, arm);
  aero::Points corners;
  surfaces.place(rest, kin, corners);
  const aero::Wind wind{wind_velocity(*data.wind), 1.225, {}}, along{.velocity = {60, 0, 0}};
  const aero::LinearisedLattice air(surfaces.lattice(), corners, along, 1e-3, {.symmetry = aero::SymmetryPlane{}});
  VectorXd load = VectorXd::Zero(arm.nv());
  surfaces.add_forces(rest, kin,
                      aero::steady(surfaces.lattice(), corners, wind, aero::SymmetryPlane{}).loads.corner_force, load);
  MatrixXd K = -air.steady_stiffness(surfaces.shapes(rest, kin));
  for (const Link& link : arm.links()) K(link.v0, link.v0) += link.forces[0].spring->stiffness;
  const VectorXd expected = K.partialPivLu().solve(load);
  const Results results = results_of(text);
  for (int k = 0; k < arm.nv(); ++k)
    EXPECT_NEAR(series(results, arm.coordinates()[size_t(k)]).back(), expected[k],
                0.002 * expected.cwiseAbs().maxCoeff())
        << arm.coordinates()[size_t(k)];
}

// A wing that stands still: its strongest strip works at less than the geometric angle, by the downwash, and at more than the mean of all.
TEST(AeroelasticMarch, RecordsIncidenceAndWarnsBeyondAttachedFlow) {
  auto summary = [](const char* incidence) {
    const CaseFile file =
        read_case_text(wing_on_a_spring(0.5, 3, 12, fmt::format("speed: 5 m/s, incidence: {}", incidence),
                                        "simulate: {for: 0.1 s, method: dopri5, output_step: 50 ms}"));
    const TemporaryFolder scratch;
    RunOptions options;
    options.file = scratch.path() + "/results.h5";
    return run(file, Arm::assemble(file.data), options);
  };
  auto peak = [](const RunSummary& of, const std::string& name) {
    for (const Peak& p : of.peaks)
      if (p.name == name) return p.value;
    throw std::runtime_error("no peak " + name);
  };
  const RunSummary mild = summary("5 deg"), wild = summary("25 deg");
  const double pressure = 1.225 / 2 * 25, alpha = peak(mild, "wing.air.incidence"), degree = M_PI / 180;
  const double mean = peak(mild, "wing.air.fz") / (pressure * 1.5) / (2 * M_PI);  // c_l/2π
  EXPECT_GT(alpha, mean);
  EXPECT_LT(alpha, 5 * degree);
  EXPECT_LT(alpha, 1.3 * mean);  // a rectangle loads its root by less than the ellipse's 4/π
  EXPECT_TRUE(mild.warnings.empty());
  ASSERT_EQ(wild.warnings.size(), 1u);
  EXPECT_EQ(wild.warnings[0].find("'wing': its surface reached an incidence of 2"), 0u) << wild.warnings[0];
}

TEST(AeroelasticMarch, IsRefusedForWindFromBehind) {
  const std::string text =
      wing_on_a_spring(0.5, 2, 4, "speed: 20 m/s, direction: [-1, 0, 0]", "simulate: {for: 0.1 s, method: dopri5}");
  try {
    results_of(text);
    FAIL();
  } catch (const FieldError& error) {
    EXPECT_EQ(error.path(), "wind.direction");
  }
}

// Without incidence nothing happens, and rounding does not keep air and arm from agreeing.
TEST(AeroelasticMarch, WithoutIncidenceNothingHappens) {
  std::string text = wing(60, "for: 0.02 s, output_step: 2 ms");
  text.replace(text.find("incidence: 0.1 deg"), 18, "direction: [0.8, 0, 0.6], up: [-0.6, 0, 0.8]");
  text.replace(text.find("rpy: [0, 0, 90 deg]"), 19, "rpy: [-36.86989764584402 deg, 0, 90 deg]");
  const Results results = results_of(text);
  for (const double force : series(results, "wing.air.fz")) EXPECT_LT(std::abs(force), 1e-9);
}

TEST(AeroelasticMarch, ResumedIsTheSameToTheLastBit) {
  const TemporaryFolder scratch;
  const CaseFile file = read_case_text(wing(50, "for: 0.06 s, output_step: 2 ms, checkpoint: 20 ms"));
  const Arm arm = Arm::assemble(file.data);
  RunOptions options;
  options.save_interval = 0;
  options.file = scratch.path() + "/whole.h5";
  run(file, arm, options);
  // Stopped after the second checkpoint, and taken up again.
  std::atomic<bool> stop = false;
  options.file = scratch.path() + "/part.h5";
  options.stop = &stop;
  options.progress = [&](double t) { stop = t > 0.045; };
  EXPECT_THROW(run(file, arm, options), RunError);
  stop = false;
  options.resume = true;
  options.progress = {};
  run(file, arm, options);
  const Results whole = Results::read(scratch.path() + "/whole.h5"), part = Results::read(options.file);
  ASSERT_EQ(whole.time, part.time);
  ASSERT_EQ(whole.series.size(), part.series.size());
  for (size_t k = 0; k < whole.series.size(); ++k)
    EXPECT_EQ(whole.series[k], part.series[k]) << whole.header.columns[k].name;
}

}  // namespace
}  // namespace lithe::testing
