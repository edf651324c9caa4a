#include "lithe/simulate/marched.h"

namespace lithe {

namespace {

[[noreturn]] void refuse_state() {
  throw UnsupportedError(
      "simulate.formulation",
      "a simulation with finite-element or wind has unknowns beyond the arm's state: start a new one with `initial`");
}

}  // namespace

void Marched::set_state(const State&, VectorXd&) { refuse_state(); }

void Marched::catch_body(double, int, const RigidInertia&, VectorXd&) { refuse_state(); }

void Marched::watch(const std::function<double(const State&)>&) {
  throw UnsupportedError("simulate.formulation", "a simulation with finite-element or wind cannot find crossings");
}

}  // namespace lithe
