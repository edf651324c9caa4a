#include <cmath>

#include "lithe/describe/case.h"

namespace lithe {

Vector3d wind_velocity(const WindSpec& wind, double speed, double incidence) {
  const Vector3d along = wind.direction.normalized(), up = (wind.up - wind.up.dot(along) * along).normalized();
  return speed * (std::cos(incidence) * along + std::sin(incidence) * up);
}

Vector3d wind_velocity(const WindSpec& wind) { return wind_velocity(wind, wind.speed, wind.incidence); }

}  // namespace lithe
