// Not a race: what naganathan86's text, read to the letter, does to the tip error of its planar case 1, beside the consistent
// models. docs/literal-thesis.md is made from it.
#include <fmt/format.h>

#include "bench/registry.h"
#include "lithe/describe/case_reader.h"
#include "lithe/dynamics/finite_element/floating_model.h"
#include "lithe/dynamics/finite_element/literal_model.h"
#include "lithe/simulate/newmark.h"

namespace lithe::bench {
namespace {

struct Start {
  double elbow_deg;
  int sense;  // of the elbow's turn
  double duration;
};

std::string case_text(const Start& start, int elements) {
  return fmt::format(R"(
arm:
  gravity: [0, 0, 0]
  links:
    - name: upper
      joint: {{name: shoulder, type: revolute, axis: [0, 0, 1]}}
      beam: &link
        length: 1
        material: {{E: 70 GPa, nu: 0.3, density: 2700}}
        section: {{area: 350 mm^2, Iy: 10000 mm^4, Iz: 10000 mm^4, shear: 0.8864}}
        flexibility: {{elements: {3}, element: linear, plane: y}}
    - name: fore
      joint: {{name: elbow, type: revolute, axis: [0, 0, 1]}}
      beam: *link
initial: {{elbow: {0} deg}}
motion: {{shoulder: {{cycloidal: {{to: 60 deg, in: {2} s}}}}, elbow: {{cycloidal: {{to: {1} deg, in: {2} s}}}}}}
)",
                     start.elbow_deg, start.elbow_deg + 60 * start.sense, start.duration, elements);
}

/// Tip errors along world x and y at equal steps, one column each.
struct Histories {
  static constexpr int n = 500;
  Matrix3Xd nonlinear{3, n}, linear{3, n}, literal{3, n}, quasi_static{3, n};

  Histories(const Start& start, int elements) {
    const Case data = read_case_text(case_text(start, elements)).data;
    const Arm arm = Arm::assemble(data);
    Drives drives(data, arm);
    drives.enter(0, start.duration);
    const NewmarkOptions options{.step = start.duration / (5 * n)};
    auto march = [&](SecondOrderSystem& model, Matrix3Xd& errors, auto error) {
      Newmark newmark(model, options);
      newmark.restart(0, VectorXd::Zero(model.size()), VectorXd::Zero(model.size()));
      for (int k = 0; k < n; ++k) {
        newmark.advance(start.duration * (k + 1) / n);
        errors.col(k) = error(newmark);
      }
    };
    NominalModel nominal(data, arm, drives);
    LiteralModel literal_model(data, arm, drives);
    FloatingModel floating(data, arm, drives);
    for (const auto& [model, errors] :
         {std::pair{&nominal, &linear}, {static_cast<NominalModel*>(&literal_model), &literal}})
      march(*model, *errors, [&, model = model](const Newmark& at) {
        return Vector3d(model->tip_displacement(at.t(), at.z(), arm.last_link()).head<3>());
      });
    State state = drives.initial_state();
    march(floating, nonlinear, [&](const Newmark& at) {
      floating.state_of(at.t(), at.z(), at.v(), state);
      const Vector3d tip = kinematics_of(arm, state).X_WT.back().p;
      drives.command_state(state);
      return Vector3d(tip - kinematics_of(arm, state).X_WT.back().p);
    });
    VectorXd z;
    for (int k = 0; k < n; ++k) {
      const double t = start.duration * (k + 1) / n;
      nominal.quasi_static(t, z);
      quasi_static.col(k) = nominal.tip_displacement(t, z, arm.last_link()).head<3>();
    }
  }
};

nlohmann::json run() {
  const Start starts[] = {{0, 1, 2.5},   {0, -1, 2.5}, {90, 1, 2.5}, {90, -1, 2.5},
                          {150, 1, 2.5}, {0, 1, 1.5},  {0, 1, 1},    {90, 1, 1}};
  fmt::print("largest tip error along world x and y [mm], four elements a link, steps of 1/2500 of the move\n");
  fmt::print("{:>6} {:>6} {:>6}   {:>15} {:>15} {:>15} {:>15}   {:>15}\n", "elbow", "turns", "in [s]", "nonlinear",
             "linear", "literal", "quasi-static", "literal/linear");
  nlohmann::json rows = nlohmann::json::array(), history = nlohmann::json::array();
  for (const Start& start : starts) {
    const Histories errors(start, 4);
    std::vector<double> peaks;
    for (const Matrix3Xd* which : {&errors.nonlinear, &errors.linear, &errors.literal, &errors.quasi_static})
      for (int axis = 0; axis < 2; ++axis) peaks.push_back(1e3 * which->row(axis).cwiseAbs().maxCoeff());
    fmt::print("{:>6} {:>6} {:>6}  ", start.elbow_deg, 60 * start.sense, start.duration);
    for (int i = 0; i < 8; i += 2) fmt::print(" {:>7.3f} {:>7.3f}", peaks[i], peaks[i + 1]);
    fmt::print("   {:>7.3f} {:>7.3f}\n", peaks[4] / peaks[2], peaks[5] / peaks[3]);
    rows.push_back({{"elbow_deg", start.elbow_deg},
                    {"turn_deg", 60 * start.sense},
                    {"duration", start.duration},
                    {"peaks_mm", peaks}});
    if (&start != &starts[0]) continue;
    for (int k = 0; k < Histories::n; k += 2)
      history.push_back({start.duration * (k + 1) / Histories::n, errors.nonlinear(1, k), errors.linear(1, k),
                         errors.literal(1, k), errors.quasi_static(1, k)});
  }
  return {{"rows", rows}, {"history", history}};
}

const Registration registration({"literal-thesis",
                                 "What does naganathan86's text, read to the letter, do to tip errors?", run});

}  // namespace
}  // namespace lithe::bench
