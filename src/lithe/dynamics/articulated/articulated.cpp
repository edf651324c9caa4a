#include "lithe/dynamics/articulated/articulated.h"

#include <fmt/format.h>

#include "lithe/describe/field.h"
#include "lithe/dynamics/articulated/work.h"
#include "lithe/spatial/demand.h"

namespace lithe {
namespace {

/// Rotation that takes B axes to N axes' components: columns of N in B.
Matrix3d own_frame(const Link& link) {
  const auto axis = link.joint->single_axis();
  return axis ? rotation_taking_z_to(axis->axis) : Matrix3d::Identity();
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
