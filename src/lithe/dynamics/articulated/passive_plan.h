#pragma once

#include <vector>

#include "lithe/arm/arm.h"
#include "lithe/spatial/lanes.h"

namespace lithe {

/// Passive forces of joints, transmissions and links, flattened for evaluation on numbers S: the same forces as
/// `add_passive_forces`, elastic and dissipative together.
class PassivePlan {
 public:
  explicit PassivePlan(const Arm& arm);
  bool any() const { return !links_.empty() || !joints_.empty() || !transmissions_.empty(); }

  /// Sets all nv entries of h.
  template <class S>
  void evaluate(const S* q, const S* v, S* h) const {
    for (int i = 0; i < nv_; ++i) h[i] = 0.0;
    for (const LinkEntry& entry : links_) h[entry.row] += entry.K * q[entry.q] + entry.D * v[entry.v];
    for (const JointEntry& joint : joints_) h[joint.v0] += joint_force(joint.forces, q[joint.q0], v[joint.v0]);
    for (const Spring& spring : transmissions_) {
      const S torque =
          spring_torque(spring.law, S(q[spring.rotor_q] - q[spring.joint_q]), S(v[spring.rotor_v] - v[spring.joint_v]));
      h[spring.joint_v] -= torque;
      h[spring.rotor_v] += torque;
    }
  }

 private:
  struct LinkEntry {
    int row, q, v;
    double K, D;
  };
  struct JointEntry {
    int q0, v0;
    JointForces forces;
  };
  struct Spring {
    int joint_q, joint_v, rotor_q, rotor_v;
    Transmission law;
  };

  /// Stops and friction have branches: a pack goes through them lane by lane.
  template <class S>
  static S joint_force(const JointForces& forces, const S& q, const S& v) {
    if constexpr (requires { S::lanes; }) {
      S result;
      for (int lane = 0; lane < S::lanes; ++lane)
        result.v[lane] = forces.elastic(q.v[lane]) + forces.dissipative(q.v[lane], v.v[lane]);
      return result;
    } else {
      return forces.template elastic<S>(q) + forces.template dissipative<S>(q, v);
    }
  }

  /// So has backlash.
  template <class S>
  static S spring_torque(const Transmission& law, const S& twist, const S& rate) {
    if constexpr (requires { S::lanes; }) {
      if (!(law.gap > 0)) return (law.stiffness + law.hardening * twist * twist) * twist + law.damping * rate;
      S result;
      for (int lane = 0; lane < S::lanes; ++lane)
        result.v[lane] = law.elastic(twist.v[lane]) + law.dissipative(twist.v[lane], rate.v[lane]);
      return result;
    } else {
      return law.elastic(twist) + law.dissipative(twist, rate);
    }
  }

  int nv_;
  std::vector<LinkEntry> links_;
  std::vector<JointEntry> joints_;
  std::vector<Spring> transmissions_;
};

}  // namespace lithe
