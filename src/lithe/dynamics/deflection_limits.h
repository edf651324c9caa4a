#pragma once

#include <string>
#include <vector>

#include "lithe/dynamics/internal_forces.h"

namespace lithe {

/// How far the links of an arm are from the limits of small deflections (docs/warnings.md): tips that turn too far, and axial forces
/// (from spin or weight) that would change the bending stiffness. The shapes neglect the latter, because their field is linear.
///
/// Exact links have others (ExactLimits).
///
/// A link with its load on it: the modes that an axial force acts on are those of the link clamped at its root with everything
/// that it carries on its tip. Measuring allocates nothing.
class DeflectionLimits {
 public:
  explicit DeflectionLimits(const Arm& arm);

  int size() const { return int(links_.size()); }  // links that bend

  /// The rotation of the tip of the k-th of them [rad].
  double tip_rotation(int k, const State& state) const;

  /// The relative change of its bending stiffness by axial forces (negative: softer), for the mode for which it is
  /// largest: Σ N θ² Δx of the mode's slopes θ against its elastic energy. At −1 it buckles.
  double stiffening(int k, const InternalForces& forces) const;

  static constexpr double largest_tip_rotation = 0.2;  // [rad] beyond it cos θ errs by 2 %
  /// The increase for a bare cantilever that spins at a quarter of its lowest natural frequency.
  static constexpr double largest_stiffening = 0.075;

  /// The text of a warning, with the line of a case that would mend it; `when` is empty or ` at t = 1.2 s`. Which line helps against
  /// axial forces depends on how far the tip turned as well.
  std::string rotation_text(int k, double rotation, const std::string& when) const;
  std::string stiffening_text(int k, double stiffening, double rotation, const std::string& when) const;

  /// Every limit that an arm at rest exceeds.
  std::vector<std::string> exceeded(const State& state, const InternalForces& forces) const;

 private:
  std::string exact_line(int k, double rotation) const;

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
