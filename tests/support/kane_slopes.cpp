#include "support/kane_slopes.h"

#include "lithe/dynamics/joint_at.h"
#include "support/dual.h"

namespace lithe {

/// A joint for dual numbers: along a change of its position everything changes as its own slopes say (tested by joint_test.cpp).
template <>
struct JointAt<testing::Dual> {
  using Dual = testing::Dual;
  Eigen::Matrix3<Dual> R_FM;
  Eigen::Vector3<Dual> p_FM;
  Eigen::Matrix<Dual, 6, Eigen::Dynamic> H;
  Eigen::Matrix<Dual, 6, 1> H_rate;

  template <class Positions, class Rates>
  JointAt(const Link& link, const Positions& q, const Rates& v) {
    const Joint& joint = *link.joint;
    const int n = link.nv();
    VectorXd position(link.nq()), moved(link.nq()), rate(n), rate_change(n);
    for (int k = 0; k < link.nq(); ++k) position[k] = q[link.q0 + k].value, moved[k] = q[link.q0 + k].slope;
    for (int k = 0; k < n; ++k) rate[k] = v[link.v0 + k].value, rate_change[k] = v[link.v0 + k].slope;
    JointChart to_rates, to_positions, slope;
    joint.chart(position.data(), rate.data(), to_rates, to_positions, slope);
    const VectorXd way = to_rates * moved;
    const Pose X = joint.X_FM(position.data());
    JointDirections directions, turned, by_position, by_rate;
    joint.directions(position.data(), directions);
    const Vector6d along = directions * way;
    auto dual = [](auto& to, const auto& value, const auto& change) {
      to.resize(value.rows(), value.cols());
      for (int i = 0; i < value.rows(); ++i)
        for (int j = 0; j < value.cols(); ++j) to(i, j) = Dual(value(i, j), change(i, j));
    };
    dual(R_FM, X.R, Matrix3d(X.R * skew(along.head<3>())));
    dual(p_FM, X.p, Vector3d(X.R * along.tail<3>()));
    MatrixXd H_change = MatrixXd::Zero(6, n);
    Vector6d rate_of_H = Vector6d::Zero(), its_change = Vector6d::Zero();
    if (joint.directions_change()) {
      for (int r = 0; r < n; ++r) {
        const Vector6d unit = Vector6d::Unit(r);
        joint.direction_slopes(position.data(), unit.data(), turned);
        H_change.col(r) = turned * way;
      }
      rate_of_H = joint.direction_rate(position.data(), rate.data());
      joint.rate_slopes(position.data(), rate.data(), by_position, by_rate);
      its_change = by_position * way + by_rate * rate_change;
    }
    dual(H, directions, H_change);
    dual(H_rate, rate_of_H, its_change);
  }
};

}  // namespace lithe

// The templates of Kane's method for a scalar of our own.
#include "lithe/dynamics/kane/equations.cpp"      // NOLINT
#include "lithe/dynamics/kane/flexible_body.cpp"  // NOLINT
#include "lithe/dynamics/kane/frames.cpp"         // NOLINT
#include "lithe/dynamics/kane/rigid_body.cpp"     // NOLINT
#include "lithe/dynamics/kane/section_poses.cpp"  // NOLINT

namespace lithe {

using testing::Dual;

// What those templates take from elsewhere, written out for dual numbers.

template <>
ExpMapOf<Dual>::ExpMapOf(const Vector& theta_) : theta(theta_), x(theta_.dot(theta_)) {
  // Power series, with as many terms as rounding can see below 3 rad.
  a = b = c = db = dc = Dual(0);
  Dual power = 1;  // (−x)ᵏ
  Dual previous = 0;
  double factorial = 1;  // (2k+1)!
  for (int k = 0; k < 25; ++k) {
    const double to_b = factorial * (2 * k + 2), to_c = to_b * (2 * k + 3);
    a += power / Dual(factorial);
    b += power / Dual(to_b);
    c += power / Dual(to_c);
    db += Dual(-k) * previous / Dual(to_b);
    dc += Dual(-k) * previous / Dual(to_c);
    previous = power;
    power *= -x;
    factorial = to_c;
  }
}

template <>
void update_moments<Dual>(const FlexBasis& basis, const Eigen::Ref<const testing::DualVector>& delta,
                          FlexMomentsOf<Dual>& moments) {
  const int m = basis.size();
  moments.s = basis.s0.cast<Dual>() + basis.S.cast<Dual>() * delta;
  moments.Sigma = basis.Sigma0.cast<Dual>();
  for (int i = 0; i < 3; ++i) moments.P[i] = basis.P0[i].cast<Dual>();
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const MatrixXd P = basis.P[size_t(3 * i + j)];
      for (int k = 0; k < m; ++k) {
        moments.Sigma(i, j) += delta[k] * Dual(basis.P0[i](j, k) + basis.P0[j](i, k));
        for (int l = 0; l < m; ++l) {
          if (basis.quadratic_inertia) moments.Sigma(i, j) += Dual(P(k, l)) * delta[k] * delta[l];
          moments.P[i](j, k) += Dual(P(l, k)) * delta[l];
        }
      }
    }
}

template <>
void add_passive_forces<Dual>(const Arm& arm, const Eigen::Ref<const testing::DualVector>& q,
                              const Eigen::Ref<const testing::DualVector>& v, bool, bool,
                              Eigen::Ref<testing::DualVector> h) {
  for (const Link& link : arm.links()) {
    for (int k = 0; k < link.nv(); ++k) {
      const JointForces& forces = link.forces[size_t(k)];
      const Dual at = q[link.q0 + k], rate = v[link.v0 + k];
      h[link.v0 + k] += Dual(forces.damping) * rate;
      if (forces.spring) h[link.v0 + k] += Dual(forces.spring->stiffness) * (at - Dual(forces.spring->rest));
      if (forces.friction)
        h[link.v0 + k] += Dual(rate.value > 0 ? forces.friction->forward : forces.friction->backward) *
                          tanh(rate / Dual(forces.friction->smoothing));
      if (forces.limits) {
        Dual depth = 0;
        if (at.value > forces.limits->upper) depth = at - Dual(forces.limits->upper);
        if (at.value < forces.limits->lower) depth = at - Dual(forces.limits->lower);
        h[link.v0 + k] += Dual(forces.limits->stiffness) * depth;
        if (depth.value * rate.value > 0)
          h[link.v0 + k] += Dual(forces.limits->damping) * rate * tanh(abs(depth) / Dual(1e-3));
      }
    }
    const int m = link.n_flex();
    if (m == 0) continue;
    h.segment(link.flex_v0(), m) += MatrixXd(link.flex->K).cast<Dual>() * q.segment(link.flex_q0(), m) +
                                    MatrixXd(link.flex->D).cast<Dual>() * v.segment(link.flex_v0(), m);
  }
  for (const Transmission& spring : arm.transmissions()) {
    const Link &joint = arm.link(spring.joint_link), &rotor = arm.link(spring.rotor_link);
    const Dual x = q[rotor.q0] - q[joint.q0], rate = v[rotor.v0] - v[joint.v0];
    const Dual torque = Dual(spring.stiffness) * x + Dual(spring.hardening) * x * x * x + Dual(spring.damping) * rate;
    h[joint.v0] -= torque;
    h[rotor.v0] += torque;
  }
}

namespace testing {
namespace {

/// Moves the position along one coordinate direction.
void seed_direction(const Arm& arm, int column, DualVector& q) {
  for (const Link& link : arm.links()) {
    const int k = column - link.v0;
    if (k >= link.nv() && k < link.nv() + link.n_flex()) q[link.flex_q0() + k - link.nv()].slope = 1;
    if (k < 0 || k >= link.nv()) continue;
    VectorXd position(link.nq()), change(link.nq());
    for (int c = 0; c < link.nq(); ++c) position[c] = q[link.q0 + c].value;
    const Vector6d unit = Vector6d::Unit(k);
    link.joint->position_rate(position.data(), unit.data(), change.data());
    for (int c = 0; c < link.nq(); ++c) q[link.q0 + c].slope = change[c];
  }
}

}  // namespace

InverseSlopes kane_slopes(const Arm& arm, const State& state, const VectorXd& vdot) {
  const int nv = arm.nv();
  kane::Equations<Dual> equations(arm);
  InverseSlopes result{VectorXd(nv), MatrixXd(nv, nv), MatrixXd(nv, nv)};
  auto evaluate = [&](const DualVector& q, const DualVector& v, Eigen::Ref<VectorXd> slope) {
    equations.evaluate(q, v, state.t);
    const DualVector force = equations.M() * vdot.cast<Dual>() + equations.h();
    for (int k = 0; k < nv; ++k) {
      slope[k] = force[k].slope;
      result.force[k] = force[k].value;
    }
  };
  for (int column = 0; column < nv; ++column) {
    DualVector q = state.q.cast<Dual>(), v = state.v.cast<Dual>();
    seed_direction(arm, column, q);
    evaluate(q, v, result.by_position.col(column));
    q = state.q.cast<Dual>();
    v[column].slope = 1;
    evaluate(q, v, result.by_rate.col(column));
  }
  return result;
}

}  // namespace testing
}  // namespace lithe
