#pragma once

#include "lithe/aero/lattice.h"
#include "lithe/aero/wind.h"

namespace lithe::aero {

/// Beyond this incidence of a section the flow does not stay attached, as the lattice assumes: sections stall at 10° to 16°, thin
/// plates with sharp edges earlier. [Burton et al.] Wind Energy Handbook, §A3.6; [McCullough & Gault 1951] NACA TN 2502.
inline constexpr double attached_flow = 0.2094395102393195;  // 12°

/// What a strip of a surface sees of the air.
struct StripFlow {
  double sine = 0;    // Γ/(π c V): above 1 where the strip carries more than a section in plane flow ever does
  bool front = true;  // whether the air comes over the leading edge
  double angle = 0;   // rad
};

/// The incidence of strip j of a surface: that at which a section in plane flow has the strip's circulation,
///
///   Γ = π c V sin α                                                                                                     (1)
///
/// so what it sees of the wind, of its own motion and of all that is induced, downwash included. V is that of the air past the
/// strip at three quarters of its chord. Where the air comes from behind, the angle between it and the chord, more than a right one.
StripFlow strip_flow(const Lattice& lattice, int surface, int j, const Points& corners, const Points& velocities,
                     const Eigen::Ref<const VectorXd>& circulation, const Wind& wind, double t);

/// The largest incidence of a surface's strips, rad.
double largest_incidence(const Lattice& lattice, int surface, const Points& corners, const Points& velocities,
                         const Eigen::Ref<const VectorXd>& circulation, const Wind& wind, double t);

}  // namespace lithe::aero
