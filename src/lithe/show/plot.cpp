#include "lithe/show/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

#include "lithe/spatial/demand.h"
#include "lithe/spatial/whole_number.h"

namespace lithe {
namespace {

// Okabe and Ito's colours, which can be distinguished with any kind of colour vision [Okabe, Ito 2008]; their yellow is too pale for
// lines on white. When all are used, they repeat dashed.
constexpr const char* palette[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"};
constexpr int n_colours = int(std::size(palette));

// The figure is laid out for this width in pixels and scaled to the one asked for.
constexpr double design_width = 800;
constexpr double font_size = 14, letter_width = 8, line_height = 22;
constexpr double left = 96, right = 24, below = 64, above = 16, gap = 18;

/// `N.m/s^2` as one sets it in print: a raised dot, raised exponents.
std::string printed_unit(const std::string& unit) {
  std::string text;
  for (size_t i = 0; i < unit.size(); ++i) {
    if (unit[i] == '.') {
      text += "·";
    } else if (unit[i] == '^') {
      const size_t end = std::min(unit.find_first_not_of("+-0123456789", i + 1), unit.size());
      text += "^{" + unit.substr(i + 1, end - i - 1) + "}";
      i = end - 1;
    } else {
      text += gnuplot_text(unit.substr(i, 1));
    }
  }
  return text;
}

/// `name [unit]`, with the power of ten by which the numbers along the axis are divided.
std::string label(const std::string& name, const std::string& unit, int power) {
  std::string within = printed_unit(unit);
  if (power != 0)
    within = fmt::format("10^{{{}{}}}{}{}", power < 0 ? "−" : "", std::abs(power), unit.empty() ? "" : " ", within);
  if (within.empty()) return gnuplot_text(name);
  return gnuplot_text(name) + (name.empty() ? "[" : " [") + within + "]";
}

/// How an axis is marked: from one round number to another, in numbers of few digits.
struct Axis {
  double low = 0, high = 1, step = 1;  // divided by 10^power
  int power = 0;
};

void widen(std::pair<double, double>& range, const std::vector<double>& values) {
  for (const double value : values)
    if (std::isfinite(value)) range = {std::min(range.first, value), std::max(range.second, value)};
}

/// About `n_steps` steps of 1, 2 or 5 around the range, with a little air: a curve should not run along the frame.
Axis axis(std::pair<double, double> range, double n_steps) {
  auto [low, high] = range;
  if (!(low <= high)) low = high = 0;
  const double size = std::max(std::abs(low), std::abs(high));
  // Hardly more than rounding: shown as the constant it is.
  if (high - low <= 1e-12 * size) low -= size > 0 ? 0.1 * size : 1, high += size > 0 ? 0.1 * size : 1;
  Axis marks;
  if (size > 0 && (size < 0.02 || size >= 1e5))
    marks.power = 3 * clamped_whole(std::floor(std::log10(size) / 3), -200, 200);
  const double unit = std::pow(10.0, marks.power);
  low /= unit, high /= unit;
  const double rough = (high - low) / n_steps, decade = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double nice : {1.0, 2.0, 5.0, 10.0}) {
    marks.step = nice * decade;
    if (marks.step >= 0.999 * rough) break;
  }
  // The air stops at zero, and the frame at half a step.
  const double air = 0.02 * (high - low), half = marks.step / 2;
  marks.low = std::floor((low >= 0 ? std::max(0.0, low - air) : low - air) / half) * half;
  marks.high = std::ceil((high <= 0 ? std::min(0.0, high + air) : high + air) / half) * half;
  return marks;
}

/// From one power of ten to another, over six of them at most.
Axis decades(std::pair<double, double> range) {
  const double high = range.second > 0 ? std::ceil(std::log10(range.second)) : 0;
  const double low = range.first > 0 ? std::floor(std::log10(range.first)) : -300;
  Axis marks;
  marks.high = std::pow(10.0, high);
  marks.low = std::pow(10.0, std::clamp(low, high - 6, high - 1));
  return marks;
}

struct Panel {
  std::string unit, name;  // the name where its series give one
  std::vector<int> series;
};

/// What the series of a panel have in common: `tip` of tip.x and tip.y, `rate` of shoulder.rate and elbow.rate, else
/// what their unit measures.
std::string common_name(std::span<const PlotSeries> y, const Panel& panel) {
  auto shared = [&](auto&& part) {
    const std::string first = part(y[panel.series[0]].name);
    for (const int i : panel.series)
      if (part(y[i].name) != first) return std::string();
    return first;
  };
  if (!panel.name.empty()) return panel.name;
  if (panel.series.size() == 1) return y[panel.series[0]].name;
  const std::string head = shared([](const std::string& name) { return name.substr(0, name.find('.')); });
  if (!head.empty()) return head;
  const std::string tail = shared([](const std::string& name) {
    const size_t dot = name.rfind('.');
    return dot == std::string::npos ? std::string() : name.substr(dot + 1);
  });
  // A number alone is that of a mode and not informative.
  if (!tail.empty() && tail.find_first_not_of("0123456789") != std::string::npos) return tail;
  const std::pair<const char*, const char*> quantities[] = {{"rad", "angle"}, {"rad/s", "rate"}, {"m", "length"},
                                                            {"m/s", "speed"}, {"N.m", "torque"}, {"N", "force"},
                                                            {"J", "energy"},  {"W", "power"}};
  for (const auto& [unit, quantity] : quantities)
    if (panel.unit == unit) return quantity;
  return "";
}

/// How gnuplot draws a series.
std::string look_of(const PlotSeries& series, int colour) {
  switch (series.mark) {
    case PlotSeries::Mark::line:
      return fmt::format("lines linewidth 1.8 linecolor rgb '{}' dashtype {}", palette[colour % n_colours],
                         1 + (series.colour < 0 ? colour / n_colours : colour) % 4);
    case PlotSeries::Mark::measured:
      return "linespoints linewidth 0.7 pointtype 7 pointsize 0.5 linecolor rgb '#505050'";
    case PlotSeries::Mark::peaks:
      return fmt::format("points linewidth 1.5 pointtype 6 pointsize 0.9 linecolor rgb '{}'",
                         palette[colour % n_colours]);
  }
  return "";
}

/// Which of the points to draw.
std::vector<size_t> thinned(const std::vector<double>& x, const std::vector<double>& y) {
  constexpr size_t n_slices = 1000;
  const size_t n = x.size();
  std::vector<size_t> kept;
  if (n <= 4 * n_slices || !std::is_sorted(x.begin(), x.end())) {
    for (size_t i = 0; i < n; ++i) kept.push_back(i);
    return kept;
  }
  for (size_t slice = 0; slice < n_slices; ++slice) {
    const size_t begin = slice * n / n_slices, end = (slice + 1) * n / n_slices;
    size_t least = begin, greatest = begin, gap_at = end;
    for (size_t i = begin; i < end; ++i) {
      if (!std::isfinite(y[i])) gap_at = i;
      if (!(y[least] <= y[i]) && std::isfinite(y[i])) least = i;
      if (!(y[greatest] >= y[i]) && std::isfinite(y[i])) greatest = i;
    }
    std::vector<size_t> here{begin, least, greatest, end - 1};
    if (gap_at < end) here.push_back(gap_at);
    std::sort(here.begin(), here.end());
    here.erase(std::unique(here.begin(), here.end()), here.end());
    kept.insert(kept.end(), here.begin(), here.end());
  }
  return kept;
}

std::string number(double value) { return std::isfinite(value) ? fmt::format("{}", value) : "NaN"; }

}  // namespace

std::string gnuplot_text(const std::string& text) {
  std::string quoted;
  for (const char c : text) {
    if (std::string("_^{}@&~\\").find(c) != std::string::npos) quoted += '\\';
    if (c == '\'') quoted += '\'';
    quoted += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return quoted;
}

std::string gnuplot_terminal(PlotFormat format, double width, double height, double scale) {
  // Cairo's font sizes are points of 1/72 inch where a pixel is 1/96 inch.
  switch (format) {
    case PlotFormat::svg:
      return fmt::format(
          "set terminal svg size {:.0f},{:.0f} enhanced font 'sans-serif,{:.4g}' linewidth {:.4g} background "
          "'#ffffff'\n",
          width, height, font_size * scale, scale);
    case PlotFormat::png:
      return fmt::format(
          "set terminal pngcairo size {:.0f},{:.0f} enhanced font 'sans-serif,{:.4g}' linewidth {:.4g}\n", width,
          height, 0.75 * font_size * scale, scale);
    case PlotFormat::pdf:
      return fmt::format(
          "set terminal pdfcairo size {:.6g}in,{:.6g}in enhanced font 'sans-serif,{:.4g}' linewidth {:.4g}\n",
          width / 96, height / 96, 0.75 * font_size * scale, scale);
  }
  return "";
}

std::string plot_script(const PlotSeries& x, std::span<const PlotSeries> y, const PlotOptions& options) {
  LITHE_DEMAND(!y.empty());
  auto x_of = [&](const PlotSeries& series) -> const std::vector<double>& {
    return series.x.empty() ? x.values : series.x;
  };
  std::vector<Panel> panels;
  for (size_t i = 0; i < y.size(); ++i) {
    LITHE_DEMAND_EQUAL(y[i].values.size(), x_of(y[i]).size());
    auto panel = std::find_if(panels.begin(), panels.end(),
                              [&](const Panel& p) { return p.unit == y[i].unit && p.name == y[i].panel; });
    if (panel == panels.end()) panel = panels.insert(panels.end(), Panel{y[i].unit, y[i].panel, {}});
    panel->series.push_back(int(i));
  }

  // Where runs are compared, one legend says which is which for all panels that have no others.
  std::set<std::string> explained;
  std::vector<bool> with_legend;
  for (const Panel& panel : panels) {
    size_t n_named = 0;
    bool is_new = false;
    for (const int i : panel.series) {
      n_named += !y[i].name.empty();
      is_new |= !y[i].name.empty() && explained.insert(y[i].name).second;
    }
    with_legend.push_back(n_named > 1 && (is_new || panel.name.empty()));
  }
  auto has_legend = [&](size_t p) { return bool(with_legend[p]); };
  // Heights, in pixels of the design: a legend above each panel that needs one, then the panels share what is left.
  std::vector<double> legend(panels.size(), 0);
  std::vector<int> n_columns(panels.size(), 1);
  double legends = 0;
  for (size_t p = 0; p < panels.size(); ++p) {
    const int n = int(panels[p].series.size());
    size_t longest = 0;
    for (const int i : panels[p].series) longest = std::max(longest, y[i].name.size());
    n_columns[p] =
        std::clamp(int((design_width - left - right) / (letter_width * double(longest) + 56)), 1, std::max(n, 1));
    if (has_legend(p)) legend[p] = line_height * ((n + n_columns[p] - 1) / n_columns[p]);
    legends += legend[p];
  }
  const double n_panels = double(panels.size()), heading = options.title.empty() ? 0 : 34;
  const double around = above + heading + below + legends + gap * (n_panels - 1);
  const double usual_height = around + (panels.size() == 1 ? 360 : std::max(130.0, 250 - 20 * n_panels) * n_panels);
  const double usual_scale = options.format == PlotFormat::png ? 2 : 1;
  const double width = options.width > 0 ? options.width : design_width * usual_scale, scale = width / design_width;
  const double height = options.height > 0 ? options.height : std::round(usual_height * scale);
  const double design_height = height / scale;
  const double panel_height = std::max(20.0, (design_height - around) / n_panels);

  // The data, one block per series.
  std::string script = "set encoding utf8\n";
  auto out = std::back_inserter(script);
  std::pair<double, double> x_range{INFINITY, -INFINITY};
  widen(x_range, x.values);
  bool rising = std::is_sorted(x.values.begin(), x.values.end());
  for (const PlotSeries& series : y) {
    widen(x_range, series.x);
    rising &= std::is_sorted(series.x.begin(), series.x.end());
  }
  Axis x_axis = axis(x_range, 7);
  if (options.logarithmic_x) x_axis.power = 0;
  const double x_unit = std::pow(10.0, x_axis.power);
  // Over time the curves fill the frame.
  if (x_range.first < x_range.second && rising)
    x_axis.low = x_range.first / x_unit, x_axis.high = x_range.second / x_unit;
  for (size_t i = 0; i < y.size(); ++i) {
    fmt::format_to(out, "$series{} << END\n", i);
    const std::vector<double>& own_x = x_of(y[i]);
    for (const size_t k : thinned(own_x, y[i].values))
      fmt::format_to(out, "{} {}\n", number(own_x[k]), number(y[i].values[k]));
    script += "END\n";
  }

  // The look.
  script += gnuplot_terminal(options.format, width, height, scale);
  script +=
      "set border 3 linecolor rgb '#404040' linewidth 1\n"
      "set tics out nomirror scale 0.5 textcolor rgb '#202020'\n"
      "set grid linetype 1 linecolor rgb '#e4e4e4' linewidth 0.8\n"
      "set xzeroaxis linetype 1 linecolor rgb '#b0b0b0' linewidth 0.8\n"
      "set format '%h'\n"
      "set minussign\n";
  const double tic_offset = options.format == PlotFormat::svg ? 0.35 : 0;
  fmt::format_to(out, "set xrange [{}:{}]\n", x_axis.low, x_axis.high);
  if (options.logarithmic_x)
    fmt::format_to(out, "set logscale x\nset mxtics 10\nset grid mxtics\nset xtics offset 0,{}\n", tic_offset);
  else
    fmt::format_to(out, "set xtics {} offset 0,{}\n", x_axis.step, tic_offset);
  fmt::format_to(out, "set lmargin at screen {:.6f}\nset rmargin at screen {:.6f}\nset multiplot\n",
                 left / design_width, 1 - right / design_width);

  double top = above + heading;
  for (size_t p = 0; p < panels.size(); ++p) {
    const Panel& panel = panels[p];
    top += legend[p];
    const double bottom = top + panel_height;
    std::pair<double, double> range{INFINITY, -INFINITY};
    for (const int i : panel.series) widen(range, y[i].values);
    const Axis y_axis =
        options.logarithmic_y ? decades(range) : axis(range, std::clamp(std::round(panel_height / 38), 2.0, 8.0));
    const double y_unit = std::pow(10.0, y_axis.power);
    fmt::format_to(out, "set yrange [{}:{}]\n", y_axis.low, y_axis.high);
    if (options.logarithmic_y)
      script += "set logscale y\nset ytics autofreq\nset format y '10^{%L}'\n";
    else
      fmt::format_to(out, "set ytics {}\n", y_axis.step);
    fmt::format_to(out, "set tmargin at screen {:.6f}\nset bmargin at screen {:.6f}\n", 1 - top / design_height,
                   1 - bottom / design_height);
    // Labels at a place of their own, so that those of stacked panels stand in line.
    script += "unset label\n";
    if (p == 0 && !options.title.empty())
      fmt::format_to(out, "set label '{{/:Bold=*1.15 {}}}' at screen {:.6f},{:.6f} left\n", gnuplot_text(options.title),
                     left / design_width, 1 - (above + 0.3 * heading) / design_height);
    fmt::format_to(out, "set label '{}' at screen {:.6f},{:.6f} center rotate by 90\n",
                   label(common_name(y, panel), panel.unit, y_axis.power), 20 / design_width,
                   1 - (top + bottom) / 2 / design_height);
    for (const int i : panel.series)
      for (size_t k = 0; k < y[i].labels.size(); ++k) {
        if (y[i].labels[k].empty()) continue;
        fmt::format_to(out, "set label '{{/=*0.85 {}}}' at first {},{} left offset 0.7,0.3 front\n",
                       gnuplot_text(y[i].labels[k]), x_of(y[i])[k] / x_unit, y[i].values[k] / y_unit);
      }
    const bool last = p + 1 == panels.size();
    script += last ? "set format x '%h'\n" : "set format x ''\n";
    if (last)
      fmt::format_to(out, "set label '{}' at screen {:.6f},{:.6f} center\n", label(x.name, x.unit, x_axis.power),
                     (left + design_width - right) / 2 / design_width, 18 / design_height);
    if (has_legend(p))
      fmt::format_to(out,
                     "set key at screen {:.6f},screen {:.6f} right bottom horizontal maxcols {} Left reverse "
                     "samplen 1.8 textcolor rgb '#202020'\n",
                     1 - right / design_width, 1 - (top - 4) / design_height, n_columns[p]);
    else
      script += "unset key\n";
    script += "plot ";
    for (size_t k = 0; k < panel.series.size(); ++k) {
      const int i = panel.series[k],
                colour = y[i].colour < 0 ? i : y[i].colour;  // compared runs are dashed too: they often coincide
      fmt::format_to(out, "{}$series{} using ($1/{}):($2/{}) with {} title '{}'", k == 0 ? "" : ", ", i, x_unit, y_unit,
                     look_of(y[i], colour), gnuplot_text(y[i].name));
    }
    script += "\n";
    top = bottom + gap;
  }
  return script + "unset multiplot\nunset output\n";
}

}  // namespace lithe
