#pragma once

#include <vector>

#include "lithe/arm/small_motion.h"
#include "lithe/dynamics/derivatives/section_load.h"

namespace lithe {

/// What a force may read at one moment.
struct ForceReading {
  const State& state;
  const Kinematics& kinematics;  // at that state
};

/// The energy a force keeps, how fast that grows, and the power it turns into heat.
struct ForceEnergy {
  double stored = 0, stored_rate = 0, lost = 0;
};

/// A force on the arm that follows its motion: a spring between two points, a magnet, a tendon.
///
/// Evaluations allocate nothing and depend on nothing but their arguments: threads may share one.
class Force {
 public:
  virtual ~Force() = default;

  /// Adds what it does to the generalised forces (nv).
  virtual void add(const ForceReading& now, Eigen::Ref<VectorXd> tau) const = 0;
  /// The same as forces on sections of links, appended, where that is what it is: forces inside links then know of it, and
  /// geometry (below) is taken off it. The sections are the force's own: they last as long as it does.
  virtual void list(const ForceReading&, std::vector<SectionLoad>& /*listed*/) const {}
  /// Appends the slopes of `add` along coordinate directions, ∂τ/∂q and ∂τ/∂v. A force that lists itself leaves out what comes of
  /// the listed forces, kept as they are in world axes, when their points and the directions of coordinates move: the library adds
  /// it. Exact at rest; in motion good enough for Newton's iteration. False: it has none, and differences are taken.
  virtual bool add_slopes(const ForceReading&, Triplets& /*by_position*/, Triplets& /*by_rate*/) const { return false; }
  /// For the audit. By default all its power counts as input.
  virtual ForceEnergy energy(const ForceReading&) const { return {}; }
  /// Adds the slopes of ForceEnergy::lost (nv each), which help implicit methods.
  virtual void add_loss_slopes(const ForceReading&, Eigen::Ref<VectorXd> /*by_position*/,
                               Eigen::Ref<VectorXd> /*by_rate*/) const {}

  virtual void add_breakpoints(std::vector<double>& /*times*/) const {}
  /// Quantities whose change of sign is a corner.
  virtual int n_switches() const { return 0; }
  virtual void switches(const ForceReading&, double* /*values*/) const {}
};

}  // namespace lithe
