#pragma once

#include <optional>

#include "lithe/dynamics/derivatives/section_load.h"
#include "lithe/dynamics/equilibrium.h"
#include "lithe/dynamics/internal_forces.h"
#include "lithe/profile/profile_curve.h"

namespace lithe {

/// Adds a load on a section to the forces inside links: see Loads::add_wrenches.
void add_wrench(const SectionLoad& load, const Arm& arm, const State& state, const Kinematics& kin,
                std::vector<Vector6d>& on_tips, std::vector<AlongLoad>& along);
/// Appends −∂τ/∂q of a load on a section, along coordinate directions.
void add_stiffness(const SectionLoad& load, const SmallMotion& motion, Triplets& entries);

/// The forces and moments of a case on its links. Each acts on a section, the tip frame unless a point was given, or is spread along the
/// link (spread_load.h). On a flexible link it moves and turns with its section, and axes `link` are the section's axes.
/// Not to be shared by threads.
class Loads {
 public:
  Loads() = default;
  /// Throws FieldError for a point that is on no section of its link.
  /// `path` is their field in the case.
  Loads(const std::vector<Load>& given, const std::string& path, const Arm& arm);

  bool empty() const { return loads_.empty(); }
  /// Adds them to the generalised forces, scaled as they are at time t (`inside`: see ProfileCurve). Allocates nothing.
  void add(const Arm& arm, const State& state, const Kinematics& kin, double inside, Eigen::Ref<VectorXd> tau) const;
  /// The same for the forces inside: as wrenches [moment; force] on tip frames, at T's origin in world axes, one per link; on
  /// flexible links, loads between root and tip are listed along them.
  void add_wrenches(const Arm& arm, const State& state, const Kinematics& kin, double inside,
                    std::vector<Vector6d>& on_tips, std::vector<AlongLoad>& along) const;
  /// The same for derivatives. Replaces the list, which is valid only while these Loads exist; allocates only while it grows.
  void list(double t, double inside, std::vector<SectionLoad>& loads) const;
  std::vector<SectionLoad> list_in_full() const;
  /// Loads with their full value, whatever their scale over time, without those that are switched off: for statics. Valid only while
  /// these Loads exist.
  OuterForces unscaled() const;
  /// What add_wrenches gives.
  struct Wrenches {
    std::vector<Vector6d> on_tips;
    std::vector<AlongLoad> along;
  };
  Wrenches wrenches_in_full(const Arm& arm, const State& state) const;

  void add_breakpoints(std::vector<double>& times) const;

  /// The factor by which each load is multiplied in addition to its scale: 0 if it is switched off. Events may change it.
  std::vector<double> factors() const;
  void set_factor(size_t i, double factor) { loads_[i].factor = factor; }

 private:
  /// What acts on one section, before its scale.
  struct Part {
    LinkPlace place;
    Vector3d force, moment;
  };
  /// Parts of a load on one link, added up: forces with a direction in the world, at points that move with the link and its shapes.
  struct Sum {
    int link = -1;
    Vector3d force = Vector3d::Zero();  // per length
    double weight = 0;                  // ∫ factor dx
    Vector3d place = Vector3d::Zero();  // the same of the undeformed points, from B, and of the shapes there
    Matrix3Xd phi = {};
  };
  /// What a spread load's parts are made from.
  struct SpreadOver {
    int link = -1;
    Spread spread;
    std::string path;
  };
  static std::vector<Part> parts_of(const Arm& arm, int link, const Spread& spread, bool at_stations,
                                    const std::string& path);
  struct LinkLoad {
    std::vector<Part> parts = {};
    std::vector<Sum> sums = {};             // of all parts, where that is possible; otherwise empty
    std::optional<SpreadOver> spread = {};  // of a spread load
    mutable std::vector<Part> finer =
        {};  // its parts for the forces inside its link, made when they are first asked for
    bool in_link_axes = false;
    std::optional<ProfileCurve> scale = {};
    double factor = 1;

    double at(double t, double inside) const { return scale ? factor * scale->at(t, inside).value : factor; }
    SectionLoad scaled(const Part& part, double by) const {
      return {&part.place.section, part.place.offset, by * part.force, by * part.moment, in_link_axes};
    }
    /// Calls visit(SectionLoad) for each part of the load times `by`; for the forces inside links.
    template <class Visit>
    void cut(double by, const Arm& arm, Visit visit) const {
      if (spread && finer.empty())
        finer = parts_of(arm, spread->link, spread->spread, /*at_stations=*/true, spread->path);
      for (const Part& part : spread ? finer : parts) visit(scaled(part, by));
    }
    /// Finds `sums`; `force` is the load's, per length.
    void add_up(const Arm& arm, const Vector3d& force);
    /// Adds the generalised forces of the load times `by`.
    void add(double by, const Arm& arm, const State& state, const Kinematics& kin, Eigen::Ref<VectorXd> tau) const;
  };

  std::vector<LinkLoad> loads_;
};

}  // namespace lithe
