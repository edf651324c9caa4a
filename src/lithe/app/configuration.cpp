#include "lithe/app/configuration.h"

namespace lithe::app {

State configuration(const Arm& arm, const Drives& drives, const std::string& q) {
  State state = State::zero(arm);
  state.q = q.empty() ? drives.initial_state().q : positions(arm, q);
  return state;
}

}  // namespace lithe::app
