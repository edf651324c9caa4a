#include <cmath>

#include "lithe/joint/kind_list.h"

namespace lithe {
namespace {

const std::vector<JointCoordinate> own_coordinates{{".x", false}, {".y", false}, {".turn", true}};

/// Slides along x and y of F and turns about its z. In M axes, turned by ψ, a slide along x of F is (cos ψ, −sin ψ), and
/// its slope by ψ (−sin ψ, −cos ψ).
class Planar final : public Joint {
 public:
  Planar() : Joint(3, own_coordinates) {}
  std::string_view word() const override { return "planar"; }
  Pose X_FM(const double* q) const override {
    return {axis_rotation(Vector3d::UnitZ(), q[2]), Vector3d(q[0], q[1], 0)};
  }
  void directions(const double* q, JointDirections& H) const override {
    const double c = std::cos(q[2]), s = std::sin(q[2]);
    H.setZero(6, 3);
    H.col(0).tail<3>() << c, -s, 0;
    H.col(1).tail<3>() << s, c, 0;
    H(2, 2) = 1;
  }
  bool directions_change() const override { return true; }
  Vector6d direction_rate(const double* q, const double* v) const override {
    Vector6d rate = Vector6d::Zero();
    rate.tail<3>() = v[2] * slid_slope(q, v);
    return rate;
  }
  void direction_slopes(const double* q, const double* u, JointDirections& slopes) const override {
    slopes.setZero(6, 3);
    slopes.col(2).tail<3>() = slid_slope(q, u);
  }
  void rate_slopes(const double* q, const double* v, JointDirections& by_position,
                   JointDirections& by_rate) const override {
    const double c = std::cos(q[2]), s = std::sin(q[2]);
    by_position.setZero(6, 3);
    by_rate.setZero(6, 3);
    by_position.col(2).tail<3>() = -v[2] * Vector3d(c * v[0] + s * v[1], -s * v[0] + c * v[1], 0);
    by_rate.col(0).tail<3>() << -s * v[2], -c * v[2], 0;
    by_rate.col(1).tail<3>() << c * v[2], -s * v[2], 0;
    by_rate.col(2).tail<3>() = slid_slope(q, v);
  }
  std::vector<ElementaryMotion> steps() const override {
    return {{ElementaryMotion::Kind::slide, Vector3d::UnitX(), 0},
            {ElementaryMotion::Kind::slide, Vector3d::UnitY(), 1},
            {ElementaryMotion::Kind::turn, Vector3d::UnitZ(), 2}};
  }

 private:
  /// ∂/∂ψ of the slide's velocity in M axes.
  static Vector3d slid_slope(const double* q, const double* u) {
    const double c = std::cos(q[2]), s = std::sin(q[2]);
    return {-s * u[0] + c * u[1], -c * u[0] - s * u[1], 0};
  }
};

}  // namespace

JointKind planar_kind() {
  return {.word = "planar",
          .meaning =
              "slides along x and y of the joint's frame and turns about its z: coordinates JOINT.x, JOINT.y and "
              "JOINT.turn; `origin.rpy` orients the plane",
          .coordinates = own_coordinates,
          .make = [](const JointParameters&) { return std::make_shared<const Planar>(); }};
}

}  // namespace lithe
