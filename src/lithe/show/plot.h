#pragma once

#include <span>
#include <string>
#include <vector>

namespace lithe {

/// A curve: its name, unit and numbers.
struct PlotSeries {
  std::string name, unit;
  std::vector<double> values;
  // Where runs are compared:
  std::string panel = {};      // label of the panel that series with the same label share, instead of by unit
  std::vector<double> x = {};  // instead of the common x
  int colour = -1;             // the same for all curves of a run; −1: its place in the list
  enum class Mark { line, measured, peaks } mark = Mark::line;  // peaks: circles without a line
  std::vector<std::string> labels = {};                         // of peaks, one each; may be empty
};

enum class PlotFormat { svg, png, pdf };

/// The size and format of a figure.
struct PlotOptions {
  std::string title;
  PlotFormat format = PlotFormat::svg;
  int width = 0, height = 0;  // pixels (of 1/96 inch in PDF); 0: chosen automatically
  bool logarithmic_x = false, logarithmic_y = false;
};

/// A script for gnuplot that draws `y` over `x` and prints the figure on standard output. It contains the data. Series of
/// one unit share a panel; panels are stacked in the order in which their units first appear and share the x axis.
/// Values that are not finite leave gaps. A long series over an increasing x is reduced to what can be seen: the first, last,
/// smallest and largest value of each of a thousand slices. A series without a name is not in the legend. Measured values are grey
/// points, whatever their colour. A logarithmic y reaches down to a millionth of the largest value. Every series must have a finite value, and as many values as x.
std::string plot_script(const PlotSeries& x, std::span<const PlotSeries> y, const PlotOptions& options);

/// Text for gnuplot between single quotes, with the signs of its markup taken literally.
std::string gnuplot_text(const std::string& text);

/// The line that chooses gnuplot's output for a figure laid out for `width / scale` pixels.
std::string gnuplot_terminal(PlotFormat format, double width, double height, double scale);

}  // namespace lithe
