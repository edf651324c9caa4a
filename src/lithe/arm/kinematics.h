#pragma once

#include <vector>

#include "lithe/arm/arm.h"
#include "lithe/arm/state.h"
#include "lithe/beam/exact/rod_state.h"

namespace lithe {

/// Where every link is and how fast, in world axes. V holds [ω; v of the frame's origin].
struct Kinematics {
  std::vector<Pose> X_WB, X_WT;          // [n_links]
  std::vector<Vector6d> V_WB_W, V_WT_W;  // [n_links]
  std::vector<JointDirections> joint_W;  // [n_links] [turn; slide] of B on F per rate of a joint's coordinate
  std::vector<Matrix6Xd>
      tip_shapes_W;                  // [n_links] [turn; slide] of the tip frame on B per rate of a flexible coordinate
  std::vector<FlexMoments> moments;  // [n_links] of links that bend by shapes, in B
  std::vector<std::optional<RodState>> rods;  // [n_links] of exact links
  Pose X_WR;                                  // the root frame
};

/// Sizes `kinematics` on first use; allocates nothing after that.
///
/// With `tip_rotation: small` the rotations of X_WT and of what it carries are book83's 1 + [θ]×, poses are those of that
/// model, and velocities have no meaning: carried links do not move as rigid bodies there.
void update_kinematics(const Arm& arm, const State& state, Kinematics& kinematics);
Kinematics kinematics_of(const Arm& arm, const State& state);

/// A link's own inertia at a state, without its payload: about B, in B axes. A view of kinematics; both must outlive it.
class OwnInertia {
 public:
  OwnInertia(const Arm& arm, const Kinematics& kinematics, int i_link);

  RigidInertia rigid() const;
  // Of a flexible link: momentum [about B; linear] per rate of coordinate k, and inertia of the coordinates among themselves.
  Vector3d angular(int k) const;
  Vector3d linear(int k) const;
  /// Calls visit(k, l, value) for the entries of M_ff, both halves.
  template <class Visit>
  void for_each_entry(Visit visit) const {
    if (rod_ != nullptr) {
      const int m = flex_->size();
      for (int l = 0; l < m; ++l)
        for (int k = 0; k < m; ++k) visit(k, l, rod_->M_ff(k, l));
      return;
    }
    for (int l = 0; l < flex_->M.outerSize(); ++l)
      for (SparseMatrixd::InnerIterator entry(flex_->M, l); entry; ++entry) visit(int(entry.row()), l, entry.value());
  }

 private:
  const Link* link_;
  const FlexBasis* flex_;  // null: rigid
  const FlexMoments* moments_;
  const RodState* rod_;  // null unless exact
};

/// Calls visit(column, turn, slide, origin) for every coordinate of a link's own joint: per unit rate of coordinate `column`
/// the frame B turns by `turn` about `origin` and slides by `slide`, in world axes.
template <class Visit>
void for_each_joint_direction(const Arm& arm, const Kinematics& kinematics, int i_link, Visit visit) {
  const JointDirections& directions = kinematics.joint_W[i_link];
  for (int k = 0; k < directions.cols(); ++k)
    visit(arm.link(i_link).v0 + k, Vector3d(directions.col(k).template head<3>()),
          Vector3d(directions.col(k).template tail<3>()), kinematics.X_WB[i_link].p);
}

/// The same for the flexible coordinates by which a link moves its own tip frame.
template <class Visit>
void for_each_flexible_direction(const Arm& arm, const Kinematics& kinematics, int i_link, Visit visit) {
  const Link& link = arm.link(i_link);
  if (!link.flex) return;
  const Matrix6Xd& shapes = kinematics.tip_shapes_W[i_link];
  for (const int k : link.flex->tip_coordinates)
    visit(link.flex_v0() + k, Vector3d(shapes.col(k).head<3>()), Vector3d(shapes.col(k).tail<3>()),
          kinematics.X_WT[i_link].p);
}

/// The same for every coordinate that moves a link's frame B, from the link inwards.
template <class Visit>
void for_each_direction(const Arm& arm, const Kinematics& kinematics, int i_link, Visit visit) {
  for (int i = i_link; i >= 0; i = arm.link(i).parent) {
    if (i != i_link) for_each_flexible_direction(arm, kinematics, i, visit);
    for_each_joint_direction(arm, kinematics, i, visit);
  }
}

/// All coordinates that move a link's tip frame.
template <class Visit>
void for_each_tip_direction(const Arm& arm, const Kinematics& kinematics, int i_link, Visit visit) {
  for_each_flexible_direction(arm, kinematics, i_link, visit);
  for_each_direction(arm, kinematics, i_link, visit);
}

/// J with V_WT_W = J v (+ what a moving base adds), the velocity [ω; v] of a link's tip frame in world axes. 6 × nv.
Matrix6Xd tip_jacobian(const Arm& arm, const Kinematics& kinematics, int i_link);

/// Total mass, and the mass centre in the world.
double total_mass(const Arm& arm);
Vector3d centre_of_mass(const Arm& arm, const Kinematics& kinematics);

/// [angular momentum about the mass centre; linear momentum], world axes. Throws UnsupportedError under `tip_rotation: small`
/// (Arm::small_tips), where no velocities are known.
Vector6d momentum(const Arm& arm, const State& state, const Kinematics& kinematics);

/// ½ Σ over links and rotors. Rotors count by their spin alone. Throws as `momentum` does.
double kinetic_energy(const Arm& arm, const State& state, const Kinematics& kinematics);
/// −Σ m g·r, zero at the world's origin.
double gravity_energy(const Arm& arm, const Kinematics& kinematics);

}  // namespace lithe
