#include "lithe/simulate/marched.h"

namespace lithe {

void Marched::set_state(const State&, VectorXd&) {
  throw UnsupportedError(
      "simulate.formulation",
      "a simulation by finite-element, or in the wind, has unknowns beyond the arm's state: start a new "
      "one with `initial`");
}

void Marched::watch(const std::function<double(const State&)>&) {
  throw UnsupportedError("simulate.formulation", "a simulation by finite-element, or in the wind, finds no crossings");
}

}  // namespace lithe
