#include "lithe/dynamics/composed/equations.h"

#include "lithe/spatial/counted.h"
#include "lithe/spatial/demand.h"

namespace lithe::composed {

using lagrange::Vector6;

namespace {

Terms without_gravity(Terms terms) { return Terms(unsigned(terms) & ~unsigned(Terms::gravity)); }

}  // namespace

template <class S>
Equations<S>::Equations(const Arm& arm, std::vector<std::unique_ptr<Part<S>>> parts) : arm_(arm) {
  LITHE_DEMAND_EQUAL(int(parts.size()), arm.n_parts());
  n_given_ = arm.root_moves() ? 6 : 0;
  int q0 = 0, v0 = 0;
  for (int k = 0; k < arm.n_parts(); ++k) {
    Mounted mounted;
    mounted.part = std::move(parts[size_t(k)]);
    const Arm& own = mounted.part->arm();
    mounted.q0 = q0;
    mounted.v0 = v0;
    mounted.n = own.nv() - (k > 0 ? 6 : 0);
    mounted.q = ::lithe::State::zero(own).q.template cast<S>();
    mounted.rate.setZero((k > 0 ? 0 : n_given_) + own.nv());
    if (k > 0) {
      // The link it stands on, by its number in the part before: a carried one has its base in front.
      const int i_link = arm.mounts()[k - 1].carrier_link - (k > 1 ? arm.mounts()[k - 2].first_link - 1 : 0);
      mounted.tip = std::make_unique<TipMotion<S>>(mounted_[k - 1].part->arm(), i_link);
      mounted.J.setZero(6, v0);
      mounted.J_dot.setZero(6, v0);
      mounted.product.setZero(6, v0);
      mounted.A.setZero();
    }
    q0 += int(own.nq()) - (k > 0 ? 7 : 0);
    v0 += mounted.n;
    mounted_.push_back(std::move(mounted));
  }
  LITHE_DEMAND_EQUAL(v0, arm.nv());
  M_.setZero(v0, v0);
  C_.setZero(v0, v0);
  h_.setZero(v0);
}

template <class S>
void Equations<S>::set_state(const State& q, const State* v, Instant t) {
  for (Mounted& mounted : mounted_) {
    const auto own = mounted.q.size() - (&mounted == &mounted_[0] ? 0 : 7);
    mounted.q.tail(own) = q.segment(mounted.q0, own);
    if (v) mounted.rate.tail(mounted.n) = v->segment(mounted.v0, mounted.n);
  }
  if (n_given_ == 0) return;
  const lagrange::GivenRates<S> given(arm_, t);
  mounted_[0].rate.template head<6>() = given.rate;
  given_acceleration_ = given.acceleration;
}

template <class S>
void Equations<S>::place(int k) {
  Mounted& mounted = mounted_[k];
  const Mounted& carrier = mounted_[k - 1];
  mounted.tip->update(carrier.part->screws());
  const auto& J = mounted.tip->J();
  mounted.J.rightCols(carrier.n) = J.rightCols(carrier.n);
  if (k > 1) mounted.J.leftCols(carrier.v0).noalias() = J.template leftCols<6>() * carrier.J;
}

template <class S>
void Equations<S>::move(int k) {
  Mounted& mounted = mounted_[k];
  const Mounted& carrier = mounted_[k - 1];
  mounted.tip->update_slopes(carrier.part->screws(), carrier.rate);
  const auto &J = mounted.tip->J(), &J_dot = mounted.tip->J_dot();
  mounted.rate.template head<6>().noalias() = J * carrier.rate;
  mounted.J_dot.rightCols(carrier.n) = J_dot.rightCols(carrier.n);
  if (k > 1) {
    mounted.J_dot.leftCols(carrier.v0).noalias() = J_dot.template leftCols<6>() * carrier.J;
    mounted.J_dot.leftCols(carrier.v0).noalias() += J.template leftCols<6>() * carrier.J_dot;
  }
}

template <class S>
void Equations<S>::accelerate(int k, Terms terms) {
  Mounted& mounted = mounted_[k];
  const Mounted& carrier = mounted_[k - 1];
  const auto& J = mounted.tip->J();
  mounted.A.setZero();
  if (has(terms, Terms::coriolis)) mounted.A.noalias() = mounted.tip->J_dot() * carrier.rate;
  if (k > 1) {
    mounted.A.noalias() += J.template leftCols<6>() * carrier.A;
    return;
  }
  if (has(terms, Terms::coriolis) && n_given_ > 0)
    mounted.A.noalias() += J.template leftCols<6>() * given_acceleration_;
  if (has(terms, Terms::gravity)) mounted.A.template tail<3>() -= gravity(k);
}

template <class S>
void Equations<S>::add_mass(int k) {
  Mounted& mounted = mounted_[k];
  const int n_L = mounted.v0, n_S = mounted.n;
  const auto M = mounted.part->M();
  mounted.product.noalias() = M.template topLeftCorner<6, 6>() * mounted.J;
  M_.topLeftCorner(n_L, n_L).noalias() += mounted.J.transpose() * mounted.product;
  auto M_cp = M_.block(0, n_L, n_L, n_S);
  M_cp.noalias() = mounted.J.transpose() * M.topRightCorner(6, n_S);
  M_.block(n_L, 0, n_S, n_L) = M_cp.transpose();
  M_.block(n_L, n_L, n_S, n_S) = M.bottomRightCorner(n_S, n_S);
}

template <class S>
void Equations<S>::evaluate_mass(const State& q, Instant t) {
  set_state(q, nullptr, t);
  for (int k = 0; k < n_parts(); ++k) {
    Mounted& mounted = mounted_[k];
    if (k > 0) place(k);
    mounted.part->evaluate_mass(mounted.q, t);
    if (k > 0) {
      add_mass(k);
    } else {
      M_.topLeftCorner(mounted.n, mounted.n) = mounted.part->M();
    }
  }
}

template <class S>
void Equations<S>::evaluate_first(int n, const State& q, const State& v, Instant t, Terms terms) {
  set_state(q, &v, t);
  Mounted& first = mounted_[0];
  first.part->evaluate(first.q, v.head(first.n), t, terms);
  M_.topLeftCorner(first.n, first.n) = first.part->M();
  h_.head(first.n) = first.part->h();
  for (int k = 1; k < n; ++k) {
    Mounted& mounted = mounted_[k];
    place(k);
    move(k);
    accelerate(k, terms);
    // Gravity is an acceleration of the base: it is in A.
    mounted.part->evaluate(mounted.q, mounted.rate, t, without_gravity(terms));
    add_mass(k);
    const auto M = mounted.part->M();
    const auto h = mounted.part->h();
    Vector6<S> wrench = h.template head<6>();
    wrench.noalias() += M.template topLeftCorner<6, 6>() * mounted.A;
    h_.head(mounted.v0).noalias() += mounted.J.transpose() * wrench;
    h_.segment(mounted.v0, mounted.n) = h.tail(mounted.n);
    h_.segment(mounted.v0, mounted.n).noalias() += M.bottomLeftCorner(mounted.n, 6) * mounted.A;
  }
}

template <class S>
void Equations<S>::evaluate_coriolis_of_first(int n, const State& q, const State& v, Instant t) {
  set_state(q, &v, t);
  Mounted& first = mounted_[0];
  first.part->evaluate_coriolis(first.q, v.head(first.n), t);
  M_.topLeftCorner(first.n, first.n) = first.part->M();
  C_.topLeftCorner(first.n, first.n) = first.part->C();
  for (int k = 1; k < n; ++k) {
    Mounted& mounted = mounted_[k];
    const int n_L = mounted.v0, n_S = mounted.n;
    place(k);
    move(k);
    mounted.part->evaluate_coriolis(mounted.q, mounted.rate, t);
    add_mass(k);
    const auto M = mounted.part->M(), C = mounted.part->C();
    // (2)
    mounted.product.noalias() = C.template topLeftCorner<6, 6>() * mounted.J;
    mounted.product.noalias() += M.template topLeftCorner<6, 6>() * mounted.J_dot;
    C_.topLeftCorner(n_L, n_L).noalias() += mounted.J.transpose() * mounted.product;
    C_.block(0, n_L, n_L, n_S).noalias() = mounted.J.transpose() * C.topRightCorner(6, n_S);
    auto C_SL = C_.block(n_L, 0, n_S, n_L);
    C_SL.noalias() = C.bottomLeftCorner(n_S, 6) * mounted.J;
    C_SL.noalias() += M.bottomLeftCorner(n_S, 6) * mounted.J_dot;
    C_.block(n_L, n_L, n_S, n_S) = C.bottomRightCorner(n_S, n_S);
  }
}

template class Equations<double>;
template class Equations<Counted>;

}  // namespace lithe::composed
