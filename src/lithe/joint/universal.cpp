#include "lithe/joint/kind_list.h"

namespace lithe {
namespace {

const std::vector<JointCoordinate> own_coordinates{{".1", true}, {".2", true}};

/// Turns about a, fixed in F, and then about b, fixed in M:  R = R_a(q₁) R_b(q₂). In M axes the directions are
///   h₁ = R_b(q₂)ᵀ a      h₂ = b      with  ∂h₁/∂q₂ = h₁ × b.
class Universal final : public Joint {
 public:
  Universal(const Vector3d& first, const Vector3d& second) : Joint(2, own_coordinates), a_(first), b_(second) {}
  std::string_view word() const override { return "universal"; }
  Pose X_FM(const double* q) const override {
    return {axis_rotation(a_, q[0]) * axis_rotation(b_, q[1]), Vector3d::Zero()};
  }
  void directions(const double* q, JointDirections& H) const override {
    H.setZero(6, 2);
    H.col(0).head<3>() = first_in_M(q);
    H.col(1).head<3>() = b_;
  }
  bool directions_change() const override { return true; }
  Vector6d direction_rate(const double* q, const double* v) const override {
    Vector6d rate = Vector6d::Zero();
    rate.head<3>() = v[0] * v[1] * first_in_M(q).cross(b_);
    return rate;
  }
  void direction_slopes(const double* q, const double* u, JointDirections& slopes) const override {
    slopes.setZero(6, 2);
    slopes.col(1).head<3>() = u[0] * first_in_M(q).cross(b_);
  }
  void rate_slopes(const double* q, const double* v, JointDirections& by_position,
                   JointDirections& by_rate) const override {
    const Vector3d once = first_in_M(q).cross(b_);
    by_position.setZero(6, 2);
    by_rate.setZero(6, 2);
    by_position.col(1).head<3>() = v[0] * v[1] * once.cross(b_);
    by_rate.col(0).head<3>() = v[1] * once;
    by_rate.col(1).head<3>() = v[0] * once;
  }
  std::vector<ElementaryMotion> steps() const override {
    return {{ElementaryMotion::Kind::turn, a_, 0}, {ElementaryMotion::Kind::turn, b_, 1}};
  }

 private:
  Vector3d first_in_M(const double* q) const { return axis_rotation(b_, q[1]).transpose() * a_; }
  Vector3d a_, b_;
};

}  // namespace

JointKind universal_kind() {
  return {.word = "universal",
          .meaning =
              "turns about the first of two `axes`, which stays with the parent, then about the second, which moves "
              "with the link: coordinates JOINT.1 and JOINT.2",
          .takes_axes = true,
          .coordinates = own_coordinates,
          .make = [](const JointParameters& given) {
            return std::make_shared<const Universal>(given.axis, given.second_axis);
          }};
}

}  // namespace lithe
