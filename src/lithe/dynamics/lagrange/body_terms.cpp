#include "lithe/dynamics/lagrange/body_terms.h"

#include <algorithm>

#include "lithe/spatial/counted.h"

namespace lithe::lagrange {
namespace {

/// [[J, [s]×], [−[s]×, m 1]]
template <class S>
Eigen::Matrix<S, 6, 6> inertia_matrix(const S& m, const Eigen::Vector3<S>& s, const Eigen::Matrix3<S>& J) {
  const Eigen::Matrix3<S> skew_s = cross_matrix<S>(s);
  Eigen::Matrix<S, 6, 6> M;
  M << J, skew_s, -skew_s, m * Eigen::Matrix3<S>::Identity();
  return M;
}

/// ∫φ_k×φ_l dm for all pairs, from P_kl = ∫φ_kφ_lᵀ dm.
template <class S>
std::vector<Eigen::Matrix3X<S>> cross_moments(const FlexBasis& flex) {
  const int n = flex.size();
  std::vector<Eigen::Matrix3X<S>> cross(n, Eigen::Matrix3X<S>::Zero(3, n));
  for (int c = 0; c < 3; ++c) {
    const int a = (c + 1) % 3, b = (c + 2) % 3;
    const MatrixXd component = flex.P[3 * a + b] - flex.P[3 * b + a];
    for (int k = 0; k < n; ++k) cross[k].row(c) = component.row(k).cast<S>();
  }
  return cross;
}

}  // namespace

template <class S>
BodyTerms<S>::BodyTerms(int i_link, bool at_tip, const RigidInertia& inertia, const FlexBasis* flex,
                        std::vector<int> columns, int n_carriers)
    : i_link_(i_link),
      at_tip_(at_tip),
      M_BB_(inertia.matrix().cast<S>()),
      flex_(flex),
      columns_(std::move(columns)),
      n_carriers_(n_carriers) {
  const int n = int(columns_.size());
  xi_.setZero(6, n_carriers_);
  d_xi_.setZero(6, n_carriers_);
  h_.setZero(6, n);
  d_h_.setZero(6, n);
  product_.setZero(n_carriers_, n);
  if (flex_) cross_ = cross_moments<S>(*flex_);
}

template <class S>
BodyTerms<S> BodyTerms<S>::rigid(int i_link, bool at_tip, const RigidInertia& inertia, std::vector<int> carriers) {
  const int n = int(carriers.size());
  return {i_link, at_tip, inertia, nullptr, std::move(carriers), n};
}

template <class S>
BodyTerms<S> BodyTerms<S>::bent(int i_link, const FlexBasis& flex, std::vector<int> carriers, int own0) {
  const int n = int(carriers.size());
  for (int k = 0; k < flex.size(); ++k) carriers.push_back(own0 + k);
  return {i_link, false, flex.undeformed(), &flex, std::move(carriers), n};
}

template <class S>
void BodyTerms<S>::update(const ScrewTable<S>& screws) {
  X_WB_ = at_tip_ ? screws.X_WT(i_link_) : screws.X_WB(i_link_);
  for (int c = 0; c < n_carriers_; ++c) xi_.col(c) = screws[columns_[c]].seen_from(X_WB_);
  if (flex_) {
    moments_ = &screws.moments(i_link_);
    M_BB_ = inertia_matrix<S>(flex_->mass, moments_->s, moments_->inertia(*flex_));
    for (int k = 0; k < n_own(); ++k)
      h_.col(n_carriers_ + k) << moments_->angular(*flex_, k), flex_->S.col(k).template cast<S>();
  }
  h_.leftCols(n_carriers_).noalias() = M_BB_ * xi_;
}

template <class S>
void BodyTerms<S>::add_product(Eigen::MatrixX<S>& sum) const {
  for (int d = 0; d < int(columns_.size()); ++d)
    for (int c = 0; c < n_carriers_; ++c) {
      sum(columns_[c], columns_[d]) += product_(c, d);
      if (d >= n_carriers_) sum(columns_[d], columns_[c]) += product_(c, d);
    }
}

template <class S>
void BodyTerms<S>::add_mass_matrix(Eigen::MatrixX<S>& D) {
  product_.noalias() = xi_.transpose() * h_;
  add_product(D);
  if (!flex_) return;
  for (int l = 0; l < n_own(); ++l)
    for (SparseMatrixd::InnerIterator entry(flex_->M, l); entry; ++entry)
      D(columns_[n_carriers_ + int(entry.row())], columns_[n_carriers_ + l]) += entry.value();
}

template <class S>
void BodyTerms<S>::add_mass_slope(int i, const ScrewTable<S>& screws, Eigen::MatrixX<S>& dD) {
  const auto found = std::lower_bound(columns_.begin(), columns_.end(), i);
  if (found == columns_.end() || *found != i) return;
  const int place = int(found - columns_.begin());
  if (place < n_carriers_) {
    add_carried_slope(place, screws, dD);
  } else {
    add_bent_slope(place - n_carriers_, dD);
  }
}

template <class S>
void BodyTerms<S>::add_carried_slope(int place, const ScrewTable<S>& screws, Eigen::MatrixX<S>& dD) {
  // Slopes of the columns up to and including those of i's own link; the rest do not change.
  const int i = columns_[place];
  int n = 0;
  for (; n < n_carriers_; ++n) {
    const int j = columns_[n];
    if (screws.share_frame(i, j)) {
      d_xi_.col(n) = screws.slope(i, j).seen_from(X_WB_);
    } else if (j < i) {
      d_xi_.col(n) = minus_bracket<S>(xi_.col(place), xi_.col(n));
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

template <class S>
void BodyTerms<S>::add_bent_slope(int k, Eigen::MatrixX<S>& dD) {
  // (3)
  Eigen::Matrix3<S> dSigma;
  for (int a = 0; a < 3; ++a) dSigma.row(a) = moments_->P[a].col(k).transpose();
  dSigma += dSigma.transpose().eval();
  const Eigen::Matrix3<S> dJ = Eigen::Matrix3<S>(dSigma.diagonal().sum() * Eigen::Matrix3<S>::Identity()) - dSigma;
  const Eigen::Matrix<S, 6, 6> slope = inertia_matrix<S>(0, flex_->S.col(k).template cast<S>(), dJ);
  d_h_.leftCols(n_carriers_).noalias() = slope * xi_;
  d_h_.topRightCorner(3, n_own()) = cross_[k];
  product_.noalias() = xi_.transpose() * d_h_;
  add_product(dD);
}

template <class S>
void BodyTerms<S>::add_gravity(const Vector3d& gravity, Eigen::VectorX<S>& g) const {
  const Eigen::Vector3<S> gravity_B = X_WB_.R.transpose() * gravity.cast<S>();
  for (int d = 0; d < int(columns_.size()); ++d) g[columns_[d]] -= gravity_B.dot(h_.col(d).template tail<3>());
}

template class BodyTerms<double>;
template class BodyTerms<Counted>;

}  // namespace lithe::lagrange
