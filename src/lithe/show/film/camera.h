#pragma once

#include <string>
#include <vector>

#include "lithe/spatial/spatial.h"

namespace lithe::film {

/// The position of the viewer. A pinhole camera: a point at depth d before the eye, x to the right and y above its axis, is seen at
/// x/(d·tan·aspect), y/(d·tan), both from −1 to 1 over the picture.
struct Camera {
  Vector3d eye = Vector3d::Zero();
  Vector3d right = Vector3d::UnitX(), above = Vector3d::UnitY();  // of the picture, unit, in the world
  Vector3d towards = Vector3d::UnitZ();                           // from what is looked at to the eye; unit
  double distance = 1;                                            // from the eye to what is looked at
  double tan_half = 0.287;  // of the angle of view from the middle to the upper edge

  /// Column by column as OpenGL has it, with y downwards: rows of the picture then come from the top.
  Eigen::Matrix4f world_to_clip(double aspect) const;
};

/// From a place towards another.
Camera looking(const Vector3d& eye, const Vector3d& target, const Vector3d& up);

/// A viewing direction: an angle about the vertical from the front, then an elevation. Radians.
struct Direction {
  double azimuth = 0, elevation = 0;
};

/// `iso`, `front`, `side`, `top`: those of a report's page. Throws std::out_of_range for others.
Direction named_direction(const std::string& name);
const std::vector<std::string>& direction_names();

/// A camera that always sees all of some points: from one direction, from several in sequence, or orbiting.
class CameraPath {
 public:
  /// The camera moves through `directions`, evenly over the film, and at the same time by the angle `orbit` [rad] about the
  /// vertical. `margin` is kept free around the points [m].
  CameraPath(std::vector<Direction> directions, double orbit, std::vector<Vector3d> points, const Vector3d& up,
             double margin, double aspect);

  /// At a share of the film from 0 to 1.
  Camera at(double share) const;

 private:
  struct Fit {
    Vector3d target;
    double distance;
  };
  Vector3d towards(const Direction& direction) const;
  Camera placed(const Direction& direction) const;  // still at the target
  Fit fit(const Direction& direction) const;
  double need(const Camera& camera, const Vector3d& target) const;
  Direction direction_at(double share) const;

  std::vector<Direction> directions_;
  double orbit_;
  std::vector<Vector3d> points_;
  Matrix3d R_WV_;  // of the frame in which y is up and z is the front
  double margin_, aspect_;
  std::vector<Fit> fits_;  // one for each direction; for an orbiting camera one for all
};

}  // namespace lithe::film
