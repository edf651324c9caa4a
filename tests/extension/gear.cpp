// A constraint of the user's own: two carts that a gear holds at a ratio of speeds.
#include <lithe/lithe.h>

#include <cmath>
#include <memory>

#include "expect.h"

namespace extension {
namespace {

constexpr double ratio = 2;

/// v₁ = ratio v₀.
class Gear final : public lithe::Constraint {
 public:
  std::string what_binds() const override { return "a gear binds"; }
  const std::vector<Reaction>& reactions() const override { return reactions_; }
  void fill_rows(const lithe::ConstraintReading&, Eigen::Ref<Eigen::MatrixXd> a) const override {
    a(0, 0) = -ratio;
    a(0, 1) = 1;
  }
  void fill_rate(const lithe::ConstraintReading&, Eigen::Ref<Eigen::VectorXd> adot_v) const override { adot_v[0] = 0; }

 private:
  std::vector<Reaction> reactions_{{"gear.force", "N"}};
};

}  // namespace

// A force F on the first cart moves both: a₀ = F/(m₀ + ratio² m₁), and the gear pulls the second with m₁ ratio a₀.
void try_constraint() {
  const lithe::CaseFile file = lithe::read_case_text(R"(
arm:
  gravity: [0, 0, 0]
  links:
    - {name: first, joint: {name: one, type: prismatic, axis: [1, 0, 0]}, rigid: {mass: 3 kg, inertia: {xx: 0.1, yy: 0.1, zz: 0.1}}}
    - {name: second, parent: base, joint: {name: other, type: prismatic, axis: [0, 1, 0]}, rigid: {mass: 2 kg, inertia: {xx: 0.1, yy: 0.1, zz: 0.1}}}
torque: {one: 22 N}
simulate: {for: 1 s}
)");
  const lithe::Arm bare = lithe::Arm::assemble(file.data);
  const lithe::Arm arm = bare.with_constraint(std::make_shared<Gear>());
  try {
    lithe::Articulated ignores(arm);
    expect(false, "a formulation alone refuses a constraint");
  } catch (const lithe::UnsupportedError&) {
  }
  lithe::Simulation simulation(file.data, arm);
  simulation.keep_rows();
  simulation.finish();
  const double a0 = 22 / (3 + ratio * ratio * 2);
  expect(std::abs(simulation.state().q[0] - a0 / 2) < 1e-6, "both carts move as one inertia");
  expect(std::abs(simulation.state().q[1] - ratio * a0 / 2) < 1e-6, "the gear keeps its ratio");
  const lithe::Results& results = simulation.results();
  const int column = results.find("gear.force");
  expect(column >= 0 && std::abs(results.series[size_t(column)].back() - 2 * ratio * a0) < 1e-6,
         "results have what the gear bears");
}

}  // namespace extension
