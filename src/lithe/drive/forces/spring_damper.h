#pragma once

#include "lithe/drive/forces/arm_point.h"

namespace lithe {

/// A spring and a damper along the line between two points of links, or of a link and the world: with d from the one to the other,
/// ℓ = |d|, u = d/ℓ,
///
///   pull = k (ℓ − ℓ₀) + c ℓ̇,   on the one end pull·u, on the other −pull·u,   V = ½ k (ℓ − ℓ₀)²                    (1)
///
/// A point on a flexible link is on its tip frame. If the ends coincide there is no line, and the force is taken as zero.
class SpringDamperForce final : public Force {
 public:
  SpringDamperForce(const SpringDamper& spec, const std::string& path, const Arm& arm);

  void add(const ForceReading& now, Eigen::Ref<VectorXd> tau) const override;
  void list(const ForceReading& now, std::vector<SectionLoad>& listed) const override;
  /// In motion these omit the effect of rotating directions on ℓ̇; exact at rest.
  bool add_slopes(const ForceReading& now, Triplets& by_position, Triplets& by_rate) const override;
  ForceEnergy energy(const ForceReading& now) const override;
  void add_loss_slopes(const ForceReading& now, Eigen::Ref<VectorXd> by_position,
                       Eigen::Ref<VectorXd> by_rate) const override;

 private:
  struct Line {
    Vector3d u;
    double length, rate;
  };
  Line line(const Kinematics& kin) const;
  double pull(const Line& line) const { return stiffness_ * (line.length - rest_) + damping_ * line.rate; }
  /// Fills apart_ with the rate at which the ends move apart per unit rate of each coordinate, and columns_ with the coordinates that move
  /// them.
  void move_ends(const Kinematics& kin) const;

  Arm arm_;
  ArmPoint from_, to_;
  double stiffness_, damping_, rest_;
  mutable Matrix3Xd apart_;
  mutable std::vector<int> columns_;
};

}  // namespace lithe
