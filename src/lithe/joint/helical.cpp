#include <numbers>

#include "lithe/joint/kind_list.h"

namespace lithe {
namespace {

const std::vector<JointCoordinate> own_coordinates{{"", true}};

/// A screw: turns by q about its axis and advances by pitch·q/2π along it.
class Helical final : public Joint {
 public:
  Helical(const Vector3d& axis, double pitch)
      : Joint(1, own_coordinates), axis_(axis), advance_(pitch / (2 * std::numbers::pi)) {}
  std::string_view word() const override { return "helical"; }
  Pose X_FM(const double* q) const override { return {axis_rotation(axis_, *q), advance_ * *q * axis_}; }
  void directions(const double*, JointDirections& H) const override {
    H.resize(6, 1);
    H << axis_, advance_ * axis_;
  }
  std::vector<ElementaryMotion> steps() const override {
    return {{ElementaryMotion::Kind::turn, axis_}, {ElementaryMotion::Kind::slide, axis_, 0, advance_}};
  }

 private:
  Vector3d axis_;
  double advance_;
};

}  // namespace

JointKind helical_kind() {
  return {
      .word = "helical",
      .meaning = "a screw: turns about `axis` and advances along it by `pitch` per turn",
      .takes_axis = true,
      .takes_pitch = true,
      .coordinates = own_coordinates,
      .make = [](const JointParameters& given) { return std::make_shared<const Helical>(given.axis, given.pitch); }};
}

}  // namespace lithe
