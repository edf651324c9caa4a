// What does deriving take, and what is saved by deriving only the coupling of two arms that are known? Closed forms of the whole
// beside those of the coupling terms alone.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/registry.h"
#include "lithe/derive/equations.h"
#include "lithe/derive/evaluate.h"
#include "lithe/describe/case_reader.h"
#include "support/mounted.h"
#include "support/random_arm.h"

namespace lithe::bench {
namespace {

using derive::DeriveOptions, derive::Equations, derive::Evaluator;

struct Pair {
  const char *name, *key;
  Arm arm;
};

Case example(const std::string& file) { return read_case(LITHE_SOURCE_DIR "/examples/" + file).data; }

std::vector<Pair> pairs() {
  const Case puma = example("05_puma560/case.yaml"), elbow = example("03_planar_elbow/case.yaml");
  std::vector<Pair> list;
  list.push_back({"vehicle, 3-joint manipulator", "mobile", Arm::assemble(example("30_mobile_manipulator/case.yaml"))});
  list.push_back({"RALF, SAM", "ralf_sam", Arm::assemble(example("31_ralf_sam/case.yaml"))});
  list.push_back({"planar elbow on planar elbow", "elbow_elbow", Arm::assemble(testing::mounted(elbow, elbow, "s_"))});
  list.push_back({"planar elbow on PUMA 560", "puma_elbow", Arm::assemble(testing::mounted(puma, elbow, "s_"))});
  return list;
}

/// The rows of M that coupling alone has, from both.
double difference(const Equations& whole, const Equations& coupling, const Arm& arm) {
  const State state = testing::random_state(arm, 3);
  Evaluator first(whole), second(coupling);
  first.update(state.q, state.v);
  second.update(state.q, state.v);
  const MatrixXd M = first(whole.M), load = first(whole.split->load), other = second(coupling.split->load),
                 M_coupling = second(coupling.M);
  double worst = (load - other).cwiseAbs().maxCoeff();
  for (const int k : whole.split->carrier)
    for (const int j : whole.split->carried) worst = std::max(worst, std::abs(M(k, j) - M_coupling(k, j)));
  return worst / M.cwiseAbs().maxCoeff();
}

double best_seconds(const Arm& arm, const DeriveOptions& options, Equations& result) {
  double best = 1e9;
  for (int k = 0; k < 5; ++k) {
    result = derive::derive_equations(arm, options);
    best = std::min(best, result.seconds);
    if (best > 2) break;
  }
  return best;
}

nlohmann::json run() {
  nlohmann::json figures;
  fmt::print("{:<34}{:>4}{:>14}{:>16}{:>8}\n", "closed forms of M, C and G", "nv", "whole [ms]", "coupling [ms]",
             "ratio");
  for (Pair& pair : pairs()) {
    Equations whole{derive::Names(false)}, coupling{derive::Names(false)};
    const double direct = best_seconds(pair.arm, {}, whole);
    const double coupled = best_seconds(pair.arm, {.coupling_only = true}, coupling);
    const double off = difference(whole, coupling, pair.arm);
    if (!(off <= 1e-12)) throw Disagreement(fmt::format("{}: differs by {:.1e}", pair.name, off));
    fmt::print("{:<34}{:>4}{:>14.1f}{:>16.1f}{:>8.2f}\n", pair.name, pair.arm.nv(), 1e3 * direct, 1e3 * coupled,
               coupled / direct);
    figures[pair.key] = {{"seconds_whole", direct}, {"seconds_coupling", coupled}, {"ratio", coupled / direct}};
  }
  fmt::print("Lew and Book took 0.625 of the time on both of theirs.\n");
  return figures;
}

const Registration registration({"derive", "What is saved by deriving only the coupling of two known arms?", run});

}  // namespace
}  // namespace lithe::bench
