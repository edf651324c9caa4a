#include "lithe/show/film/camera.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>

namespace lithe::film {
namespace {

constexpr double room = 0.82;  // of the picture for the arm; the rest is for captions

double smooth(double share) { return share * share * (3 - 2 * share); }

}  // namespace

Eigen::Matrix4f Camera::world_to_clip(double aspect) const {
  const double near = distance / 100, far = distance * 60;
  Eigen::Matrix4d view = Eigen::Matrix4d::Identity(), clip = Eigen::Matrix4d::Zero();
  view.block<1, 3>(0, 0) = right.transpose();
  view.block<1, 3>(1, 0) = above.transpose();
  view.block<1, 3>(2, 0) = towards.transpose();
  view.block<3, 1>(0, 3) = -view.block<3, 3>(0, 0) * eye;
  clip(0, 0) = 1 / (tan_half * aspect);
  clip(1, 1) = -1 / tan_half;
  clip(2, 2) = -(far + near) / (far - near);
  clip(2, 3) = -2 * far * near / (far - near);
  clip(3, 2) = -1;
  return (clip * view).cast<float>();
}

Camera looking(const Vector3d& eye, const Vector3d& target, const Vector3d& up) {
  Camera camera;
  camera.eye = eye;
  camera.distance = (eye - target).norm();
  camera.towards = (eye - target) / camera.distance;
  Vector3d right = up.cross(camera.towards);
  if (right.norm() < 1e-9) right = camera.towards.unitOrthogonal();
  camera.right = right.normalized();
  camera.above = camera.towards.cross(camera.right);
  return camera;
}

const std::vector<std::string>& direction_names() {
  static const std::vector<std::string> names{"iso", "front", "side", "top"};
  return names;
}

Direction named_direction(const std::string& name) {
  const double quarter = std::acos(0.0);
  static const std::map<std::string, Direction> known{
      {"iso", {std::atan2(0.55, 0.85), std::atan2(0.42, std::hypot(0.55, 0.85))}},
      {"front", {0, 0}},
      {"side", {quarter, 0}},
      {"top", {0, quarter - 1e-4}}};
  return known.at(name);
}

CameraPath::CameraPath(std::vector<Direction> directions, double orbit, std::vector<Vector3d> points,
                       const Vector3d& up, double margin, double aspect)
    : directions_(std::move(directions)),
      orbit_(orbit),
      points_(std::move(points)),
      R_WV_(Quaterniond::FromTwoVectors(Vector3d::UnitY(), up).toRotationMatrix()),
      margin_(margin),
      aspect_(aspect) {
  // With up along z, the front looks along y: x stays to the right.
  if (orbit_ == 0) {
    for (const Direction& direction : directions_) fits_.push_back(fit(direction));
    return;
  }
  // An orbiting camera: about the middle of everything, at the distance that the worst direction needs.
  Vector3d low = points_.front(), high = points_.front();
  for (const Vector3d& point : points_) {
    low = low.cwiseMin(point);
    high = high.cwiseMax(point);
  }
  Fit common{(low + high) / 2, 0};
  constexpr int n_tried = 48;
  for (int k = 0; k <= n_tried; ++k) {
    const Camera camera = placed(direction_at(double(k) / n_tried));
    common.distance = std::max(common.distance, need(camera, common.target));
  }
  fits_.push_back(common);
}

Vector3d CameraPath::towards(const Direction& d) const {
  return R_WV_ * Vector3d(std::cos(d.elevation) * std::sin(d.azimuth), std::sin(d.elevation),
                          std::cos(d.elevation) * std::cos(d.azimuth));
}

Camera CameraPath::placed(const Direction& direction) const {
  return looking(towards(direction), Vector3d::Zero(), R_WV_.col(1));
}

/// How far the eye must be from the target for every point to be in the picture.
double CameraPath::need(const Camera& camera, const Vector3d& target) const {
  const double tan_y = room * camera.tan_half, tan_x = tan_y * aspect_;
  double distance = 3 * margin_;
  for (const Vector3d& point : points_) {
    const Vector3d from = point - target;
    distance =
        std::max(distance, from.dot(camera.towards) + std::max((std::abs(from.dot(camera.right)) + margin_) / tan_x,
                                                               (std::abs(from.dot(camera.above)) + margin_) / tan_y));
  }
  return distance;
}

/// Centred on the points, seen from there.
CameraPath::Fit CameraPath::fit(const Direction& direction) const {
  const Camera camera = placed(direction);
  Vector3d low = Vector3d::Constant(std::numeric_limits<double>::infinity()), high = -low;
  for (const Vector3d& point : points_) {
    const Vector3d seen(point.dot(camera.right), point.dot(camera.above), point.dot(camera.towards));
    low = low.cwiseMin(seen);
    high = high.cwiseMax(seen);
  }
  const Vector3d middle = (low + high) / 2;
  const Vector3d target = camera.right * middle.x() + camera.above * middle.y() + camera.towards * middle.z();
  return {target, need(camera, target)};
}

Direction CameraPath::direction_at(double share) const {
  const size_t n = directions_.size();
  Direction direction = directions_.front();
  if (n > 1) {
    const double along = std::clamp(share, 0.0, 1.0) * double(n - 1);
    const size_t k = std::min(size_t(along), n - 2);
    const double part = smooth(along - double(k));
    direction.azimuth = (1 - part) * directions_[k].azimuth + part * directions_[k + 1].azimuth;
    direction.elevation = (1 - part) * directions_[k].elevation + part * directions_[k + 1].elevation;
  }
  direction.azimuth += orbit_ * share;
  return direction;
}

Camera CameraPath::at(double share) const {
  Camera camera = placed(direction_at(share));
  Fit seen = fits_.front();
  if (fits_.size() > 1) {
    const double along = std::clamp(share, 0.0, 1.0) * double(fits_.size() - 1);
    const size_t k = std::min(size_t(along), fits_.size() - 2);
    const double part = smooth(along - double(k));
    seen = {(1 - part) * fits_[k].target + part * fits_[k + 1].target,
            (1 - part) * fits_[k].distance + part * fits_[k + 1].distance};
    seen.distance = std::max(seen.distance, need(camera, seen.target));  // between two views more may be in the way
  }
  camera.eye = seen.target + seen.distance * camera.towards;
  camera.distance = seen.distance;
  return camera;
}

}  // namespace lithe::film
