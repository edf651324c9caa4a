#include "lithe/show/sketch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "lithe/arm/kinematics.h"
#include "lithe/show/bent_sections.h"
#include "lithe/show/joint_glyphs.h"

namespace lithe {
namespace {

using Eigen::Vector2d;

constexpr double radian = std::numbers::pi / 180;

/// Orthographic camera: where a point of the world falls on the page, and how near it is.
class Camera {
 public:
  Camera(const Vector3d& up, const SketchOptions& options) {
    // Horizontal reference: x, or y where x is vertical.
    const Vector3d reference = std::abs(up.x()) > 0.9 ? Vector3d::UnitY() : Vector3d::UnitX();
    const Vector3d forward = (reference - reference.dot(up) * up).normalized(), side = up.cross(forward);
    const double azimuth = -options.azimuth_deg * radian, elevation = options.elevation_deg * radian;
    // Towards the viewer, who is in front of the arm (−side), turned by the azimuth.
    towards_ =
        std::cos(elevation) * (-std::cos(azimuth) * side + -std::sin(azimuth) * forward) + std::sin(elevation) * up;
    right_ = up.cross(towards_).normalized();
    above_ = towards_.cross(right_);
  }
  Vector2d plane(const Vector3d& p) const { return {right_.dot(p), -above_.dot(p)}; }
  double depth(const Vector3d& p) const { return towards_.dot(p); }
  const Vector3d& towards() const { return towards_; }

  /// Chooses scale and centre so that all points fit.
  void frame(const std::vector<Vector3d>& points, const SketchOptions& options) {
    Eigen::AlignedBox2d box;
    for (const Vector3d& point : points) box.extend(plane(point));
    const double margin = 70;
    const Vector2d size = box.sizes().cwiseMax(1e-6);
    scale_ = std::min((options.width - 2 * margin) / size.x(), (options.height - 2 * margin) / size.y());
    shift_ = Vector2d(options.width, options.height) / 2 - scale_ * box.center();
  }
  Vector2d pixel(const Vector3d& p) const { return scale_ * plane(p) + shift_; }
  double scale() const { return scale_; }

 private:
  Vector3d towards_, right_, above_;
  double scale_ = 1;
  Vector2d shift_ = Vector2d::Zero();
};

/// A piece of drawing and its depth: pieces are painted from far to near.
struct Piece {
  double depth;
  std::string svg;
};

struct Style {
  const char *link_edge, *link_face, *link_light, *joint_edge, *joint_face, *joint_cap;
  double opacity;
};
constexpr Style solid{"#1d4e79", "#3d85c6", "#9fc9ee", "#7a3e00", "#e69138", "#f9cb9c", 1};
constexpr Style ghost{"#8aa4bb", "#b9cfe2", "#dbe7f1", "#c9ae93", "#ecd3b9", "#f6e8da", 0.55};
constexpr Style footing{"#444c55", "#7d8894", "#a9b3bd", "#444c55", "#7d8894", "#a9b3bd", 1};

std::string path_of(const std::vector<Vector2d>& points, bool closed) {
  std::string d;
  for (size_t i = 0; i < points.size(); ++i)
    d += fmt::format("{}{:.1f} {:.1f}", i == 0 ? "M" : "L", points[i].x(), points[i].y());
  return closed ? d + "Z" : d;
}

/// Convex hull by Andrew's monotone chain.
std::vector<Vector2d> hull(std::vector<Vector2d> points) {
  std::sort(points.begin(), points.end(),
            [](const auto& a, const auto& b) { return a.x() < b.x() || (a.x() == b.x() && a.y() < b.y()); });
  auto cross = [](const Vector2d& o, const Vector2d& a, const Vector2d& b) {
    return (a - o).x() * (b - o).y() - (a - o).y() * (b - o).x();
  };
  std::vector<Vector2d> chain;
  for (int pass = 0; pass < 2; ++pass) {
    const size_t start = chain.size();
    for (const Vector2d& point : points) {
      while (chain.size() >= start + 2 && cross(chain[chain.size() - 2], chain.back(), point) <= 0) chain.pop_back();
      chain.push_back(point);
    }
    chain.pop_back();
    std::reverse(points.begin(), points.end());
  }
  return chain;
}

class Drawing {
 public:
  Drawing(const Arm& arm, const std::vector<State>& states, const SketchOptions& options,
          const std::vector<SceneSurface>& surfaces)
      : arm_(arm),
        surfaces_(surfaces),
        options_(options),
        up_(arm.gravity().norm() > 0 ? Vector3d(-arm.gravity().normalized()) : Vector3d::UnitZ()),
        camera_(up_, options) {
    std::vector<Vector3d> points;
    for (const State& state : states) {
      poses_.push_back(kinematics_of(arm, state));
      auto& corners = corners_.emplace_back();
      for (const SceneSurface& surface : surfaces) {
        corners.push_back(corner_places(surface, arm, state, poses_.back()));
        points.insert(points.end(), corners.back().begin(), corners.back().end());
      }
    }
    for (const Kinematics& kin : poses_) {
      points.push_back(kin.X_WR.p);
      for (int i = 0; i < arm.n_links(); ++i) {
        for (const Vector3d& point : line_of(kin, i)) points.push_back(point);
      }
    }
    Eigen::AlignedBox3d box;
    for (const Vector3d& point : points) box.extend(point);
    size_ = std::max(box.diagonal().norm(), 1e-3);
    // Room for joints and the ground around the base.
    const std::vector<Vector3d> bare = points;
    for (const Vector3d& point : bare)
      for (int k = 0; k < 3; ++k)
        for (const double side : {-1.0, 1.0}) points.push_back(point + side * 0.06 * size_ * Vector3d::Unit(k));
    camera_.frame(points, options);
  }

  std::string run() {
    std::string svg = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
        "font-family=\"Helvetica,Arial,sans-serif\">\n"
        "<defs><linearGradient id=\"sky\" x1=\"0\" y1=\"0\" x2=\"0\" y2=\"1\"><stop offset=\"0\" "
        "stop-color=\"#ffffff\"/>"
        "<stop offset=\"1\" stop-color=\"#eef2f6\"/></linearGradient></defs>\n"
        "<rect width=\"{0}\" height=\"{1}\" fill=\"url(#sky)\"/>\n",
        options_.width, options_.height);
    const bool stands = arm_.n_links() == 0 || arm_.link(0).joint->group() != Joint::Group::motion;
    if (stands && !arm_.root_moves()) svg += ground();
    for (size_t k = 0; k < poses_.size(); ++k) {
      const bool last = k + 1 == poses_.size();
      pieces_.clear();
      draw(poses_[k], last ? solid : ghost, stands);
      for (size_t s = 0; s < surfaces_.size(); ++s) panels(surfaces_[s], corners_[k][s], last ? solid : ghost);
      std::stable_sort(pieces_.begin(), pieces_.end(),
                       [](const Piece& a, const Piece& b) { return a.depth < b.depth; });
      svg += fmt::format("<g opacity=\"{}\" stroke-linejoin=\"round\" stroke-linecap=\"round\">\n",
                         last ? 1.0 : ghost.opacity);
      for (const Piece& piece : pieces_) svg += piece.svg;
      svg += "</g>\n";
      if (last && options_.labels) svg += labels(poses_[k]);
    }
    return svg + scale_bar() + "</svg>\n";
  }

 private:
  double pixels(double fraction) const { return std::max(fraction * size_ * camera_.scale(), 1.0); }

  void draw(const Kinematics& kin, const Style& style, bool stands) {
    if (stands) {
      cylinder(kin.X_WR.p - 0.02 * size_ * up_, up_, 0.055 * size_, 0.02 * size_, footing);
      pieces_.back().depth = -std::numeric_limits<double>::infinity();  // under everything that stands on it
    }
    for (int i = 0; i < arm_.n_links(); ++i) {
      const Link& link = arm_.link(i);
      if (link.role == LinkRole::rotor) continue;
      const Pose& X_WP = link.parent < 0 ? kin.X_WR : kin.X_WT[link.parent];
      const bool massless = !arm_.is_body(i);
      if (!massless) bar(X_WP.p, (X_WP * link.X_PF).p, 0.55, style);  // offset on the parent
      if (joint_slides(*link.joint) && link.role != LinkRole::base)
        bar((X_WP * link.X_PF).p, kin.X_WB[i].p, 0.35, style);  // the slide's rod
      bar(line_of(kin, i), 1, style);
      if (link.role == LinkRole::base) {
        if (!massless) cylinder(kin.X_WB[i].p, kin.X_WB[i].R.col(2), 0.06 * size_, 0.03 * size_, style);
        continue;
      }
      const Pose X_WF = X_WP * link.X_PF;
      for (const JointGlyph& glyph : joint_glyphs(*link.joint)) {
        if (glyph.kind == JointGlyph::Kind::hinge)
          cylinder(kin.X_WB[i].p, X_WF.R * glyph.axis, 0.028 * size_, 0.034 * size_, style);
        if (glyph.kind == JointGlyph::Kind::sleeve) sleeve(X_WF.p, X_WF.R * glyph.axis, style);
        if (glyph.kind == JointGlyph::Kind::ball) ball(kin.X_WB[i].p, 0.032 * size_);
      }
      const double payload = link.payload_T.mass;
      if (payload > 0) ball(kin.X_WT[i] * link.payload_T.com(), 0.035 * size_);
      for (const AlongBody& along : link.along) {
        if (!(along.body.mass > 0)) continue;
        // On the straight bar that stands for a link of shapes, bent or not.
        Vector3d place = kin.X_WB[i] * along.X_BS.p;
        Matrix3d R = kin.X_WB[i].R * along.X_BS.R;
        if (link.flex && link.flex->exact) {
          const double x = along.x();
          const Pose section = bent_sections(kin, i, {&x, 1}).front();
          place = section.p;
          R = section.R;
        } else if (link.flex)
          place += along.x() / link.X_BT.p.x() * (kin.X_WT[i].p - kin.X_WB[i] * link.X_BT.p);
        ball(place + R * along.body.com, 0.035 * size_);
      }
    }
    if (arm_.n_links() > 0) axes(kin.X_WT[arm_.last_link()]);
  }

  void panels(const SceneSurface& surface, const std::vector<Vector3d>& places, const Style& style) {
    for (int i = 0; i < surface.n_chord; ++i)
      for (int j = 0; j < surface.n_span; ++j) {
        std::vector<Vector2d> around;
        Vector3d middle = Vector3d::Zero();
        for (const int corner :
             {surface.corner(i, j), surface.corner(i, j + 1), surface.corner(i + 1, j + 1), surface.corner(i + 1, j)}) {
          around.push_back(camera_.pixel(places[size_t(corner)]));
          middle += places[size_t(corner)] / 4;
        }
        pieces_.push_back(
            {camera_.depth(middle), fmt::format("<path d=\"{}\" fill=\"{}\" fill-opacity=\"0.45\" stroke=\"{}\" "
                                                "stroke-width=\"0.8\"/>\n",
                                                path_of(around, true), style.link_light, style.link_edge)});
      }
  }

  /// A link from root to tip: a straight bar, but an exact one may bend far.
  std::vector<Vector3d> line_of(const Kinematics& kin, int i) const {
    const Link& link = arm_.link(i);
    if (!link.flex || !link.flex->exact) return {kin.X_WB[i].p, kin.X_WT[i].p};
    std::vector<Vector3d> line;
    for (const Pose& section : bent_sections(kin, i, 33)) line.push_back(section.p);
    return line;
  }

  void bar(const Vector3d& a, const Vector3d& b, double thickness, const Style& style) {
    bar({a, b}, thickness, style);
  }
  void bar(const std::vector<Vector3d>& line, double thickness, const Style& style) {
    double depth = 0, length = 0;
    std::vector<Vector2d> on_page;
    for (size_t k = 0; k < line.size(); ++k) {
      depth += camera_.depth(line[k]) / double(line.size());
      if (k > 0) length += (line[k] - line[k - 1]).norm();
      on_page.push_back(camera_.pixel(line[k]));
    }
    if (length < 1e-9) return;
    const double width = pixels(0.022) * thickness;
    std::string svg;
    for (const auto& [colour, w] :
         {std::pair{style.link_edge, width + 2.5}, {style.link_face, width}, {style.link_light, width * 0.3}})
      svg += fmt::format("<path d=\"{}\" stroke=\"{}\" stroke-width=\"{:.1f}\" fill=\"none\"/>\n",
                         path_of(on_page, false), colour, w);
    pieces_.push_back({depth, svg});
  }

  /// A short cylinder about an axis: the hull of its two rims, and the cap that faces the viewer.
  void cylinder(const Vector3d& centre, const Vector3d& axis, double radius, double half, const Style& style) {
    const Matrix3d frame = rotation_taking_z_to(axis.normalized());
    std::vector<Vector2d> all, cap;
    const double facing = axis.dot(camera_.towards()) >= 0 ? 1 : -1;
    for (int k = 0; k < 36; ++k) {
      const double a = 2 * std::numbers::pi * k / 36;
      const Vector3d rim = radius * (std::cos(a) * frame.col(0) + std::sin(a) * frame.col(1));
      for (const double side : {-1.0, 1.0}) {
        all.push_back(camera_.pixel(centre + rim + side * half * axis.normalized()));
        if (side == facing) cap.push_back(all.back());
      }
    }
    pieces_.push_back(
        {camera_.depth(centre) + radius,
         fmt::format("<path d=\"{}\" fill=\"{}\" stroke=\"{}\" stroke-width=\"1.3\"/>\n<path d=\"{}\" fill=\"{}\" "
                     "stroke=\"{}\" stroke-width=\"0.8\"/>\n",
                     path_of(hull(all), true), style.joint_face, style.joint_edge, path_of(cap, true), style.joint_cap,
                     style.joint_edge)});
  }

  /// The square sleeve of a slide.
  void sleeve(const Vector3d& centre, const Vector3d& axis, const Style& style) {
    const Matrix3d frame = rotation_taking_z_to(axis.normalized());
    std::vector<Vector2d> corners;
    for (const double x : {-1.0, 1.0})
      for (const double y : {-1.0, 1.0})
        for (const double z : {-1.0, 1.0})
          corners.push_back(camera_.pixel(
              centre + size_ * (0.024 * (x * frame.col(0) + y * frame.col(1)) + 0.045 * z * frame.col(2))));
    pieces_.push_back({camera_.depth(centre) + 0.03 * size_,
                       fmt::format("<path d=\"{}\" fill=\"{}\" stroke=\"{}\" stroke-width=\"1.3\"/>\n",
                                   path_of(hull(corners), true), style.joint_face, style.joint_edge)});
  }

  void ball(const Vector3d& centre, double radius) {
    const Vector2d p = camera_.pixel(centre);
    pieces_.push_back(
        {camera_.depth(centre) + radius,
         fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\" fill=\"#6aa84f\" stroke=\"#274e13\" "
                     "stroke-width=\"1.3\"/>\n",
                     p.x(), p.y(), radius * camera_.scale())});
  }

  /// The tip frame: x red, y green, z blue.
  void axes(const Pose& X_WT) {
    const char* colours[] = {"#cc0000", "#38761d", "#1155cc"};
    const Vector2d p = camera_.pixel(X_WT.p);
    for (int k = 0; k < 3; ++k) {
      const Vector3d end = X_WT.p + 0.11 * size_ * X_WT.R.col(k);
      const Vector2d q = camera_.pixel(end);
      pieces_.push_back(
          {camera_.depth(end) + 0.05 * size_,
           fmt::format("<path d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\" stroke=\"{}\" stroke-width=\"2.4\" fill=\"none\"/>\n",
                       p.x(), p.y(), q.x(), q.y(), colours[k])});
    }
  }

  std::string ground() const {
    const Vector3d centre = poses_.back().X_WR.p - 0.04 * size_ * up_;
    const Matrix3d frame = rotation_taking_z_to(up_);
    std::string svg = "<g stroke=\"#c5ced6\" stroke-width=\"0.8\" fill=\"none\">\n";
    const double pitch = nice_length(0.12 * size_);
    for (int k = -5; k <= 5; ++k)
      for (const int along : {0, 1}) {
        const Vector3d offset = centre + k * pitch * frame.col(1 - along);
        const Vector2d a = camera_.pixel(offset - 5 * pitch * frame.col(along)),
                       b = camera_.pixel(offset + 5 * pitch * frame.col(along));
        svg += fmt::format("<path d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\"/>\n", a.x(), a.y(), b.x(), b.y());
      }
    return svg + "</g>\n";
  }

  /// Joint names beside their joints; where joints coincide (a wrist), one label lists them.
  std::string labels(const Kinematics& kin) const {
    struct Label {
      Vector2d at;
      std::string text;
    };
    std::vector<Label> list;
    for (int i = 0; i < arm_.n_links(); ++i) {
      if (arm_.link(i).nv() == 0 || arm_.link(i).role != LinkRole::body) continue;
      const Vector2d p = camera_.pixel(kin.X_WB[i].p);
      const auto near =
          std::find_if(list.begin(), list.end(), [&](const Label& label) { return (label.at - p).norm() < 22; });
      if (near != list.end()) {
        near->text += ", " + arm_.link(i).joint_name;
      } else {
        list.push_back({p, arm_.link(i).joint_name});
      }
    }
    std::string svg;
    for (const Label& label : list)
      svg += fmt::format(
          "<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"15\" fill=\"#20262c\" stroke=\"#ffffff\" stroke-width=\"4\" "
          "paint-order=\"stroke\">{}</text>\n",
          label.at.x() + pixels(0.04) + 4, label.at.y() - pixels(0.03), label.text);
    return svg;
  }

  /// 1, 2 or 5 times a power of ten, at most `length`.
  static double nice_length(double length) {
    const double power = std::pow(10, std::floor(std::log10(length)));
    for (const double step : {5.0, 2.0}) {
      if (step * power <= length) return step * power;
    }
    return power;
  }
  std::string scale_bar() const {
    const double length = nice_length(150 / camera_.scale()), x = 30, y = options_.height - 26,
                 w = length * camera_.scale();
    return fmt::format(
        "<g stroke=\"#444c55\" stroke-width=\"1.6\" fill=\"none\"><path d=\"M{0} {1}v-6m0 6h{2:.1f}v-6\"/></g>\n"
        "<text x=\"{3:.1f}\" y=\"{4}\" font-size=\"13\" fill=\"#444c55\">{5:g} m</text>\n",
        x, y, w, x + w + 8, y, length);
  }

  const Arm& arm_;
  const std::vector<SceneSurface>& surfaces_;
  const SketchOptions& options_;
  Vector3d up_;
  Camera camera_;
  std::vector<Kinematics> poses_;
  std::vector<std::vector<std::vector<Vector3d>>> corners_;  // by pose, by surface
  double size_ = 1;                                          // of the drawn scene [m]
  std::vector<Piece> pieces_;
};

}  // namespace

std::string sketch(const Arm& arm, const std::vector<State>& states, const SketchOptions& options,
                   const std::vector<SceneSurface>& surfaces) {
  return Drawing(arm, states, options, surfaces).run();
}

}  // namespace lithe
