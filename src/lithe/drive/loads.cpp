#include "lithe/drive/loads.h"

#include <fmt/format.h>

#include "lithe/spatial/demand.h"

namespace lithe {

Loads::Loads(const std::vector<Load>& given, const std::string& path, const Arm& arm) {
  for (size_t i = 0; i < given.size(); ++i) {
    const Load& load = given[i];
    LinkLoad compiled{arm.find_link(load.link), Vector3d::Zero(), load.force, load.moment, load.axes == Axes::link, {}};
    LITHE_DEMAND(compiled.link >= 0);
    const Link& link = arm.link(compiled.link);
    if (load.point && (link.flex || link.is_segment))
      throw FieldError(
          fmt::format("{}[{}].point", path, i),
          fmt::format("link '{}' bends, and a load on it acts at its tip frame; expected no point", load.link));
    if (load.point) compiled.point = *load.point - link.X_BT.p;
    if (load.scale) compiled.scale.emplace(*load.scale, 0, fmt::format("{}[{}].scale", path, i));
    loads_.push_back(std::move(compiled));
  }
}

Vector6d Loads::wrench_of(const LinkLoad& load, const Kinematics& kin, double scale) {
  const Matrix3d& R_WT = kin.X_WT[load.link].R;
  const Matrix3d R = load.in_link_axes ? R_WT : Matrix3d::Identity();
  const Vector3d force = scale * (R * load.force), moment = scale * (R * load.moment);
  return (Vector6d() << moment + (R_WT * load.point).cross(force), force).finished();
}

void Loads::add_one(const LinkLoad& load, const Arm& arm, const Kinematics& kin, double scale,
                    Eigen::Ref<VectorXd> tau) {
  const Vector6d wrench = wrench_of(load, kin, scale);
  const Vector3d moment = wrench.head<3>(), force = wrench.tail<3>(), at = kin.X_WT[load.link].p;
  // Power of the load per unit rate of each coordinate that moves the link's tip.
  for_each_tip_direction(arm, kin, load.link,
                         [&](int column, const Vector3d& turn, const Vector3d& slide, const Vector3d& origin) {
                           tau[column] += turn.dot(moment) + (slide + turn.cross(at - origin)).dot(force);
                         });
}

void Loads::add_wrenches(const Kinematics& kin, double t, double inside, std::vector<Vector6d>& on_tips) const {
  for (const LinkLoad& load : loads_)
    on_tips[load.link] += wrench_of(load, kin, load.scale ? load.scale->at(t, inside).value : 1);
}

void Loads::add(const Arm& arm, const Kinematics& kin, double t, double inside, Eigen::Ref<VectorXd> tau) const {
  for (const LinkLoad& load : loads_) add_one(load, arm, kin, load.scale ? load.scale->at(t, inside).value : 1, tau);
}

void Loads::list(double t, double inside, std::vector<TipLoad>& loads) const {
  loads.clear();
  for (const LinkLoad& load : loads_) {
    const double scale = load.scale ? load.scale->at(t, inside).value : 1;
    loads.push_back({load.link, load.point, scale * load.force, scale * load.moment, load.in_link_axes});
  }
}

std::vector<TipLoad> Loads::list_in_full() const {
  std::vector<TipLoad> loads;
  for (const LinkLoad& load : loads_)
    loads.push_back({load.link, load.point, load.force, load.moment, load.in_link_axes});
  return loads;
}

void Loads::add_stiffness(const LinkLoad& load, const SmallMotion& motion, Triplets& entries) {
  const Arm& arm = motion.arm();
  const Pose& X_WT = motion.kinematics().X_WT[load.link];
  const Matrix3d R = load.in_link_axes ? X_WT.R : Matrix3d::Identity();
  const Vector3d force = R * load.force, moment = R * load.moment, at = X_WT * load.point;
  // Everything that moves the point, from the load inwards. Flexible coordinates of one link share a `bend`, the link they
  // belong to: they do not act one after the other.
  struct Mover {
    int column, bend;
    Vector3d turn, velocity;
  };
  std::vector<Mover> movers;
  for (const SmallMotion::Direction& direction : motion.tip_directions(load.link)) {
    int bend = -1;
    for (int i = load.link; i >= 0; i = arm.link(i).parent)
      if (direction.column >= arm.link(i).flex_v0() && direction.column < arm.link(i).flex_v0() + arm.link(i).n_flex())
        bend = i;
    movers.push_back({direction.column, bend, direction.turn, direction.at(at - motion.reference())});
  }
  for (size_t i = 0; i < movers.size(); ++i) {
    for (size_t j = 0; j < movers.size(); ++j) {
      const Mover &a = movers[i], &b = movers[j];  // how the force on a changes with b
      Vector3d velocity_change, turn_change = Vector3d::Zero();
      if (a.bend >= 0 && a.bend == b.bend) {
        const Vector3d lever = at - motion.kinematics().X_WT[a.bend].p;
        turn_change = motion.turn_derivative(a.bend, a.column, b.column);
        velocity_change = turn_change.cross(lever) + a.turn.cross(b.turn.cross(lever));
      } else {
        const Mover &outer = i <= j ? a : b, &inner = i <= j ? b : a;
        velocity_change = inner.turn.cross(outer.velocity);
        if (i < j) turn_change = b.turn.cross(a.turn);
      }
      double change = velocity_change.dot(force) + turn_change.dot(moment);
      if (load.in_link_axes) change += a.velocity.dot(b.turn.cross(force)) + a.turn.dot(b.turn.cross(moment));
      if (change != 0) entries.emplace_back(a.column, b.column, -change);
    }
  }
}

std::vector<Vector6d> Loads::wrenches_in_full(const Arm& arm, const Kinematics& kin) const {
  std::vector<Vector6d> on_tips(arm.n_links(), Vector6d::Zero());
  for (const LinkLoad& load : loads_) on_tips[load.link] += wrench_of(load, kin, 1);
  return on_tips;
}

OuterForces Loads::in_full() const {
  if (empty()) return {};
  return {[this](const SmallMotion& motion, Eigen::Ref<VectorXd> force) {
            for (const LinkLoad& load : loads_) add_one(load, motion.arm(), motion.kinematics(), 1, force);
          },
          [this](const SmallMotion& motion, Triplets& entries) {
            for (const LinkLoad& load : loads_) add_stiffness(load, motion, entries);
          }};
}

void Loads::add_breakpoints(std::vector<double>& times) const {
  for (const LinkLoad& load : loads_)
    if (load.scale) times.insert(times.end(), load.scale->breakpoints().begin(), load.scale->breakpoints().end());
}

}  // namespace lithe
