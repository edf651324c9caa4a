// What does a step of the unsteady vortex lattice cost against panels and rows of wake, beside a plain loop over rings
// and beside the least that the processor's divider allows?
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "bench/registry.h"
#include "bench/timing.h"
#include "lithe/aero/vortex_lattice.h"

namespace lithe::bench {
namespace {

using namespace lithe::aero;

struct Size {
  int n_chord, n_span, wake_rows;
};

Points plate(const Size& size) {
  Points corners(3, (size.n_chord + 1) * (size.n_span + 1));
  int k = 0;
  for (int i = 0; i <= size.n_chord; ++i)
    for (int j = 0; j <= size.n_span; ++j)
      corners.col(k++) << double(i) / size.n_chord, 8.0 * j / size.n_span, -0.05 * i / size.n_chord;
  return corners;
}

/// Textbook Biot–Savart, ring by ring, four segments each: nothing shared, nothing vectorised by hand.
Vector3d plain_velocity(const RingSheet& sheet, const Vector3d& at) {
  Vector3d sum = Vector3d::Zero();
  for (int i = 0; i < sheet.rows; ++i)
    for (int j = 0; j < sheet.columns(); ++j) {
      const int nodes[] = {sheet.node(i, j), sheet.node(i, j + 1), sheet.node(i + 1, j + 1), sheet.node(i + 1, j)};
      for (int side = 0; side < 4; ++side) {
        const Vector3d r1 = at - sheet.nodes[nodes[side]], r2 = at - sheet.nodes[nodes[(side + 1) % 4]];
        const Vector3d cross = r1.cross(r2);
        const double square = cross.squaredNorm();
        if (square < 1e-20) continue;
        const double along = (r1 - r2).dot(r1 / r1.norm() - r2 / r2.norm());
        sum += sheet.circulation[sheet.ring(i, j)] / (4 * std::numbers::pi) * along / square * cross;
      }
    }
  return sum;
}

/// A march at full wake: the wing heaves as a rigid body, so that its factor is kept, or bends, so that it is not.
class March {
 public:
  March(const Size& size, WakeKind kind, double bending)
      : flow_(Lattice({{size.n_chord, size.n_span}}), plate(size), {.velocity = {1, 0, 0}, .density = 1.2},
              {.wake = kind, .wake_rows = size.wake_rows, .core = 0.02}),
        dt_(1.0 / size.n_chord) {
    const Points flat = plate(size);
    for (int k = 0; k < n_variants; ++k) {
      const double phase = 2 * std::numbers::pi * k / n_variants;
      corners_.push_back(flat);
      velocities_.push_back(Points::Zero(3, flat.cols()));
      corners_.back().row(2).array() += 0.01 * std::sin(phase) * (1 + bending * flat.row(1).array().square());
      velocities_.back().row(2).array() += 0.01 * std::cos(phase) * (1 + bending * flat.row(1).array().square());
    }
    for (int k = 0; k < size.wake_rows; ++k) step();
  }
  /// Goes on from variant to variant by itself: a repetition may be a single call.
  void step() {
    const int k = next_++ % n_variants;
    flow_.begin_step(dt_);
    flow_.solve(corners_[k], velocities_[k]);
    flow_.accept();
  }
  const VortexLattice& flow() const { return flow_; }

 private:
  VortexLattice flow_;
  double dt_;
  std::vector<Points> corners_, velocities_;
  int next_ = 0;
};

struct Sums {
  double plain_over_ours, ours_over_divider, ns_per_pair;
};

/// Velocity at as many points as a step asks for, by the whole wake of the size aimed at.
Sums compare_sums(const RingSheet& wake) {
  const int n = 1552;
  VectorArray targets(n), velocity(n);
  for (int k = 0; k < n; ++k) targets.set(k, {0.001 * k - 0.7, 8.0 * k / n, 0.05 * std::sin(k)});
  RingSheet sheet = wake;
  sheet.prepare(0);
  sheet.add_velocity(targets, 0, {}, velocity);
  for (int k = 0; k < n; k += 97) {
    const Vector3d plain = plain_velocity(sheet, targets[k]);
    if (!((velocity[k] - plain).norm() <= 1e-9 * (1e-3 + plain.norm())))
      throw Disagreement(fmt::format("velocity at point {}: {:g} off", k, (velocity[k] - plain).norm()));
  }
  // Per node and target one root, per segment one division: two per ring but for the sheet's edges.
  Eigen::ArrayXd a = Eigen::ArrayXd::LinSpaced(1024, 1, 2), b = a + 1, c(1024);
  const double pairs = double(n) * sheet.n_rings();
  const auto times = median_ns({
      {"ours", [&](int) { sheet.add_velocity(targets, 0, {}, velocity); }},
      {"plain", [&](int k) { velocity.set(k, plain_velocity(sheet, targets[k])); }},
      {"divider",
       [&](int) {
         c = a.sqrt();
         c += a / b;
         c += b / a;
       }},
  });
  const double divider = times[2] / 1024 * pairs;
  return {times[1] * n / times[0], times[0] / divider, times[0] / pairs};
}

nlohmann::json run() {
  const Size aimed{10, 50, 40};
  const March march(aimed, WakeKind::prescribed, 0);
  const Sums sums = compare_sums(march.flow().wake()[0]);
  fmt::print(
      "velocity by {} rings at 1552 points: {:.2f} ns a ring and point; plain loop / ours {:.1f}; ours / its roots and "
      "divisions alone {:.2f}\n\n",
      aimed.n_span * aimed.wake_rows, sums.ns_per_pair, sums.plain_over_ours, sums.ours_over_divider);

  fmt::print("{:>7} {:>6} {:>7} {:>16} {:>10} {:>16} {:>10}\n", "panels", "rows", "wake", "prescribed [ms]",
             "free [ms]", "new factor [ms]", "steps/s");
  nlohmann::json rows = nlohmann::json::array();
  double prescribed_rate = 0, free_rate = 0;
  std::vector<double> panels, times_at_equal_wake, wakes, times_by_wake;
  for (const Size& size : {Size{5, 25, 40}, Size{7, 36, 40}, Size{10, 50, 10}, Size{10, 50, 20}, aimed,
                           Size{10, 50, 80}, Size{14, 71, 40}}) {
    March prescribed(size, WakeKind::prescribed, 0), free(size, WakeKind::free, 0),
        bending(size, WakeKind::prescribed, 0.01);
    const auto times = median_ns({{"prescribed", [&](int) { prescribed.step(); }},
                                  {"free", [&](int) { free.step(); }},
                                  {"new factor", [&](int) { bending.step(); }}});
    if (prescribed.flow().factorisations() != 1 || bending.flow().factorisations() < 3)
      throw Disagreement("the factor was not kept, or kept where it must not be");
    const int n = size.n_chord * size.n_span, wake = size.n_span * size.wake_rows;
    fmt::print("{:>7} {:>6} {:>7} {:>16.2f} {:>10.2f} {:>16.2f} {:>10.0f}\n", n, size.wake_rows, wake, times[0] / 1e6,
               times[1] / 1e6, times[2] / 1e6, 1e9 / times[0]);
    rows.push_back({{"panels", n},
                    {"wake_rows", size.wake_rows},
                    {"prescribed_ms", times[0] / 1e6},
                    {"free_ms", times[1] / 1e6},
                    {"new_factor_ms", times[2] / 1e6}});
    if (size.wake_rows == 40) panels.push_back(n), times_at_equal_wake.push_back(times[0]);
    if (n == 500) wakes.push_back(n + wake), times_by_wake.push_back(times[0]);
    if (n == 500 && size.wake_rows == 40) prescribed_rate = 1e9 / times[0], free_rate = 1e9 / times[1];
  }
  fmt::print("grows as panels^p at 40 rows: p = {:.2f}; with all rings at 500 panels: p = {:.2f}\n",
             growth_order(panels, times_at_equal_wake), growth_order(wakes, times_by_wake));
  fmt::print("aims at 500 panels, 2000 of wake: prescribed {:.0f} steps/s (50 asked), free {:.0f} (20 asked)\n",
             prescribed_rate, free_rate);
  return {{"rows", rows},
          {"plain_over_ours", sums.plain_over_ours},
          {"ours_over_divider", sums.ours_over_divider},
          {"prescribed_steps_per_s", prescribed_rate},
          {"free_steps_per_s", free_rate},
          {"order_panels", growth_order(panels, times_at_equal_wake)},
          {"order_rings", growth_order(wakes, times_by_wake)}};
}

const Registration registration{{"aero", "cost of a step of the vortex lattice against panels and wake", run}};

}  // namespace
}  // namespace lithe::bench
