#pragma once

#include <string>
#include <vector>

#include "lithe/dynamics/internal_forces.h"

namespace lithe {

/// How far the links of an arm are from what small deflections hold (docs/warnings.md): tips that turn too far, and axial forces
/// (by spin or weight) that would change the bending stiffness. The shapes leave the latter out, because their field is linear.
///
/// A link with its load on it: the modes that an axial force acts on are those of the link clamped at its root with everything
/// that it carries on its tip. Measuring allocates nothing.
class DeflectionLimits {
 public:
  explicit DeflectionLimits(const Arm& arm);

  int size() const { return int(links_.size()); }  // links that bend

  /// By how much the tip of the k-th of them is turned [rad].
  double tip_rotation(int k, const State& state) const;

  /// By what part of itself axial forces would raise its bending stiffness (below zero: lower it), of the mode for which that is
  /// most: Σ N θ² Δx of the mode's slopes θ against its elastic energy. At −1 it buckles.
  double stiffening(int k, const InternalForces& forces) const;

  static constexpr double largest_tip_rotation = 0.2;  // [rad] beyond it cos θ errs by 2 %
  /// As much as a bare cantilever gains when it spins at a quarter of its lowest natural frequency.
  static constexpr double largest_stiffening = 0.075;

  /// What to tell; `when` is empty or ` at t = 1.2 s`.
  std::string rotation_text(int k, double rotation, const std::string& when) const;
  std::string stiffening_text(int k, double stiffening, const std::string& when) const;

  /// Every limit that an arm at rest exceeds.
  std::vector<std::string> exceeded(const State& state, const InternalForces& forces) const;

 private:
  struct Watched {
    std::string name;
    int i_link;
    // Per mode and station: what a unit of tension there adds to the elastic energy of the mode, over that energy.
    MatrixXd gain;
  };
  Arm arm_;
  std::vector<Watched> links_;
};

}  // namespace lithe
