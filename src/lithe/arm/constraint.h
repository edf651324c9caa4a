#pragma once

#include <string>
#include <vector>

#include "lithe/arm/kinematics.h"

namespace lithe {

/// What a constraint may read at one time.
struct ConstraintReading {
  const State& state;
  const Kinematics& kinematics;  // at that state; only for constraints that need it
};

/// A condition on the rates of an arm that its coordinates do not express: wheels that roll without slipping, a gear between two
/// joints, a closed loop. It has one or more rows,
///
///   a(q) v = 0,
///
/// and is enforced by forces aᵀλ that do no work. `ConstrainedDynamics` (dynamics/constrained_dynamics.h) finds λ by any formulation;
/// a formulation alone rejects an arm that has constraints.
///
/// Immutable, and shared by threads. Evaluations allocate nothing.
class Constraint {
 public:
  virtual ~Constraint() = default;

  /// Subject and verb of messages about it: "wheels that do not slip constrain".
  virtual std::string what_binds() const = 0;
  /// The field of the case that asks for it; empty for one that code adds.
  virtual std::string path() const { return ""; }

  /// What each λ is called in results, and its unit: {"base.side_force", "N"}. As many as there are rows.
  struct Reaction {
    std::string name, unit;
  };
  virtual const std::vector<Reaction>& reactions() const = 0;
  int n_rows() const { return int(reactions().size()); }

  virtual bool needs_kinematics() const { return false; }
  /// Fills a(q), n_rows × nv, which comes zeroed.
  virtual void fill_rows(const ConstraintReading& now, Eigen::Ref<MatrixXd> a) const = 0;
  /// Fills ȧ v, n_rows: the rate of a v that remains with v̇ = 0.
  virtual void fill_rate(const ConstraintReading& now, Eigen::Ref<VectorXd> adot_v) const = 0;

  /// Whether it also binds positions, as a closed loop does: then `fill_gap` gives g(q), n_rows, with ġ = a v and g = 0 if it
  /// is satisfied. Runs remove the gap wherever they stop.
  virtual bool binds_positions() const { return false; }
  virtual void fill_gap(const ConstraintReading&, Eigen::Ref<VectorXd> /*gap*/) const {}

  /// Adds what it does to the tip frames of links, [moment; force] at T's origin in world axes, so that the forces inside links
  /// include it. Nothing for a constraint that acts along joints, or on the base.
  virtual void add_wrenches(const ConstraintReading&, const double* /*lambda*/,
                            std::vector<Vector6d>& /*on_tips*/) const {}

  /// The message for a state whose rates violate it, by `slip` = a v in one row: "the base moves sideways over its wheels, by 0.1
  /// m/s".
  virtual std::string broken(double slip) const;
};

/// Rows of all constraints of an arm.
int n_constraint_rows(const Arm& arm);

}  // namespace lithe
