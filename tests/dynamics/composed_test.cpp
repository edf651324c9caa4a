// Arms mounted on one another: the whole from its parts and their coupling, against the whole derived at once.
#include "lithe/dynamics/composed/composed.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "lithe/arm/cut.h"
#include "lithe/arm/kinematics.h"
#include "lithe/describe/case_reader.h"
#include "lithe/dynamics/articulated/articulated.h"
#include "lithe/dynamics/lagrange/lagrange.h"
#include "lithe/dynamics/work_count.h"
#include "support/allocation_count.h"
#include "support/draw.h"
#include "support/mounted.h"
#include "support/random_arm.h"

namespace lithe::testing {
namespace {

const std::vector<BaseType> bases{BaseType::fixed, BaseType::planar, BaseType::free, BaseType::moving};

/// One to four links, stiff or bending by shapes, elements or segments, with a drive line.
Case any_part(std::uint32_t seed, BaseType base, int most_links = 4) {
  const int n = 1 + int(seed % std::uint32_t(most_links));
  const RandomArmOptions options{.drive_line = seed % 3 > 0, .base = base};
  if (seed % 5 == 0) return random_case(n, seed, options);
  return random_flexible_case(
      n, seed, {.arm = options, .elements = seed % 2 == 0, .segments = seed % 7 < 3, .every_kind = seed % 11 < 4});
}

struct Trial {
  Arm arm;
  State state;
  std::uint32_t seed;
};

Trial trial_of(const Case& data, std::uint32_t seed) {
  Arm arm = Arm::assemble(data);
  State state = random_state(arm, seed);
  state.t = 0.3;
  return {std::move(arm), std::move(state), seed};
}

Trial any_pair(const std::vector<BaseType>& carriers = bases) {
  const auto seed = any_seed();
  const Case carrier = any_part(seed, *rc::gen::elementOf(carriers));
  return trial_of(mounted(carrier, any_part(seed / 3 + 11, BaseType::fixed), "s_"), seed);
}

Trial any_chain(const std::vector<BaseType>& carriers = bases) {
  const auto seed = any_seed();
  const Case first = any_part(seed, *rc::gen::elementOf(carriers), 2);
  const Case second = mounted(first, any_part(seed / 3 + 11, BaseType::fixed, 3), "s_");
  return trial_of(mounted(second, any_part(seed / 5 + 7, BaseType::fixed, 2), "t_"), seed);
}

double largest(const MatrixXd& values) { return values.size() == 0 ? 0 : values.cwiseAbs().maxCoeff(); }

/// The largest force of any term: what rounding is measured against.
double force_scale(const MatrixXd& M, const VectorXd& vdot, const VectorXd& h, const VectorXd& tau) {
  return largest(M.cwiseAbs() * vdot.cwiseAbs()) + largest(h) + largest(tau) + 1;
}

void expect_agreement(const Trial& trial, Formulation& ours, Formulation& whole) {
  const int nv = trial.arm.nv();
  MatrixXd M1(nv, nv), M2(nv, nv);
  ours.mass_matrix(trial.state, M1);
  whole.mass_matrix(trial.state, M2);
  RC_ASSERT(largest(M1 - M2) <= 1e-12 * largest(M2));
  VectorXd h1(nv), h2(nv), a1(nv), a2(nv);
  for (const Terms terms : {Terms::coriolis, Terms::gravity, Terms::elastic, Terms::damping,
                            Terms::coriolis | Terms::gravity, Terms::all}) {
    ours.bias(trial.state, terms, h1);
    whole.bias(trial.state, terms, h2);
    RC_ASSERT(largest(h1 - h2) <= 1e-11 * (1 + largest(h2)));
  }
  if (nv == 0) return;
  VectorXd tau = random_vector(nv, trial.seed, 20);
  ours.forward(trial.state, tau, a1);
  whole.forward(trial.state, tau, a2);
  // As torques, where no condition number enters.
  RC_ASSERT(largest(M2 * (a1 - a2)) <= 1e-10 * force_scale(M2, a2, h2, tau));
  ours.inverse(trial.state, a2, h1);
  RC_ASSERT(largest(h1 - tau) <= 1e-10 * force_scale(M2, a2, h2, tau));
  std::vector<bool> driven(size_t(nv), false);
  driven[size_t(nv) - 1] = true;  // of the last arm, never of a base
  VectorXd tau1 = tau, tau2 = tau;
  a1[nv - 1] = a2[nv - 1] = 0.7;
  ours.hybrid(trial.state, driven, tau1, a1);
  whole.hybrid(trial.state, driven, tau2, a2);
  RC_ASSERT(largest(tau1 - tau2) <= 1e-10 * force_scale(M2, a2, h2, tau2));
  RC_ASSERT(largest(M2 * (a1 - a2)) <= 1e-10 * force_scale(M2, a2, h2, tau2));
}

RC_GTEST_PROP(Composed, PairsAgreeWithTheWhole, ()) {
  const Trial trial = any_pair();
  Composed composed(trial.arm);
  Articulated articulated(trial.arm);
  Lagrange lagrange(trial.arm);
  expect_agreement(trial, composed, articulated);
  expect_agreement(trial, composed, lagrange);
}

RC_GTEST_PROP(Composed, ChainsAgreeWithTheWhole, ()) {
  const Trial trial = any_chain();
  Composed composed(trial.arm);
  Articulated articulated(trial.arm);
  expect_agreement(trial, composed, articulated);
}

RC_GTEST_PROP(Composed, PartsMayBeKnownByAnyFormulation, ()) {
  const Trial trial = any_chain();
  const std::vector<std::string> names{"articulated", "kane", "lagrange"};
  std::vector<std::string> chosen;
  for (int k = 0; k < 3; ++k) chosen.push_back(*rc::gen::elementOf(names));
  Composed composed(trial.arm, chosen);
  Articulated articulated(trial.arm);
  expect_agreement(trial, composed, articulated);
}

// The connection of a kinetic energy is unique, so C is that of the whole, entry by entry.
RC_GTEST_PROP(Composed, CoriolisMatrixIsThatOfTheWhole, ()) {
  const Trial trial = *rc::gen::arbitrary<bool>() ? any_pair() : any_chain();
  const int nv = trial.arm.nv();
  MatrixXd C1(nv, nv), C2(nv, nv);
  Composed(trial.arm).coriolis_matrix(trial.state, C1);
  Lagrange(trial.arm).coriolis_matrix(trial.state, C2);
  RC_ASSERT(largest(C1 - C2) <= 1e-11 * (1 + largest(C2)));
}

// Against what shares no code with it: C v is the velocity part of the bias by the recursion, and Ṁ, by differences of the
// recursion's mass matrix, is C + Cᵀ.
RC_GTEST_PROP(Composed, CoriolisMatrixGivesTheForcesAndKeepsTheEnergy, ()) {
  const std::vector<BaseType> still{BaseType::fixed, BaseType::planar, BaseType::free};
  const Trial trial = *rc::gen::arbitrary<bool>() ? any_pair(still) : any_chain(still);
  const int nv = trial.arm.nv();
  MatrixXd C(nv, nv), M(nv, nv);
  VectorXd h(nv);
  Composed(trial.arm).coriolis_matrix(trial.state, C);
  Articulated articulated(trial.arm);
  articulated.bias(trial.state, Terms::coriolis, h);
  RC_ASSERT(largest(C * trial.state.v - h) <= 1e-11 * (1 + largest(h)));
  auto mass = [&](double dt) {
    State moved = trial.state;
    displace(trial.arm, moved.q, dt * trial.state.v);
    articulated.mass_matrix(moved, M);
    return M;
  };
  // Four-point rule: error dt⁴, which governs where short links turn fast; rounding ε/dt.
  const double dt = 2e-4;
  const MatrixXd near = mass(dt) - mass(-dt), far = mass(2 * dt) - mass(-2 * dt), M_dot = (8 * near - far) / (12 * dt);
  RC_ASSERT(largest(M_dot - C - C.transpose()) <= 1e-7 * (1 + largest(M_dot) + largest(M)));
}

/// A block as a function of the position, by differences along coordinate i.
template <class Block>
MatrixXd slope(const Trial& trial, Composed& composed, int i, int i_mount, Block block) {
  auto at = [&](double step) {
    State moved = trial.state;
    moved.q[i] += step;
    return MatrixXd(block(composed.blocks(moved, i_mount)));
  };
  const double dq = 2e-4;  // short links turn their tips fast: truncation rules, not rounding
  const MatrixXd near = at(dq) - at(-dq), far = at(2 * dq) - at(-2 * dq);
  return (8 * near - far) / (12 * dq);
}

// Each block by the formula it stands for (eqs 37–47 in the Christoffel form), with differences for derivatives.
RC_GTEST_PROP(Composed, BlocksAreWhatTheyAreCalled, ()) {
  const Trial trial = any_pair({BaseType::fixed, BaseType::planar});
  Composed composed(trial.arm);
  const CoupledBlocks b = composed.blocks(trial.state, 0);
  const Arm carrier = trial.arm.part(0);
  const int nv = trial.arm.nv(), n = carrier.nv(), s = nv - n;
  const VectorXd &v = trial.state.v, v_L = v.head(n), v_S = v.tail(s);

  // They make up the whole.
  MatrixXd M(nv, nv), C(nv, nv), whole(nv, nv);
  VectorXd G(nv), g(nv);
  Articulated articulated(trial.arm);
  articulated.mass_matrix(trial.state, whole);
  M << b.M_L + b.M_LS, b.M_cp, b.M_cp.transpose(), b.M_S;
  RC_ASSERT(largest(M - whole) <= 1e-12 * largest(whole));
  C << b.C_L + b.C_LS + b.C_Lcp, b.C_cp1, b.C_cp2, b.C_S + b.C_Scp;
  Lagrange(trial.arm).coriolis_matrix(trial.state, whole);
  RC_ASSERT(largest(C - whole) <= 1e-11 * (1 + largest(whole)));
  G << b.G_L + b.G_LS, b.G_S;
  articulated.bias(trial.state, Terms::gravity, g);
  RC_ASSERT(largest(G - g) <= 1e-11 * (1 + largest(g)));

  // Those of the carrier are its own.
  MatrixXd own(n, n);
  VectorXd own_g(n);
  Articulated alone(carrier);
  const State carrier_state{trial.state.t, trial.state.q.head(n), v_L};
  alone.mass_matrix(carrier_state, own);
  RC_ASSERT(largest(own - b.M_L) <= 1e-12 * (1 + largest(own)));
  alone.bias(carrier_state, Terms::gravity, own_g);
  RC_ASSERT(largest(own_g - b.G_L) <= 1e-12 * (1 + largest(own_g)));

  // C of each, from slopes of M_LS and M_cp.
  std::vector<MatrixXd> dLS, dcp;
  for (int i = 0; i < nv; ++i) {
    dLS.push_back(slope(trial, composed, i, 0, [](const CoupledBlocks& at) { return at.M_LS; }));
    dcp.push_back(slope(trial, composed, i, 0, [](const CoupledBlocks& at) { return at.M_cp; }));
  }
  MatrixXd C_LS = MatrixXd::Zero(n, n), C_Lcp = C_LS, C_cp1 = MatrixXd::Zero(n, s), C_cp2 = MatrixXd::Zero(s, n),
           C_Scp = MatrixXd::Zero(s, s);
  for (int i = 0; i < nv; ++i) {
    C_LS += v[i] * dLS[i] / 2;
    C_cp1 += v[i] * dcp[i] / 2;
    C_cp2 += v[i] * dcp[i].transpose() / 2;
  }
  for (int j = 0; j < n; ++j) {
    C_LS.col(j) += dLS[j] * v_L / 2;
    C_LS.row(j) -= (dLS[j] * v_L).transpose() / 2;
    C_Lcp.col(j) += dcp[j] * v_S / 2;
    C_Lcp.row(j) -= (dcp[j] * v_S).transpose() / 2;
    C_cp1.row(j) -= v_L.transpose() * dcp[j] / 2;
    C_cp2.col(j) += dcp[j].transpose() * v_L / 2;
  }
  for (int k = 0; k < s; ++k) {
    C_cp1.col(k) += (dLS[n + k] * v_L + dcp[n + k] * v_S) / 2;
    C_cp2.row(k) -= (dLS[n + k] * v_L + dcp[n + k] * v_S).transpose() / 2;
    C_Scp.col(k) += dcp[n + k].transpose() * v_L / 2;
    C_Scp.row(k) -= (dcp[n + k].transpose() * v_L).transpose() / 2;
  }
  const double size = 1 + largest(b.C_LS) + largest(b.C_cp1) + largest(M);
  RC_ASSERT(largest(C_LS - b.C_LS) <= 1e-7 * size);
  RC_ASSERT(largest(C_Lcp - b.C_Lcp) <= 1e-7 * size);
  RC_ASSERT(largest(C_cp1 - b.C_cp1) <= 1e-7 * size);
  RC_ASSERT(largest(C_cp2 - b.C_cp2) <= 1e-7 * size);
  RC_ASSERT(largest(C_Scp - b.C_Scp) <= 1e-7 * size);
}

// At the second mount of a chain the carrier is the first pair.
RC_GTEST_PROP(Composed, BlocksInAChainHaveAllBeforeAsCarrier, ()) {
  const Trial trial = any_chain();
  Composed composed(trial.arm);
  const CoupledBlocks b = composed.blocks(trial.state, 1);
  const int nv = trial.arm.nv();
  MatrixXd M(nv, nv), C(nv, nv), whole(nv, nv);
  M << b.M_L + b.M_LS, b.M_cp, b.M_cp.transpose(), b.M_S;
  C << b.C_L + b.C_LS + b.C_Lcp, b.C_cp1, b.C_cp2, b.C_S + b.C_Scp;
  Articulated(trial.arm).mass_matrix(trial.state, whole);
  RC_ASSERT(largest(M - whole) <= 1e-12 * largest(whole));
  Lagrange(trial.arm).coriolis_matrix(trial.state, whole);
  RC_ASSERT(largest(C - whole) <= 1e-11 * (1 + largest(whole)));
}

/// The links of an arm where it can be cut.
std::vector<std::string> cuts_of(const Arm& arm) {
  std::vector<std::string> names;
  for (const Link& link : arm.links()) {
    const std::string& name = arm.case_name(link);
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    try {
      cut_at(arm, name);
      names.push_back(name);
    } catch (const std::invalid_argument&) {
    }
  }
  return names;
}

// Wherever an arm is cut, at a mount or not, the blocks are parts of the same M, C and G.
RC_GTEST_PROP(Composed, BlocksAddUpAtAnyJoint, ()) {
  const auto seed = any_seed();
  const Trial trial =
      *rc::gen::arbitrary<bool>() ? any_chain() : trial_of(any_part(seed, *rc::gen::elementOf(bases), 5), seed);
  const Arm& arm = trial.arm;
  const int nv = arm.nv();
  MatrixXd M(nv, nv), C(nv, nv), M_whole(nv, nv), C_whole(nv, nv);
  VectorXd G(nv), G_whole(nv);
  Articulated(arm).mass_matrix(trial.state, M_whole);
  Articulated(arm).bias(trial.state, Terms::gravity, G_whole);
  Lagrange(arm).coriolis_matrix(trial.state, C_whole);
  const std::vector<std::string> cuts = cuts_of(arm);
  if (arm.n_parts() > 1) RC_ASSERT(!cuts.empty());
  for (const std::string& name : cuts) {
    const Arm cut = cut_at(arm, name);
    RC_ASSERT(cut.coordinates() == arm.coordinates());
    RC_ASSERT(cut.n_parts() == 2);
    const Link& first = cut.link(cut.mounts()[0].first_link);
    RC_ASSERT(cut.case_name(first) == name);
    const CoupledBlocks b = Composed(cut).blocks(trial.state, 0);
    RC_ASSERT(b.M_L.rows() == first.v0);
    M << b.M_L + b.M_LS, b.M_cp, b.M_cp.transpose(), b.M_S;
    C << b.C_L + b.C_LS + b.C_Lcp, b.C_cp1, b.C_cp2, b.C_S + b.C_Scp;
    G << b.G_L + b.G_LS, b.G_S;
    RC_ASSERT(largest(M - M_whole) <= 1e-12 * largest(M_whole));
    RC_ASSERT(largest(C - C_whole) <= 1e-11 * (1 + largest(C_whole)));
    RC_ASSERT(largest(G - G_whole) <= 1e-12 * (1 + largest(G_whole) + largest(b.G_LS)));
  }
}

// RALF and SAM in one file, with no mount between them, have the blocks that they have as two arms.
TEST(Composed, OneArmCutInTwoIsTwoArms) {
  Case data = read_case(LITHE_SOURCE_DIR "/examples/31_ralf_sam/case.yaml").data;
  const Trial two = trial_of(data, 3);
  data.arm.mounts.clear();
  const Arm one = Arm::assemble(data);
  EXPECT_TRUE(one.mounts().empty());
  const CoupledBlocks ours = Composed(cut_at(one, "arm")).blocks(two.state, 0);
  const CoupledBlocks theirs = Composed(two.arm).blocks(two.state, 0);
  for (const BlockName& block : block_names())
    EXPECT_LE(largest(block.of(ours) - block.of(theirs)), 1e-12 * (1 + largest(block.of(theirs)))) << block.name;
  EXPECT_EQ(cuts_of(one), (std::vector<std::string>{"jib", "arm", "hand"}));
}

std::string refusal_of_cut(const Case& data, const std::string& name) {
  try {
    cut_at(Arm::assemble(data), name);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

// On a boom with two arms, the first one cannot be cut off while the second stands on the boom: coordinates keep their order.
TEST(Composed, SaysWhereATreeCanBeCut) {
  const Case two = read_case(LITHE_SOURCE_DIR "/examples/38_two_arms_on_a_boom/case.yaml").data;
  const std::string last = two.arm.links.back().name, left = two.arm.mounts[0].link, right = two.arm.mounts[1].link;
  EXPECT_EQ(refusal_of_cut(two, right), "accepted");
  EXPECT_EQ(refusal_of_cut(two, left), "the arm cannot be cut at '" + left + "': '" + right +
                                           "' comes after it and is not carried by it. Links: " + right + ", " + last);
  EXPECT_EQ(refusal_of_cut(two, "boom"), "no link 'boom' that is carried by another. Links: " + right + ", " + last);
  Case one = two;
  one.arm.mounts.clear();
  one.arm.links.resize(1);
  EXPECT_EQ(refusal_of_cut(one, "boom"), "this arm cannot be cut: no link of it is carried by another");
  EXPECT_EQ(refusal_of_cut(one, ""), "accepted");
}

std::string refusal_of_composed(const Arm& arm) {
  try {
    Composed composed(arm);
  } catch (const UnsupportedError& error) {
    return error.what();
  }
  return "accepted";
}

/// Two arms on one link of a carrier.
Trial two_on_one() {
  const auto seed = any_seed();
  const Case carrier = any_part(seed, *rc::gen::elementOf(bases));
  Case data = mounted(mounted(carrier, any_part(seed / 3 + 11, BaseType::fixed, 3), "s_"),
                      any_part(seed / 5 + 7, BaseType::fixed, 3), "t_");
  data.arm.mounts.back().onto = carrier.arm.links[seed % carrier.arm.links.size()].name;
  return trial_of(data, seed);
}

// One arm's acceleration does not reach the other but by the carrier; and every formulation that takes trees says the same.
RC_GTEST_PROP(TwoArms, OnOneCarrierAreATree, ()) {
  const Trial trial = two_on_one();
  const Arm& arm = trial.arm;
  Articulated whole(arm);
  Lagrange other(arm);
  expect_agreement(trial, other, whole);
  MatrixXd M(arm.nv(), arm.nv());
  other.mass_matrix(trial.state, M);
  const auto mounts = arm.mounts();
  const int first = arm.link(mounts[0].first_link).v0, second = arm.link(mounts[1].first_link).v0;
  const MatrixXd between = M.block(first, second, second - first, arm.nv() - second);
  RC_ASSERT(largest(between) <= 1e-12 * largest(M));
  // It stands where it was put.
  RC_ASSERT(arm.link(mounts[1].carrier_link).i_case < arm.link(mounts[0].first_link).i_case);
  RC_ASSERT(refusal_of_composed(arm).find("formulation 'composed' joins arms in a chain, but 't_") == 0);
}

TEST(Composed, RefusesWhatIsOneArm) {
  const Arm arm = Arm::assemble(random_case(3, 1));
  try {
    Composed composed(arm);
    FAIL() << "accepted";
  } catch (const UnsupportedError& error) {
    EXPECT_EQ(error.path(), "arm");
    EXPECT_STREQ(
        error.what(),
        "formulation 'composed' joins arms whose dynamics are known separately, but this is a single arm; compose it "
        "from files (arm: {carrier: ..., carries: ...}) or give in `mounts` where a carried arm begins");
  }
}

TEST(Composed, RefusesSmallTipsAndFirstOrder) {
  Case data = mounted(random_flexible_case(2, 3), random_case(1, 2), "s_");
  ASSERT_TRUE(Arm::assemble(data).bends());
  data.arm.tip_rotation = TipRotation::small;
  EXPECT_THROW(Composed{Arm::assemble(data)}, UnsupportedError);
  data.arm.tip_rotation = TipRotation::finite;
  data.arm.inertia = InertiaOrder::first_order;
  EXPECT_THROW(Composed{Arm::assemble(data)}, UnsupportedError);
}

TEST(Composed, EvaluationsAllocateNothing) {
  for (const BaseType base : bases) {
    const Case pair = mounted(random_flexible_case(6, 5, {.arm = {.base = base}}), random_flexible_case(5, 6), "s_");
    const Trial trial = trial_of(mounted(pair, random_case(8, 7), "t_"), 5);
    const int nv = trial.arm.nv();
    for (const char* parts : {"lagrange", "articulated"}) {
      Composed composed(trial.arm, {parts, parts, parts});
      VectorXd tau = random_vector(nv, 5), vdot(nv);
      MatrixXd M(nv, nv);
      std::vector<bool> driven(size_t(nv), false);
      driven[size_t(nv) - 1] = true;
      composed.forward(trial.state, tau, vdot);
      const long before = allocations();
      composed.forward(trial.state, tau, vdot);
      composed.inverse(trial.state, vdot, tau);
      composed.mass_matrix(trial.state, M);
      composed.bias(trial.state, Terms::all, vdot);
      composed.hybrid(trial.state, driven, tau, vdot);
      if (parts == std::string("lagrange")) composed.coriolis_matrix(trial.state, M);
      EXPECT_EQ(allocations(), before) << parts;
    }
  }
}

TEST(Composed, CountedCodeIsTheCodeThatRuns) {
  for (const BaseType base : bases) {
    const Case pair = mounted(random_flexible_case(3, 5, {.arm = {.base = base}}), random_flexible_case(2, 6), "s_");
    const Trial trial = trial_of(mounted(pair, random_case(2, 7), "t_"), 5);
    const VectorXd tau = random_vector(trial.arm.nv(), 3, 10);
    VectorXd vdot(trial.arm.nv());
    Composed(trial.arm).forward(trial.state, tau, vdot);
    const auto counted = count_forward("composed", trial.arm, trial.state, tau);
    ASSERT_TRUE(counted);
    EXPECT_LE((counted->vdot - vdot).norm(), 1e-9 * vdot.norm());
  }
}

}  // namespace
}  // namespace lithe::testing
