// What does a commanded motion cost, by finite elements with Newmark's method and by the articulated recursion, for what error?
// naganathan86's first planar case and its spatial arm; then how the finite elements' cost grows with their number.
#include <fmt/format.h>

#include <cmath>
#include <ctime>

#include "bench/registry.h"
#include "bench/timing.h"
#include "lithe/describe/case_reader.h"
#include "lithe/simulate/element_march.h"
#include "lithe/simulate/integrator.h"
#include "lithe/simulate/system.h"

namespace lithe::bench {
namespace {

struct Outcome {
  Matrix3Xd tip_error;  // at 200 times
  double seconds = 0;   // of processor time, the best of several; without making the model
  long steps = 0;
};
constexpr int n_rows = 200;

std::unique_ptr<SimulatedSystem> simulated(const Case& data, const Arm& arm, Drives& drives) {
  const Simulate& options = *data.simulate;
  if (options.formulation == RunFormulation::finite_element)
    return std::make_unique<ElementMarch>(data, arm, drives, options);
  return std::make_unique<System>(arm, drives, "articulated", false, options);
}

Outcome march(const Case& data, int repeats) {
  const Arm arm = Arm::assemble(data);
  Drives drives(data, arm);
  const auto model = simulated(data, arm, drives);
  std::vector<double> stops = drives.breakpoints(data.simulate->duration);
  if (stops.empty() || stops.back() < data.simulate->duration) stops.push_back(data.simulate->duration);
  Outcome outcome;
  outcome.tip_error.resize(3, n_rows);
  std::vector<VectorXd> ys(n_rows);
  for (int repeat = 0; repeat < repeats; ++repeat) {
    drives.enter(0, stops.front());
    VectorXd y = model->initial();
    const std::clock_t begin = std::clock();
    const auto integrator = model->integrator(nullptr);
    double t = 0;
    int row = 0;
    for (const double stop : stops) {
      drives.enter(t, stop);
      integrator->restart(t, y, stop);
      while (t < stop) {
        const double t_row = row < n_rows ? data.simulate->duration * (row + 1) / n_rows : stop;
        const bool at_row = t_row <= stop * (1 + 1e-12);
        const double t_out = at_row ? std::min(t_row, stop) : stop, reached = integrator->advance(t_out, y);
        t = reached >= t_out * (1 - 1e-14) ? t_out : reached;
        if (t < t_out) {
          integrator->restart(t, y, stop);
        } else if (at_row) {
          ys[size_t(row++)] = y;
        }
      }
    }
    const double seconds = double(std::clock() - begin) / CLOCKS_PER_SEC;
    outcome.seconds = repeat == 0 ? seconds : std::min(outcome.seconds, seconds);
    outcome.steps = integrator->work().steps;
  }
  Row row;
  for (int k = 0; k < n_rows; ++k) {
    const double t = data.simulate->duration * (k + 1) / n_rows;
    drives.enter(t, t);
    model->row(t, ys[size_t(k)].data(), arm.last_link(), row);
    outcome.tip_error.col(k) = row.tip_error;
  }
  return outcome;
}

double largest(const Matrix3Xd& errors) { return errors.colwise().norm().maxCoeff(); }

struct Route {
  std::string name, flexibility;  // of every link
  Simulate how;
};

/// (`error` is the largest over all times, phase errors of the swing included; `of the peak` that of the largest tip error.)
/// Every route's time and error against `truth`, on an example whose links all bend alike.
nlohmann::json race(const std::string& example, double duration, const Route& truth, const std::vector<Route>& routes) {
  const std::string file = std::string(LITHE_SOURCE_DIR) + "/examples/" + example + "/case.yaml";
  auto outcome = [&](const Route& route, int repeats) {
    std::vector<Override> overrides;
    const size_t n_links = read_case(file, {}).data.arm.links.size();
    for (size_t i = 0; i < n_links; ++i)
      overrides.push_back({fmt::format("arm.links[{}].beam.flexibility", i), route.flexibility});
    Case data = read_case(file, overrides).data;
    data.simulate = route.how;
    data.simulate->duration = duration;
    return march(data, repeats);
  };
  const Outcome reference = outcome(truth, 1);
  const double scale = largest(reference.tip_error);
  fmt::print("{}: {:.3g} s, tip error {:.4g} mm at most\n", example, duration, 1e3 * scale);
  fmt::print("  {:<66} {:>8} {:>10} {:>22} {:>10} {:>12}\n", "", "steps", "CPU [ms]", "CPU s / simulated s", "error",
             "of the peak");
  nlohmann::json rows = nlohmann::json::array();
  for (const Route& route : routes) {
    const Outcome now = outcome(route, 5);
    const double error = largest(now.tip_error - reference.tip_error) / scale;
    const double peak_error = std::abs(largest(now.tip_error) / scale - 1);
    if (!(error < 0.5)) throw Disagreement(fmt::format("{}: tip error is off by {}", route.name, error));
    fmt::print("  {:<66} {:>8} {:>10.2f} {:>22.2e} {:>10.1e} {:>12.1e}\n", route.name, now.steps, 1e3 * now.seconds,
               now.seconds / duration, error, peak_error);
    rows.push_back({{"route", route.name},
                    {"steps", now.steps},
                    {"s", now.seconds},
                    {"error", error},
                    {"peak_error", peak_error}});
  }
  fmt::print("\n");
  return {{"example", example}, {"simulated_s", duration}, {"peak_m", scale}, {"rows", rows}};
}

Simulate newmark(ElementModel model, double step) {
  return {.formulation = RunFormulation::finite_element, .model = model, .method = Method::newmark, .step = step};
}
Simulate chosen(double rtol) {
  return {.formulation = RunFormulation::finite_element, .method = Method::newmark, .rtol = rtol, .atol = rtol * 1e-2};
}
Simulate tolerance(Method method, double rtol) { return {.method = method, .rtol = rtol, .atol = rtol * 1e-2}; }
Simulate fixed(Method method, double step) { return {.method = method, .step = step}; }

/// Microseconds of one step's work on one link of n elements: an evaluation of what is out of balance, and the march per step.
nlohmann::json growth() {
  fmt::print("{:>10} {:>10} {:>16} {:>18}\n", "elements", "unknowns", "F_u [us]", "a step [us]");
  std::vector<double> sizes, evaluations, steps;
  nlohmann::json rows = nlohmann::json::array();
  for (const int n : {10, 30, 100, 300, 1000}) {
    Case data = read_case(std::string(LITHE_SOURCE_DIR) + "/examples/22_commanded_motion/case.yaml", {}).data;
    for (LinkSpec& link : data.arm.links) std::get<Elements>(link.beam->flexibility).count = n;
    const Arm arm = Arm::assemble(data);
    Drives drives(data, arm);
    drives.enter(0, 2.5);
    FloatingModel model(data, arm, drives);
    const VectorXd rest = VectorXd::Zero(model.size());
    VectorXd force(model.size());
    const double evaluation =
        median_ns({{"F_u", [&](int k) { model.unbalanced(0.01 * k, rest, rest, rest, force); }}})[0] / 1e3;
    Newmark marching(model, {.step = 2e-3});
    marching.restart(0, rest, rest);
    marching.advance(0.02);
    const long before = marching.work().steps;
    const std::clock_t begin = std::clock();
    marching.advance(0.02 + std::max(10, 20000 / n) * 2e-3);
    const double step = 1e6 * double(std::clock() - begin) / CLOCKS_PER_SEC / double(marching.work().steps - before);
    fmt::print("{:>10} {:>10} {:>16.2f} {:>18.2f}\n", n, model.size(), evaluation, step);
    sizes.push_back(n);
    evaluations.push_back(evaluation);
    steps.push_back(step);
    rows.push_back({{"elements", n}, {"unknowns", model.size()}, {"evaluation_us", evaluation}, {"step_us", step}});
  }
  const double by_evaluation = growth_order(sizes, evaluations), by_step = growth_order(sizes, steps);
  fmt::print("grow as n^{:.2f} and n^{:.2f}\n", by_evaluation, by_step);
  return {{"rows", rows}, {"evaluation_order", by_evaluation}, {"step_order", by_step}};
}

nlohmann::json run() {
  const Route planar_truth{"", "{elements: 10, plane: y, keep: 6}", tolerance(Method::dopri5, 1e-9)};
  const std::string two = "{elements: 2, element: linear, plane: y}",
                    eight = "{elements: 8, element: linear, plane: y}", shapes = "{modes: {bending_y: 2}}",
                    own = "{elements: 2, plane: y}";
  const nlohmann::json planar = race(
      "22_commanded_motion", 5, planar_truth,
      {{"finite-element, 2 per link, nonlinear, newmark at 2 ms", two, newmark(ElementModel::nonlinear, 2e-3)},
       {"finite-element, 2 per link, linear, newmark at 2 ms", two, newmark(ElementModel::linear, 2e-3)},
       {"finite-element, 8 per link, nonlinear, newmark at 1.2 ms", eight, newmark(ElementModel::nonlinear, 1.2e-3)},
       {"finite-element, 8 per link, nonlinear, newmark, rtol 1e-6", eight, chosen(1e-6)},
       {"articulated, the same 2 elements, cvode, rtol 1e-6", two, tolerance(Method::cvode, 1e-6)},
       {"articulated, 2 elements that do not lock, cvode, rtol 1e-6", own, tolerance(Method::cvode, 1e-6)},
       {"articulated, 2 polynomials per link, cvode, rtol 1e-4", shapes, tolerance(Method::cvode, 1e-4)},
       {"articulated, 2 polynomials per link, cvode, rtol 1e-6", shapes, tolerance(Method::cvode, 1e-6)},
       {"articulated, 2 polynomials per link, rk4 at 1.8 ms", shapes, fixed(Method::rk4, 1.8e-3)}});
  const Route spatial_truth{"", "{elements: 8, element: linear}", tolerance(Method::cvode, 1e-8)};
  const std::string eight_3d = spatial_truth.flexibility;
  const nlohmann::json spatial = race(
      "25_spatial_three_joints", 3, spatial_truth,
      {{"finite-element, 8 per link, nonlinear, newmark at 2 ms", eight_3d, newmark(ElementModel::nonlinear, 2e-3)},
       {"finite-element, 8 per link, nonlinear, newmark at 0.5 ms", eight_3d, newmark(ElementModel::nonlinear, 5e-4)},
       {"finite-element, 8 per link, nonlinear, newmark, rtol 1e-5", eight_3d, chosen(1e-5)},
       {"finite-element, 8 per link, linear, newmark at 2 ms", eight_3d, newmark(ElementModel::linear, 2e-3)},
       {"articulated, the same 8 elements, cvode, rtol 1e-5", eight_3d, tolerance(Method::cvode, 1e-5)},
       {"articulated, 2 polynomials per plane and torsion, cvode, rtol 1e-5",
        "{modes: {bending_y: 2, bending_z: 2, torsion: 1}}", tolerance(Method::cvode, 1e-5)}});
  return {{"planar", planar}, {"spatial", spatial}, {"growth", growth()}};
}

const Registration registration{
    {"commanded-motion", "naganathan86's arms by finite elements and by the articulated recursion: time against error",
     run}};

}  // namespace
}  // namespace lithe::bench
