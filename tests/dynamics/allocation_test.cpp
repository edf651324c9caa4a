// An evaluation allocates nothing, whatever it is.
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "lithe/arm/kinematics.h"
#include "lithe/describe/case_reader.h"
#include "lithe/dynamics/articulated/articulated.h"
#include "support/allocation_count.h"
#include "support/covering.h"
#include "support/random_arm.h"

namespace lithe::testing {
namespace {

TEST(Allocation, IsCounted) {
  const long before = allocations();
  const VectorXd vector = VectorXd::Zero(1000);
  EXPECT_GT(allocations(), before) << vector.sum();
}

void expect_none_in_an_evaluation(const Arm& arm) {
  const State state = random_state(arm, 5);
  VectorXd tau = random_vector(arm.nv(), 5), vdot(arm.nv()), h(arm.nv());
  MatrixXd M(arm.nv(), arm.nv());
  std::vector<bool> driven(arm.nv(), false);
  driven[arm.link(arm.last_link()).v0] = true;
  for (const Link& link : arm.links())
    if (link.flex && link.flex->exact) driven[link.flex_v0()] = true;
  Kinematics kin = kinematics_of(arm, state);
  for (const auto& dynamics : covering_with_default(arm)) {
    const std::string name(dynamics->name());
    dynamics->forward(state, tau, vdot);  // whatever is sized on first use
    const long before = allocations();
    dynamics->forward(state, tau, vdot);
    EXPECT_EQ(allocations(), before) << name << " forward";
    dynamics->inverse(state, vdot, tau);
    EXPECT_EQ(allocations(), before) << name << " inverse";
    dynamics->mass_matrix(state, M);
    EXPECT_EQ(allocations(), before) << name << " mass matrix";
    dynamics->bias(state, Terms::all, h);
    EXPECT_EQ(allocations(), before) << name << " bias";
    dynamics->hybrid(state, driven, tau, vdot);
    EXPECT_EQ(allocations(), before) << name << " hybrid";
    update_kinematics(arm, state, kin);
    EXPECT_EQ(allocations(), before) << "kinematics";
  }
}

const BaseType bases[] = {BaseType::fixed, BaseType::planar, BaseType::free, BaseType::moving};

// Long enough that Eigen's products would want a temporary, and blocked algorithms their buffers.

TEST(Allocation, NoneInAnEvaluation) {
  for (const BaseType base : bases)
    expect_none_in_an_evaluation(Arm::assemble(random_case(30, 5, {.drive_line = true, .base = base})));
}

TEST(Allocation, NoneInAnEvaluationOfABendingArm) {
  for (const BaseType base : bases)
    expect_none_in_an_evaluation(
        Arm::assemble(random_flexible_case(15, 5, {.arm = {.drive_line = true, .base = base}, .most = {6, 6, 4, 4}})));
}

TEST(Allocation, NoneInAnEvaluationOfAnExactArm) {
  for (const BaseType base : bases)
    expect_none_in_an_evaluation(Arm::assemble(random_flexible_case(
        10, 5, {.arm = {.drive_line = true, .base = base}, .most = {2, 2, 1, 0}, .strains = true})));
}

/// Memory of this process [bytes].
double resident() {
  std::ifstream statm("/proc/self/statm");
  double whole = 0, pages = 0;
  statm >> whole >> pages;
  return pages * double(sysconf(_SC_PAGESIZE));
}

// A long element link is sparse, and so is what the recursion keeps of it: a square matrix of its coordinates would take 650 MB.
TEST(Allocation, LongElementLinksTakeMemoryInProportion) {
  Case data = read_case_text(R"(
arm:
  links:
    - name: mast
      joint: {name: hub, type: revolute, axis: [0, 0, 1]}
      beam: {length: 10, material: steel, section: {circle: {diameter: 100 mm}}, flexibility: {elements: 1500}}
      payload: {mass: 1}
)")
                  .data;
  const Arm arm = Arm::assemble(data);
  ASSERT_EQ(arm.nv(), 9001);
  const double before = resident();
  Articulated dynamics(arm);
  EXPECT_LT(resident() - before, 100e6);
}

}  // namespace
}  // namespace lithe::testing
