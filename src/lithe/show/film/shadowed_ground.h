#pragma once

#include "lithe/show/film/mesh.h"

namespace lithe::film {

/// The parts of the scene that do not change while the arm moves: the ground, and the extent of light and shadow.
struct Surroundings {
  Vector3d up = Vector3d::UnitZ();
  Vector3d centre = Vector3d::Zero();  // of everything that moves; the ground lies below it
  double floor = 0;                    // height of the ground along `up`
  double radius = 1;                   // of a ball around everything that moves
  double grid_pitch = 1, grid_radius = 5;
  double thickness = 0.01;  // the scale of small things, for the shadow's offset from its cause
};

/// From the ground towards the lamp, unit: above, behind the left shoulder of who looks from the front.
Vector3d towards_lamp(const Vector3d& up);

Vector3d middle_of_ground(const Surroundings& s);

/// From the world to the lamp's own picture, 0 to 1 each way: parallel light on the ball around everything.
Eigen::Matrix4f lamp_matrix(const Surroundings& s);

/// The tiles of the ground on which shadow may fall: the lamp's picture in squares, those that surfaces touch, and from there
/// along the light to the ground. Pixels with shadow are the most expensive ones, and most of the ground has none.
void find_shadowed_ground(const Triangles& solids, const Surroundings& s, const Eigen::Matrix4f& world_to_lamp,
                          Triangles& out);

}  // namespace lithe::film
