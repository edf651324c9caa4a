// Inverse dynamics and bias forces: outward, the motion of every body; inward, the wrenches.
#include <cmath>
#include <stdexcept>

#include "lithe/dynamics/articulated/work.h"
#include "lithe/spatial/demand.h"

namespace lithe {

Articulated::Work::Carrier Articulated::Work::carrier(const Body& body, const Root& root) const {
  if (body.parent < 0) return {root.omega, root.alpha, root.a};
  const Body& parent = bodies_[body.parent];
  if (parent.flex < 0) return {parent.omega, parent.alpha, parent.a};
  const FlexBody& flex = flex_[parent.flex];
  return {flex.omega_T, flex.alpha_T, flex.a_T};
}

void Articulated::Work::pass_on(const Body& body) {
  if (body.parent < 0) return;  // the root needs none
  Body& parent = bodies_[body.parent];
  FlexBody* flex = parent.flex < 0 ? nullptr : &flex_[parent.flex];
  const Vector3d force = body.R * body.bias_force;
  (flex != nullptr ? flex->force_T : parent.bias_force) += force;
  (flex != nullptr ? flex->moment_T : parent.bias_moment) += body.R * body.bias_moment + body.p.cross(force);
}

template <bool with_velocity>
Articulated::Work::Root Articulated::Work::outward(const State& state, bool with_gravity) {
  wrenches_known_ = false;
  Root root;
  {
    const RootMotion motion = arm().root(state.t);
    const Matrix3d Rt = motion.X_WR.R.transpose();
    root.omega = with_velocity ? Vector3d(Rt * motion.omega) : Vector3d::Zero();
    root.alpha = with_velocity ? Vector3d(Rt * motion.alpha) : Vector3d::Zero();
    Vector3d a = with_velocity ? motion.acceleration : Vector3d::Zero();
    if (with_gravity) a -= arm().gravity();
    root.a = Rt * a;
  }
  for (Body& body : bodies_) {
    const Vector3d& omega_P = carrier(body, root).omega;
    body.p = body.p_PF;
    double rate = 0;
    switch (body.kind) {
      case Kind::turning: {
        const double q = state.q[body.q0], c = std::cos(q), s = std::sin(q);
        body.R.col(0) = c * body.R_PF.col(0) + s * body.R_PF.col(1);
        body.R.col(1) = c * body.R_PF.col(1) - s * body.R_PF.col(0);
        body.R.col(2) = body.R_PF.col(2);
        rate = state.v[body.v0];
        break;
      }
      case Kind::sliding:
        body.R = body.R_PF;
        body.p += state.q[body.q0] * body.R_PF.col(z);
        rate = state.v[body.v0];
        break;
      case Kind::fixed:
        body.R = body.R_PF;
        break;
      case Kind::block: {
        Block& block = blocks_[body.block];
        const Pose X = block.joint->X_FM(state.q.data() + body.q0);
        block.joint->directions(state.q.data() + body.q0, block.H);
        body.R = body.R_PF * X.R;
        body.p += body.R_PF * X.p;
        break;
      }
    }
    if constexpr (with_velocity) {
      const Vector3d omega_carried = body.R.transpose() * omega_P;
      const Vector3d centripetal = body.R.transpose() * omega_P.cross(omega_P.cross(body.p));
      switch (body.kind) {
        case Kind::turning:  // (2)
          body.omega = omega_carried + Vector3d(0, 0, rate);
          body.zeta_angular = {omega_carried.y() * rate, -omega_carried.x() * rate, 0};
          body.zeta_linear = centripetal;
          break;
        case Kind::sliding:  // (3)
          body.omega = omega_carried;
          body.zeta_angular.setZero();
          body.zeta_linear = centripetal + 2 * rate * Vector3d(omega_carried.y(), -omega_carried.x(), 0);
          break;
        case Kind::fixed:
          body.omega = omega_carried;
          body.zeta_angular.setZero();
          body.zeta_linear = centripetal;
          break;
        case Kind::block: {  // (17)
          const Block& block = blocks_[body.block];
          const Vector6d own = block.H * state.v.segment(body.v0, body.nv);
          const Vector3d turn = own.head<3>(), slide = own.tail<3>();
          body.omega = omega_carried + turn;
          body.zeta_angular = omega_carried.cross(turn);
          body.zeta_linear = centripetal + 2 * omega_carried.cross(slide) + turn.cross(slide);
          if (block.joint->directions_change()) {
            const Vector6d change = block.joint->direction_rate(state.q.data() + body.q0, state.v.data() + body.v0);
            body.zeta_angular += change.head<3>();
            body.zeta_linear += change.tail<3>();
          }
          break;
        }
      }
      // (8)
      body.bias_moment = body.omega.cross(body.J * body.omega);
      body.bias_force = body.omega.cross(body.omega.cross(body.first_moment));
      if (body.flex >= 0) {
        flex_[body.flex].place(state);
        flex_[body.flex].move(state, body.omega);
      }
    } else {
      body.omega.setZero();
      body.zeta_angular.setZero();
      body.zeta_linear.setZero();
      body.bias_moment.setZero();
      body.bias_force.setZero();
      if (body.flex >= 0) {
        flex_[body.flex].place(state);
        flex_[body.flex].stand();
      }
    }
  }
  return root;
}

template Articulated::Work::Root Articulated::Work::outward<true>(const State& state, bool with_gravity);
template Articulated::Work::Root Articulated::Work::outward<false>(const State& state, bool with_gravity);

void Articulated::Work::accelerate(Body& body, const Root& root) const {
  const Carrier on = carrier(body, root);
  body.alpha = body.R.transpose() * on.alpha + body.zeta_angular;
  body.a = body.R.transpose() * (on.a + on.alpha.cross(body.p)) + body.zeta_linear;
}

void Articulated::Work::recursive_newton_euler(const State& state, bool with_velocity, bool with_gravity,
                                               const double* vdot, Eigen::Ref<VectorXd> tau) {
  LITHE_DEMAND_EQUAL(state.q.size(), arm().nq());
  LITHE_DEMAND_EQUAL(state.v.size(), arm().nv());
  LITHE_DEMAND_EQUAL(tau.size(), arm().nv());
  const Root root = with_velocity ? outward<true>(state, with_gravity) : outward<false>(state, with_gravity);
  for (Body& body : bodies_) {
    accelerate(body, root);
    if (vdot != nullptr && body.kind == Kind::turning) body.alpha[z] += vdot[body.v0];
    if (vdot != nullptr && body.kind == Kind::sliding) body.a[z] += vdot[body.v0];
    if (vdot != nullptr && body.kind == Kind::block) {
      const Vector6d own = blocks_[body.block].H * Eigen::Map<const VectorXd>(vdot + body.v0, body.nv);
      body.alpha += own.head<3>();
      body.a += own.tail<3>();
    }
    if (body.flex >= 0) {
      flex_[body.flex].prescribe(body.alpha, body.a, vdot);
      continue;
    }
    body.bias_moment += body.J * body.alpha + body.first_moment.cross(body.a);
    body.bias_force += body.mass * body.a + body.alpha.cross(body.first_moment);
  }
  for (int i = int(bodies_.size()) - 1; i >= 0; --i) {
    Body& body = bodies_[i];
    if (body.flex >= 0) {
      FlexBody& flex = flex_[body.flex];
      flex.collect(tau.data());
      body.bias_moment = flex.moment_N;
      body.bias_force = flex.force_N;
    }
    if (body.kind == Kind::turning || body.kind == Kind::sliding) {
      tau[body.v0] = body.kind == Kind::turning ? body.bias_moment[z] : body.bias_force[z];
      if (vdot != nullptr) tau[body.v0] += body.rotor_inertia * vdot[body.v0];
    }
    if (body.kind == Kind::block) {
      Vector6d wrench;
      wrench << body.bias_moment, body.bias_force;
      tau.segment(body.v0, body.nv).noalias() = blocks_[body.block].H.transpose() * wrench;
      if (vdot != nullptr && body.nv == 1) tau[body.v0] += body.rotor_inertia * vdot[body.v0];
    }
    pass_on(body);
  }
}

double Articulated::Work::root_power(const State& state) const {
  if (!wrenches_known_)
    throw std::logic_error("Articulated::root_power is that of the last `inverse`, which has not been called");
  const RootMotion motion = arm().root(state.t);
  const Vector3d omega = motion.X_WR.R.transpose() * motion.omega,
                 velocity = motion.X_WR.R.transpose() * motion.velocity;
  double power = 0;
  for (const Body& body : bodies_) {
    if (body.parent >= 0) continue;
    // The wrench that the root passes to each body on it, at the root's origin.
    const Vector3d force = body.R * body.bias_force, moment = body.R * body.bias_moment + body.p.cross(force);
    power += omega.dot(moment) + velocity.dot(force);
  }
  return power;
}

void Articulated::Work::inverse(const State& state, const Eigen::Ref<const VectorXd>& vdot, Eigen::Ref<VectorXd> tau) {
  LITHE_DEMAND_EQUAL(vdot.size(), arm().nv());
  recursive_newton_euler(state, true, true, vdot.data(), tau);
  wrenches_known_ = true;
  add_passive_forces(arm(), state, true, true, tau);
}

void Articulated::Work::bias(const State& state, Terms terms, Eigen::Ref<VectorXd> h) {
  const bool velocity = has(terms, Terms::coriolis), gravity = has(terms, Terms::gravity);
  if (velocity || gravity) {
    recursive_newton_euler(state, velocity, gravity, nullptr, h);
  } else {
    h.setZero();
  }
  add_passive_forces(arm(), state, has(terms, Terms::elastic), has(terms, Terms::damping), h);
}

}  // namespace lithe
