#include "lithe/simulate/finite_element/base_chart.h"

#include "lithe/spatial/exp_map.h"

namespace lithe {

Quaterniond BaseChart::orientation(const Vector3d& phi) const {
  return (R0_ * Quaterniond(ExpMap(phi).rotation())).normalized();
}

void BaseChart::centre(const State& state) {
  set_reference(state.q.data() + q0_ + 3);
  R0_.normalize();
}

Matrix6d BaseChart::directions(const VectorXd& z) const {
  const Vector3d phi = z.segment<3>(first_);
  const ExpMap turn(phi);
  Matrix6d S = Matrix6d::Zero();
  S.topLeftCorner<3, 3>().noalias() = turn.rotation().transpose() * turn.left_jacobian();
  S.bottomRightCorner<3, 3>() = orientation(phi).toRotationMatrix().transpose();
  return S;
}

void BaseChart::put(const VectorXd& z, const VectorXd& v, State& state) const {
  const Quaterniond R = orientation(z.segment<3>(first_));
  state.q.segment<3>(q0_) = z.segment<3>(first_ + 3);
  state.q.segment<4>(q0_ + 3) << R.w(), R.x(), R.y(), R.z();
  state.v.segment<6>(v0_).noalias() = directions(z) * v.segment<6>(first_);
}

void BaseChart::read(const State& state, VectorXd& z, VectorXd& v) const {
  const double* wxyz = state.q.data() + q0_ + 3;
  const Quaterniond R(wxyz[0], wxyz[1], wxyz[2], wxyz[3]);
  z.segment<3>(first_) = log_rotation((R0_.conjugate() * R).normalized().toRotationMatrix());
  z.segment<3>(first_ + 3) = state.q.segment<3>(q0_);
  const Matrix6d S = directions(z);
  const Matrix3d turning = S.topLeftCorner<3, 3>();
  v.segment<3>(first_) = turning.inverse() * state.v.segment<3>(v0_);
  v.segment<3>(first_ + 3) = S.bottomRightCorner<3, 3>().transpose() * state.v.segment<3>(v0_ + 3);
}

void BaseChart::put_accelerations(const VectorXd& z, const VectorXd& v, const VectorXd& a,
                                  Eigen::Ref<VectorXd> vdot) const {
  const Vector3d phi = z.segment<3>(first_), rate = v.segment<3>(first_);
  const ExpMap turn(phi);
  const Matrix6d S = directions(z);
  const Vector6d V = S * v.segment<6>(first_);
  vdot.segment<6>(v0_).noalias() = S * a.segment<6>(first_);
  vdot.segment<3>(v0_) += turn.rotation().transpose() * turn.left_jacobian_derivative(rate, rate);
  vdot.segment<3>(v0_ + 3) -= V.head<3>().cross(V.tail<3>());
}

bool BaseChart::recentre(VectorXd& z, VectorXd& v, VectorXd& a) {
  constexpr double far =
      1;  // rad; exp[φ]× covers it without loss, and a step of a run turns by much less than the rest
  const Vector3d phi = z.segment<3>(first_), rate = v.segment<3>(first_);
  if (phi.squaredNorm() < far * far) return false;
  const ExpMap turn(phi);
  const Matrix3d back = turn.rotation().transpose(), turning = back * turn.left_jacobian();
  a.segment<3>(first_) = Vector3d(turning * a.segment<3>(first_) + back * turn.left_jacobian_derivative(rate, rate));
  v.segment<3>(first_) = Vector3d(turning * rate);
  z.segment<3>(first_).setZero();
  R0_ = orientation(phi);
  return true;
}

}  // namespace lithe
