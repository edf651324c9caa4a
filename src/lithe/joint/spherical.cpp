#include "lithe/joint/kind_list.h"
#include "lithe/joint/turning_quaternion.h"

namespace lithe {
namespace {

const std::vector<JointCoordinate> own_coordinates{{".x", true, false}, {".y", true, false}, {".z", true, false}};

/// A ball joint: q = unit quaternion w x y z, v = ω in M axes. No orientation is singular.
class Spherical final : public Joint {
 public:
  Spherical() : Joint(4, own_coordinates) {}
  std::string_view word() const override { return "spherical"; }
  std::vector<std::string> position_suffixes() const override { return {".qw", ".qx", ".qy", ".qz"}; }
  Pose X_FM(const double* q) const override { return {TurningQuaternion(q).rotation(), Vector3d::Zero()}; }
  void directions(const double*, JointDirections& H) const override {
    H.setZero(6, 3);
    H.topRows<3>().setIdentity();
  }
  void set_zero(double* q) const override {
    Joint::set_zero(q);
    q[0] = 1;
  }
  void displace(double* q, const double* dv) const override {
    TurningQuaternion(q).displace(q, Vector3d(dv[0], dv[1], dv[2]));
  }
  void position_rate(const double* q, const double* v, double* qdot) const override {
    Eigen::Map<Eigen::Vector4d>(qdot, 4) = TurningQuaternion(q).rate({v[0], v[1], v[2]});
  }
  Group group() const override { return Group::rotation; }
  int quaternion() const override { return 0; }
  void chart(const double* q, const double* v, JointChart& to_rates, JointChart& to_positions,
             JointChart& slope) const override {
    const TurningQuaternion turn(q);
    to_rates = turn.to_rates();
    to_positions = turn.to_positions();
    slope = turn.slope({v[0], v[1], v[2]});
  }
  std::vector<ElementaryMotion> steps() const override { return {{.kind = ElementaryMotion::Kind::quaternion}}; }
};

}  // namespace

JointKind spherical_kind() {
  return {.word = "spherical",
          .meaning =
              "a ball joint: its position is a unit quaternion, JOINT.qw to JOINT.qz; its rates JOINT.x, JOINT.y and "
              "JOINT.z are the components of the angular velocity in link axes",
          .coordinates = own_coordinates,
          .position_is_turn = true,
          .make = [](const JointParameters&) { return std::make_shared<const Spherical>(); }};
}

}  // namespace lithe
