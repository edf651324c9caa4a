#include "lithe/simulate/newton_matrix.h"

#include "lithe/beam/flex_forces.h"

namespace lithe {

bool NewtonMatrix::covers(System& system) {
  return !system.canonical() && system.arm().constraints().empty() && !system.arm().small_tips() &&
         !system.drives().computed_torque_is_partial();
}

NewtonMatrix::NewtonMatrix(System& system)
    : system_(system), derivatives_(system.arm()), state_(State::zero(system.arm())), lu_(system.arm().nv()) {
  const int nv = system.arm().nv();
  for (MatrixXd* matrix : {&M_, &D_, &K_, &S_}) matrix->setZero(nv, nv);
  for (VectorXd* vector : {&in_by_position_, &in_by_rate_, &in_by_acceleration_, &lost_by_position_, &lost_by_rate_,
                           &vdot_, &weight_, &moved_, &dv_, &rhs_})
    vector->setZero(nv);
  if (const int n = system.n_law_states(); n > 0) {
    torque_by_state_.setZero(nv, n);
    for (MatrixXd* matrix : {&state_by_position_, &state_by_rate_, &carried_, &moving_}) matrix->setZero(n, nv);
    for (MatrixXd* matrix : {&state_by_state_, &N_}) matrix->setZero(n, n);
    for (VectorXd* vector : {&in_by_state_, &r_state_, &dx_}) vector->setZero(n);
    N_lu_ = Eigen::PartialPivLU<MatrixXd>(n);
  }
  for (const Link& link : system.arm().links()) {
    if (link.joint->rates_are_coordinates()) continue;
    charts_.push_back({link.joint.get(), link.q0, link.v0, {}, {}, {}, {}, {}});
  }
}

void NewtonMatrix::update(double t, const double* y, const double* ydot) {
  const Arm& arm = system_.arm();
  system_.state_of(t, y, state_);
  vdot_ = Eigen::Map<const VectorXd>(ydot + arm.nq(), arm.nv());
  system_.drives().list_loads(t, loads_);
  n_loads_ = loads_.size();
  force_by_position_.clear();
  force_by_rate_.clear();
  system_.drives().list_forces(state_, loads_, force_by_position_, force_by_rate_);
  derivatives_.update(state_, vdot_, loads_);
  M_ = derivatives_.mass_matrix();
  D_ = derivatives_.by_rate();
  K_ = derivatives_.by_position();
  for (const auto& entry : force_by_position_) K_(entry.row(), entry.col()) -= entry.value();
  for (const auto& entry : force_by_rate_) D_(entry.row(), entry.col()) -= entry.value();
  for (Chart& chart : charts_)
    chart.joint->chart(state_.q.data() + chart.q0, state_.v.data() + chart.v0, chart.T, chart.G, chart.slope);
  add_drives();
}

void NewtonMatrix::add_drives() {
  Drives& drives = system_.drives();
  imposed_.clear();
  if (drives.any_driven())
    for (int k = 0; k < system_.arm().nv(); ++k)
      if (drives.driven()[size_t(k)]) imposed_.push_back(k);
  const size_t n_driven = imposed_.size();
  drives.for_each_acting_law(state_, system_.model(), [&](const PlacedLaw& placed) {
    for (int i = 0; i < placed.n_outputs(); ++i)
      if (Drives::accelerates(placed, i)) imposed_.push_back(placed.outputs[size_t(i)].v0);
  });
  set_power_slopes(n_driven);
  for (MatrixXd* matrix : {&torque_by_state_, &state_by_position_, &state_by_rate_, &state_by_state_})
    matrix->setZero();
  in_by_state_.setZero();
  drives.for_each_acting_law(state_, system_.model(), [&](const PlacedLaw& placed) { add_law(placed); });
  for (size_t k = 0; k < n_driven; ++k) detach(imposed_[k]);
}

void NewtonMatrix::add_law(const PlacedLaw& placed) {
  const LawSlopes& slopes = placed.slopes;
  for (int i = 0; i < placed.n_outputs(); ++i) {
    const int v0 = placed.outputs[size_t(i)].v0;
    const bool computed = Drives::accelerates(placed, i);
    if (computed) {
      // v̇ = … − kd v − kp q, whatever torque that takes.
      for (MatrixXd* matrix : {&M_, &D_, &K_}) matrix->row(v0).setZero();
      M_(v0, v0) = 1;
    }
    for (size_t k = 0; k < placed.reads.size(); ++k) {
      const auto column = Eigen::Index(k);
      const int of = placed.reads[k].v0;
      const double by_position = slopes.by_position(i, column), by_rate = slopes.by_rate(i, column);
      if (!computed) {
        in_by_position_[of] += by_position * state_.v[v0];
        in_by_rate_[of] += by_rate * state_.v[v0];
      }
      K_(v0, of) -= by_position;
      D_(v0, of) -= by_rate;
    }
    if (placed.own_by_rate[i] != 0) {
      D_(v0, v0) -= placed.own_by_rate[i];
      in_by_rate_[v0] += placed.own_by_rate[i] * state_.v[v0];
    }
    if (slopes.by_weight[i] != 0) {
      weight_.setZero();
      derivatives_.add_weight_slopes(placed.weight_v0[size_t(i)], weight_);
      K_.row(v0) -= slopes.by_weight[i] * weight_.transpose();
      in_by_position_ += slopes.by_weight[i] * state_.v[v0] * weight_;
    }
  }
  const auto n = Eigen::Index(placed.law->n_states());
  if (n == 0 || placed.sampled()) return;
  for (int i = 0; i < placed.n_outputs(); ++i) {
    const int v0 = placed.outputs[size_t(i)].v0;
    torque_by_state_.row(v0).segment(placed.states, n) += slopes.by_state.row(i);
    if (!Drives::accelerates(placed, i))
      in_by_state_.segment(placed.states, n) += state_.v[v0] * slopes.by_state.row(i);
  }
  for (size_t k = 0; k < placed.reads.size(); ++k) {
    const int of = placed.reads[k].v0;
    state_by_position_.col(of).segment(placed.states, n) += slopes.state_by_position.col(Eigen::Index(k));
    state_by_rate_.col(of).segment(placed.states, n) += slopes.state_by_rate.col(Eigen::Index(k));
  }
  state_by_state_.block(placed.states, placed.states, n, n) += slopes.state_by_state;
}

/// The input power is Σ (torque + load)_j v_j plus that of the root. The torque of a driven coordinate is inverse dynamics.
void NewtonMatrix::set_power_slopes(size_t n_driven) {
  const Arm& arm = system_.arm();
  const RootMotion root = arm.root(state_.t);
  system_.drives().torques(state_, system_.model(), in_by_rate_);
  for (size_t k = 0; k < n_driven; ++k) in_by_rate_[imposed_[k]] = derivatives_.force()[imposed_[k]];
  in_by_position_.setZero();
  in_by_acceleration_.setZero();
  for (size_t k = 0; k < n_loads_; ++k) derivatives_.add_load_power(root, loads_[k], in_by_rate_, in_by_position_);
  if (arm.root_moves()) derivatives_.add_root_power_slopes(root, in_by_position_, in_by_rate_, in_by_acceleration_);
  for (const int j : imposed_) {
    in_by_position_ += state_.v[j] * K_.row(j).transpose();
    in_by_rate_ += state_.v[j] * D_.row(j).transpose();
    in_by_acceleration_ += state_.v[j] * M_.row(j).transpose();
  }

  // The dissipated power is v · (damping forces): these, and their slopes times v.
  lost_by_rate_.setZero();
  add_passive_forces(arm, state_, false, true, lost_by_rate_);
  lost_by_position_.setZero();
  for (const Link& link : arm.links()) {
    for (int k = 0; k < link.nv(); ++k) {
      if (!link.forces[k].any()) continue;
      const double v = state_.v[link.v0 + k];
      const JointSlopes slopes = link.forces[k].slopes(state_.q[link.q0 + k], v);
      lost_by_rate_[link.v0 + k] += slopes.dissipative_by_rate * v;
      lost_by_position_[link.v0 + k] += slopes.dissipative_by_position * v;
    }
    if (!link.flex) continue;
    const int v0 = link.flex_v0();
    damping_slopes(*link.flex, state_.q.segment(link.flex_q0(), link.n_flex()), [&](int row, int column, double value) {
      lost_by_rate_[v0 + column] += value * state_.v[v0 + row];
    });
  }
  for (const Transmission& spring : arm.transmissions()) {
    const Link &joint = arm.link(spring.joint_link), &rotor = arm.link(spring.rotor_link);
    const double rate = state_.v[rotor.v0] - state_.v[joint.v0];
    const TransmissionSlopes slopes = spring.slopes(state_.q[rotor.q0] - state_.q[joint.q0], rate);
    lost_by_rate_[rotor.v0] += slopes.dissipative_by_rate * rate;
    lost_by_rate_[joint.v0] -= slopes.dissipative_by_rate * rate;
    lost_by_position_[rotor.v0] += slopes.dissipative_by_twist * rate;
    lost_by_position_[joint.v0] -= slopes.dissipative_by_twist * rate;
  }
  if (arm.modal_damping() != nullptr) lost_by_rate_.noalias() += *arm.modal_damping() * state_.v;
  system_.drives().add_loss_slopes(state_, lost_by_position_, lost_by_rate_);
}

/// A coordinate that is a function of time.
void NewtonMatrix::detach(int column) {
  for (MatrixXd* matrix : {&M_, &D_, &K_}) {
    matrix->row(column).setZero();
    matrix->col(column).setZero();
  }
  M_(column, column) = 1;
  if (system_.n_law_states() > 0) {
    torque_by_state_.row(column).setZero();
    state_by_position_.col(column).setZero();
    state_by_rate_.col(column).setZero();
  }
  for (VectorXd* slope : {&in_by_position_, &in_by_rate_, &in_by_acceleration_, &lost_by_position_, &lost_by_rate_})
    (*slope)[column] = 0;
}

bool NewtonMatrix::factor(double gamma) {
  gamma_ = gamma;
  S_ = K_;
  moving_ = state_by_position_;
  for (Chart& chart : charts_) {
    const int n_q = chart.joint->nq(), n_v = chart.joint->nv();
    const JointChart N = JointChart::Identity(n_q, n_q) - gamma * chart.slope;
    chart.N_inverse = N.partialPivLu().inverse();
    const JointChart C = chart.T * chart.N_inverse * chart.G;
    auto turn = [&](auto columns) {
      for (int row = 0; row < columns.rows(); ++row) {
        const Eigen::Matrix<double, 1, Eigen::Dynamic, Eigen::RowMajor, 1, 6> old = columns.row(row);
        columns.row(row) = old * C;
      }
    };
    turn(S_.middleCols(chart.v0, n_v));
    if (moving_.rows() > 0) turn(moving_.middleCols(chart.v0, n_v));
  }
  S_ = M_ + gamma * (D_ + gamma * S_);
  if (N_.rows() > 0) {
    N_ = -gamma * state_by_state_;
    N_.diagonal().array() += 1;
    N_lu_.compute(N_);
    moving_ = gamma * moving_ + state_by_rate_;
    carried_ = N_lu_.solve(moving_);
    // Column by column: a product of matrices would ask for memory.
    for (Eigen::Index j = 0; j < S_.cols(); ++j)
      for (Eigen::Index k = 0; k < N_.rows(); ++k)
        S_.col(j) -= (gamma * gamma * carried_(k, j)) * torque_by_state_.col(k);
  }
  lu_.compute(S_);
  return lu_.matrixLU().diagonal().cwiseAbs().minCoeff() > 0 && lu_.matrixLU().allFinite();
}

void NewtonMatrix::solve(const double* b, double* x) {
  const Arm& arm = system_.arm();
  const int nq = arm.nq(), nv = arm.nv();
  const Eigen::Map<const VectorXd> r_q(b, nq), r_v(b + nq, nv);
  // What K sees of the positions when v does not change: coordinate directions.
  for (const Link& link : arm.links()) {
    if (link.joint->rates_are_coordinates()) moved_.segment(link.v0, link.nv()) = r_q.segment(link.q0, link.nq());
    moved_.segment(link.flex_v0(), link.n_flex()) = r_q.segment(link.flex_q0(), link.n_flex());
  }
  for (Chart& chart : charts_) {
    chart.r = r_q.segment(chart.q0, chart.joint->nq());
    moved_.segment(chart.v0, chart.joint->nv()) = chart.T * (chart.N_inverse * chart.r);
  }
  rhs_.noalias() = M_ * r_v;
  rhs_.noalias() -= gamma_ * (K_ * moved_);
  const auto n_states = r_state_.size();
  if (n_states > 0) {
    r_state_ = Eigen::Map<const VectorXd>(b + nq + nv, n_states);
    r_state_.noalias() += gamma_ * (state_by_position_ * moved_);
    dx_ = N_lu_.solve(r_state_);
    rhs_.noalias() += gamma_ * (torque_by_state_ * dx_);
  }
  dv_ = lu_.solve(rhs_);

  Eigen::Map<VectorXd> x_q(x, nq), x_v(x + nq, nv);
  const Vector3d r_work(b[nq + nv + n_states], b[nq + nv + n_states + 1], 0);
  // Δx with the change of v: positions move by γ Δv along the coordinates' directions.
  if (n_states > 0) dx_.noalias() += gamma_ * (carried_ * dv_);
  // b and x may be the same memory: r_v and the charts' r are used before their places are written.
  const double in_by_change = in_by_acceleration_.dot(dv_ - r_v);
  for (const Chart& chart : charts_) {
    const int n_q = chart.joint->nq(), n_v = chart.joint->nv();
    const auto dq = (chart.N_inverse * (chart.r + gamma_ * (chart.G * dv_.segment(chart.v0, n_v)))).eval();
    moved_.segment(chart.v0, n_v) = chart.T * dq;
    x_q.segment(chart.q0, n_q) = dq;
  }
  const std::vector<bool>& driven = system_.drives().driven();
  for (const Link& link : arm.links()) {
    auto move = [&](int column, int place) {
      if (!driven[size_t(column)]) moved_[column] += gamma_ * dv_[column];
      x_q[place] = moved_[column];
    };
    if (link.joint->rates_are_coordinates())
      for (int k = 0; k < link.nv(); ++k) move(link.v0 + k, link.q0 + k);
    for (int k = 0; k < link.n_flex(); ++k) move(link.flex_v0() + k, link.flex_q0() + k);
  }
  x_v = dv_;
  double in = r_work[0] + gamma_ * (in_by_position_.dot(moved_) + in_by_rate_.dot(dv_)) + in_by_change;
  if (n_states > 0) {
    Eigen::Map<VectorXd>(x + nq + nv, n_states) = dx_;
    in += gamma_ * in_by_state_.dot(dx_);
  }
  x[nq + nv + n_states] = in;
  x[nq + nv + n_states + 1] = r_work[1] + gamma_ * (lost_by_position_.dot(moved_) + lost_by_rate_.dot(dv_));
}

}  // namespace lithe
