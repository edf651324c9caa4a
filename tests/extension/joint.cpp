// A joint kind of the user's own: in case files, in every formulation that takes it, in runs.
// A cart on a parabolic rail, against the closed form
//   A q̈ + ½ A′ q̇² + 2 m g b q = 0,   A = m(1 + 4b²q²) + J (2b/(1 + 4b²q²))²
#include <lithe/lithe.h>

#include <cmath>
#include <filesystem>

#include "expect.h"
#include "rail.h"

namespace extension {
namespace {

constexpr double mass = 2, spin = 0.3, g = 9.81;

double inertia(double q) {
  const double square = 1 + 4 * bend * bend * q * q;
  return mass * square + spin * std::pow(2 * bend / square, 2);
}
double acceleration(double q, double rate) {
  constexpr double h = 1e-4;  // of a difference: the slope of A to 1e-8
  const double slope = (inertia(q + h) - inertia(q - h)) / (2 * h);
  return -(slope * rate * rate / 2 + 2 * mass * g * bend * q) / inertia(q);
}

}  // namespace

void try_joint() {
  add_rail();
  const lithe::CaseFile file = lithe::read_case_text(R"(
arm:
  gravity: [0, -9.81, 0]
  links:
    - name: cart
      joint: {name: way, type: rail}
      rigid: {mass: 2 kg, inertia: {xx: 0.1, yy: 0.1, zz: 0.3}}
initial: {way: 0.4 m}
simulate: {for: 3 s}
)");
  const lithe::Arm arm = lithe::Arm::assemble(file.data);
  Eigen::VectorXd tau = Eigen::VectorXd::Zero(1), vdot(1);
  for (const char* name : {"articulated", "kane", "lagrange"}) {
    const auto dynamics = lithe::make_formulation(name, arm);
    for (const double q : {-0.7, 0.0, 0.3, 1.1}) {
      lithe::State state = lithe::State::zero(arm);
      state.q[0] = q;
      state.v[0] = 1.7;
      dynamics->forward(state, tau, vdot);
      expect(std::abs(vdot[0] - acceleration(q, 1.7)) < 1e-6, std::string(name) + " accelerates as the closed form");
    }
  }
  // At the bottom it swings at √(2 m g b/A(0)).
  lithe::ModesOptions free;
  free.joints = lithe::JointCondition::free;
  const double hertz = lithe::natural_modes_of(arm, lithe::State::zero(arm), free).modes.at(0).frequency_hz;
  const double expected = std::sqrt(2 * mass * g * bend / inertia(0)) / (2 * 3.14159265358979);
  expect(std::abs(hertz - expected) < 1e-9, "its frequency is that of the closed form");
  // A whole run keeps its energy: differences of the direction do not spoil it.
  const auto folder = std::filesystem::temp_directory_path() / ("lithe_extension_" + std::to_string(std::rand()));
  std::filesystem::create_directories(folder);
  lithe::RunOptions options;
  options.file = (folder / "results.h5").string();
  const lithe::RunSummary summary = lithe::run(file, arm, options);
  expect(summary.residual < 1e-6 * summary.energy_scale, "the energy audit closes");
  std::filesystem::remove_all(folder);
  // A word that is taken is refused.
  try {
    add_rail();
    expect(false, "a second kind of that name is refused");
  } catch (const std::invalid_argument&) {
  }
}

}  // namespace extension
