// Example 36: what Book's paper leaves open, accuracy against multiplications, as its README says; and the drift of his truncation.
#include <gtest/gtest.h>

#include <cmath>

#include "app/run_program.h"
#include "lithe/dynamics/work_count.h"
#include "lithe/simulate/run.h"

namespace lithe::testing {
namespace {

CaseFile six_joints(const std::string& mast, const std::string& boom, std::vector<Override> changes = {}) {
  changes.push_back({"links[mast].beam.flexibility", mast});
  changes.push_back({"links[boom].beam.flexibility", boom});
  changes.push_back({"simulate.for", "2 s"});
  // The torsion of many shapes is fast and undamped: with the case's own tolerances its errors reach 2e-5 of the tip error.
  changes.push_back({"simulate.rtol", "1e-10"});
  changes.push_back({"simulate.atol", "1e-12"});
  return read_case(example("36_book_six_joint_arm/case.yaml"), changes);
}
std::string shapes(int n) { return fmt::format("{{modes: {{bending_y: {0}, bending_z: {0}, torsion: {0}}}}}", n); }

/// Where the tip is through the first two seconds, and how far that is from a stiff arm's.
struct Path {
  std::vector<Vector3d> tip;
  double largest_error = 0;
};

Path path_of(const CaseFile& data) {
  const TemporaryFolder scratch;
  RunOptions options;
  options.file = scratch.path() + "/results.h5";
  run(data, Arm::assemble(data.data), options);
  const Results results = Results::read(options.file);
  auto series = [&](const std::string& name) { return results.series[results.find(name)]; };
  const auto x = series("tip.x"), y = series("tip.y"), z = series("tip.z"), ex = series("tip_error.x"),
             ey = series("tip_error.y"), ez = series("tip_error.z");
  Path path;
  for (size_t i = 0; i < x.size(); ++i) {
    path.tip.emplace_back(x[i], y[i], z[i]);
    path.largest_error = std::max(path.largest_error, Vector3d(ex[i], ey[i], ez[i]).norm());
  }
  return path;
}

/// Largest distance, as a part of the largest tip error.
double distance(const Path& a, const Path& b) {
  double largest = 0;
  for (size_t i = 0; i < a.tip.size(); ++i) largest = std::max(largest, (a.tip[i] - b.tip[i]).norm());
  return largest / b.largest_error;
}

long multiplications(const CaseFile& data) {
  const Arm arm = Arm::assemble(data.data);
  State state = State::zero(arm);
  state.q.setConstant(0.01);
  state.v.setConstant(0.01);
  return count_forward("recursive-lagrangian", arm, state, VectorXd::Zero(arm.nv()))->work.multiplications;
}

TEST(SixJointArm, TwoShapesEachWayAreWorthMoreThanImaginaryJoints) {
  const CaseFile one = six_joints(shapes(1), shapes(1)), two = six_joints(shapes(2), shapes(2)),
                 joints = six_joints("{segments: 2}", "{segments: 3}");
  const Path limit = path_of(six_joints(shapes(4), shapes(4)));
  // One shape holds no moment at the tip beside a force there; two do.
  EXPECT_NEAR(distance(path_of(one), limit), 0.038, 0.003);
  EXPECT_LT(distance(path_of(two), limit), 1e-5);
  // The paper's 15 imaginary joints beside 6 real ones: 21 coordinates.
  EXPECT_EQ(Arm::assemble(joints.data).nv(), 21);
  EXPECT_NEAR(distance(path_of(joints), path_of(six_joints("{segments: 12}", "{segments: 12}"))), 5e-3, 1e-3);
  EXPECT_EQ(multiplications(one), 6952);
  EXPECT_EQ(multiplications(two), 10899);
  EXPECT_EQ(multiplications(joints), 18815);
}

TEST(SixJointArm, SmallTipRotationsBoundWhatMoreShapesCanDo) {
  const std::vector<Override> printed{
      {"arm.tip_rotation", "small"}, {"arm.inertia", "first-order"}, {"simulate.formulation", "recursive-lagrangian"}};
  const Path limit = path_of(six_joints(shapes(3), shapes(3)));
  const CaseFile two = six_joints(shapes(2), shapes(2), printed);
  EXPECT_NEAR(distance(path_of(two), limit), 4.6e-3, 5e-4);
  EXPECT_EQ(multiplications(two), 8826);
}

TEST(SixJointArm, TruncatedEnergyDrifts) {
  auto drift = [](const std::vector<std::string>& options) {
    const TemporaryFolder scratch;
    std::vector<std::string> words{"run",
                                   example("36_book_six_joint_arm/drift.yaml"),
                                   "-o",
                                   scratch.path(),
                                   "--json",
                                   "--set",
                                   "simulate.rtol=1e-9"};
    words.insert(words.end(), options.begin(), options.end());
    const auto energy = json_of(words)["energy"];
    return energy["residual"].get<double>() / energy["start"].get<double>();
  };
  EXPECT_NEAR(drift({}), 0.095, 0.002);
  EXPECT_NEAR(drift({"--set", "arm.tip_rotation=finite"}), 0.050, 0.002);
  EXPECT_LT(drift({"--set", "arm.inertia=complete"}), 1e-8);
  EXPECT_LT(drift({"--set", "arm.inertia=complete", "--set", "arm.tip_rotation=finite"}), 1e-8);
}

}  // namespace
}  // namespace lithe::testing
