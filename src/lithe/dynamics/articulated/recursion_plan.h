#pragma once

#include <memory>
#include <vector>

#include "lithe/arm/arm.h"
#include "lithe/dynamics/articulated/axial.h"
#include "lithe/dynamics/articulated/beam_plan.h"
#include "lithe/dynamics/articulated/border_plan.h"
#include "lithe/dynamics/articulated/exact_plan.h"

namespace lithe {

/// A turn about a coordinate axis whose angle is known at assembly. Quarter turns, the most common ones, only move numbers.
struct ConstantTurn {
  enum class Kind { none, quarter, minus_quarter, generic };
  Kind kind = Kind::none;
  double c = 1, s = 0;

  ConstantTurn() = default;
  explicit ConstantTurn(double angle);
};

/// One body of the forward recursion: a link, or several that are fixed to one another, and the joint that moves it.
///
/// Its frame N has z on the joint's axis. A rigid body's N is chosen by Denavit and Hartenberg's rule, x on the common normal
/// to the next axis; a link that bends must keep B, whose x is its beam, and N stands at B's origin. From the frame C that the
/// joint stands on (the carrier's N, or the tip frame T of a link that bends) N is reached by
///
///   first turn (about z), second turn (about x), shift by p, turn about z by angle + q  (or shift along z by q).
///
/// Behind a link that bends, R_BT takes part in the first two turns, and they change with the state.
struct BodyPlan {
  enum class Motion { fixed, turning, sliding, free, block };  // block: a joint of any other directions
  enum class Carrier { resting_root, moving_root, rigid, bent };
  enum class Form { rigid, beam, bordered, exact };

  Motion motion = Motion::fixed;
  Carrier carrier = Carrier::resting_root;
  Form form = Form::rigid;
  int parent = -1;  // body that it stands on
  int link = -1;    // of the arm
  int q0 = 0, v0 = 0;
  std::shared_ptr<const Joint> joint;  // of a block
  int nv = 0, block = -1;              // its coordinates; index in ForwardWork::blocks
  Vector3d p_C = Vector3d::Zero();     // of a block: F from the carrier's origin, in the carrier's axes
  double rotor_inertia = 0;
  double scale = 0;              // largest inertia that its coordinate can move: the scale for a vanishing pivot
  bool has_children = false;     // whether bodies are attached to it
  bool first_to_arrive = false;  // the first of its carrier's children on the way in

  ConstantTurn first, second, third;  // the third is for joints that do not turn
  double angle = 0;
  Vector3d p = Vector3d::Zero();  // in axes after the two turns; behind a root or a bent carrier in those of N at q = 0
  bool shifts[3] = {};            // which entries of p are not zero
  Matrix3d R_CN = Matrix3d::Identity();  // at q = 0
  bool by_zxz = true;                    // behind a bent carrier: R_BT R_TN as turns about z x z; else about y x z
  ConstantTurn to_B_x, to_B_z;           // from N to B, of links that bend

  // of a rigid body, about N
  double mass = 0, s[3] = {}, J[6] = {};
  // of a rigid body that carries none, with a joint that is not driven: P^a and U/D do not depend on the state
  bool leaf_is_constant = false;
  axial::Inertia<double> leaf_P;
  axial::Vector6<double> leaf_L;
  double leaf_inverse_D = 0;

  int connection = 0;            // number of its Connection (connection.h)
  int flex = -1;                 // index in `beams`, `borders` or `exacts`
  int flex_q0 = 0, flex_v0 = 0;  // where its flexible coordinates begin
};

/// The part of an arm's forward recursion that does not depend on the state: the same for every kind of number.
struct RecursionPlan {
  explicit RecursionPlan(const Arm& arm);

  std::vector<BodyPlan> bodies;  // carriers first
  std::vector<BeamPlan> beams;
  std::vector<BorderPlan> borders;
  std::vector<ExactPlan> exacts;
  int n_blocks = 0;
};

}  // namespace lithe
