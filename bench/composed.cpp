// What is saved by composing an arm of two known ones instead of deriving the whole? Forward dynamics by `composed`, its parts by
// `lagrange`, beside `lagrange` for the whole: the same mathematics, once from coupling blocks, once at once.
#include "lithe/dynamics/composed/composed.h"

#include <fmt/format.h>

#include <cmath>

#include "bench/registry.h"
#include "bench/timing.h"
#include "lithe/describe/case_reader.h"
#include "lithe/dynamics/lagrange/lagrange.h"
#include "lithe/dynamics/work_count.h"
#include "support/mounted.h"
#include "support/random_arm.h"

namespace lithe::bench {
namespace {

struct Pair {
  const char *name, *key;
  Arm arm;
};

Case example(const std::string& file) { return read_case(LITHE_SOURCE_DIR "/examples/" + file).data; }

/// Two links that bend by three shapes each, on generic joints.
Case bending_pair() {
  Case data = testing::two_bending_links_case();
  data.arm.links.erase(data.arm.links.begin() + 3, data.arm.links.end());
  data.arm.links.erase(data.arm.links.begin());
  return data;
}

std::vector<Pair> pairs() {
  const Case six = testing::chain_case(6, 5), bending = bending_pair();
  const Case twelve = testing::mounted(six, six, "s_");
  std::vector<Pair> list;
  list.push_back({"vehicle, 3-joint manipulator", "mobile", Arm::assemble(example("30_mobile_manipulator/case.yaml"))});
  list.push_back({"RALF, SAM", "ralf_sam", Arm::assemble(example("31_ralf_sam/case.yaml"))});
  list.push_back(
      {"two bending links, six stiff joints", "bending_six", Arm::assemble(testing::mounted(bending, six, "s_"))});
  list.push_back(
      {"six stiff joints, two bending links", "six_bending", Arm::assemble(testing::mounted(six, bending, "s_"))});
  list.push_back({"six joints on six", "six_six", Arm::assemble(twelve)});
  list.push_back({"six joints on six on six", "six_six_six", Arm::assemble(testing::mounted(twelve, six, "t_"))});
  return list;
}

nlohmann::json run() {
  nlohmann::json figures;
  fmt::print("{:<38}{:>4}{:>12}{:>12}{:>8}{:>12}{:>12}{:>8}\n", "forward dynamics", "nv", "whole mul", "composed",
             "ratio", "whole ns", "composed", "ratio");
  for (Pair& pair : pairs()) {
    const int nv = pair.arm.nv();
    Composed composed(pair.arm);
    Lagrange whole(pair.arm);
    std::vector<State> states;
    std::vector<VectorXd> torques;
    for (int k = 0; k < n_variants; ++k) {
      states.push_back(testing::random_state(pair.arm, std::uint32_t(k)));
      torques.push_back(testing::random_vector(nv, std::uint32_t(k), 5));
    }
    VectorXd first(nv), second(nv), h(nv);
    MatrixXd M(nv, nv);
    for (int k = 0; k < n_variants; ++k) {
      whole.forward(states[k], torques[k], first);
      composed.forward(states[k], torques[k], second);
      whole.mass_matrix(states[k], M);
      whole.bias(states[k], Terms::all, h);
      const double difference = (M * (first - second)).cwiseAbs().maxCoeff() / (1 + h.cwiseAbs().maxCoeff());
      if (!(difference <= 1e-9)) throw Disagreement(fmt::format("{}: differs by {:.1e}", pair.name, difference));
    }
    const std::vector<double> ns =
        median_ns({{"whole", [&](int k) { whole.forward(states[k], torques[k], first); }},
                   {"composed", [&](int k) { composed.forward(states[k], torques[k], second); }}});
    const WorkCount at_once = count_forward("lagrange", pair.arm, states[0], torques[0])->work;
    const WorkCount by_parts = count_forward("composed", pair.arm, states[0], torques[0])->work;
    const double work = double(by_parts.multiplications) / double(at_once.multiplications), time = ns[1] / ns[0];
    fmt::print("{:<38}{:>4}{:>12}{:>12}{:>8.2f}{:>12.0f}{:>12.0f}{:>8.2f}\n", pair.name, nv, at_once.multiplications,
               by_parts.multiplications, work, ns[0], ns[1], time);
    figures[pair.key] = {{"multiplications_whole", at_once.multiplications},
                         {"multiplications_composed", by_parts.multiplications},
                         {"additions_whole", at_once.additions},
                         {"additions_composed", by_parts.additions},
                         {"work_ratio", work},
                         {"ns_whole", ns[0]},
                         {"ns_composed", ns[1]},
                         {"time_ratio", time}};
  }
  fmt::print("Lew and Book expect at most 0.67 of the work.\n");
  return figures;
}

const Registration registration({"composed", "What is saved by composing an arm of two known ones?", run});

}  // namespace
}  // namespace lithe::bench
