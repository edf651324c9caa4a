// arm/ — what the arm is, and where it is. Takes a `Case`, gives an `Arm`: assembled once, immutable, a value to copy
// and to share between threads; a `State`; and kinematics. Does not depend on files or on time marching.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lithe/arm/passive_forces.h"
#include "lithe/arm/transmission.h"
#include "lithe/beam/flex_basis.h"
#include "lithe/describe/case.h"
#include "lithe/describe/problem.h"
#include "lithe/joint/kinds.h"
#include "lithe/profile/instant.h"
#include "lithe/spatial/spatial.h"

namespace lithe {

/// A payload between a link's root and its tip. It is part of the link's own inertia: of M_B, or of the FlexBasis' integrals.
struct AlongBody {
  std::string path;      // its field in the case
  Pose X_BS;             // of the undeformed section
  CarriedBody body;      // on that section
  SectionShapes shapes;  // how a flexible link moves the section; empty for a rigid one
  double x() const { return X_BS.p.x(); }
};

/// A beam that slides through a guide, as the case describes it: its free length changes with the joint.
struct GuidedBeam {
  Beam beam;
  bool rotary_inertia = true;
};

/// What a link of the arm represents.
enum class LinkRole {
  body,     // a link of the case, or the first piece of a segmented beam
  base,     // one of the links that represent a planar or free base
  rotor,    // the rotor behind an elastic transmission: an inertia about its joint's axis, and no body
  segment,  // on a spring hinge of a segmented beam: its coordinate is a deformation
};

/// One link and the joint that carries it. The frames: P, the parent's tip frame (or the base frame); F, the joint on
/// it; B, the link frame, F moved by the joint; T, the link's tip frame.
struct Link {
  std::string name;
  int i_case = -1;  // which link of the case it is, or belongs to; −1: none
  int parent = -1;  // index of the carrying link; −1: the base frame
  LinkRole role = LinkRole::body;
  Deflection deflection = Deflection::mixed;  // of a segment: the deflection that the rotation of its hinge represents

  std::string joint_name;
  std::shared_ptr<const Joint> joint = fixed_joint();
  Pose X_PF;
  int q0 = 0, v0 = 0;  // where its joint coordinates begin in q and v

  Pose X_BT;         // of the undeformed link
  Pose X_TD;         // the frame in which the case gives points of the link, seen from T: B, or for a rigid link
                     // placed by standard Denavit–Hartenberg parameters its frame D
  RigidInertia M_B;  // of the link itself with the bodies along it, undeformed, about B
  std::vector<AlongBody> along;
  RigidInertia payload_T;              // of what the tip carries, about T
  double rotor_inertia = 0;            // reflected: gear ratio squared times the rotor's; of joints with one coordinate
  std::vector<JointForces> forces{1};  // per coordinate of the joint; for a fixed joint one entry without effect
  std::shared_ptr<const FlexBasis> flex;  // how the link deforms; null for a rigid one
  std::optional<Guide> guide;             // only finite-element follows its slide: see refuse_guides, with_guides_held
  std::shared_ptr<const GuidedBeam> guided;  // what slides through it; null elsewhere
  std::shared_ptr<const Fibres> fibres;      // of a segmented beam's section at B; null elsewhere
  std::optional<double> yield_strength;      // of a beam's material

  /// The undeformed link with its payload, about B.
  RigidInertia whole_inertia() const {
    RigidInertia whole = M_B;
    whole += payload_T.seen_from(X_BT);
    return whole;
  }
  /// Of the joint. Flexible coordinates follow the joint's, in q and in v.
  int nv() const { return joint->nv(); }
  int nq() const { return joint->nq(); }
  int n_flex() const { return flex ? flex->size() : 0; }
  int flex_q0() const { return q0 + nq(); }
  int flex_v0() const { return v0 + nv(); }
};

/// A coordinate that a motor's torque acts on.
struct TorqueInput {
  std::string name;  // as in cases and results: of the joint, or of one of its coordinates
  int link = 0;      // behind an elastic transmission the rotor's
  int q = 0, v = 0;  // its places; q is −1 for a rate without a position of its own
  bool turns = true;
};

/// Where a carried arm begins: it is made of the links from `first_link` up to the next mount, and stands on the tip frame of
/// `carrier_link`, one of those before.
struct Mount {
  int first_link = 0, carrier_link = 0;
};

/// The root frame R of the arm in the world: pose, velocity and acceleration of a fixed or moving base.
/// A planar or free base is made of links on a fixed root.
struct RootMotion {
  Pose X_WR;
  Vector3d omega = Vector3d::Zero(), alpha = Vector3d::Zero();  // angular velocity and acceleration, world axes
  Vector3d velocity = Vector3d::Zero(), acceleration = Vector3d::Zero();
};

class BaseProfiles;
class Constraint;

/// A valid case that this version cannot model yet.
class UnsupportedError : public FieldError {
 public:
  using FieldError::FieldError;
};

/// An arm, assembled from a Case: links, joints, payloads, base. A value: immutable, cheap to copy compared with its use, and
/// safe to share between threads. Assembling allocates; queries do not, except for results returned by value.
class Arm {
 public:
  /// Checks once: an Arm that exists is valid. Throws FieldError.
  static Arm assemble(const Case& data);

  // As the compiler would write them, but compiled once.
  Arm(const Arm&);
  Arm(Arm&&) noexcept;
  Arm& operator=(const Arm&);
  Arm& operator=(Arm&&) noexcept;
  ~Arm();

  std::span<const Link> links() const { return links_; }  // parents before children
  const Link& link(int i) const { return links_[i]; }
  int n_links() const { return static_cast<int>(links_.size()); }
  int nq() const { return nq_; }  // numbers in a position; more than nv where some are quaternions
  int nv() const { return nv_; }  // coordinates: base, then joint by joint with that link's flexible ones
  const Vector3d& gravity() const { return gravity_; }
  bool bends() const { return bends_; }  // has flexible coordinates
  TipRotation tip_rotation() const { return tip_rotation_; }
  /// Whether tips of flexible links turn by book83's 1 + [θ]×. What they carry then does not move as rigid bodies, and
  /// kinematics gives no velocities for it.
  bool small_tips() const;
  InertiaOrder inertia_order() const { return inertia_order_; }

  /// The given motion of the base at a time; the base frame at rest for every base but `moving`.
  RootMotion root(Instant now) const;
  bool root_moves() const { return root_moves_; }
  /// Whether profiles give it, and the times where a piece of them ends: accelerations may jump there.
  bool root_by_profiles() const { return base_profiles_ != nullptr; }
  std::span<const double> root_corners() const;

  /// Conditions on its rates that its coordinates do not express, such as wheels under its base (arm/constraint.h). Formulations reject an
  /// arm that has any; `ConstrainedDynamics` enforces them.
  std::span<const std::shared_ptr<const Constraint>> constraints() const { return constraints_; }
  Arm with_constraint(std::shared_ptr<const Constraint> constraint) const {
    Arm arm = *this;
    arm.constraints_.push_back(std::move(constraint));
    return arm;
  }
  Arm without_constraints() const {
    Arm arm = *this;
    arm.constraints_.clear();
    return arm;
  }

  /// Names of the nv coordinates (columns of M), of the nq positions, and of the joints that take a torque.
  const std::vector<std::string>& coordinates() const { return coordinates_; }
  const std::vector<std::string>& positions() const { return positions_; }
  /// What a coordinate is measured in.
  CoordinateUnit unit(int k) const { return units_[size_t(k)]; }
  bool turns(int k) const { return unit(k) == CoordinateUnit::radians; }
  /// The coordinates that the joints' torques act on, in the order of the joints, as in `--tau`.
  const std::vector<TorqueInput>& torque_inputs() const { return torque_inputs_; }
  /// By name; null for an unknown one.
  const TorqueInput* find_torque_input(std::string_view name) const;

  const std::vector<Transmission>& transmissions() const { return transmissions_; }

  /// Where arms are mounted on those before them; empty for a single arm.
  std::span<const Mount> mounts() const { return mounts_; }
  int n_parts() const { return int(mounts_.size()) + 1; }
  /// One of the arms that this one is composed of, by itself: the first (0) as it is, a carried one on a free base
  /// without mass, which represents the carrier's tip.
  Arm part(int i_part) const;

  /// The same arm with the other treatment of tip rotations.
  Arm with_tip_rotation(TipRotation rotation) const {
    Arm arm = *this;
    arm.tip_rotation_ = rotation;
    return arm;
  }

  /// Whether any beam slides through a guide.
  bool has_guides() const {
    for (const Link& link : links_)
      if (link.guide) return true;
    return false;
  }
  /// The same arm with beams that bend over their whole length, wherever they slide.
  Arm without_guides() const {
    Arm arm = *this;
    for (Link& link : arm.links_) {
      link.guide.reset();
      link.guided.reset();
    }
    return arm;
  }

  /// The same arm with every guided beam held where position q puts it: straight up to its guide's exit, an ordinary beam over its
  /// free length beyond it, in the same coordinates. Valid as long as those joints do not move. Throws FieldError if q retracts a beam
  /// completely or moves it out of its guide.
  Arm with_guides_held(const VectorXd& q) const;

  bool has_backlash() const {
    for (const Transmission& one : transmissions_)
      if (one.gap > 0) return true;
    return false;
  }
  /// The same arm with gears whose flanks always touch.
  Arm without_backlash() const {
    Arm arm = *this;
    for (Transmission& one : arm.transmissions_) one.gap = 0;
    return arm;
  }

  /// Damping of the arm's own natural modes: h += D v, nv × nv, symmetric; null if there is none.
  const MatrixXd* modal_damping() const { return modal_damping_.get(); }
  /// The same arm with such a damping. It couples links, so it belongs to no single link.
  Arm with_modal_damping(MatrixXd D) const {
    Arm arm = *this;
    arm.modal_damping_ = std::make_shared<const MatrixXd>(std::move(D));
    return arm;
  }

  /// Index of the last link of the case, whose tip is the default `tip`.
  int last_link() const;
  /// Whether a link is a body that can be seen: not a rotor, and not a slide of a planar base, which only carries the base.
  bool is_body(int i) const;
  /// What the case calls a link, or the link that it is a piece or the rotor of; its own name where the case has none.
  const std::string& case_name(const Link& link) const;
  /// Index of the link of that name, or −1.
  int find_link(std::string_view name) const;

 private:
  friend class Assembler;
  Arm();

  std::vector<Link> links_;
  int nq_ = 0, nv_ = 0;
  Vector3d gravity_ = Vector3d::Zero();
  RootMotion root0_;
  std::shared_ptr<const BaseProfiles> base_profiles_;  // null where accelerations are constant
  bool root_moves_ = false, bends_ = false;
  std::vector<std::shared_ptr<const Constraint>> constraints_;
  TipRotation tip_rotation_ = TipRotation::finite;
  InertiaOrder inertia_order_ = InertiaOrder::complete;
  std::vector<std::string> coordinates_, positions_;
  std::vector<CoordinateUnit> units_;
  std::vector<TorqueInput> torque_inputs_;
  std::vector<Transmission> transmissions_;
  std::vector<Mount> mounts_;
  std::shared_ptr<const MatrixXd> modal_damping_;
};

/// Returns the arm. Throws UnsupportedError naming a joint that slides its beam through a guide, because `who` assumes links that
/// bend over their whole length.
const Arm& refuse_guides(const Arm& arm, std::string_view who);

/// Returns the arm. Throws UnsupportedError naming a link that bends by `strains`, because `who` assumes links that deflect in proportion
/// to their coordinates.
const Arm& refuse_exact_links(const Arm& arm, std::string_view who);

/// Returns the arm. Throws UnsupportedError for an arm with constraints, which `who` would ignore.
const Arm& refuse_constraints(const Arm& arm, std::string_view who);

/// Throws FieldError naming a joint that is inside the gap of its gear, where nothing holds it against its motor: `who` needs stiffness.
void refuse_inside_backlash(const Arm& arm, const VectorXd& q, std::string_view who);

/// Throws UnsupportedError naming a joint that slides its beam through a guide and is not among the coordinates that are held.
void demand_held_guides(const Arm& arm, const std::vector<bool>& held, std::string_view who);

}  // namespace lithe
