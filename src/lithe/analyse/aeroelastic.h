#pragma once

#include <optional>

#include "lithe/analyse/modes.h"
#include "lithe/describe/case.h"

namespace lithe {

/// Of air at 15 °C, m/s. The lattice's air is incompressible: results at higher speeds have no meaning and are not searched for.
inline constexpr double speed_of_sound = 340.3;

/// Options of aeroelastic_stability. A plain value.
struct AeroelasticOptions {
  ModesOptions modes{.joints = JointCondition::locked, .count = 8};  // flutter is sought among these
  double slowest = 0, fastest = 0;                                   // of the sweep, m/s
  int n_speeds = 60;
};

/// How one mode changes with the wind speed.
struct FlutterBranch {
  std::string description;                    // of the mode in still air
  std::vector<double> frequency_hz, damping;  // per speed; damping ratio −Re s/|s|; negative where the mode grows
};

/// Result of aeroelastic_stability: the speed of divergence, how modes change with the wind, and the speed of flutter. A plain value.
struct AeroelasticResult {
  /// The wind at which the surfaces' twist grows without bound, whatever its inertia: K x = (V/V₀)² Q x has a solution. None if no wind
  /// slower than sound does that.
  std::optional<double> divergence_speed;
  VectorXd divergence_shape;  // nv, largest entry one

  std::vector<double> speeds;
  std::vector<FlutterBranch> branches;
  /// A self-sustained oscillation.
  struct Flutter {
    double speed = 0, frequency_hz = 0;
    std::string mode;
  };
  std::optional<Flutter> flutter;  // the lowest speed in the sweep at which an oscillation sustains itself
};

/// Stability of an arm with lifting surfaces in the wind: small motion about `state`, at rest and undeformed, the surfaces flat along the wind
/// (its incidence and speed play no part), air by the linearised vortex lattice.
///
/// Divergence from the steady stiffness of the air. Flutter by the p-k method: for each mode
///   s² + s (D − Im Q(ω)/ω) + Λ − Re Q(ω) = 0,   ω = Im s                                                       (1)
/// with Q the forces of the air on the modes that oscillate with ω, exact where a mode neither grows nor decays. Q depends on speed
/// and frequency by ρV² and ω/V alone, so one lattice serves the sweep. Throws FieldError if the surfaces do not lie along the
/// wind, if it does not come over their leading edges, if nothing can move, or if nothing holds what can move.
AeroelasticResult aeroelastic_stability(const Case& data, const Arm& arm, const State& state,
                                        const AeroelasticOptions& options);

}  // namespace lithe
