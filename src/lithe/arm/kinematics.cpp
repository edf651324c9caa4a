#include "lithe/arm/kinematics.h"

#include <fmt/format.h>

#include "lithe/beam/flex_tip.h"
#include "lithe/spatial/demand.h"

namespace lithe {
namespace {

/// Momentum [about the body's own frame; linear] of a rigid body that moves with [ω; v], all in that frame's axes.
Vector6d rigid_momentum(const RigidInertia& body, const Vector3d& omega, const Vector3d& v) {
  const Vector3d angular = body.J * omega + body.first_moment.cross(v);
  const Vector3d linear = body.mass * v + omega.cross(body.first_moment);
  return stacked(angular, linear);
}

/// Momentum about B and twice the kinetic energy of a link itself, without payload, in B axes.
struct LinkMomentum {
  Vector6d h;
  double twice_energy = 0;
};
LinkMomentum own_momentum(const Link& link, const State& state, const Vector3d& omega, const Vector3d& v,
                          const OwnInertia& own) {
  LinkMomentum result;
  result.h = rigid_momentum(own.rigid(), omega, v);
  if (link.flex) {
    const auto rate = state.v.segment(link.flex_v0(), link.n_flex());
    for (int k = 0; k < link.n_flex(); ++k) {
      const Vector3d angular = own.angular(k), linear = own.linear(k);
      result.h.head<3>() += rate[k] * angular;
      result.h.tail<3>() += rate[k] * linear;
      result.twice_energy += rate[k] * (angular.dot(omega) + linear.dot(v));
    }
    own.for_each_entry([&](int k, int l, double value) { result.twice_energy += value * rate[k] * rate[l]; });
  }
  result.twice_energy += omega.dot(result.h.head<3>()) + v.dot(result.h.tail<3>());
  return result;
}

/// Velocity [ω; v] in a frame's own axes.
std::pair<Vector3d, Vector3d> in_own_axes(const Pose& X, const Vector6d& V) {
  return {X.R.transpose() * V.head<3>(), X.R.transpose() * V.tail<3>()};
}

/// Calls visit(pose, momentum about the pose's origin in its axes, twice the kinetic energy) for every link and payload.
template <class Visit>
void for_each_body(const Arm& arm, const State& state, const Kinematics& kin, Visit visit) {
  for (int i = 0; i < arm.n_links(); ++i) {
    const Link& link = arm.link(i);
    const auto [omega, v] = in_own_axes(kin.X_WB[i], kin.V_WB_W[i]);
    const LinkMomentum own = own_momentum(link, state, omega, v, OwnInertia(arm, kin, i));
    visit(kin.X_WB[i], own.h, own.twice_energy);
    const auto [omega_T, v_T] = in_own_axes(kin.X_WT[i], kin.V_WT_W[i]);
    const Vector6d h = rigid_momentum(link.payload_T, omega_T, v_T);
    visit(kin.X_WT[i], h, omega_T.dot(h.head<3>()) + v_T.dot(h.tail<3>()));
  }
}

/// What a link with small tip rotations carries is strained as it turns, so bodies have no velocities that these sums could use.
void refuse_small_tips(const Arm& arm, const char* what) {
  if (arm.small_tips())
    throw UnsupportedError("arm.tip_rotation",
                           fmt::format("{} from link velocities needs 'finite': with 'small', what a tip carries does "
                                       "not move as a rigid body; RecursiveLagrangian::kinetic_energy covers that",
                                       what));
}

/// ∫ r dm of the whole arm, in the world.
Vector3d first_moment(const Arm& arm, const Kinematics& kin) {
  Vector3d sum = Vector3d::Zero();
  for (int i = 0; i < arm.n_links(); ++i) {
    const Link& link = arm.link(i);
    sum += kin.X_WB[i].R * OwnInertia(arm, kin, i).rigid().first_moment + link.M_B.mass * kin.X_WB[i].p;
    sum += kin.X_WT[i].R * link.payload_T.first_moment + link.payload_T.mass * kin.X_WT[i].p;
  }
  return sum;
}

}  // namespace

OwnInertia::OwnInertia(const Arm& arm, const Kinematics& kinematics, int i_link)
    : link_(&arm.link(i_link)),
      flex_(link_->flex.get()),
      moments_(&kinematics.moments[size_t(i_link)]),
      rod_(kinematics.rods[size_t(i_link)] ? &*kinematics.rods[size_t(i_link)] : nullptr) {}

RigidInertia OwnInertia::rigid() const {
  if (flex_ == nullptr) return link_->M_B;
  if (rod_ != nullptr) return rod_->inertia();
  return {flex_->mass, moments_->s, moments_->inertia(*flex_)};
}

Vector3d OwnInertia::angular(int k) const { return rod_ != nullptr ? rod_->angular(k) : moments_->angular(*flex_, k); }

Vector3d OwnInertia::linear(int k) const { return rod_ != nullptr ? rod_->linear(k) : moments_->linear(*flex_, k); }

void update_kinematics(const Arm& arm, const State& state, Kinematics& kin) {
  LITHE_DEMAND_EQUAL(state.q.size(), arm.nq());
  LITHE_DEMAND_EQUAL(state.v.size(), arm.nv());
  const int n = arm.n_links();
  kin.X_WB.resize(n);
  kin.X_WT.resize(n);
  kin.V_WB_W.resize(n);
  kin.V_WT_W.resize(n);
  kin.joint_W.resize(n);
  kin.tip_shapes_W.resize(n);
  kin.moments.resize(n);
  kin.rods.resize(n);
  const RootMotion root = arm.root(state.t);
  kin.X_WR = root.X_WR;
  for (int i = 0; i < n; ++i) {
    const Link& link = arm.link(i);
    const bool on_root = link.parent < 0;
    const Pose& X_WP = on_root ? root.X_WR : kin.X_WT[link.parent];
    Vector6d V;
    if (on_root) {
      V << root.omega, root.velocity;
    } else {
      V = kin.V_WT_W[link.parent];
    }
    kin.X_WB[i] = X_WP * link.X_PF * link.joint->X_FM(state.q.data() + link.q0);
    V.tail<3>() += V.head<3>().cross(kin.X_WB[i].p - X_WP.p);
    JointDirections& directions = kin.joint_W[i];
    link.joint->directions(state.q.data() + link.q0, directions);
    for (int k = 0; k < directions.cols(); ++k) {
      const Vector3d turn = kin.X_WB[i].R * directions.col(k).head<3>(),
                     slide = kin.X_WB[i].R * directions.col(k).tail<3>();
      directions.col(k) << turn, slide;
      V += state.v[link.v0 + k] * directions.col(k);
    }
    kin.V_WB_W[i] = V;
    const Pose& X_WB = kin.X_WB[i];
    if (!link.flex) {
      kin.X_WT[i] = X_WB * link.X_BT;
      V.tail<3>() += V.head<3>().cross(kin.X_WT[i].p - X_WB.p);
      kin.V_WT_W[i] = V;
      continue;
    }
    const FlexBasis& flex = *link.flex;
    const auto delta = state.q.segment(link.flex_q0(), link.n_flex());
    Matrix6Xd& shapes = kin.tip_shapes_W[i];
    shapes.resize(6, flex.size());
    if (flex.exact) {
      std::optional<RodState>& rod = kin.rods[i];
      if (!rod || &rod->basis() != flex.exact.get()) rod.emplace(flex.exact);
      rod->place(delta.data());
      kin.X_WT[i] = X_WB * rod->X_BT();
      for (int k = 0; k < flex.size(); ++k) shapes.col(k) << X_WB.R * rod->tip_turn(k), X_WB.R * rod->tip_slide(k);
    } else {
      const FlexTip tip(flex, delta);
      update_moments(flex, delta, kin.moments[i]);
      kin.X_WT[i] = X_WB * (arm.tip_rotation() == TipRotation::finite ? tip.X_BT() : tip.X_BT_small());
      tip.set_shapes(X_WB.R, shapes);
    }
    V.tail<3>() += V.head<3>().cross(kin.X_WT[i].p - X_WB.p);
    V.noalias() += shapes * state.v.segment(link.flex_v0(), link.n_flex());
    kin.V_WT_W[i] = V;
  }
}

Kinematics kinematics_of(const Arm& arm, const State& state) {
  Kinematics kinematics;
  update_kinematics(arm, state, kinematics);
  return kinematics;
}

Matrix6Xd tip_jacobian(const Arm& arm, const Kinematics& kin, int i_link) {
  LITHE_DEMAND(i_link >= 0 && i_link < arm.n_links());
  Matrix6Xd J = Matrix6Xd::Zero(6, arm.nv());
  const Vector3d p_WT = kin.X_WT[i_link].p;
  for_each_tip_direction(arm, kin, i_link,
                         [&](int column, const Vector3d& turn, const Vector3d& slide, const Vector3d& origin) {
                           J.col(column) << turn, slide + turn.cross(p_WT - origin);
                         });
  return J;
}

double total_mass(const Arm& arm) {
  double mass = 0;
  for (const Link& link : arm.links()) mass += link.M_B.mass + link.payload_T.mass;
  return mass;
}

Vector3d centre_of_mass(const Arm& arm, const Kinematics& kin) { return first_moment(arm, kin) / total_mass(arm); }

Vector6d momentum(const Arm& arm, const State& state, const Kinematics& kin) {
  refuse_small_tips(arm, "the momentum");
  Vector6d total = Vector6d::Zero();
  for_each_body(arm, state, kin, [&](const Pose& X, const Vector6d& h, double) {
    const Vector3d linear = X.R * h.tail<3>();
    total.head<3>() += X.R * h.head<3>() + X.p.cross(linear);
    total.tail<3>() += linear;
  });
  total.head<3>() -= centre_of_mass(arm, kin).cross(total.tail<3>());
  return total;
}

double kinetic_energy(const Arm& arm, const State& state, const Kinematics& kin) {
  refuse_small_tips(arm, "the kinetic energy");
  double twice = 0;
  for_each_body(arm, state, kin, [&](const Pose&, const Vector6d&, double body) { twice += body; });
  for (const Link& link : arm.links())
    if (link.nv() == 1) twice += link.rotor_inertia * state.v[link.v0] * state.v[link.v0];
  return twice / 2;
}

double gravity_energy(const Arm& arm, const Kinematics& kin) { return -arm.gravity().dot(first_moment(arm, kin)); }

}  // namespace lithe
