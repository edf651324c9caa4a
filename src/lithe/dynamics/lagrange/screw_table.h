#pragma once

#include <vector>

#include "lithe/arm/kinematics.h"

namespace lithe {

/// How one coordinate moves what it carries: per unit rate a turn about `origin` and a slide, in world axes.
struct Screw {
  Vector3d turn = Vector3d::Zero(), slide = Vector3d::Zero(), origin = Vector3d::Zero();

  /// The same as the velocity [ω; v] of a carried frame B, in B's own axes.
  Vector6d seen_from(const Pose& X_WB) const {
    Vector6d column;
    column << X_WB.R.transpose() * turn, X_WB.R.transpose() * (slide + turn.cross(X_WB.p - origin));
    return column;
  }
};

/// The screws of all coordinates of an arm at a state, and how those of one bent link change with each other.
///
/// Columns are the nv coordinates; where the base's motion is given, its six rates (components in base axes) come first.
class ScrewTable {
 public:
  explicit ScrewTable(const Arm& arm);

  void update(const Arm& arm, const State& state, const Kinematics& kin);

  int n_given() const { return n_given_; }
  const Screw& operator[](int column) const { return screws_[column]; }

  /// Whether both are flexible coordinates by which one link moves its tip.
  bool share_tip(int i, int j) const { return tips_[i].link >= 0 && tips_[i].link == tips_[j].link; }

  /// ∂/∂z_i of screw j as an observer on the tip frame T sees it, for two coordinates that share a tip. With R = exp[θ]× the
  /// turns w_j = J_l ψ_j of a link's shapes do not commute, and neither i nor j is the inboard one:
  ///   turn   (∂J_l/∂θ·ψ_i) ψ_j − w_i × w_j        slide   −w_i × φ_j
  const Screw& slope(int i, int j) const { return slopes_[tips_[i].first + tips_[j].place]; }

 private:
  struct TipPlace {
    int link = -1;  // the bent link, or −1
    int place = 0;  // which of its tip coordinates
    int first = 0;  // where this one's slopes begin
  };

  int n_given_;
  std::vector<Screw> screws_;
  std::vector<TipPlace> tips_;
  std::vector<Screw> slopes_;
};

}  // namespace lithe
