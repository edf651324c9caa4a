#pragma once

#include <vector>

#include "lithe/arm/small_motion.h"
#include "lithe/dynamics/derivatives/section_load.h"

namespace lithe {

/// What a force may read at one time.
struct ForceReading {
  const State& state;
  const Kinematics& kinematics;  // at that state
};

/// The energy that a force stores, its rate, and the power that the force dissipates.
struct ForceEnergy {
  double stored = 0, stored_rate = 0, lost = 0;
};

/// A force on the arm that depends on its motion: a spring between two points, a magnet, a tendon.
///
/// Evaluations allocate nothing and depend only on their arguments: threads may share one.
class Force {
 public:
  virtual ~Force() = default;

  /// Adds the force to the generalised forces (nv).
  virtual void add(const ForceReading& now, Eigen::Ref<VectorXd> tau) const = 0;
  /// Appends the same as forces on sections of links, if it acts there: the forces inside links then include it, and the library adds
  /// the geometric slopes (below). The force owns the sections, which exist as long as it does.
  virtual void list(const ForceReading&, std::vector<SectionLoad>& /*listed*/) const {}
  /// Appends the slopes of `add` along coordinate directions, ∂τ/∂q and ∂τ/∂v. A force that lists itself omits the slopes that
  /// result from the motion of the points and of the coordinate directions while the listed forces stay constant in world axes: the
  /// library adds these. Exact at rest; in motion accurate enough for Newton's iteration. False: it has none, and differences are taken.
  virtual bool add_slopes(const ForceReading&, Triplets& /*by_position*/, Triplets& /*by_rate*/) const { return false; }
  /// For the audit. By default all its power counts as input.
  virtual ForceEnergy energy(const ForceReading&) const { return {}; }
  /// Adds the slopes of ForceEnergy::lost (nv each), which help implicit methods.
  virtual void add_loss_slopes(const ForceReading&, Eigen::Ref<VectorXd> /*by_position*/,
                               Eigen::Ref<VectorXd> /*by_rate*/) const {}

  virtual void add_breakpoints(std::vector<double>& /*times*/) const {}
  /// Number of quantities whose change of sign is a corner in the force.
  virtual int n_switches() const { return 0; }
  virtual void switches(const ForceReading&, double* /*values*/) const {}
};

}  // namespace lithe
