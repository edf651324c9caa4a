#pragma once

#include <cmath>

#include "lithe/beam/exact/exact_link.h"
#include "lithe/dynamics/articulated/elimination.h"
#include "lithe/dynamics/articulated/forward_recursion.h"
#include "lithe/dynamics/articulated/tip_motion.h"

namespace lithe {

/// Intermediate results of one evaluation of the recursion at each body.
template <class S>
struct BodyWork {
  // set on the way out with velocities
  S c, s;                      // the last turn, about z
  S c1, s1, cb, sb;            // the two turns before it, behind a carrier that bends
  unsigned lost_lanes = 0;     // of a pack: lanes for which neither split is accurate
  bool by_zxz;                 // the first of them is about z, else y
  S p[3];                      // N from the carrier's origin, in axes F after two turns
  axial::Vector6<S> zeta;      // velocity terms of N's acceleration, in F
  S omega[3];                  // of N in N; of links that bend, of B in B
  axial::Vector6<S> bias;      // velocity forces of a rigid body
  const S *omega_out, *R_out;  // for carried bodies: ω, and R_BT of a flexible link
  // set on the way in
  axial::Inertia<S> P;  // sum of carried bodies: at N in N; of links that bend at T in B axes
  axial::Vector6<S> f;  // and of their wrenches
  axial::Vector6<S> L;  // U/D and (τ − Hᵀp)/D; of a driven joint U and Hᵀp
  S e;
  // set on the way out with accelerations
  axial::Vector6<S> A;  // of N in N; of links that bend of T in B axes
};

/// A link that bends by beam shapes. Arrays have a row per coordinate, in the plan's order.
template <class S>
struct BeamWork {
  TipMotion<S> tip;
  S s[3], J[6];
  axial::Vector6<S> bias;
  axial::Vector6<S>*N, *L;  // coupling with B; the same over its pivot
  S *F, *r, *e;             // couplings over pivots; velocity forces; right-hand sides over pivots
  S* drawn_tip;             // with `stiffening` G(L)η, else not used
  bool some_driven;
  GivenRows<S> whole;
};

/// A flexible link of any kind.
template <class S>
struct BorderWork {
  TipMotion<S> tip;
  S s[3], J[6];
  axial::Vector6<S> bias;
  S* P;                  // ∫ r_a φ_k,b dm at 9k + 3a + b
  axial::Vector6<S>* N;  // by coordinate of the FlexBasis: coupling with B
  S* p_f;                // and velocity forces
  axial::Vector6<S>* Phi;
  axial::Vector6<S>* Y;  // L⁻¹N and L⁻¹r of inner coordinates
  S* y;
  axial::Vector6<S>*N_tip, *L_tip;
  S *C, *r_tip, *l_tip, *e_tip;
  S* accel;          // in the plan's order
  bool all_at_once;  // some are driven, or no factor is known: everything is eliminated together, by
  GivenRows<S> whole;
  std::vector<axial::Vector6<S>> N_all, L_all;
  std::vector<S> F_all, r_all, l_all, e_all;
};

/// An exact link. Arrays have a row per coordinate.
template <class S>
struct ExactWork {
  explicit ExactWork(const ExactPlan& plan) : link(*plan.basis, plan.carries) {}

  ExactLink<S> link;
  TipMotion<S> tip;
  axial::Vector6<S>*Phi, *N, *L;  // tip's directions; coupling with B; the same over its pivot
  S *F, *r, *e;                   // couplings, then over pivots; velocity forces; right-hand sides over pivots
  bool some_driven = false;
  GivenRows<S> whole;
};

/// A joint of any directions, in N axes. Arrays have a row per coordinate.
template <class S>
struct BlockWork {
  axial::Vector6<S> H[6], N[6], L[6];  // directions; P H; the same over pivots
  S F[36], r[6], e[6];  // HᵀP H, then couplings over pivots; Hᵀp − τ; right-hand sides over pivots
  bool some_driven = false;
  GivenRows<S> whole;
};

template <class S>
struct ForwardWork {
  explicit ForwardWork(std::shared_ptr<const RecursionPlan> plan);

  using Call = typename ForwardRecursion<S>::Call;
  int run(const Call& call);

  std::shared_ptr<const RecursionPlan> plan;
  std::vector<BodyWork<S>> bodies;
  std::vector<BeamWork<S>> beams;
  std::vector<BorderWork<S>> borders;
  std::vector<ExactWork<S>> exacts;
  std::vector<BlockWork<S>> blocks;
  std::vector<S> store;  // what the pointers above point into
  std::vector<axial::Vector6<S>> store6;
  std::vector<int> turning;               // bodies on joints that turn
  std::vector<S> angles, sines, cosines;  // theirs; room for a multiple of 4
  int singular = -1;
  unsigned singular_lanes = 0;
  unsigned lost_lanes() const {
    unsigned lanes = 0;
    for (const BodyWork<S>& body : bodies) lanes |= body.lost_lanes;
    return lanes;
  }
};

}  // namespace lithe
