#include "lithe/simulate/finite_element/literal_model.h"

#include <set>

#include "lithe/spatial/exp_map.h"

namespace lithe {

DisplacedFrame displaced_frame(const Matrix3d& R_c, const FrameMotion& commanded, const Vector6d& displacement,
                               const Vector6d& rate, const Vector6d& second) {
  const ExpMap turn(Vector3d(displacement.tail<3>()));
  const Vector3d theta_rate = rate.tail<3>();
  const Matrix3d J_l = turn.left_jacobian();
  DisplacedFrame frame{turn.rotation() * R_c, {}};
  // In the displaced frame's axes exp[θ]×ω_c is what ω_c is in the commanded one's.
  const Matrix3d to_frame = frame.R.transpose();
  const Vector3d spin = to_frame * (J_l * theta_rate);
  frame.motion.omega = commanded.omega + spin;
  frame.motion.alpha = commanded.alpha + spin.cross(commanded.omega) +
                       to_frame * (J_l * second.tail<3>() + turn.left_jacobian_derivative(theta_rate, theta_rate));
  frame.motion.a = to_frame * (R_c * commanded.a + second.head<3>());
  return frame;
}

LiteralModel::LiteralModel(const Case& data, const Arm& arm, Drives& drives)
    : NominalModel(data, arm, drives), a_(VectorXd::Zero(size())), still_(a_), moved_(a_) {
  if (!arm.transmissions().empty())
    throw UnsupportedError("simulate.model",
                           "finite-element, literal: the thesis has no elastic transmissions; use another model");
  std::set<int> movers;
  for (int i = 0; i < arm_.n_links(); ++i)
    if (const int parent = arm_.link(i).parent; parent >= 0)
      movers.insert(work_[parent].tip().columns.begin(), work_[parent].tip().columns.end());
  movers_.assign(movers.begin(), movers.end());
  X_ = Y_ = V_ = MatrixXd::Zero(size(), int(movers_.size()));
  along_.setZero(int(movers_.size()));
}

/// (1), of the commanded frames.
void LiteralModel::displace_frames(const VectorXd& z, const VectorXd& v, const VectorXd& a) {
  for (int i = 0; i < arm_.n_links(); ++i) {
    const int parent = arm_.link(i).parent;
    if (parent < 0) continue;
    LinkWork& work = work_[i];
    // The root node's map begins with the parent's columns; its own servo's, if any, is no deformation of the parent.
    const NodeMap& node = work.nodes[0];
    Vector6d displacement = Vector6d::Zero(), rate = Vector6d::Zero(), second = Vector6d::Zero();
    for (size_t k = 0; k < work_[parent].tip().columns.size(); ++k) {
      const auto column = Eigen::Index(k);
      const int at = node.columns[k];
      displacement += node.N.col(column) * z[at];
      rate += node.dN.col(column) * z[at] + node.N.col(column) * v[at];
      second += node.ddN.col(column) * z[at] + 2 * node.dN.col(column) * v[at] + node.N.col(column) * a[at];
    }
    const auto [R, B] = displaced_frame(kin_.X_WB[i].R, work.joint.B, displacement, rate, second);
    const Pose& X_BT = arm_.link(i).X_BT;
    work.frames = {R, R * X_BT.R, B, carried(B, X_BT)};
  }
}

void LiteralModel::plain_unbalanced(double t, const VectorXd& z, const VectorXd& v, const VectorXd& a,
                                    VectorXd& force) {
  update_motion(t);
  displace_frames(z, v, a);
  sum_up();
  at_ = -1;  // the sums are not those of commanded frames
  balance(z, v, a, force);
}

void LiteralModel::unbalanced(double t, const VectorXd& z, const VectorXd& v, const VectorXd& a, VectorXd& force) {
  plain_unbalanced(t, z, v, a, force);
  a_ = a;
  if (!corrected_) return;
  along_.noalias() = V_.transpose() * force;
  force.noalias() -= Y_ * along_;
}

const SparseMatrixd& LiteralModel::weighted_sum(double t, const VectorXd& z, const VectorXd& v, double mass,
                                                double damping, double stiffness) {
  // X by differences, exact because F_u is linear in the accelerations; about those of the last evaluation, J's part removed.
  plain_unbalanced(t, z, v, a_, still_);
  const SparseMatrixd& sum = weigh(z, v, mass, damping, stiffness);
  for (size_t k = 0; k < movers_.size(); ++k) {
    const auto column = Eigen::Index(k);
    a_[movers_[k]] += 1;
    plain_unbalanced(t, z, v, a_, moved_);
    a_[movers_[k]] -= 1;
    X_.col(column) = still_ - moved_;
    X_.col(column) -= sums_.J.col(movers_[k]);
  }
  corrected_ = false;
  if (movers_.empty()) return sum;
  solver_.compute(sum);
  if (solver_.info() != Eigen::Success) return sum;
  moved_.setZero();
  for (size_t k = 0; k < movers_.size(); ++k) {
    moved_[movers_[k]] = 1;
    V_.col(Eigen::Index(k)) = solver_.solve(moved_);
    moved_[movers_[k]] = 0;
  }
  const MatrixXd inner = MatrixXd::Identity(V_.cols(), V_.cols()) + mass * V_.transpose() * X_;
  Y_.noalias() = mass * X_ * inner.inverse();
  corrected_ = true;
  return sum;
}

}  // namespace lithe
