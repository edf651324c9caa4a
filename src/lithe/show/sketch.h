// show/ — pictures of arms and results. Takes an `Arm` and where it is; gives text (SVG) to write to a file. Computes
// no mechanics beyond placing links.
#pragma once

#include <string>
#include <vector>

#include "lithe/arm/arm.h"
#include "lithe/arm/state.h"
#include "lithe/show/scene_surface.h"

namespace lithe {

/// The viewpoint, the size, and whether names are shown.
struct SketchOptions {
  int width = 900, height = 640;  // pixels
  double azimuth_deg = 35, elevation_deg = 22;
  bool labels = true;
};

/// A drawing of the arm as SVG: links, joints with their axes, panels of lifting surfaces, tip frame, ground, a scale bar. The last state is drawn
/// in full, earlier ones as ghosts. Vertical on the page is against gravity (z where there is none).
std::string sketch(const Arm& arm, const std::vector<State>& states, const SketchOptions& options = {},
                   const std::vector<SceneSurface>& surfaces = {});

}  // namespace lithe
