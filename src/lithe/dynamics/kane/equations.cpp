#include "lithe/dynamics/kane/equations.h"

#include "lithe/arm/passive_forces.h"
#include "lithe/spatial/counted.h"

namespace lithe::kane {
namespace {

bool has_inertia(const RigidInertia& body) { return body.mass > 0 || !body.J.isZero(0); }

}  // namespace

template <class S>
Equations<S>::Equations(const Arm& arm)
    : arm_(arm),
      frames_(arm),
      M_(Matrix::Zero(arm.nv(), arm.nv())),
      h_(Vector::Zero(arm.nv())),
      rest_(Vector::Zero(arm.nv())) {
  auto add_rigid = [&](int i_frame, const RigidInertia& body) {
    if (has_inertia(body)) rigid_.emplace_back(frames_[i_frame], i_frame, body);
  };
  for (int i = 0; i < arm.n_links(); ++i) {
    const Link& link = arm.link(i);
    const int i_frame = frames_.of_link(i);
    if (const auto* rod = frames_.sections(i)) {
      // Sections are rigid bodies, each with its own frame.
      int i_section = frames_.of_first_section(i);
      for (const auto& section : rod->sections()) add_rigid(i_section++, section.body);
      add_rigid(frames_.of_tip(i), link.payload_T);
    } else if (link.flex) {
      flexible_.emplace_back(frames_[i_frame], i_frame, link);
      add_rigid(frames_.of_tip(i), link.payload_T);
    } else {
      add_rigid(i_frame, link.whole_inertia());
    }
  }
}

template <class S>
void Equations<S>::update_bodies(const State& q) {
  for (RigidBody<S>& body : rigid_) body.update(frames_[body.i_frame()]);
  for (FlexibleBody<S>& body : flexible_) body.update(frames_[body.i_frame()], q);
}

template <class S>
void Equations<S>::assemble_mass() {
  M_.setZero();
  for (const RigidBody<S>& body : rigid_) body.add_inertia(frames_[body.i_frame()], M_);
  for (const FlexibleBody<S>& body : flexible_) body.add_inertia(frames_[body.i_frame()], M_);
  // Rotors count by their spin about their own joint alone, with a partial angular velocity of one.
  for (const Link& link : arm_.links())
    if (link.nv() == 1) M_(link.v0, link.v0) += link.rotor_inertia;
  for (int r = 0; r < M_.rows(); ++r)
    for (int s = 0; s < r; ++s) M_(s, r) = M_(r, s);
}

template <class S>
void Equations<S>::assemble_bias(const State& q, const State& v, Terms terms) {
  h_.setZero();
  if (has(terms, Terms::coriolis) || has(terms, Terms::gravity)) {
    const Eigen::Ref<const Vector> moving = has(terms, Terms::coriolis) ? v : State(rest_);
    Eigen::Vector3<S> gravity = Eigen::Vector3<S>::Zero();
    if (has(terms, Terms::gravity)) gravity = arm_.gravity().cast<S>();
    for (const RigidBody<S>& body : rigid_) body.add_remainder(frames_[body.i_frame()], gravity, h_);
    for (const FlexibleBody<S>& body : flexible_) body.add_remainder(frames_[body.i_frame()], gravity, moving, h_);
  }
  // Generalised active forces of springs, dampers and stiff links (eq 7): their speeds are coordinates' rates, so the
  // partial velocity is one.
  add_passive_forces<S>(arm_, q, v, has(terms, Terms::elastic), has(terms, Terms::damping), h_);
}

template <class S>
void Equations<S>::evaluate_mass(const State& q, Instant t) {
  frames_.update_at_rest(q, t);
  update_bodies(q);
  assemble_mass();
}

template <class S>
void Equations<S>::evaluate_bias(const State& q, const State& v, Instant t, Terms terms) {
  if (has(terms, Terms::coriolis)) {
    frames_.update(q, v, t);
  } else {
    frames_.update_at_rest(q, t);
  }
  update_bodies(q);
  assemble_bias(q, v, terms);
}

template <class S>
void Equations<S>::evaluate(const State& q, const State& v, Instant t, Terms terms) {
  evaluate_bias(q, v, t, terms);
  assemble_mass();
}

template class Equations<double>;
template class Equations<Counted>;

}  // namespace lithe::kane
