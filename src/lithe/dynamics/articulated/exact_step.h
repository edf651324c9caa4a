#pragma once

#include "lithe/dynamics/articulated/beam_step.h"

namespace lithe {

/// The steps of the recursion at an exact link (docs/exact-links.md, docs/articulated.md 16): the blocks (7) to (10) and the tip (5), (6) are
/// those of `ExactLink` at the state; from there on it is a flexible link as any other, all of whose coordinates move its tip.
template <class S>
struct ExactStep {
  using Call = typename ForwardRecursion<S>::Call;
  const ExactPlan& plan;
  explicit ExactStep(const ExactPlan& given) : plan(given) {}

  void move(const S* omega, const S* delta, const S* rate, ExactWork<S>& work) const {
    work.link.place(delta);
    work.link.move(omega, rate);
    if (!plan.carries) return;
    const RodFrame<S>& tip = work.link.tip();
    const Triple<S>* columns[] = {&tip.R.x, &tip.R.y, &tip.R.z};
    for (int j = 0; j < 3; ++j) {
      work.tip.R[j] = columns[j]->x;
      work.tip.R[3 + j] = columns[j]->y;
      work.tip.R[6 + j] = columns[j]->z;
    }
    store(tip.p, work.tip.p);
    store(tip.spin, work.tip.omega_T);
    work.tip.zeta = six(tip.zeta_angular, tip.zeta_linear);
  }

  template <bool hybrid>
  unsigned gather(const BodyPlan& body_plan, const BodyWork<S>& body, const Call& call, int v0, ExactWork<S>& work,
                  axial::Inertia<S>& P, axial::Vector6<S>& p) const {
    const int m = plan.size();
    const RodInertia<S>& own = work.link.inertia();
    const RodForces<S>& forces = work.link.forces();
    p = six(forces.moment, forces.force);
    for (int k = 0; k < m; ++k) {
      work.N[k] = six(own.angular[size_t(k)], own.linear[size_t(k)]);
      for (int l = k; l < m; ++l) work.F[k * m + l] = own.M_ff[size_t(k * m + l)];
      S force = forces.p_f[size_t(k)];
      if (call.passive != nullptr) force += call.passive[v0 + k];
      bool takes_tau = true;
      if constexpr (hybrid) takes_tau = !(*call.driven)[v0 + k];
      if (takes_tau) force -= call.tau[v0 + k];
      work.r[k] = force;
    }
    S s[3];
    store(own.s, s);
    const double mass = plan.basis->mass;
    if (plan.carries) {
      axial::Vector6<S> f;
      outboard(body_plan.has_children, plan.tip_body, body, work.tip, P, f);
      const RodFrame<S>& tip = work.link.tip();
      const S* pt = work.tip.p;
      for (int k = 0; k < m; ++k) work.Phi[k] = six(tip.turn[size_t(k)], tip.slide[size_t(k)]);
      for (int k = 0; k < m; ++k) {
        axial::Vector6<S> y = axial::times(P, work.Phi[k]);
        for (int l = 0; l <= k; ++l) work.F[l * m + k] += axial::dot6(work.Phi[l], y);
        work.r[k] += axial::dot6(work.Phi[k], f);
        axial::shift_in(pt, y);
        work.N[k] += y;
      }
      axial::shift_in(pt, f);
      p += f;
      axial::shift_in<0>(pt[0], P);
      axial::shift_in<1>(pt[1], P);
      axial::shift_in<2>(pt[2], P);
      axial::add_body_inertia(mass, s, own.J, P);
    } else {
      P = axial::body_inertia<S>(mass, s, own.J);
    }
    if constexpr (hybrid) {
      const auto given = [&](int k) -> std::optional<S> {
        if (!(*call.driven)[v0 + k]) return {};
        return call.vdot[v0 + k];
      };
      work.some_driven = false;
      for (int k = 0; k < m; ++k) work.some_driven = work.some_driven || (*call.driven)[v0 + k];
      if (work.some_driven) impose(m, given, work.N, work.F, work.r, p, work.whole);
    }
    return eliminate(m, work.N, work.F, work.r, P, p, work.L, work.F, work.e);
  }

  template <bool hybrid>
  void release(const Call& call, int v0, ExactWork<S>& work, axial::Vector6<S>& A) const {
    const int m = plan.size();
    S* accel = call.vdot + v0;
    recover(m, work.L, work.F, work.e, A, accel);
    if constexpr (hybrid)
      for (int k = 0; work.some_driven && k < m; ++k)
        if ((*call.driven)[v0 + k]) call.driven_tau[v0 + k] = force_on(m, k, work.whole, A, accel);
    if (!plan.carries) return;
    axial::shift_out(work.tip.p, A);
    A += work.tip.zeta;
    for (int k = 0; k < m; ++k) {
      Twin<S> both(accel[k]);
      for (int i = 0; i < 3; ++i) A.v[i] = A.v[i] + both * work.Phi[k].v[i];
    }
  }

 private:
  static void store(const Triple<S>& v, S* to) { to[0] = v.x, to[1] = v.y, to[2] = v.z; }
  static axial::Vector6<S> six(const Triple<S>& angular, const Triple<S>& linear) {
    return {Pair<S>(angular.x, linear.x), Pair<S>(angular.y, linear.y), Pair<S>(angular.z, linear.z)};
  }
};

}  // namespace lithe
