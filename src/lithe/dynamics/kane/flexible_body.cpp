#include "lithe/beam/shortening.h"
#include "lithe/dynamics/kane/bodies.h"
#include "lithe/spatial/counted.h"

namespace lithe::kane {

template <class S>
FlexibleBody<S>::FlexibleBody(const Frame<S>& frame, int i_frame, const Link& link)
    : i_frame_(i_frame),
      flex_(link.flex.get()),
      q0_(link.flex_q0()),
      v0_(link.flex_v0()),
      omega_r_(Eigen::Matrix3X<S>::Zero(3, frame.n_speeds())),
      v_r_(omega_r_) {}

template <class S>
void FlexibleBody<S>::update(const Frame<S>& frame, const Eigen::Ref<const Eigen::VectorX<S>>& q) {
  update_moments(*flex_, q.segment(q0_, flex_->size()), moments_);
  J_ = moments_.inertia(*flex_);
  for (int r = 0; r < frame.n_speeds(); ++r) {
    omega_r_.col(r).noalias() = frame.R.transpose() * frame.omega_r.col(r);
    v_r_.col(r).noalias() = frame.R.transpose() * frame.v_r.col(r);
  }
}

template <class S>
void FlexibleBody<S>::add_inertia(const Frame<S>& frame, Eigen::MatrixX<S>& M) const {
  const int n = frame.n_speeds(), m = flex_->size();
  const Eigen::Vector3<S>& s = moments_.s;
  // Frame with frame: ∫(v_r + ω_r×r)·(v_s + ω_s×r) dm.
  for (int c = 0; c < n; ++c) {
    const Eigen::Vector3<S> omega = omega_r_.col(c), v = v_r_.col(c);
    const Eigen::Vector3<S> moment = J_ * omega + s.cross(v), force = S(flex_->mass) * v + omega.cross(s);
    for (int r = c; r < n; ++r)
      M(frame.speeds[r], frame.speeds[c]) += omega_r_.col(r).dot(moment) + v_r_.col(r).dot(force);
  }
  // Shape with frame: ∫φ_k·(v_s + ω_s×r) dm; shape with shape: ∫φ_k·φ_l dm. Its own speeds come after its frame's.
  for (int k = 0; k < m; ++k) {
    const Eigen::Vector3<S> moment = moments_.angular(*flex_, k), force = moments_.linear(*flex_, k);
    for (int c = 0; c < n; ++c) M(v0_ + k, frame.speeds[c]) += moment.dot(omega_r_.col(c)) + force.dot(v_r_.col(c));
    for (SparseMatrixd::InnerIterator entry(flex_->M, k); entry; ++entry)
      if (entry.row() >= k) M(v0_ + entry.row(), v0_ + k) += entry.value();
  }
}

template <class S>
void FlexibleBody<S>::add_remainder(const Frame<S>& frame, const Eigen::Vector3<S>& gravity,
                                    const Eigen::Ref<const Eigen::VectorX<S>>& v,
                                    Eigen::Ref<Eigen::VectorX<S>> h) const {
  using Vector = Eigen::Vector3<S>;
  using Matrix = Eigen::Matrix3<S>;
  const int m = flex_->size();
  const auto rate = v.segment(v0_, m);
  const Vector omega = frame.R.transpose() * frame.omega, alpha = frame.R.transpose() * frame.alpha_0;
  // The weight has the partial velocities of the inertia force: a − g serves both.
  const Vector a = frame.R.transpose() * (frame.a_0 - gravity);
  const Matrix Gamma = relative_acceleration(alpha, omega);

  // A point accelerates by a + Γr + 2ω×u̇. Force and moment about B of that, with Ṗ = ∫r u̇ᵀ dm; the sections' own is in J and
  // in the H_k (docs/model.md):
  const Vector S_rate = moments_.linear_rate(*flex_, rate), H_rate = flex_->H.template cast<S>() * rate;
  Matrix P_rate;
  for (int i = 0; i < 3; ++i) P_rate.row(i).transpose().noalias() = moments_.P[i] * rate;
  Vector force = S(flex_->mass) * a + Gamma * moments_.s + S(2) * omega.cross(S_rate);
  const Vector spin = J_ * omega + H_rate;
  Vector moment = moments_.s.cross(a) + J_ * alpha + omega.cross(spin) +
                  S(2) * (P_rate.diagonal().sum() * omega - P_rate.transpose() * omega);
  if (flex_->shortening) {
    const Eigen::Vector<S, 6> bias = shortening_bias<S>(*flex_->shortening, rate);
    moment += bias.template head<3>();
    force += bias.template tail<3>();
  }
  for (int r = 0; r < frame.n_speeds(); ++r) h[frame.speeds[r]] += omega_r_.col(r).dot(moment) + v_r_.col(r).dot(force);

  // The same acceleration along the shapes: S_k·a + ∫φ_k·Γr dm + 2ω·∫u̇×φ_k dm.
  for (int k = 0; k < m; ++k) {
    // Of a section only H_k·α is left: its j is held in link axes.
    S along = a.dot(moments_.linear(*flex_, k)) + alpha.dot(flex_->H.col(k).template cast<S>());
    for (int i = 0; i < 3; ++i) along += Gamma.col(i).dot(moments_.P[i].col(k));
    h[v0_ + k] += along;
  }
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const SparseMatrixd& P = flex_->P[3 * i + j];  // (l, k) = ∫φ_l,i φ_k,j dm
      if (i == j || P.nonZeros() == 0) continue;
      const S twice = S((j - i + 3) % 3 == 1 ? 2 : -2) * omega[3 - i - j];
      for (int k = 0; k < m; ++k) {
        S sum = 0;
        for (SparseMatrixd::InnerIterator entry(P, k); entry; ++entry) sum += entry.value() * rate[entry.row()];
        h[v0_ + k] += twice * sum;
      }
    }
}

template class FlexibleBody<double>;
template class FlexibleBody<Counted>;

}  // namespace lithe::kane
