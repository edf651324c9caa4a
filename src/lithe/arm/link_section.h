#pragma once

#include "lithe/arm/kinematics.h"
#include "lithe/beam/shortening.h"

namespace lithe {

/// A section of a link: the frame S that loads act on. On a link of shapes it is displaced by the shapes there and turned by the rotation
/// whose rotation vector is θ = ψδ, like the tip; on an exact link it is a section of that; on a rigid link it is fixed to B.
struct LinkSection {
  int link = -1;
  Pose X_BS;             // of the undeformed link
  SectionShapes shapes;  // empty on a rigid link; on an exact link those of small motions, and its coordinates
  std::shared_ptr<const RodSection> rod;  // on an exact link
  bool is_tip = true;                     // whether it moves as the tip frame does
  SparseMatrixd shortening = {};          // with `stiffening` G there, by `shapes.coordinates`; else empty
};

/// The link's tip frame as a section.
LinkSection tip_section(const Arm& arm, int i_link);

/// A place on a link: a section, and the offset from it that the section carries rigidly, in S axes.
struct LinkPlace {
  LinkSection section;
  Vector3d offset = Vector3d::Zero();
};

/// The place that the case gives as a point of the straight link: on a link that bends, the section at x = point.x with the
/// offset (0, y, z); of a segmented one, on the piece that holds x; on a rigid link, fixed to its tip frame. Throws FieldError
/// at `path` where the link has no such section.
LinkPlace place_on_link(const Arm& arm, int i_link, const Vector3d& point, const std::string& path);

/// Whether a point of the straight link is the tip frame's origin, up to rounding.
bool at_tip(const Link& link, const Vector3d& point);

/// The message that an imported link has no node at x on its axis, with the nodes that it has.
std::string no_node_text(const FlexBasis& basis, const std::string& link, double x);

/// Where a section is, and how its link's coordinates move it there, in world axes. Entry k belongs to the coordinate
/// `section.shapes.coordinates[k]` of the link. On the stack: it allocates nothing. The section must outlive it.
class SectionFrame {
 public:
  SectionFrame(const Arm& arm, const LinkSection& section, const State& state, const Kinematics& kinematics);

  Pose X_WS;
  int size() const { return shapes_->size(); }
  /// Per unit rate of a coordinate, S turns and its origin slides.
  Vector3d turn(int k) const {
    return is_rod_ ? Vector3d(R_WB_ * rod_.turn(k)) : Vector3d(turning_ * shapes_->psi.col(k));
  }
  Vector3d slide(int k) const {
    if (is_rod_) return R_WB_ * rod_.slide(k);
    Vector3d U = shapes_->phi.col(k);
    if (drawn_.size() > 0) U.x() -= drawn_[k];
    return R_WB_ * U;
  }

 private:
  friend class SectionSlopes;
  const SectionShapes* shapes_;
  bool is_rod_;
  Matrix3d R_WB_, turning_;  // world: θ̇ turns S by turning·θ̇, R_WB J_l(θ)
  ExpMap map_;               // of θ, B axes
  Drawn<double> drawn_;      // with `stiffening` Gδ
  RodSectionPose rod_;
};

/// How the `turn` and `slide` of a SectionFrame change with the link's coordinates: ∂turn(k)/∂δ_l and ∂slide(k)/∂δ_l. Sections of an
/// exact link need the slopes of that link at the state, null for the others. The frame must outlive it.
class SectionSlopes {
 public:
  SectionSlopes(const LinkSection& section, const SectionFrame& frame, RodSlopes* rod);

  Vector3d turn(int k, int l) const {
    if (rod_ != nullptr) return frame_->R_WB_ * rod_->col(k * frame_->size() + l).head<3>();
    return frame_->R_WB_ *
           frame_->map_.left_jacobian_derivative(frame_->shapes_->psi.col(l), frame_->shapes_->psi.col(k));
  }
  Vector3d slide(int k, int l) const {
    if (rod_ != nullptr) return frame_->R_WB_ * rod_->col(k * frame_->size() + l).tail<3>();
    if (shortening_ != nullptr) return -shortening_->coeff(k, l) * frame_->R_WB_.col(0);
    return Vector3d::Zero();
  }

 private:
  const SectionFrame* frame_;
  const Matrix6Xd* rod_;
  const SparseMatrixd* shortening_;  // null without
};

}  // namespace lithe
