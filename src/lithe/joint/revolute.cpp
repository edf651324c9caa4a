#include "lithe/joint/kind_list.h"

namespace lithe {
namespace {

const std::vector<JointCoordinate> own_coordinates{{"", true}};

class Revolute final : public Joint {
 public:
  explicit Revolute(const Vector3d& axis) : Joint(1, own_coordinates), axis_(axis) {}
  std::string_view word() const override { return "revolute"; }
  Pose X_FM(const double* q) const override { return {axis_rotation(axis_, *q), Vector3d::Zero()}; }
  void directions(const double*, JointDirections& H) const override {
    H.resize(6, 1);
    H << axis_, Vector3d::Zero();
  }
  std::optional<Axis> single_axis() const override { return Axis{true, axis_}; }
  std::vector<ElementaryMotion> steps() const override { return {{ElementaryMotion::Kind::turn, axis_}}; }

 private:
  Vector3d axis_;
};

}  // namespace

std::shared_ptr<const Joint> revolute_joint(const Vector3d& unit_axis) {
  return std::make_shared<const Revolute>(unit_axis);
}

JointKind revolute_kind() {
  return {.word = "revolute",
          .meaning = "turns about `axis`",
          .takes_axis = true,
          .coordinates = own_coordinates,
          .make = [](const JointParameters& given) { return revolute_joint(given.axis); }};
}

}  // namespace lithe
