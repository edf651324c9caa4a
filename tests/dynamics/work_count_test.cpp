// The count of work that book83 closes with: 6 joints, 2 flexible links, 3 shapes each.
#include "lithe/dynamics/work_count.h"

#include <gtest/gtest.h>

#include <iostream>

#include "lithe/beam/exact/exact_link.h"
#include "lithe/dynamics/formulation.h"
#include "lithe/spatial/counted.h"
#include "support/covering.h"
#include "support/random_arm.h"

namespace lithe::testing {
namespace {

/// Names of what was counted.
std::vector<std::string> expect_counted_code_is_what_runs(const Case& data) {
  const Arm arm = Arm::assemble(data);
  EXPECT_TRUE(arm.bends());
  const State state = random_state(arm, 3);
  const VectorXd tau = random_vector(arm.nv(), 3, 10);
  std::vector<std::string> names;
  for (const auto& dynamics : covering(arm)) {
    const auto counted = count_forward(dynamics->name(), arm, state, tau);
    if (!counted) continue;
    names.emplace_back(dynamics->name());
    VectorXd vdot(arm.nv());
    dynamics->forward(state, tau, vdot);
    // Sums in another order than those of packed doubles; accelerations lose what M's condition takes.
    EXPECT_LE((counted->vdot - vdot).norm(), 1e-9 * vdot.norm()) << dynamics->name();
  }
  return names;
}
using Names = std::vector<std::string>;

TEST(WorkCount, CountedCodeIsTheCodeThatRuns) {
  for (const BaseType base : {BaseType::fixed, BaseType::planar, BaseType::free, BaseType::moving}) {
    FlexibleArmOptions options{.arm = {.drive_line = true, .base = base}};
    Case tree = random_flexible_case(4, 3, options);
    tree.arm.links[3].parent = "link0";
    EXPECT_EQ(expect_counted_code_is_what_runs(tree), (Names{"articulated", "lagrange", "kane"}));
    if (base == BaseType::free) continue;
    options.arm.tree = false;
    Case chain = random_flexible_case(4, 3, options);
    EXPECT_EQ(expect_counted_code_is_what_runs(chain),
              (Names{"articulated", "lagrange", "kane", "recursive-lagrangian"}));
    chain.arm.tip_rotation = TipRotation::small;
    EXPECT_EQ(expect_counted_code_is_what_runs(chain), Names{"recursive-lagrangian"});
    chain.arm.inertia = InertiaOrder::first_order;
    EXPECT_EQ(expect_counted_code_is_what_runs(chain), Names{"recursive-lagrangian"});
  }
}

TEST(WorkCount, CountedCodeIsTheCodeThatRunsForExactLinks) {
  for (const BaseType base : {BaseType::fixed, BaseType::planar, BaseType::free, BaseType::moving}) {
    const FlexibleArmOptions options{.arm = {.drive_line = true, .base = base}, .strains = true};
    EXPECT_EQ(expect_counted_code_is_what_runs(random_flexible_case(4, 3, options)), (Names{"articulated", "kane"}));
  }
}

/// Of one exact link by itself: docs/exact-links.md section 6.
WorkCount count_link(const Link& link) {
  ExactLink<Counted> rod(*link.flex->exact);
  std::vector<Counted> unknowns(link.flex->exact->strains.points + link.n_flex(), Counted::unknown(0.1));
  const WorkCount before = Counted::work();
  rod.place(unknowns.data());
  rod.move(unknowns.data(), unknowns.data());
  return Counted::work() - before;
}

/// The arm below with exact links of round sections in place of shapes. What the recursion adds to a link's own count is the elimination
/// of five coordinates that all move the tip, the load there, and the split of the tip's turn.
TEST(WorkCount, SixJointsTwoExactLinks) {
  Case data = two_bending_links_case();
  for (LinkSpec& link : data.arm.links)
    if (link.beam) {
      link.beam->section.shape = GeneralSection{2e-3, 5e-6, 5e-6, 1e-5};
      link.beam->flexibility = StrainTerms{.bending_y = 2, .bending_z = 2, .torsion = 1};
    }
  const Arm arm = Arm::assemble(data);
  ASSERT_EQ(arm.nv(), 16);
  const WorkCount of_link = count_link(arm.link(1));
  EXPECT_EQ(of_link.multiplications, 2630);
  EXPECT_EQ(of_link.divisions + of_link.roots + of_link.functions, 0);
  const VectorXd tau = random_vector(16, 1, 10);
  const WorkCount count = count_forward("articulated", arm, random_state(arm, 1), tau)->work;
  EXPECT_EQ(count, count_forward("articulated", arm, random_state(arm, 2), tau)->work);
  std::cout << "two links: 2 x " << of_link.multiplications << " multiplications; six joints and the elimination: "
            << count.multiplications - 2 * of_link.multiplications << "\n";
  EXPECT_EQ(count.multiplications, 2 * of_link.multiplications + 2734);
  EXPECT_EQ(count.additions, 2 * of_link.additions + 2579);
  EXPECT_EQ(count.divisions, 17);  // sixteen pivots, less the last link's known one, and two splits of a tip's turn
  EXPECT_EQ(count.roots, 2);
  EXPECT_EQ(count.functions, 2 * 6);
}

TEST(WorkCount, DoesNotDependOnTheState) {
  const Arm arm = Arm::assemble(two_bending_links_case(/*rotary_inertia=*/false));
  const VectorXd tau = random_vector(arm.nv(), 1, 10);
  for (const char* name : {"articulated", "lagrange", "kane", "recursive-lagrangian"})
    EXPECT_EQ(count_forward(name, arm, random_state(arm, 1), tau)->work,
              count_forward(name, arm, random_state(arm, 2), tau)->work);
}

/// Printed for book83's method: 12 009 multiplications; its own formula gives 11 361. A change of these numbers is a change
/// of the algorithm's cost: docs/work-count.md and docs/articulated.md quote them.
TEST(WorkCount, SixJointsTwoBendingLinksThreeShapes) {
  const Arm arm = Arm::assemble(two_bending_links_case());
  ASSERT_EQ(arm.nv(), 12);
  // reference: a prototype of the same recursion takes 2 324, Featherstone's on 12 rigid joints 3 333, Walker and Orin's 4 491.
  const WorkCount articulated = count_forward("articulated", arm, random_state(arm, 1), random_vector(12, 1, 10))->work;
  EXPECT_EQ(articulated.multiplications, 2292);
  EXPECT_EQ(articulated.additions, 2115);
  EXPECT_EQ(articulated.divisions,
            13);  // twelve pivots, less the last link's known one, and two splits of a tip's turn
  EXPECT_EQ(articulated.roots, 2);
  EXPECT_EQ(articulated.functions, 2 * 6);

  const WorkCount kane = count_forward("kane", arm, random_state(arm, 1), random_vector(12, 1, 10))->work;
  EXPECT_EQ(kane.multiplications, 4695);
  EXPECT_EQ(kane.additions, 3993);
  EXPECT_EQ(kane.divisions, 12 * 13 / 2);  // of the factorisation: 66 below its diagonal, 12 by it
  EXPECT_EQ(kane.roots, 0);
  EXPECT_EQ(kane.functions, 2 * 6);  // sine and cosine of every joint

  // Christoffel symbols: a matrix of slopes for every coordinate.
  const WorkCount lagrange = count_forward("lagrange", arm, random_state(arm, 1), random_vector(12, 1, 10))->work;
  EXPECT_EQ(lagrange.multiplications, 28542);
  EXPECT_EQ(lagrange.additions, 27660);
  EXPECT_EQ(lagrange.divisions, kane.divisions);
  EXPECT_EQ(lagrange.functions, kane.functions);

  // The paper's own method, as printed (small tips, first-order inertia, LU) and with nothing left out.
  Case data = two_bending_links_case(/*rotary_inertia=*/false);
  auto book83 = [&] {
    const Arm chain = Arm::assemble(data);
    return count_forward("recursive-lagrangian", chain, random_state(chain, 1), random_vector(12, 1, 10))->work;
  };
  EXPECT_EQ(book83().multiplications, 9787);
  EXPECT_EQ(book83().additions, 7395);
  data.arm.tip_rotation = TipRotation::small;
  data.arm.inertia = InertiaOrder::first_order;
  EXPECT_EQ(book83().multiplications, 8478);
  EXPECT_EQ(book83().additions, 6504);
}

}  // namespace
}  // namespace lithe::testing
