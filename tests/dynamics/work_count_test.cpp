// The count of work that book83 closes with: 6 joints, 2 flexible links, 3 shapes each.
#include "lithe/dynamics/work_count.h"

#include <gtest/gtest.h>

#include "lithe/dynamics/formulation.h"
#include "support/random_arm.h"

namespace lithe::testing {
namespace {

TEST(WorkCount, CountedCodeIsTheCodeThatRuns) {
  for (const BaseType base : {BaseType::fixed, BaseType::planar, BaseType::free, BaseType::moving}) {
    const Arm arm = Arm::assemble(random_flexible_case(4, 3, {.arm = {.drive_line = true, .base = base}}));
    ASSERT_TRUE(arm.bends());
    const State state = random_state(arm, 3);
    const VectorXd tau = random_vector(arm.nv(), 3, 10);
    int n_counted = 0;
    for (const std::string& name : formulation_names()) {
      const auto counted = count_forward(name, arm, state, tau);
      if (!counted) continue;
      ++n_counted;
      VectorXd vdot(arm.nv());
      make_formulation(name, arm)->forward(state, tau, vdot);
      // Sums in another order than those of packed doubles; accelerations lose what M's condition takes.
      EXPECT_LE((counted->vdot - vdot).norm(), 1e-9 * vdot.norm()) << name;
    }
    EXPECT_GE(n_counted, 1);
  }
}

TEST(WorkCount, DoesNotDependOnTheState) {
  const Arm arm = Arm::assemble(two_bending_links_case());
  const VectorXd tau = random_vector(arm.nv(), 1, 10);
  const auto first = count_forward("kane", arm, random_state(arm, 1), tau);
  const auto second = count_forward("kane", arm, random_state(arm, 2), tau);
  EXPECT_EQ(first->work, second->work);
}

/// Printed for book83's method: 12 009 multiplications; its own formula gives 11 361. A change of these numbers is a change
/// of the algorithm's cost: docs/model.md quotes them.
TEST(WorkCount, SixJointsTwoBendingLinksThreeShapes) {
  const Arm arm = Arm::assemble(two_bending_links_case());
  ASSERT_EQ(arm.nv(), 12);
  const WorkCount kane = count_forward("kane", arm, random_state(arm, 1), random_vector(12, 1, 10))->work;
  EXPECT_EQ(kane.multiplications, 4695);
  EXPECT_EQ(kane.additions, 3993);
  EXPECT_EQ(kane.divisions, 12 * 13 / 2);  // of the factorisation: 66 below its diagonal, 12 by it
  EXPECT_EQ(kane.roots, 0);
  EXPECT_EQ(kane.functions, 2 * 6);  // sine and cosine of every joint
}

}  // namespace
}  // namespace lithe::testing
