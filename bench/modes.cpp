// What do the natural modes of an arm with thousands of element coordinates cost, beside Eigen's dense solver, and does assembly
// grow linearly with the elements?
#include <fmt/format.h>

#include <chrono>
#include <cmath>

#include "bench/registry.h"
#include "bench/timing.h"
#include "lithe/analyse/eigenmodes.h"
#include "lithe/arm/small_motion.h"
#include "lithe/describe/case_reader.h"

namespace lithe::bench {
namespace {

constexpr int n_links = 8, n_modes = 12;

/// Eight tubes on joints with crossed axes, elements of six coordinates per node.
Arm arm_of(int elements) {
  std::string text = "arm:\n  gravity: [0, 0, 0]\n  links:\n";
  for (int i = 0; i < n_links; ++i)
    text += fmt::format(
        "    - {{name: l{0}, joint: {{name: j{0}, type: revolute, axis: [0, {1}, {2}]}}, beam: {{length: 1, material: "
        "aluminium, section: {{tube: {{outer_diameter: 60 mm, inner_diameter: 54 mm}}}}, flexibility: {{elements: "
        "{3}}}}}}}\n",
        i, i % 2, 1 - i % 2, elements);
  return Arm::assemble(read_case_text(text).data);
}

struct Problem {
  SparseMatrixd K, M;
};

/// Locked joints, bent as a generic pose.
Problem problem_of(const Arm& arm) {
  State state = State::zero(arm);
  for (const Link& link : arm.links()) state.q[link.q0] = 0.4;
  Triplets stiffness;
  add_elastic_stiffness(arm, state, stiffness);
  const SparseMatrixd M = sparse_mass_matrix(arm, state), K = assembled(arm.nv(), stiffness);
  std::vector<int> place(arm.nv(), 0);
  for (const TorqueInput& input : arm.torque_inputs()) place[input.v] = -1;
  int n = 0;
  for (int& p : place)
    if (p == 0) p = n++;
  auto moving = [&](const SparseMatrixd& whole) {
    Triplets entries;
    for (int k = 0; k < whole.outerSize(); ++k)
      for (SparseMatrixd::InnerIterator entry(whole, k); entry; ++entry)
        if (place[k] >= 0 && place[entry.row()] >= 0) entries.emplace_back(place[entry.row()], place[k], entry.value());
    return assembled(n, entries);
  };
  return {moving(K), moving(M)};
}

template <class Work>
double seconds(Work work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

nlohmann::json run() {
  fmt::print("{} links, {} lowest modes, joints locked\n", n_links, n_modes);
  fmt::print("{:>12} {:>14} {:>14} {:>14} {:>10} {:>12}\n", "coordinates", "FlexBasis [s]", "K, M [s]", "modes [s]",
             "dense [s]", "f1 [Hz]");
  nlohmann::json rows = nlohmann::json::array();
  std::vector<double> sizes, basis_times, assembly_times, mode_times;
  double dense_ratio = 0, extrapolated = 0;
  for (const int elements : {13, 26, 52, 104, 209}) {
    double basis_time = 0, assembly_time = 0, mode_time = 0, dense_time = NAN;
    std::optional<Arm> arm;
    Problem problem;
    Eigenmodes modes;
    basis_time = seconds([&] { arm.emplace(arm_of(elements)); });
    assembly_time = seconds([&] { problem = problem_of(*arm); });
    mode_time = seconds([&] { modes = lanczos_modes(problem.K, problem.M, n_modes, 0); });
    const int n = int(problem.K.rows());
    if (n < 1500) {
      Eigenmodes dense;
      dense_time = seconds([&] { dense = dense_modes(problem.K, problem.M, n_modes, 0); });
      // Compared before anything is said about time.
      for (int k = 0; k < n_modes; ++k)
        if (!(std::abs(dense.lambda[k] - modes.lambda[k]) <= 1e-6 * dense.lambda[k]))
          throw Disagreement(fmt::format("mode {}: {} and {}", k + 1, modes.lambda[k], dense.lambda[k]));
      dense_ratio = dense_time / mode_time;
      extrapolated = dense_time / std::pow(n, 3);
    }
    sizes.push_back(n);
    basis_times.push_back(basis_time);
    assembly_times.push_back(assembly_time);
    mode_times.push_back(mode_time);
    const double f1 = std::sqrt(modes.lambda[0]) / (2 * M_PI);
    fmt::print("{:>12} {:>14.4f} {:>14.4f} {:>14.4f} {:>10.3f} {:>12.8f}\n", n, basis_time, assembly_time, mode_time,
               dense_time, f1);
    rows.push_back({{"coordinates", n},
                    {"basis_s", basis_time},
                    {"assembly_s", assembly_time},
                    {"modes_s", mode_time},
                    {"first_hz", f1}});
    if (!std::isnan(dense_time)) rows.back()["dense_s"] = dense_time;
  }
  const double at_largest = extrapolated * std::pow(sizes.back(), 3) / mode_times.back();
  fmt::print("grows as size^p: FlexBasis p = {:.2f}, K and M p = {:.2f}, modes p = {:.2f}\n",
             growth_order(sizes, basis_times), growth_order(sizes, assembly_times), growth_order(sizes, mode_times));
  fmt::print(
      "dense/sparse: {:.1f} at the largest size compared, some {:.0f} at {:.0f} coordinates (extrapolated, n³)\n",
      dense_ratio, at_largest, sizes.back());
  return {{"rows", rows},
          {"order_basis", growth_order(sizes, basis_times)},
          {"order_assembly", growth_order(sizes, assembly_times)},
          {"order_modes", growth_order(sizes, mode_times)},
          {"dense_over_sparse", dense_ratio},
          {"dense_over_sparse_extrapolated", at_largest}};
}

const Registration registration{
    {"modes", "natural modes of arms with up to 10 000 element coordinates beside a dense solver", run}};

}  // namespace
}  // namespace lithe::bench
