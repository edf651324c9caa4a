#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lithe/arm/arm.h"
#include "lithe/arm/kinematics.h"
#include "lithe/arm/state.h"
#include "lithe/describe/case.h"
#include "lithe/show/scene_surface.h"

namespace lithe {

/// The outline of a cross-section in the y–z plane of its link: an ellipse or a rectangle by its half extents, hollow where the
/// hole's are positive.
struct Outline {
  bool round = true;
  double y = 0, z = 0;
  double hole_y = 0, hole_z = 0;
};

/// The outline of a section. One given by its numbers is drawn as the elliptic tube that has its area and second moments, or
/// as the ellipse with its second moments per area if no tube has them.
Outline outline_of(const Section& section);

/// A section along a link: where its centre is in B while the link is straight, its outline, and for a link that bends how it
/// moves and turns per flexible coordinate: place + phi δ, turned by exp[psi δ]×. On an exact link it is a section of that.
struct SceneStation {
  Vector3d place = Vector3d::Zero();
  Outline outline;
  Matrix3Xd phi, psi;             // 3 × n_flex
  std::optional<RodSection> rod;  // on an exact link
};

/// A solid of fixed form on one of a link's frames.
struct SceneSolid {
  enum class Form {
    box,       // centred; size: along x, y, z
    cylinder,  // centred, its axis x; size: length, diameter
    sphere,    // centred; size: diameter
    bar        // from the origin along x; size: length, diameter at its start, at its end
  };
  enum class Frame { parent_tip, link, tip, station };
  enum class Role { body, offset, payload, base };
  Form form = Form::box;
  Frame frame = Frame::link;
  Role role = Role::body;
  Pose place;  // in that frame
  Vector3d size = Vector3d::Zero();
  int station = -1;  // of its link, whose pose is its frame
};

/// What is drawn of one link of the arm. Links without a form (rotors, the slides of a planar base, rotations within a hinge) have
/// neither stations nor solids, so that indices are those of the arm.
struct SceneLink {
  std::string name;                    // of the link as the case calls it
  std::vector<SceneStation> stations;  // of a body swept along the link; empty for others
  std::vector<SceneSolid> solids;
  double joint_size = 0;  // diameter of the glyph of a joint that moves; zero: none is drawn
  double length = 0;      // of a beam in a guide, whose stations lie on its free part: see station_places
  int colour = 0;         // index among the links of the case
};

/// What is drawn of an arm, and how large. The poses of its parts follow from kinematics.
struct Scene {
  std::vector<SceneLink> links;  // as many as the arm's
  std::vector<SceneSurface> surfaces;
  Vector3d up = Vector3d::UnitZ();
  double reach = 1;     // largest distance along the links from the base to a tip [m]
  bool footing = true;  // whether the arm stands on the ground
};

/// A frame at a place with x along a unit direction, with any rotation about it.
Pose frame_along(const Vector3d& place, const Vector3d& direction);

/// Outlines are drawn at least this thick, as a fraction of the arm's reach, so that they stay visible.
inline constexpr double thinnest_outline = 0.003;

Scene scene_of(const Case& data, const Arm& arm);

/// Where the stations of a link are in the world, x along the bent link. For a beam in a guide the first station stays at its
/// root, and the others are distributed over its free part.
std::vector<Pose> station_poses(const Scene& scene, const Arm& arm, int i_link, const State& state,
                                const Kinematics& kinematics);

/// The frame of a solid of a link, in the world.
Pose solid_frame(const Scene& scene, const Arm& arm, int i_link, const SceneSolid& solid, const State& state,
                 const Kinematics& kinematics);

/// The same arm with every deformation multiplied: of shapes, elements and hinges of segments, and of elastic joints against
/// their rotors.
State exaggerated(const Arm& arm, const State& state, double factor);

}  // namespace lithe
