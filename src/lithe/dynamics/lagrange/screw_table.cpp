#include "lithe/dynamics/lagrange/screw_table.h"

#include "lithe/beam/flex_tip.h"
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
      tips_(n_given_ + arm.nv()),
      X_WB_(arm.n_links()),
      X_WT_(arm.n_links()),
      moments_(arm.n_links()),
      screws_(n_given_ + arm.nv()) {
  for (int i = 0; i < arm.n_links(); ++i) {
    const Link& link = arm.link(i);
    JointPlace joint{known<S>(link.X_PF), known<S>(link.X_BT), {}, {}, {}, {}};
    auto along = [&](const Vector3d& axis) {
      const Matrix3d& R_PF = link.X_PF.R;
      joint.axis_P = (R_PF * axis).cast<S>();
      joint.R_axis = (R_PF * axis * axis.transpose()).cast<S>();
      joint.R_sin = (R_PF * skew(axis)).cast<S>();
      joint.R_cos = (R_PF * (Matrix3d::Identity() - axis * axis.transpose())).cast<S>();
    };
    if (const auto* revolute = std::get_if<Revolute>(&link.joint)) along(revolute->axis);
    if (const auto* prismatic = std::get_if<Prismatic>(&link.joint)) along(prismatic->axis);
    joints_.push_back(joint);

    if (!link.flex) continue;
    const std::vector<int>& coordinates = link.flex->tip_coordinates;
    for (size_t place = 0; place < coordinates.size(); ++place) {
      tips_[n_given_ + link.flex_v0() + coordinates[place]] = {i, int(place), int(slopes_.size())};
      slopes_.resize(slopes_.size() + coordinates.size());
    }
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
  const bool turns = std::holds_alternative<Revolute>(link.joint),
             slides = std::holds_alternative<Prismatic>(link.joint), floats = std::holds_alternative<Free>(link.joint);
  if (turns) X_PB.R = joint.R_axis + sin(q[link.q0]) * joint.R_sin + cos(q[link.q0]) * joint.R_cos;
  if (slides) X_PB.p += q[link.q0] * joint.axis_P;
  if (floats) {
    const S* at = q.data() + link.q0;
    X_PB.p += joint.X_PF.R * Vector(at[0], at[1], at[2]);
    X_PB.R = joint.X_PF.R * Eigen::Quaternion<S>(at[3], at[4], at[5], at[6]).normalized().toRotationMatrix();
  }
  X_WB.R.noalias() = X_WP.R * X_PB.R;
  X_WB.p = X_WP.p + X_WP.R * X_PB.p;

  Screw<S>* screw = screws_.data() + n_given_ + link.v0;
  if (turns) *screw = {X_WP.R * joint.axis_P, Vector::Zero(), X_WB.p};
  if (slides) *screw = {Vector::Zero(), X_WP.R * joint.axis_P, X_WB.p};
  if (floats)
    for (int k = 0; k < 3; ++k) {
      screw[k] = {X_WB.R.col(k), Vector::Zero(), X_WB.p};
      screw[3 + k] = {Vector::Zero(), X_WB.R.col(k), X_WB.p};
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
  X_WT.R.noalias() = X_WB.R * tip.turn.rotation();
  X_WT.p = X_WB.p + X_WB.R * tip.p_BT;

  const int own0 = n_given_ + link.flex_v0();
  const Eigen::Matrix3<S> R_Jl = X_WB.R * tip.turn.left_jacobian();
  for (const int k : flex.tip_coordinates)
    screws_[own0 + k] = {R_Jl * flex.tip_psi.col(k).template cast<S>(), X_WB.R * flex.tip_phi.col(k).template cast<S>(),
                         X_WT.p};
  for (const int a : flex.tip_coordinates) {
    const Vector &w = screws_[own0 + a].turn, psi_a = flex.tip_psi.col(a).template cast<S>();
    Screw<S>* slope = &slopes_[tips_[own0 + a].first];
    for (const int b : flex.tip_coordinates) {
      const Screw<S>& screw = screws_[own0 + b];
      const Vector second = X_WB.R * tip.turn.left_jacobian_derivative(psi_a, flex.tip_psi.col(b).template cast<S>());
      *slope++ = {second - w.cross(screw.turn), -w.cross(screw.slide), screw.origin};
    }
  }
}

template struct GivenRates<double>;
template struct GivenRates<Counted>;
template class ScrewTable<double>;
template class ScrewTable<Counted>;

}  // namespace lithe::lagrange
