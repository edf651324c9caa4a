#pragma once

#include <memory>

#include "lithe/drive/force.h"

namespace lithe {

/// By the kinds that the case names. Throws FieldError.
std::vector<std::shared_ptr<Force>> make_forces(const std::vector<ForceSpec>& specs, const Arm& arm);

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
  struct End {
    LinkSection tip;                    // of no link: the world
    Vector3d point = Vector3d::Zero();  // from T in T axes, or in the world
    bool on_link() const { return tip.link >= 0; }
    Vector3d at(const Kinematics& kin) const;
    Vector3d velocity(const Kinematics& kin) const;
  };
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
  End from_, to_;
  double stiffness_, damping_, rest_;
  mutable Matrix3Xd apart_;
  mutable std::vector<int> columns_;
};

}  // namespace lithe
