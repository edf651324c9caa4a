#pragma once

#include "lithe/dynamics/kane/frames.h"

namespace lithe::kane {

/// A rigid body on a frame: a rigid link with its payload, the payload of a flexible link, or a section of an exact link.
///
/// Its generalised inertia and active forces (abdelaziz04 eqs 4–7, the partial velocity and acceleration being those of the
/// mass centre B*, which the paper's eqs 4 and 6 omit):
///   F*_r = ω_r·T* + v_r^{B*}·F*,   T* = −I·α − ω×(I·ω),   F* = −m a^{B*};      weight: F_r = v_r^{B*}·m g
template <class S>
class RigidBody {
 public:
  RigidBody(const Frame<S>& frame, int i_frame, const RigidInertia& inertia);

  void update(const Frame<S>& frame);
  /// Adds −∂F*_r/∂u̇_s to the lower triangle of M.
  void add_inertia(const Frame<S>& frame, Eigen::MatrixX<S>& M) const;
  /// Adds −(F*_r + F_r) with u̇ = 0.
  void add_remainder(const Frame<S>& frame, const Eigen::Vector3<S>& gravity, Eigen::Ref<Eigen::VectorX<S>> h) const;

  int i_frame() const { return i_frame_; }

 private:
  int i_frame_;
  S mass_;
  Eigen::Vector3<S> com_;
  Eigen::Matrix3<S> inertia_com_;

  // Set by update, in world axes:
  Eigen::Vector3<S> c_;  // from the frame's origin to B*
  Eigen::Matrix3<S> I_;
  Eigen::Matrix3X<S> v_r_;  // of B*
};

/// A link that bends. A point of it at r (from B, deformed) has partial velocity v_r + ω_r×r for the speeds of its frame B and
/// φ_k for its own δ̇_k, and acceleration a + Γr + 2ω×u̇ + Σφ_kδ̈_k; so eqs 4–6 become integrals over the link, which are
/// constants and moments of its FlexBasis. Its sections turn with ω + θ̇, their rotary inertia held in link axes
/// (docs/model.md). All in link axes B.
template <class S>
class FlexibleBody {
 public:
  FlexibleBody(const Frame<S>& frame, int i_frame, const Link& link);

  void update(const Frame<S>& frame, const Eigen::Ref<const Eigen::VectorX<S>>& q);
  void add_inertia(const Frame<S>& frame, Eigen::MatrixX<S>& M) const;
  void add_remainder(const Frame<S>& frame, const Eigen::Vector3<S>& gravity,
                     const Eigen::Ref<const Eigen::VectorX<S>>& v, Eigen::Ref<Eigen::VectorX<S>> h) const;

  int i_frame() const { return i_frame_; }

 private:
  int i_frame_;
  const FlexBasis* flex_;
  int q0_, v0_;  // of its flexible coordinates

  // Set by update:
  FlexMomentsOf<S> moments_;
  Eigen::Matrix3<S> J_;
  Eigen::Matrix3X<S> omega_r_, v_r_;  // of B, in B axes
};

}  // namespace lithe::kane
