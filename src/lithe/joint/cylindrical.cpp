#include "lithe/joint/kind_list.h"

namespace lithe {
namespace {

const std::vector<JointCoordinate> own_coordinates{{".turn", true}, {".slide", false}};

/// Turns about an axis and slides along it, each by itself. The axis is the same in F and M, so the directions do not change.
class Cylindrical final : public Joint {
 public:
  explicit Cylindrical(const Vector3d& axis) : Joint(2, own_coordinates), axis_(axis) {}
  std::string_view word() const override { return "cylindrical"; }
  Pose X_FM(const double* q) const override { return {axis_rotation(axis_, q[0]), q[1] * axis_}; }
  void directions(const double*, JointDirections& H) const override {
    H.setZero(6, 2);
    H.col(0).head<3>() = axis_;
    H.col(1).tail<3>() = axis_;
  }
  std::vector<ElementaryMotion> steps() const override {
    return {{ElementaryMotion::Kind::turn, axis_, 0}, {ElementaryMotion::Kind::slide, axis_, 1}};
  }

 private:
  Vector3d axis_;
};

}  // namespace

JointKind cylindrical_kind() {
  return {.word = "cylindrical",
          .meaning = "turns about `axis` and slides along it: coordinates JOINT.turn and JOINT.slide",
          .takes_axis = true,
          .coordinates = own_coordinates,
          .make = [](const JointParameters& given) { return std::make_shared<const Cylindrical>(given.axis); }};
}

}  // namespace lithe
