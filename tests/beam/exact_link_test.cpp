// Blocks of one exact link against positions and rotations of its points, differentiated in sixty digits (tests/reference/make/
// exact_links.py), and the fast code for common links against the general.
#include "lithe/beam/exact/exact_link.h"

#include <gtest/gtest.h>

#include "lithe/dynamics/articulated/pack.h"
#include "support/allocation_count.h"
#include "support/exact_links.h"
#include "support/random_arm.h"
#include "support/reference_rod.h"

namespace lithe::testing {
namespace {

// Numbers are of order one; their rounding adds up over some dozen intervals and points.
TEST(ExactLink, ReproducesDifferencesOfPlaces) {
  constexpr double tolerance = 2e-14;
  const nlohmann::json data = reference("exact_link.json");
  ASSERT_EQ(data.at("cases").size(), 4u);
  for (const nlohmann::json& given : data.at("cases")) {
    const StrainBasis basis = basis_of(given);
    for (const LinkDetail detail : {LinkDetail::blocks, LinkDetail::sections}) {
      ExactLink<double> link(basis, true, detail);
      const Vector3d omega = vector(given.at("omega"));
      const auto ours = blocks_at<double>(link, vector(given.at("delta")), omega, vector(given.at("delta_rate")));
      expect_close(ours.M_BB, matrix(given.at("M_BB")), tolerance, "M_BB");
      expect_close(ours.M_Bf, matrix(given.at("M_Bf")), tolerance, "M_Bf");
      expect_close(ours.M_ff, matrix(given.at("M_ff")), tolerance, "M_ff");
      expect_close(ours.Phi, matrix(given.at("Phi")), tolerance, "Phi");
      expect_close(ours.p_B, vector(given.at("p_B")), tolerance, "p_B");
      expect_close(ours.p_f, vector(given.at("p_f")), tolerance, "p_f");
      expect_close(ours.zeta, vector(given.at("zeta_T")), tolerance, "zeta_T");
      expect_close(ours.p_T, vector(given.at("p_T")), tolerance, "p_T");
      expect_close(ours.R_T, matrix(given.at("R_T")), tolerance, "R_T");
      expect_close(ours.spin_T - omega, vector(given.at("w_T")), tolerance, "w_T");
    }
    const VectorXd K = vector(given.at("K"));
    expect_close(basis.K, K.asDiagonal(), 1e-14 * K.maxCoeff(), "K");
  }
}

Strains in_pieces(Strains terms, int pieces) {
  terms.pieces = pieces;
  return terms;
}

/// Sizes known to the compiler, planes along y and z, and sizes that nothing was made for.
std::vector<Strains> all_sizes() {
  std::vector<Strains> result{strains(1, 1, 1), strains(2, 2, 0), strains(2, 2, 1), strains(3, 3, 1),
                              strains(3, 3, 2), strains(1, 3, 2), strains(0, 2, 1), strains(0, 0, 2)};
  for (int n = 1; n <= 9; ++n) {
    result.push_back(strains(n, 0, 0));
    result.push_back(strains(0, n, 0));
  }
  return result;
}

/// One more term of stretch, at rest and without a rate, makes any link take the general code and adds rows that can be left out.
struct GeneralTwin {
  explicit GeneralTwin(const RodMatter& matter, Strains terms)
      : basis(matter, ((terms.points = StrainBasis::points_by_rule(terms)), terms.axial = 1, terms)) {}
  LinkBlocks<double> blocks(VectorXd delta, const Vector3d& omega, VectorXd rate) const {
    const Eigen::Index m = delta.size();
    delta.conservativeResizeLike(VectorXd::Zero(m + 1));
    rate.conservativeResizeLike(VectorXd::Zero(m + 1));
    ExactLink<double> link(basis, true, LinkDetail::sections);
    auto result = blocks_at<double>(link, delta, omega, rate);
    result.M_Bf.conservativeResize(6, m);
    result.Phi.conservativeResize(6, m);
    result.M_ff.conservativeResize(m, m);
    result.p_f.conservativeResize(m);
    return result;
  }
  StrainBasis basis;
};

TEST(ExactLink, FastCodeGivesWhatTheGeneralCodeGives) {
  for (const RodMatter& matter : {uniform(1.3, uneven_section()), tapered(0.7)})
    for (const Strains& terms : all_sizes()) {
      const StrainBasis basis(matter, terms);
      const GeneralTwin twin(matter, terms);
      ExactLink<double> link(basis);
      for (const double size : {0.5, 3.0}) {  // with the short series and with the long one
        const VectorXd delta = random_vector(basis.size(), 1, size), rate = random_vector(basis.size(), 2, 1);
        const Vector3d omega = random_vector(3, 3, 1);
        const auto expected = twin.blocks(delta, omega, rate);
        // Terms of high degree have large forces of opposite signs.
        EXPECT_LT(blocks_at<double>(link, delta, omega, rate).distance(expected), 1e-13)
            << terms.bending_y << "+" << terms.bending_z << "+" << terms.torsion << ", " << size;
      }
    }
}

TEST(ExactLink, WithoutTipIsTheSameLink) {
  std::vector<Strains> sizes = all_sizes();
  for (const Strains& terms : {strains(2, 2, 1), strains(3, 0, 0), strains(2, 1, 1, 2, 1, 1)})
    sizes.push_back(in_pieces(terms, 3));
  for (const Strains& terms : sizes) {
    const StrainBasis basis(tapered(1.3), terms);
    ExactLink<double> whole(basis, true), bare(basis, false);
    const VectorXd delta = random_vector(basis.size(), 1, 0.5), rate = random_vector(basis.size(), 2, 1);
    const Vector3d omega(0.3, -0.7, 1.1);
    const auto expected = blocks_at<double>(whole, delta, omega, rate),
               ours = blocks_at<double>(bare, delta, omega, rate);
    EXPECT_EQ(ours.M_BB, expected.M_BB);
    EXPECT_EQ(ours.M_Bf, expected.M_Bf);
    EXPECT_EQ(ours.M_ff, expected.M_ff);
    EXPECT_EQ(ours.p_B, expected.p_B);
    EXPECT_EQ(ours.p_f, expected.p_f);
  }
}

// The state alone decides: not what was evaluated before.
TEST(ExactLink, RemembersNothing) {
  for (const Strains& terms :
       {strains(3, 0, 0), strains(2, 2, 1), strains(2, 1, 1, 2, 1, 1), in_pieces(strains(2, 1, 1, 2, 1, 1), 2)}) {
    const StrainBasis basis(tapered(1.3), terms);
    ExactLink<double> fresh(basis), used(basis);
    const Vector3d omega(0.3, -0.7, 1.1);
    for (unsigned seed = 1; seed < 5; ++seed)
      blocks_at<double>(used, random_vector(basis.size(), seed, 2), omega, random_vector(basis.size(), seed + 9, 2));
    const VectorXd delta = random_vector(basis.size(), 1, 0.5), rate = random_vector(basis.size(), 2, 1);
    EXPECT_EQ(blocks_at<double>(used, delta, omega, rate).distance(blocks_at<double>(fresh, delta, omega, rate)), 0);
  }
}

TEST(ExactLink, AllocatesNothing) {
  for (const Strains& terms :
       {strains(3, 0, 0), strains(2, 2, 1), strains(2, 1, 1, 2, 1, 1), in_pieces(strains(2, 2, 1), 3)}) {
    const std::vector<SectionBody> body{uneven_body(0.5)};
    const StrainBasis bare(tapered(1.3), terms), loaded(tapered(1.3), terms, body);
    for (const StrainBasis* basis : {&bare, &loaded}) {
      ExactLink<double> link(*basis);
      const VectorXd delta = random_vector(basis->size(), 1, 0.5);
      const Vector3d omega(0.3, -0.7, 1.1);
      const long before = allocations();
      link.place(delta.data());
      link.move(omega.data(), delta.data());
      EXPECT_EQ(allocations(), before);
    }
  }
}

// Every lane of a pack is a state of its own; each counts for itself whether the long series is needed.
TEST(ExactLink, LanesAreSeparateStates) {
  for (const Strains& terms : {strains(3, 0, 0), strains(0, 9, 0), strains(2, 2, 1), strains(2, 1, 1, 2, 1, 1),
                               in_pieces(strains(2, 2, 1), 2)}) {
    const StrainBasis basis(tapered(1.3), terms);
    const int m = basis.size();
    ExactLink<Pack> packed(basis);
    ExactLink<double> link(basis);
    std::vector<Pack> delta(m), rate(m), omega(3);
    const auto state = [&](int lane, unsigned seed, int size) -> VectorXd {
      return random_vector(size, seed + unsigned(lane), lane == 2 ? 6 : 0.4);
    };
    for (int lane = 0; lane < Pack::lanes; ++lane) {
      for (int k = 0; k < m; ++k) {
        delta[k].v[lane] = state(lane, 10, m)[k];
        rate[k].v[lane] = state(lane, 20, m)[k];
      }
      for (int k = 0; k < 3; ++k) omega[k].v[lane] = state(lane, 30, 3)[k];
    }
    packed.place(delta.data());
    packed.move(omega.data(), rate.data());
    for (int lane = 0; lane < Pack::lanes; ++lane) {
      const auto expected = blocks_at<double>(link, state(lane, 10, m), state(lane, 30, 3), state(lane, 20, m));
      for (int k = 0; k < m; ++k) {
        EXPECT_NEAR(packed.forces().p_f[k].v[lane], expected.p_f[k], 1e-13);
        EXPECT_NEAR(packed.tip().slide[k].y.v[lane], expected.Phi(4, k), 1e-13);
        EXPECT_NEAR(packed.inertia().angular[k].z.v[lane], expected.M_Bf(2, k), 1e-13);
        for (int l = k; l < m; ++l) EXPECT_NEAR(packed.M_ff(k, l).v[lane], expected.M_ff(k, l), 1e-13);
      }
      EXPECT_NEAR(packed.tip().zeta_linear.x.v[lane], expected.zeta[3], 1e-13);
      EXPECT_NEAR(packed.inertia().J[5].v[lane], expected.M_BB(1, 2), 1e-13);
    }
  }
}

struct Work {
  WorkCount count;
  double p_f;
};
Work work_of(const Strains& terms, bool with_tip) {
  SectionMatter section = uneven_section();
  section.rotary = {0.05, 0.025, 0.025};  // round
  const StrainBasis basis(uniform(1.3, section), terms);
  const VectorXd delta = random_vector(basis.size(), 1, 0.3), rate = random_vector(basis.size(), 2, 1);
  ExactLink<Counted> link(basis, with_tip);
  std::vector<Counted> numbers[3];
  for (const double x : delta) numbers[0].push_back(Counted::unknown(x));
  for (const double x : rate) numbers[1].push_back(Counted::unknown(x));
  for (const double x : {0.3, -0.7, 1.1}) numbers[2].push_back(Counted::unknown(x));
  const WorkCount before = Counted::work();
  link.place(numbers[0].data());
  link.move(numbers[2].data(), numbers[1].data());
  Work work{Counted::work() - before, link.forces().p_f[0].value()};
  ExactLink<double> same(basis, with_tip);
  same.place(delta.data());
  same.move(Vector3d(0.3, -0.7, 1.1).eval().data(), rate.data());
  EXPECT_NEAR(work.p_f, same.forces().p_f[0], 1e-14);
  return work;
}

/// Place, inertia, velocity terms and tip of one link. A change of these numbers is a change of the cost.
TEST(ExactLink, CostsThisMuch) {
  const auto multiplications = [](const Strains& terms) { return work_of(terms, true).count.multiplications; };
  EXPECT_EQ(multiplications(strains(2, 2, 1)), 2630);
  EXPECT_EQ(multiplications(strains(3, 3, 2)), 4845);
  EXPECT_EQ(multiplications(strains(2, 0, 0)), 460);
  EXPECT_EQ(multiplications(strains(3, 0, 0)), 671);
  EXPECT_EQ(multiplications(strains(4, 0, 0)), 977);
  EXPECT_EQ(work_of(strains(2, 2, 1), false).count.multiplications, 2324);
  EXPECT_EQ(multiplications(in_pieces(strains(2, 2, 1), 4)), 13760);
  EXPECT_EQ(multiplications(in_pieces(strains(2, 0, 0), 4)), 2301);
  for (const Strains& terms : {strains(2, 2, 1), strains(3, 0, 0)}) {
    const WorkCount count = work_of(terms, true).count;
    EXPECT_EQ(count.divisions + count.roots + count.functions, 0);
  }
}

}  // namespace
}  // namespace lithe::testing
