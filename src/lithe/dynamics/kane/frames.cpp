#include "lithe/dynamics/kane/frames.h"

#include "lithe/beam/flex_tip.h"
#include "lithe/dynamics/joint_at.h"
#include "lithe/spatial/counted.h"

namespace lithe::kane {
template <class S>
Frames<S>::Frames(const Arm& arm) : arm_(arm), rest_(Eigen::VectorX<S>::Zero(arm.nv())) {
  add_frame(0, {});  // the root
  for (int i = 0; i < arm.n_links(); ++i) {
    const Link& link = arm.link(i);
    // A rigid parent's tip is a constant away from its B.
    const bool on_tip = link.parent >= 0 && arm.link(link.parent).flex;
    const int carrier = link.parent < 0 ? 0 : on_tip ? tips_[link.parent].frame : joints_[link.parent].frame;
    const Pose X_CF = link.parent < 0 || on_tip ? link.X_PF : arm.link(link.parent).X_BT * link.X_PF;
    std::vector<int> own;
    for (int k = 0; k < link.nv(); ++k) own.push_back(link.v0 + k);

    JointOnCarrier joint;
    joint.link = &link;
    joint.frame = add_frame(carrier, own);
    joint.R_CF = X_CF.R.template cast<S>();
    joint.p_CF = X_CF.p.template cast<S>();
    auto along = [&](const Vector3d& axis) {
      joint.axis_C = (X_CF.R * axis).cast<S>();
      joint.R_axis = (X_CF.R * axis * axis.transpose()).cast<S>();
      joint.R_sin = (X_CF.R * skew(axis)).cast<S>();
      joint.R_cos = (X_CF.R * (Matrix3d::Identity() - axis * axis.transpose())).cast<S>();
    };
    joint.axis = link.joint->single_axis();
    if (joint.axis) along(joint.axis->axis);
    joints_.push_back(joint);

    Tip tip;
    if (link.flex) {
      std::vector<int> shapes;
      for (const int k : link.flex->tip_coordinates) shapes.push_back(link.flex_v0() + k);
      tip = {link.flex.get(), 0, link.flex_q0(), link.flex_v0(), {}};
      if (link.flex->exact) {
        tip.rod = int(rods_.size());
        rods_.emplace_back(link);
        for (size_t s = 0; s + 1 < rods_.back().sections().size(); ++s) add_frame(joint.frame, shapes);
      }
      tip.frame = add_frame(joint.frame, shapes);
    }
    tips_.push_back(tip);
  }
}

template <class S>
int Frames<S>::add_frame(int carrier, const std::vector<int>& own) {
  Frame<S> frame;
  frame.carrier = carrier;
  if (!frames_.empty()) frame.speeds = frames_[carrier].speeds;
  frame.n_inherited = frame.n_speeds();
  frame.speeds.insert(frame.speeds.end(), own.begin(), own.end());
  frame.omega_r.setZero(3, frame.n_speeds());
  frame.v_r.setZero(3, frame.n_speeds());
  frames_.push_back(std::move(frame));
  return int(frames_.size()) - 1;
}

template <class S>
void Frames<S>::update(const State& q, const State& v, Instant t) {
  update_root(arm_.root(t), true);
  update_links(q, v);
}

template <class S>
void Frames<S>::update_at_rest(const State& q, Instant t) {
  update_root(arm_.root(t), false);
  update_links(q, rest_);
}

template <class S>
void Frames<S>::update_root(const RootMotion& motion, bool moving) {
  Frame<S>& root = frames_[0];
  root.omega.setZero();
  root.alpha_0.setZero();
  root.a_0.setZero();
  if (arm_.root_moves()) {
    root.R = unknown<S>(motion.X_WR.R);
    // ω_t and v_t of eqs 2, 3 are these; so are the accelerations they bring.
    if (moving) {
      root.omega = unknown<S>(motion.omega);
      root.alpha_0 = unknown<S>(motion.alpha);
      root.a_0 = unknown<S>(motion.acceleration);
    }
  } else {
    root.R = motion.X_WR.R.template cast<S>();
  }
  root.Gamma_0 = relative_acceleration(root.alpha_0, root.omega);
}

template <class S>
void Frames<S>::update_links(const State& q, const State& v) {
  for (int i = 0; i < arm_.n_links(); ++i) {
    update_joint(joints_[i], q, v);
    if (tips_[i].rod) {
      update_sections(tips_[i], q, v);
    } else if (tips_[i].flex) {
      update_tip(tips_[i], q, v);
    }
  }
}

template <class S>
void Frames<S>::update_joint(const JointOnCarrier& joint, const State& q, const State& v) {
  using std::cos, std::sin;
  Frame<S>& frame = frames_[joint.frame];
  const Frame<S>& carrier = frames_[frame.carrier];
  const Link& link = *joint.link;
  Matrix R_CB = joint.R_CF;
  Vector p_CB = joint.p_CF;
  if (!joint.axis && link.nv() > 0) return update_block(joint, q, v);
  if (joint.axis && joint.axis->turns) {
    R_CB = joint.R_axis + sin(q[link.q0]) * joint.R_sin + cos(q[link.q0]) * joint.R_cos;
    frame.omega_r.col(frame.n_inherited).noalias() = carrier.R * joint.axis_C;
  } else if (joint.axis) {
    p_CB += q[link.q0] * joint.axis_C;
    frame.v_r.col(frame.n_inherited).noalias() = carrier.R * joint.axis_C;
  }
  frame.R.noalias() = carrier.R * R_CB;
  move_with_carrier(frame, v, carrier.R * p_CB, Vector::Zero(), Vector::Zero());
}

/// A joint of any directions H, evaluated by itself: its partial velocities are R H. With u̇ = 0 they still change as M sees
/// them, by Ḣu, and the velocity H_v u turns with the joint's own H_ω u.
template <class S>
void Frames<S>::update_block(const JointOnCarrier& joint, const State& q, const State& v) {
  Frame<S>& frame = frames_[joint.frame];
  const Frame<S>& carrier = frames_[frame.carrier];
  const Link& link = *joint.link;
  const JointAt<S> at(link, q, v);
  frame.R.noalias() = carrier.R * (joint.R_CF * at.R_FM);
  Vector turn = Vector::Zero(), slide = Vector::Zero();
  for (int k = 0; k < link.nv(); ++k) {
    const Vector h_turn = at.H.col(k).template head<3>(), h_slide = at.H.col(k).template tail<3>();
    frame.omega_r.col(frame.n_inherited + k).noalias() = frame.R * h_turn;
    frame.v_r.col(frame.n_inherited + k).noalias() = frame.R * h_slide;
    turn += v[link.v0 + k] * h_turn;
    slide += v[link.v0 + k] * h_slide;
  }
  const Vector alpha_own = at.H_rate.template head<3>(), a_own = at.H_rate.template tail<3>() + turn.cross(slide);
  const Vector p_CB = joint.p_CF + joint.R_CF * at.p_FM;
  move_with_carrier(frame, v, carrier.R * p_CB, frame.R * alpha_own, frame.R * a_own);
}

template <class S>
void Frames<S>::update_tip(const Tip& tip, const State& q, const State& v) {
  Frame<S>& frame = frames_[tip.frame];
  const Frame<S>& link = frames_[frame.carrier];
  const FlexBasis& flex = *tip.flex;
  const int m = flex.size();
  const FlexTipOf<S> end(flex, q.segment(tip.q0, m));
  const auto shapes = end.shapes_in(link.R);
  for (size_t c = 0; c < flex.tip_coordinates.size(); ++c) {
    const int k = flex.tip_coordinates[c], r = frame.n_inherited + int(c);
    frame.omega_r.col(r) = shapes.turn(k);
    frame.v_r.col(r) = shapes.slide(k);
  }
  const auto rate = v.segment(tip.v0, m);
  frame.R.noalias() = link.R * end.R_BT();
  move_with_carrier(frame, v, link.R * end.p_BT, link.R * end.turn_bias(rate), link.R * end.slide_bias(rate));
}

/// The frames of an exact link's sections, which all its coordinates move.
template <class S>
void Frames<S>::update_sections(const Tip& tip, const State& q, const State& v) {
  SectionPoses<S>& poses = rods_[size_t(*tip.rod)];
  const int m = poses.size();
  poses.update(q.segment(tip.q0, m), v.segment(tip.v0, m));
  int i_frame = tip.frame - int(poses.sections().size());
  for (const auto& section : poses.sections()) {
    Frame<S>& frame = frames_[++i_frame];
    const Frame<S>& link = frames_[frame.carrier];
    for (int k = 0; k < m; ++k) {
      frame.omega_r.col(frame.n_inherited + k).noalias() = link.R * section.turn.col(k);
      frame.v_r.col(frame.n_inherited + k).noalias() = link.R * section.slide.col(k);
    }
    frame.R.noalias() = link.R * section.R;
    move_with_carrier(frame, v, link.R * section.p, link.R * section.turn_bias, link.R * section.slide_bias);
  }
}

/// Completes a frame at d from its carrier whose own partial velocities are set: with w and s its velocity relative to the
/// carrier, and α_own, a_own what of its relative acceleration remains with u̇ = 0,
///   ω_r, v_r + ω_r×d                                  for the carrier's speeds
///   α = α_C + ω_C×w + α_own                           a = a_C + Γ_C d + 2ω_C×s + a_own
template <class S>
void Frames<S>::move_with_carrier(Frame<S>& frame, const State& v, const Vector& d, const Vector& alpha_own,
                                  const Vector& a_own) {
  const Frame<S>& carrier = frames_[frame.carrier];
  for (int r = 0; r < frame.n_inherited; ++r) {
    const Vector omega_r = carrier.omega_r.col(r);
    frame.omega_r.col(r) = omega_r;
    frame.v_r.col(r) = carrier.v_r.col(r) + omega_r.cross(d);
  }
  Vector w = Vector::Zero(), s = Vector::Zero();
  for (int r = frame.n_inherited; r < frame.n_speeds(); ++r) {
    w += v[frame.speeds[r]] * frame.omega_r.col(r);
    s += v[frame.speeds[r]] * frame.v_r.col(r);
  }
  frame.omega = carrier.omega + w;
  frame.alpha_0 = carrier.alpha_0 + carrier.omega.cross(w) + alpha_own;
  frame.a_0 = carrier.a_0 + carrier.Gamma_0 * d + S(2) * carrier.omega.cross(s) + a_own;
  frame.Gamma_0 = relative_acceleration(frame.alpha_0, frame.omega);
}

template class Frames<double>;
template class Frames<Counted>;

}  // namespace lithe::kane
