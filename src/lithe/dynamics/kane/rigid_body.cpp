#include "lithe/dynamics/kane/bodies.h"
#include "lithe/spatial/counted.h"

namespace lithe::kane {

template <class S>
RigidBody<S>::RigidBody(const Frame<S>& frame, int i_frame, const RigidInertia& inertia)
    : i_frame_(i_frame),
      mass_(inertia.mass),
      com_(inertia.com().cast<S>()),
      inertia_com_(inertia.inertia_com().cast<S>()),
      v_r_(Eigen::Matrix3X<S>::Zero(3, frame.n_speeds())) {}

template <class S>
void RigidBody<S>::update(const Frame<S>& frame) {
  c_.noalias() = frame.R * com_;
  // R I Rᵀ is symmetric: six entries.
  const Eigen::Matrix3<S> R_I = frame.R * inertia_com_;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j <= i; ++j) I_(i, j) = I_(j, i) = R_I.row(i).dot(frame.R.row(j));
  for (int r = 0; r < frame.n_speeds(); ++r) {
    const Eigen::Vector3<S> omega_r = frame.omega_r.col(r);
    v_r_.col(r) = frame.v_r.col(r) + omega_r.cross(c_);
  }
}

template <class S>
void RigidBody<S>::add_inertia(const Frame<S>& frame, Eigen::MatrixX<S>& M) const {
  for (int s = 0; s < frame.n_speeds(); ++s) {
    const Eigen::Vector3<S> moment = I_ * frame.omega_r.col(s), force = mass_ * v_r_.col(s);
    for (int r = s; r < frame.n_speeds(); ++r)
      M(frame.speeds[r], frame.speeds[s]) += frame.omega_r.col(r).dot(moment) + v_r_.col(r).dot(force);
  }
}

template <class S>
void RigidBody<S>::add_remainder(const Frame<S>& frame, const Eigen::Vector3<S>& gravity,
                                 Eigen::Ref<Eigen::VectorX<S>> h) const {
  const Eigen::Vector3<S> I_omega = I_ * frame.omega;
  const Eigen::Vector3<S> moment = I_ * frame.alpha_0 + frame.omega.cross(I_omega);    // −T*, eq 5
  const Eigen::Vector3<S> force = mass_ * (frame.a_0 + frame.Gamma_0 * c_ - gravity);  // −F* of eq 6, and the weight
  for (int r = 0; r < frame.n_speeds(); ++r)
    h[frame.speeds[r]] += frame.omega_r.col(r).dot(moment) + v_r_.col(r).dot(force);  // eqs 4, 7
}

template class RigidBody<double>;
template class RigidBody<Counted>;

}  // namespace lithe::kane
