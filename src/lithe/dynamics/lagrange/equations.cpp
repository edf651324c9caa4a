#include "lithe/dynamics/lagrange/equations.h"

#include "lithe/arm/passive_forces.h"
#include "lithe/spatial/counted.h"

namespace lithe::lagrange {
namespace {

bool has_inertia(const RigidInertia& body) { return body.mass > 0 || !body.J.isZero(0); }

/// e ↦ V × e, the bracket of rigid motion in body axes, for V = [ω; v].
template <class S>
Eigen::Matrix<S, 6, 6> bracket_with(const Vector6<S>& V) {
  Eigen::Matrix<S, 6, 6> X = Eigen::Matrix<S, 6, 6>::Zero();
  X.template topLeftCorner<3, 3>() = X.template bottomRightCorner<3, 3>() = cross_matrix<S>(V.template head<3>());
  X.template bottomLeftCorner<3, 3>() = cross_matrix<S>(V.template tail<3>());
  return X;
}

}  // namespace

template <class S>
Equations<S>::Equations(const Arm& arm)
    : arm_(arm), screws_(arm), n_given_(screws_.n_given()), n_(n_given_ + arm.nv()) {
  const bool free_base = arm.n_links() > 0 && arm.link(0).joint->group() == Joint::Group::motion;
  for (const Link& link : arm.links())
    if (link.joint->group() == Joint::Group::rotation) balls_.push_back(n_given_ + link.v0);
  n_frame_ = n_given_ > 0 || free_base ? 6 : 0;
  add_bodies();
  D_.setZero(n_, n_);
  dD_.setZero(n_, n_);
  C_.setZero(n_, n_);
  B_.setZero(n_, n_);
  rate_.setZero(n_);
  h_.setZero(n_);
}

template <class S>
void Equations<S>::add_bodies() {
  std::vector<std::vector<int>> tip_carriers;  // per link: columns that move its tip frame
  for (int i = 0; i < arm_.n_links(); ++i) {
    const Link& link = arm_.link(i);
    std::vector<int> carriers;
    if (link.parent >= 0) {
      carriers = tip_carriers[link.parent];
    } else {
      for (int k = 0; k < n_given_; ++k) carriers.push_back(k);
    }
    for (int k = 0; k < link.nv(); ++k) carriers.push_back(n_given_ + link.v0 + k);
    if (!link.flex) {
      if (has_inertia(link.whole_inertia()))
        bodies_.push_back(BodyTerms<S>::rigid(i, false, link.whole_inertia(), carriers));
      tip_carriers.push_back(std::move(carriers));
      continue;
    }
    const int own0 = n_given_ + link.flex_v0();
    bodies_.push_back(BodyTerms<S>::bent(i, *link.flex, carriers, own0));
    for (const int k : link.flex->tip_coordinates) carriers.push_back(own0 + k);
    if (has_inertia(link.payload_T)) bodies_.push_back(BodyTerms<S>::rigid(i, true, link.payload_T, carriers));
    tip_carriers.push_back(std::move(carriers));
  }
}

template <class S>
void Equations<S>::evaluate_mass(const State& q, Instant t) {
  screws_.update(q, t);
  D_.setZero();
  for (BodyTerms<S>& body : bodies_) {
    body.update(screws_);
    body.add_mass_matrix(D_);
  }
  // Reflected rotor inertia on the diagonal: rotors count by their spin about their own joint alone.
  for (const Link& link : arm_.links())
    if (link.nv() == 1) D_(n_given_ + link.v0, n_given_ + link.v0) += link.rotor_inertia;
}

template <class S>
void Equations<S>::given_base(Instant t) {
  if (n_given_ == 0) return;
  const GivenRates<S> given(arm_, t);  // of time alone
  rate_.template head<6>() = given.rate;
  base_acceleration_ = given.acceleration;
}

template <class S>
void Equations<S>::assemble_coriolis(const State& v, Instant t) {
  given_base(t);
  rate_.tail(arm_.nv()) = v;
  // (2), Ḋ gathering in C_; along the directions of the base D does not change.
  C_.setZero();
  B_.setZero();
  for (int i = n_frame_; i < n_; ++i) {
    dD_.setZero();
    for (BodyTerms<S>& body : bodies_) body.add_mass_slope(i, screws_, dD_);
    C_ += rate_[i] * dD_;
    B_.col(i).noalias() = dD_ * rate_;
  }
  if (n_frame_ > 0 || !balls_.empty()) h_.noalias() = D_ * rate_;
  if (n_frame_ > 0) add_brackets<6>(0);
  for (const int first : balls_) add_brackets<3>(first);
  C_ += B_;
  C_ -= B_.transpose();
  C_ *= S(0.5);
}

template <class S>
template <int n>
void Equations<S>::add_brackets(int first) {
  // (4): Σ_i ż_i [i,j]·k is column j of D times the bracket with the group's own rates, and Σ_i ż_i [k,i]·j minus its transpose.
  Vector6<S> rates = Vector6<S>::Zero();
  rates.template head<n>() = rate_.template segment<n>(first);
  B_.template middleCols<n>(first).noalias() +=
      D_.template middleCols<n>(first) * bracket_with<S>(rates).template topLeftCorner<n, n>();
  // Σ_i ż_i [j,k]·i = (e_j × e_k)·p, with p = [n; f] the momentum that goes with the group's directions, in h_.
  C_.template block<3, 3>(first, first) -= cross_matrix<S>(h_.template segment<3>(first));
  if constexpr (n == 6) {
    const Eigen::Matrix3<S> f = cross_matrix<S>(h_.template segment<3>(first + 3));
    C_.template block<3, 3>(first, first + 3) -= f;
    C_.template block<3, 3>(first + 3, first) -= f;
  }
}

template <class S>
void Equations<S>::evaluate_coriolis(const State& q, const State& v, Instant t) {
  evaluate_mass(q, t);
  assemble_coriolis(v, t);
}

template <class S>
void Equations<S>::evaluate(const State& q, const State& v, Instant t, Terms terms) {
  evaluate_mass(q, t);
  h_.setZero();
  if (has(terms, Terms::coriolis)) {
    assemble_coriolis(v, t);
    h_.noalias() = C_ * rate_;
    if (n_given_ > 0) h_.noalias() += D_.template leftCols<6>() * base_acceleration_;
  }
  if (has(terms, Terms::gravity))
    for (const BodyTerms<S>& body : bodies_) body.add_gravity(arm_.gravity(), h_);
  add_passive_forces<S>(arm_, q, v, has(terms, Terms::elastic), has(terms, Terms::damping), h_.tail(arm_.nv()));
}

template class Equations<double>;
template class Equations<Counted>;

}  // namespace lithe::lagrange
