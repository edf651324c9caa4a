#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lithe/show/film/mesh.h"
#include "lithe/show/scene.h"

namespace lithe::film {

/// Stress along a link: at these fractions of its length, as a share of the largest anywhere.
struct StressAlong {
  std::vector<double> fractions, shares;
};

/// How an arm is painted.
struct Paint {
  const Theme& theme;
  std::optional<Colour> run;  // if there are several runs; links of a single run have different colours
  bool ghost = false;         // in one colour, without joints, foot and tip
  const std::map<std::string, StressAlong>* stress = nullptr;  // links by name; those without one are grey
};

/// The surfaces of an arm in its present state, as a report's page draws it: links, offsets, bodies and loads, joints, foot, tip frame.
void add_arm(Triangles& out, const Arm& arm, const Scene& scene, const State& state, const Paint& paint);

/// Points that show the extent of an arm in its present state.
std::vector<Vector3d> extent_points(const Arm& arm, const Scene& scene, const State& state);

/// The position of the underside of its foot, for an arm that stands on the ground.
std::optional<Vector3d> sole(const Arm& arm, const Scene& scene, double t);

}  // namespace lithe::film
