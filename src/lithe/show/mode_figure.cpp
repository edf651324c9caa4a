#include "lithe/show/mode_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "lithe/arm/kinematics.h"
#include "lithe/show/bent_sections.h"
#include "lithe/spatial/demand.h"

namespace lithe {
namespace {

/// Polylines in the world: first the links, one each with the offset it stands on, then the cross bars.
struct Curves {
  std::vector<std::vector<Vector3d>> links, bars;
  std::vector<Vector3d> joints;

  template <class Visit>
  void for_each_point(Visit visit) const {
    for (const auto& line : links)
      for (const Vector3d& point : line) visit(point);
    for (const auto& line : bars)
      for (const Vector3d& point : line) visit(point);
  }
};

constexpr int n_bars = 6;  // of cross bars along a link

Curves lines_of(const Arm& arm, const State& state, double bar) {
  const Kinematics kin = kinematics_of(arm, state);
  Curves lines;
  for (int i = 0; i < arm.n_links(); ++i) {
    const Link& link = arm.link(i);
    if (link.role == LinkRole::rotor) continue;
    const Pose& X_WP = link.parent < 0 ? kin.X_WR : kin.X_WT[link.parent];
    const Pose& X_WB = kin.X_WB[i];
    std::vector<Vector3d> line{X_WP.p, X_WB.p};
    auto cross = [&](const Vector3d& at, const Matrix3d& R) {
      for (const int axis : {1, 2}) lines.bars.push_back({at - bar * R.col(axis), at + bar * R.col(axis)});
    };
    if (link.flex && link.flex->stations.x.size() > 1) {
      const Stations& stations = link.flex->stations;
      const int n = int(stations.x.size());
      const auto pass = [&](int k, const Pose& section) {
        line.push_back(section.p);
        if (k > 0 && (k * n_bars) / n != ((k - 1) * n_bars) / n) cross(section.p, section.R);
      };
      if (link.flex->exact) {
        const std::vector<Pose> sections = bent_sections(kin, i, stations.x);
        for (int k = 0; k < n; ++k) pass(k, sections[size_t(k)]);
      } else {
        const VectorXd delta = state.q.segment(link.flex_q0(), link.n_flex());
        const VectorXd u = stations.phi * delta, theta = stations.psi * delta;
        for (int k = 0; k < n; ++k)
          pass(k,
               X_WB * Pose{exp_rotation(theta.segment<3>(3 * k)), Vector3d(stations.x[k], 0, 0) + u.segment<3>(3 * k)});
      }
    } else {
      line.push_back(kin.X_WT[i].p);
    }
    if ((kin.X_WT[i].p - X_WB.p).norm() > 0) cross(kin.X_WT[i].p, kin.X_WT[i].R);
    if (link.nv() > 0 && link.role != LinkRole::segment && link.role != LinkRole::base) lines.joints.push_back(X_WB.p);
    lines.links.push_back(std::move(line));
  }
  return lines;
}

/// Moves every point of `at` by `factor` times half the way from `back` to `forth`.
Curves moved(Curves at, const Curves& back, const Curves& forth, double factor) {
  auto move = [&](std::vector<std::vector<Vector3d>>& lines, const auto& minus, const auto& plus) {
    for (size_t i = 0; i < lines.size(); ++i)
      for (size_t k = 0; k < lines[i].size(); ++k) lines[i][k] += factor / 2 * (plus[i][k] - minus[i][k]);
  };
  move(at.links, back.links, forth.links);
  move(at.bars, back.bars, forth.bars);
  for (size_t k = 0; k < at.joints.size(); ++k) at.joints[k] += factor / 2 * (forth.joints[k] - back.joints[k]);
  return at;
}

/// Axes of the world across and up the page.
struct View {
  int across = 0, up = 2;
};
constexpr View views[] = {{0, 2}, {0, 1}, {1, 2}};

/// Where most of the motion and most of the arm can be seen.
View best_view(const Curves& rest, const Curves& shape) {
  Vector3d motion = Vector3d::Zero();
  Eigen::AlignedBox3d box;
  std::vector<Vector3d> points;
  rest.for_each_point([&](const Vector3d& point) { points.push_back(point), box.extend(point); });
  size_t i = 0;
  shape.for_each_point([&](const Vector3d& point) { motion += (point - points[i++]).cwiseAbs2(); });
  const Vector3d extent = box.sizes() + Vector3d::Constant(0.02 * box.diagonal().norm());
  View best;
  double most = -1;
  for (const View& view : views) {
    const double seen = (motion[view.across] + motion[view.up]) * (extent[view.across] + extent[view.up]);
    if (seen > 1.0001 * most) most = seen, best = view;
  }
  return best;
}

void write_lines(std::string& script, const std::string& name, const std::vector<std::vector<Vector3d>>& lines,
                 const View& view) {
  auto out = std::back_inserter(script);
  fmt::format_to(out, "${} << END\n", name);
  for (const auto& line : lines) {
    for (const Vector3d& point : line) fmt::format_to(out, "{:.6g} {:.6g}\n", point[view.across], point[view.up]);
    script += "\n";
  }
  script += "END\n";
}

}  // namespace

std::string mode_figure_script(const Arm& arm, const State& state, const std::vector<DrawnShape>& shapes,
                               PlotFormat format) {
  LITHE_DEMAND(!shapes.empty());
  constexpr double panel_width = 270, panel_height = 190, heading = 44, margin = 12;
  const int n = int(shapes.size()), columns = std::min(n, 3), rows = (n + columns - 1) / columns;
  const double scale = format == PlotFormat::png ? 2 : 1, width = panel_width * columns,
               height = (panel_height + heading) * rows;
  Eigen::AlignedBox3d box;
  lines_of(arm, state, 0).for_each_point([&](const Vector3d& point) { box.extend(point); });
  const double size = std::max(box.diagonal().norm(), 1e-9), bar = 0.03 * size;
  const Curves rest = lines_of(arm, state, bar);

  std::string script = "set encoding utf8\n";
  auto out = std::back_inserter(script);
  script += gnuplot_terminal(format, width * scale, height * scale, scale);
  script += "set multiplot\nunset key\nunset tics\nunset border\n";
  for (int i = 0; i < n; ++i) {
    // First-order motion by a central difference small enough to leave no trace of its size.
    const double step = 1e-5 / std::max(shapes[i].shape.cwiseAbs().maxCoeff(), 1e-300);
    State back = state, forth = state;
    displace(arm, back.q, -step * shapes[i].shape);
    displace(arm, forth.q, step * shapes[i].shape);
    const Curves minus = lines_of(arm, back, bar), plus = lines_of(arm, forth, bar);
    const Curves unit = moved(rest, minus, plus, 1 / step);
    double largest = 0;
    std::vector<Vector3d> points;
    rest.for_each_point([&](const Vector3d& point) { points.push_back(point); });
    size_t k = 0;
    unit.for_each_point([&](const Vector3d& point) { largest = std::max(largest, (point - points[k++]).norm()); });
    const Curves shape = moved(rest, minus, plus, largest > 0 ? 0.125 * size / (largest * step) : 0);
    const View view = best_view(rest, shape);

    write_lines(script, fmt::format("rest{}", i), rest.links, view);
    write_lines(script, fmt::format("links{}", i), shape.links, view);
    write_lines(script, fmt::format("bars{}", i), shape.bars, view);
    std::vector<std::vector<Vector3d>> joints;
    for (const Vector3d& joint : shape.joints) joints.push_back({joint});
    write_lines(script, fmt::format("joints{}", i), joints, view);
    Eigen::AlignedBox2d seen;
    for (const Curves* lines : {&rest, &shape})
      lines->for_each_point(
          [&](const Vector3d& point) { seen.extend(Eigen::Vector2d(point[view.across], point[view.up])); });
    // Equal lengths along both axes: the wider need decides.
    const double left = panel_width * (i % columns), top = (panel_height + heading) * (i / columns);
    const double across = panel_width - 2 * margin, up = panel_height - 2 * margin;
    const double unit_length = std::max({seen.sizes().x() / across, seen.sizes().y() / up, 1e-12 * size}) * 1.06;
    const Eigen::Vector2d centre = seen.center();
    fmt::format_to(out, "set xrange [{:.9g}:{:.9g}]\nset yrange [{:.9g}:{:.9g}]\n",
                   centre.x() - unit_length * across / 2, centre.x() + unit_length * across / 2,
                   centre.y() - unit_length * up / 2, centre.y() + unit_length * up / 2);
    fmt::format_to(out,
                   "set lmargin at screen {:.6f}\nset rmargin at screen {:.6f}\nset tmargin at screen {:.6f}\n"
                   "set bmargin at screen {:.6f}\nunset label\n",
                   (left + margin) / width, (left + panel_width - margin) / width,
                   1 - (top + heading + margin) / height, 1 - (top + heading + panel_height - margin) / height);
    fmt::format_to(out, "set label '{{/:Bold {}}}' at screen {:.6f},{:.6f} left\n", gnuplot_text(shapes[i].title),
                   (left + margin) / width, 1 - (top + 16) / height);
    fmt::format_to(out, "set label '{{/*0.82 {}}}' at screen {:.6f},{:.6f} left textcolor rgb '#505050'\n",
                   gnuplot_text(shapes[i].subtitle), (left + margin) / width, 1 - (top + 34) / height);
    fmt::format_to(out, "set label '{{/*0.82 {}–{}}}' at screen {:.6f},{:.6f} right textcolor rgb '#808080'\n",
                   "xyz"[view.across], "xyz"[view.up], (left + panel_width - margin) / width, 1 - (top + 16) / height);
    fmt::format_to(out,
                   "plot $rest{0} with lines linewidth 1.2 linecolor rgb '#b0b0b0', $bars{0} with lines linewidth 1 "
                   "linecolor rgb '#D55E00', $links{0} with lines linewidth 2.2 linecolor rgb '#0072B2', $joints{0} "
                   "with points pointtype 7 pointsize 0.45 linecolor rgb '#202020'\n",
                   i);
  }
  return script + "unset multiplot\nunset output\n";
}

}  // namespace lithe
