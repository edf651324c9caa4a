// A user's first program with the installed library: a pendulum's angular acceleration, checked by hand.
#include <lithe/lithe.h>

#include <cmath>
#include <iostream>

int main() {
  const lithe::CaseFile file = lithe::read_case_text(R"(
arm:
  links:
    - name: rod
      joint: {name: pivot, type: revolute, axis: [0, 1, 0]}
      rigid: {shape: {rod: {length: 2 m}}, mass: 3 kg}
)");
  const lithe::Arm arm = lithe::Arm::assemble(file.data);
  lithe::Articulated dynamics(arm);
  lithe::State state = lithe::State::zero(arm);
  Eigen::VectorXd tau = Eigen::VectorXd::Zero(1), vdot(1);
  dynamics.forward(state, tau, vdot);
  // A horizontal rod falls at 3g/2L; about +y that is positive.
  std::cout << "acceleration " << vdot[0] << "\n";
  return std::abs(vdot[0] - 1.5 * 9.81 / 2) < 1e-12 ? 0 : 1;
}
