#pragma once

#include <optional>

#include "lithe/dynamics/derivatives/section_load.h"
#include "lithe/dynamics/equilibrium.h"
#include "lithe/dynamics/internal_forces.h"
#include "lithe/profile/profile_curve.h"

namespace lithe {

/// What a load on a section does to the forces inside: see Loads::add_wrenches.
void add_wrench(const SectionLoad& load, const Arm& arm, const State& state, const Kinematics& kin,
                std::vector<Vector6d>& on_tips, std::vector<AlongLoad>& along);
/// Appends −∂τ/∂q of a load on a section, along coordinate directions.
void add_stiffness(const SectionLoad& load, const SmallMotion& motion, Triplets& entries);

/// The forces and moments of a case on its links. Each acts on a section, the tip frame unless a point was given: with it they
/// move and turn on a link that bends, and axes `link` mean its axes.
class Loads {
 public:
  Loads() = default;
  /// Throws FieldError for a point that is on no section of its link.
  /// `path` is where they stand in the case.
  Loads(const std::vector<Load>& given, const std::string& path, const Arm& arm);

  bool empty() const { return loads_.empty(); }
  /// Adds them to the generalised forces, scaled as they are at time t (`inside`: see ProfileCurve). Allocates nothing.
  void add(const Arm& arm, const State& state, const Kinematics& kin, double inside, Eigen::Ref<VectorXd> tau) const;
  /// The same for the forces inside: as wrenches [moment; force] on tip frames, at T's origin in world axes, one per link; on
  /// links that bend, those between root and tip listed along them.
  void add_wrenches(const Arm& arm, const State& state, const Kinematics& kin, double inside,
                    std::vector<Vector6d>& on_tips, std::vector<AlongLoad>& along) const;
  /// The same for derivatives. Replaces the list, which holds not longer than these Loads live; allocates only while it grows.
  void list(double t, double inside, std::vector<SectionLoad>& loads) const;
  std::vector<SectionLoad> list_in_full() const;
  /// In full, whatever their scale does over time, but none that is switched off: for statics. Not longer than these Loads live.
  OuterForces unscaled() const;
  /// The same as add_wrenches gives.
  struct Wrenches {
    std::vector<Vector6d> on_tips;
    std::vector<AlongLoad> along;
  };
  Wrenches wrenches_in_full(const Arm& arm, const State& state) const;

  void add_breakpoints(std::vector<double>& times) const;

  /// What each is multiplied by, beside its scale: 0 where it is switched off. An event may change it.
  std::vector<double> factors() const;
  void set_factor(size_t i, double factor) { loads_[i].factor = factor; }

 private:
  struct LinkLoad {
    LinkPlace place;
    Vector3d force, moment;
    bool in_link_axes;
    std::optional<ProfileCurve> scale;
    double factor = 1;

    SectionLoad scaled(double by) const {
      return {&place.section, place.offset, by * force, by * moment, in_link_axes};
    }
    SectionLoad at(double t, double inside) const {
      return scaled(scale ? factor * scale->at(t, inside).value : factor);
    }
    SectionLoad unscaled() const { return scaled(factor); }
  };

  std::vector<LinkLoad> loads_;
};

}  // namespace lithe
