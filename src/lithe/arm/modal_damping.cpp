#include "lithe/arm/modal_damping.h"

#include <fmt/format.h>

#include "lithe/arm/small_motion.h"
#include "lithe/arm/state.h"
#include "lithe/spatial/dense_eigen.h"

namespace lithe {
namespace {

constexpr int most_coordinates = 600;  // a full matrix of them is 3 MB, its modes take some tenths of a second

/// The straight arm, with its joints at `damping.at`, otherwise where the case starts.
State pose_of(const Arm& arm, const Case& data) {
  State state = State::zero(arm);
  const std::map<std::string, JointPosition>& at = data.arm.damping->at;
  for (const Link& link : arm.links()) {
    if (link.role == LinkRole::segment) continue;
    for (int k = 0; k < link.nv(); ++k) {
      if (!link.joint->coordinates()[k].has_position) continue;
      const std::string name = link.joint_name + link.joint->coordinates()[k].suffix;
      if (const auto given = at.find(name); given != at.end()) {
        state.q[link.q0 + k] = given->second.position;
      } else if (const auto start = data.initial.joints.find(name); start != data.initial.joints.end()) {
        state.q[link.q0 + k] = start->second.position;
      }
    }
  }
  for (const Transmission& spring : arm.transmissions())
    state.q[arm.link(spring.rotor_link).q0] = state.q[arm.link(spring.joint_link).q0];
  return state;
}

}  // namespace

MatrixXd modal_damping(const Arm& arm, const Case& data) {
  const std::string path = "arm.damping";
  if (arm.nv() > most_coordinates)
    throw FieldError(path, fmt::format("modal damping needs a full matrix: expected at most {} coordinates, but this "
                                       "arm has {}; give links a `damping` of their own, or reduce them by `keep`",
                                       most_coordinates, arm.nv()));
  if (arm.tip_rotation() != TipRotation::finite)
    throw UnsupportedError(path, "natural modes need `tip_rotation: finite`; give links a `damping` of their own");
  if (arm.has_backlash())
    throw UnsupportedError(path,
                           "a gear with backlash has no natural modes while its flanks do not touch; give links a "
                           "`damping` of their own");
  const SmallMotion motion(arm, pose_of(arm, data));
  Triplets stiffness;
  add_elastic_stiffness(arm, pose_of(arm, data), stiffness);
  motion.add_weight_stiffness(effective_gravity(arm), stiffness);
  std::vector<int> moving;
  for (int k = 0; k < arm.nv(); ++k) moving.push_back(k);
  for (const TorqueInput& input : arm.torque_inputs()) std::erase(moving, input.v);
  const MatrixXd whole = motion.mass_matrix(), K_whole = assembled(arm.nv(), stiffness);
  const MatrixXd M = whole(moving, moving), K = K_whole(moving, moving);
  MatrixXd D = MatrixXd::Zero(arm.nv(), arm.nv());
  if (moving.empty())
    throw FieldError(path, "nothing in this arm vibrates: no link bends and no transmission is elastic");
  if (definiteness(M) < 1e-15)
    throw FieldError(
        path, "some coordinates have no mass, so not all natural modes are known; give links a `damping` of their own");
  const SymmetricModes modes = symmetric_modes(K, M);
  const VectorXd omega = modes.values.cwiseMax(0).cwiseSqrt();
  const MatrixXd momenta = M * modes.vectors;
  D(moving, moving) = 2 * data.arm.damping->modes * momenta * omega.asDiagonal() * momenta.transpose();
  return D;
}

void refuse_modal_damping(const Arm& arm, std::string_view who) {
  if (arm.modal_damping() != nullptr)
    throw UnsupportedError("arm.damping",
                           fmt::format("{}: damping of the arm's natural modes couples its links, but this formulation "
                                       "treats them one by one; give links a `damping` of their own",
                                       who));
}

}  // namespace lithe
