// What the articulated recursion takes for granted at assembly: frames, ways, sizes, splits. Against `kane`, which has none of it.
#include "lithe/dynamics/articulated/forward_recursion.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <iostream>

#include "lithe/dynamics/articulated/articulated.h"
#include "lithe/dynamics/articulated/batch_forward.h"
#include "lithe/dynamics/articulated/pack.h"
#include "lithe/dynamics/articulated/recursion_plan.h"
#include "lithe/dynamics/kane/kane.h"
#include "support/draw.h"
#include "support/random_arm.h"

namespace lithe::testing {
namespace {

/// How far `articulated` is from `kane`, as the torques that the difference of accelerations stands for, relative to the largest.
double difference(const Arm& arm, const State& state) {
  const VectorXd tau = random_vector(arm.nv(), 7, 10);
  Kane kane(arm);
  Articulated articulated(arm);
  VectorXd ours(arm.nv()), theirs(arm.nv()), h(arm.nv());
  MatrixXd M(arm.nv(), arm.nv());
  articulated.forward(state, tau, ours);
  kane.forward(state, tau, theirs);
  kane.mass_matrix(state, M);
  kane.bias(state, Terms::all, h);
  const double largest = std::max((M.cwiseAbs() * theirs.cwiseAbs()).maxCoeff(), h.cwiseAbs().maxCoeff());
  const double worst = (M * (ours - theirs)).cwiseAbs().maxCoeff() / largest;
  return std::isfinite(worst) ? worst : 1e300;
}

BodyPlan::Form form_of_first(const Arm& arm) { return RecursionPlan(arm).bodies[0].form; }

/// Two links about generic axes; the first bends.
Case bending_pair(const Flexibility& flexibility, std::uint32_t seed = 83) {
  Case data = two_bending_links_case();
  Case pair = data;
  pair.arm.links = {data.arm.links[1], data.arm.links[3]};
  pair.arm.links[0].beam->flexibility = flexibility;
  pair.arm.links[1].joint.origin->xyz = {0.02 * double(seed % 3), 0.01, -0.03};
  return pair;
}

TEST(ForwardRecursion, TakesAnyNumberOfShapes) {
  for (const Modes& modes :
       {Modes{1, 0, 0, 0}, Modes{0, 1, 0, 0}, Modes{2, 0, 0, 0}, Modes{0, 2, 0, 0}, Modes{1, 1, 0, 0},
        Modes{2, 2, 0, 0}, Modes{2, 2, 1, 0}, Modes{3, 1, 2, 0}, Modes{0, 10, 0, 0}, Modes{0, 11, 0, 0},
        Modes{1, 0, 10, 0}, Modes{1, 12, 1, 0}, Modes{8, 8, 0, 0}}) {
    const Arm arm = Arm::assemble(bending_pair(modes));
    EXPECT_EQ(form_of_first(arm), BodyPlan::Form::beam);
    EXPECT_LE(difference(arm, random_state(arm, 1)), 1e-11)
        << modes.bending_y << ' ' << modes.bending_z << ' ' << modes.torsion;
  }
  // Beyond what the beam's form takes: more shapes, shapes along the beam, elements.
  const Flexibility others[] = {Modes{9, 8, 0, 0}, Modes{1, 1, 1, 1}, Elements{.count = 3}};
  for (const Flexibility& flexibility : others) {
    const Arm arm = Arm::assemble(bending_pair(flexibility));
    EXPECT_EQ(form_of_first(arm), BodyPlan::Form::bordered);
    EXPECT_LE(difference(arm, random_state(arm, 1)), 1e-11);
  }
}

TEST(ForwardRecursion, TakesAnyNumberOfStrains) {
  for (const StrainTerms& terms :
       {StrainTerms{1}, StrainTerms{0, 1}, StrainTerms{4}, StrainTerms{0, 8}, StrainTerms{2, 2}, StrainTerms{2, 2, 1},
        StrainTerms{3, 3, 1}, StrainTerms{3, 3, 2}, StrainTerms{1, 0, 2}, StrainTerms{2, 1, 1, 1},
        StrainTerms{2, 1, 0, 1, 1, 1}, StrainTerms{4, 4, 2, 2, 2, 2}, StrainTerms{8, 8, 8, 8, 8, 8}}) {
    const Arm arm = Arm::assemble(bending_pair(terms));
    EXPECT_EQ(form_of_first(arm), BodyPlan::Form::exact);
    EXPECT_LE(difference(arm, random_state(arm, 1)), 1e-11)
        << terms.bending_y << ' ' << terms.bending_z << ' ' << terms.torsion << ' ' << terms.axial;
  }
}

/// Denavit and Hartenberg's common normal runs away as axes become parallel; the recursion must not follow it.
TEST(ForwardRecursion, AxesMayBeAlmostParallel) {
  for (double tilt = 1e-1; tilt > 1e-17; tilt /= 3) {
    Case data = chain_case(4, 5);
    for (LinkSpec& link : data.arm.links) {
      link.joint.axis = Vector3d(0, 0, 1);
      link.joint.origin->rpy = {tilt, -0.5 * tilt, 0.3};
    }
    const Arm arm = Arm::assemble(data);
    EXPECT_LE(difference(arm, random_state(arm, 2)), 1e-12) << tilt;
  }
}

/// A tip may turn until the planned split of its rotation into axial turns has no answer, and past it.
RC_GTEST_PROP(ForwardRecursion, TipsMayTurnFar, ()) {
  const auto seed = any_seed();
  Case data = bending_pair(Modes{1, 1, 1, 0}, seed);
  LinkSpec& next = data.arm.links[1];
  next.joint.axis = random_vector(3, seed, 1);
  next.joint.origin->rpy = random_vector(3, seed + 1, 3);
  const Arm arm = Arm::assemble(data);
  State state = random_state(arm, seed);
  state.q.segment(arm.link(0).flex_q0(), 3) = random_vector(3, seed + 2, 1.5);
  RC_ASSERT(difference(arm, state) < 1e-10);
}

/// An exact link may turn its tip anywhere.
RC_GTEST_PROP(ForwardRecursion, TipsOfExactLinksMayTurnFar, ()) {
  const auto seed = any_seed();
  Case data = bending_pair(StrainTerms{2, 2, 1}, seed);
  LinkSpec& next = data.arm.links[1];
  next.joint.axis = random_vector(3, seed, 1);
  next.joint.origin->rpy = random_vector(3, seed + 1, 3);
  const Arm arm = Arm::assemble(data);
  State state = random_state(arm, seed);
  state.q.segment(arm.link(0).flex_q0(), 5) = random_vector(5, seed + 2, 3);
  RC_ASSERT(difference(arm, state) < 1e-10);
}

Arm any_arm(std::uint32_t seed) {
  FlexibleArmOptions options;
  options.arm.drive_line = *rc::gen::arbitrary<bool>();
  options.arm.base = *rc::gen::element(BaseType::fixed, BaseType::planar, BaseType::free, BaseType::moving);
  options.arm.tree = options.arm.prismatic = *rc::gen::arbitrary<bool>();
  options.most.axial = any_within(0, 1);
  options.every_kind = options.elements = options.segments = *rc::gen::arbitrary<bool>();
  options.strains = *rc::gen::arbitrary<bool>();
  return Arm::assemble(random_flexible_case(any_link_count(8), seed, options));
}

RC_GTEST_PROP(ForwardRecursion, ManyStatesAtOnceAreTheSameOneByOne, ()) {
  const auto seed = any_seed();
  const Arm arm = any_arm(seed);
  RC_PRE(arm.nv() > 0);
  const int n = any_within(1, 10);
  MatrixXd q(arm.nq(), n), v(arm.nv(), n), tau(arm.nv(), n), vdot(arm.nv(), n);
  Articulated one(arm);
  std::vector<VectorXd> expected;
  const VectorXd t = random_vector(n, seed, 1);
  for (int i = 0; i < n; ++i) {
    State state = random_state(arm, seed + i);
    state.t = t[i];
    q.col(i) = state.q;
    v.col(i) = state.v;
    tau.col(i) = random_vector(arm.nv(), seed + i, 10);
    expected.emplace_back(arm.nv());
    one.forward(state, tau.col(i), expected.back());
  }
  BatchForward many(arm, any_within(1, 3));
  RC_ASSERT(many.forward(q, v, tau, vdot, t) == 0);
  MatrixXd M(arm.nv(), arm.nv());
  VectorXd h(arm.nv());
  for (int i = 0; i < n; ++i) {
    const State state{t[i], q.col(i), v.col(i)};
    one.mass_matrix(state, M);
    one.bias(state, Terms::all, h);
    const double largest = std::max((M.cwiseAbs() * expected[i].cwiseAbs()).maxCoeff(), h.cwiseAbs().maxCoeff());
    RC_ASSERT((M * (vdot.col(i) - expected[i])).cwiseAbs().maxCoeff() <= 1e-11 * largest);
  }
}

/// Four tips turned far and differently: no split of their rotations serves them all.
TEST(ForwardRecursion, LanesOfABatchMayGoTheirOwnWays) {
  Case data = bending_pair(Modes{1, 1, 1, 0});
  data.arm.links[1].joint.axis = Vector3d(0, 0, 1);
  data.arm.links[1].joint.origin->rpy.setZero();
  const Arm arm = Arm::assemble(data);
  const int q0 = arm.link(0).flex_q0(), n = 4;
  MatrixXd q(arm.nq(), n), v(arm.nv(), n), tau = MatrixXd::Zero(arm.nv(), n), vdot(arm.nv(), n);
  // R_BT e_z along z, along x, along y, and between: turns of the tip about y and x by a quarter.
  const double psi = arm.link(0).flex->tip_psi(1, 1), quarter = std::acos(0.0);
  const Vector3d turns[] = {{0, 0, 0}, {quarter, 0, 0}, {0, quarter, 0}, {0.5, 0.9, 0}};
  Articulated one(arm);
  MatrixXd expected(arm.nv(), n);
  for (int i = 0; i < n; ++i) {
    State state = random_state(arm, i);
    state.q.segment<3>(q0) << 0, turns[i].y() / psi, turns[i].x() / arm.link(0).flex->tip_psi(0, 2);
    q.col(i) = state.q;
    v.col(i) = state.v;
    VectorXd answer(arm.nv());
    one.forward(state, tau.col(i), answer);
    expected.col(i) = answer;
  }
  BatchForward many(arm);
  EXPECT_EQ(many.forward(q, v, tau, vdot), 0);
  for (int i = 0; i < n; ++i) EXPECT_LE((vdot.col(i) - expected.col(i)).norm(), 1e-9 * expected.col(i).norm()) << i;
}

/// How many lanes of a pack no split of its tips' turns serves, where the first link has these amplitudes, a column per lane.
int lost_lanes(const Arm& arm, const MatrixXd& delta) {
  ForwardRecursion<Pack> recursion(std::make_shared<RecursionPlan>(arm));
  std::vector<Pack> q(size_t(arm.nq())), v(size_t(arm.nv())), tau(v), vdot(v);
  for (int lane = 0; lane < Pack::lanes; ++lane) {
    State state = random_state(arm, unsigned(lane));
    state.q.segment(arm.link(0).flex_q0(), delta.rows()) = delta.col(lane);
    for (int k = 0; k < arm.nq(); ++k) q[size_t(k)].v[lane] = state.q[k];
    for (int k = 0; k < arm.nv(); ++k) v[size_t(k)].v[lane] = state.v[k], tau[size_t(k)].v[lane] = 0;
  }
  ForwardRecursion<Pack>::Call call{
      .q = q.data(), .v = v.data(), .tau = tau.data(), .passive = nullptr, .vdot = vdot.data()};
  for (int k = 0; k < 3; ++k) call.root.omega[k] = call.root.alpha[k] = call.root.a[k] = Pack(0.0);
  recursion.run(call);
  int lost = 0;
  for (int lane = 0; lane < Pack::lanes; ++lane) lost += int(recursion.lost_lanes() >> lane & 1);
  return lost;
}

/// A pair whose second joint turns about the tip's z: its two splits fail where the tip has turned by nothing and by a quarter, so that a pack
/// may have lanes at both.
Arm exact_pair() {
  Case data = bending_pair(StrainTerms{2, 2, 1});
  data.arm.links[1].joint.axis = Vector3d(0, 0, 1);
  data.arm.links[1].joint.origin->rpy.setZero();
  return Arm::assemble(data);
}

/// Amplitudes of up to `most` radians in any lane.
MatrixXd any_amplitudes(int m, unsigned seed, double most) {
  MatrixXd delta(m, Pack::lanes);
  for (int lane = 0; lane < Pack::lanes; ++lane) delta.col(lane) = random_vector(m, seed + unsigned(lane), most);
  return delta;
}

/// One tip straight and one twisted by a quarter: no split serves both.
MatrixXd amplitudes_apart(int m) {
  MatrixXd delta = any_amplitudes(m, 1, 0.5);
  delta.leftCols<2>().setZero();
  delta(4, 1) = std::acos(0.0);
  return delta;
}

// A lane that is lost costs an evaluation of its own, so it should be rare even when tips turn by more than a radian.
TEST(ForwardRecursion, FewLanesOfExactLinksAreLost) {
  const Arm arm = exact_pair();
  const int m = arm.link(0).n_flex();
  EXPECT_EQ(lost_lanes(arm, amplitudes_apart(m)), 1);
  constexpr int packs = 1000, states = packs * Pack::lanes;
  for (const double most : {0.6, 1.5, 3.0}) {
    int lost = 0;
    for (unsigned i = 0; i < packs; ++i) lost += lost_lanes(arm, any_amplitudes(m, Pack::lanes * i, most));
    std::cout << fmt::format("amplitudes of up to {:g} rad: {} of {} lanes solved alone\n", most, lost, states);
    EXPECT_LE(lost, most > 1 ? states / 100 : 0);
  }
}

TEST(ForwardRecursion, LanesOfExactLinksMayTurnFar) {
  const Arm arm = exact_pair();
  const Link& link = arm.link(0);
  constexpr int n = 64;
  MatrixXd q(arm.nq(), n), v(arm.nv(), n), tau(arm.nv(), n), vdot(arm.nv(), n), expected(arm.nv(), n);
  Articulated one(arm);
  for (int i = 0; i < n; ++i) {
    State state = random_state(arm, unsigned(i));
    state.q.segment(link.flex_q0(), link.n_flex()) = i < Pack::lanes
                                                         ? VectorXd(amplitudes_apart(link.n_flex()).col(i))
                                                         : random_vector(link.n_flex(), unsigned(i) + 1000, 3);
    q.col(i) = state.q;
    v.col(i) = state.v;
    tau.col(i) = random_vector(arm.nv(), unsigned(i), 10);
    VectorXd answer(arm.nv());
    one.forward(state, tau.col(i), answer);
    expected.col(i) = answer;
  }
  BatchForward many(arm);
  EXPECT_EQ(many.forward(q, v, tau, vdot), 0);
  for (int i = 0; i < n; ++i) EXPECT_LE((vdot.col(i) - expected.col(i)).norm(), 1e-9 * expected.col(i).norm()) << i;
}

TEST(ForwardRecursion, SingularStatesOfABatchAreMarked) {
  // A massless slider on a massless turning link: stretched to nothing, the turn moves nothing.
  Case data = chain_case(2, 1);
  for (LinkSpec& link : data.arm.links) {
    link.rigid = RigidBody{};
    link.rigid->mass = 0;
    link.joint.origin = Origin{};
    link.joint.axis = Vector3d(0, 0, 1);
  }
  data.arm.links[1].joint.type = "prismatic";
  data.arm.links[1].joint.axis = Vector3d(1, 0, 0);
  data.arm.links[1].rigid->mass = 1;
  const Arm arm = Arm::assemble(data);
  MatrixXd q(2, 3), v = MatrixXd::Zero(2, 3), tau = MatrixXd::Ones(2, 3), vdot(2, 3);
  q << 0.3, 0.3, 0.3,  //
      0.5, 0, -0.5;
  BatchForward many(arm);
  EXPECT_EQ(many.forward(q, v, tau, vdot), 1);
  EXPECT_TRUE(vdot.col(1).array().isNaN().all());
  for (const int i : {0, 2}) EXPECT_TRUE(vdot.col(i).allFinite());
}

RC_GTEST_PROP(ForwardRecursion, MassMatrixIsSolvedAndMultipliedWithoutIt, ()) {
  const auto seed = any_seed();
  const Arm arm = any_arm(seed);
  RC_PRE(arm.nv() > 0);
  const State state = random_state(arm, seed);
  Articulated dynamics(arm);
  MatrixXd M(arm.nv(), arm.nv());
  dynamics.mass_matrix(state, M);
  const VectorXd x = random_vector(arm.nv(), seed);
  VectorXd Mx(arm.nv()), back(arm.nv());
  dynamics.multiply_mass_matrix(state, x, Mx);
  RC_ASSERT((Mx - M * x).cwiseAbs().maxCoeff() <= 1e-12 * (M.cwiseAbs() * x.cwiseAbs()).maxCoeff());
  dynamics.solve_mass_matrix(state, Mx, back);
  RC_ASSERT((M * (back - x)).cwiseAbs().maxCoeff() <= 1e-11 * (M.cwiseAbs() * x.cwiseAbs()).maxCoeff());
}

}  // namespace
}  // namespace lithe::testing
