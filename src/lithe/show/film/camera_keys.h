#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lithe/show/film/camera.h"

namespace lithe::film {

/// Where the camera is to be at a time of the run, and what that part of the film is called.
struct CameraKey {
  double time = 0;
  std::string view;                               // a name of camera.h, from where all is seen; empty: eye and target
  Vector3d eye = Vector3d::Zero();                // m
  std::optional<Vector3d> target = std::nullopt;  // default: the middle of the motion
  std::string name = {};                          // written on the film from then on, until the next that has one
};

/// A key in words: `TIME=VIEW`, `TIME=x,y,z` or `TIME=x,y,z>x,y,z` (eye, then target), and `:NAME` after it where it has one.
/// Throws std::invalid_argument that says what was expected.
CameraKey camera_key(const std::string& words);
/// One key per line of a file; what follows a # is a comment. Throws std::invalid_argument with the line.
std::vector<CameraKey> camera_keys_in(const std::string& text);

/// A camera that goes from key to key and rests at each: place, direction and distance smooth from one to the next, and held before the
/// first and after the last.
class KeyedCamera {
 public:
  /// Cameras at strictly ascending times, at least one.
  KeyedCamera(std::vector<double> times, std::vector<Camera> cameras, const Vector3d& up);

  Camera at(double t) const;

 private:
  std::vector<double> times_;
  std::vector<Camera> cameras_;
  Vector3d up_;
};

}  // namespace lithe::film
