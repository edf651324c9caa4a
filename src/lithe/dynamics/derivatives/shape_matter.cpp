#include "lithe/dynamics/derivatives/shape_matter.h"

#include <algorithm>

#include "lithe/beam/flex_forces.h"
#include "lithe/beam/shortening.h"
#include "lithe/dynamics/derivatives/motion_cross.h"
#include "lithe/dynamics/derivatives/tip_turn_slopes.h"

namespace lithe {
namespace {

using Rows9 = Eigen::Matrix<double, 9, Eigen::Dynamic>;

Matrix3d matrix_of(const Rows9& rows, int k) {
  return Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(rows.col(k).data());
}

}  // namespace

ShapeMatter::ShapeMatter(const Link& link) : FlexibleMatter(link), tip_turn_(Vector3d::Zero()) {
  const int m = link.n_flex();
  momentum.bottomRows<3>() = basis().S;
  P_rate_.setZero(9, m);
  P_acceleration_.setZero(9, m);
  felt_.setZero(3, m);
  const std::vector<int>& moving = basis().tip_coordinates;
  if (moving.empty()) return;
  const auto [first, last] = std::minmax_element(moving.begin(), moving.end());
  tip_first_ = *first;
  tip_count_ = *last - *first + 1;
}

void ShapeMatter::update(const Link& link, const State& state, const double* vdot, const Kinematics& kinematics,
                         int i_link, const LinkMotion& motion, const Vector3d& origin) {
  move_mass(link, state, vdot, kinematics.moments[size_t(i_link)], motion);
  move_tip(link, state, vdot, kinematics.X_WB[size_t(i_link)].R, kinematics.tip_shapes_W[size_t(i_link)],
           kinematics.X_WT[size_t(i_link)].p - origin);
}

void ShapeMatter::move_mass(const Link& link, const State& state, const double* vdot, const FlexMoments& moments,
                            const LinkMotion& motion) {
  const auto& [omega, v, alpha, a] = motion;
  const FlexBasis& flex = basis();
  const int m = flex.size();
  const auto rate = state.v.segment(link.flex_v0(), m);
  const Eigen::Map<const VectorXd> acceleration(vdot + link.flex_v0(), m);
  omega_ = omega;
  a_ = a;
  Gamma_ = skew(alpha) + omega * omega.transpose() - omega.squaredNorm() * Matrix3d::Identity();

  P_rate_.setZero();
  P_acceleration_.setZero();
  for (int ab = 0; ab < 9; ++ab)
    for (int l = 0; l < m; ++l)
      for (SparseMatrixd::InnerIterator entry(flex.P[ab], l); entry; ++entry) {
        P_rate_(ab, entry.row()) += entry.value() * rate[l];
        P_acceleration_(ab, entry.row()) += entry.value() * acceleration[l];
      }

  inertia = {flex.mass, moments.s, moments.inertia(flex)};
  Matrix3d P_dot;
  for (int i = 0; i < 3; ++i) P_dot.row(i).noalias() = (moments.P[i] * rate).transpose();
  const Vector3d H_rate = flex.H * rate, S_rate = moments.linear_rate(flex, rate);
  coriolis.topRows<3>() = 2 * (P_dot.trace() * Matrix3d::Identity() - P_dot.transpose()) - skew(H_rate);
  coriolis.bottomRows<3>() = -2 * skew(S_rate);

  relative.setZero();
  force.setZero();
  for (int k = 0; k < m; ++k) {
    Matrix3d P, P0;
    for (int i = 0; i < 3; ++i) {
      P.row(i) = moments.P[i].col(k).transpose();
      P0.row(i) = flex.P0[i].col(k).transpose();
    }
    const Matrix3d along_rate = matrix_of(P_rate_, k), along_acceleration = matrix_of(P_acceleration_, k);
    const Vector3d S = moments.linear(flex, k), H = flex.H.col(k);
    momentum.col(k) << axial(P) + H, S;
    relative += acceleration[k] * momentum.col(k);
    // Under `first-order` J lacks its terms in δ², and nothing else does.
    const Matrix3d& half = flex.quadratic_inertia ? P : P0;
    const Matrix3d dSigma = half + half.transpose();
    const Matrix3d dJ = dSigma.trace() * Matrix3d::Identity() - dSigma;
    by_position.col(k) << dJ * alpha + S.cross(a) + omega.cross(dJ * omega) + 2 * swept(along_rate, omega) +
                              axial(along_acceleration),
        Gamma_ * S;
    by_rate.col(k) << 2 * swept(P, omega) + omega.cross(H), 2 * omega.cross(S);
    const Vector3d relative_spin = -axial(along_rate);  // ∫u̇×φ_k
    by_turning.col(k) = 2 * v.cross(S) + 2 * (P * omega - P.trace() * omega) + omega.cross(H) + 2 * relative_spin;
    // ∫φ_k·ω×(ω×r) by the symmetric part of Γ
    force[k] = momentum.col(k).head<3>().dot(alpha) + S.dot(a) + omega.dot(P * omega) -
               omega.squaredNorm() * P.trace() + 2 * omega.dot(relative_spin);
    for (SparseMatrixd::InnerIterator entry(flex.M, k); entry; ++entry)
      force[k] += entry.value() * acceleration[entry.row()];
  }
  if (flex.shortening) shorten(rate, acceleration);
}

/// What `stiffening` adds beyond its parts of s, Σ, P_k and S_k: (5) of beam/shortening.h and how S_k and P_k change, against relative motion.
void ShapeMatter::shorten(const Eigen::Ref<const VectorXd>& rate, const Eigen::Ref<const VectorXd>& acceleration) {
  const Shortening& shortening = *basis().shortening;
  relative += shortening_bias<double>(shortening, rate);
  Drawn<double> by_rates, by_accelerations;
  draw_in<double>(shortening.mass, rate, by_rates);
  draw_in<double>(shortening.mass, acceleration, by_accelerations);
  const Vector3d across = omega_.cross(Vector3d::UnitX());
  for (int k = 0; k < basis().size(); ++k) {
    by_position.col(k).tail<3>() -= 2 * by_rates[k] * across + by_accelerations[k] * Vector3d::UnitX();
    by_rate(3, k) -= 2 * by_rates[k];
  }
  for (int i = 0; i < 3; ++i) {
    const SparseMatrixd& G = shortening.moment[size_t(i)];
    if (G.nonZeros() == 0) continue;
    draw_in<double>(G, rate, by_rates);
    draw_in<double>(G, acceleration, by_accelerations);
    const Matrix3d unit = Vector3d::Unit(i) * Vector3d::UnitX().transpose();
    const Vector3d turned = 2 * swept(unit, omega_), spun = axial(unit);
    for (int k = 0; k < basis().size(); ++k) {
      by_position.col(k).head<3>() -= by_rates[k] * turned + by_accelerations[k] * spun;
      by_rate.col(k).head<3>() -= 2 * by_rates[k] * spun;
    }
  }
}

void ShapeMatter::move_tip(const Link& link, const State& state, const double* vdot, const Matrix3d& R,
                           const Matrix6Xd& shapes, const Vector3d& x) {
  const FlexBasis& flex = basis();
  const int m = flex.size();
  const auto rate = state.v.segment(link.flex_v0(), m);
  const Eigen::Map<const VectorXd> acceleration(vdot + link.flex_v0(), m);
  tip_turn_ = ExpMap(flex.tip_psi * state.q.segment(link.flex_q0(), m));
  const TipTurnSlopes slopes(tip_turn_, flex.tip_psi * rate, flex.tip_psi * acceleration);

  const Vector6d relative_rate = shapes * rate, relative_acceleration = shapes * acceleration;
  const Vector3d w = relative_rate.head<3>(), u = relative_rate.tail<3>();
  const Vector3d alpha = relative_acceleration.head<3>(), z = R * slopes.convective;
  tip_V = motion_about_origin(w, u, x);
  tip_A = motion_about_origin(alpha + z, Vector3d(relative_acceleration.tail<3>()), x) -
          stacked(Vector3d::Zero(), w.cross(u));
  Drawn<double> drawn_rate, drawn_acceleration;  // of `stiffening`, which draws the tip in along R e_x
  if (flex.shortening) {
    draw_in<double>(flex.shortening->tip, rate, drawn_rate);
    draw_in<double>(flex.shortening->tip, acceleration, drawn_acceleration);
    tip_A.tail<3>() -= drawn_rate.dot(rate) * R.col(0);
  }

  const Matrix3d R_rate = R * slopes.rate, R_second = R * (slopes.acceleration + slopes.convective_slope),
                 R_along = R * slopes.along_rate;
  for (int k = tip_first_; k < tip_first_ + tip_count_; ++k) {
    const Vector3d psi = flex.tip_psi.col(k), turn = shapes.col(k).head<3>(), slide = shapes.col(k).tail<3>();
    const Vector3d turned = R_rate * psi, second = R_second * psi;
    tip_E.col(k) = motion_about_origin(turned, Vector3d(-w.cross(slide)), x);
    tip_G.col(k) = motion_about_origin(second, Vector3d(-(alpha + z).cross(slide) - turned.cross(u)), x);
    tip_Z.col(k) = motion_about_origin(turned + R_along * psi, Vector3d(-w.cross(slide) - turn.cross(u)), x);
    if (!flex.shortening) continue;
    const Vector3d slid = -drawn_rate[k] * R.col(0);
    tip_E.col(k).tail<3>() += slid;
    tip_G.col(k).tail<3>() -= w.cross(slid) + drawn_acceleration[k] * R.col(0);
    tip_Z.col(k).tail<3>() += 2 * slid;
  }
}

void ShapeMatter::hold_tip_wrench(const Vector3d& moment_B, const Vector3d& force_B) {
  thrust_ = force_B.x();
  const Matrix3d turning = projected_turn_slope(tip_turn_, moment_B);
  for (int l = tip_first_; l < tip_first_ + tip_count_; ++l) felt_.col(l) = turning * basis().tip_psi.col(l);
}

double ShapeMatter::tip_felt(int k, int l) const {
  const double turned = basis().tip_psi.col(k).dot(felt_.col(l));
  return basis().shortening ? turned - basis().shortening->tip.coeff(k, l) * thrust_ : turned;
}

void ShapeMatter::add_slopes(const Eigen::Ref<const VectorXd>& delta, Eigen::Ref<MatrixXd> by_position_block,
                             Eigen::Ref<MatrixXd> by_rate_block) const {
  const FlexBasis& flex = basis();
  const Matrix3d twice = 2 * skew(omega_);
  // ∫φ_k·Γφ_l and 2∫φ_k·(ω×φ_l)
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const SparseMatrixd& P = flex.P[3 * i + j];
      for (int l = 0; l < P.outerSize(); ++l)
        for (SparseMatrixd::InnerIterator entry(P, l); entry; ++entry) {
          by_position_block(entry.row(), l) += Gamma_(i, j) * entry.value();
          by_rate_block(entry.row(), l) += twice(i, j) * entry.value();
        }
    }
  if (flex.shortening) {
    const auto add = [&](const SparseMatrixd& G, double by) {
      for (int l = 0; l < G.outerSize(); ++l)
        for (SparseMatrixd::InnerIterator entry(G, l); entry; ++entry)
          by_position_block(entry.row(), l) -= by * entry.value();
    };
    add(flex.shortening->mass, a_.x());
    for (int i = 0; i < 3; ++i) add(flex.shortening->moment[size_t(i)], Gamma_(0, i));
  }
  auto into = [](Eigen::Ref<MatrixXd>& block) {
    return [&block](int row, int column, double value) { block(row, column) += value; };
  };
  elastic_slopes(flex, delta, into(by_position_block));
  damping_slopes(flex, delta, into(by_rate_block));
}

}  // namespace lithe
