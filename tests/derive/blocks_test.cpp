// An arm divided at a joint: every block against the numeric `composed` formulation, against differences of mass matrices of the
// library's `lagrange`, and derived alone.
#include <gtest/gtest.h>

#include "app/run_program.h"
#include "lithe/arm/cut.h"
#include "lithe/derive/cost.h"
#include "lithe/derive/evaluate.h"
#include "lithe/describe/case_reader.h"
#include "lithe/dynamics/composed/composed.h"
#include "lithe/dynamics/lagrange/lagrange.h"
#include "support/mounted.h"
#include "support/random_arm.h"

namespace lithe::derive {
namespace {

using namespace lithe::testing;

constexpr double tolerance = 1e-12;  // of the largest inertia: some thousand roundings; measured 1e-14

std::string example(const std::string& name) {
  return std::string(LITHE_SOURCE_DIR) + "/examples/" + name + "/case.yaml";
}

/// Derived blocks against those of `composed` with the same cut, at random states.
void expect_blocks_of_composed(const Case& data, const DeriveOptions& options, const std::string& what) {
  const Arm arm = Arm::assemble(data);
  const Equations e = derive_equations(arm, options);
  ASSERT_TRUE(e.split) << what;
  Evaluator derived(e);
  Composed composed(cut_at(arm, options.split));
  for (const unsigned seed : {1u, 2u, 3u}) {
    const State state = random_state(arm, seed);
    derived.update(state.q, state.v);
    const CoupledBlocks b = composed.blocks(state, 0);
    MatrixXd M(arm.nv(), arm.nv());
    Lagrange(arm).mass_matrix(state, M);
    const double inertia = M.cwiseAbs().maxCoeff(), velocity = inertia * (1 + state.v.norm());
    auto expect = [&](const char* name, const MatrixXd& ours, const MatrixXd& theirs, double size) {
      ASSERT_EQ(ours.rows(), theirs.rows()) << what << " " << name;
      ASSERT_EQ(ours.cols(), theirs.cols()) << what << " " << name;
      EXPECT_LE((ours - theirs).norm(), tolerance * size) << what << " " << name << "\n" << ours << "\n\n" << theirs;
    };
    const auto& split = *e.split;
    if (!options.coupling_only) {
      expect("M_L", derived(split.own), b.M_L, inertia);
      expect("M_S", derived(split.M_S(e.M)), b.M_S, inertia);
      expect("C_L", derived(split.C_L), b.C_L, velocity);
      expect("C_S", derived(split.C_S), b.C_S, velocity);
      expect("G_L", derived(split.own_gravity), b.G_L, 10 * inertia);
    }
    expect("M_LS", derived(split.load), b.M_LS, inertia);
    expect("M_cp", derived(split.M_cp(e.M)), b.M_cp, inertia);
    expect("C_LS", derived(split.C_LS), b.C_LS, velocity);
    expect("C_Lcp", derived(split.C_Lcp), b.C_Lcp, velocity);
    expect("C_cp1", derived(split.C_cp1), b.C_cp1, velocity);
    expect("C_cp2", derived(split.C_cp2), b.C_cp2, velocity);
    expect("C_Scp", derived(split.C_Scp), b.C_Scp, velocity);
    expect("G_LS", derived(split.load_gravity), b.G_LS, 10 * inertia);
    std::vector<ex> G_S;
    for (const int k : split.carried) G_S.push_back(e.G[size_t(k)]);
    expect("G_S", derived(G_S), b.G_S, 10 * inertia);
  }
}

TEST(DerivedBlocks, AreThoseOfComposed) {
  DeriveOptions symbols, unfolded, alone, alone_unfolded, factored;
  unfolded.time_limit = alone_unfolded.time_limit = 0;
  alone.coupling_only = alone_unfolded.coupling_only = true;
  factored.factored = true;
  for (const DeriveOptions& options : {symbols, unfolded, alone, alone_unfolded, factored})
    for (const char* name : {"30_mobile_manipulator", "31_ralf_sam"})
      expect_blocks_of_composed(read_case(example(name)).data, options, name);
}

// `eval --split` and `derive --split` cut at the same joint, be it a mount or not.
TEST(DerivedBlocks, AreThoseOfComposedAtAnyJoint) {
  struct Cut {
    const char *example, *link;
  };
  for (const Cut cut : {Cut{"03_planar_elbow", "fore"}, Cut{"31_ralf_sam", "jib"}, Cut{"31_ralf_sam", "hand"},
                        Cut{"30_mobile_manipulator", "fore"}, Cut{"38_two_arms_on_a_boom", "right_upper"}}) {
    DeriveOptions options;
    options.split = cut.link;
    expect_blocks_of_composed(read_case(example(cut.example)).data, options, cut.example);
  }
  const Case puma = read_case(example("05_puma560")).data;
  DeriveOptions numbers;
  numbers.numbers = true;
  for (const int first : {1, 4}) {
    numbers.split = puma.arm.links[size_t(first)].name;
    expect_blocks_of_composed(puma, numbers, "puma " + numbers.split);
  }
  // With gears on springs, and a beam of segments whose own joint is cut, not one of its hinges.
  FlexibleArmOptions segmented;
  segmented.arm = {.tree = false, .drive_line = true};
  segmented.segments = true;
  const Case bent = random_flexible_case(3, 4, segmented);
  const Arm arm = Arm::assemble(bent);
  for (const int first : {1, 2}) {
    numbers.split = bent.arm.links[size_t(first)].name;
    EXPECT_EQ(cut_at(arm, numbers.split).link(cut_at(arm, numbers.split).mounts()[0].first_link).i_case, first);
    expect_blocks_of_composed(bent, numbers, "segments " + numbers.split);
  }
}

TEST(DerivedBlocks, OfRandomPairs) {
  for (const BaseType base : {BaseType::fixed, BaseType::planar, BaseType::free})
    for (unsigned seed = 1; seed <= 2; ++seed) {
      RandomArmOptions carrier, carried;
      carrier.tree = carried.tree = false;
      carrier.drive_line = true;
      carrier.base = base;
      Case data = mounted(random_case(2, seed, carrier), random_case(2, seed + 20, carried), "s_");
      DeriveOptions numbers, alone;
      numbers.numbers = alone.numbers = alone.coupling_only = true;
      const std::string what = "base " + std::to_string(int(base)) + ", seed " + std::to_string(seed);
      expect_blocks_of_composed(data, numbers, what);
      expect_blocks_of_composed(data, alone, what + ", alone");
    }
  FlexibleArmOptions bending;
  bending.most = {1, 0, 0, 0};
  bending.arm.tree = false;
  RandomArmOptions carried;
  carried.tree = false;
  Case data = mounted(random_flexible_case(2, 5, bending), random_case(2, 6, carried), "s_");
  DeriveOptions numbers;
  numbers.numbers = true;
  expect_blocks_of_composed(data, numbers, "bending carrier");
}

/// Whichever joint an arm is cut at: the blocks of C by their definitions, from differences of the library's mass matrices of the
/// whole and of the carrier alone (lew-book eqs 42–47 in the Christoffel form).
TEST(DerivedBlocks, AreDifferencesOfMassMatricesAtAnyJoint) {
  const Case data = read_case(example("17_two_link_slew")).data;
  Case puma = read_case(example("05_puma560")).data;
  struct Cut {
    const Case* data;
    int first;  // link
  };
  for (const Cut cut : {Cut{&data, 1}, Cut{&puma, 1}, Cut{&puma, 3}, Cut{&puma, 5}}) {
    const Arm arm = Arm::assemble(*cut.data);
    Case carrier_case = *cut.data;
    carrier_case.arm.links.resize(size_t(cut.first));
    const Arm carrier = Arm::assemble(carrier_case);
    DeriveOptions options;
    options.split = cut.data->arm.links[size_t(cut.first)].name;
    options.numbers = true;
    const Equations e = derive_equations(arm, options);
    const int nv = arm.nv(), n = carrier.nv(), s = nv - n;
    ASSERT_EQ(int(e.split->carrier.size()), n);
    const State state = random_state(arm, 4);
    auto mass_at = [&](const VectorXd& q) {
      MatrixXd M(nv, nv), own(n, n);
      Lagrange(arm).mass_matrix({0, q, VectorXd::Zero(nv)}, M);
      Lagrange(carrier).mass_matrix({0, q.head(n), VectorXd::Zero(n)}, own);
      M.topLeftCorner(n, n) -= own;
      return M;  // M_LS, M_cp and M_S
    };
    const double step = 1e-5;
    std::vector<MatrixXd> slopes;
    for (int i = 0; i < nv; ++i) {
      VectorXd ahead = state.q, behind = state.q;
      ahead[i] += step;
      behind[i] -= step;
      slopes.push_back((mass_at(ahead) - mass_at(behind)) / (2 * step));
    }
    // C of a part of M by Christoffel symbols.
    auto christoffel = [&](auto belongs) {
      MatrixXd C = MatrixXd::Zero(nv, nv);
      auto d = [&](int k, int j, int i) { return belongs(k, j) ? slopes[size_t(i)](k, j) : 0.0; };
      for (int k = 0; k < nv; ++k)
        for (int j = 0; j < nv; ++j)
          for (int i = 0; i < nv; ++i) C(k, j) += (d(k, j, i) + d(k, i, j) - d(i, j, k)) / 2 * state.v[i];
      return C;
    };
    const MatrixXd load = christoffel([&](int k, int j) { return k < n && j < n; });
    const MatrixXd coupling = christoffel([&](int k, int j) { return (k < n) != (j < n); });
    Evaluator derived(e);
    derived.update(state.q, state.v);
    const double size = mass_at(state.q).cwiseAbs().maxCoeff() * (1 + state.v.norm());
    auto expect = [&](const char* name, const MatrixXd& ours, const MatrixXd& theirs) {
      // Central differences: step² of third derivatives, and 1e-16/step of rounding.
      EXPECT_LE((ours - theirs).norm(), 1e-7 * size) << name << " at " << options.split;
    };
    expect("M", derived(e.split->load), mass_at(state.q).topLeftCorner(n, n));
    expect("C_LS", derived(e.split->C_LS), load.topLeftCorner(n, n));
    expect("C_Lcp", derived(e.split->C_Lcp), coupling.topLeftCorner(n, n));
    expect("C_cp1", derived(e.split->C_cp1), (load + coupling).topRightCorner(n, s));
    expect("C_cp2", derived(e.split->C_cp2), (load + coupling).bottomLeftCorner(s, n));
    expect("C_Scp", derived(e.split->C_Scp), coupling.bottomRightCorner(s, s));
  }
}

TEST(DerivedBlocks, CouplingAloneCostsLess) {
  for (const char* name : {"30_mobile_manipulator", "31_ralf_sam"}) {
    const Case data = read_case(example(name)).data;
    const Arm arm = Arm::assemble(data);
    const Equations whole = derive_equations(arm), coupling = derive_equations(arm, {.coupling_only = true});
    EXPECT_LT(coupling.products_of_terms, whole.products_of_terms) << name;
    EXPECT_GT(coupling.products_of_terms, 0u) << name;
    EXPECT_LT(operations(coupling).multiplications, operations(whole).multiplications) << name;
    EXPECT_LT(coupling_disagreement(coupling, whole, arm, 2, 5), tolerance) << name;
  }
}

TEST(OperationCount, CountsEachNamedQuantityOnce) {
  Names names(false);
  const ex a = names.parameter("a", "", "", 2, ""), b = names.parameter("b", "", "", 3, "");
  names.add_coordinate("q1", "q_{1}", "", 0);
  const ex q = names.coordinate(0);
  const ex k = names.define("k1", "k_1", a * b, Kind::constant);
  const ex u = names.define("u", "u", a * q + b * GiNaC::pow(q, 3) + k);  // 1 + 3 products, 2 sums
  const Operations cost = operations(names, {u * q, -u, GiNaC::sin(u)});  // 1 product, 1 function
  EXPECT_EQ(cost.multiplications, 5u);
  EXPECT_EQ(cost.additions, 2u);
  EXPECT_EQ(cost.functions, 1u);
}

TEST(DeriveCommand, CouplingOnly) {
  const TemporaryFolder folder;
  const std::string elbow = example("03_planar_elbow");
  const Finished nothing = run_program({"derive", elbow, "--coupling-only"});
  EXPECT_EQ(nothing.code, 2);
  EXPECT_EQ(nothing.err,
            "lithe: --coupling-only: the arm carries no other: say with --split LINK where to divide it\n");
  const Finished document =
      run_program({"derive", elbow, "--coupling-only", "--split", "fore", "--format", "markdown"});
  ASSERT_EQ(document.code, 0) << document.err;
  EXPECT_NE(document.err.find("products of terms"), std::string::npos) << document.err;
  EXPECT_NE(document.err.find("coupling"), std::string::npos);
  EXPECT_NE(document.err.find("whole arm"), std::string::npos);
  for (const char* letter : {"M^{L/S}_{1,1} &=", "M_{1,2} &=", "C^{L/S}_{1,1} &=", "C^{cp1}_{1,2} &=",
                             "C^{cp2}_{2,1} &=", "G^{L/S}_{1} &=", "G_{2} &="})
    EXPECT_NE(document.out.find(letter), std::string::npos) << letter << "\n" << document.out;
  EXPECT_EQ(document.out.find("M^{L}_{1,1}"), std::string::npos);
  EXPECT_EQ(document.out.find("Stiffness"), std::string::npos);
  const auto report = json_of({"derive", elbow, "--coupling-only", "--split", "fore", "--format", "sympy", "--json",
                               "-o", folder.path() + "/coupling.py"});
  EXPECT_LT(report["cost"]["products_of_terms"], report["cost_of_the_whole"]["products_of_terms"]);
  EXPECT_GT(report["cost"]["multiplications"], 0);
}

}  // namespace
}  // namespace lithe::derive
