// A control law and a force of the user's own on carts that slide, each against its closed form, and an observer of the rows.
#include <lithe/lithe.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "expect.h"

namespace extension {
namespace {

const char* const cart = R"(
arm:
  gravity: [0, 0, 0]
  links:
    - {name: cart, joint: {name: way, type: prismatic, axis: [1, 0, 0]}, rigid: {mass: 2 kg, inertia: {xx: 0.1, yy: 0.1, zz: 0.1}}}
initial: {way: {position: 0.3 m, rate: 1.5 m/s}}
simulate: {for: 2 s, output_step: 50 ms, rtol: 1e-9, atol: 1e-11}
)";

/// A spring towards zero through a filter: τ = −k x, T ẋ = q − x. No slopes: lithe takes differences.
class LaggingSpring final : public lithe::Law {
 public:
  explicit LaggingSpring(lithe::Coordinate own) : own_(own) {}
  std::vector<lithe::Coordinate> reads() const override { return {own_}; }
  void outputs(const lithe::LawReading&, const double* x, double* out) const override { *out = -stiffness * *x; }
  int n_states() const override { return 1; }
  void start(const lithe::LawReading& now, double* x) const override { *x = now.state.q[own_.q0]; }
  void state_rates(const lithe::LawReading& now, const double* x, const double*, double* xdot) const override {
    *xdot = (now.state.q[own_.q0] - *x) / lag;
  }
  static constexpr double stiffness = 8, lag = 0.05;

 private:
  lithe::Coordinate own_;
};

/// −c v |v| along the way: v = v₀/(1 + c v₀ t/m).
class Drag final : public lithe::Force {
 public:
  void add(const lithe::ForceReading& now, Eigen::Ref<Eigen::VectorXd> tau) const override {
    tau[0] -= coefficient * now.state.v[0] * std::abs(now.state.v[0]);
  }
  static constexpr double coefficient = 0.7;
};

void try_force(const lithe::CaseFile& file, const lithe::Arm& arm) {
  lithe::SimulationOptions options;
  options.additions.forces.push_back(std::make_shared<Drag>());
  lithe::Simulation simulation(file.data, arm, options);
  const auto& columns = simulation.columns();
  const auto rate = std::find_if(columns.begin(), columns.end(),
                                 [](const lithe::Column& column) { return column.name == "way.rate"; }) -
                    columns.begin();
  double off = 0;
  int rows = 0;
  simulation.on_row([&](double t, std::span<const double> values) {
    off = std::max(off, std::abs(values[size_t(rate)] - 1.5 / (1 + Drag::coefficient * 1.5 * t / 2)));
    ++rows;
  });
  simulation.finish();
  expect(rows == 41, "an observer sees every row");
  expect(off < 1e-7, "drag slows the cart as the closed form");
}

// m q̈ = −k x, T ẋ = q − x, against another integration of the same three numbers.
void try_law(const lithe::CaseFile& file, const lithe::Arm& arm) {
  lithe::SimulationOptions options;
  options.additions.laws.push_back({{"way"}, std::make_shared<LaggingSpring>(lithe::Coordinate{0, 0}), {}});
  lithe::Simulation simulation(file.data, arm, options);
  // By small steps of the classical fourth-order method on the three numbers.
  double y[3] = {0.3, 1.5, 0.3};
  const auto slope = [](const double* at, double* rate) {
    rate[0] = at[1];
    rate[1] = -LaggingSpring::stiffness * at[2] / 2;
    rate[2] = (at[0] - at[2]) / LaggingSpring::lag;
  };
  constexpr int steps = 20000;
  constexpr double h = 2.0 / steps;
  for (int k = 0; k < steps; ++k) {
    double k1[3], k2[3], k3[3], k4[3], z[3];
    slope(y, k1);
    for (int i = 0; i < 3; ++i) z[i] = y[i] + h / 2 * k1[i];
    slope(z, k2);
    for (int i = 0; i < 3; ++i) z[i] = y[i] + h / 2 * k2[i];
    slope(z, k3);
    for (int i = 0; i < 3; ++i) z[i] = y[i] + h * k3[i];
    slope(z, k4);
    for (int i = 0; i < 3; ++i) y[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
  }
  simulation.finish();
  expect(std::abs(simulation.state().q[0] - y[0]) < 1e-7, "a law with a state moves the cart as its equations say");
  expect(std::abs(simulation.state().v[0] - y[1]) < 1e-7, "and at the same speed");
}

}  // namespace

void try_law_and_force() {
  const lithe::CaseFile file = lithe::read_case_text(cart);
  const lithe::Arm arm = lithe::Arm::assemble(file.data);
  try_force(file, arm);
  try_law(file, arm);
}

}  // namespace extension
