#include "lithe/drive/spread_load.h"

#include <algorithm>

#include "lithe/spatial/quadrature.h"

namespace lithe {
namespace {

/// Of a straight link: places between which its sections move smoothly, from root to tip, and points for each of these parts.
struct SmoothParts {
  std::vector<double> breaks{0};
  int points = 2;  // exact for a rigid part: the factor and the lever arm are straight lines
};

SmoothParts smooth_parts(const Arm& arm, int i_link) {
  const Link& link = arm.link(i_link);
  SmoothParts parts;
  if (link.flex) {
    parts.breaks = link.flex->smooth_between;
    parts.points = link.flex->smooth_points;
  } else if (link.role == LinkRole::segment) {
    std::vector<double> lengths{link.X_BT.p.x()};
    for (int i = i_link; arm.link(i).role == LinkRole::segment; lengths.push_back(arm.link(i).X_BT.p.x()))
      i = arm.link(i).parent;
    for (auto length = lengths.rbegin(); length != lengths.rend(); ++length)
      if (*length > 0) parts.breaks.push_back(parts.breaks.back() + *length);
  } else {
    parts.breaks.push_back(-link.X_TD.p.x());
  }
  return parts;
}

double factor_at(const std::vector<SpreadPoint>& shape, double x) {
  if (shape.empty()) return 1;
  const auto beyond = std::upper_bound(shape.begin(), shape.end(), x,
                                       [](double at, const SpreadPoint& point) { return at < point.at; });
  if (beyond == shape.begin()) return shape.front().factor;
  if (beyond == shape.end()) return shape.back().factor;
  const SpreadPoint &left = *(beyond - 1), &right = *beyond;
  return left.factor + (right.factor - left.factor) * (x - left.at) / (right.at - left.at);
}

/// Where the parts end between which shapes and factor are smooth, and Gauss's points for each.
SmoothParts parts_of(const Arm& arm, int i_link, const Spread& spread, bool at_stations, const std::string& path) {
  const Link& link = arm.link(i_link);
  SmoothParts parts = smooth_parts(arm, i_link);
  if (parts.breaks.empty() || link.guide)
    throw FieldError(path,
                     "expected a link whose sections are known everywhere: this one has them at nodes only, or slides "
                     "through a guide");
  const double tip = parts.breaks.back(), from = spread.from.value_or(0), to = spread.to.value_or(tip);
  std::vector<double>& breaks = parts.breaks;
  for (const SpreadPoint& point : spread.shape) breaks.push_back(point.at);
  if (at_stations && link.flex) {
    breaks.insert(breaks.end(), link.flex->stations.x.begin(), link.flex->stations.x.end());
    parts.points = std::min(parts.points, 3);  // these parts are short
  }
  const double hair = 1e-12 * (to - from);
  std::erase_if(breaks, [&](double x) { return x <= from + hair || x >= to - hair; });
  breaks.insert(breaks.end(), {from, to});
  std::sort(breaks.begin(), breaks.end());
  breaks.erase(std::unique(breaks.begin(), breaks.end(), [&](double a, double b) { return b - a <= hair; }),
               breaks.end());
  return parts;
}

}  // namespace

std::vector<SpreadShare> spread_on_link(const Arm& arm, int i_link, const Spread& spread, bool at_stations,
                                        const std::string& path) {
  const SmoothParts parts = parts_of(arm, i_link, spread, at_stations, path);
  std::vector<SpreadShare> shares;
  for (size_t i = 0; i + 1 < parts.breaks.size(); ++i)
    for (const QuadraturePoint& point : gauss_points(parts.breaks[i], parts.breaks[i + 1], parts.points))
      shares.push_back(
          {place_on_link(arm, i_link, {point.x, 0, 0}, path), point.weight * factor_at(spread.shape, point.x)});
  return shares;
}

std::int64_t spread_numbers(const Arm& arm, int i_link, const Spread& spread, const std::string& path) {
  std::int64_t points = 0;
  double middle = 0;
  for (const bool at_stations : {false, true}) {
    const SmoothParts parts = parts_of(arm, i_link, spread, at_stations, path);
    points += std::int64_t(parts.breaks.size() - 1) * parts.points;
    middle = (parts.breaks[0] + parts.breaks[1]) / 2;
  }
  const int shapes = place_on_link(arm, i_link, {middle, 0, 0}, path).section.shapes.size();
  return points * std::max(1, shapes);
}

}  // namespace lithe
