#include "lithe/simulate/caught_body.h"

namespace lithe {

CaughtBody::CaughtBody(const Arm& arm, const Kinematics& kin, int link, const RigidInertia& added)
    : turning(kin.V_WT_W[size_t(link)].head<3>()),
      velocity(kin.V_WT_W[size_t(link)].tail<3>()),
      blow(VectorXd::Zero(arm.nv())) {
  const Pose& X_WT = kin.X_WT[size_t(link)];
  const Vector3d s = X_WT.R * added.first_moment;
  linear = added.mass * velocity + turning.cross(s);
  angular = X_WT.R * added.J * X_WT.R.transpose() * turning + s.cross(velocity);
  for_each_tip_direction(arm, kin, link,
                         [&](int column, const Vector3d& turn, const Vector3d& slide, const Vector3d& origin) {
                           blow[column] -= turn.dot(angular) + (slide + turn.cross(X_WT.p - origin)).dot(linear);
                         });
}

// P is M₊ Δv − blow on driven coordinates. Of the impulse on the root, −h is the body's own part; the rates v and the base make up V.
double CaughtBody::given_work(const VectorXd& v, const std::vector<bool>& driven) const {
  double work = angular.dot(turning) + linear.dot(velocity) + blow.dot(v);
  for (size_t k = 0; k < driven.size(); ++k)
    if (driven[k]) work -= blow[Eigen::Index(k)] * v[Eigen::Index(k)];
  return work;
}

}  // namespace lithe
