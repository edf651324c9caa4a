#pragma once

#include <string>
#include <vector>

#include "lithe/arm/arm.h"
#include "lithe/arm/state.h"
#include "lithe/show/plot.h"

namespace lithe {

/// One shape to draw: how the coordinates move, and its heading.
struct DrawnShape {
  VectorXd shape;  // nv
  std::string title, subtitle;
};

/// A gnuplot script for small multiples of the arm's centre line at a state (grey) and moved along each shape (coloured), in
/// the coordinate plane of the world in which it moves most. Motions are drawn to first order, the largest one an eighth of
/// the arm's size. Cross bars show how sections turn, which is the only way to see pure twist.
std::string mode_figure_script(const Arm& arm, const State& state, const std::vector<DrawnShape>& shapes,
                               PlotFormat format);

}  // namespace lithe
