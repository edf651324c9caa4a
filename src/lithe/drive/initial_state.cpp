#include "lithe/drive/initial_state.h"

#include <fmt/format.h>

#include <set>

#include "lithe/describe/spelling.h"
#include "lithe/drive/loads.h"
#include "lithe/dynamics/constrained_dynamics.h"

namespace lithe {

State start_of(const Case& data, const Arm& arm, const OuterForces& forces) {
  check_initial(data, arm);
  State state = State::zero(arm);
  for (const Link& link : arm.links()) {
    for (int k = 0; k < link.nv(); ++k) {
      const auto given = data.initial.joints.find(arm.coordinates()[link.v0 + k]);
      if (given == data.initial.joints.end()) continue;
      if (link.joint->coordinates()[k].has_position) state.q[link.q0 + k] = given->second.position;
      state.v[link.v0 + k] = given->second.rate.value_or(0);
    }
    if (const auto whole = data.initial.joints.find(link.joint_name);
        whole != data.initial.joints.end() && whole->second.rpy) {
      const Quaterniond turn(rpy_rotation(*whole->second.rpy));
      state.q.segment<4>(link.q0 + link.joint->quaternion()) << turn.w(), turn.vec();
    }
    for (int k = 0; k < link.n_flex(); ++k) {
      const auto given = data.initial.joints.find(arm.coordinates()[link.flex_v0() + k]);
      if (given == data.initial.joints.end()) continue;
      state.q[link.flex_q0() + k] = given->second.position;
      state.v[link.flex_v0() + k] = given->second.rate.value_or(0);
    }
    if (link.role != LinkRole::base || !data.initial.base) continue;
    const InitialBase& base = *data.initial.base;
    if (link.joint->group() == Joint::Group::motion) {
      const Quaterniond turn(rpy_rotation(base.rpy));
      state.q.segment<7>(link.q0) << base.xyz, turn.w(), turn.vec();
      state.v.segment<6>(link.v0) << base.angular_velocity, base.velocity;
    } else if (arm.turns(link.v0)) {
      state.q[link.q0] = base.rpy.z();
      state.v[link.v0] = base.angular_velocity.z();
    } else {
      const int axis = link.joint->single_axis().value().axis.x() != 0 ? 0 : 1;
      state.q[link.q0] = base.xyz[axis];
      state.v[link.v0] = base.velocity[axis];
    }
  }
  if (!arm.constraints().empty())
    if (const std::string broken = ConstrainedDynamics(word(RunFormulation::articulated), arm).broken(state);
        !broken.empty())
      throw FieldError("initial.base", broken);
  for (const Transmission& spring : arm.transmissions()) {
    const Link &joint = arm.link(spring.joint_link), &rotor = arm.link(spring.rotor_link);
    if (data.initial.joints.contains(rotor.joint_name)) continue;
    state.q[rotor.q0] = state.q[joint.q0];
    state.v[rotor.v0] = state.v[joint.v0];
  }
  if (data.initial.deformation != Deformation::at_rest)
    return state;  // `settled` needs the controllers: Drives::settle
  // Joints stay at their given positions, also behind a transmission: its rotor then winds up until the spring carries them.
  std::vector<bool> held = held_by_motors(arm);
  for (const Transmission& spring : arm.transmissions()) held[arm.link(spring.joint_link).v0] = true;
  const Loads loads(data.initial.loads, "initial.loads", arm);
  Equilibrium rest = find_equilibrium(arm, state, held, arm.gravity(), together(loads.unscaled(), forces));
  wind_up(arm, rest);
  state.q = rest.state.q;
  return state;
}

void check_initial(const Case& data, const Arm& arm) {
  const bool at_rest = data.initial.deformation != Deformation::zero;
  std::set<std::string> joints, deformations;
  for (const Link& link : arm.links()) {
    (link.role == LinkRole::segment ? deformations : joints).insert(link.joint_name);
    for (int k = 0; k < link.nv(); ++k)
      if (link.role != LinkRole::segment) joints.insert(arm.coordinates()[link.v0 + k]);
    for (int k = 0; k < link.n_flex(); ++k) deformations.insert(arm.coordinates()[link.flex_v0() + k]);
  }
  for (const auto& [name, given] : data.initial.joints) {
    if (joints.contains(name)) continue;
    if (!deformations.contains(name))
      throw FieldError("initial." + name,
                       fmt::format("no coordinate '{}'{} Coordinates: {}", name,
                                   guess_in_sentence(name, arm.coordinates()), comma_list(arm.coordinates())));
    if (at_rest && given.position != 0)
      throw FieldError("initial." + name, "`deformation` computes it: give only one of the two (a rate is allowed)");
  }
  if (!at_rest && !data.initial.loads.empty())
    throw FieldError("initial.loads",
                     "has no effect: expected `deformation: static` beside it, or `loads` of the case itself");
}

Case undeformed_start(Case data) {
  data.initial.deformation = Deformation::zero;
  data.initial.loads.clear();
  return data;
}

}  // namespace lithe
