#include "lithe/simulate/simulated_system.h"

namespace lithe {

namespace {

[[noreturn]] void refuse_state() {
  throw UnsupportedError("simulate.formulation",
                         "a simulation with wind has unknowns beyond the arm's state: start a new one with `initial`");
}

}  // namespace

void SimulatedSystem::set_state(const State&, VectorXd&) { refuse_state(); }

void SimulatedSystem::catch_body(double, int, const RigidInertia&, VectorXd&) { refuse_state(); }

void SimulatedSystem::watch(const std::function<double(const State&)>&) {
  throw UnsupportedError("simulate.formulation", "a simulation with wind cannot find crossings");
}

}  // namespace lithe
