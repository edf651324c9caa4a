// Energies of the nonlinear model, summed over nodes.
#include "lithe/simulate/finite_element/floating_model.h"

namespace lithe {

double FloatingModel::kinetic_energy() {
  update_kinematics(arm_, state_, kin_);
  auto of_body = [](const RigidInertia& body, const Vector6d& V) { return V.dot(body.matrix() * V) / 2; };
  double energy = 0;
  for (int i = 0; i < arm_.n_links(); ++i) {
    const Link& link = arm_.link(i);
    LinkWork& work = work_[i];
    auto in_axes = [](const Matrix3d& R, const Vector6d& V_W) {
      return stacked(R.transpose() * V_W.head<3>(), R.transpose() * V_W.tail<3>());
    };
    const Vector6d V_B = in_axes(kin_.X_WB[i].R, kin_.V_WB_W[i]);
    energy += of_body(link.payload_T, in_axes(kin_.X_WT[i].R, kin_.V_WT_W[i]));
    if (link.nv() == 1) energy += link.rotor_inertia * state_.v[link.v0] * state_.v[link.v0] / 2;
    if (!beams_[i]) {
      energy += of_body(link.M_B, V_B);
    } else if (beams_[i]->sliding) {
      energy += beams_[i]->sliding->kinetic_energy(V_B);
    } else {
      const NodalBeam& beam = *beams_[i];
      for (int node = 0; node < beam.n_nodes(); ++node) {
        auto velocity = work.velocity.segment<6>(6 * node);
        velocity << V_B.tail<3>() + V_B.head<3>().cross(Vector3d(work.r.col(node))), V_B.head<3>();
        for (size_t k = 0; node > 0 && k < beam.components.size(); ++k)
          velocity[beam.components[k]] += state_.v[link.flex_v0() + beam.flexible(node, int(k))];
      }
      work.force.noalias() = beam.M * work.velocity;
      energy += work.velocity.dot(work.force) / 2;
    }
  }
  return energy;
}

double FloatingModel::elastic_energy() {
  double energy = 0;
  for (int i = 0; i < arm_.n_links(); ++i) {
    const Link& link = arm_.link(i);
    if (link.nv() == 1) energy += link.forces[0].energy(state_.q[link.q0]);
    if (!beams_[i]) continue;
    if (beams_[i]->sliding) {
      energy += beams_[i]->sliding->elastic_energy();
      continue;
    }
    work_[i].force.noalias() = beams_[i]->K * work_[i].displacement;
    energy += work_[i].displacement.dot(work_[i].force) / 2;
  }
  for (const Transmission& spring : arm_.transmissions())
    energy += spring.energy(state_.q[arm_.link(spring.rotor_link).q0] - state_.q[arm_.link(spring.joint_link).q0]);
  return energy;
}

double FloatingModel::power_lost_in_guided_beams() const {
  double power = 0;
  for (const auto& beam : beams_)
    if (beam && beam->sliding) power += beam->sliding->power_lost();
  return power;
}

double FloatingModel::gravity_energy() {
  update_kinematics(arm_, state_, kin_);
  double energy = 0;
  for (int i = 0; i < arm_.n_links(); ++i) {
    const Link& link = arm_.link(i);
    auto add = [&](double mass, const Vector3d& first_moment, const Pose& X) {
      energy -= arm_.gravity().dot(mass * X.p + X.R * first_moment);
    };
    add(link.payload_T.mass, link.payload_T.first_moment, kin_.X_WT[i]);
    Vector3d first_moment = link.M_B.first_moment;
    if (beams_[i] && beams_[i]->sliding) {
      first_moment = beams_[i]->sliding->first_moment();
    } else if (beams_[i]) {
      // M times a unit motion along an axis sums the masses of the nodes.
      const NodalBeam& beam = *beams_[i];
      first_moment.setZero();
      for (int k = 0; k < beam.M.outerSize(); ++k)
        for (SparseMatrixd::InnerIterator entry(beam.M, k); entry; ++entry)
          if (k % 6 == 0 && entry.row() % 6 == 0) first_moment += entry.value() * work_[i].r.col(k / 6);
    }
    add(link.M_B.mass, first_moment, kin_.X_WB[i]);
  }
  return energy;
}

}  // namespace lithe
