// book83's recursion on chains: against points and differentiation (support/point_evaluator.h), against `articulated` where that
// covers the arm, and against laws of mechanics. Numbers of its own truncations are in flexible_reference_test.cpp.
#include "lithe/dynamics/recursive_lagrangian/recursive_lagrangian.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "lithe/arm/kinematics.h"
#include "lithe/describe/case_reader.h"
#include "lithe/dynamics/articulated/articulated.h"
#include "support/allocation_count.h"
#include "support/draw.h"
#include "support/point_evaluator.h"
#include "support/random_arm.h"

namespace lithe::testing {
namespace {

struct Options {
  TipRotation tip = TipRotation::finite;
  InertiaOrder inertia = InertiaOrder::complete;
};
constexpr Options small_complete{TipRotation::small, InertiaOrder::complete};
constexpr Options small_first{TipRotation::small, InertiaOrder::first_order};
constexpr Options finite_complete{TipRotation::finite, InertiaOrder::complete};
constexpr Options finite_first{TipRotation::finite, InertiaOrder::first_order};

/// What a chain may have beyond the paper's.
struct Beyond {
  bool rotary_inertia = false;  // of sections, and of bodies along a link
  bool slides = false;          // prismatic joints
  bool other_joints = false;    // screws, and joints of several coordinates
};

/// A chain inside the domain: bending, rigid and fixed links, payloads on tips and along links, motors.
Case bending_chain(int n_links, std::uint32_t seed, const Options& options, BaseType base = BaseType::fixed,
                   const Beyond& beyond = {}) {
  Case data = random_flexible_case(n_links, seed,
                                   {.arm = {.tree = false,
                                            .prismatic = beyond.slides,
                                            .other_joints = beyond.other_joints,
                                            .drive_line = true,
                                            .base = base},
                                    .rotary_inertia = beyond.rotary_inertia,
                                    .tip_rotation = options.tip});
  data.arm.inertia = options.inertia;
  for (LinkSpec& link : data.arm.links)
    if (link.joint.type == "spherical") {
      // A ball is outside.
      link.joint.type = "universal";
      link.joint.axes = {Vector3d(1, 0.3, 0), Vector3d(-0.2, 1, 0.5)};
    }
  return data;
}

MatrixXd mass_matrix(Formulation& model, const State& state) {
  MatrixXd M(model.arm().nv(), model.arm().nv());
  model.mass_matrix(state, M);
  return M;
}
VectorXd bias(Formulation& model, const State& state, Terms terms) {
  VectorXd h(model.arm().nv());
  model.bias(state, terms, h);
  return h;
}
VectorXd forward(Formulation& model, const State& state, const VectorXd& tau) {
  VectorXd vdot(model.arm().nv());
  model.forward(state, tau, vdot);
  return vdot;
}
double largest(const MatrixXd& numbers) { return numbers.size() ? numbers.cwiseAbs().maxCoeff() : 0; }

// As for every formulation (flexible_test.cpp).
constexpr double tolerance = 1e-11;

RC_GTEST_PROP(RecursiveLagrangian, EveryTermIsThatOfThePoints, ()) {
  const auto seed = any_seed();
  const auto options = *rc::gen::element(small_complete, finite_complete);
  const auto base = *rc::gen::element(BaseType::fixed, BaseType::planar, BaseType::moving);
  // Points have no rotary inertia where tips shear what they carry.
  const Beyond beyond{options.tip == TipRotation::finite && *rc::gen::arbitrary<bool>(), *rc::gen::arbitrary<bool>(),
                      *rc::gen::arbitrary<bool>()};
  const Case data = bending_chain(any_link_count(6), seed, options, base, beyond);
  RecursiveLagrangian model(Arm::assemble(data));
  const int nv = model.arm().nv();
  if (nv == 0) return;
  State state = random_state(model.arm(), seed);
  state.t = 0.3;
  const PointDynamics truth = point_dynamics(data, state);
  RC_ASSERT(largest(mass_matrix(model, state) - truth.M) <= tolerance * largest(truth.M));
  const std::pair<Terms, VectorXd> parts[] = {{Terms::coriolis, truth.coriolis},
                                              {Terms::gravity, truth.gravity},
                                              {Terms::elastic, truth.elastic},
                                              {Terms::damping, truth.damping},
                                              {Terms::all, truth.bias()}};
  for (const auto& [terms, expected] : parts)
    RC_ASSERT(largest(bias(model, state, terms) - expected) <= tolerance * (1 + largest(expected)));
  RC_ASSERT(std::abs(model.kinetic_energy(state) - truth.kinetic_energy) <= tolerance * (1 + truth.kinetic_energy));
  const VectorXd tau = random_vector(nv, seed, 20), vdot = forward(model, state, tau);
  RC_ASSERT(largest(truth.M * vdot + truth.bias() - tau) <=
            tolerance * (largest(truth.M.cwiseAbs() * vdot.cwiseAbs()) + largest(truth.bias()) + largest(tau)));
}

/// Same mass matrix, same terms, same accelerations (as torques), to rounding.
void expect_same(Formulation& one, Formulation& other, const State& state, const VectorXd& tau) {
  const MatrixXd M = mass_matrix(other, state);
  RC_ASSERT(largest(mass_matrix(one, state) - M) <= tolerance * largest(M));
  for (const Terms terms : {Terms::coriolis, Terms::gravity, Terms::elastic, Terms::damping, Terms::all}) {
    const VectorXd h = bias(other, state, terms);
    RC_ASSERT(largest(bias(one, state, terms) - h) <= tolerance * (1 + largest(h)));
  }
  const VectorXd vdot = forward(other, state, tau);
  RC_ASSERT(largest(M * (forward(one, state, tau) - vdot)) <=
            10 * tolerance *
                (largest(M.cwiseAbs() * vdot.cwiseAbs()) + largest(tau) + largest(bias(one, state, Terms::all))));
}

RC_GTEST_PROP(RecursiveLagrangian, RigidChainsAreThoseOfArticulated, ()) {
  const auto seed = any_seed();
  const auto base = *rc::gen::element(BaseType::fixed, BaseType::moving);
  const Arm arm = Arm::assemble(
      random_case(any_link_count(9), seed, {.tree = false, .prismatic = false, .drive_line = true, .base = base}));
  if (arm.nv() == 0) return;
  State state = random_state(arm, seed);
  state.t = 0.3;
  RecursiveLagrangian book(arm);
  Articulated articulated(arm);
  expect_same(book, articulated, state, random_vector(arm.nv(), seed, 20));
}

RC_GTEST_PROP(RecursiveLagrangian, FiniteTipsWithFirstOrderInertiaAreThoseOfArticulated, ()) {
  const auto seed = any_seed();
  const Beyond beyond{*rc::gen::arbitrary<bool>(), *rc::gen::arbitrary<bool>(), false};
  const Arm arm = Arm::assemble(bending_chain(any_link_count(6), seed, finite_first, BaseType::fixed, beyond));
  if (arm.nv() == 0) return;
  State state = random_state(arm, seed);
  // Little bending: far from it the truncated mass matrix is not positive definite, which `articulated` needs.
  for (const Link& link : arm.links()) state.q.segment(link.flex_q0(), link.n_flex()) *= 0.1;
  RecursiveLagrangian book(arm);
  Articulated articulated(arm);
  expect_same(book, articulated, state, random_vector(arm.nv(), seed, 20));
}

TEST(RecursiveLagrangian, ElementsWhoseInnerNodesLeaveTheTipAlone) {
  Case data = bending_chain(4, 3, finite_complete);
  for (LinkSpec& link : data.arm.links)
    if (link.beam) link.beam->flexibility = Elements{3};
  const Arm arm = Arm::assemble(data);
  const State state = random_state(arm, 3);
  ASSERT_LT(arm.link(0).flex->tip_coordinates.size(), size_t(arm.link(0).n_flex()));
  RecursiveLagrangian book(arm);
  Articulated articulated(arm);
  const MatrixXd M = mass_matrix(articulated, state);
  EXPECT_LE(largest(mass_matrix(book, state) - M), tolerance * largest(M));
  const VectorXd h = bias(articulated, state, Terms::all);
  EXPECT_LE(largest(bias(book, state, Terms::all) - h), tolerance * largest(h));
}

/// A twisting link that carries a roll joint: the paper's wrist. The bar's axis is the joint's, so that what resists the twist is the
/// polar inertia of the bar's sections and of what hangs on the wrist.
Case twisting_link_with_roll_joint() {
  return read_case_text(R"(
arm:
  gravity: [1, -2, -9]
  links:
    - name: upper
      joint: {name: shoulder, type: revolute, axis: [0, -1, 0]}
      beam:
        length: 1.2 m
        material: aluminium
        section: {rectangle: {width_y: 20 mm, height_z: 60 mm}}
        flexibility: {modes: {bending_y: 2, bending_z: 2, torsion: 3, axial: 2}}
      payload: [{mass: 0.7, at: 0.4, com: [0, 0.1, 0.05], inertia: {xx: 0.02, yy: 0.01, zz: 0.015}}]
    - name: fore
      joint: {name: roll, type: revolute, axis: [1, 0, 0]}
      beam:
        length: 0.8 m
        material: aluminium
        section: {tube: {outer_diameter: 40 mm, inner_diameter: 36 mm}}
        flexibility: {modes: {bending_y: 1, bending_z: 1, torsion: 2, axial: 1}}
      payload: {mass: 1.5, com: [0.05, 0.1, 0], inertia: {xx: 0.01, yy: 0.02, zz: 0.02}}
    - {name: hand, joint: {name: twist, type: revolute, axis: [1, 0, 0]}, rigid: {length: 0.2, mass: 0.5, com: [0.1, 0.02, 0], inertia: {xx: 1e-3, yy: 2e-3, zz: 2e-3}}}
)")
      .data;
}

TEST(RecursiveLagrangian, ARollJointAfterATwistingLinkAgreesWithEveryOther) {
  const Arm arm = Arm::assemble(twisting_link_with_roll_joint());
  ASSERT_EQ(arm.nv(), 3 + 9 + 5);
  RecursiveLagrangian book(arm);
  for (const char* name : {"articulated", "kane", "lagrange"}) {
    const auto other = make_formulation(name, arm);
    for (std::uint32_t seed = 1; seed <= 10; ++seed) {
      const State state = random_state(arm, seed);
      const VectorXd tau = random_vector(arm.nv(), seed, 20), vdot = forward(*other, state, tau);
      const MatrixXd M = mass_matrix(*other, state);
      const VectorXd h = bias(*other, state, Terms::all);
      const double force = largest(M.cwiseAbs() * vdot.cwiseAbs()) + largest(h) + largest(tau);
      EXPECT_LE(largest(M * (forward(book, state, tau) - vdot)), tolerance * force) << name;
      EXPECT_LE(largest(mass_matrix(book, state) - M), tolerance * largest(M)) << name;
      EXPECT_LE(largest(bias(book, state, Terms::coriolis) - bias(*other, state, Terms::coriolis)),
                tolerance * (1 + largest(bias(*other, state, Terms::coriolis))))
          << name;
    }
  }
}

RC_GTEST_PROP(RecursiveLagrangian, SmallTipsKeepTheEnergyOfSectionsThatTurn, ()) {
  // Rotary inertia under `small` is defined by its kinetic energy (chain.cpp): the equations of motion must be its own.
  const auto seed = any_seed();
  const Beyond beyond{true, *rc::gen::arbitrary<bool>(), *rc::gen::arbitrary<bool>()};
  RecursiveLagrangian model(Arm::assemble(bending_chain(any_link_count(6), seed, small_complete,
                                                        *rc::gen::element(BaseType::fixed, BaseType::planar), beyond)));
  const Arm& arm = model.arm();
  const State state = random_state(arm, seed);
  // Torques of given accelerations: M may be nearly singular.
  const VectorXd vdot = random_vector(arm.nv(), seed, 10);
  VectorXd tau(arm.nv());
  model.inverse(state, vdot, tau);
  // ½ vᵀMv is that energy.
  const double kinetic = model.kinetic_energy(state);
  RC_ASSERT(std::abs(state.v.dot(mass_matrix(model, state) * state.v) / 2 - kinetic) <= tolerance * (1 + kinetic));
  auto energy = [&](double t) {
    const State moved{state.t + t, state.q + t * state.v + t * t / 2 * vdot, state.v + t * vdot};
    return model.kinetic_energy(moved) + gravity_energy(arm, kinematics_of(arm, moved)) + elastic_energy(arm, moved);
  };
  const double step = 1e-3 / (1 + vdot.norm() / (1 + state.v.norm()));
  const double gained = (8 * (energy(step) - energy(-step)) - (energy(2 * step) - energy(-2 * step))) / (12 * step);
  const double given = (tau - bias(model, state, Terms::damping)).dot(state.v);
  RC_ASSERT(std::abs(gained - given) <= 1e-6 * (1 + std::abs(given) + std::abs(energy(0))));
}

RC_GTEST_PROP(RecursiveLagrangian, PowerPutInIsEnergyGainedOnAMovingBase, ()) {
  // v·τ and the base's power go into kinetic and potential energy and into dampers.
  const auto seed = any_seed();
  const auto options = *rc::gen::element(small_complete, finite_complete);
  const Case data = bending_chain(any_link_count(6), seed, options, BaseType::moving);
  RecursiveLagrangian model(Arm::assemble(data));
  const Arm& arm = model.arm();
  const State state = random_state(arm, seed);
  const VectorXd tau = random_vector(arm.nv(), seed, 10), vdot = forward(model, state, tau);
  auto energy = [&](double t) {
    const State moved{state.t + t, state.q + t * state.v + t * t / 2 * vdot, state.v + t * vdot};
    const PointDynamics points = point_dynamics(data, moved);
    return points.kinetic_energy + points.gravity_energy + points.elastic_energy;
  };
  // Four-point rule, error step⁴; the step keeps the motion within it small.
  const double step = 1e-3 / (1 + vdot.norm() / (1 + state.v.norm()));
  const double gained = (8 * (energy(step) - energy(-step)) - (energy(2 * step) - energy(-2 * step))) / (12 * step);
  const double given = (tau - bias(model, state, Terms::damping)).dot(state.v) + model.base_power(state, vdot);
  RC_ASSERT(std::abs(gained - given) <= 1e-6 * (1 + std::abs(given) + std::abs(energy(0))));
}

RC_GTEST_PROP(RecursiveLagrangian, DrivenCoordinatesCloseWithInverseDynamics, ()) {
  const auto seed = any_seed();
  const auto options = *rc::gen::element(small_complete, finite_complete, small_first, finite_first);
  RecursiveLagrangian model(Arm::assemble(bending_chain(any_link_count(5), seed, options)));
  const int nv = model.arm().nv();
  if (nv == 0) return;
  const State state = random_state(model.arm(), seed);
  std::vector<bool> driven(nv, false);
  for (const Link& link : model.arm().links())
    if (link.nv() == 1) driven[link.v0] = *rc::gen::arbitrary<bool>();
  const VectorXd given_tau = random_vector(nv, seed, 10), given_vdot = random_vector(nv, seed + 1, 5);
  VectorXd tau = given_tau, vdot = given_vdot, needed(nv);
  model.hybrid(state, driven, tau, vdot);
  for (int k = 0; k < nv; ++k) RC_ASSERT((driven[k] ? vdot[k] == given_vdot[k] : tau[k] == given_tau[k]));
  model.inverse(state, vdot, needed);
  const MatrixXd M = mass_matrix(model, state);
  const VectorXd h = bias(model, state, Terms::all);
  const double force = largest(M.cwiseAbs() * vdot.cwiseAbs()) + largest(tau) + largest(h);
  RC_ASSERT(largest(needed - tau) <= tolerance * force);
  RC_ASSERT(largest(M * vdot + h - tau) <= tolerance * force);
}

TEST(RecursiveLagrangian, APayloadIsThePartOfItsLinkThatItWouldBe) {
  // With `small` every point of a body on the tip moves linearly with δ, so that carried on Ŵ or counted among the link's
  // integrals it is the same body, exactly.
  int payloads = 0;
  for (std::uint32_t seed = 1; seed <= 10; ++seed) {
    const Arm on_tips = Arm::assemble(bending_chain(3, seed, small_complete));
    Arm in_integrals = on_tips;
    for (int i = 0; i < in_integrals.n_links(); ++i) {
      auto& link = const_cast<Link&>(in_integrals.link(i));  // an Arm is immutable to everyone but this test
      if (!link.flex || link.payload_T.mass == 0) continue;
      FlexBasis basis = *link.flex;
      add_tip_body(basis, link.payload_T);
      link.payload_T = {};
      link.flex = std::make_shared<const FlexBasis>(std::move(basis));
      ++payloads;
    }
    RecursiveLagrangian carried(on_tips), counted(in_integrals);
    const State state = random_state(on_tips, seed);
    const MatrixXd M = mass_matrix(carried, state);
    EXPECT_LE(largest(mass_matrix(counted, state) - M), 1e-13 * largest(M));
    const VectorXd h = bias(carried, state, Terms::all);
    EXPECT_LE(largest(bias(counted, state, Terms::all) - h), 1e-12 * largest(h));
  }
  EXPECT_GT(payloads, 3) << "there must be some, or this test cannot fail";
}

// --------------------------------------------------------------------------------------------------------- energy

/// Two aluminium links of 1 m turning about z, one clamped–free shape each.
Arm planar_arm(const Options& options) {
  Case data;
  data.arm.gravity.setZero();
  data.arm.tip_rotation = options.tip;
  data.arm.inertia = options.inertia;
  data.arm.rotary_inertia = false;
  const Modes one{1, 0, 0, 0, ModeShape::clamped_free};
  for (const char* name : {"upper", "fore"}) {
    LinkSpec link;
    link.name = link.joint.name = name;
    link.joint.axis = Vector3d::UnitZ();
    link.beam = Beam{1, {"", 70e9, 0.33, 2700, {}}, {GeneralSection{350e-6, 1e-8, 1e-8, {}}, {}}, one};
    data.arm.links.push_back(link);
  }
  return Arm::assemble(data);
}

/// Largest change of energy over a second of free motion of the planar arm, by the complete energy of the same tip rotation;
/// relative to the energy at the start. Classical Runge–Kutta steps.
double drift(const Options& options) {
  RecursiveLagrangian model(planar_arm(options)), complete(planar_arm({options.tip, InertiaOrder::complete}));
  State state = State::zero(model.arm());
  state.q << 0.2, 0.05, 0.7, -0.03;
  state.v << 2.0, 0.3, -3.0, 0.1;
  auto energy = [&] { return complete.kinetic_energy(state) + elastic_energy(complete.arm(), state); };
  auto moved = [&](const VectorXd& ydot, double h) {
    return State{0, state.q + h * ydot.head(4), state.v + h * ydot.tail(4)};
  };
  auto rate = [&](const State& at) -> VectorXd {
    return (VectorXd(8) << at.v, forward(model, at, VectorXd::Zero(4))).finished();
  };
  const double start = energy(), h = 1e-4;
  double worst = 0;
  for (int i = 0; i < 10000; ++i) {
    const VectorXd k1 = rate(state), k2 = rate(moved(k1, h / 2)), k3 = rate(moved(k2, h / 2)), k4 = rate(moved(k3, h));
    state = moved(k1 + 2 * k2 + 2 * k3 + k4, h / 6);
    worst = std::max(worst, std::abs(energy() - start) / start);
  }
  return worst;
}

TEST(RecursiveLagrangian, CompleteInertiaConservesEnergy) {
  // What the steps leave, and 1/25 of it at half the step.
  EXPECT_LT(drift(finite_complete), 2.5e-6);
  EXPECT_LT(drift(small_complete), 2.5e-6);
}

TEST(RecursiveLagrangian, FirstOrderInertiaDoesNot) {
  EXPECT_NEAR(drift(small_first), 0.097, 0.002);
  EXPECT_NEAR(drift(finite_first), 0.052, 0.002);
}

// --------------------------------------------------------------------------------------------------------- domain

std::string refusal(const Case& data) {
  try {
    RecursiveLagrangian(Arm::assemble(data));
  } catch (const UnsupportedError& error) {
    return error.path() + ": " + error.what();
  }
  return "none";
}

TEST(RecursiveLagrangian, NamesWhatLiesOutside) {
  const Case chain = chain_case(3, 1);
  EXPECT_EQ(refusal(chain), "none");
  Case data = chain;
  data.arm.links[1].joint.type = "prismatic";
  EXPECT_EQ(refusal(data), "none");
  data.arm.links[1].joint.type = "spherical";
  data.arm.links[1].joint.axis.reset();
  EXPECT_EQ(refusal(data),
            "arm.links[1].joint.type: expected a joint made of turns about axes and slides along them: "
            "recursive-lagrangian has a matrix A(q) for each coordinate, but 'joint1' is spherical; articulated, kane "
            "and lagrange cover it");
  data = chain;
  data.arm.links[2].parent = "link0";
  EXPECT_EQ(
      refusal(data),
      "arm.links[2].parent: expected 'link1': recursive-lagrangian is for chains, but joint 'joint2' branches off");
  data = chain;
  data.arm.base.type = BaseType::planar;
  EXPECT_EQ(refusal(data), "none");
  data.arm.base.type = BaseType::free;
  data.arm.base.origin = {};
  EXPECT_EQ(
      refusal(data),
      "arm.base: expected fixed, planar or moving: recursive-lagrangian has a matrix A(q) for each coordinate, but "
      "'base' is free; articulated, kane and lagrange cover it");
  data = bending_chain(3, 1, finite_complete);
  EXPECT_EQ(refusal(data), "none");
  data.arm.rotary_inertia = true;
  EXPECT_EQ(refusal(data), "none");
}

TEST(RecursiveLagrangian, PayloadInertiaIsNoRotaryInertia) {
  // Among the integrals of its link under `first-order`, by points that move.
  for (std::uint32_t seed = 1; seed <= 10; ++seed) EXPECT_EQ(refusal(bending_chain(4, seed, small_first)), "none");
}

TEST(RecursiveLagrangian, AllocatesNothing) {
  for (const Options& options : {small_complete, finite_complete, small_first}) {
    RecursiveLagrangian model(
        Arm::assemble(bending_chain(15, 2, options, BaseType::moving, {.rotary_inertia = true, .slides = true})));
    const int nv = model.arm().nv();
    State state = random_state(model.arm(), 2);
    for (const Link& link : model.arm().links()) state.q.segment(link.flex_q0(), link.n_flex()) *= 0.1;
    VectorXd tau = random_vector(nv, 2), vdot(nv), h(nv);
    MatrixXd M(nv, nv);
    std::vector<bool> driven(nv, false);
    driven[model.arm().link(0).v0] = true;
    model.forward(state, tau, vdot);  // whatever is sized on first use
    const long before = allocations();
    model.forward(state, tau, vdot);
    model.inverse(state, vdot, tau);
    model.mass_matrix(state, M);
    model.bias(state, Terms::all, h);
    model.hybrid(state, driven, tau, vdot);
    model.kinetic_energy(state);
    model.base_power(state, vdot);
    EXPECT_EQ(allocations(), before);
  }
}

}  // namespace
}  // namespace lithe::testing
