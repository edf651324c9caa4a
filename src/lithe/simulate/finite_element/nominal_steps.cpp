// What the linear models' matrices are for: balance, sudden changes of rates, statics.
#include "lithe/simulate/finite_element/nominal_model.h"

namespace lithe {

void NominalModel::unbalanced(double t, const VectorXd& z, const VectorXd& v, const VectorXd& a, VectorXd& force) {
  if (t != at_) update(t);
  balance(z, v, a, force);
}

void NominalModel::balance(const VectorXd& z, const VectorXd& v, const VectorXd& a, VectorXd& force) const {
  force = sums_.F;
  force.noalias() -= sums_.J * a;
  force.noalias() -= sums_.C * v;
  force.noalias() -= sums_.K * z;
  for (int i = 0; i < arm_.n_links(); ++i) {
    const int at = compliance_[i];
    const Link& link = arm_.link(i);
    if (at < 0 || !link.forces[0].any()) continue;
    const double q = state_.q[link.q0] + z[at];
    force[at] -= link.forces[0].elastic(q) + link.forces[0].dissipative(q, state_.v[link.v0] + v[at]);
  }
}

const SparseMatrixd& NominalModel::weighted_sum(double t, const VectorXd& z, const VectorXd& v, double mass,
                                                double damping, double stiffness) {
  update(t);
  return weigh(z, v, mass, damping, stiffness);
}

void NominalModel::jump(double t, const VectorXd& z, VectorXd& v, const VectorXd& change) {
  // F_u is linear in the commanded accelerations: its change by them is that of the momentum by the commanded rates.
  const VectorXd still = VectorXd::Zero(size_);
  VectorXd with = still, without = still;
  state_.t = drives_.instant(t);
  command(state_, vdot_);
  vdot_.setZero();
  move_frames();
  sum_up();
  balance(z, v, still, without);
  vdot_ = change;
  move_frames();
  sum_up();
  balance(z, v, still, with);
  const Eigen::SimplicialLDLT<SparseMatrixd, Eigen::Lower> solver(weigh(z, v, 1, 0, 0));
  v += solver.solve(with - without);
  at_ = -1;
}

void NominalModel::strike(double t, const VectorXd& z, VectorXd& v, int i_link, const Vector6d& impulse) {
  update(t);
  VectorXd blow = VectorXd::Zero(size_);
  const NodeMap& tip = work_[i_link].tip();
  for (size_t k = 0; k < tip.columns.size(); ++k) {
    const auto N = tip.N.col(Eigen::Index(k));
    blow[tip.columns[k]] += N.head<3>().dot(impulse.tail<3>()) + N.tail<3>().dot(impulse.head<3>());
  }
  const Eigen::SimplicialLDLT<SparseMatrixd, Eigen::Lower> solver(weigh(z, v, 1, 0, 0));
  v += solver.solve(blow);
}

const SparseMatrixd& NominalModel::weigh(const VectorXd& z, const VectorXd& v, double mass, double damping,
                                         double stiffness) {
  auto sum = [&](int at) {
    return mass * sums_.J.valuePtr()[at] + damping * sums_.C.valuePtr()[at] + stiffness * sums_.K.valuePtr()[at];
  };
  for (size_t k = 0; k < half_places_.size(); ++k)
    half_.valuePtr()[k] = (sum(half_places_[k][0]) + sum(half_places_[k][1])) / 2;
  for (int i = 0; i < arm_.n_links(); ++i) {
    const int at = compliance_[i];
    const Link& link = arm_.link(i);
    if (at < 0 || !link.forces[0].any()) continue;
    const JointSlopes slopes = link.forces[0].slopes(state_.q[link.q0] + z[at], state_.v[link.v0] + v[at]);
    half_.coeffRef(at, at) += stiffness * (slopes.elastic_by_position + slopes.dissipative_by_position) +
                              damping * slopes.dissipative_by_rate;
  }
  return half_;
}

void NominalModel::quasi_static(double t, VectorXd& z) {
  update(t);
  z.setZero(size_);
  // One solution, unless joints under servos have springs, dampers, friction or stops. With a stop's corners two or three.
  VectorXd force(size_), correction(size_);
  for (int pass = 0; pass < 20; ++pass) {
    SparseMatrixd K = sums_.K_c;
    force = sums_.F;
    force.noalias() -= K * z;
    bool passive = false;
    for (int i = 0; i < arm_.n_links(); ++i) {
      const int at = compliance_[i];
      const Link& link = arm_.link(i);
      if (at < 0 || !link.forces[0].any()) continue;
      passive = true;
      const double q = state_.q[link.q0] + z[at], rate = state_.v[link.v0];
      force[at] -= link.forces[0].elastic(q) + link.forces[0].dissipative(q, rate);
      const JointSlopes slopes = link.forces[0].slopes(q, rate);
      K.coeffRef(at, at) += slopes.elastic_by_position + slopes.dissipative_by_position;
    }
    static_solver_.compute(K);
    correction = static_solver_.solve(force);
    z += correction;
    if (!passive || correction.lpNorm<Eigen::Infinity>() <= 1e-12 * z.lpNorm<Eigen::Infinity>()) break;
  }
}

Vector6d NominalModel::tip_displacement(double t, const VectorXd& z, int i_link) {
  if (t != at_) update(t);
  const NodeMap& tip = work_[i_link].tip();
  Vector6d displacement = Vector6d::Zero();
  for (size_t k = 0; k < tip.columns.size(); ++k) displacement += tip.N.col(Eigen::Index(k)) * z[tip.columns[k]];
  return displacement;
}

}  // namespace lithe
