#pragma once

#include "lithe/aero/lattice.h"

namespace lithe::aero {

/// Beyond this incidence of a section the flow does not stay attached, as the lattice assumes: sections stall at 10° to 16°, thin
/// plates with sharp edges earlier. [Burton et al.] Wind Energy Handbook, §A3.6; [McCullough & Gault 1951] NACA TN 2502.
inline constexpr double attached_flow = 0.2094395102393195;  // 12°

/// The largest incidence of a surface's strips, rad: that at which a section in plane flow has the strip's circulation,
///
///   Γ = π c V sin α                                                                                                     (1)
///
/// which includes the wind, the strip's motion and all that is induced, such as downwash. V is the speed of the air past the
/// strip. If the air comes from behind, the angle between it and the chord, which exceeds a right angle.
double largest_incidence(const Lattice& lattice, int surface, const Points& corners, const Points& velocities,
                         const Eigen::Ref<const VectorXd>& circulation, const Vector3d& wind);

}  // namespace lithe::aero
