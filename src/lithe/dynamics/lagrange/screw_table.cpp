#include "lithe/dynamics/lagrange/screw_table.h"

#include "lithe/beam/flex_tip.h"
#include "lithe/dynamics/joint_at.h"
#include "lithe/spatial/counted.h"

namespace lithe::lagrange {
namespace {

template <class S>
Placement<S> known(const Pose& pose) {
  return {pose.R.template cast<S>(), pose.p.template cast<S>()};
}

}  // namespace

template <class S>
GivenRates<S>::GivenRates(const Arm& arm, Instant t) {
  const RootMotion root = arm.root(t);
  const Matrix3d Rt = root.X_WR.R.transpose();
  const Vector3d w = Rt * root.omega, v = Rt * root.velocity;
  const Vector3d a = Rt * root.acceleration - w.cross(v);
  rate << unknown<S>(w), unknown<S>(v);
  acceleration << unknown<S>(Rt * root.alpha), unknown<S>(a);
}

template <class S>
ScrewTable<S>::ScrewTable(const Arm& arm)
    : arm_(arm),
      n_given_(arm.root_moves() ? 6 : 0),
      shared_(n_given_ + arm.nv()),
      X_WB_(arm.n_links()),
      X_WT_(arm.n_links()),
      moments_(arm.n_links()),
      screws_(n_given_ + arm.nv()) {
  for (int i = 0; i < arm.n_links(); ++i) {
    const Link& link = arm.link(i);
    JointPlace joint{known<S>(link.X_PF), known<S>(link.X_BT), {}, {}, {}, {}, link.joint->single_axis()};
    auto along = [&](const Vector3d& axis) {
      const Matrix3d& R_PF = link.X_PF.R;
      joint.axis_P = (R_PF * axis).cast<S>();
      joint.R_axis = (R_PF * axis * axis.transpose()).cast<S>();
      joint.R_sin = (R_PF * skew(axis)).cast<S>();
      joint.R_cos = (R_PF * (Matrix3d::Identity() - axis * axis.transpose())).cast<S>();
    };
    if (joint.axis) along(joint.axis->axis);
    joints_.push_back(joint);
    if (link.nv() > 1 || link.joint->directions_change()) {
      std::vector<int> own;
      for (int k = 0; k < link.nv(); ++k) own.push_back(k);
      share(2 * i, n_given_ + link.v0, own);
    }
    if (link.flex) share(2 * i + 1, n_given_ + link.flex_v0(), link.flex->tip_coordinates);
  }
}

template <class S>
void ScrewTable<S>::share(int frame, int first_column, const std::vector<int>& coordinates) {
  for (size_t place = 0; place < coordinates.size(); ++place) {
    shared_[first_column + coordinates[place]] = {frame, int(place), int(slopes_.size())};
    slopes_.resize(slopes_.size() + coordinates.size());
  }
}

template <class S>
void ScrewTable<S>::update(const Eigen::Ref<const Eigen::VectorX<S>>& q, Instant t) {
  update_root(t);
  for (int i = 0; i < arm_.n_links(); ++i) {
    update_joint(i, q);
    update_tip(i, q);
  }
}

template <class S>
void ScrewTable<S>::update_root(Instant t) {
  const Pose X_WR = arm_.root(t).X_WR;
  if (n_given_ == 0) {
    X_WR_ = known<S>(X_WR);
    return;
  }
  X_WR_ = {unknown<S>(X_WR.R), unknown<S>(X_WR.p)};
  for (int k = 0; k < 3; ++k) {
    screws_[k] = {X_WR_.R.col(k), Eigen::Vector3<S>::Zero(), X_WR_.p};
    screws_[3 + k] = {Eigen::Vector3<S>::Zero(), X_WR_.R.col(k), X_WR_.p};
  }
}

template <class S>
void ScrewTable<S>::update_joint(int i, const Eigen::Ref<const Eigen::VectorX<S>>& q) {
  using std::cos, std::sin;
  using Vector = Eigen::Vector3<S>;
  const Link& link = arm_.link(i);
  const JointPlace& joint = joints_[i];
  const Placement<S>& X_WP = link.parent < 0 ? X_WR_ : X_WT_[link.parent];
  Placement<S>& X_WB = X_WB_[i];
  Placement<S> X_PB = joint.X_PF;
  if (!joint.axis && link.nv() > 0) return update_block(i, q);
  const bool turns = joint.axis && joint.axis->turns, slides = joint.axis && !joint.axis->turns;
  if (turns) X_PB.R = joint.R_axis + sin(q[link.q0]) * joint.R_sin + cos(q[link.q0]) * joint.R_cos;
  if (slides) X_PB.p += q[link.q0] * joint.axis_P;
  X_WB.R.noalias() = X_WP.R * X_PB.R;
  X_WB.p = X_WP.p + X_WP.R * X_PB.p;

  Screw<S>* screw = screws_.data() + n_given_ + link.v0;
  if (turns) *screw = {X_WP.R * joint.axis_P, Vector::Zero(), X_WB.p};
  if (slides) *screw = {Vector::Zero(), X_WP.R * joint.axis_P, X_WB.p};
}

/// A joint of any directions H, evaluated by itself.
template <class S>
void ScrewTable<S>::update_block(int i, const Eigen::Ref<const Eigen::VectorX<S>>& q) {
  using Vector = Eigen::Vector3<S>;
  const Link& link = arm_.link(i);
  const Placement<S>& X_PF = joints_[i].X_PF;
  const Placement<S>& X_WP = link.parent < 0 ? X_WR_ : X_WT_[link.parent];
  const int n = link.nv();
  const JointAt<S> at(link, q);
  Placement<S>& X_WB = X_WB_[i];
  X_WB.R.noalias() = X_WP.R * (X_PF.R * at.R_FM);
  X_WB.p = X_WP.p + X_WP.R * (X_PF.p + X_PF.R * at.p_FM);
  const bool change = link.joint->directions_change();
  auto in_world = [&](const Vector6<S>& direction) {
    const Vector turn = direction.template head<3>(), slide = direction.template tail<3>();
    return Screw<S>{X_WB.R * turn, X_WB.R * slide, X_WB.p};
  };
  Screw<S>* screw = screws_.data() + n_given_ + link.v0;
  for (int k = 0; k < n; ++k) screw[k] = in_world(at.H.col(k));
  if (n == 1 && !change) return;
  for (int j = 0; j < n; ++j) {
    const auto slopes = at.slopes(j);
    for (int k = 0; k < n; ++k)
      slopes_[shared_[n_given_ + link.v0 + k].first + j] =
          change ? in_world(slopes.col(k)) : Screw<S>{Vector::Zero(), Vector::Zero(), X_WB.p};
  }
}

template <class S>
void ScrewTable<S>::update_tip(int i, const Eigen::Ref<const Eigen::VectorX<S>>& q) {
  using Vector = Eigen::Vector3<S>;
  const Link& link = arm_.link(i);
  const Placement<S>& X_WB = X_WB_[i];
  Placement<S>& X_WT = X_WT_[i];
  if (!link.flex) {
    X_WT.R.noalias() = X_WB.R * joints_[i].X_BT.R;
    X_WT.p = X_WB.p + X_WB.R * joints_[i].X_BT.p;
    return;
  }
  const FlexBasis& flex = *link.flex;
  const auto delta = q.segment(link.flex_q0(), link.n_flex());
  update_moments<S>(flex, delta, moments_[i]);
  const FlexTipOf<S> tip(flex, delta);
  X_WT.R.noalias() = X_WB.R * tip.R_BT();
  X_WT.p = X_WB.p + X_WB.R * tip.p_BT;

  const int own0 = n_given_ + link.flex_v0();
  const auto shapes = tip.shapes_in(X_WB.R);
  for (const int k : flex.tip_coordinates) screws_[own0 + k] = {shapes.turn(k), shapes.slide(k), X_WT.p};
  for (const int a : flex.tip_coordinates) {
    const Vector& w = screws_[own0 + a].turn;
    Screw<S>* slope = &slopes_[shared_[own0 + a].first];
    for (const int b : flex.tip_coordinates) {
      const Screw<S>& screw = screws_[own0 + b];
      const Vector turn = X_WB.R * tip.turn_slope(b, a), slide = X_WB.R * tip.slide_slope(b, a);
      *slope++ = {turn - w.cross(screw.turn), slide - w.cross(screw.slide), screw.origin};
    }
  }
}

template struct GivenRates<double>;
template struct GivenRates<Counted>;
template class ScrewTable<double>;
template class ScrewTable<Counted>;

}  // namespace lithe::lagrange
