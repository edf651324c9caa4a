#pragma once

#include <optional>
#include <type_traits>

#include "lithe/describe/case.h"
#include "lithe/spatial/spatial.h"

namespace lithe {

/// How the forces of a joint change with its position and rate.
struct JointSlopes {
  double elastic_by_position = 0;
  double dissipative_by_position = 0, dissipative_by_rate = 0;
};

/// What one coordinate of a joint does by itself: spring and soft stop (elastic), viscous damping and smoothed Coulomb friction
/// (dissipative). Forces are on the left of M z̈ + h = τ: positive ones resist.
struct JointForces {
  double damping = 0;  // viscous, the motor's reflected damping included
  std::optional<Friction> friction;
  std::optional<Spring> spring;
  std::optional<Limits> limits;

  bool any() const { return damping != 0 || friction || spring || (limits && limits->stiffness > 0); }

  /// Spring and stop: −force = ∂V/∂q, without the stop's damping.
  double elastic(double q) const { return elastic<double>(q); }
  /// Damping, friction and the damping of the stop. Its power with `rate` is never negative.
  double dissipative(double q, double rate) const { return dissipative<double>(q, rate); }
  /// The same for S = double or `Counted`.
  template <class S>
  S elastic(const std::type_identity_t<S>& q) const;
  template <class S>
  S dissipative(const std::type_identity_t<S>& q, const std::type_identity_t<S>& rate) const;
  /// Slopes of the two. At rest, where friction or the damping of a stop changes sign, the mean of both directions.
  JointSlopes slopes(double q, double rate) const;
  /// Energy stored in spring and stop.
  double energy(double q) const;
};

class Arm;
struct State;

/// Adds the passive forces of joints, transmissions and flexible links to h: their elastic part, their dissipative part. Beams
/// in guides are omitted, here and in the energy: their stiffness changes (dynamics/finite_element/sliding_beam.h).
void add_passive_forces(const Arm& arm, const State& state, bool elastic, bool dissipative, Eigen::Ref<VectorXd> h);
/// The same for S = double or `Counted`.
template <class S>
void add_passive_forces(const Arm& arm, const Eigen::Ref<const Eigen::VectorX<S>>& q,
                        const Eigen::Ref<const Eigen::VectorX<S>>& v, bool elastic, bool dissipative,
                        Eigen::Ref<Eigen::VectorX<S>> h);

/// Adds the slopes of the passive forces of joints and transmissions, and of modal damping, nv × nv. Those of flexible links are constants
/// of their FlexBasis and are not included.
void add_joint_slopes(const Arm& arm, const State& state, Eigen::Ref<MatrixXd> by_position,
                      Eigen::Ref<MatrixXd> by_rate);

/// Energy stored in joint springs, soft stops, transmissions and bent links.
double elastic_energy(const Arm& arm, const State& state);

/// Whether any joint, transmission or link has passive forces.
bool has_passive_forces(const Arm& arm);

}  // namespace lithe
