#pragma once

#include <span>

#include "lithe/arm/arm.h"
#include "lithe/beam/exact/rod_state.h"
#include "lithe/dynamics/along_link.h"

namespace lithe {

/// Newton and Euler along one exact link (docs/exact-links.md 6): accelerations of its tip, the wrench that moves the link itself, and what
/// every section bears, from the motion of its root frame B and given δ̇, δ̈. In axes of B, at B.
///
/// The link's masses are those of Gauss's points. Between them its inertia per length is taken as the polynomial through the points, whose
/// integral over the link is the sum over the points: the root section bears exactly what the joint exerts on the discrete link. Beams under
/// polynomial loads, and straight links that vibrate, have inertia of no higher degree.
///
/// Constants and memory are made in the constructor; the rest allocates nothing. One per thread.
class ExactSections {
 public:
  explicit ExactSections(const Link& link);

  /// How B moves; acceleration without gravity.
  struct RootMotion {
    Vector3d omega, alpha, a;
  };
  /// Takes the link at the state and moves it. `rate` and `second` are δ̇ and δ̈.
  void move(RodState& rod, const RootMotion& root, const double* rate, const double* second);

  /// Of T, [angular; linear].
  const Vector6d& tip_acceleration() const { return tip_acceleration_; }
  /// [moment; force] that accelerates the link itself, bodies along it included.
  const Vector6d& own_wrench() const { return own_wrench_; }

  /// What the sections bear when T passes the wrench `at_tip` outwards, [moment; force] at T. Of `loads`, forces in world axes, those on link
  /// `i_link` count; B stands at X_WB.
  void go_along(const RodState& rod, const Vector6d& at_tip, std::span<const AlongLoad> loads, int i_link,
                const Pose& X_WB, AlongLink& along) const;

 private:
  /// A mass that a section carries: a Gauss point's share of the beam, or a body.
  struct Lump {
    RodSection section;
    CarriedBody body;
    Vector6d wrench = Vector6d::Zero();  // that accelerates it, about B
  };
  Vector6d wrench_on(const Lump& lump, const RodState& rod, const RootMotion& root, const double* second) const;

  std::vector<RodSection> stations_;
  std::vector<Lump> points_, bodies_;
  MatrixXd outboard_;  // [station × point] which part of a point's wrench is of what lies outboard of the station
  Vector6d tip_acceleration_ = Vector6d::Zero(), own_wrench_ = Vector6d::Zero();
};

}  // namespace lithe
