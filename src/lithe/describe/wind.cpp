#include <cmath>

#include "lithe/describe/case.h"

namespace lithe {

Vector3d wind_velocity(const WindSpec& wind) {
  const Vector3d along = wind.direction.normalized(), up = (wind.up - wind.up.dot(along) * along).normalized();
  return wind.speed * (std::cos(wind.incidence) * along + std::sin(wind.incidence) * up);
}

}  // namespace lithe
