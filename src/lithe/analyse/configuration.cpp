#include "lithe/analyse/configuration.h"

#include "lithe/arm/coordinate_words.h"

namespace lithe {

State configuration(const Arm& arm, const Drives& drives, const std::string& words) {
  State state = State::zero(arm);
  if (words.empty()) {
    state.q = drives.initial_state().q;
    return state;
  }
  state.q = positions_in_words(arm, words);
  // Motors hold: a rotor that is not mentioned is placed where its joint is, as in `initial`, and its spring is at rest.
  for (const Transmission& spring : arm.transmissions()) {
    const Link &joint = arm.link(spring.joint_link), &rotor = arm.link(spring.rotor_link);
    if (!words_give_position(arm, words, rotor.joint_name)) state.q[rotor.q0] = state.q[joint.q0];
  }
  return state;
}

void straighten(const Arm& arm, State& state) {
  for (const Link& link : arm.links()) {
    state.q.segment(link.flex_q0(), link.n_flex()).setZero();
    if (link.role == LinkRole::segment) state.q.segment(link.q0, link.nq()).setZero();
  }
  for (const Transmission& spring : arm.transmissions())
    state.q[arm.link(spring.rotor_link).q0] = state.q[arm.link(spring.joint_link).q0];
}

}  // namespace lithe
