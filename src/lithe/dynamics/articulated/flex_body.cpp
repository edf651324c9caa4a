#include "lithe/dynamics/articulated/flex_body.h"

namespace lithe {

FlexBody::FlexBody(const Link& link, const Matrix3d& R_BN_)
    : q0(link.flex_q0()), v0(link.flex_v0()), R_BN(R_BN_), payload_T(link.payload_T), basis_(link.flex) {
  const int m = link.n_flex();
  Phi.setZero(6, m);
  Phi.bottomRows<3>() = basis_->tip_phi;
  N.setZero(6, m);
  M_Bf_.setZero(6, m);
  M_Bf_.bottomRows<3>() = basis_->S;
  if (basis_->exact) rod_.emplace(basis_->exact);
  p_f.setZero(m);
  rate_.setZero(m);
  delta_dd_.setZero(m);
  PPhi_.setZero(6, m);
  update_moments(*basis_, VectorXd::Zero(m), moments_);  // sizes them
}

void FlexBody::place(const State& state) {
  P_T = blocks_of(payload_T);
  const auto delta = state.q.segment(q0, size());
  if (rod_) {
    rod_->place(delta.data());
    X_BT = rod_->X_BT();
    const RigidInertia own = rod_->inertia();
    J_ = own.J;
    s_ = own.first_moment;
    for (int k = 0; k < size(); ++k) {
      Phi.col(k) << rod_->tip_turn(k), rod_->tip_slide(k);
      M_Bf_.col(k) << rod_->angular(k), rod_->linear(k);
    }
    return;
  }
  const FlexTip tip(*basis_, delta);
  turn_ = tip.turn;
  X_BT = tip.X_BT();
  Phi.topRows<3>().noalias() = turn_.left_jacobian() * basis_->tip_psi;
  update_moments(*basis_, delta, moments_);
  J_ = moments_.inertia(*basis_);
  for (int k = 0; k < size(); ++k) M_Bf_.col(k).head<3>() = moments_.angular(*basis_, k);
  if (basis_->shortening) {
    for (int k = 0; k < size(); ++k) M_Bf_.col(k).tail<3>() = moments_.linear(*basis_, k);
    tip.set_shapes(Matrix3d::Identity(), Phi);
  }
  s_ = moments_.s;
}

void FlexBody::stand() {
  omega_T.setZero();
  zeta_.setZero();
  p_B_.setZero();
  p_f.setZero();
  moment_T.setZero();
  force_T.setZero();
}

void FlexBody::move(const State& state, const Vector3d& omega_N) {
  const FlexBasis& b = *basis_;
  const Vector3d w = R_BN * omega_N, &p = X_BT.p;
  rate_ = state.v.segment(v0, size());
  if (rod_) {
    rod_->move(w, rate_.data());
    const RodSectionMotion tip = rod_->tip_motion();
    zeta_ << tip.zeta_angular, tip.zeta_linear;
    omega_T = X_BT.R.transpose() * tip.spin;
    p_B_ = rod_->bias();
    for (int k = 0; k < size(); ++k) p_f[k] = rod_->bias_of(k);
    spin_payload();
    return;
  }
  const Vector3d theta_rate = b.tip_psi * rate_;
  const Vector3d u_rate = b.shortening ? Vector3d(Phi.bottomRows<3>() * rate_) : Vector3d(b.tip_phi * rate_);
  const Vector3d w_rel = turn_.left_jacobian() * theta_rate;
  zeta_ << w.cross(w_rel) + turn_.left_jacobian_derivative(theta_rate, theta_rate),
      w.cross(w.cross(p)) + 2 * w.cross(u_rate);
  if (b.shortening) zeta_[3] -= squared<double>(b.shortening->tip, rate_);
  omega_T = X_BT.R.transpose() * (w + w_rel);

  // (8): with Ṗ = ∫r u̇ᵀ, ∫r×(ω×u̇) = tr(Ṗ)ω − Ṗᵀω
  Matrix3d P_rate;
  for (int a = 0; a < 3; ++a) P_rate.row(a).noalias() = (moments_.P[a] * rate_).transpose();
  const Vector3d H_rate = b.H * rate_, S_rate = moments_.linear_rate(b, rate_);
  p_B_ << w.cross(J_ * w + H_rate) + 2 * (P_rate.trace() * w - P_rate.transpose() * w),
      w.cross(w.cross(moments_.s)) + 2 * w.cross(S_rate);
  if (b.shortening) p_B_ += shortening_bias<double>(*b.shortening, rate_);

  // (9): ∫φ_k·(ω×(ω×r)) by Ω² and P_k; ∫φ_k·(ω×u̇) = ω·Σ_l δ̇_l ∫φ_l×φ_k
  const Matrix3d W2 = w * w.transpose() - w.squaredNorm() * Matrix3d::Identity();
  p_f.setZero();
  for (int a = 0; a < 3; ++a) p_f.noalias() += moments_.P[a].transpose() * W2.col(a);
  for (int c = 0; c < 3; ++c) {
    const int a = (c + 1) % 3, d = (c + 2) % 3;
    const SparseMatrixd &plus = b.P[3 * a + d], &minus = b.P[3 * d + a];
    for (int k = 0; k < size(); ++k) {
      double sum = 0;
      for (SparseMatrixd::InnerIterator entry(plus, k); entry; ++entry) sum += entry.value() * rate_[entry.row()];
      for (SparseMatrixd::InnerIterator entry(minus, k); entry; ++entry) sum -= entry.value() * rate_[entry.row()];
      p_f[k] += 2 * w[c] * sum;
    }
  }
  spin_payload();
}

void FlexBody::spin_payload() {
  moment_T = omega_T.cross(payload_T.J * omega_T);
  force_T = omega_T.cross(omega_T.cross(payload_T.first_moment));
}

void FlexBody::outboard_in_B() {
  const Matrix3d& R = X_BT.R;
  const Matrix3d H = R * P_T.H * R.transpose();
  P6_ << turned(R, P_T.J), H, H.transpose(), turned(R, P_T.M);
  p6_ << R * moment_T, R * force_T;
}

Vector6d FlexBody::to_B(const Vector6d& wrench) const {
  return stacked(wrench.head<3>() + X_BT.p.cross(wrench.tail<3>()), wrench.tail<3>());
}

Vector6d FlexBody::to_tip(const Vector6d& A_B) const {
  return stacked(A_B.head<3>(), A_B.tail<3>() + A_B.head<3>().cross(X_BT.p));
}

void FlexBody::compose() {
  outboard_in_B();
  PPhi_.noalias() = P6_ * Phi;
  for (int k = 0; k < size(); ++k) N.col(k) = M_Bf_.col(k) + to_B(PPhi_.col(k));
  BlockInertia P{J_, skew(s_), basis_->mass * Matrix3d::Identity()};
  add_moved(Matrix3d::Identity(), X_BT.p,
            {P6_.topLeftCorner<3, 3>(), P6_.topRightCorner<3, 3>(), P6_.bottomRightCorner<3, 3>()}, P);
  const Matrix3d R = R_BN.transpose();
  P_N = {turned(R, P.J), R * P.H * R.transpose(), turned(R, P.M)};
}

void FlexBody::set_own_inertia(Eigen::Ref<MatrixXd> F) const {
  if (rod_) {
    for (int k = 0; k < size(); ++k)
      for (int l = 0; l < size(); ++l) F(k, l) = rod_->M_ff(k, l);
  } else {
    F = basis_->M;
  }
  // Only coordinates that move the tip are affected by what it carries.
  for (const int l : basis_->tip_coordinates)
    for (const int k : basis_->tip_coordinates) F(k, l) += Phi.col(k).dot(PPhi_.col(l));
}

void FlexBody::add_own_inertia_times(const VectorXd& accelerations, Eigen::Ref<VectorXd> force) const {
  if (!rod_) {
    force.noalias() += basis_->M * accelerations;
    return;
  }
  for (int k = 0; k < size(); ++k)
    for (int l = 0; l < size(); ++l) force[k] += rod_->M_ff(k, l) * accelerations[l];
}

void FlexBody::set_tip_acceleration(const Vector6d& A) {
  A_ = A;
  alpha_T = X_BT.R.transpose() * A.head<3>();
  a_T = X_BT.R.transpose() * A.tail<3>();
}

void FlexBody::prescribe(const Vector3d& alpha_N, const Vector3d& a_N, const double* vdot) {
  A_B_ << R_BN * alpha_N, R_BN * a_N;
  Vector6d A = to_tip(A_B_) + zeta_;
  if (vdot != nullptr) {
    delta_dd_ = Eigen::Map<const VectorXd>(own(vdot), size());
    A.noalias() += Phi * delta_dd_;
  } else {
    delta_dd_.setZero();
  }
  set_tip_acceleration(A);
  moment_T += payload_T.J * alpha_T + payload_T.first_moment.cross(a_T);
  force_T += payload_T.mass * a_T + alpha_T.cross(payload_T.first_moment);
}

void FlexBody::collect(double* tau) {
  p6_ << X_BT.R * moment_T, X_BT.R * force_T;
  Eigen::Map<VectorXd> force(tau + v0, size());
  force = p_f;
  force.noalias() += M_Bf_.transpose() * A_B_;
  add_own_inertia_times(delta_dd_, force);
  force.noalias() += Phi.transpose() * p6_;
  const Vector3d alpha = A_B_.head<3>(), a = A_B_.tail<3>();
  Vector6d wrench = p_B_ + to_B(p6_);
  wrench.noalias() += M_Bf_ * delta_dd_;
  wrench.head<3>() += J_ * alpha + s_.cross(a);
  wrench.tail<3>() += basis_->mass * a + alpha.cross(s_);
  moment_N = R_BN.transpose() * wrench.head<3>();
  force_N = R_BN.transpose() * wrench.tail<3>();
}

}  // namespace lithe
