// What does a simulated second cost at equal accuracy, beside MuJoCo's RK4, and what is spent besides the dynamics?
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>

#include "bench/registry.h"
#include "bench/timing.h"
#include "lithe/results/own_folder.h"
#include "lithe/simulate/integrator.h"
#include "lithe/simulate/run.h"
#include "lithe/simulate/system.h"
#include "peers/mujoco_peer.h"
#include "support/random_arm.h"

namespace lithe::bench {
namespace {

namespace fs = std::filesystem;

// ------------------------------------------------------------------------------------------- what is let go

struct Release {
  std::string name, title;
  Case data;
  double duration;
};

/// The PUMA 560 without what its joints do by themselves, arm stretched out level, wrist turned so that all joints move.
Release puma() {
  const fs::path source(LITHE_SOURCE_DIR);
  Release release{"puma", "PUMA 560, 2 s", read_case((source / "examples/05_puma560/case.yaml").string()).data, 2};
  for (LinkSpec& link : release.data.arm.links) {
    link.joint.friction.reset();
    link.joint.limits.reset();
    link.joint.motor->damping = 0;
  }
  // MuJoCo takes no body without mass. The column turns about its y axis only, so the rotor can carry its inertia.
  LinkSpec& column = release.data.arm.links.front();
  Motor& motor = *column.joint.motor;
  motor.inertia += column.rigid->inertia->yy / (motor.gear_ratio * motor.gear_ratio);
  column.rigid->inertia.reset();
  // Nor a body that no matter can form: the published forearm has xx + zz < yy.
  InertiaEntries& fore = *release.data.arm.links[2].rigid->inertia;
  fore.zz = 1.05 * (fore.yy - fore.xx);
  release.data.initial.joints = {{"waist", {0.3, 0}}, {"shoulder", {0.2, 0}}, {"elbow", {-0.4, 0}},
                                 {"roll", {0.5, 0}},  {"pitch", {0.7, 0}},    {"spin", {0.1, 0}}};
  return release;
}

/// Short, for a long chain moves chaotically: 1e-6 must be within reach of every method.
Release chain() {
  Release release{"chain24", "chain of 24 joints, 0.5 s", testing::chain_case(24, 1), 0.5};
  const Arm arm = Arm::assemble(release.data);
  const State pose = testing::random_state(arm, 1);
  for (const Link& link : arm.links()) release.data.initial.joints[link.joint_name] = {pose.q[link.q0], 0};
  return release;
}

// ------------------------------------------------------------------------------------------- our side

Simulate options_of(const Release& release, Method method, double rtol, std::optional<double> step = {}) {
  Simulate options;
  options.duration = release.duration;
  options.method = method;
  options.rtol = rtol;
  options.atol = rtol / 100;
  options.step = step;
  return options;
}

/// The integrator alone: no rows, no file, no checkpoints.
struct March {
  March(const Release& release, const Simulate& how)
      : options(how),
        drives(release.data, Arm::assemble(release.data)),
        system(Arm::assemble(release.data), drives, "articulated", false),
        integrator(make_integrator(system, options)),
        start(system.initial()),
        y(start) {}

  void go() {
    integrator->restart(0, start, options.duration);
    integrator->advance(options.duration, y);
  }
  /// Stops where a run does, for rows and at checkpoints, and does nothing there but to start anew at the latter.
  void go_as_a_run() {
    constexpr int n_checkpoints = 20, n_rows = 500;
    y = start;
    for (int k = 0; k < n_checkpoints; ++k) {
      integrator = make_integrator(system, options);
      integrator->restart(options.duration * k / n_checkpoints, y, options.duration * (k + 1) / n_checkpoints);
      constexpr int per_checkpoint = n_rows / n_checkpoints;
      for (int row = k * per_checkpoint + 1; row <= (k + 1) * per_checkpoint; ++row)
        integrator->advance(options.duration * row / n_rows, y);
    }
  }
  VectorXd positions() const { return y.head(system.arm().nq()); }

  Simulate options;
  Drives drives;
  System system;
  std::unique_ptr<Integrator> integrator;
  VectorXd start, y;
};

double distance(const VectorXd& a, const VectorXd& b) {
  const double largest = (a - b).cwiseAbs().maxCoeff();
  return a.allFinite() && b.allFinite() ? largest : INFINITY;
}

constexpr double accuracy = 1e-6;         // at which times are compared
constexpr double reference_limit = 1e-9;  // the two references must agree far better than that

struct Reference {
  VectorXd q;
  double doubt;
};

/// By two methods that share only the evaluation; MuJoCo, which shares nothing, is compared in mujoco_curve().
Reference reference(const Release& release) {
  March fine(release, options_of(release, Method::dopri5, 1e-13)),
      plain(release, options_of(release, Method::rk4, 1e-13, 2.5e-5));
  fine.go();
  plain.go();
  const double doubt = distance(fine.positions(), plain.positions());
  if (!(doubt < reference_limit))
    throw Disagreement(fmt::format("{}: dopri5 at 1e-13 and rk4 at 25 us end {:.1e} apart, limit {:.0e}", release.title,
                                   doubt, reference_limit));
  return {fine.positions(), doubt};
}

// ------------------------------------------------------------------------------------------- work and precision

struct Point {
  std::string setting;  // tolerance or step
  double error;
  std::function<void(int)> call;
  long evaluations;
  double ms = 0;  // per simulated second
};
struct Curve {
  std::string name;
  std::vector<Point> points;  // loose to tight
};

Curve our_curve(const Release& release, const Reference& reference, const char* name, Method method) {
  Curve curve{name, {}};
  for (int digits = 4; digits <= 12; ++digits) {
    const double rtol = std::pow(10, -digits);
    const auto march = std::make_shared<March>(release, options_of(release, method, rtol));
    march->go();
    curve.points.push_back({fmt::format("rtol {:.0e}", rtol), distance(march->positions(), reference.q),
                            [march](int) { march->go(); }, march->system.evaluations()});
  }
  return curve;
}

Curve mujoco_curve(const Release& release, const Reference& reference) {
  const Arm arm = Arm::assemble(release.data);
  const auto peer = std::make_shared<testing::MujocoPeer>(arm);
  const State start = Drives(release.data, arm).initial_state();
  Curve curve{"MuJoCo RK4", {}};
  for (const double step : {6.4e-2, 3.2e-2, 1.6e-2, 8e-3, 4e-3, 2e-3, 1e-3, 5e-4, 2.5e-4, 1.25e-4}) {
    const int n_steps = int(std::lround(release.duration / step));
    const auto q = std::make_shared<VectorXd>();
    const auto call = [=, duration = release.duration](int) { peer->march_rk4(start, duration, n_steps, *q); };
    call(0);
    const double used = release.duration / n_steps;
    curve.points.push_back({fmt::format("step {:.3g} ms", 1e3 * used), distance(*q, reference.q), call, 4 * n_steps});
  }
  if (!(curve.points.back().error < accuracy / 10))
    throw Disagreement(fmt::format("{}: MuJoCo at its shortest step ends {:.1e} from lithe, limit {:.0e}",
                                   release.title, curve.points.back().error, accuracy / 10));
  return curve;
}

/// Points too coarse to be a solution, or closer than the reference is certain, stay out.
void drop_meaningless(Curve& curve, const Reference& reference) {
  std::erase_if(curve.points,
                [&](const Point& point) { return !(point.error < 1e-1 && point.error > 10 * reference.doubt); });
}

/// Time where a curve crosses the accuracy for good, between its points in logarithms; nothing if it never does.
std::optional<double> time_at_accuracy(const Curve& curve) {
  for (size_t k = curve.points.size(); k-- > 1;) {
    const Point &loose = curve.points[k - 1], &tight = curve.points[k];
    if (!(loose.error >= accuracy && tight.error <= accuracy)) continue;
    const double part = std::log(loose.error / accuracy) / std::log(loose.error / tight.error);
    return std::exp(std::lerp(std::log(loose.ms), std::log(tight.ms), part));
  }
  return {};
}

nlohmann::json work_precision(const Release& release) {
  const Reference exact = reference(release);
  std::vector<Curve> curves{our_curve(release, exact, "cvode", Method::cvode),
                            our_curve(release, exact, "cvode-adams", Method::cvode_adams),
                            our_curve(release, exact, "dopri5", Method::dopri5),
                            our_curve(release, exact, "merson", Method::merson), mujoco_curve(release, exact)};
  std::vector<Contender> contenders;
  for (Curve& curve : curves) {
    drop_meaningless(curve, exact);
    for (const Point& point : curve.points) contenders.push_back({curve.name + point.setting, point.call});
  }
  const std::vector<double> ns = median_ns(contenders);
  auto next = ns.begin();
  for (Curve& curve : curves)
    for (Point& point : curve.points) point.ms = *next++ / 1e6 / release.duration;

  fmt::print("\n{}: two references end {:.1e} apart\n", release.title, exact.doubt);
  fmt::print("{:<14}{:<16}{:>10}{:>14}{:>22}\n", "", "", "error", "evaluations", "ms per simulated s");
  nlohmann::json figures;
  std::optional<double> best, mujoco;
  for (const Curve& curve : curves) {
    for (const Point& point : curve.points) {
      fmt::print("{:<14}{:<16}{:>10.1e}{:>14}{:>22.3f}\n", curve.name, point.setting, point.error, point.evaluations,
                 point.ms);
      figures["points"][curve.name].push_back({{"error", point.error}, {"ms", point.ms}});
    }
    const std::optional<double> at = time_at_accuracy(curve);
    if (at) fmt::print("{:<14}{:<16}{:>10.0e}{:>36.3f}\n", curve.name, "interpolated", accuracy, *at);
    if (&curve == &curves.back()) {
      mujoco = at;
    } else if (at && (!best || *at < *best)) {
      best = at;
      figures["lithe_method"] = curve.name;
    }
  }
  if (!best || !mujoco) throw Disagreement(release.title + ": no curve crosses the accuracy asked for");
  figures["lithe_ms"] = *best;
  figures["mujoco_ms"] = *mujoco;
  figures["ratio_at_1e-6"] = *mujoco / *best;
  fmt::print("at {:.0e} MuJoCo takes {:.2f} times as long as {}\n", accuracy, *mujoco / *best,
             figures["lithe_method"].get<std::string>());
  return figures;
}

// ------------------------------------------------------------------------------------------- shares of a run

/// A whole run as `lithe run` does it, at the default tolerances and 500 rows, beside the integrator alone.
nlohmann::json shares(const Release& release, Method method, const char* method_name) {
  CaseFile file;
  file.data = release.data;
  Simulate how;
  how.duration = release.duration;
  how.method = method;
  file.data.simulate = how;
  const Arm arm = Arm::assemble(file.data);
  const OwnFolder folder("bench");
  RunOptions options;
  options.file = folder.path() + "/results.h5";

  March bare(release, how), stopping(release, how);
  bare.go();
  const long evaluations = bare.system.evaluations();

  // The evaluation is timed at states of this motion.
  std::vector<VectorXd> states;
  bare.integrator->restart(0, bare.start, how.duration);
  for (int k = 1; k <= n_variants; ++k) {
    bare.integrator->advance(how.duration * k / n_variants, bare.y);
    states.push_back(bare.y);
  }
  VectorXd ydot(bare.system.size());
  const std::vector<double> ns =
      median_ns({{"run", [&](int) { run(file, arm, options); }},
                 {"stopping", [&](int) { stopping.go_as_a_run(); }},
                 {"bare", [&](int) { bare.go(); }},
                 {"rates", [&](int k) { bare.system.rates(0, states[size_t(k)].data(), ydot.data()); }}});
  const double total = ns[0], evaluation = ns[3] * double(evaluations) / total, own = (total - ns[2]) / total;
  const double stops = (ns[1] - ns[2]) / total;
  fmt::print("{:<14}{:>6.0f}{:>10.2f}{:>11}{:>10.0f}{:>13.1f}{:>11.1f}{:>7.1f}{:>16.1f}{:>18.1f}\n", method_name,
             how.duration, total / 1e6, evaluations, ns[3], 100 * evaluation, 100 * (1 - evaluation - own), 100 * own,
             100 * stops, 100 * (own - stops));
  return {{"evaluation", evaluation}, {"sundials", 1 - evaluation - own}, {"own", own},
          {"own_stops", stops},       {"own_rows", own - stops},          {"run_ms", total / 1e6},
          {"rates_ns", ns[3]},        {"evaluations", evaluations}};
}

/// An arm whose links bend, as its example runs it.
Release slew() {
  const fs::path source(LITHE_SOURCE_DIR);
  Release release{"slew", "example 17", read_case((source / "examples/17_two_link_slew/case.yaml").string()).data, 0};
  release.duration = release.data.simulate->duration;
  return release;
}

nlohmann::json run_shares(Release release) {
  fmt::print(
      "\nshares of a run of the PUMA, and at last of the two bending links of example 17, with 500 rows and 20 "
      "checkpoints, default tolerances, processor time:\n"
      "evaluation = evaluations of the integrator alone, going through without a stop, times one evaluation's time;\n"
      "SUNDIALS = the rest of that; own = the whole run less that, of which stops = going as the run does, with a "
      "stop\n"
      "at each row and a new start at each checkpoint, and rows = what is left: rows, audit, file\n\n");
  fmt::print("{:<14}{:>6}{:>10}{:>11}{:>10}{:>13}{:>11}{:>7}{:>16}{:>18}\n", "", "s", "run [ms]", "evaluat.", "[ns]",
             "evaluation %", "SUNDIALS %", "own %", "of it: stops %", "of it: rows %");
  const nlohmann::json figures = shares(release, Method::cvode, "cvode");
  shares(release, Method::cvode_adams, "cvode-adams");
  shares(release, Method::dopri5, "dopri5");
  release.duration = 60;
  nlohmann::json all = figures;
  all["minute"] = shares(release, Method::cvode, "cvode");
  all["bending"] = shares(slew(), Method::cvode, "cvode, bends");
  return all;
}

nlohmann::json run_all() {
  const Release arms[] = {puma(), chain()};
  nlohmann::json figures;
  for (const Release& release : arms) figures[release.name] = work_precision(release);
  figures["shares"] = run_shares(arms[0]);
  return figures;
}

const Registration registration({"time-integration",
                                 "What does a simulated second cost at equal accuracy, beside MuJoCo's RK4, and what "
                                 "is spent besides the dynamics?",
                                 run_all});

}  // namespace
}  // namespace lithe::bench
