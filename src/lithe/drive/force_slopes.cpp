#include "lithe/drive/force_slopes.h"

#include "lithe/drive/loads.h"

namespace lithe {
namespace {

constexpr double difference_step = 1e-6;

}  // namespace

ForceSlopes::ForceSlopes(const Arm& arm)
    : arm_(arm), moved_(State::zero(arm)), plus_(arm.nv()), minus_(arm.nv()), step_(VectorXd::Zero(arm.nv())) {}

void ForceSlopes::add(const Force& force, const ForceReading& now, Triplets& by_position, Triplets& by_rate,
                      std::vector<SectionLoad>& listed) {
  if (force.add_slopes(now, by_position, by_rate)) {
    force.list(now, listed);
  } else {
    add_differences(force, now, by_position, by_rate);
  }
}

void ForceSlopes::add_differences(const Force& force, const ForceReading& now, Triplets& by_position,
                                  Triplets& by_rate) {
  moved_ = now.state;
  auto at = [&](VectorXd& tau) {
    tau.setZero();
    update_kinematics(arm_, moved_, kin_);
    force.add({moved_, kin_}, tau);
  };
  auto append = [&](int column, Triplets& entries) {
    for (int row = 0; row < arm_.nv(); ++row)
      if (plus_[row] != minus_[row])
        entries.emplace_back(row, column, (plus_[row] - minus_[row]) / (2 * difference_step));
  };
  for (int k = 0; k < arm_.nv(); ++k) {
    for (const double side : {1.0, -1.0}) {
      step_[k] = side * difference_step;
      displace(arm_, moved_.q, step_);
      at(side > 0 ? plus_ : minus_);
      moved_.q = now.state.q;
    }
    step_[k] = 0;
    append(k, by_position);
    for (const double side : {1.0, -1.0}) {
      moved_.v[k] = now.state.v[k] + side * difference_step;
      at(side > 0 ? plus_ : minus_);
    }
    moved_.v[k] = now.state.v[k];
    append(k, by_rate);
  }
}

OuterForces forces_at_rest(const std::vector<std::shared_ptr<Force>>& forces) {
  if (forces.empty()) return {};
  auto slopes = [&forces](const SmallMotion& motion, Triplets& stiffness, Triplets& damping) {
    ForceSlopes found(motion.arm());
    Triplets by_position, by_rate;
    std::vector<SectionLoad> listed;
    for (const auto& force : forces)
      found.add(*force, {motion.state(), motion.kinematics()}, by_position, by_rate, listed);
    for (const auto& entry : by_position) stiffness.emplace_back(entry.row(), entry.col(), -entry.value());
    for (const auto& entry : by_rate) damping.emplace_back(entry.row(), entry.col(), -entry.value());
    // Listed forces are constant in world axes, like loads.
    for (const SectionLoad& load : listed) add_stiffness(load, motion, stiffness);
  };
  return {[&forces](const SmallMotion& motion, Eigen::Ref<VectorXd> force) {
            for (const auto& one : forces) one->add({motion.state(), motion.kinematics()}, force);
          },
          [slopes](const SmallMotion& motion, Triplets& entries) {
            Triplets damping;
            slopes(motion, entries, damping);
          },
          [slopes](const SmallMotion& motion, Triplets& entries) {
            Triplets stiffness;
            slopes(motion, stiffness, entries);
          }};
}

}  // namespace lithe
