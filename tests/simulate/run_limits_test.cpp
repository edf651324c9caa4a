// What a run does otherwise than asked it says; what it cannot do it refuses before anything is written.
#include <gtest/gtest.h>

#include <filesystem>

#include "app/run_program.h"
#include "lithe/drive/examine.h"
#include "lithe/simulate/newmark.h"
#include "lithe/simulate/run.h"
#include "support/winged_arms.h"

namespace lithe::testing {
namespace {

std::string bar_with(const std::string& simulate) {
  return "arm: {links: [{name: a, joint: {name: p, type: revolute, axis: [0, 1, 0]}, rigid: {mass: 1, com: [1, 0, "
         "0]}}]}\n"
         "simulate: {" +
         simulate + "}\n";
}

RunSummary summary_of(const std::string& text) {
  const TemporaryFolder scratch;
  const CaseFile file = read_case_text(text);
  RunOptions options;
  options.file = scratch.path() + "/r.h5";
  return run(file, Arm::assemble(file.data), options);
}

TEST(RunLimits, StepsShorterThanAskedForAreSaid) {
  const RunSummary shortened = summary_of(bar_with("for: 1 s, method: rk4, step: 0.1 s, output_step: 10 ms"));
  ASSERT_EQ(shortened.warnings.size(), 1u);
  EXPECT_EQ(shortened.warnings[0],
            "simulate.step is 0.1 s, but rows are written every 0.01 s and no step is longer than that; a longer "
            "output_step allows longer steps");
  EXPECT_EQ(shortened.steps, 100);
  const RunSummary as_asked = summary_of(bar_with("for: 1 s, method: rk4, step: 10 ms, output_step: 10 ms"));
  EXPECT_EQ(as_asked.warnings.size(), 0u);
  EXPECT_EQ(as_asked.steps, 100);
}

TEST(RunLimits, CasesThatNobodyCheckedAreRefusedToo) {
  // Numbers set by a program, past the reader's checks.
  auto refusal = [](auto change) {
    const TemporaryFolder scratch;
    CaseFile file = read_case_text(bar_with("for: 1 s, method: dopri5"));
    change(*file.data.simulate);
    RunOptions options;
    options.file = scratch.path() + "/r.h5";
    std::string said;
    try {
      run(file, Arm::assemble(file.data), options);
    } catch (const FieldError& error) {
      said = error.path() + ": " + error.what();
    }
    EXPECT_FALSE(std::filesystem::exists(options.file)) << "nothing is written";
    return said;
  };
  EXPECT_EQ(refusal([](Simulate& simulate) { simulate.output_step = 1e-30; }),
            "simulate.output_step: asks for 1e+30 rows; at most 100000000: a longer output_step");
  EXPECT_EQ(refusal([](Simulate& simulate) { simulate.checkpoint = 1e-30; }),
            "simulate.checkpoint: asks for 1e+30 checkpoints; at most 1000000: a longer interval");
  EXPECT_EQ(refusal([](Simulate& simulate) { simulate.output_step = 2e-8; }).substr(0, 62),
            "simulate.output_step: asks for 50000000 rows of 31 columns, 16");
}

TEST(RunLimits, TheAirIsCutNoFinerThanCanBeKept) {
  auto said = [](const std::string& wind, const std::string& run) {
    Findings findings = examine([&] { return read_case_text(wing_on_a_spring(0.4, 4, 10, wind, run)); });
    examine_drives(findings);
    return findings.errors.empty() ? "" : findings.errors[0].path + ": " + findings.errors[0].message;
  };
  EXPECT_EQ(said("speed: 20", "simulate: {for: 1 s}"), "");
  EXPECT_EQ(said("speed: 20, wake_length: 1e12", "simulate: {for: 1 s}").substr(0, 62),
            "wind.wake_length: asks for 1.25e+13 rows of the wake; at most ");
  EXPECT_EQ(said("speed: 20, step: 1e-15", "simulate: {for: 1 ms}"),
            "wind.step: asks for 1e+12 steps of the air; at most 10000000000: a longer step");
  EXPECT_EQ(
      said("speed: 20, step: 1e-10", "simulate: {for: 1 s, output_step: 0.1 s}"),
      "wind.step: asks for 1e+09 steps of the air between two rows; at most 500000: a longer wind.step, or a shorter "
      "output_step");
}

/// One coordinate that falls.
class Falling : public SecondOrderSystem {
 public:
  int size() const override { return 1; }
  void unbalanced(double, const VectorXd&, const VectorXd&, const VectorXd& a, VectorXd& force) override {
    force[0] = 1 - a[0];
  }
  const SparseMatrixd& weighted_sum(double, const VectorXd&, const VectorXd&, double mass, double, double) override {
    sum_.resize(1, 1);
    sum_.coeffRef(0, 0) = mass;
    return sum_;
  }
  std::string name_of(int) const override { return "z"; }

 private:
  SparseMatrixd sum_;
};

TEST(RunLimits, NewmarkTakesTheStepItWasGivenOrNone) {
  Falling system;
  Newmark fine(system, {.step = 1e-30});
  fine.restart(0, VectorXd::Zero(1), VectorXd::Zero(1));
  EXPECT_THROW(fine.advance(1), StepError);  // it took one step of 1 s
  std::atomic<bool> stop = true;
  Newmark stopped(system, {.step = 1e-6, .stop = &stop});
  stopped.restart(0, VectorXd::Zero(1), VectorXd::Zero(1));
  EXPECT_THROW(stopped.advance(1), StepError);
  EXPECT_EQ(stopped.work().steps, 0);
}

}  // namespace
}  // namespace lithe::testing
