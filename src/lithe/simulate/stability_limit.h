#pragma once

#include "lithe/spatial/spatial.h"

namespace lithe {

class System;

/// The longest step for which the classical Runge–Kutta method is stable on a system, from its fastest frequency or decay: h|λ| ≤ 2.4. Along
/// the imaginary axis the method is stable up to 2.83, along the negative real axis up to 2.78.
///
/// |λ| follows from power iteration on differences of the rates, about the state at which it is asked for: some twenty evaluations at first,
/// then a few every so many steps, from the direction that was fastest before. Allocates nothing after the first call.
class StabilityLimit {
 public:
  explicit StabilityLimit(System& system) : system_(system) {}

  double step(double t, const double* y);
  /// |λ| at a state, by the long iteration.
  double fastest_rate(double t, const double* y) {
    forget();
    step(t, y);
    return omega_;
  }
  /// After a jump of forces or state.
  void forget() { asked_ = 0; }

 private:
  static constexpr double reach = 2.4;
  static constexpr int at_first = 20, later = 2, every = 25;

  double fastest(double t, const double* y, int iterations);

  System& system_;
  VectorXd direction_, f0_, f1_, moved_;
  double omega_ = 0, t_ = 0;
  int asked_ = 0;  // since the last estimate; 0: none yet
};

}  // namespace lithe
