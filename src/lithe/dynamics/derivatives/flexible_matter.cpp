#include "lithe/dynamics/derivatives/flexible_matter.h"

#include "lithe/beam/flex_forces.h"
#include "lithe/beam/shortening.h"
#include "lithe/dynamics/derivatives/motion_cross.h"

namespace lithe {
namespace {

using Rows9 = Eigen::Matrix<double, 9, Eigen::Dynamic>;

Matrix3d matrix_of(const Rows9& rows, int k) {
  return Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(rows.col(k).data());
}

}  // namespace

FlexibleMatter::FlexibleMatter(const Link& link) : basis_(link.flex.get()) {
  const int m = link.n_flex();
  momentum.setZero(6, m);
  momentum.bottomRows<3>() = basis_->S;
  by_position.setZero(6, m);
  by_rate.setZero(6, m);
  by_turning.setZero(3, m);
  force.setZero(m);
  P_rate_.setZero(9, m);
  P_acceleration_.setZero(9, m);
}

void FlexibleMatter::update(const Link& link, const State& state, const double* vdot, const FlexMoments& moments,
                            const Vector3d& omega, const Vector3d& v, const Vector3d& alpha, const Vector3d& a) {
  const FlexBasis& flex = *basis_;
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
void FlexibleMatter::shorten(const Eigen::Ref<const VectorXd>& rate, const Eigen::Ref<const VectorXd>& acceleration) {
  const Shortening& shortening = *basis_->shortening;
  relative += shortening_bias<double>(shortening, rate);
  Drawn<double> by_rates, by_accelerations;
  draw_in<double>(shortening.mass, rate, by_rates);
  draw_in<double>(shortening.mass, acceleration, by_accelerations);
  const Vector3d across = omega_.cross(Vector3d::UnitX());
  for (int k = 0; k < basis_->size(); ++k) {
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
    for (int k = 0; k < basis_->size(); ++k) {
      by_position.col(k).head<3>() -= by_rates[k] * turned + by_accelerations[k] * spun;
      by_rate.col(k).head<3>() -= 2 * by_rates[k] * spun;
    }
  }
}

void FlexibleMatter::add_slopes(const Eigen::Ref<const VectorXd>& delta, Eigen::Ref<MatrixXd> by_position_block,
                                Eigen::Ref<MatrixXd> by_rate_block) const {
  const FlexBasis& flex = *basis_;
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
