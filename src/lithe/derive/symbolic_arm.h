#pragma once

#include <Eigen/Core>
#include <optional>

#include "lithe/arm/arm.h"
#include "lithe/derive/steps.h"

namespace lithe::derive {

using Table = std::array<Triple, 3>;

/// A rigid body on a frame: mass, mass centre, inertia about it.
struct SymbolicBody {
  ex mass = 0;
  Triple com;
  Table inertia;
  bool has_mass() const;
};

/// The moments of a flexible link in its deformed shape (as in `FlexBasis`): first moment, inertia about B, and per own
/// coordinate the momentum [∫r×φ_k dm + H_k; ∫φ_k dm] and the constant ∫φ_k·φ_l dm + ….
struct SymbolicBeam {
  ex mass;
  Triple first_moment;
  Table inertia;
  std::vector<Triple> angular, linear;
  std::vector<std::vector<ex>> modal_mass;
  // Only for tips that turn by 1 + [θ]×, where frames are not orthogonal and these do not reduce to the above:
  std::vector<Table> spread;                 // ∫r φ_kᵀ dm − ½[H_k]×
  std::vector<std::vector<Table>> products;  // ∫φ_k φ_lᵀ dm
};

/// How an own coordinate moves the tip frame: per unit rate a turn and a slide of T, in B axes.
struct TipDirection {
  int coordinate = 0;
  Triple turn, slide;
};

struct SymbolicLink {
  int parent = -1;
  Way way;  // from the parent's B (or the root) to this B, its own joint included
  int joint_coordinate = -1;
  Triple joint_turn, joint_slide;  // in B axes
  bool is_free_base = false;
  ex rotor_inertia = 0;
  // The motor's own constants, where the case is known: rotor_inertia is ratio² times that of the rotor.
  ex motor_ratio = 1,
     motor_damping = 0;              // the latter at the motor, of a rigid transmission's motor or of a rotor's bearing
  double own_damping = 0;            // of the joint without its motor, as a number
  std::optional<SymbolicBody> body;  // on B
  std::vector<SymbolicBody> on_tip;  // on T
  std::optional<SymbolicBeam> beam;
  int first_own = 0;  // coordinate of the beam's first shape
  Way tip;            // from B to T
  ex length = 0;      // of a rigid link: T in its frame, along x
  double length_value = 0;
  Triple tip_place;  // of T in B, for the directions below
  std::vector<TipDirection> tip_directions;
  std::string name;
};

/// An arm over names instead of numbers: every length, mass and modal integral of it is a parameter, unless it is zero.
struct SymbolicArm {
  /// `data`: the case of the arm, for the names of its parameters; or none.
  SymbolicArm(const Arm& arm, Names& names, const Case* data = nullptr);

  std::vector<SymbolicLink> links;
  Triple gravity;                      // in the axes of the root frame
  Triple root_place;                   // of the root frame in its own axes, from the world's origin
  Way root_turn;                       // from the world's axes to those of the root frame
  std::optional<Triple> base_gravity;  // of a free base: gravity in base axes, and where the base is from the root
  Triple base_place;
  Table base_turn;          // of a free base, from its quaternion
  bool small_tips = false;  // tips turn by 1 + [θ]× (book83, lew-book eq 4)

  /// Coordinates by other numbers: number k becomes `to[k]`. The coordinates of one link stay together.
  void renumber(const std::vector<int>& to);
};

/// Throws FieldError naming a feature of the arm for which there is no closed form here.
void check_derivable(const Arm& arm);

}  // namespace lithe::derive
