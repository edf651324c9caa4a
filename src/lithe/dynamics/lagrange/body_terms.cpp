#include "lithe/dynamics/lagrange/body_terms.h"

#include <algorithm>

namespace lithe {
namespace {

/// −[ξ_i, ξ_j] of (2).
Vector6d minus_bracket(const Vector6d& xi_i, const Vector6d& xi_j) {
  const Vector3d w_i = xi_i.head<3>(), v_i = xi_i.tail<3>(), w_j = xi_j.head<3>(), v_j = xi_j.tail<3>();
  Vector6d column;
  column << w_j.cross(w_i), w_j.cross(v_i) + v_j.cross(w_i);
  return column;
}

/// ∫φ_k×φ_l dm for all pairs, from P_kl = ∫φ_kφ_lᵀ dm.
std::vector<Matrix3Xd> cross_moments(const FlexBasis& flex) {
  const int n = flex.size();
  std::vector<Matrix3Xd> cross(n, Matrix3Xd::Zero(3, n));
  for (int c = 0; c < 3; ++c) {
    const int a = (c + 1) % 3, b = (c + 2) % 3;
    const MatrixXd component = flex.P[3 * a + b] - flex.P[3 * b + a];
    for (int k = 0; k < n; ++k) cross[k].row(c) = component.row(k);
  }
  return cross;
}

}  // namespace

BodyTerms::BodyTerms(int i_link, bool at_tip, const RigidInertia& inertia, const FlexBasis* flex,
                     std::vector<int> columns, int n_carriers)
    : i_link_(i_link),
      at_tip_(at_tip),
      inertia_(inertia),
      flex_(flex),
      columns_(std::move(columns)),
      n_carriers_(n_carriers) {
  const int n = int(columns_.size());
  xi_.setZero(6, n_carriers_);
  d_xi_.setZero(6, n_carriers_);
  h_.setZero(6, n);
  d_h_.setZero(6, n);
  product_.setZero(n_carriers_, n);
  if (flex_) cross_ = cross_moments(*flex_);
}

BodyTerms BodyTerms::rigid(int i_link, bool at_tip, const RigidInertia& inertia, std::vector<int> carriers) {
  const int n = int(carriers.size());
  return {i_link, at_tip, inertia, nullptr, std::move(carriers), n};
}

BodyTerms BodyTerms::bent(int i_link, const FlexBasis& flex, std::vector<int> carriers, int own0) {
  const int n = int(carriers.size());
  for (int k = 0; k < flex.size(); ++k) carriers.push_back(own0 + k);
  return {i_link, false, flex.undeformed(), &flex, std::move(carriers), n};
}

void BodyTerms::update(const Kinematics& kin, const ScrewTable& screws) {
  X_WB_ = at_tip_ ? kin.X_WT[i_link_] : kin.X_WB[i_link_];
  for (int c = 0; c < n_carriers_; ++c) xi_.col(c) = screws[columns_[c]].seen_from(X_WB_);
  if (flex_) {
    moments_ = &kin.moments[i_link_];
    inertia_ = {flex_->mass, moments_->s, moments_->inertia(*flex_)};
    for (int k = 0; k < n_own(); ++k) h_.col(n_carriers_ + k) << moments_->angular(*flex_, k), flex_->S.col(k);
  }
  h_.leftCols(n_carriers_).noalias() = inertia_.matrix() * xi_;
}

void BodyTerms::add_product(MatrixXd& sum) const {
  for (int d = 0; d < int(columns_.size()); ++d)
    for (int c = 0; c < n_carriers_; ++c) {
      sum(columns_[c], columns_[d]) += product_(c, d);
      if (d >= n_carriers_) sum(columns_[d], columns_[c]) += product_(c, d);
    }
}

void BodyTerms::add_mass_matrix(MatrixXd& D) {
  product_.noalias() = xi_.transpose() * h_;
  add_product(D);
  if (!flex_) return;
  for (int l = 0; l < n_own(); ++l)
    for (SparseMatrixd::InnerIterator entry(flex_->M, l); entry; ++entry)
      D(columns_[n_carriers_ + int(entry.row())], columns_[n_carriers_ + l]) += entry.value();
}

void BodyTerms::add_mass_slope(int i, const ScrewTable& screws, MatrixXd& dD) {
  const auto found = std::lower_bound(columns_.begin(), columns_.end(), i);
  if (found == columns_.end() || *found != i) return;
  const int place = int(found - columns_.begin());
  if (place < n_carriers_) {
    add_carried_slope(place, screws, dD);
  } else {
    add_bent_slope(place - n_carriers_, dD);
  }
}

void BodyTerms::add_carried_slope(int place, const ScrewTable& screws, MatrixXd& dD) {
  // Slopes of the columns up to and including those of i's own link; the rest do not change.
  const int i = columns_[place];
  int n = 0;
  for (; n < n_carriers_; ++n) {
    const int j = columns_[n];
    if (screws.share_tip(i, j)) {
      d_xi_.col(n) = screws.slope(i, j).seen_from(X_WB_);
    } else if (j < i) {
      d_xi_.col(n) = minus_bracket(xi_.col(place), xi_.col(n));
    } else {
      break;
    }
  }
  // d_kj = ξ_k·M ξ_j with M unchanged: ∂ξ_k·h_j and its transpose.
  product_.topRows(n).noalias() = d_xi_.leftCols(n).transpose() * h_;
  for (int d = 0; d < int(columns_.size()); ++d)
    for (int c = 0; c < n; ++c) {
      dD(columns_[c], columns_[d]) += product_(c, d);
      dD(columns_[d], columns_[c]) += product_(c, d);
    }
}

void BodyTerms::add_bent_slope(int k, MatrixXd& dD) {
  // (3)
  Matrix3d dSigma;
  for (int a = 0; a < 3; ++a) dSigma.row(a) = moments_->P[a].col(k).transpose();
  dSigma += dSigma.transpose().eval();
  const RigidInertia slope{0, flex_->S.col(k), dSigma.trace() * Matrix3d::Identity() - dSigma};
  d_h_.leftCols(n_carriers_).noalias() = slope.matrix() * xi_;
  d_h_.topRightCorner(3, n_own()) = cross_[k];
  product_.noalias() = xi_.transpose() * d_h_;
  add_product(dD);
}

void BodyTerms::add_gravity(const Vector3d& gravity, VectorXd& g) const {
  const Vector3d gravity_B = X_WB_.R.transpose() * gravity;
  for (int d = 0; d < int(columns_.size()); ++d) g[columns_[d]] -= gravity_B.dot(h_.col(d).tail<3>());
}

}  // namespace lithe
