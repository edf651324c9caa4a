// Arms with exact links: `articulated` (beam/exact) against `kane`, whose poses of sections, masses and derivatives are its own, and what
// holds whatever the method. Points, which share code with neither, are in flexible_test.cpp; more laws in flexible_laws_test.cpp.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "lithe/arm/kinematics.h"
#include "lithe/dynamics/articulated/articulated.h"
#include "lithe/dynamics/kane/kane.h"
#include "support/draw.h"
#include "support/kane_slopes.h"
#include "support/random_arm.h"

namespace lithe::testing {
namespace {

double largest(const MatrixXd& x) { return x.size() == 0 ? 0 : x.cwiseAbs().maxCoeff(); }

FlexibleArmOptions any_options() {
  FlexibleArmOptions options;
  options.strains = true;
  options.arm.drive_line = *rc::gen::arbitrary<bool>();
  options.arm.base = *rc::gen::element(BaseType::fixed, BaseType::planar, BaseType::free, BaseType::moving);
  options.arm.base_profiles = *rc::gen::arbitrary<bool>();
  options.rotary_inertia = *rc::gen::arbitrary<bool>();
  // A slender beam does not resist a turn about its own axis, which a ball joint allows.
  options.arm.other_joints = options.rotary_inertia && *rc::gen::arbitrary<bool>();
  options.every_kind = *rc::gen::arbitrary<bool>();  // tapers among them
  return options;
}

struct Trial {
  Arm arm;
  State state;
  VectorXd tau, vdot;  // something to try
};
Trial any_trial() {
  const auto seed = any_seed();
  Arm arm = Arm::assemble(random_flexible_case(any_link_count(6), seed, any_options()));
  State state = random_state(arm, seed);
  state.t = 0.3;
  const int nv = arm.nv();
  return {std::move(arm), std::move(state), random_vector(nv, seed, 20), random_vector(nv, seed + 1, 5)};
}

/// The largest force on the way: what rounding is measured against.
double force_scale(const MatrixXd& M, const VectorXd& vdot, const VectorXd& h, const VectorXd& tau) {
  return largest(M.cwiseAbs() * vdot.cwiseAbs()) + largest(h) + largest(tau);
}

RC_GTEST_PROP(ExactDynamics, FormulationsAgree, ()) {
  const Trial trial = any_trial();
  const int nv = trial.arm.nv();
  Articulated articulated(trial.arm);
  Kane kane(trial.arm);
  MatrixXd M(nv, nv), M_kane(nv, nv);
  articulated.mass_matrix(trial.state, M);
  kane.mass_matrix(trial.state, M_kane);
  RC_ASSERT(largest(M - M_kane) <= 1e-12 * largest(M));
  RC_ASSERT(largest(M - M.transpose()) <= 1e-13 * largest(M));

  VectorXd h(nv), h_kane(nv);
  for (const Terms terms : {Terms::coriolis, Terms::gravity, Terms::elastic, Terms::damping, Terms::all}) {
    articulated.bias(trial.state, terms, h);
    kane.bias(trial.state, terms, h_kane);
    RC_ASSERT(largest(h - h_kane) <= 1e-11 * (1 + largest(h_kane)));
  }

  VectorXd vdot(nv), vdot_kane(nv), tau(nv);
  articulated.forward(trial.state, trial.tau, vdot);
  kane.forward(trial.state, trial.tau, vdot_kane);
  const double force = force_scale(M, vdot_kane, h_kane, trial.tau);
  RC_ASSERT(largest(M_kane * (vdot - vdot_kane)) <= 1e-10 * force);
  articulated.inverse(trial.state, vdot, tau);
  RC_ASSERT(largest(tau - trial.tau) <= 1e-11 * force);
}

// Any joint and any single amplitude may follow a given motion.
RC_GTEST_PROP(ExactDynamics, DrivenCoordinatesAgree, ()) {
  const Trial trial = any_trial();
  const int nv = trial.arm.nv();
  std::vector<bool> driven(size_t(nv), false);
  for (const Link& link : trial.arm.links()) {
    const bool choice = *rc::gen::arbitrary<bool>();
    for (int k = 0; k < link.nv(); ++k) driven[size_t(link.v0 + k)] = choice;
    const int amplitudes = any_within(0, 2);  // none, some, all
    for (int k = 0; k < link.n_flex(); ++k)
      driven[size_t(link.flex_v0() + k)] = amplitudes == 2 || (amplitudes == 1 && *rc::gen::arbitrary<bool>());
  }
  Articulated articulated(trial.arm);
  Kane kane(trial.arm);
  VectorXd tau = trial.tau, vdot = trial.vdot, tau_kane = trial.tau, vdot_kane = trial.vdot, h(nv);
  MatrixXd M(nv, nv);
  articulated.hybrid(trial.state, driven, tau, vdot);
  kane.hybrid(trial.state, driven, tau_kane, vdot_kane);
  kane.mass_matrix(trial.state, M);
  kane.bias(trial.state, Terms::all, h);
  const double force = force_scale(M, vdot_kane, h, tau_kane);
  RC_ASSERT(largest(M * (vdot - vdot_kane)) <= 1e-10 * force);
  RC_ASSERT(largest(tau - tau_kane) <= 1e-10 * force);
  // A shape's amplitude passes through a scale.
  for (int k = 0; k < nv; ++k) {
    const double kept = driven[size_t(k)] ? vdot[k] - trial.vdot[k] : tau[k] - trial.tau[k];
    RC_ASSERT(std::abs(kept) <= 1e-14);
  }
}

// Weight is the slope of its energy, which kinematics finds from the link's first moment.
RC_GTEST_PROP(ExactDynamics, GravityIsTheSlopeOfItsEnergy, ()) {
  const Trial trial = any_trial();
  const Arm& arm = trial.arm;
  VectorXd g(arm.nv());
  Articulated(arm).bias(trial.state, Terms::gravity, g);
  for (int k = 0; k < arm.nv(); ++k) {
    const auto energy = [&](double step) {
      State moved = trial.state;
      displace(arm, moved.q, step * VectorXd::Unit(arm.nv(), k));
      return gravity_energy(arm, kinematics_of(arm, moved));
    };
    // Four-point rule, error h⁴; rounding ε·E/h.
    const double h = 1e-5;
    const double slope = (8 * (energy(h) - energy(-h)) - (energy(2 * h) - energy(-2 * h))) / (12 * h);
    RC_ASSERT(std::abs(slope - g[k]) <= 1e-8 * (1 + std::abs(energy(0)) + largest(g)));
  }
}

// Kane's equations run on dual numbers, the witness of derivatives, are those of exact links too.
TEST(ExactDynamics, KaneOnDualNumbersHasTheSlopesOfInverseDynamics) {
  for (unsigned seed = 1; seed < 6; ++seed) {
    const Arm arm = Arm::assemble(random_flexible_case(3, seed, {.strains = true}));
    const int nv = arm.nv();
    const State state = random_state(arm, seed);
    const VectorXd vdot = random_vector(nv, seed, 5);
    const InverseSlopes slopes = kane_slopes(arm, state, vdot);
    Articulated articulated(arm);
    const auto force_at = [&](const VectorXd& step, const VectorXd& rate) {
      State moved = state;
      displace(arm, moved.q, step);
      moved.v += rate;
      VectorXd force(nv);
      articulated.inverse(moved, vdot, force);
      return force;
    };
    // Four-point rule. What it loses by rounding is measured against the largest force.
    const auto slope = [&](const auto& at) {
      const double h = 1e-3;
      return VectorXd((8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h));
    };
    const VectorXd none = VectorXd::Zero(nv);
    const double largest_force = largest(force_at(none, none));
    EXPECT_LT(largest(slopes.force - force_at(none, none)), 1e-11 * largest_force);
    for (int k = 0; k < nv; ++k) {
      const VectorXd unit = VectorXd::Unit(nv, k);
      const VectorXd by_position = slope([&](double h) { return force_at(h * unit, none); });
      const VectorXd by_rate = slope([&](double h) { return force_at(none, h * unit); });
      const double scale = largest_force + largest(slopes.by_position);
      EXPECT_LT(largest(slopes.by_position.col(k) - by_position), 1e-8 * scale) << seed << ' ' << k;
      EXPECT_LT(largest(slopes.by_rate.col(k) - by_rate), 1e-8 * scale) << seed << ' ' << k;
    }
  }
}

// Base and gravity turned rigidly: nothing changes. Strains know no axes but the section's own.
RC_GTEST_PROP(ExactDynamics, TurningTheWorldChangesNothing, ()) {
  const auto seed = any_seed();
  FlexibleArmOptions options = any_options();
  options.arm.base = BaseType::fixed;
  Case data = random_flexible_case(any_link_count(5), seed, options);
  data.arm.base.origin.rpy.setZero();
  const Arm arm = Arm::assemble(data);
  // Small turns: angles back from a matrix would lose digits.
  const Vector3d rpy = random_vector(3, seed, 1);
  data.arm.gravity = rpy_rotation(rpy) * data.arm.gravity;
  data.arm.base.origin.xyz = rpy_rotation(rpy) * data.arm.base.origin.xyz;
  data.arm.base.origin.rpy = rpy;
  const Arm turned = Arm::assemble(data);
  const State state = random_state(arm, seed);
  const VectorXd tau = random_vector(arm.nv(), seed, 5);
  VectorXd one(arm.nv()), two(arm.nv()), h(arm.nv());
  MatrixXd M(arm.nv(), arm.nv());
  Articulated dynamics(arm);
  dynamics.forward(state, tau, one);
  Articulated(turned).forward(state, tau, two);
  dynamics.mass_matrix(state, M);
  dynamics.bias(state, Terms::all, h);
  RC_ASSERT(largest(M * (one - two)) <= 1e-11 * force_scale(M, one, h, tau));
}

// A free arm, bent and moving, elsewhere and turned: the same accelerations in its own axes.
RC_GTEST_PROP(ExactDynamics, AFreeArmIsTheSameFromEverySide, ()) {
  const auto seed = any_seed();
  FlexibleArmOptions options = any_options();
  options.arm.base = BaseType::free;
  Case data = random_flexible_case(any_link_count(4), seed, options);
  data.arm.gravity.setZero();
  const Arm arm = Arm::assemble(data);
  State state = random_state(arm, seed), turned = state;
  Quaterniond by(1 + random_vector(1, seed)[0], 0.3, -0.8, 0.5);
  by.normalize();
  const Quaterniond q(state.q[3], state.q[4], state.q[5], state.q[6]), all = by * q;
  turned.q.head<3>() = by * Vector3d(state.q.head<3>()) + Vector3d(1, 2, 3);
  turned.q.segment<4>(3) << all.w(), all.x(), all.y(), all.z();
  VectorXd tau = random_vector(arm.nv(), seed, 5), one(arm.nv()), two(arm.nv());
  for (const bool by_kane : {false, true}) {
    std::unique_ptr<Formulation> dynamics;
    if (by_kane) {
      dynamics = std::make_unique<Kane>(arm);
    } else {
      dynamics = std::make_unique<Articulated>(arm);
    }
    MatrixXd M(arm.nv(), arm.nv());
    VectorXd h(arm.nv());
    dynamics->forward(state, tau, one);
    dynamics->forward(turned, tau, two);
    dynamics->mass_matrix(state, M);
    dynamics->bias(state, Terms::all, h);
    RC_ASSERT(largest(M * (one - two)) <= 1e-11 * force_scale(M, one, h, tau));
  }
}

/// Every beam bent by so many terms of strains, or by as many polynomial shapes.
Arm arm_with(Case data, const Modes& counts, bool exact) {
  for (LinkSpec& link : data.arm.links) {
    if (!link.beam) continue;
    link.beam->flexibility = counts;
    if (exact) link.beam->flexibility = StrainTerms{counts.bending_y, counts.bending_z, counts.torsion, counts.axial};
  }
  return Arm::assemble(data);
}

/// Coordinates of the shapes from those of strains. While a link is straight both span the same fields, for P_k integrated twice is a
/// polynomial x² …
MatrixXd shapes_from_strains(const Arm& exact, const Arm& shapes) {
  MatrixXd T = MatrixXd::Identity(exact.nv(), exact.nv());
  for (int i = 0; i < exact.n_links(); ++i) {
    if (!exact.link(i).flex) continue;
    const auto fields = [](const FlexBasis& flex) {
      MatrixXd both(2 * flex.stations.phi.rows(), flex.size());
      both << MatrixXd(flex.stations.phi), MatrixXd(flex.stations.psi);
      return both;
    };
    const MatrixXd theirs = fields(*shapes.link(i).flex), ours = fields(*exact.link(i).flex);
    const MatrixXd solved = theirs.colPivHouseholderQr().solve(ours);
    EXPECT_LT(largest(theirs * solved - ours), 1e-13);
    const Link& link = exact.link(i);
    T.block(link.flex_v0(), link.flex_v0(), link.n_flex(), link.n_flex()) = solved;
  }
  return T;
}

// On straight links nothing tells the two apart, however the arm moves. (Without rotary inertia: on links of shapes a section's is held in link
// axes.)
TEST(ExactDynamics, StraightLinksAreThoseOfPolynomialShapes) {
  const Case data = two_bending_links_case(/*rotary_inertia=*/false);
  const Modes counts{2, 3, 1, 2};
  const Arm exact = arm_with(data, counts, true), shapes = arm_with(data, counts, false);
  const int nv = exact.nv();
  ASSERT_EQ(nv, shapes.nv());
  const MatrixXd T = shapes_from_strains(exact, shapes);
  Articulated of_exact(exact), of_shapes(shapes);
  for (unsigned seed = 0; seed < 5; ++seed) {
    State state = State::zero(exact);
    state.q = random_vector(nv, seed, 3);
    state.v = random_vector(nv, seed + 9, 2);
    for (const Link& link : exact.links()) {
      state.q.segment(link.flex_q0(), link.n_flex()).setZero();
      state.v.segment(link.flex_v0(), link.n_flex()).setZero();
    }
    MatrixXd M(nv, nv), M_shapes(nv, nv);
    VectorXd h(nv), h_shapes(nv);
    of_exact.mass_matrix(state, M);
    of_shapes.mass_matrix(state, M_shapes);
    EXPECT_LT(largest(M - T.transpose() * M_shapes * T), 1e-12 * largest(M));
    of_exact.bias(state, Terms::all, h);
    of_shapes.bias(state, Terms::all, h_shapes);
    EXPECT_LT(largest(h - T.transpose() * h_shapes), 1e-12 * largest(h));
  }
}

/// By how many decades the accelerations of a clamped link, exact and of shapes, approach each other when deflection, rates and forces
/// all become a tenth: the order of what small deflections neglect.
std::vector<double> orders(const Modes& counts, const Vector3d& payload_com) {
  Case data = two_bending_links_case();
  data.arm.gravity.setZero();
  data.arm.links = {data.arm.links[1]};
  data.arm.links[0].joint = {.name = "wall", .type = "fixed"};
  data.arm.links[0].payloads = {Payload{.mass = 0.5, .com = payload_com, .inertia = {0.02, 0.03, 0.04}}};
  const Arm exact = arm_with(data, counts, true), shapes = arm_with(data, counts, false);
  const int m = exact.nv();
  const MatrixXd T = shapes_from_strains(exact, shapes);
  Articulated of_exact(exact), of_shapes(shapes);
  std::vector<double> distance;
  for (const double size : {1e-1, 1e-2, 1e-3}) {
    const State bent{0, size * random_vector(m, 1), size * random_vector(m, 2)};
    const VectorXd tau = size * random_vector(m, 3, 10);
    VectorXd ours(m), theirs(m);
    of_exact.forward(bent, tau, ours);
    of_shapes.forward({0, T * bent.q, T * bent.v}, T.transpose().partialPivLu().solve(tau), theirs);
    distance.push_back((T * ours - theirs).norm());
  }
  return {std::log10(distance[0] / distance[1]), std::log10(distance[1] / distance[2])};
}

// In space a bend along y turns what bends along z: of second order. In a plane the first thing neglected is that a bend shortens the
// link, and it counts twice: by the way that masses are moved, and by the motion along it. A third order, if no mass is beside the axis.
TEST(ExactDynamics, SmallMotionsDifferFromThoseOfShapesByHigherOrders) {
  const std::vector<double> in_space = orders({2, 2, 1, 0}, {0.1, 0.2, 0.1}),
                            in_a_plane = orders({3, 0, 0, 0}, {0.1, 0, 0});
  EXPECT_NEAR(in_space[1], 2, 0.1);
  EXPECT_NEAR(in_a_plane[1], 3, 0.1);
}

}  // namespace
}  // namespace lithe::testing
