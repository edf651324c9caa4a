#pragma once

#include "lithe/drive/forces/arm_point.h"

namespace lithe {

/// A plane that stops a point of a link. With n its normal and δ = n·(r₀ − r) how deep the point is behind it,
///
///   push = max(0, k δ + c δ̇) n where δ > 0, else none;   V = ½ k δ² where δ > 0                                           (1)
///
/// A wall never pulls: on the way out it lets go where damping would hold the point back, and what its spring still keeps then is
/// lost with it. Contact begins and ends at changes of sign of δ and of k δ + c δ̇, where steps end.
class ContactForce final : public Force {
 public:
  ContactForce(const Contact& spec, const std::string& path, const Arm& arm);

  void add(const ForceReading& now, Eigen::Ref<VectorXd> tau) const override;
  void list(const ForceReading& now, std::vector<SectionLoad>& listed) const override;
  bool add_slopes(const ForceReading& now, Triplets& by_position, Triplets& by_rate) const override;
  ForceEnergy energy(const ForceReading& now) const override;
  void add_loss_slopes(const ForceReading& now, Eigen::Ref<VectorXd> by_position,
                       Eigen::Ref<VectorXd> by_rate) const override;
  int n_switches() const override { return damping_ > 0 ? 2 : 1; }
  void switches(const ForceReading& now, double* values) const override;

  /// How deep the point is behind the plane, and how fast that grows.
  struct Depth {
    double depth, rate;
  };
  Depth depth(const Kinematics& kin) const;

 private:
  double free_push(const Depth& d) const { return stiffness_ * d.depth + damping_ * d.rate; }
  double push(const Depth& d) const { return d.depth > 0 ? std::max(0.0, free_push(d)) : 0; }
  /// How fast the depth grows per unit rate of each coordinate, into deeper_; the coordinates that do anything into columns_.
  void move_point(const Kinematics& kin) const;

  Arm arm_;
  ArmPoint point_;
  Vector3d normal_, on_plane_;
  double stiffness_, damping_;
  mutable VectorXd deeper_;
  mutable std::vector<int> columns_;
};

}  // namespace lithe
