#include "lithe/show/film/ribbon.h"

namespace lithe::film {

void add_ribbon(Triangles& out, std::span<const Vector3d> points, const Camera& camera, double width, Colour colour,
                double opacity) {
  if (points.size() < 2) return;
  std::uint32_t left_before = 0, right_before = 0;
  for (size_t k = 0; k < points.size(); ++k) {
    const Vector3d along = points[std::min(k + 1, points.size() - 1)] - points[k == 0 ? 0 : k - 1];
    const Vector3d from_eye = points[k] - camera.eye;
    Vector3d side = along.cross(from_eye);
    side = side.norm() > 1e-12 * along.norm() * from_eye.norm() ? side.normalized() : camera.above;
    const double depth = -from_eye.dot(camera.towards);
    const Vector3d half = width * depth * camera.tan_half * side;
    const std::uint32_t left = out.add(points[k] + half, camera.towards, colour, opacity);
    const std::uint32_t right = out.add(points[k] - half, camera.towards, colour, opacity);
    if (k > 0) out.quad(left_before, left, right, right_before);
    left_before = left;
    right_before = right;
  }
}

}  // namespace lithe::film
