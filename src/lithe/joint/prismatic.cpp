#include "lithe/joint/kind_list.h"

namespace lithe {
namespace {

const std::vector<JointCoordinate> own_coordinates{{"", false}};

class Prismatic final : public Joint {
 public:
  explicit Prismatic(const Vector3d& axis) : Joint(1, own_coordinates), axis_(axis) {}
  std::string_view word() const override { return "prismatic"; }
  Pose X_FM(const double* q) const override { return {Matrix3d::Identity(), *q * axis_}; }
  void directions(const double*, JointDirections& H) const override {
    H.resize(6, 1);
    H << Vector3d::Zero(), axis_;
  }
  std::optional<Axis> single_axis() const override { return Axis{false, axis_}; }
  std::vector<ElementaryMotion> steps() const override { return {{ElementaryMotion::Kind::slide, axis_}}; }

 private:
  Vector3d axis_;
};

}  // namespace

std::shared_ptr<const Joint> prismatic_joint(const Vector3d& unit_axis) {
  return std::make_shared<const Prismatic>(unit_axis);
}

JointKind prismatic_kind() {
  return {.word = "prismatic",
          .meaning = "slides along `axis`",
          .takes_axis = true,
          .coordinates = own_coordinates,
          .make = [](const JointParameters& given) { return prismatic_joint(given.axis); }};
}

}  // namespace lithe
