#pragma once

#include <optional>
#include <vector>

#include "lithe/arm/link_section.h"
#include "lithe/beam/flex_tip.h"

namespace lithe {

using Triplets = std::vector<Eigen::Triplet<double>>;

/// Small motions of the arm about one configuration: sparse matrices with one row and column per coordinate.
///
/// Composite bodies: everything outboard of a tip moves with that tip as one rigid body, so a coordinate's momentum
/// is that of its own link's mass plus that of the composite body it carries, and M is that momentum projected on the coordinates
/// further inboard. Only the coordinates that move a tip couple outboard: an element link is banded inside, with a border where it
/// is attached to others. Time and memory grow with the number of coordinates times the depth of the chain.
///
/// The base stands still. Only for `tip_rotation: finite`; with `small` links do not move as rigid bodies.
class SmallMotion {
 public:
  SmallMotion(const Arm& arm, const State& state);

  const Arm& arm() const { return arm_; }
  const State& state() const { return state_; }
  const Kinematics& kinematics() const { return kin_; }

  /// M(q), both halves stored.
  SparseMatrixd mass_matrix() const;

  /// Momentum per unit rate of each coordinate: [angular about `origin`; linear], world axes.
  Matrix6Xd momentum(const Vector3d& origin) const;

  /// ∂V/∂z of the weight V = −Σ m g·r.
  VectorXd weight(const Vector3d& g) const;

  /// Adds ∂²V/∂z² of the weight: the geometric stiffness by which a hanging arm is stiffer than a horizontal one, and an upright
  /// one softer. Nothing for coordinates of a free base, for which weight has no second derivative of this kind.
  void add_weight_stiffness(const Vector3d& g, Triplets& entries) const;

  /// How one coordinate moves everything it carries: a rotation and, at the reference point, a velocity.
  struct Direction {
    int column;
    Vector3d turn, slide;
    Vector3d at(const Vector3d& point) const { return slide + turn.cross(point); }
  };
  /// The coordinates that move a link's frame B. Points count from `reference`.
  const std::vector<Direction>& frame_directions(int i_link) const { return frame_directions_[i_link]; }
  const Vector3d& reference() const { return reference_; }

  /// How direction a of a joint changes, as its link sees it, when the joint moves along its coordinate b: both count from its first.
  Direction own_slope(int i_link, int a, int b) const;

  /// ∂(turn of coordinate a)/∂z_b for two coordinates of a link's own tip: turns of a tip do not commute. And of its slide.
  Vector3d turn_derivative(int i_link, int a, int b) const;
  Vector3d slide_derivative(int i_link, int a, int b) const;
  /// The same of a section of a link.
  SectionSlopes section_slopes(const LinkSection& section, const SectionFrame& frame) const;

 private:
  void walk_outward();
  void walk_inward();
  void add_joint_weight_stiffness(int i_link, const Vector3d& g, Triplets& entries) const;

  Arm arm_;
  State state_;
  Kinematics kin_;
  Vector3d reference_;  // near the arm, so that a base far from the origin costs no digits
  std::vector<std::vector<Direction>> frame_directions_;    // [n_links] of B
  std::vector<std::vector<Direction>> own_tip_directions_;  // [n_links] the link's own flexible ones that move T
  std::vector<RigidInertia> carried_;                       // [n_links] payload and everything outboard, world axes
  std::vector<RigidInertia> whole_;                         // [n_links] the same and the link itself
  Matrix3Xd angular_, linear_;                              // momentum per coordinate rate, about the reference
  std::vector<std::optional<FlexTip>> tips_;                // [n_links] of those that bend by shapes
  std::vector<std::shared_ptr<RodSlopes>> rods_;            // [n_links] of exact ones
};

/// Stiffness of links, joint springs, pressed stops and transmissions about a state.
void add_elastic_stiffness(const Arm& arm, const State& state, Triplets& entries);

/// Damping of links, joints, transmissions and pressed stops about a state. Coulomb friction has the slope of its smoothed
/// curve; at rest the mean of both directions.
void add_damping(const Arm& arm, const State& state, Triplets& entries);

SparseMatrixd assembled(int n, const Triplets& entries);

/// The arm about a state, at rest. Throws UnsupportedError for `tip_rotation: small`.
SmallMotion small_motion(const Arm& arm, const State& state);

/// M(q) of an arm with flexible links, sparse.
SparseMatrixd sparse_mass_matrix(const Arm& arm, const State& state);

/// The gravity that acts on an arm at rest on its base: none along directions in which a free or planar base falls.
Vector3d effective_gravity(const Arm& arm);

}  // namespace lithe
