// `stiffening`: links that draw their sections in as they bend. Against exact links, energy, published beams, and one formulation against another.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <Eigen/Eigenvalues>
#include <numbers>

#include "lithe/arm/link_section.h"
#include "lithe/arm/passive_forces.h"
#include "lithe/arm/small_motion.h"
#include "lithe/describe/field.h"
#include "lithe/dynamics/articulated/articulated.h"
#include "lithe/dynamics/derivatives/inverse_derivatives.h"
#include "lithe/dynamics/kane/kane.h"
#include "support/allocation_count.h"
#include "support/draw.h"
#include "support/random_arm.h"

namespace lithe::testing {
namespace {

double largest(const MatrixXd& x) { return x.size() == 0 ? 0 : x.cwiseAbs().maxCoeff(); }

/// A slender beam of EI along y and z, without rotary inertia.
Beam slender(double length, double EI, double rhoA, const Flexibility& flexibility) {
  Beam beam;
  beam.length = length;
  beam.material = {.name = "", .E = EI, .nu = 0, .density = rhoA, .G = {}};
  beam.section.shape = GeneralSection{1, 1, 1, 1};
  beam.flexibility = flexibility;
  return beam;
}

/// One beam on a joint about `axis`, fixed where there is none.
Case one_beam(const Beam& beam, std::optional<Vector3d> axis, const Vector3d& gravity = Vector3d::Zero(),
              double tip_mass = 0) {
  Case data;
  data.arm.gravity = gravity;
  data.arm.rotary_inertia = false;
  LinkSpec link;
  link.name = "beam";
  link.joint.name = "hub";
  link.joint.type = axis ? "revolute" : "fixed";
  link.joint.axis = axis;
  link.beam = beam;
  if (tip_mass > 0) {
    Payload payload;
    payload.mass = tip_mass;
    link.payloads = {payload};
  }
  data.arm.links = {link};
  return data;
}

Modes bending(int y, int z) { return {.bending_y = y, .bending_z = z, .stiffening = true}; }

BaseType any_base() { return *rc::gen::element(BaseType::fixed, BaseType::planar, BaseType::free, BaseType::moving); }

Case any_case(BaseType base, bool smooth) {
  const auto seed = any_seed();
  FlexibleArmOptions options;
  options.arm.base = base;
  options.arm.drive_line = !smooth && *rc::gen::arbitrary<bool>();
  options.rotary_inertia = *rc::gen::arbitrary<bool>();
  options.every_kind = options.elements = options.segments = *rc::gen::arbitrary<bool>();
  return stiffened(random_flexible_case(any_link_count(5), seed, options));
}

struct Trial {
  Arm arm;
  State state;
  VectorXd vdot;
};
/// `smooth`: without friction and stops, of which differences give no slopes.
Trial any_trial(BaseType base, bool smooth = false) {
  Arm arm = Arm::assemble(any_case(base, smooth));
  const auto seed = any_seed();
  State state = random_state(arm, seed);
  state.t = 0.3;
  // M is not positive definite where a link bends far beyond what a second order describes.
  for (const Link& link : arm.links()) {
    if (!link.flex) continue;
    auto delta = state.q.segment(link.flex_q0(), link.n_flex());
    const Stations& stations = link.flex->stations;
    const double bend = std::max(largest(stations.curvature * VectorXd(delta)) * link.X_BT.p.norm(),
                                 4 * largest(stations.strain * VectorXd(delta)));
    if (bend > 0.1) delta *= 0.1 / bend;
  }
  const int nv = arm.nv();
  return {std::move(arm), std::move(state), random_vector(nv, seed + 1, 5)};
}

VectorXd inverse(Formulation& dynamics, const State& state, const VectorXd& vdot) {
  VectorXd tau(dynamics.arm().nv());
  dynamics.inverse(state, vdot, tau);
  return tau;
}
MatrixXd mass_matrix(Formulation& dynamics, const State& state) {
  MatrixXd M(dynamics.arm().nv(), dynamics.arm().nv());
  dynamics.mass_matrix(state, M);
  return M;
}
VectorXd bias(Formulation& dynamics, const State& state, Terms terms) {
  VectorXd h(dynamics.arm().nv());
  dynamics.bias(state, terms, h);
  return h;
}

RC_GTEST_PROP(Stiffening, KaneAgreesWithTheRecursion, ()) {
  const Trial trial = any_trial(any_base());
  const int nv = trial.arm.nv();
  Kane kane(trial.arm);
  Articulated articulated(trial.arm);
  const MatrixXd M = mass_matrix(articulated, trial.state);
  RC_ASSERT(largest(M - M.transpose()) <= 1e-13 * largest(M));
  RC_ASSERT(largest(mass_matrix(kane, trial.state) - M) <= 1e-12 * largest(M));
  RC_ASSERT(largest(MatrixXd(SmallMotion(trial.arm, trial.state).mass_matrix()) - M) <= 1e-12 * largest(M));
  for (const Terms terms : {Terms::coriolis, Terms::gravity, Terms::all}) {
    const VectorXd h = bias(articulated, trial.state, terms);
    RC_ASSERT(largest(bias(kane, trial.state, terms) - h) <= 1e-11 * (1 + largest(h)));
  }
  if (Eigen::LLT<MatrixXd>(M).info() != Eigen::Success) return;  // a few of light links bent by high shapes
  VectorXd tau = random_vector(nv, 3, 20), vdot(nv);
  articulated.forward(trial.state, tau, vdot);
  const VectorXd back = inverse(articulated, trial.state, vdot);  // sizes its memory, too
  const double force = largest(M.cwiseAbs() * vdot.cwiseAbs()) + largest(bias(kane, trial.state, Terms::all)) + 20;
  RC_ASSERT(largest(back - tau) <= 1e-11 * force);
  kane.forward(trial.state, tau, vdot);
  const long before = allocations();
  articulated.forward(trial.state, tau, vdot);
  articulated.inverse(trial.state, vdot, tau);
  kane.forward(trial.state, tau, vdot);
  const long after = allocations();
  RC_ASSERT(after == before);
}

double energy(const Arm& arm, const State& state) {
  const Kinematics kin = kinematics_of(arm, state);
  return kinetic_energy(arm, state, kin) + gravity_energy(arm, kin) + elastic_energy(arm, state);
}

/// The truncated equations are those of a Lagrangian function: energy grows by the power of the torques and by nothing else.
RC_GTEST_PROP(Stiffening, EnergyGrowsByTheWorkDone, ()) {
  const Trial trial = any_trial(*rc::gen::element(BaseType::fixed, BaseType::planar, BaseType::free));
  Articulated articulated(trial.arm);
  const VectorXd damping = bias(articulated, trial.state, Terms::damping);
  const VectorXd tau = inverse(articulated, trial.state, trial.vdot) - damping;
  const auto rise = [&](double h) {
    State ends[2] = {trial.state, trial.state};
    for (const int end : {0, 1}) {
      const double step = end == 0 ? -h : h;
      displace(trial.arm, ends[end].q, step * trial.state.v);
      ends[end].v += step * trial.vdot;
    }
    return (energy(trial.arm, ends[1]) - energy(trial.arm, ends[0])) / (2 * h);
  };
  double fast = 0;  // shapes under heavy loads turn their tips hundreds of times as fast as they grow
  for (const Link& link : trial.arm.links())
    if (link.flex)
      fast = std::max(
          fast, largest(link.flex->stations.psi * VectorXd(trial.state.v.segment(link.flex_v0(), link.n_flex()))));
  const double h = 2e-3 / (1 + fast), slope = (64 * rise(h / 4) - 20 * rise(h / 2) + rise(h)) / 45;
  const double scale = tau.cwiseAbs().dot(trial.state.v.cwiseAbs()) + 1;
  RC_ASSERT(std::abs(slope - tau.dot(trial.state.v)) <= 1e-7 * scale);
}

/// A step of coordinate k for differences: a shape under a heavy load turns its tip by hundreds of radians per metre.
double step_of(const Arm& arm, int k, double turn) {
  for (const Link& link : arm.links())
    if (link.flex && k >= link.flex_v0() && k < link.flex_v0() + link.n_flex())
      return turn / (1 + largest(link.flex->stations.psi.col(k - link.flex_v0())));
  return turn;
}

RC_GTEST_PROP(Stiffening, DerivativesAreDifferences, ()) {
  const Trial trial = any_trial(any_base(), true);
  const int nv = trial.arm.nv();
  Articulated articulated(trial.arm);
  InverseDerivatives derivatives(trial.arm);
  derivatives.update(random_state(trial.arm, 5), random_vector(nv, 6));
  derivatives.update(trial.state, trial.vdot);
  const VectorXd tau = inverse(articulated, trial.state, trial.vdot);
  RC_ASSERT(largest(derivatives.force() - tau) <= 1e-11 * (1 + largest(tau)));
  RC_ASSERT(largest(derivatives.mass_matrix() - mass_matrix(articulated, trial.state)) <=
            1e-12 * largest(derivatives.mass_matrix()));
  MatrixXd by_position(nv, nv), by_rate(nv, nv);
  for (int k = 0; k < nv; ++k) {
    const auto difference = [&](bool position, double h) {
      VectorXd result = VectorXd::Zero(nv);
      for (const double sign : {1.0, -1.0}) {
        State moved = trial.state;
        if (position) {
          displace(trial.arm, moved.q, sign * h * VectorXd::Unit(nv, k));
        } else {
          moved.v[k] += sign * h;
        }
        result += sign * inverse(articulated, moved, trial.vdot);
      }
      return VectorXd(result / (2 * h));
    };
    const double h = step_of(trial.arm, k, 1e-3);
    by_rate.col(k) = difference(false, h);
    by_position.col(k) = (64 * difference(true, h / 4) - 20 * difference(true, h / 2) + difference(true, h)) / 45;
  }
  RC_ASSERT(largest(derivatives.by_rate() - by_rate) <= 1e-8 * (largest(by_rate) + largest(tau)));
  RC_ASSERT(largest(derivatives.by_position() - by_position) <= 1e-7 * (largest(by_position) + largest(tau)));
}

/// Of an arm at rest ∂²V/∂z² of the weight: the geometric stiffness.
RC_GTEST_PROP(Stiffening, WeightStiffensByItsSecondDerivative, ()) {
  Trial trial = any_trial(BaseType::fixed);
  trial.state.v.setZero();
  const Arm& arm = trial.arm;
  Triplets entries;
  const SmallMotion motion(arm, trial.state);
  motion.add_weight_stiffness(arm.gravity(), entries);
  const MatrixXd K = assembled(arm.nv(), entries);
  MatrixXd expected(arm.nv(), arm.nv());
  for (int k = 0; k < arm.nv(); ++k) {
    const auto difference = [&](double h) {
      State ends[2] = {trial.state, trial.state};
      ends[0].q[k] -= h;
      ends[1].q[k] += h;
      return VectorXd(
          (SmallMotion(arm, ends[1]).weight(arm.gravity()) - SmallMotion(arm, ends[0]).weight(arm.gravity())) /
          (2 * h));
    };
    const double h = step_of(arm, k, 4e-4);
    expected.col(k) = (64 * difference(h / 4) - 20 * difference(h / 2) + difference(h)) / 45;
  }
  RC_ASSERT(largest(K - K.transpose()) <= 1e-12 * largest(K));
  RC_ASSERT(largest(K - expected) <= 1e-7 * (1 + largest(K)));
}

/// Sections and tips move as their positions say.
RC_GTEST_PROP(Stiffening, SectionsMoveAsTheirPlacesSay, ()) {
  const Trial trial = any_trial(BaseType::fixed);
  const Arm& arm = trial.arm;
  const SmallMotion motion(arm, trial.state);
  for (int i = 0; i < arm.n_links(); ++i) {
    const Link& link = arm.link(i);
    if (!link.flex || !link.flex->shortening) continue;
    const LinkSection inner = place_on_link(arm, i, {0.37 * link.X_BT.p.x(), 0, 0}, "").section;
    for (const LinkSection& section : {inner, tip_section(arm, i)}) {
      const SectionFrame frame(arm, section, motion.state(), motion.kinematics());
      const SectionSlopes slopes = motion.section_slopes(section, frame);
      for (int l = 0; l < frame.size(); ++l) {
        const double h = 1e-5;
        State ends[2] = {motion.state(), motion.state()};
        const int q = link.flex_q0() + section.shapes.coordinates[size_t(l)];
        ends[0].q[q] -= h;
        ends[1].q[q] += h;
        const Kinematics kin[2] = {kinematics_of(arm, ends[0]), kinematics_of(arm, ends[1])};
        const SectionFrame low(arm, section, ends[0], kin[0]), high(arm, section, ends[1], kin[1]);
        RC_ASSERT(largest((high.X_WS.p - low.X_WS.p) / (2 * h) - frame.slide(l)) <= 1e-9 * (1 + frame.slide(l).norm()));
        if (section.is_tip)
          RC_ASSERT(largest(kin[1].X_WT[size_t(i)].p - high.X_WS.p) <= 1e-14 * (1 + high.X_WS.p.norm()));
        for (int k = 0; k < frame.size(); ++k)
          RC_ASSERT(largest((high.slide(k) - low.slide(k)) / (2 * h) - slopes.slide(k, l)) <=
                    1e-9 * (1 + slopes.slide(k, l).norm()));
      }
    }
  }
}

/// The exact link (docs/exact-links.md) shares no code with the shortening. With the same space of curvatures, forces on the coordinates agree to
/// first order in the deflection, those on what carries the link to second: halving the deflection leaves a quarter and an eighth of the difference.
TEST(Stiffening, AgreesWithAnExactLink) {
  const double L = 1.3, tip_mass = 0.4;
  const auto arm_of = [&](const Flexibility& flexibility) {
    Case data = one_beam(slender(L, 20, 0.9, flexibility), {}, {1, -2, -9.81}, tip_mass);
    data.arm.base.type = BaseType::free;
    RigidBody body;
    body.mass = 2;
    body.inertia = InertiaEntries{0.3, 0.4, 0.5};
    data.arm.base.body = body;
    data.arm.links[0].joint.origin = Origin{{0.1, 0.2, -0.3}, {0.3, -0.4, 0.5}};
    return Arm::assemble(data);
  };
  const Arm shapes = arm_of(bending(3, 2)), exact = arm_of(StrainTerms{.bending_y = 3, .bending_z = 2});
  ASSERT_EQ(shapes.nv(), exact.nv());
  const int m = 5, first = 6;
  // δ of shapes = T × strains: the same small deflections at all stations.
  const FlexBasis &ours = *shapes.link(1).flex, &theirs = *exact.link(1).flex;
  ASSERT_TRUE(ours.shortening && theirs.exact);
  const MatrixXd T = MatrixXd(ours.stations.phi).colPivHouseholderQr().solve(MatrixXd(theirs.stations.phi));
  ASSERT_LT(largest(MatrixXd(ours.stations.phi) * T - MatrixXd(theirs.stations.phi)), 1e-12);

  const auto differences = [&](double size) {
    State by_strains = random_state(exact, 3);
    VectorXd vdot = random_vector(exact.nv(), 4, 3);
    by_strains.q.tail(m) = size * random_vector(m, 5);
    by_strains.v.tail(m) = size * random_vector(m, 6);
    vdot.tail(m) = size * random_vector(m, 7);
    State by_shapes = State::zero(shapes);
    by_shapes.q << by_strains.q.head(by_strains.q.size() - m), T * by_strains.q.tail(m);
    by_shapes.v << by_strains.v.head(first), T * by_strains.v.tail(m);
    VectorXd vdot_of_shapes = vdot;
    vdot_of_shapes.tail(m) = T * vdot.tail(m);
    Articulated a(shapes), b(exact);
    const VectorXd tau = inverse(a, by_shapes, vdot_of_shapes), expected = inverse(b, by_strains, vdot);
    return std::pair{(T.transpose() * tau.tail(m) - expected.tail(m)).norm(),
                     (tau.head(first) - expected.head(first)).norm()};
  };
  const auto [coordinates, base] = differences(0.02);
  const auto [coordinates_half, base_half] = differences(0.01);
  const auto [coordinates_none, base_none] = differences(1e-6);
  EXPECT_LT(coordinates_none, 1e-10);
  EXPECT_LT(base_none, 1e-10);
  EXPECT_GT(coordinates, 1e-7) << "the deflection must be large enough to see an order";
  EXPECT_NEAR(coordinates / coordinates_half, 4, 0.3);
  EXPECT_GT(base, 1e-7);
  EXPECT_NEAR(base / base_half, 8, 0.6);
}

/// The smallest factor by which a weight on an upright beam, or its own, makes it buckle.
double critical_gravity(const Arm& arm) {
  const SmallMotion motion(arm, State::zero(arm));
  Triplets elastic, weight;
  add_elastic_stiffness(arm, State::zero(arm), elastic);
  motion.add_weight_stiffness({-1, 0, 0}, weight);
  const MatrixXd K = assembled(arm.nv(), elastic), G = -MatrixXd(assembled(arm.nv(), weight));
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> solver(G, K);
  return 1 / solver.eigenvalues().maxCoeff();
}

TEST(Stiffening, ColumnsBuckle) {
  constexpr double pi = std::numbers::pi;
  const double L = 2, EI = 30, mass = 5, rhoA = 0.7;
  const double euler = pi * pi * EI / (4 * L * L) / mass, greenhill = 7.837347439 * EI / (L * L * L) / rhoA;
  EXPECT_NEAR(critical_gravity(Arm::assemble(one_beam(slender(L, EI, 1e-9, bending(5, 0)), {}, {}, mass))) / euler, 1,
              1e-8);
  EXPECT_NEAR(critical_gravity(Arm::assemble(one_beam(slender(L, EI, rhoA, bending(0, 8)), {}))) / greenhill, 1, 1e-8);
  // A mass halfway: that of a column half as long.
  Case data = one_beam(slender(L, EI, 1e-9, Elements{.count = 4, .plane = BendingPlane::y, .stiffening = true}), {});
  data.arm.links[0].beam->section.shear = 1e9;
  Payload payload;
  payload.mass = mass;
  payload.at = L / 2;
  data.arm.links[0].payloads = {payload};
  EXPECT_NEAR(critical_gravity(Arm::assemble(data)) / (4 * euler), 1, 1e-3);
  // Reduced elements bend as the whole ones do.
  data.arm.links[0].beam->flexibility = Elements{
      .count = 8, .plane = BendingPlane::y, .keep = 16, .reduction = Reduction::eigenmodes, .stiffening = true};
  EXPECT_NEAR(critical_gravity(Arm::assemble(data)) / (4 * euler), 1, 1e-3);
}

/// Frequencies of a uniform beam that turns about an axis through its root, out of the plane of that motion, in units of √(EI/ρAL⁴).
/// A. D. Wright, C. E. Smith, R. W. Thresher, J. L. C. Wang, Journal of Applied Mechanics 49 (1982), table 1.
TEST(Stiffening, RotatingBeamsVibrateFaster) {
  const double expected[][3] = {{0, 3.5160, 22.0345}, {1, 3.6817, 22.1810}, {2, 4.1373, 22.6149},  {4, 5.5850, 24.2734},
                                {6, 7.3604, 26.8091}, {8, 9.2568, 29.9954}, {12, 13.1702, 37.6031}};
  const double L = 1.7, EI = 13, rhoA = 0.8, unit = std::sqrt(EI / (rhoA * std::pow(L, 4)));
  for (const Flexibility& flexibility : {Flexibility(bending(0, 9)), Flexibility(bending(9, 0))}) {
    const bool flap = std::get<Modes>(flexibility).bending_z > 0;
    const Arm arm = Arm::assemble(one_beam(slender(L, EI, rhoA, flexibility), Vector3d::UnitZ()));
    const int m = arm.nv() - 1;
    for (const auto& [speed, first, second] : expected) {
      State state = State::zero(arm);
      state.v[0] = speed * unit;
      InverseDerivatives derivatives(arm);
      derivatives.update(state, VectorXd::Zero(arm.nv()));
      const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> solver(
          derivatives.by_position().bottomRightCorner(m, m), derivatives.mass_matrix().bottomRightCorner(m, m));
      // Within the plane the stiffness lacks what centrifugal forces do across the beam.
      const double less = flap ? 0 : speed * speed;
      EXPECT_NEAR(std::sqrt(solver.eigenvalues()[0] / (unit * unit) + less), first, 1.1e-4) << speed;
      EXPECT_NEAR(std::sqrt(solver.eigenvalues()[1] / (unit * unit) + less), second, 2e-4) << speed;
    }
  }
}

/// The largest deflection of a beam that is spun up, and when (Simo & Vu-Quoc 1987).
struct Peak {
  double deflection = 0, time = 0;
};
Peak spun_up(const Arm& arm, double top_speed, double spin_up, double until) {
  Articulated dynamics(arm);
  const int m = arm.nv() - 1;
  const VectorXd tip = arm.link(0).flex->tip_phi.row(1).transpose();
  std::vector<bool> driven(size_t(arm.nv()), false);
  driven[0] = true;
  State state = State::zero(arm);
  const auto rates = [&](double t, const VectorXd& y) {
    const double u = t / spin_up, w = 2 * std::numbers::pi * u;
    state.q << top_speed * spin_up * (u * u / 2 + (std::cos(w) - 1) / std::pow(2 * std::numbers::pi, 2)), y.head(m);
    state.v << top_speed * (u - std::sin(w) / (2 * std::numbers::pi)), y.tail(m);
    VectorXd vdot = VectorXd::Zero(m + 1), tau = vdot;
    vdot[0] = top_speed / spin_up * (1 - std::cos(w));
    dynamics.hybrid(state, driven, tau, vdot);
    return VectorXd((VectorXd(2 * m) << y.tail(m), vdot.tail(m)).finished());
  };
  Peak peak;
  VectorXd y = VectorXd::Zero(2 * m);
  const double h = 2e-3;
  double before = 0, two_before = 0;
  for (int i = 0; i * h < until; ++i) {
    const double t = i * h;
    const VectorXd k1 = rates(t, y), k2 = rates(t + h / 2, y + h / 2 * k1), k3 = rates(t + h / 2, y + h / 2 * k2),
                   k4 = rates(t + h, y + h * k3);
    y += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    const double now = tip.dot(y.head(m));
    // The vertex of the parabola through three steps.
    if (before < two_before && before <= now && before < peak.deflection) {
      const double slope = (now - two_before) / 2, bend = now - 2 * before + two_before, at = -slope / bend;
      peak = {before + slope * at + bend / 2 * at * at, t + at * h};
    }
    two_before = before;
    before = now;
  }
  return peak;
}

TEST(Stiffening, SpinUpStaysNearTheExactBeam) {
  const Beam simo = slender(10, 1.4e4, 1.2, bending(3, 0));
  const Peak alone = spun_up(Arm::assemble(one_beam(simo, Vector3d::UnitZ())), 6, 15, 9);
  EXPECT_NEAR(alone.deflection, -0.574356641, 1e-7);  // of the equations to first order, made by another program
  EXPECT_NEAR(alone.time, 6.76014377, 1e-4);
  EXPECT_NEAR(alone.deflection, -0.573834759, 0.001 * 0.5738);  // two exact discretisations, shear and stretch included
  const Peak loaded = spun_up(Arm::assemble(one_beam(simo, Vector3d::UnitZ(), {0, 0, 0}, 2)), 6, 15, 9);
  EXPECT_NEAR(loaded.deflection, -0.887637362, 0.006 * 0.8876);  // exact links of four terms
  const Beam slewing = slender(8, 566.6, 0.2019, bending(3, 0));
  const Peak slewed = spun_up(Arm::assemble(one_beam(slewing, Vector3d::UnitZ())), 4, 15, 9);
  EXPECT_NEAR(slewed.deflection, -0.53459, 1e-5);
  EXPECT_NEAR(slewed.time, 6.7650, 1e-4);
}

/// Bodies along a link draw in with it: many on a beam without mass are a beam.
TEST(Stiffening, BodiesAlongAreMassToo) {
  const double L = 1, EI = 10, rhoA = 2;
  const Arm uniform = Arm::assemble(one_beam(slender(L, EI, rhoA, bending(2, 2)), {}));
  Case data = one_beam(slender(L, EI, 1e-12, bending(2, 2)), {});
  const int n = 2000;
  for (int i = 0; i < n; ++i) {
    Payload body;
    body.mass = rhoA * L / n;
    body.at = (i + 0.5) * L / n;
    data.arm.links[0].payloads.push_back(body);
  }
  const Arm lumped = Arm::assemble(data);
  const Shortening &a = *uniform.link(0).flex->shortening, &b = *lumped.link(0).flex->shortening;
  EXPECT_LT(largest(MatrixXd(a.mass - b.mass)), 1e-5 * largest(MatrixXd(a.mass)));
  EXPECT_LT(largest(MatrixXd(a.moment[0] - b.moment[0])), 1e-5 * largest(MatrixXd(a.moment[0])));
}

TEST(Stiffening, RefusesWhatContradictsIt) {
  const auto expect_refused = [](const Case& data, const std::string& path, const std::string& text) {
    try {
      (void)Arm::assemble(data);
      FAIL() << "not refused: " << text;
    } catch (const FieldError& error) {
      EXPECT_EQ(error.path(), path);
      EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << error.what();
    }
  };
  Case data = one_beam(slender(1, 1, 1, bending(1, 1)), Vector3d::UnitZ());
  data.arm.tip_rotation = TipRotation::small;
  expect_refused(data, "arm.links[0].beam.flexibility.modes.stiffening", "tip_rotation: finite");
  data.arm.tip_rotation = TipRotation::finite;
  data.arm.inertia = InertiaOrder::first_order;
  expect_refused(data, "arm.links[0].beam.flexibility.modes.stiffening", "inertia: complete");
  data.arm.inertia = InertiaOrder::complete;
  std::get<Modes>(data.arm.links[0].beam->flexibility).axial = 1;
  expect_refused(data, "arm.links[0].beam.flexibility.modes.stiffening", "keeps its length");
  data.arm.links[0].beam->flexibility = Elements{.count = 13, .stiffening = true};
  expect_refused(data, "arm.links[0].beam.flexibility.stiffening", "at most 60 coordinates, got 65");
}

}  // namespace
}  // namespace lithe::testing
