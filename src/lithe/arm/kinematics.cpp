#include "lithe/arm/kinematics.h"

#include "lithe/spatial/demand.h"

namespace lithe {
namespace {

/// Linear and angular momentum of one link about the world's origin.
Vector6d link_momentum(const Link& link, const Pose& X_WB, const Vector6d& V_WB_W) {
  const RigidInertia inertia = link.whole_inertia();
  const Vector3d omega = V_WB_W.head<3>(), velocity = V_WB_W.tail<3>();
  const Vector3d first_moment = X_WB.R * inertia.first_moment;
  const Vector3d linear = inertia.mass * velocity + omega.cross(first_moment);
  const Vector3d about_B = X_WB.R * (inertia.J * (X_WB.R.transpose() * omega)) + first_moment.cross(velocity);
  return (Vector6d() << about_B + X_WB.p.cross(linear), linear).finished();
}

}  // namespace

void update_kinematics(const Arm& arm, const State& state, Kinematics& kin) {
  LITHE_DEMAND_EQUAL(state.q.size(), arm.nq());
  LITHE_DEMAND_EQUAL(state.v.size(), arm.nv());
  kin.X_WB.resize(arm.n_links());
  kin.X_WT.resize(arm.n_links());
  kin.V_WB_W.resize(arm.n_links());
  const RootMotion root = arm.root(state.t);
  kin.X_WR = root.X_WR;
  for (int i = 0; i < arm.n_links(); ++i) {
    const Link& link = arm.link(i);
    const bool on_root = link.parent < 0;
    const Pose& X_WP = on_root ? root.X_WR : kin.X_WT[link.parent];
    const Vector3d p_WC = on_root ? root.X_WR.p : kin.X_WB[link.parent].p;  // where the carrier's velocity is known
    Vector6d V;
    if (on_root) {
      V << root.omega, root.velocity;
    } else {
      V = kin.V_WB_W[link.parent];
    }
    std::visit(
        [&](const auto& joint) {
          using J = std::remove_cvref_t<decltype(joint)>;
          kin.X_WB[i] = X_WP * link.X_PF * X_FM(joint, state.q.data() + link.q0);
          V.tail<3>() += V.head<3>().cross(kin.X_WB[i].p - p_WC);
          if constexpr (J::nv > 0) {
            const Vector6d V_FM = H_FM(joint) * state.v.segment<J::nv>(link.v0);
            V.head<3>() += kin.X_WB[i].R * V_FM.head<3>();
            V.tail<3>() += kin.X_WB[i].R * V_FM.tail<3>();
          }
        },
        link.joint);
    kin.V_WB_W[i] = V;
    kin.X_WT[i] = kin.X_WB[i] * link.X_BT;
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
  for_each_direction(arm, kin, i_link,
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

Vector3d centre_of_mass(const Arm& arm, const Kinematics& kin) {
  Vector3d first_moment = Vector3d::Zero();
  for (int i = 0; i < arm.n_links(); ++i) {
    const RigidInertia inertia = arm.link(i).whole_inertia();
    first_moment += kin.X_WB[i].R * inertia.first_moment + inertia.mass * kin.X_WB[i].p;
  }
  return first_moment / total_mass(arm);
}

Vector6d momentum(const Arm& arm, const Kinematics& kin) {
  Vector6d total = Vector6d::Zero();
  for (int i = 0; i < arm.n_links(); ++i) total += link_momentum(arm.link(i), kin.X_WB[i], kin.V_WB_W[i]);
  total.head<3>() -= centre_of_mass(arm, kin).cross(total.tail<3>());
  return total;
}

double kinetic_energy(const Arm& arm, const State& state, const Kinematics& kin) {
  double energy = 0;
  for (int i = 0; i < arm.n_links(); ++i) {
    const Link& link = arm.link(i);
    // ½ V·(momentum about B)
    const Vector6d h = link_momentum(link, kin.X_WB[i], kin.V_WB_W[i]);
    const Vector3d about_B = h.head<3>() - kin.X_WB[i].p.cross(h.tail<3>());
    energy += (kin.V_WB_W[i].head<3>().dot(about_B) + kin.V_WB_W[i].tail<3>().dot(h.tail<3>())) / 2;
    if (link.nv() == 1) energy += link.rotor_inertia * state.v[link.v0] * state.v[link.v0] / 2;
  }
  return energy;
}

double gravity_energy(const Arm& arm, const Kinematics& kin) {
  double energy = 0;
  for (int i = 0; i < arm.n_links(); ++i) {
    const RigidInertia inertia = arm.link(i).whole_inertia();
    energy -= arm.gravity().dot(kin.X_WB[i].R * inertia.first_moment + inertia.mass * kin.X_WB[i].p);
  }
  return energy;
}

}  // namespace lithe
