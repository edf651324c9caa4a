#pragma once

#include <optional>
#include <span>

#include "lithe/arm/kinematics.h"
#include "lithe/dynamics/along_link.h"
#include "lithe/dynamics/exact_sections.h"

namespace lithe {

/// The forces inside an arm in motion: at every joint, and along every flexible link.
///
/// Computed by Newton–Euler in world axes from given accelerations, so it serves every formulation and checks each. Inside a
/// beam the forces follow from equilibrium of everything outboard of a section, not from the curvature of the shapes: few
/// shapes give good deflections but poor second derivatives.
class InternalForces {
 public:
  explicit InternalForces(const Arm& arm);

  /// `on_tips`: external wrench on each link's tip frame, [moment; force] at T's origin in world axes, one per link;
  /// empty for none. `along`: external forces on beams between root and tip. Allocates nothing.
  void update(const State& state, const Eigen::Ref<const VectorXd>& vdot, std::span<const Vector6d> on_tips,
              std::span<const AlongLoad> along = {});

  /// The wrench that link i's joint exerts on the link: [moment; force] at B's origin, in B axes.
  const Vector6d& reaction(int i) const { return reaction_[i]; }

  /// Along a flexible link, at its basis' stations.
  using Along = AlongLink;
  const Along& along(int i) const { return along_[i]; }

  /// Of the last update.
  const Kinematics& kinematics() const { return kin_; }

 private:
  void accelerate(const State& state, const VectorXd& vdot, int i);
  Vector6d rigid_wrench(const RigidInertia& body, const Pose& X, const Vector3d& omega, const Vector3d& alpha,
                        const Vector3d& a) const;
  Vector6d flexible_wrench(const State& state, int i);
  void go_along(const State& state, int i, std::span<const AlongLoad> loads);
  Vector6d along_wrench(const AlongBody& body, const State& state, int i) const;

  Arm arm_;
  Kinematics kin_;
  VectorXd vdot_;
  std::vector<Vector3d> alpha_B_, a_B_, alpha_T_, a_T_;  // world axes; a without gravity
  std::vector<Vector6d> at_tip_, reaction_;              // wrench that T passes outwards, world axes at T
  std::vector<Along> along_;
  std::vector<MatrixXd> work_;                       // per link of shapes: 3n × 4 fields at the stations
  std::vector<std::optional<ExactSections>> exact_;  // per link; of exact ones
};

}  // namespace lithe
