// What `check` says of a run beyond its case: the words with which the run refuses it.
#include "lithe/simulate/examine_run.h"

#include <gtest/gtest.h>

#include "app/run_program.h"
#include "lithe/simulate/simulation.h"
#include "support/run_results.h"

namespace lithe::testing {
namespace {

std::string arm_with(const std::string& motor, const std::string& more,
                     const std::string& flexibility = "elements: 2, element: linear") {
  return "arm:\n  links:\n    - {name: boom, joint: {name: hinge, type: revolute, axis: [0, -1, 0]" + motor +
         "}, beam: {length: 1, material: aluminium, section: {circle: {diameter: 20 mm}}, flexibility: {" +
         flexibility + "}}}\n" + more;
}

/// What is said of the case, and that its run says the same.
std::string said(const std::string& text) {
  Findings findings = examine([&] { return read_case_text(text, "case"); });
  for (const Problem& problem : findings.errors) ADD_FAILURE() << problem.text();
  examine_run(findings);
  std::string run;
  try {
    results_of(text);
  } catch (const FieldError& error) {
    run = error.path() + ": " + error.what();
  } catch (const RunError&) {
    // It began.
  }
  if (findings.errors.empty()) {
    EXPECT_EQ(run, "") << "the run refuses what passes";
    return "valid";
  }
  EXPECT_EQ(findings.errors[0].path + ": " + findings.errors[0].message, run);
  return run;
}

TEST(ExamineRun, SaysWhatFiniteElementsDoNotCover) {
  const std::string run = "simulate: {for: 10 ms, formulation: finite-element";
  EXPECT_EQ(said(arm_with("", run + "}\n")), "valid");
  EXPECT_EQ(said(arm_with(
                "", "forces: [{contact: {link: boom, plane: {point: [0, 0, -2]}, stiffness: 1e4}}]\n" + run + "}\n")),
            "forces[0]: finite-element: forces that depend on the motion are not supported; use another formulation");
  EXPECT_EQ(said(arm_with("", "torque: {hinge: {pid: {kp: 10, ki: 1, kd: 1, target: 0}}}\n" + run + "}\n")),
            "torque.hinge: finite-element: states of controllers (an integral, a filter) are not supported; give "
            "sample_time, or use another formulation");
  EXPECT_EQ(said(arm_with(
                "", "events: [{at: 5 ms, torque: {hinge: {pid: {kp: 10, ki: 1, kd: 1, target: 0}}}}]\n" + run + "}\n")),
            "events[0].torque.hinge: finite-element: states of controllers (an integral, a filter) are not supported; "
            "give sample_time, or use another formulation");
  EXPECT_EQ(said(arm_with("", "initial: {deformation: static}\n" + run + ", model: linear}\n")),
            "arm.links: finite-element, linear: joint 'hinge' must be driven by a motion or a servo without saturation "
            "and sampling; the nonlinear model supports others");
  EXPECT_NE(said(arm_with("", run + "}\n", "modes: {bending_y: 1}")).find("arm.links[0].beam.flexibility"),
            std::string::npos);
}

TEST(ExamineRun, SaysWhatMidpointCannotPass) {
  const std::string jump =
      ": midpoint cannot step over the jump of a damper that sets in at a touch: leave the damping out, or use another "
      "method (dopri5)";
  auto with = [&](const std::string& motor, const std::string& wall, const std::string& method) {
    return said(arm_with(
        motor,
        (wall.empty()
             ? ""
             : "forces: [{contact: {link: boom, plane: {point: [0, 0, -0.05]}, stiffness: 1e4" + wall + "}}]\n") +
            "simulate: {for: 0.2 s, output_step: 10 ms, method: " + method + "}\n",
        "modes: {bending_y: 1}"));
  };
  const std::string gear = ", motor: {inertia: 1e-4, gear_ratio: 50, stiffness: 800, backlash: 1 deg";
  EXPECT_EQ(with("", ", damping: 20", "midpoint, step: 1e-4"), "forces[0].contact.damping" + jump);
  EXPECT_EQ(with(gear + ", damping: 5}", "", "midpoint, step: 1e-4"), "arm.links[0].joint.motor.backlash" + jump);
  // Without dampers nothing jumps, and other methods end their steps there.
  EXPECT_EQ(with("", ", damping: 0", "midpoint, step: 1e-4"), "valid");
  EXPECT_EQ(with(gear + "}", "", "midpoint, step: 1e-4"), "valid");
  EXPECT_EQ(with(gear + ", damping: 5}", ", damping: 20", "dopri5"), "valid");
}

TEST(ExamineRun, IsPartOfCheck) {
  const TemporaryFolder scratch;
  scratch.write("case.yaml", arm_with("",
                                      "forces:\n  - contact: {link: boom, plane: {}, stiffness: 1e4}\n"
                                      "simulate: {for: 1 s, formulation: finite-element}\n"));
  const Finished finished = run_program({"check", "case.yaml"}, scratch.path());
  EXPECT_EQ(finished.code, 2);
  EXPECT_EQ(finished.err,
            "case.yaml:5:5: forces[0]: finite-element: forces that depend on the motion are not supported; use another "
            "formulation\n");
}

}  // namespace
}  // namespace lithe::testing
