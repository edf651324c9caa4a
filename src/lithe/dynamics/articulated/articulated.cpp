#include "lithe/dynamics/articulated/articulated.h"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "lithe/describe/field.h"
#include "lithe/dynamics/articulated/block_inertia.h"
#include "lithe/dynamics/articulated/flex_body.h"
#include "lithe/dynamics/articulated/forward_recursion.h"
#include "lithe/dynamics/articulated/passive_plan.h"
#include "lithe/spatial/demand.h"

namespace lithe {
namespace {

constexpr int z = 2;  // the joint's axis in N

/// Rotation that takes B axes to N axes' components: columns of N in B.
Matrix3d own_frame(const Link& link) {
  const auto axis = link.joint->single_axis();
  return axis ? rotation_taking_z_to(axis->axis) : Matrix3d::Identity();
}

// A separate function, so that the loops of common joints keep their registers.

/// The wrench that unit acceleration along direction k of a block joint needs.
[[gnu::noinline]] void block_wrench(const BlockInertia& P, const JointDirections& H, int k, Vector3d& moment,
                                    Vector3d& force) {
  const Vector3d turn = H.col(k).head<3>(), slide = H.col(k).tail<3>();
  moment = P.J * turn + P.H * slide;
  force = P.H.transpose() * turn + P.M * slide;
}

/// The projection of the wrench of a column on the directions of a block joint.
[[gnu::noinline]] void read_off_block(const JointDirections& S, int v0, int column, const Vector3d& moment,
                                      const Vector3d& force, Eigen::Ref<MatrixXd> M) {
  for (int k = 0; k < S.cols(); ++k)
    M(v0 + k, column) = M(column, v0 + k) = S.col(k).head<3>().dot(moment) + S.col(k).tail<3>().dot(force);
}

}  // namespace

const Arm& demand_finite_tips(const Arm& arm) {
  if (arm.bends() && arm.tip_rotation() == TipRotation::small)
    throw UnsupportedError("arm.tip_rotation",
                           "`articulated` needs finite tip rotations: with small ones a carried link is strained as it "
                           "turns, and six numbers do not describe its motion; recursive-lagrangian covers `small`");
  refuse_constraints(arm, word(Articulated::kind));
  return refuse_guides(arm, word(Articulated::kind));
}

RootAcceleration root_acceleration(const Arm& arm, Instant t) {
  const RootMotion motion = arm.root(t);
  const Matrix3d Rt = motion.X_WR.R.transpose();
  return {Rt * motion.omega, Rt * motion.alpha, Rt * (motion.acceleration - arm.gravity())};
}

/// The data of evaluations, separate so that users of the header do not need them.
struct Articulated::Work {
  explicit Work(const Arm& arm);

  enum class Kind { fixed, turning, sliding, block };  // a block joint has any directions H

  /// A moving body: constants first, then intermediate results of one evaluation.
  struct Body {
    Kind kind = Kind::fixed;
    int parent = -1;
    int flex = -1;   // index of its FlexBody
    int block = -1;  // of a block joint: index of its directions
    int q0 = 0, v0 = 0, nv = 0;
    double rotor_inertia = 0;
    Matrix3d R_PF;  // joint frame (z on the axis) in the parent's N
    Vector3d p_PF;
    double mass = 0;
    Vector3d first_moment;
    Matrix3d J;
    BlockInertia own;  // the same as blocks

    // set by outward()
    Matrix3d R;      // R_PN
    Vector3d p;      // p_PN
    Vector3d omega;  // of N, in N
    Vector3d zeta_angular, zeta_linear;
    Vector3d bias_moment, bias_force;  // (8); children add theirs on the way in
    // set by the inward pass
    BlockInertia P;
    // set by the way out
    Vector3d alpha, a;
    // set by mass_matrix()
    Matrix3d R_RN;  // N in the root frame
    Vector3d p_RN;
    Vector3d S_angular, S_linear;  // its joint's direction at the root's origin; a block joint has more than one
  };

  /// A block joint's directions: in N by outward(), and at the root's origin in its axes by mass_matrix(). Separate from the bodies,
  /// which are traversed often and should stay close together in memory.
  struct Block {
    const Joint* joint = nullptr;
    JointDirections H, S;
  };

  struct Root {
    Vector3d omega, alpha, a;  // of the root frame in its own axes; a is minus gravity
  };

  /// The frame on which a body's joint is mounted: the parent's N, its tip frame T where it bends, or the root.
  struct Carrier {
    const Vector3d &omega, &alpha, &a;
  };
  Carrier carrier(const Body& body, const Root& root) const;
  /// Adds a body's wrench to its carrier's.
  void pass_on(const Body& body);

  template <bool with_velocity>
  Root outward(const State& state, bool with_gravity);
  /// Sets the entries of M: the projections of the wrench of a column (root frame, root's origin) on every coordinate from body i inwards.
  void read_off(int i, int column, const Vector3d& moment, const Vector3d& force, Eigen::Ref<MatrixXd> M) const;
  void accelerate(Body& body, const Root& root) const;  // X A_P + ζ of (1) into alpha, a
  void set_root(Instant t);
  void demand_regular(int singular) const;
  void solve(const State& state, const std::vector<bool>* driven, const double* tau, double* driven_tau, double* vdot);
  void forward(const State& state, const Eigen::Ref<const VectorXd>& tau, Eigen::Ref<VectorXd> vdot);
  void hybrid(const State& state, const std::vector<bool>& driven, Eigen::Ref<VectorXd> tau, Eigen::Ref<VectorXd> vdot);
  void solve_mass_matrix(const State& state, const Eigen::Ref<const VectorXd>& force, Eigen::Ref<VectorXd> vdot);
  void inverse(const State& state, const Eigen::Ref<const VectorXd>& vdot, Eigen::Ref<VectorXd> tau);
  void bias(const State& state, Terms terms, Eigen::Ref<VectorXd> h);
  void mass_matrix(const State& state, Eigen::Ref<MatrixXd> M);
  double root_power(const State& state) const;
  void recursive_newton_euler(const State& state, bool with_velocity, bool with_gravity, const double* vdot,
                              Eigen::Ref<VectorXd> tau);

  const Arm& arm() const { return arm_; }

  const Arm& arm_;  // the formulation's
  ForwardRecursion<double> recursion_;
  ForwardRecursion<double>::Root root_;  // at the time being solved
  PassivePlan forces_;
  std::vector<Body> bodies_;
  std::vector<Block> blocks_;
  std::vector<FlexBody> flex_;
  VectorXd passive_;             // passive forces of joints and links, at the state being solved
  VectorXd at_rest_;             // zero rates
  bool wrenches_known_ = false;  // whether the bodies' wrenches are those of an `inverse`
};

Articulated::Work::Work(const Arm& given)
    : arm_(given),
      recursion_(std::make_shared<RecursionPlan>(demand_finite_tips(given))),
      forces_(given),
      passive_(VectorXd::Zero(given.nv())),
      at_rest_(VectorXd::Zero(given.nv())) {
  for (int i = 0; i < arm().n_links(); ++i) {
    const Link& link = arm().link(i);
    Body body;
    const auto axis = link.joint->single_axis();
    body.kind = link.nv() == 0 ? Kind::fixed : !axis ? Kind::block : axis->turns ? Kind::turning : Kind::sliding;
    if (body.kind == Kind::block) {
      body.block = int(blocks_.size());
      blocks_.push_back({link.joint.get(), {}, {}});
    }
    body.nv = link.nv();
    body.parent = link.parent;
    body.q0 = link.q0;
    body.v0 = link.v0;
    body.rotor_inertia = link.rotor_inertia;

    // Constants seen from N and from the parent's N; a rigid parent's tip offset is folded in.
    const Matrix3d R_BN = own_frame(link);
    Pose X_PF = link.X_PF;
    if (link.parent >= 0 && !arm().link(link.parent).flex)
      X_PF =
          Pose{own_frame(arm().link(link.parent)).transpose(), Vector3d::Zero()} * arm().link(link.parent).X_BT * X_PF;
    body.R_PF = X_PF.R * R_BN;
    body.p_PF = X_PF.p;
    const RigidInertia inertia = link.whole_inertia().seen_from({R_BN.transpose(), Vector3d::Zero()});
    body.mass = inertia.mass;
    body.first_moment = inertia.first_moment;
    body.J = inertia.J;
    body.own = blocks_of(inertia);
    if (link.flex) {
      body.flex = int(flex_.size());
      flex_.emplace_back(link, R_BN);
    }
    bodies_.push_back(body);
  }
  set_root(0);
}

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

/// Placement, ω, ζ and velocity forces of every body, root first; starts the sums of the inward pass.
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

void Articulated::Work::accelerate(Body& body, const Root& root) const {
  const Carrier on = carrier(body, root);
  body.alpha = body.R.transpose() * on.alpha + body.zeta_angular;
  body.a = body.R.transpose() * (on.a + on.alpha.cross(body.p)) + body.zeta_linear;
}

void Articulated::Work::solve(const State& state, const std::vector<bool>* driven, const double* tau,
                              double* driven_tau, double* vdot) {
  LITHE_DEMAND_EQUAL(state.q.size(), arm().nq());
  LITHE_DEMAND_EQUAL(state.v.size(), arm().nv());
  if (forces_.any()) forces_.evaluate(state.q.data(), state.v.data(), passive_.data());
  if (arm().root_moves()) set_root(state.t);
  demand_regular(recursion_.run({.q = state.q.data(),
                                 .v = state.v.data(),
                                 .tau = tau,
                                 .passive = forces_.any() ? passive_.data() : nullptr,
                                 .root = root_,
                                 .vdot = vdot,
                                 .driven = driven,
                                 .driven_tau = driven_tau}));
}

void Articulated::Work::demand_regular(int singular) const {
  if (singular < 0) return;
  const auto& at = arm().coordinates()[singular];
  throw SingularError(fmt::format("the mass matrix is singular here: '{}' moves no inertia of its own", at));
}

void Articulated::Work::set_root(Instant t) {
  const RootAcceleration root = root_acceleration(arm(), t);
  Eigen::Map<Vector3d>(root_.omega) = root.omega;
  Eigen::Map<Vector3d>(root_.alpha) = root.alpha;
  Eigen::Map<Vector3d>(root_.a) = root.a;
}

void Articulated::Work::solve_mass_matrix(const State& state, const Eigen::Ref<const VectorXd>& force,
                                          Eigen::Ref<VectorXd> vdot) {
  LITHE_DEMAND_EQUAL(force.size(), arm().nv());
  LITHE_DEMAND_EQUAL(vdot.size(), arm().nv());
  // Without rates, gravity and springs only M z̈ = τ remains.
  demand_regular(recursion_.run({.q = state.q.data(),
                                 .v = at_rest_.data(),
                                 .tau = force.data(),
                                 .passive = nullptr,
                                 .root = {},
                                 .vdot = vdot.data()}));
}

void Articulated::Work::forward(const State& state, const Eigen::Ref<const VectorXd>& tau, Eigen::Ref<VectorXd> vdot) {
  LITHE_DEMAND_EQUAL(tau.size(), arm().nv());
  LITHE_DEMAND_EQUAL(vdot.size(), arm().nv());
  solve(state, nullptr, tau.data(), nullptr, vdot.data());
}

void Articulated::Work::hybrid(const State& state, const std::vector<bool>& driven, Eigen::Ref<VectorXd> tau,
                               Eigen::Ref<VectorXd> vdot) {
  LITHE_DEMAND_EQUAL(int(driven.size()), arm().nv());
  LITHE_DEMAND_EQUAL(tau.size(), arm().nv());
  LITHE_DEMAND_EQUAL(vdot.size(), arm().nv());
  solve(state, &driven, tau.data(), tau.data(), vdot.data());
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

void Articulated::Work::mass_matrix(const State& state, Eigen::Ref<MatrixXd> M) {
  LITHE_DEMAND_EQUAL(M.rows(), arm().nv());
  LITHE_DEMAND_EQUAL(M.cols(), arm().nv());
  outward<false>(state, false);
  for (Body& body : bodies_) {
    body.P = body.own;
    // Where N stands in the root frame, and its joint's direction there: entries of M are then plain products.
    body.R_RN = body.R;
    body.p_RN = body.p;
    if (body.parent >= 0) {
      const Body& parent = bodies_[body.parent];
      Pose X_RP{parent.R_RN, parent.p_RN};
      if (parent.flex >= 0) {
        const FlexBody& flex = flex_[parent.flex];
        X_RP = Pose{parent.R_RN * flex.R_BN.transpose(), parent.p_RN} * flex.X_BT;
      }
      body.R_RN = X_RP.R * body.R;
      body.p_RN = X_RP * body.p;
    }
    if (body.kind == Kind::block) {
      Block& block = blocks_[body.block];
      block.S.resize(6, body.nv);
      for (int k = 0; k < body.nv; ++k) {
        const Vector3d turn = body.R_RN * block.H.col(k).head<3>();
        block.S.col(k) << turn, body.R_RN * block.H.col(k).tail<3>() + body.p_RN.cross(turn);
      }
      continue;
    }
    const Vector3d axis = body.R_RN.col(z);
    body.S_angular = body.kind == Kind::turning ? axis : Vector3d::Zero();
    body.S_linear = body.kind == Kind::turning ? Vector3d(body.p_RN.cross(axis)) : axis;
  }
  M.setZero();
  // Composite bodies, tips first: the wrench that unit acceleration of a coordinate needs, taken to the root's origin, is
  // read off by every coordinate on the way inwards.
  for (int i = int(bodies_.size()) - 1; i >= 0; --i) {
    Body& body = bodies_[i];
    if (body.flex >= 0) {
      FlexBody& flex = flex_[body.flex];
      flex.compose();
      body.P = flex.P_N;
      flex.set_own_inertia(M.block(flex.v0, flex.v0, flex.size(), flex.size()));
      const Matrix3d R_RB = body.R_RN * flex.R_BN.transpose();
      for (int k = 0; k < flex.size(); ++k) {
        const Vector3d force = R_RB * flex.N.col(k).tail<3>();
        const Vector3d moment = R_RB * flex.N.col(k).head<3>() + body.p_RN.cross(force);
        read_off(i, flex.v0 + k, moment, force, M);
      }
    }
    for (int k = 0; k < body.nv; ++k) {
      Vector3d moment_N, force_N;
      if (body.kind == Kind::block) {
        block_wrench(body.P, blocks_[body.block].H, k, moment_N, force_N);
      } else if (body.kind == Kind::turning) {
        moment_N = body.P.J.col(z);
        force_N = body.P.H.row(z).transpose();
      } else {
        moment_N = body.P.H.col(z);
        force_N = body.P.M.col(z);
      }
      const Vector3d force = body.R_RN * force_N, moment = body.R_RN * moment_N + body.p_RN.cross(force);
      read_off(i, body.v0 + k, moment, force, M);
    }
    if (body.nv == 1) M(body.v0, body.v0) += body.rotor_inertia;
    if (body.parent < 0) continue;
    const int on_flex = bodies_[body.parent].flex;
    add_moved(body.R, body.p, body.P, on_flex >= 0 ? flex_[on_flex].P_T : bodies_[body.parent].P);
  }
}

void Articulated::Work::read_off(int i, int column, const Vector3d& moment, const Vector3d& force,
                                 Eigen::Ref<MatrixXd> M) const {
  for (int l = i; l >= 0; l = bodies_[l].parent) {
    const Body& body = bodies_[l];
    if (body.flex >= 0 && l != i) {
      // Ancestors' tips: Φᵀ of the wrench at T, in B axes.
      const FlexBody& flex = flex_[body.flex];
      const Matrix3d R_BR = flex.R_BN * body.R_RN.transpose();
      const Vector3d p_RT = body.p_RN + R_BR.transpose() * flex.X_BT.p;
      Vector6d wrench;
      wrench << R_BR * (moment - p_RT.cross(force)), R_BR * force;
      for (const int k : flex.basis().tip_coordinates)
        M(flex.v0 + k, column) = M(column, flex.v0 + k) = flex.Phi.col(k).dot(wrench);
    }
    if (body.kind == Kind::fixed) continue;
    if (body.kind == Kind::block) {
      read_off_block(blocks_[body.block].S, body.v0, column, moment, force, M);
    } else {
      M(body.v0, column) = M(column, body.v0) = body.S_angular.dot(moment) + body.S_linear.dot(force);
    }
  }
}

Articulated::Articulated(const Arm& given) : Formulation(word(kind), given), work_(std::make_unique<Work>(arm())) {}
Articulated::~Articulated() = default;

void Articulated::mass_matrix(const State& state, Eigen::Ref<MatrixXd> M) { work_->mass_matrix(state, M); }
void Articulated::bias(const State& state, Terms terms, Eigen::Ref<VectorXd> h) { work_->bias(state, terms, h); }
void Articulated::forward(const State& state, const Eigen::Ref<const VectorXd>& tau, Eigen::Ref<VectorXd> vdot) {
  work_->forward(state, tau, vdot);
}
void Articulated::inverse(const State& state, const Eigen::Ref<const VectorXd>& vdot, Eigen::Ref<VectorXd> tau) {
  work_->inverse(state, vdot, tau);
}
void Articulated::hybrid(const State& state, const std::vector<bool>& driven, Eigen::Ref<VectorXd> tau,
                         Eigen::Ref<VectorXd> vdot) {
  work_->hybrid(state, driven, tau, vdot);
}
void Articulated::solve_mass_matrix(const State& state, const Eigen::Ref<const VectorXd>& force,
                                    Eigen::Ref<VectorXd> vdot) {
  work_->solve_mass_matrix(state, force, vdot);
}
void Articulated::multiply_mass_matrix(const State& state, const Eigen::Ref<const VectorXd>& vdot,
                                       Eigen::Ref<VectorXd> force) {
  LITHE_DEMAND_EQUAL(vdot.size(), arm().nv());
  work_->recursive_newton_euler(state, false, false, vdot.data(), force);
}
double Articulated::root_power(const State& state) const { return work_->root_power(state); }

}  // namespace lithe
