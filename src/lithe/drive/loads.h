#pragma once

#include <optional>

#include "lithe/dynamics/derivatives/tip_load.h"
#include "lithe/dynamics/equilibrium.h"
#include "lithe/profile/profile_curve.h"

namespace lithe {

/// The forces and moments of a case on its links. They act on the tip frame: with it they move and turn on a link that bends,
/// and axes `link` mean its axes.
class Loads {
 public:
  Loads() = default;
  /// Throws FieldError for a point on a link that bends.
  /// `path` is where they stand in the case.
  Loads(const std::vector<Load>& given, const std::string& path, const Arm& arm);

  bool empty() const { return loads_.empty(); }
  /// Adds them to the generalised forces, scaled as they are at time t (`inside`: see ProfileCurve). Allocates nothing.
  void add(const Arm& arm, const Kinematics& kin, double t, double inside, Eigen::Ref<VectorXd> tau) const;
  /// The same as wrenches [moment; force] on each link's tip frame, at T's origin in world axes; one per link.
  void add_wrenches(const Kinematics& kin, double t, double inside, std::vector<Vector6d>& on_tips) const;
  /// The same for derivatives. Replaces the list; allocates only while it grows.
  void list(double t, double inside, std::vector<TipLoad>& loads) const;
  std::vector<TipLoad> list_in_full() const;
  /// In full, whatever their scale does over time: for statics. Not longer than these Loads live.
  OuterForces in_full() const;
  /// The same as add_wrenches gives.
  std::vector<Vector6d> wrenches_in_full(const Arm& arm, const Kinematics& kin) const;

  void add_breakpoints(std::vector<double>& times) const;

 private:
  struct LinkLoad {
    int link;
    Vector3d point;  // from the tip frame
    Vector3d force, moment;
    bool in_link_axes;
    std::optional<ProfileCurve> scale;
  };
  /// [moment; force] at T's origin, world axes.
  static Vector6d wrench_of(const LinkLoad& load, const Kinematics& kin, double scale);
  static void add_one(const LinkLoad& load, const Arm& arm, const Kinematics& kin, double scale,
                      Eigen::Ref<VectorXd> tau);
  static void add_stiffness(const LinkLoad& load, const SmallMotion& motion, Triplets& entries);

  std::vector<LinkLoad> loads_;
};

}  // namespace lithe
