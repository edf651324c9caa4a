#include "lithe/dynamics/steady_state.h"

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "lithe/arm/constraint.h"
#include "lithe/dynamics/derivatives/inverse_derivatives.h"
#include "lithe/spatial/demand.h"

namespace lithe {
namespace {

class Steadiness {
 public:
  Steadiness(const Arm& arm, const State& start, const std::vector<bool>& held, const OuterForces& outer)
      : arm_(arm), outer_(outer), slopes_(arm), still_(VectorXd::Zero(arm.nv())), state_(start), rates_(start.v) {
    for (const Link& link : arm.links()) {
      for (int k = 0; k < link.nv(); ++k)
        if (!held[size_t(link.v0 + k)]) free(link.q0 + k, link.v0 + k);
      for (int k = 0; k < link.n_flex(); ++k)
        if (!held[size_t(link.flex_v0() + k)]) free(link.flex_q0() + k, link.flex_v0() + k);
    }
  }

  const State& state() const { return state_; }
  int iterations() const { return iterations_; }
  const VectorXd& force() const { return force_; }

  /// Newton's steps, none of which moves a coordinate by more than half a unit, at this part of the rates. False, and back, where they
  /// do not converge.
  bool solve(double part) {
    const State before = state_;
    state_.v = part * rates_;
    update();
    for (int k = 0; k < 60 && !columns_.empty(); ++k) {
      const MatrixXd stiffness = stiffness_(columns_, columns_);
      VectorXd step = stiffness.partialPivLu().solve(VectorXd(force_(columns_)));
      const double largest = step.cwiseAbs().maxCoeff();
      if (!std::isfinite(largest)) break;
      if (largest > 0.5) step *= 0.5 / largest;
      double bent = 0;
      for (size_t i = 0; i < columns_.size(); ++i) {
        state_.q[places_[i]] -= step[Eigen::Index(i)];
        bent = std::max(bent, std::abs(state_.q[places_[i]]));
      }
      update();
      ++iterations_;
      if (largest <= 1e-12 * std::max(bent, 1e-3)) return true;
    }
    if (columns_.empty()) return true;
    state_ = before;
    return false;
  }
  void straighten() {
    for (const int place : places_) state_.q[place] = 0;
  }

 private:
  void free(int q, int v) {
    places_.push_back(q);
    columns_.push_back(v);
    rates_[v] = 0;
  }
  void update() {
    slopes_.update(state_, still_);
    force_ = slopes_.force();
    stiffness_ = slopes_.by_position();
    if (!outer_.add) return;
    const SmallMotion motion = small_motion(arm_, state_);
    VectorXd load = VectorXd::Zero(arm_.nv());
    outer_.add(motion, load);
    force_ -= load;
    Triplets entries;
    if (outer_.add_stiffness) outer_.add_stiffness(motion, entries);
    stiffness_ += MatrixXd(assembled(arm_.nv(), entries));
  }

  const Arm& arm_;
  const OuterForces& outer_;
  InverseDerivatives slopes_;
  VectorXd still_;
  State state_;
  VectorXd rates_, force_;
  MatrixXd stiffness_;
  std::vector<int> places_, columns_;
  int iterations_ = 0;
};

}  // namespace

Equilibrium find_steady_state(const Arm& arm, const State& start, const std::vector<bool>& held,
                              const OuterForces& outer) {
  LITHE_DEMAND_EQUAL(int(held.size()), arm.nv());
  refuse_constraints(arm, "steady states");
  Steadiness steady(arm, start, held, outer);
  Equilibrium result;
  if (!steady.solve(1)) {
    steady.straighten();
    result.load_steps = 0;
    double done = 0, step = 0.25;
    for (bool moves = false; done < 1; ++result.load_steps) {
      const double part = moves ? std::min(1.0, done + step) : 0;  // at rest first
      if (steady.solve(part)) {
        done = part;
        moves = true;
        step = std::min(2 * step, 0.25);
      } else if (!moves || (step /= 2) < 1e-4) {
        throw EquilibriumError(
            fmt::format("no steady state was found beyond {:.4g} % of the rates: the links would not stay as they are",
                        100 * done));
      }
    }
  }
  result.state = steady.state();
  result.force = steady.force();
  result.iterations = steady.iterations();
  for (int k = 0; k < arm.nv(); ++k)
    if (!held[size_t(k)]) {
      result.residual = std::max(result.residual, std::abs(result.force[k]));
      result.force[k] = 0;
    }
  return result;
}

}  // namespace lithe
