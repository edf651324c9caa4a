#pragma once

namespace extension {

/// Of the rail y = bend·x².
inline constexpr double bend = 0.8;

/// Makes `type: rail` known to case files: a cart that runs along a parabola in the plane z = 0 of the joint's frame, x along the
/// rail. Its coordinate is how far it is along the frame's x axis.
void add_rail();

}  // namespace extension
