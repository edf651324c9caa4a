// What does it cost to let links bend? Forward dynamics of book83's arm (six joints, two bending links with three shapes each,
// 12 coordinates) beside rigid chains of 12 joints, ours and MuJoCo's, and beside our other formulations; then how the cost grows.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "bench/registry.h"
#include "bench/timing.h"
#include "lithe/dynamics/articulated/articulated.h"
#include "lithe/dynamics/articulated/batch_forward.h"
#include "lithe/dynamics/work_count.h"
#include "peers/mujoco_peer.h"
#include "support/random_arm.h"

namespace lithe::bench {
namespace {

/// An arm, states to ask about, and room for an answer.
struct Subject {
  explicit Subject(const Case& data) : arm(Arm::assemble(data)), answer(arm.nv()) {
    for (int k = 0; k < n_variants; ++k) {
      states.push_back(testing::random_state(arm, std::uint32_t(k)));
      torques.push_back(testing::random_vector(arm.nv(), std::uint32_t(k), 5));
    }
  }
  Contender forward_by(const std::string& name) {
    formulations.push_back(make_formulation(name, arm));
    Formulation* dynamics = formulations.back().get();
    return {name, [this, dynamics](int k) { dynamics->forward(states[k], torques[k], answer); }};
  }
  /// Worst difference from `articulated`, as torques, relative to the largest; throws beyond a limit.
  double agreement(const Contender& contender) {
    Articulated ours(arm);
    MatrixXd M(arm.nv(), arm.nv());
    VectorXd h(arm.nv()), expected(arm.nv());
    double worst = 0;
    for (int k = 0; k < n_variants; ++k) {
      answer.setConstant(std::nan(""));
      contender.call(k);
      ours.forward(states[k], torques[k], expected);
      ours.mass_matrix(states[k], M);
      ours.bias(states[k], Terms::all, h);
      const double scale = std::max(h.cwiseAbs().maxCoeff(), torques[k].cwiseAbs().maxCoeff());
      const double difference = (M * (answer - expected)).cwiseAbs().maxCoeff() / scale;
      worst = difference <= worst ? worst : difference;  // a NaN stays
    }
    constexpr double limit = 1e-9;
    if (!(worst <= limit))
      throw Disagreement(
          fmt::format("{} differs from articulated by {:.1e} of the largest torque", contender.name, worst));
    return worst;
  }
  long multiplications() const {
    return count_forward("articulated", arm, states[0], torques[0])->work.multiplications;
  }

  Arm arm;
  std::vector<State> states;
  std::vector<VectorXd> torques;
  VectorXd answer;
  std::vector<std::unique_ptr<Formulation>> formulations;
};

/// n joints about generic axes, every link bending.
Case bending_chain(int n, const Flexibility& flexibility) {
  Case data = testing::chain_case(n, 7);
  const Beam beam = *testing::two_bending_links_case().arm.links[1].beam;
  for (LinkSpec& link : data.arm.links) {
    link.rigid.reset();
    link.beam = beam;
    link.beam->flexibility = flexibility;
    link.joint.origin->xyz.setZero();
  }
  data.arm.rotary_inertia = true;
  return data;
}

double forward_ns(Subject& subject) { return median_ns({subject.forward_by("articulated")})[0]; }

nlohmann::json the_price() {
  Subject bending(testing::two_bending_links_case()), rigid(testing::chain_case(12, 1));
  Subject without_rotary(testing::two_bending_links_case(false));  // what recursive-lagrangian covers
  testing::MujocoPeer mujoco(rigid.arm);
  const std::vector<Contender> contenders{
      bending.forward_by("articulated"),
      rigid.forward_by("articulated"),
      {"MuJoCo", [&](int k) { mujoco.forward_fast(rigid.states[k], rigid.torques[k], rigid.answer); }},
      bending.forward_by("kane"),
      without_rotary.forward_by("recursive-lagrangian"),
      bending.forward_by("lagrange")};
  double worst = std::max(rigid.agreement(contenders[2]), without_rotary.agreement(contenders[4]));
  for (const int i : {3, 5}) worst = std::max(worst, bending.agreement(contenders[i]));
  fmt::print("answers agree to {:.1e} of the largest torque\n\n", worst);

  const std::vector<double> ns = median_ns(contenders);
  const char* rows[] = {"bending arm, articulated",
                        "12 rigid joints, articulated",
                        "12 rigid joints, MuJoCo (Debian's, for any x86-64)",
                        "bending arm, kane",
                        "bending arm, recursive-lagrangian",
                        "bending arm, lagrange"};
  fmt::print("{:<52}{:>10}{:>24}\n", "forward dynamics, 12 coordinates", "ns", "the first as part of it");
  for (int i = 0; i < 6; ++i) fmt::print("{:<52}{:>10.0f}{:>24.2f}\n", rows[i], ns[i], ns[0] / ns[i]);
  const long multiplications = bending.multiplications();
  fmt::print("multiplications: {} (12 rigid joints {}; Book 1983 12 009)\n", multiplications, rigid.multiplications());
  return {{"multiplications", multiplications},
          {"multiplications_rigid_chain", rigid.multiplications()},
          {"agreement", worst},
          {"ns", ns[0]},
          {"time_ratio_to_rigid_chain", ns[0] / ns[1]},
          {"time_ratio_to_mujoco_rigid_chain", ns[0] / ns[2]},
          {"time_ratio_to_kane", ns[0] / ns[3]},
          {"time_ratio_to_recursive_lagrangian", ns[0] / ns[4]},
          {"time_ratio_to_lagrange", ns[0] / ns[5]}};
}

/// 256 states at once, on one core, beside one after the other.
nlohmann::json batches() {
  nlohmann::json figures;
  fmt::print("\n{:<36}{:>14}{:>14}{:>10}\n", "256 states, one core", "one by one ns", "at once ns", "quicker");
  for (const bool bends : {true, false}) {
    const Arm arm = Arm::assemble(bends ? testing::two_bending_links_case() : testing::chain_case(12, 1));
    constexpr int n = 256;
    MatrixXd q(arm.nq(), n), v(arm.nv(), n), tau(arm.nv(), n), vdot(arm.nv(), n), expected(arm.nv(), n);
    std::vector<State> states;
    for (int i = 0; i < n; ++i) {
      states.push_back(testing::random_state(arm, std::uint32_t(i)));
      q.col(i) = states.back().q;
      v.col(i) = states.back().v;
      tau.col(i) = testing::random_vector(arm.nv(), std::uint32_t(i), 5);
    }
    Articulated single(arm);
    BatchForward batch(arm);
    const std::vector<Contender> contenders{{"one by one",
                                             [&](int) {
                                               for (int i = 0; i < n; ++i)
                                                 single.forward(states[i], tau.col(i), expected.col(i));
                                             }},
                                            {"at once", [&](int) { batch.forward(q, v, tau, vdot); }}};
    for (const Contender& contender : contenders) contender.call(0);
    const double worst = (vdot - expected).cwiseAbs().maxCoeff() / expected.cwiseAbs().maxCoeff();
    if (!(worst <= 1e-9)) throw Disagreement(fmt::format("a batch differs by {:.1e}", worst));
    const std::vector<double> ns = median_ns(contenders);
    const char* name = bends ? "bending arm" : "12 rigid joints";
    fmt::print("{:<36}{:>14.0f}{:>14.0f}{:>10.2f}\n", name, ns[0] / n, ns[1] / n, ns[0] / ns[1]);
    figures[bends ? "bending" : "rigid"] = {{"one_ns", ns[0] / n}, {"batch_ns", ns[1] / n}, {"quicker", ns[0] / ns[1]}};
  }
  return figures;
}

nlohmann::json growth() {
  nlohmann::json figures;
  fmt::print("\n{:<36}{:>14}{:>26}\n", "links that bend (y z t)", "ns per link", "multiplications, last link");
  double first = 0, last = 0;
  for (const int n : {16, 32, 64, 128, 256}) {
    Subject chain(bending_chain(n, Modes{1, 1, 1, 0})), longer(bending_chain(n + 1, Modes{1, 1, 1, 0}));
    const double per_link = forward_ns(chain) / n;
    const long count = longer.multiplications() - chain.multiplications();
    fmt::print("{:<36}{:>14.0f}{:>26}\n", n, per_link, count);
    figures["links"][std::to_string(n)] = {{"ns_per_link", per_link}, {"multiplications_of_last_link", count}};
    if (first == 0) first = per_link;
    last = per_link;
  }
  figures["time_per_link_256_to_16"] = last / first;
  fmt::print("time per link, 256 to 16: {:.2f}\n", last / first);

  fmt::print("\n{:<36}{:>14}{:>26}\n", "shapes per link, 16 links", "ns per link", "multiplications per link");
  const Modes modes[] = {{1, 0, 0, 0}, {1, 1, 0, 0}, {1, 1, 1, 0}, {2, 2, 0, 0}, {2, 2, 1, 0}, {2, 2, 2, 0}};
  for (const Modes& m : modes) {
    Subject chain(bending_chain(16, m));
    const int n = m.bending_y + m.bending_z + m.torsion;
    const double per_link = forward_ns(chain) / 16, count = double(chain.multiplications()) / 16;
    fmt::print("{:<36}{:>14.0f}{:>26.0f}\n", n, per_link, count);
    figures["shapes"][std::to_string(n)] = {{"ns_per_link", per_link}, {"multiplications_per_link", count}};
  }

  fmt::print("\n{:<36}{:>14}\n", "elements per link, 2 links", "µs");
  std::vector<double> sizes, times;
  for (const int n : {10, 30, 100, 300, 1000}) {
    Subject chain(bending_chain(2, Elements{.count = n}));
    times.push_back(forward_ns(chain));
    sizes.push_back(n);
    fmt::print("{:<36}{:>14.1f}\n", n, times.back() / 1000);
    figures["elements"][std::to_string(n)] = times.back();
  }
  figures["order_elements"] = growth_order(sizes, times);
  fmt::print("grows as elements^{:.2f}\n", growth_order(sizes, times));
  return figures;
}

/// Links of 16 in a chain: exact, and of shapes with `stiffening`, beside the same counts of shapes.
nlohmann::json exact_and_stiffened() {
  struct Row {
    const char* name;
    Modes modes;
    StrainTerms strains;
  };
  const Row rows[] = {
      {"y y", {.bending_y = 2}, {.bending_y = 2}},
      {"y y y", {.bending_y = 3}, {.bending_y = 3}},
      {"y y z z t", {.bending_y = 2, .bending_z = 2, .torsion = 1}, {.bending_y = 2, .bending_z = 2, .torsion = 1}}};
  nlohmann::json figures;
  fmt::print("\n{:<36}{:>12}{:>12}{:>8}{:>16}{:>12}{:>8}\n", "links of a chain of 16, ns per link", "modes", "strains",
             "ratio", "multiplications", "stiffening", "ratio");
  for (const Row& row : rows) {
    Modes stiffened_modes = row.modes;
    stiffened_modes.stiffening = true;
    Subject shapes(bending_chain(16, row.modes)), exact(bending_chain(16, row.strains)),
        longer(bending_chain(17, row.strains)), stiffened(bending_chain(16, stiffened_modes));
    // A second order describes deflections that are not too large.
    for (State& state : stiffened.states)
      for (const Link& link : stiffened.arm.links()) state.q.segment(link.flex_q0(), link.n_flex()) *= 0.05;
    const std::vector<double> ns = median_ns(
        {shapes.forward_by("articulated"), exact.forward_by("articulated"), stiffened.forward_by("articulated")});
    const long count = longer.multiplications() - exact.multiplications();
    fmt::print("{:<36}{:>12.0f}{:>12.0f}{:>8.2f}{:>16}{:>12.0f}{:>8.2f}\n", row.name, ns[0] / 16, ns[1] / 16,
               ns[1] / ns[0], count, ns[2] / 16, ns[2] / ns[0]);
    figures[row.name] = {{"strains_to_modes", ns[1] / ns[0]},
                         {"stiffening_to_modes", ns[2] / ns[0]},
                         {"multiplications_of_last_link", count},
                         {"strains_ns_per_link", ns[1] / 16}};
  }
  const StrainTerms spatial = rows[2].strains;
  Subject few(bending_chain(16, spatial)), many(bending_chain(256, spatial));
  const double growth = forward_ns(many) / 256 / (forward_ns(few) / 16);
  fmt::print("time per exact link, 256 to 16: {:.2f}\n", growth);
  figures["time_per_link_256_to_16"] = growth;
  return figures;
}

nlohmann::json run() {
  nlohmann::json figures = the_price();
  figures["exact"] = exact_and_stiffened();
  figures["batch"] = batches();
  figures["growth"] = growth();
  return figures;
}

const Registration registration({"price-of-flexibility",
                                 "What does it cost to let links bend, beside rigid chains and beside other methods?",
                                 run});

}  // namespace
}  // namespace lithe::bench
