#include "lithe/joint/kinds.h"
#include "lithe/joint/turning_quaternion.h"

namespace lithe {
namespace {

/// Six degrees of freedom, of a floating base: q = position x y z and unit quaternion w x y z; v = [ω; v] in M axes. No
/// orientation is singular. Case files have it as `base: free`.
class Free final : public Joint {
 public:
  Free()
      : Joint(7, {{".wx", true, false},
                  {".wy", true, false},
                  {".wz", true, false},
                  {".vx", false, false},
                  {".vy", false, false},
                  {".vz", false, false}}) {}
  std::string_view word() const override { return "free"; }
  std::vector<std::string> position_suffixes() const override { return {".x", ".y", ".z", ".qw", ".qx", ".qy", ".qz"}; }
  Pose X_FM(const double* q) const override { return {TurningQuaternion(q + 3).rotation(), {q[0], q[1], q[2]}}; }
  void directions(const double*, JointDirections& H) const override { H.setIdentity(6, 6); }
  void set_zero(double* q) const override {
    Joint::set_zero(q);
    q[3] = 1;
  }
  void displace(double* q, const double* dv) const override {
    const TurningQuaternion turn(q + 3);
    Eigen::Map<Vector3d>(q, 3) += turn.rotation() * Vector3d(dv[3], dv[4], dv[5]);
    turn.displace(q + 3, Vector3d(dv[0], dv[1], dv[2]));
  }
  void position_rate(const double* q, const double* v, double* qdot) const override {
    const TurningQuaternion turn(q + 3);
    Eigen::Map<Vector3d>(qdot, 3) = turn.rotation() * Vector3d(v[3], v[4], v[5]);
    Eigen::Map<Eigen::Vector4d>(qdot + 3, 4) = turn.rate({v[0], v[1], v[2]});
  }
  Group group() const override { return Group::motion; }
  int quaternion() const override { return 3; }
  void chart(const double* q, const double* v, JointChart& to_rates, JointChart& to_positions,
             JointChart& slope) const override {
    const TurningQuaternion turn(q + 3);
    const Matrix3d R = turn.rotation();
    to_rates.setZero(6, 7);
    to_rates.block<3, 4>(0, 3) = turn.to_rates();
    to_rates.block<3, 3>(3, 0) = R.transpose();
    to_positions.setZero(7, 6);
    to_positions.block<3, 3>(0, 3) = R;
    to_positions.block<4, 3>(3, 0) = turn.to_positions();
    slope.setZero(7, 7);
    slope.block<3, 4>(0, 3) = -R * skew(Vector3d(v[3], v[4], v[5])) * turn.to_rates();
    slope.block<4, 4>(3, 3) = turn.slope({v[0], v[1], v[2]});
  }
  std::vector<ElementaryMotion> steps() const override {
    return {{.kind = ElementaryMotion::Kind::shift}, {.kind = ElementaryMotion::Kind::quaternion, .index = 3}};
  }
};

}  // namespace

std::shared_ptr<const Joint> free_joint() {
  static const auto joint = std::make_shared<const Free>();
  return joint;
}

}  // namespace lithe
