// Examples 40 to 43 against what their pages derive by hand: a load along a link, play in a gear, solids, a catch in space.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "lithe/dynamics/formulation.h"
#include "support/run_results.h"

namespace lithe::testing {
namespace {

constexpr double pi = double(EIGEN_PI);

Results run_of(const std::string& file, const std::vector<Override>& overrides = {}) {
  return results_of(read_case(example(file), overrides));
}

TEST(ExamplesByHand, SnowBendsABoomAsTheTextbookSays) {
  const std::string file = "40_snow_on_a_boom/case.yaml";
  const double L = 6, a = 3, q = 200, EI = 70e9 * pi / 64 * (std::pow(0.12, 4) - std::pow(0.11, 4)),
               own = 2700 * pi / 4 * (0.12 * 0.12 - 0.11 * 0.11) * 9.81;
  auto sag = [&](const std::string& load) {
    return json_of({"static", example(file), "--set", "arm.gravity=[0, 0, 0]", "--set", "loads[0].distributed=" + load,
                    "--json"})["sag"][2]
        .get<double>();
  };
  // Exact but for rounding and for how the program prints.
  EXPECT_NEAR(sag("{force: [0, 0, -200 N/m]}"), -q * std::pow(L, 4) / (8 * EI), 1e-9);
  EXPECT_NEAR(sag("{force: [0, 0, -200 N/m], from: 3 m}"),
              -q / (24 * EI) * (3 * std::pow(L, 4) - 4 * a * a * a * L + std::pow(a, 4)), 1e-9);
  EXPECT_NEAR(sag("{force: [0, 0, -200 N/m], shape: [{at: 0, factor: 1}, {at: 6 m, factor: 0}]}"),
              -q * std::pow(L, 4) / (30 * EI), 1e-9);

  // At rest under snow and weight: forces in sections. Shear pushes down, and the moment is about +y.
  const Results results = run_of(file, {{"simulate.for", "0.6 s"}});
  for (const auto& [station, x] : {std::pair("0", 0.0), {"0.25", 0.25 * L}, {"0.5", 0.5 * L}, {"0.75", 0.75 * L}}) {
    const std::string name = "boom@" + std::string(station);
    EXPECT_NEAR(series(results, name + ".Vz")[0], -(q + own) * (L - x), 1e-5) << name;
    EXPECT_NEAR(series(results, name + ".My")[0], (q + own) * (L - x) * (L - x) / 2, 1e-5) << name;
  }
  EXPECT_NEAR(series(results, "tip_error.z")[0], -(q + own) * std::pow(L, 4) / (8 * EI), 1e-8);
  // Until the snow slides off nothing moves; afterwards the tip rises past where the weight alone would hold it.
  EXPECT_NEAR(series(results, "tip_error.z")[250], series(results, "tip_error.z")[0], 1e-7);
  EXPECT_GT(series(results, "tip_error.z").back(), -own * std::pow(L, 4) / (8 * EI));
}

constexpr double J = 2, k = 20e3, d = 5;  // of the turntable and its gear

/// The largest torque of the first blow and its time: the motor accelerates with `a`, the flank comes after half of the gap.
std::pair<double, double> first_blow(double a, double gap) {
  const double start = std::sqrt(gap / a), v = a * start, omega = std::sqrt(k / J), zeta = d / (2 * std::sqrt(k * J)),
               damped = omega * std::sqrt(1 - zeta * zeta), still = a / (omega * omega);
  std::pair<double, double> largest{0, 0};
  for (double t = 0; t < 0.05; t += 1e-6) {
    // x″ + 2ζω x′ + ω² x = a with x(0) = 0, x′(0) = v.
    const double A = -still, B = (v + zeta * omega * A) / damped, decay = std::exp(-zeta * omega * t);
    const double c = std::cos(damped * t), s = std::sin(damped * t), x = still + decay * (A * c + B * s),
                 rate = decay * ((-zeta * omega * A + damped * B) * c + (-zeta * omega * B - damped * A) * s);
    if (const double torque = k * x + d * rate; torque > largest.first) largest = {torque, start + t};
  }
  return largest;
}

TEST(ExamplesByHand, TheFirstBlowInAGear) {
  for (const double gap : {0.5 * pi / 180, 0.0}) {
    const Results results =
        run_of("41_backlash/case.yaml",
               {{"simulate.for", "0.12 s"}, {"links[0].joint.motor.backlash", gap > 0 ? "0.5 deg" : ""}});
    const std::vector<double>& torque = series(results, "turn.reaction.mz");
    const auto largest = std::max_element(torque.begin(), torque.end());
    const auto [expected, when] = first_blow(pi, gap);
    // Rows are 0.5 ms apart: at most 0.25 ms from the peak, which is flat to (ω · 0.25 ms)²/2 = 3e-4 there.
    EXPECT_NEAR(*largest, expected, 4e-4 * expected) << gap;
    EXPECT_NEAR(results.time[size_t(largest - torque.begin())], when, 5e-4) << gap;
  }
}

/// The equations of cycle.yaml by the classical Runge–Kutta method: how often the table passes zero upwards, and how far it goes.
struct Cycle {
  double frequency = 0, amplitude = 0;
};
Cycle cycle(double gap) {
  using Vector = std::array<double, 4>;  // table, motor, their rates
  const double rotor = 1, held = 2500, damping = 150;
  auto slope = [&](const Vector& y) {
    const double twist = y[1] - y[0], beyond = std::max(std::abs(twist) - gap / 2, 0.0) * (twist > 0 ? 1 : -1);
    double torque = beyond == 0 ? 0 : k * beyond + d * (y[3] - y[2]);
    if (torque * beyond < 0) torque = 0;
    return Vector{y[2], y[3], torque / J, (-damping * y[3] - held * y[0] - torque) / rotor};
  };
  auto ahead = [](const Vector& y, double step, const Vector& rate) {
    Vector next = y;
    for (size_t i = 0; i < 4; ++i) next[i] += step * rate[i];
    return next;
  };
  constexpr double h = 2e-5;
  Vector y{0, 0, 0.05, 0.05};
  std::vector<double> passes;
  Cycle found;
  for (int step = 0; step < 200000; ++step) {
    const Vector a = slope(y), b = slope(ahead(y, h / 2, a)), c = slope(ahead(y, h / 2, b)), e = slope(ahead(y, h, c));
    Vector next = y;
    for (size_t i = 0; i < 4; ++i) next[i] += h / 6 * (a[i] + 2 * b[i] + 2 * c[i] + e[i]);
    if (step * h > 2) {
      found.amplitude = std::max(found.amplitude, std::abs(next[0]));
      if (y[0] < 0 && next[0] >= 0) passes.push_back(h * (step - y[0] / (next[0] - y[0])));
    }
    y = next;
  }
  found.frequency = double(passes.size() - 1) / (passes.back() - passes.front());
  return found;
}
Cycle cycle(const Results& results) {
  const std::vector<double>& turn = series(results, "turn");
  std::vector<double> passes;
  Cycle found;
  for (size_t i = 1; i < turn.size(); ++i) {
    if (results.time[i] < 2) continue;
    found.amplitude = std::max(found.amplitude, std::abs(turn[i]));
    if (turn[i - 1] < 0 && turn[i] >= 0)
      passes.push_back(results.time[i] - (results.time[i] - results.time[i - 1]) * turn[i] / (turn[i] - turn[i - 1]));
  }
  found.frequency = double(passes.size() - 1) / (passes.back() - passes.front());
  return found;
}

TEST(ExamplesByHand, AControllerBehindPlayHuntsInALimitCycle) {
  for (const double degrees : {0.5, 0.25}) {
    const Cycle ours =
        cycle(run_of("41_backlash/cycle.yaml", {{"links[0].joint.motor.backlash", std::to_string(degrees) + " deg"}}));
    const Cycle theirs = cycle(degrees * pi / 180);
    // Of the Runge–Kutta steps, which do not stop at the flanks; rows are 2 ms apart.
    EXPECT_NEAR(ours.frequency, theirs.frequency, 1e-3 * theirs.frequency);
    EXPECT_NEAR(ours.amplitude, theirs.amplitude, 1e-3 * theirs.amplitude);
    EXPECT_NEAR(theirs.amplitude, degrees * 0.613 * pi / 180, 2e-3 * theirs.amplitude) << "proportional to the gap";
  }
}

TEST(ExamplesByHand, SolidsOfAMeshAndAFormulaMakeThePendulum) {
  const Arm arm = Arm::assemble(read_case(example("42_solids/case.yaml")).data);
  const double a = 0.3, b = 0.12, m1 = 2700 * a * b / 2 * 0.04, I1 = m1 * (a * a + b * b) * (1 / 18.0 + 1 / 9.0);
  const double L = 0.4, t = 0.03, c = 0.75, line = 7800 * t * t, m2 = line * L * (1 - c / 2),
               moment = line * L * L * (0.5 - c / 3), J2 = line * L * L * L * (1 / 3.0 - c / 4) + m2 * t * t / 12;
  const auto formulation = make_formulation("articulated", arm);
  const State state = State::zero(arm);
  MatrixXd M(2, 2), expected(2, 2);
  VectorXd h(2);
  formulation->mass_matrix(state, M);
  formulation->bias(state, Terms::all, h);
  expected << I1 + m2 * a * a + 2 * a * moment + J2, J2 + a * moment, J2 + a * moment, J2;
  EXPECT_LE((M - expected).norm(), 1e-12 * expected.norm());
  EXPECT_NEAR(h[0], -9.81 * (m1 * a / 3 + m2 * a + moment), 1e-12 * 10);
  EXPECT_NEAR(h[1], -9.81 * moment, 1e-12 * 10);
}

TEST(ExamplesByHand, ACatchInSpaceKeepsTheMomenta) {
  const Results results = run_of("43_catch_in_space/case.yaml");
  const double tube = pi / 4 * (0.06 * 0.06 - 0.056 * 0.056),
               second = pi / 64 * (std::pow(0.06, 4) - std::pow(0.056, 4)), L = 1.5, link = 2700 * tube * L,
               m = 100 + 2 * link, caught = 20, v = 0.2;
  const double centre = link * (1.25 + 2.75) / m, arm = 3.5 - centre, mu = m * caught / (m + caught);
  double I = 20 + 100 * centre * centre;
  for (const double x : {1.25, 2.75}) I += link * (L * L / 12 + (x - centre) * (x - centre)) + 2700 * second * L;
  const double turn = -mu * v * arm / (I + mu * arm * arm), lost = mu * v * v / 2 * I / (I + mu * arm * arm);
  // The vibration has died down to 2e-4 of its first swing.
  EXPECT_NEAR(series(results, "base.wz").back(), turn, 5e-4 * std::abs(turn));
  EXPECT_NEAR(series(results, "energy.dissipated").back(), lost, 2e-4 * lost);
  // Where the common centre of mass is from the start on: the catch does not change its velocity.
  const double t = results.time.back(), qz = series(results, "base.qz").back(), qw = series(results, "base.qw").back();
  const double angle = 2 * std::atan2(qz, qw), from_base = (m * centre + caught * 3.5) / (m + caught);
  const double y = series(results, "base.y").back() + from_base * std::sin(angle),
               x = series(results, "base.x").back() + from_base * std::cos(angle);
  // The body waits at rest at the place where the gripper meets it, 0.2 s · v above the start.
  EXPECT_NEAR(y, (m * v * t + caught * 0.2 * v) / (m + caught), 1e-5);
  EXPECT_NEAR(x, from_base, 1e-5);
}

}  // namespace
}  // namespace lithe::testing
