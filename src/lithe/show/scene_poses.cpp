// Where the parts of a scene are at a state of its arm.
#include "lithe/show/scene.h"

namespace lithe {
namespace {

Pose station_pose(const Scene& scene, const Arm& arm, int i_link, size_t k, const State& state,
                  const Kinematics& kinematics) {
  const SceneLink& drawn = scene.links[i_link];
  const Link& link = arm.link(i_link);
  const SceneStation& station = drawn.stations[k];
  Pose X_BS{Matrix3d::Identity(), station.place};
  if (link.guide && k > 0) {
    // ℓ = L + q − exit is free, and its sections share it as those of the whole beam do the length (SlidingBeam).
    const double free = drawn.length + state.q[link.q0] - link.guide->exit;
    X_BS.p.x() = drawn.length - free * (1 - station.place.x() / drawn.length);
  }
  if (station.rod) {
    RodSectionPose section;
    kinematics.rods[size_t(i_link)]->section(*station.rod, section);
    X_BS = {section.R, section.p};
  } else if (link.flex) {
    const auto delta = state.q.segment(link.flex_q0(), link.n_flex());
    X_BS.p += station.phi * delta;
    X_BS.R = exp_rotation(station.psi * delta);
  }
  return kinematics.X_WB[i_link] * X_BS;
}

}  // namespace

std::vector<Pose> station_poses(const Scene& scene, const Arm& arm, int i_link, const State& state,
                                const Kinematics& kinematics) {
  std::vector<Pose> poses;
  for (size_t k = 0; k < scene.links[i_link].stations.size(); ++k)
    poses.push_back(station_pose(scene, arm, i_link, k, state, kinematics));
  return poses;
}

Pose solid_frame(const Scene& scene, const Arm& arm, int i_link, const SceneSolid& solid, const State& state,
                 const Kinematics& kinematics) {
  const int parent = arm.link(i_link).parent;
  switch (solid.frame) {
    case SceneSolid::Frame::parent_tip:
      return parent < 0 ? kinematics.X_WR : kinematics.X_WT[parent];
    case SceneSolid::Frame::link:
      return kinematics.X_WB[i_link];
    case SceneSolid::Frame::tip:
      return kinematics.X_WT[i_link];
    default:
      return station_pose(scene, arm, i_link, size_t(solid.station), state, kinematics);
  }
}

State exaggerated(const Arm& arm, const State& state, double factor) {
  State more = state;
  for (const Link& link : arm.links()) {
    more.q.segment(link.flex_q0(), link.n_flex()) *= factor;
    if (link.role == LinkRole::segment) more.q[link.q0] *= factor;
  }
  for (const Transmission& one : arm.transmissions()) {
    const double rotor = state.q[arm.link(one.rotor_link).q0];
    double& joint = more.q[arm.link(one.joint_link).q0];
    joint = rotor + factor * (joint - rotor);
  }
  return more;
}

}  // namespace lithe
