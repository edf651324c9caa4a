// What do analytic derivatives of the dynamics save an implicit integrator on stiff arms, beside differences of the rates?
#include <fmt/format.h>

#include <cmath>
#include <ctime>

#include "bench/registry.h"
#include "bench/timing.h"
#include "lithe/describe/case_reader.h"
#include "lithe/dynamics/articulated/articulated.h"
#include "lithe/dynamics/derivatives/forward_derivatives.h"
#include "lithe/simulate/integrator.h"
#include "lithe/simulate/system.h"
#include "support/random_arm.h"

namespace lithe::bench {
namespace {

/// n tubes on joints with crossed axes that swing to 40° and stop, and what drives them.
std::string swinging(int n, const std::string& beam, const std::string& drive, double duration) {
  std::string text = "arm:\n  links:\n", drives = drive == "motion" ? "motion:\n" : "torque:\n";
  for (int i = 0; i < n; ++i) {
    text += fmt::format(
        "    - {{name: l{0}, joint: {{name: j{0}, type: revolute, axis: [0, {1}, {2}]}}, beam: {{length: 0.8, "
        "material: "
        "aluminium, section: {{tube: {{outer_diameter: 50 mm, inner_diameter: 46 mm}}}}, "
        "{3}}}}}\n",
        i, (i + 1) % 2, i % 2, beam);
    const std::string profile = "{quintic: {to: 40 deg, in: 0.5 s}}";
    drives += drive == "motion" ? fmt::format("  j{}: {}\n", i, profile)
                                : fmt::format("  j{}: {{pd: {{kp: {}, kd: {}, follow: {}}}}}\n", i,
                                              5000.0 / ((i + 1) * (i + 1)), 300.0 / ((i + 1) * (i + 1)), profile);
  }
  return text + drives + fmt::format("simulate: {{for: {} s, rtol: 1e-6, atol: 1e-8}}\n", duration);
}

const std::string slew = R"(
arm:
  gravity: [0, 0, 0]
  links:
    - name: upper
      joint: {name: shoulder, type: revolute, axis: [0, 0, 1]}
      beam: &link
        length: 1000 mm
        material: {E: 70 GPa, nu: 0.3, density: 2700 kg/m^3}
        section: {area: 350 mm^2, Iy: 10000 mm^4, Iz: 10000 mm^4, shear: 0.8864}
        flexibility: {modes: {bending_y: 2}}
    - name: fore
      joint: {name: elbow, type: revolute, axis: [0, 0, 1]}
      beam: *link
motion:
  shoulder: {cycloidal: {to: 60 deg, in: 2.5 s}}
  elbow: {cycloidal: {to: 60 deg, in: 2.5 s}}
simulate: {for: 5 s, rtol: 1e-7, atol: 1e-9}
)";

struct Outcome {
  VectorXd y;
  IntegratorWork work;
  long evaluations = 0;
  double seconds = 0;  // of processor time
};

Outcome march(const CaseFile& file, const Arm& arm, Method method, Slopes slopes) {
  Simulate options = *file.data.simulate;
  options.method = method;
  Drives drives(file.data, arm);
  System system(arm, drives, "articulated", false);
  Outcome outcome;
  outcome.y = system.initial();
  std::vector<double> stops = drives.breakpoints(options.duration);
  if (stops.empty() || stops.back() < options.duration) stops.push_back(options.duration);
  const std::clock_t begin = std::clock();
  const auto integrator = make_integrator(system, options, nullptr, slopes);
  double t = 0;
  for (const double stop : stops) {
    drives.enter(t, stop);
    integrator->restart(t, outcome.y, stop);
    while ((t = integrator->advance(stop, outcome.y)) < stop) integrator->restart(t, outcome.y, stop);
    system.remove_drift(t, outcome.y);
  }
  outcome.seconds = double(std::clock() - begin) / CLOCKS_PER_SEC;
  outcome.work = integrator->work();
  outcome.evaluations = system.evaluations();
  return outcome;
}

/// Derivatives of chains of n links with five shapes each, beside one evaluation of the accelerations.
nlohmann::json growth() {
  const std::string beam = "flexibility: {modes: {bending_y: 2, bending_z: 2, torsion: 1}}";
  fmt::print("{:>5} {:>16} {:>22} {:>22} {:>28}\n", "nv", "forward [us]", "inverse, slopes [us]",
             "forward, slopes [us]", "times 2nv forward / slopes");
  std::vector<double> sizes, times;
  nlohmann::json rows = nlohmann::json::array();
  for (const int n : {1, 2, 4, 8, 16, 32}) {
    const Arm arm = Arm::assemble(read_case_text(swinging(n, beam, "motion", 1)).data);
    const int nv = arm.nv();
    InverseDerivatives inverse(arm);
    ForwardDerivatives forward(arm);
    Articulated dynamics(arm);
    std::vector<State> states;
    for (int k = 0; k < n_variants; ++k) states.push_back(testing::random_state(arm, std::uint32_t(k)));
    const VectorXd tau = testing::random_vector(nv, 1);
    VectorXd vdot(nv), other(nv);
    // Compared before anything is timed: along a direction of position and rate.
    const VectorXd along = testing::random_vector(nv, 2);
    auto acceleration = [&](double step, VectorXd& result) {
      State state = states[0];
      displace(arm, state.q, step * along);
      state.v += step * along;
      dynamics.forward(state, tau, result);
    };
    forward.update(states[0], tau);
    const VectorXd slope = (forward.by_position() + forward.by_rate()) * along;
    acceleration(1e-6, vdot);
    acceleration(-1e-6, other);
    if (!((slope - (vdot - other) / 2e-6).norm() <= 1e-4 * slope.norm()))
      throw Disagreement(fmt::format("{} links: derivatives differ from differences", n));
    const std::vector<double> ns =
        median_ns({{"forward", [&](int k) { dynamics.forward(states[size_t(k)], tau, vdot); }},
                   {"inverse slopes", [&](int k) { inverse.update(states[size_t(k)], tau); }},
                   {"forward slopes", [&](int k) { forward.update_at(states[size_t(k)], tau); }}});
    sizes.push_back(nv);
    times.push_back(ns[1]);
    fmt::print("{:>5} {:>16.2f} {:>22.2f} {:>22.2f} {:>28.1f}\n", nv, ns[0] / 1e3, ns[1] / 1e3, ns[2] / 1e3,
               2 * nv * ns[0] / ns[2]);
    rows.push_back(
        {{"coordinates", nv}, {"forward_ns", ns[0]}, {"inverse_slopes_ns", ns[1]}, {"forward_slopes_ns", ns[2]}});
  }
  const double order = growth_order({sizes.end() - 3, sizes.end()}, {times.end() - 3, times.end()});
  fmt::print("slopes of inverse dynamics grow as nv^{:.2f} over the last three\n\n", order);
  return {{"rows", rows}, {"order", order}};
}

nlohmann::json run() {
  const nlohmann::json evaluation = growth();
  struct Question {
    std::string name, text;
    Method method;
  };
  const std::string damped = "damping: {rayleigh: {alpha: 0, beta: 1e-5 s}}, flexibility: ",
                    elements8 = damped + "{elements: 8}", elements16 = damped + "{elements: 16}",
                    modes = damped + "{modes: {bending_y: 3, bending_z: 3, torsion: 2, axial: 1}}";
  const std::vector<Question> questions{
      {"two links, 2 shapes, driven (example 17)", slew, Method::cvode},
      {"the same by esdirk", slew, Method::esdirk},
      {"two links, 8 elements, driven", swinging(2, elements8, "motion", 1), Method::cvode},
      {"two links, 8 elements, pd", swinging(2, elements8, "pd", 1), Method::cvode},
      {"two links, 16 elements, pd", swinging(2, elements16, "pd", 0.2), Method::cvode},
      {"six links, 9 shapes, pd", swinging(6, modes, "pd", 0.5), Method::cvode},
      {"six rigid links, pd", swinging(6, "flexibility: rigid", "pd", 1), Method::cvode},
  };
  fmt::print("{:<42} {:>5} | {:>8} {:>12} {:>9} | {:>8} {:>12} {:>9} | {:>7}\n", "", "nv", "steps", "evaluations",
             "time [s]", "steps", "evaluations", "time [s]", "ratio");
  fmt::print("{:<42} {:>5} | {:^31} | {:^31} |\n", "", "", "differences", "analytic");
  nlohmann::json rows = nlohmann::json::array();
  for (const Question& question : questions) {
    const CaseFile file = read_case_text(question.text);
    const Arm arm = Arm::assemble(file.data);
    const Outcome old = march(file, arm, question.method, Slopes::differences),
                  now = march(file, arm, question.method, Slopes::analytic);
    // Compared before anything is said about time: both are within their tolerance of the same motion.
    const double difference = (old.y - now.y).head(arm.nq()).cwiseAbs().maxCoeff();
    if (!(difference <= 1e-3 * old.y.head(arm.nq()).cwiseAbs().maxCoeff()))
      throw Disagreement(fmt::format("{}: positions differ by {}", question.name, difference));
    fmt::print("{:<42} {:>5} | {:>8} {:>12} {:>9.3f} | {:>8} {:>12} {:>9.3f} | {:>7.2f}\n", question.name, arm.nv(),
               old.work.steps, old.evaluations, old.seconds, now.work.steps, now.evaluations, now.seconds,
               old.seconds / now.seconds);
    rows.push_back({{"case", question.name},
                    {"coordinates", arm.nv()},
                    {"difference", difference},
                    {"differences", {{"steps", old.work.steps}, {"evaluations", old.evaluations}, {"s", old.seconds}}},
                    {"analytic", {{"steps", now.work.steps}, {"evaluations", now.evaluations}, {"s", now.seconds}}},
                    {"ratio", old.seconds / now.seconds}});
  }
  return {{"evaluation", evaluation}, {"rows", rows}};
}

const Registration registration{{"jacobian", "implicit integration with analytic derivatives beside differences", run}};

}  // namespace
}  // namespace lithe::bench
