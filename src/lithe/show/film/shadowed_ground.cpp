#include "lithe/show/film/shadowed_ground.h"

#include <algorithm>

namespace lithe::film {

Vector3d towards_lamp(const Vector3d& up) {
  return Quaterniond::FromTwoVectors(Vector3d::UnitY(), up) * Vector3d(-0.35, 1.2, 0.55).normalized();
}

Vector3d middle_of_ground(const Surroundings& s) { return s.centre + (s.floor - s.centre.dot(s.up)) * s.up; }

Eigen::Matrix4f lamp_matrix(const Surroundings& s) {
  const Vector3d z = towards_lamp(s.up), x = z.unitOrthogonal(), y = z.cross(x);
  // The shadow's end on the ground may lie outside the ball; what casts it does not.
  const double deep = 1.05 * s.radius + std::max(0.0, s.centre.dot(s.up) - s.floor) / z.dot(s.up) + 0.2 * s.radius;
  const double wide = 1.05 * s.radius;
  Eigen::Matrix4d M = Eigen::Matrix4d::Identity();
  M.block<1, 3>(0, 0) = x.transpose() / (2 * wide);
  M.block<1, 3>(1, 0) = y.transpose() / (2 * wide);
  M.block<1, 3>(2, 0) = -z.transpose() / (2 * deep);
  M.block<3, 1>(0, 3) = Vector3d::Constant(0.5) - M.block<3, 3>(0, 0) * s.centre;
  return M.cast<float>();
}

void find_shadowed_ground(const Triangles& solids, const Surroundings& s, const Eigen::Matrix4f& world_to_lamp,
                          Triangles& out) {
  constexpr int n = 96;
  constexpr float air = 0.4F;  // of a tile, for the soft edge
  std::vector<bool> touched(size_t(n) * n, false);
  std::vector<Eigen::Vector2f> seen;
  seen.reserve(solids.vertices.size());
  for (const Vertex& vertex : solids.vertices) {
    const Eigen::Vector4f place(vertex.place[0], vertex.place[1], vertex.place[2], 1);
    seen.emplace_back(n * (world_to_lamp * place).head<2>());
  }
  // An arm that runs away leaves the picture by more than an int holds, or is nowhere.
  const auto tile = [](float x) { return x > -1 ? int(std::min(x, float(n))) : -1; };
  for (size_t k = 0; k + 2 < solids.indices.size(); k += 3) {
    const Eigen::Vector2f &a = seen[solids.indices[k]], &b = seen[solids.indices[k + 1]],
                          &c = seen[solids.indices[k + 2]];
    const Eigen::Vector2f low = a.cwiseMin(b).cwiseMin(c).array() - air, high = a.cwiseMax(b).cwiseMax(c).array() + air;
    for (int j = std::max(0, tile(low.y())); j <= std::min(n - 1, tile(high.y())); ++j)
      for (int i = std::max(0, tile(low.x())); i <= std::min(n - 1, tile(high.x())); ++i)
        touched[size_t(j) * n + i] = true;
  }
  // Back from the lamp's picture to the world, and along the light to the ground.
  const Eigen::Matrix4d lamp_to_world = world_to_lamp.cast<double>().inverse();
  const Vector3d towards = towards_lamp(s.up);
  out.clear();
  auto corner = [&](int i, int j) {
    const Vector3d place = (lamp_to_world * Eigen::Vector4d(double(i) / n, double(j) / n, 0.5, 1)).head<3>();
    return out.add(place + (s.floor - place.dot(s.up)) / towards.dot(s.up) * towards, s.up, {});
  };
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      if (touched[size_t(j) * n + i]) out.quad(corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1));
}

}  // namespace lithe::film
