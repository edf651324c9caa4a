#include "lithe/drive/loads.h"

#include <fmt/format.h>

#include "lithe/describe/limits.h"
#include "lithe/drive/spread_load.h"
#include "lithe/spatial/demand.h"

namespace lithe {

Loads::Loads(const std::vector<Load>& given, const std::string& path, const Arm& arm) {
  std::int64_t numbers = 0;
  for (size_t i = 0; i < given.size(); ++i) {
    const Load& load = given[i];
    const int link = arm.find_link(load.link);
    LITHE_DEMAND(link >= 0);
    const std::string where = fmt::format("{}[{}]", path, i);
    LinkLoad compiled{.in_link_axes = load.axes == Axes::link};
    if (load.spread) {
      const std::string spread = where + ".distributed";
      numbers += spread_numbers(arm, link, *load.spread, spread);
      if (numbers > limits::spread_numbers)
        throw FieldError(spread, fmt::format("asks for {} points times shapes in the loads spread so far; at most {}: "
                                             "fewer elements or shapes of the link, or fewer such loads",
                                             numbers, limits::spread_numbers));
      compiled.parts = parts_of(arm, link, *load.spread, /*at_stations=*/false, spread);
      compiled.add_up(arm, load.spread->force);
      compiled.spread = SpreadOver{link, *load.spread, spread};
    } else if (load.point) {
      compiled.parts.push_back({place_on_link(arm, link, *load.point, where + ".point"), load.force, load.moment});
    } else {
      compiled.parts.push_back({{tip_section(arm, link)}, load.force, load.moment});
    }
    if (load.scale) compiled.scale.emplace(*load.scale, 0, where + ".scale");
    if (!load.active) compiled.factor = 0;
    loads_.push_back(std::move(compiled));
  }
}

std::vector<Loads::Part> Loads::parts_of(const Arm& arm, int link, const Spread& spread, bool at_stations,
                                         const std::string& path) {
  std::vector<Part> parts;
  for (SpreadShare& share : spread_on_link(arm, link, spread, at_stations, path))
    parts.push_back({std::move(share.place), share.length * spread.force, share.length * spread.moment});
  return parts;
}

/// Forces that keep their directions in the world do work through the displacements of their points alone: the point of a bending link's
/// section moves by Σ φ_k δ_k in link axes, which adds up over all points. Moments, forces that turn with their sections, and points
/// beside the axis of a bending link need each section's turn.
void Loads::LinkLoad::add_up(const Arm& arm, const Vector3d& force) {
  if (in_link_axes || force.isZero(0)) return;
  std::vector<Sum> all;
  for (const Part& part : parts) {
    const LinkSection& section = part.place.section;
    if (section.rod || section.shortening.size() > 0 || !part.moment.isZero(0) ||
        (section.shapes.size() > 0 && !part.place.offset.isZero(0)))
      return;
    if (all.empty() || all.back().link != section.link)
      all.push_back({section.link, force, 0, Vector3d::Zero(), Matrix3Xd::Zero(3, arm.link(section.link).n_flex())});
    Sum& sum = all.back();
    const double share = part.force.dot(force) / force.squaredNorm();
    sum.weight += share;
    sum.place += share * (section.X_BS * part.place.offset);
    for (int k = 0; k < section.shapes.size(); ++k)
      sum.phi.col(section.shapes.coordinates[k]) += share * section.shapes.phi.col(k);
  }
  sums = std::move(all);
}

namespace {

/// Force and moment in world axes, and where the force acts.
struct Acting {
  Vector3d force, moment, place;
};

Acting acting(const SectionLoad& load, const SectionFrame& frame) {
  const Matrix3d R = load.in_link_axes ? frame.X_WS.R : Matrix3d::Identity();
  return {R * load.force, R * load.moment, frame.X_WS * load.point};
}

}  // namespace

void add_wrench(const SectionLoad& load, const Arm& arm, const State& state, const Kinematics& kin,
                std::vector<Vector6d>& on_tips, std::vector<AlongLoad>& along) {
  const LinkSection& section = *load.section;
  const auto [force, moment, at] = acting(load, SectionFrame(arm, section, state, kin));
  if (section.is_tip) {
    on_tips[section.link].head<3>() += moment + (at - kin.X_WT[section.link].p).cross(force);
    on_tips[section.link].tail<3>() += force;
  } else {
    along.push_back({section.link, section.X_BS.p.x(), at, force, moment});
  }
}

void Loads::add_wrenches(const Arm& arm, const State& state, const Kinematics& kin, double inside,
                         std::vector<Vector6d>& on_tips, std::vector<AlongLoad>& along) const {
  for (const LinkLoad& load : loads_)
    load.cut(load.at(state.t, inside), arm,
             [&](const SectionLoad& part) { add_wrench(part, arm, state, kin, on_tips, along); });
}

/// Power of the load per unit rate of each coordinate that moves its sections. What moves a whole link sees the sum of its parts there.
void Loads::LinkLoad::add(double by, const Arm& arm, const State& state, const Kinematics& kin,
                          Eigen::Ref<VectorXd> tau) const {
  for (const Sum& one : sums) {
    const Link& link = arm.link(one.link);
    const Pose& X_WB = kin.X_WB[one.link];
    const Vector3d force = by * one.force, force_B = X_WB.R.transpose() * force;
    Vector3d place = one.place;
    for (int k = 0; k < link.n_flex(); ++k) {
      place += state.q[link.flex_q0() + k] * one.phi.col(k);
      tau[link.flex_v0() + k] += one.phi.col(k).dot(force_B);
    }
    const Vector3d sum = one.weight * force, about_B = (X_WB.R * place).cross(force);
    for_each_direction(arm, kin, one.link,
                       [&](int column, const Vector3d& turn, const Vector3d& slide, const Vector3d& origin) {
                         tau[column] += turn.dot(about_B + (X_WB.p - origin).cross(sum)) + slide.dot(sum);
                       });
  }
  if (!sums.empty()) return;
  for (auto part = parts.begin(); part != parts.end();) {
    const int i_link = part->place.section.link;
    const Vector3d origin_B = kin.X_WB[i_link].p;
    Vector3d sum = Vector3d::Zero(), about_B = Vector3d::Zero();
    for (; part != parts.end() && part->place.section.link == i_link; ++part) {
      const LinkSection& section = part->place.section;
      const SectionFrame frame(arm, section, state, kin);
      const auto [force, moment, at] = acting(scaled(*part, by), frame);
      const Vector3d lever = at - frame.X_WS.p;
      for (int k = 0; k < frame.size(); ++k) {
        const Vector3d turn = frame.turn(k);
        tau[arm.link(i_link).flex_v0() + section.shapes.coordinates[k]] +=
            turn.dot(moment) + (frame.slide(k) + turn.cross(lever)).dot(force);
      }
      sum += force;
      about_B += moment + (at - origin_B).cross(force);
    }
    for_each_direction(arm, kin, i_link,
                       [&](int column, const Vector3d& turn, const Vector3d& slide, const Vector3d& origin) {
                         tau[column] += turn.dot(about_B + (origin_B - origin).cross(sum)) + slide.dot(sum);
                       });
  }
}

void Loads::add(const Arm& arm, const State& state, const Kinematics& kin, double inside,
                Eigen::Ref<VectorXd> tau) const {
  for (const LinkLoad& load : loads_) load.add(load.at(state.t, inside), arm, state, kin, tau);
}

void Loads::list(double t, double inside, std::vector<SectionLoad>& loads) const {
  loads.clear();
  for (const LinkLoad& load : loads_) {
    const double by = load.at(t, inside);
    for (const Part& part : load.parts) loads.push_back(load.scaled(part, by));
  }
}

std::vector<SectionLoad> Loads::list_in_full() const {
  std::vector<SectionLoad> loads;
  for (const LinkLoad& load : loads_)
    for (const Part& part : load.parts) loads.push_back(load.scaled(part, load.factor));
  return loads;
}

void add_stiffness(const SectionLoad& load, const SmallMotion& motion, Triplets& entries) {
  const Arm& arm = motion.arm();
  const LinkSection& section = *load.section;
  const SectionFrame frame(arm, section, motion.state(), motion.kinematics());
  const auto [force, moment, at] = acting(load, frame);
  const SectionSlopes slopes = motion.section_slopes(section, frame);
  // Everything that moves the point, from the load inwards. Flexible coordinates of one link share a `bend`, the link they
  // belong to, and those of a joint with several coordinates its `joint`: they do not act one after the other. `shape` counts
  // those of the load's own section.
  struct Mover {
    int column, bend, shape;
    Vector3d turn, velocity;
    int joint = -1;
  };
  std::vector<Mover> movers;
  for (int k = 0; k < frame.size(); ++k) {
    const Vector3d turn = frame.turn(k);
    movers.push_back({arm.link(section.link).flex_v0() + section.shapes.coordinates[k], section.link, k, turn,
                      frame.slide(k) + turn.cross(at - frame.X_WS.p)});
  }
  for (const SmallMotion::Direction& direction : motion.frame_directions(section.link)) {
    int bend = -1;
    for (int i = arm.link(section.link).parent; i >= 0; i = arm.link(i).parent)
      if (direction.column >= arm.link(i).flex_v0() && direction.column < arm.link(i).flex_v0() + arm.link(i).n_flex())
        bend = i;
    int joint = -1;
    for (int i = section.link; i >= 0; i = arm.link(i).parent)
      if ((arm.link(i).nv() > 1 || arm.link(i).joint->directions_change()) && direction.column >= arm.link(i).v0 &&
          direction.column < arm.link(i).flex_v0())
        joint = i;
    movers.push_back({direction.column, bend, -1, direction.turn, direction.at(at - motion.reference()), joint});
  }
  for (size_t i = 0; i < movers.size(); ++i) {
    for (size_t j = 0; j < movers.size(); ++j) {
      const Mover &a = movers[i], &b = movers[j];  // how the force on a changes with b
      Vector3d velocity_change, turn_change = Vector3d::Zero();
      if (a.bend >= 0 && a.bend == b.bend) {
        const bool own = a.shape >= 0;
        const Vector3d lever = at - (own ? frame.X_WS.p : motion.kinematics().X_WT[a.bend].p);
        turn_change = own ? slopes.turn(a.shape, b.shape) : motion.turn_derivative(a.bend, a.column, b.column);
        velocity_change = turn_change.cross(lever) + a.turn.cross(b.turn.cross(lever)) +
                          (own ? slopes.slide(a.shape, b.shape) : motion.slide_derivative(a.bend, a.column, b.column));
      } else if (a.joint >= 0 && a.joint == b.joint) {
        const int v0 = arm.link(a.joint).v0;
        const SmallMotion::Direction own = motion.own_slope(a.joint, a.column - v0, b.column - v0);
        turn_change = own.turn + b.turn.cross(a.turn);
        velocity_change = own.at(at - motion.reference()) + b.turn.cross(a.velocity);
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

Loads::Wrenches Loads::wrenches_in_full(const Arm& arm, const State& state) const {
  Wrenches wrenches{std::vector<Vector6d>(arm.n_links(), Vector6d::Zero()), {}};
  const Kinematics kin = kinematics_of(arm, state);
  for (const LinkLoad& load : loads_)
    load.cut(load.factor, arm,
             [&](const SectionLoad& part) { add_wrench(part, arm, state, kin, wrenches.on_tips, wrenches.along); });
  return wrenches;
}

OuterForces Loads::unscaled() const {
  if (empty()) return {};
  return {[this](const SmallMotion& motion, Eigen::Ref<VectorXd> force) {
            for (const LinkLoad& load : loads_)
              load.add(load.factor, motion.arm(), motion.state(), motion.kinematics(), force);
          },
          [this](const SmallMotion& motion, Triplets& entries) {
            for (const LinkLoad& load : loads_)
              for (const Part& part : load.parts) add_stiffness(load.scaled(part, load.factor), motion, entries);
          }};
}

std::vector<double> Loads::factors() const {
  std::vector<double> factors;
  for (const LinkLoad& load : loads_) factors.push_back(load.factor);
  return factors;
}

void Loads::add_breakpoints(std::vector<double>& times) const {
  for (const LinkLoad& load : loads_)
    if (load.scale) times.insert(times.end(), load.scale->breakpoints().begin(), load.scale->breakpoints().end());
}

}  // namespace lithe
