#pragma once

#include <vector>

#include "lithe/arm/arm.h"

namespace lithe::lagrange {

template <class S>
using Vector6 = Eigen::Matrix<S, 6, 1>;
template <class S>
using Matrix6X = Eigen::Matrix<S, 6, Eigen::Dynamic>;

/// [a]× with [a]× b = a × b.
template <class S>
Eigen::Matrix3<S> cross_matrix(const Eigen::Vector3<S>& a) {
  Eigen::Matrix3<S> X;
  X << S(0), -a.z(), a.y(), a.z(), S(0), -a.x(), -a.y(), a.x(), S(0);
  return X;
}

/// −[ξ_i, ξ_j] of the velocities [ω; v] of one frame, in its axes: how ξ_j changes, as seen from the frame, while ξ_i moves it
/// relative to what j is fixed to.
template <class S>
Vector6<S> minus_bracket(const Vector6<S>& xi_i, const Vector6<S>& xi_j) {
  using Vector = Eigen::Vector3<S>;
  const Vector w_i = xi_i.template head<3>(), v_i = xi_i.template tail<3>(), w_j = xi_j.template head<3>(),
               v_j = xi_j.template tail<3>();
  Vector6<S> column;
  column << w_j.cross(w_i), w_j.cross(v_i) + v_j.cross(w_i);
  return column;
}

/// Where a frame is in the world. S is double or `Counted`, here and below.
template <class S>
struct Placement {
  Eigen::Matrix3<S> R = Eigen::Matrix3<S>::Identity();
  Eigen::Vector3<S> p = Eigen::Vector3<S>::Zero();
};

/// How one coordinate moves what it carries: per unit rate a turn about `origin` and a slide, in world axes.
template <class S>
struct Screw {
  Eigen::Vector3<S> turn = Eigen::Vector3<S>::Zero(), slide = Eigen::Vector3<S>::Zero(),
                    origin = Eigen::Vector3<S>::Zero();

  /// The same as the velocity [ω; v] of a carried frame B, in B's own axes.
  Vector6<S> seen_from(const Placement<S>& X_WB) const {
    const Eigen::Vector3<S> at_B = slide + turn.cross(X_WB.p - origin);
    Vector6<S> column;
    column << X_WB.R.transpose() * turn, X_WB.R.transpose() * at_B;
    return column;
  }
};

/// Rates of a base of given motion as components in its own axes, and their own rates: d/dt(Rᵀv) = Rᵀa − (Rᵀω)×(Rᵀv).
template <class S>
struct GivenRates {
  Vector6<S> rate, acceleration;
  GivenRates(const Arm& arm, Instant t);
};

/// The frames of an arm at a state, the screws of all its coordinates, and how those of one bent link change with each other.
///
/// Columns are the nv coordinates; where the base's motion is given, its six rates (components in base axes) come first.
template <class S>
class ScrewTable {
 public:
  explicit ScrewTable(const Arm& arm);

  void update(const Eigen::Ref<const Eigen::VectorX<S>>& q, Instant t);

  int n_given() const { return n_given_; }
  const Screw<S>& operator[](int column) const { return screws_[column]; }
  const Placement<S>& X_WB(int i_link) const { return X_WB_[i_link]; }
  const Placement<S>& X_WT(int i_link) const { return X_WT_[i_link]; }
  const FlexMomentsOf<S>& moments(int i_link) const { return moments_[i_link]; }

  /// Whether both move the same frame on the same other one: flexible coordinates by which one link moves its tip, or the
  /// coordinates of one joint.
  bool share_frame(int i, int j) const { return shared_[i].frame >= 0 && shared_[i].frame == shared_[j].frame; }

  /// ∂/∂z_i of screw j as an observer on the moved frame sees it, for two coordinates that share one: neither i nor j is the
  /// inboard one. On a tip the turns W_j of a link's shapes do not commute (FlexTip):
  ///   turn   ∂W_j/∂δ_i − W_i × W_j        slide   ∂U_j/∂δ_i − W_i × U_j
  /// On a joint it is the slope of its direction H_j.
  const Screw<S>& slope(int i, int j) const { return slopes_[shared_[i].first + shared_[j].place]; }

 private:
  /// A link's joint on its parent's tip frame P: F in P, and the parts of R_PB = axis + sin q·[…] + cos q·[…] of one that turns.
  struct JointPlace {
    Placement<S> X_PF, X_BT;
    Eigen::Vector3<S> axis_P;
    Eigen::Matrix3<S> R_axis, R_sin, R_cos;
    std::optional<Joint::Axis> axis;  // of a joint that turns about one or slides along one
  };
  struct SharedFrame {
    int frame = -1;  // a number of its own for each such frame, or −1
    int place = 0;   // which of its coordinates
    int first = 0;   // where this one's slopes begin
  };

  void update_root(Instant t);
  void share(int frame, int first_column, const std::vector<int>& coordinates);
  void update_joint(int i, const Eigen::Ref<const Eigen::VectorX<S>>& q);
  void update_block(int i, const Eigen::Ref<const Eigen::VectorX<S>>& q);
  void update_tip(int i, const Eigen::Ref<const Eigen::VectorX<S>>& q);

  const Arm& arm_;
  int n_given_;
  std::vector<JointPlace> joints_;   // [n_links]
  std::vector<SharedFrame> shared_;  // [columns]

  // Set by update:
  Placement<S> X_WR_;                      // the root
  std::vector<Placement<S>> X_WB_, X_WT_;  // [n_links]
  std::vector<FlexMomentsOf<S>> moments_;  // [n_links] of bent links
  std::vector<Screw<S>> screws_;           // [columns]
  std::vector<Screw<S>> slopes_;
};

}  // namespace lithe::lagrange
