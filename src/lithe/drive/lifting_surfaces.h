#pragma once

#include "lithe/aero/vortex_lattice.h"
#include "lithe/dynamics/internal_forces.h"

namespace lithe {

/// The lifting surfaces of an arm as a vortex lattice: positions and velocities of their corners, and the generalised forces of forces
/// on them.
///
/// A surface is a flat sheet along its link's x axis. On a beam that bends by shapes or elements a corner at x, c across it, moves by
///   u(x) + θ(x) × c,                                                                                             (1)
/// linear in the coordinates as the beam's own theory is; on an exact link it is fixed in the section at x; on a segmented one it moves with
/// the piece at x, and near a hinge increasingly with the next. Forces act on the coordinates by the transpose of this, so that work is the same on both sides.
///
/// Free tips are shortened by a quarter of a panel, with which lift converges faster (docs/aero.md); ends that meet another surface or the
/// mirror plane are not. Surfaces of two links whose ends are the same edge are one surface: the corners of that edge are the means of the
/// positions given by the two links. With separate corners, a small twist between the links would leave two strong vortices side by side,
/// which push each other apart, harder the closer they are.
class LiftingSurfaces {
 public:
  /// A corner on a link that carries it, or carries a part of it: its place in B, and how flexible coordinates move it there.
  struct Attachment {
    int corner, link;
    double weight;
    Vector3d place;
    Matrix3Xd shape;                                      // 3 × n_flex, of links that bend by shapes; else empty
    std::shared_ptr<const RodSection> section = nullptr;  // of exact links: in which the corner is at c
    Vector3d c = Vector3d::Zero();
    bool bends() const { return section != nullptr || shape.cols() > 0; }
  };

  /// For a case with surfaces. Ends are the same edge where they meet at the arm's zero or at `start`, and the links have not turned them a quarter
  /// of a chord apart at `start` (default: zero). Throws FieldError where they meet with different panels, or lie on each other without
  /// being the same.
  LiftingSurfaces(const Case& data, const Arm& arm);
  LiftingSurfaces(const Case& data, const Arm& arm, const State& start);

  const aero::Lattice& lattice() const { return *lattice_; }
  const std::vector<std::string>& names() const { return names_; }             // of the links that carry them
  const std::vector<Attachment>& attachments() const { return attachments_; }  // a corner is the sum of all of its own
  double longest_chord() const { return longest_chord_; }
  double shortest_panel() const { return shortest_panel_; }  // along the chord

  /// Throws FieldError where the wind, past corners that move, does not blow over a surface from its leading to its trailing edge.
  void check_wind(const aero::Points& corners, const aero::Points& velocities, const Vector3d& wind) const;

  /// Corners in world axes; of a state and its kinematics. Allocate nothing once sized.
  void place(const State& state, const Kinematics& kin, aero::Points& corners) const;
  void move(const State& state, const Kinematics& kin, aero::Points& velocities) const;
  /// Adds the generalised forces of forces on the corners (world axes).
  void add_forces(const State& state, const Kinematics& kin, const aero::Points& forces, Eigen::Ref<VectorXd> tau);
  /// The same for the forces inside: added as wrenches [moment; force] on tip frames, at T's origin in world axes, one per link; on
  /// links that bend by shapes, listed along them.
  void list(const State& state, const Kinematics& kin, const aero::Points& forces, std::vector<Vector6d>& on_tips,
            std::vector<AlongLoad>& along) const;

  /// Displacement of the corners per coordinate, 3 corners × nv, corner by corner: of the linear theory about a state at rest.
  MatrixXd shapes(const State& state, const Kinematics& kin) const;

 private:
  struct Sheet;
  struct End;
  std::vector<End> ends_of(const std::vector<Sheet>& sheets, const State& start) const;
  void check_edges(const std::vector<End>& ends) const;
  template <class Visit>
  void for_each_direction_of(const Attachment& at, const Vector3d& r_W, const Kinematics& kin, Visit visit) const;
  Vector3d in_link(const Attachment& at, const State& state, const Kinematics& kin) const;
  template <class Visit>
  void for_each_own(const Attachment& at, const Kinematics& kin, Visit visit) const;
  void list_carriers();

  const Arm arm_;
  std::optional<aero::Lattice> lattice_;
  std::vector<std::string> names_;
  std::vector<Attachment> attachments_;
  double longest_chord_ = 0, shortest_panel_ = 0;
  std::vector<int> carriers_;       // links that carry corners, each once
  std::vector<Vector6d> on_links_;  // by link, [moment about the world's origin; force]
};

/// The step of the air in a run: rows fall on steps, so it is the longest that divides the time between them and is no longer than
/// asked for, and no longer than the wind at its fastest takes past a panel. Throws FieldError where that makes too many.
double air_step(const WindSpec& wind, const LiftingSurfaces& surfaces, const Simulate& run);

/// The lattice of a case's wind for steps of that length. The wake's oldest rows are merged.
aero::LatticeOptions lattice_options(const WindSpec& wind, const LiftingSurfaces& surfaces, double step);

}  // namespace lithe
