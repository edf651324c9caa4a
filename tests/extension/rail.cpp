#include "rail.h"

#include <lithe/joint/kinds.h>

#include <cmath>

namespace extension {
namespace {

using namespace lithe;

const std::vector<JointCoordinate> along{{"", false}};

/// Only what must be given: slopes and rates of its direction come by differences, and q̇ = v.
class Rail final : public Joint {
 public:
  Rail() : Joint(1, along) {}
  std::string_view word() const override { return "rail"; }
  Pose X_FM(const double* q) const override {
    return {axis_rotation(Vector3d::UnitZ(), std::atan(2 * bend * *q)), Vector3d(*q, bend * *q * *q, 0)};
  }
  void directions(const double* q, JointDirections& H) const override {
    const double steepness = 2 * bend * *q, square = 1 + steepness * steepness;
    H.setZero(6, 1);
    H(2, 0) = 2 * bend / square;  // the turn of the tangent
    H(3, 0) = std::sqrt(square);  // along it
  }
  bool directions_change() const override { return true; }
};

}  // namespace

void add_rail() {
  add_joint_kind(
      {.word = "rail", .meaning = "runs along a parabola", .coordinates = along, .make = [](const JointParameters&) {
         return std::make_shared<const Rail>();
       }});
}

}  // namespace extension
