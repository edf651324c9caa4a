// What do links that bend far cost: three problems to a stated accuracy, beside rigid segments on springs?
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <memory>

#include "bench/registry.h"
#include "bench/timing.h"
#include "lithe/arm/kinematics.h"
#include "lithe/describe/case_reader.h"
#include "lithe/simulate/integrator.h"
#include "lithe/simulate/system.h"

namespace lithe::bench {
namespace {

namespace fs = std::filesystem;

/// The integrator alone: no file, no checkpoints; stops at the instants at which answers are compared.
struct Motion {
  Motion(Case given, int n_instants)
      : data(std::move(given)),
        n(n_instants),
        drives(data, Arm::assemble(data)),
        system(Arm::assemble(data), drives, "articulated", false, *data.simulate),
        stops(stops_of(drives, data.simulate->duration)),
        start((drives.enter(0, stops.front()), system.initial())),
        y(start),
        state(State::zero(system.arm())) {
    system.choose_method(start);
    integrator = system.integrator(nullptr);
  }

  /// Ends of the smooth pieces of the drives, and of the motion.
  static std::vector<double> stops_of(const Drives& drives, double T) {
    std::vector<double> stops = drives.breakpoints(T);
    std::erase_if(stops, [&](double t) { return t <= 0 || t >= T; });
    stops.push_back(T);
    return stops;
  }

  /// Whole pieces of the drives are integrated in one go, as a run does.
  void go(bool keep) {
    if (keep) tips.clear();
    y = start;
    const double T = data.simulate->duration;
    double t = 0;
    int next = 1;
    for (const double stop : stops) {
      if (t > 0)
        system.enter(t, stop, y);
      else
        drives.enter(0, stop);
      integrator->restart(t, y, stop);
      while (t < stop) {
        const double instant = T * next / n;
        const bool compared = instant <= stop * (1 + 1e-12);
        t = compared ? std::min(instant, stop) : stop;
        integrator->advance(t, y);
        if (compared && keep) tips.push_back(tip(t));
        if (compared) ++next;
      }
    }
  }

  /// The tip as seen from the arm that does not bend, so that the motion of driven joints is not counted as an answer.
  Vector3d tip(double t) {
    system.state_of(t, y.data(), state);
    update_kinematics(system.arm(), state, kinematics);
    return kinematics.X_WT.back().p;
  }

  Case data;
  int n;
  Drives drives;
  System system;
  std::unique_ptr<Integrator> integrator;
  std::vector<double> stops;
  VectorXd start, y;
  State state;
  Kinematics kinematics;
  std::vector<Vector3d> tips;
};

double largest_distance(const std::vector<Vector3d>& a, const std::vector<Vector3d>& b) {
  double largest = 0;
  for (size_t k = 0; k < a.size(); ++k) {
    const double d = (a[k] - b[k]).norm();
    largest = std::isfinite(d) ? std::max(largest, d) : INFINITY;
  }
  return largest;
}

void set_terms(Case& data, int terms) {
  for (LinkSpec& link : data.arm.links)
    if (auto* strains = std::get_if<StrainTerms>(&link.beam->flexibility))
      for (int* n : {&strains->bending_y, &strains->bending_z})
        if (*n > 0) *n = terms;
}

/// The same beams as segments, which only bend in the plane of the strains.
Case in_segments(Case data, int count) {
  for (LinkSpec& link : data.arm.links) {
    const auto strains = std::get<StrainTerms>(link.beam->flexibility);
    link.beam->flexibility =
        Segments{.count = count,
                 .locked = {.bending_y = strains.bending_y == 0, .bending_z = strains.bending_z == 0, .torsion = true}};
  }
  return data;
}

struct Problem {
  std::string file, title;
  double scale;  // the error is counted in parts of this [m]
  int finest;    // terms of the reference
  int segments;  // of the witness; its error falls with the square of their number
};

constexpr int n_instants = 200;

/// By twice as many terms at tight tolerances, which segments must confirm: two numbers of them and the limit of their error's square law.
std::vector<Vector3d> reference(const Problem& problem, const Case& data, double& doubt) {
  Case fine = data;
  set_terms(fine, problem.finest);
  fine.simulate->rtol = 1e-9;
  fine.simulate->atol = 1e-11;
  fine.simulate->method = Method::dopri5;
  Motion exact(fine, n_instants);
  exact.go(true);
  std::array<std::vector<Vector3d>, 2> witnesses;
  for (int k = 0; k < 2; ++k) {
    Case coarse = in_segments(data, problem.segments * (k + 1));
    coarse.simulate->rtol = 1e-7;
    coarse.simulate->atol = 1e-9;
    coarse.simulate->method = Method::dopri5;
    Motion motion(coarse, n_instants);
    motion.go(true);
    witnesses[size_t(k)] = motion.tips;
  }
  std::vector<Vector3d> limit = witnesses[1];
  for (size_t k = 0; k < limit.size(); ++k) limit[k] += (witnesses[1][k] - witnesses[0][k]) / 3;
  doubt = largest_distance(exact.tips, limit) / problem.scale;
  return exact.tips;
}

nlohmann::json measure(const Problem& problem) {
  const fs::path source(LITHE_SOURCE_DIR);
  const Case data = read_case((source / "bench/cases" / problem.file).string()).data;
  double doubt = 0;
  const std::vector<Vector3d> exact = reference(problem, data, doubt);
  constexpr double largest_doubt = 2e-3;
  if (!(doubt < largest_doubt))
    throw Disagreement(fmt::format("{}: segments, extrapolated, are {:.1e} from the exact link; limit {:.0e}",
                                   problem.title, doubt, largest_doubt));

  Motion motion(data, n_instants);
  motion.go(true);
  const double error = largest_distance(motion.tips, exact) / problem.scale;
  Motion timed(data, 1);
  timed.go(false);
  const long before = timed.system.evaluations();
  timed.go(false);
  const long evaluations = timed.system.evaluations() - before;
  // The rival: the coarser of the witness' segments, by the explicit method that serves them best. Their stiffness sets its steps: at
  // looser tolerances than these their errors grow, and hardly any time is saved.
  Case rigid = in_segments(data, problem.segments);
  rigid.simulate->method = Method::dopri5;
  rigid.simulate->rtol = 1e-5;
  rigid.simulate->atol = 1e-7;
  Motion rival(rigid, n_instants), rival_timed(rigid, 1);
  rival.go(true);
  const double rival_error = largest_distance(rival.tips, exact) / problem.scale;
  const std::vector<double> ns =
      median_ns({{problem.title, [&](int) { timed.go(false); }}, {"segments", [&](int) { rival_timed.go(false); }}});
  const double ms = ns[0] / 1e6, ratio = ns[1] / ns[0];
  fmt::print("{:<26}{:>8}{:>14}{:>13.3f} %{:>13.3f} %{:>10.2f}{:>12}{:>11.2f} %{:>8.1f}   {}\n", problem.title,
             timed.system.arm().nv(), evaluations, 100 * error, 100 * doubt, ms, problem.segments, 100 * rival_error,
             ratio, timed.system.method_chosen());
  return {{"error", error},
          {"witness_doubt", doubt},
          {"evaluations", evaluations},
          {"integration_ms", ms},
          {"segments", problem.segments},
          {"segments_error", rival_error},
          {"segments_time_ratio", ratio},
          {"method", timed.system.method_chosen()}};
}

nlohmann::json run() {
  fmt::print(
      "links that bend far, by strains: largest error of the tip over the whole motion against more terms and tighter "
      "tolerances, which segments, extrapolated, confirm; integration alone, one core; beside it rigid segments on "
      "springs, their error and how many "
      "times as long they take\n\n{:<26}{:>8}{:>14}{:>15}{:>15}{:>10}{:>12}{:>13}{:>8}\n",
      "", "coord.", "evaluations", "error", "confirmed to", "ms", "segments", "error", "times");
  nlohmann::json figures;
  for (const Problem& problem : {Problem{"spin_up.yaml", "spin-up, 30 s", 0.57384, 7, 10},
                                 Problem{"slender_pendulum.yaml", "slender pendulum, 2 s", 1, 8, 10},
                                 Problem{"commanded_arm.yaml", "commanded arm, 5 s", 0.00599, 5, 8}})
    figures[problem.file.substr(0, problem.file.find('.'))] = measure(problem);
  return figures;
}

const Registration registration({"large-motion", "what links that bend far and spin fast cost to 0.1 %", run});

}  // namespace
}  // namespace lithe::bench
