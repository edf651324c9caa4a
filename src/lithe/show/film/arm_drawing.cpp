#include "lithe/show/film/arm_drawing.h"

#include <algorithm>
#include <cmath>

#include "lithe/show/film/panels.h"
#include "lithe/show/joint_glyphs.h"
#include "lithe/show/playback.h"

namespace lithe::film {
namespace {

using Form = SceneSolid::Form;
using Frame = SceneSolid::Frame;
using Role = SceneSolid::Role;

Pose moved(const Pose& X, double along_x) { return {X.R, X.p + along_x * X.R.col(0)}; }

void add_solid(Triangles& out, const SceneSolid& solid, const Pose& X_frame, Colour colour) {
  const Pose X = X_frame * solid.place;
  const Vector3d& size = solid.size;
  switch (solid.form) {
    case Form::box:
      add_box(out, X, size, colour);
      break;
    case Form::cylinder:
      add_cone(out, moved(X, -size[0] / 2), size[0], size[1], size[1], colour);
      break;
    case Form::sphere:
      add_ball(out, X.p, size[0], colour);
      break;
    case Form::bar:
      add_cone(out, X, size[0], size[1], size[2], colour);
      add_ball(out, X.p, size[1], colour);
      add_ball(out, moved(X, size[0]).p, size[2], colour);
      break;
  }
}

double first_joint_radius(const Arm& arm, const Scene& scene) {
  for (int i = 0; i < arm.n_links(); ++i)
    if (arm.link(i).parent < 0 && scene.links[i].joint_size > 0) return 0.6 * scene.links[i].joint_size;
  return 0.6 * 0.03 * scene.reach;
}

class ArmPainter {
 public:
  ArmPainter(Triangles& out, const Arm& arm, const Scene& scene, const State& state, const Paint& paint)
      : out_(out), arm_(arm), scene_(scene), state_(state), paint_(paint), kin_(kinematics_of(arm, state)) {}

  void run() {
    if (paint_.stress) measure_segments();
    for (int i = 0; i < arm_.n_links(); ++i) {
      const SceneLink& drawn = scene_.links[i];
      add_links_body(i, drawn);
      for (const SceneSolid& solid : drawn.solids)
        add_solid(out_, solid, solid_frame(scene_, arm_, i, solid, state_, kin_), solid_colour(solid.role));
      if (drawn.joint_size > 0 && !paint_.ghost) add_joint(i, drawn.joint_size);
    }
    for (const SceneSurface& surface : scene_.surfaces) add_surface(surface);
    if (paint_.ghost) return;
    add_tip_frame();
    if (scene_.footing) add_foot();
  }

 private:
  const Pose& parent_tip(int i) const {
    const int parent = arm_.link(i).parent;
    return parent < 0 ? kin_.X_WR : kin_.X_WT[parent];
  }

  Colour ghostly(Colour colour) const { return paint_.ghost ? paint_.theme.ghost : colour; }
  Colour steel() const {
    return ghostly(paint_.run ? mixed(paint_.theme.steel, *paint_.run, 0.6) : paint_.theme.steel);
  }
  Colour solid_colour(Role role) const {
    if (role == Role::payload) return ghostly(paint_.theme.payload);
    return role == Role::base ? ghostly(paint_.theme.steel) : steel();
  }

  void add_links_body(int i, const SceneLink& drawn) {
    if (drawn.stations.size() < 2) return;
    const Colour plain = ghostly(paint_.run ? *paint_.run : paint_.theme.link(drawn.colour));
    std::vector<Colour> colours(drawn.stations.size(), plain);
    if (paint_.stress && !paint_.ghost) paint_stress(i, drawn, colours);
    add_sweep(out_, drawn.stations, station_poses(scene_, arm_, i, state_, kin_), colours);
  }

  /// A little thicker than the thinnest beam is drawn, which may lie in it.
  void add_surface(const SceneSurface& surface) {
    const Colour plain = ghostly(paint_.run ? *paint_.run : paint_.theme.link(surface.colour));
    const Colour cell = paint_.ghost ? plain : mixed(plain, paint_.theme.sky, 0.35);
    add_panels(out_, corner_places(surface, arm_, state_, kin_), surface.n_chord, surface.n_span, 0.009 * scene_.reach,
               cell, paint_.ghost ? plain : mixed(plain, paint_.theme.joint, 0.5));
  }

  /// Pieces of one segmented beam share a name: how much of it comes before each, and how long it is.
  void measure_segments() {
    for (int i = 0; i < arm_.n_links(); ++i) {
      const SceneLink& drawn = scene_.links[i];
      if (drawn.stations.size() < 2) continue;
      starts_[i] = lengths_[drawn.name];
      lengths_[drawn.name] += drawn.stations.back().place.x() - drawn.stations.front().place.x();
    }
  }
  void paint_stress(int i, const SceneLink& drawn, std::vector<Colour>& colours) const {
    const auto found = paint_.stress->find(drawn.name);
    for (size_t k = 0; k < colours.size(); ++k) {
      colours[k] = paint_.theme.steel;
      if (found == paint_.stress->end()) continue;
      const double fraction = (starts_.at(i) + drawn.stations[k].place.x()) / lengths_.at(drawn.name);
      colours[k] = heat(interpolated(found->second.fractions, found->second.shares, fraction));
    }
  }

  void add_joint(int i, double size) {
    const Link& link = arm_.link(i);
    const Pose X_WF = parent_tip(i) * link.X_PF;
    for (const JointGlyph& glyph : joint_glyphs(*link.joint)) {
      const Pose X = frame_along(X_WF.p, X_WF.R * glyph.axis);
      switch (glyph.kind) {
        case JointGlyph::Kind::hinge:
          add_cone(out_, moved(X, -0.475 * size), 0.95 * size, size, size, paint_.theme.joint);
          add_cone(out_, moved(X, -0.75 * size), 1.5 * size, 0.26 * size, 0.26 * size, steel());
          break;
        case JointGlyph::Kind::sleeve:  // square, about the rod that comes out of it
          add_box(out_, X, size * Vector3d(1.6, 0.95, 0.95), paint_.theme.joint);
          break;
        case JointGlyph::Kind::ball:
          add_ball(out_, kin_.X_WB[i].p, 1.15 * size, paint_.theme.joint);
          break;
      }
    }
    const Vector3d rod = kin_.X_WB[i].p - X_WF.p;
    if (joint_slides(*link.joint) && !link.guide && rod.norm() > 1e-9 * scene_.reach)
      add_cone(out_, frame_along(X_WF.p, rod.normalized()), rod.norm(), 0.44 * size, 0.44 * size, steel());
  }

  void add_tip_frame() {
    constexpr Colour colours[] = {colour(0xd55e00), colour(0x009e73), colour(0x0072b2)};
    const double reach = scene_.reach, length = 0.085 * reach;
    const Pose& X_WT = kin_.X_WT[arm_.last_link()];
    for (int axis = 0; axis < 3; ++axis) {
      const Pose X = frame_along(X_WT.p, X_WT.R.col(axis).normalized());
      add_cone(out_, X, length, 0.007 * reach, 0.007 * reach, colours[axis]);
      add_cone(out_, moved(X, length - 0.013 * reach), 0.026 * reach, 0.018 * reach, 0, colours[axis]);
    }
  }

  void add_foot() {
    const double reach = scene_.reach, radius = first_joint_radius(arm_, scene_);
    // Upright at the start of the base, with which it turns.
    const Vector3d up = kin_.X_WR.R * (arm_.root(0).X_WR.R.transpose() * scene_.up);
    const Pose X = frame_along(kin_.X_WR.p, up);
    add_cone(out_, moved(X, -radius - 0.022 * reach), 0.022 * reach, 0.124 * reach, 0.11 * reach, paint_.theme.joint);
    add_cone(out_, moved(X, -radius), radius, 0.068 * reach, 0.052 * reach, steel());
  }

  Triangles& out_;
  const Arm& arm_;
  const Scene& scene_;
  const State& state_;
  const Paint& paint_;
  Kinematics kin_;
  std::map<int, double> starts_;
  std::map<std::string, double> lengths_;
};

}  // namespace

void add_arm(Triangles& out, const Arm& arm, const Scene& scene, const State& state, const Paint& paint) {
  ArmPainter(out, arm, scene, state, paint).run();
}

std::vector<Vector3d> extent_points(const Arm& arm, const Scene& scene, const State& state) {
  const Kinematics kin = kinematics_of(arm, state);
  std::vector<Vector3d> points{kin.X_WR.p};
  for (int i = 0; i < arm.n_links(); ++i) {
    const SceneLink& drawn = scene.links[i];
    points.push_back(kin.X_WB[i].p);
    points.push_back(kin.X_WT[i].p);
    if (drawn.stations.size() > 4)
      points.push_back(station_poses(scene, arm, i, state, kin)[drawn.stations.size() / 2].p);
    for (const SceneSolid& solid : drawn.solids) {
      if (solid.frame == Frame::parent_tip) continue;
      const Pose X = solid_frame(scene, arm, i, solid, state, kin) * solid.place;
      if (solid.form == Form::box)
        for (int corner = 0; corner < 8; ++corner)
          points.push_back(X * Vector3d((corner & 1 ? 0.5 : -0.5) * solid.size[0],
                                        (corner & 2 ? 0.5 : -0.5) * solid.size[1],
                                        (corner & 4 ? 0.5 : -0.5) * solid.size[2]));
      else if (solid.form == Form::sphere)
        for (int axis = 0; axis < 3; ++axis)
          for (const double side : {-0.5, 0.5})
            points.push_back(X * Vector3d(side * solid.size[0] * Vector3d::Unit(axis)));
      else
        points.push_back(X * Vector3d(solid.size[0], 0, 0));
    }
  }
  for (const SceneSurface& surface : scene.surfaces) {
    const std::vector<Vector3d> places = corner_places(surface, arm, state, kin);
    for (const int i : {0, surface.n_chord})
      for (const int j : {0, surface.n_span}) points.push_back(places[size_t(surface.corner(i, j))]);
  }
  return points;
}

std::optional<Vector3d> sole(const Arm& arm, const Scene& scene, double t) {
  if (!scene.footing) return {};
  return arm.root(t).X_WR.p - (first_joint_radius(arm, scene) + 0.022 * scene.reach) * scene.up;
}

}  // namespace lithe::film
