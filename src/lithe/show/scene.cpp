#include "lithe/show/scene.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lithe/arm/link_section.h"
#include "lithe/describe/bodies.h"
#include "lithe/describe/imported_link.h"
#include "lithe/describe/mesh_solid.h"
#include "lithe/describe/sections.h"
#include "lithe/spatial/demand.h"

namespace lithe {
namespace {

using Form = SceneSolid::Form;
using Frame = SceneSolid::Frame;
using Role = SceneSolid::Role;

Pose at(const Vector3d& place) { return {Matrix3d::Identity(), place}; }

struct OutlineOf {
  Outline operator()(const Circle& s) const { return {true, s.diameter / 2, s.diameter / 2}; }
  Outline operator()(const Tube& s) const {
    const double outer = s.outer_diameter / 2, inner = s.inner_diameter / 2;
    return {true, outer, outer, inner, inner};
  }
  Outline operator()(const Rectangle& s) const { return {false, s.width_y / 2, s.height_z / 2}; }
  Outline operator()(const Box& s) const {
    const double y = s.width_y / 2, z = s.height_z / 2;
    return {false, y, z, y - s.thickness, z - s.thickness};
  }
  /// Half axes a, b and the ratio m of the hole: A = πab(1−m²), Iy = ¼Ab²(1+m²), Iz = ¼Aa²(1+m²), so that
  /// (1−m²)/(1+m²) = A²/(4π√(Iy Iz)).
  Outline operator()(const GeneralSection& s) const {
    const double solidity = s.area * s.area / (4 * std::numbers::pi * std::sqrt(s.Iy * s.Iz));
    const double m2 = std::isfinite(solidity) && solidity < 1 ? (1 - solidity) / (1 + solidity) : 0;
    Outline outline{true, std::sqrt(4 * s.Iz / (s.area * (1 + m2))), std::sqrt(4 * s.Iy / (s.area * (1 + m2)))};
    if (s.outer_y) outline.y = *s.outer_y;
    if (s.outer_z) outline.z = *s.outer_z;
    outline.hole_y = std::sqrt(m2) * outline.y;
    outline.hole_z = std::sqrt(m2) * outline.z;
    return outline;
  }
};

/// A column of sparse shapes at any x, linear between stations.
Matrix3Xd shapes_at(const Stations& stations, const SparseMatrixd& shapes, double x) {
  const auto& places = stations.x;
  const size_t k = std::clamp<size_t>(std::lower_bound(places.begin(), places.end(), x) - places.begin(), 1,
                                      std::max<size_t>(places.size(), 2) - 1);
  if (places.size() < 2) return MatrixXd(shapes).topRows(3);
  const double share = std::clamp((x - places[k - 1]) / (places[k] - places[k - 1]), 0.0, 1.0);
  const MatrixXd below = MatrixXd(shapes.middleRows(3 * int(k - 1), 3)),
                 above = MatrixXd(shapes.middleRows(3 * int(k), 3));
  return (1 - share) * below + share * above;
}

constexpr int n_stations = 24;  // along a link, besides those where the section jumps

class SceneMaker {
 public:
  SceneMaker(const Case& data, const Arm& arm) : data_(data), spec_(data.arm), arm_(arm) {}

  Scene run() {
    scene_.links.resize(arm_.n_links());
    if (arm_.gravity().norm() > 0) scene_.up = -arm_.gravity().normalized();
    scene_.footing = spec_.base.type == BaseType::fixed || spec_.base.type == BaseType::moving;
    find_reach();
    for (int i = 0; i < arm_.n_links(); ++i) add(i);
    scene_.surfaces = surfaces_of(data_, arm_);
    return std::move(scene_);
  }

 private:
  void find_reach() {
    std::vector<double> distance(arm_.n_links(), 0);
    double reach = 0;
    for (int i = 0; i < arm_.n_links(); ++i) {
      const Link& link = arm_.link(i);
      distance[i] = (link.parent < 0 ? 0 : distance[link.parent]) + link.X_PF.p.norm() + link.X_BT.p.norm();
      reach = std::max(reach, distance[i]);
    }
    // A body without extent is still drawn by its shape.
    if (reach == 0)
      for (const LinkSpec& link : spec_.links)
        if (link.rigid && link.rigid->shape) reach = std::max(reach, extent(*link.rigid->shape));
    scene_.reach = reach > 0 ? reach : 1;
  }
  static double extent(const BodyShape& shape) {
    if (const auto* rod = std::get_if<Rod>(&shape)) return rod->length;
    if (const auto* block = std::get_if<Block>(&shape)) return std::max({block->x, block->y, block->z});
    if (const auto* cylinder = std::get_if<Cylinder>(&shape)) return std::max(cylinder->length, cylinder->diameter);
    if (const auto* mesh = std::get_if<Mesh>(&shape)) {
      const MeshSolid solid = mesh_solid(*mesh);
      return (solid.high - solid.low).maxCoeff();
    }
    return std::get<Sphere>(shape).diameter;
  }

  double thickness() const { return 0.028 * scene_.reach; }  // for bodies without a given size

  void add(int i) {
    const Link& link = arm_.link(i);
    SceneLink& drawn = scene_.links[i];
    drawn.name = link.i_case >= 0 ? spec_.links[link.i_case].name : link.name;
    drawn.colour = std::max(link.i_case, 0);
    if (!arm_.is_body(i)) return;
    if (link.role == LinkRole::base) return add_base_body(drawn);
    const LinkSpec& spec = spec_.links[link.i_case];
    if (link.role == LinkRole::segment || (spec.beam && std::holds_alternative<Segments>(spec.beam->flexibility))) {
      add_segment(i, *spec.beam);
    } else if (spec.beam) {
      add_beam(link, *spec.beam, drawn);
    } else if (spec.imported) {
      add_imported(link, *spec.imported, drawn);
    } else {
      add_body(i, *spec.rigid, drawn);
    }
    if (link.role != LinkRole::segment) {
      if (link.X_PF.p.norm() > 1e-9 * scene_.reach)
        bar({}, Vector3d::Zero(), link.X_PF.p, 0.8 * thickness(), 0.8 * thickness(), Frame::parent_tip, Role::offset,
            drawn);
      if (link.nv() > 0) drawn.joint_size = joint_size(drawn);
    }
    add_payloads(link, spec, drawn);
  }

  /// A little wider than the link that begins there.
  double joint_size(const SceneLink& drawn) const {
    double wide = 1.5 * thickness();
    if (!drawn.stations.empty()) {
      const Outline& outline = drawn.stations.front().outline;
      wide = std::max(wide, 2.3 * std::max(outline.y, outline.z));
    }
    return std::min(wide, 0.16 * scene_.reach);
  }

  Outline drawn_outline(const Section& section) const {
    Outline outline = outline_of(section);
    // Numbers may stand for EI and mass per length alone, such as a section of ones: no outline of anything.
    if (std::holds_alternative<GeneralSection>(section.shape) && std::max(outline.y, outline.z) > scene_.reach / 2)
      outline = {true, thickness() / 2, thickness() / 2};
    const double least = thinnest_outline / 2 * scene_.reach;
    outline.y = std::max(outline.y, least);
    outline.z = std::max(outline.z, least);
    return outline;
  }

  /// Stations from x = a to b of a beam, with two where its section jumps; `place` counts from a.
  std::vector<SceneStation> stations_between(const Beam& beam, double a, double b, int count) const {
    std::vector<double> breaks;
    for (const double place : section_breaks(beam))
      if (place > a + 1e-9 * beam.length && place < b - 1e-9 * beam.length) breaks.push_back(place);
    std::vector<double> places;
    for (int k = 0; k <= count; ++k) places.push_back(a + (b - a) * k / count);
    const double hair = 1e-6 * beam.length;
    for (const double place : breaks) {
      places.push_back(place - hair);
      places.push_back(place + hair);
    }
    std::sort(places.begin(), places.end());
    std::vector<SceneStation> stations;
    for (const double x : places)
      stations.push_back({{x - a, 0, 0}, drawn_outline(section_at(beam, std::min(x, beam.length))), {}, {}, {}});
    return stations;
  }

  void add_beam(const Link& link, const Beam& beam, SceneLink& drawn) const {
    drawn.stations = stations_between(beam, 0, beam.length, link.flex || beam.tip_section ? n_stations : 1);
    if (!link.flex) return;
    if (link.flex->exact) return place_on_rod(link, beam, drawn);
    for (SceneStation& station : drawn.stations) {
      station.phi = shapes_at(link.flex->stations, link.flex->stations.phi, station.place.x());
      station.psi = shapes_at(link.flex->stations, link.flex->stations.psi, station.place.x());
    }
    // A station at each body, as exact as the body's own motion.
    for (const AlongBody& along : link.along) {
      const int n = link.n_flex();
      SceneStation station{along.shapes.place,
                           drawn_outline(section_at(beam, along.x())),
                           Matrix3Xd::Zero(3, n),
                           Matrix3Xd::Zero(3, n),
                           {}};
      station.phi(Eigen::all, along.shapes.coordinates) = along.shapes.phi;
      station.psi(Eigen::all, along.shapes.coordinates) = along.shapes.psi;
      insert(std::move(station), drawn);
    }
    if (!link.guide) return;
    drawn.length = beam.length;
    SceneStation root = drawn.stations.front();  // the straight part behind the guide's exit
    root.phi.setZero();
    root.psi.setZero();
    drawn.stations.insert(drawn.stations.begin(), root);
  }

  /// Its stations, and one at each body, become sections of the exact link.
  void place_on_rod(const Link& link, const Beam& beam, SceneLink& drawn) const {
    for (const AlongBody& along : link.along)
      insert({{along.x(), 0, 0}, drawn_outline(section_at(beam, along.x())), {}, {}, {}}, drawn);
    for (SceneStation& station : drawn.stations)
      station.rod.emplace(*link.flex->exact, std::min(station.place.x(), link.flex->exact->length));
  }

  static void insert(SceneStation station, SceneLink& drawn) {
    const auto beyond = std::upper_bound(drawn.stations.begin(), drawn.stations.end(), station.place.x(),
                                         [](double x, const SceneStation& other) { return x < other.place.x(); });
    drawn.stations.insert(beyond, std::move(station));
  }

  /// One rigid piece of a segmented beam, from where the one before ended.
  void add_segment(int i, const Beam& beam) {
    const Link& link = arm_.link(i);
    const double length = link.X_BT.p.x();
    if (link.role != LinkRole::segment) segment_start_ = 0;
    if (length <= 0) return;
    scene_.links[i].stations = stations_between(beam, segment_start_, segment_start_ + length, 1);
    segment_start_ += length;
  }

  void add_imported(const Link& link, const ImportedFile& imported, SceneLink& drawn) const {
    const Matrix3Xd nodes = read_imported_link(imported.file).nodes;
    std::vector<Vector3d> places;
    for (int k = 0; k < nodes.cols(); ++k) places.emplace_back(nodes.col(k));
    std::stable_sort(places.begin(), places.end(), [](const auto& a, const auto& b) { return a.x() < b.x(); });
    const double radius = thickness() / 2;
    for (size_t k = 0; k < places.size(); ++k) {
      SceneStation station{places[k], {true, radius, radius}, {}, {}, {}};
      if (link.flex) {
        station.phi = MatrixXd(link.flex->stations.phi.middleRows(3 * int(k), 3));
        station.psi = MatrixXd(link.flex->stations.psi.middleRows(3 * int(k), 3));
      }
      drawn.stations.push_back(std::move(station));
    }
  }

  void add_shape(const BodyShape& shape, const Pose& X_BD, Role role, SceneLink& drawn) const {
    SceneSolid solid{.role = role};
    if (const auto* rod = std::get_if<Rod>(&shape)) {
      bar(X_BD, Vector3d::Zero(), {rod->length, 0, 0}, thickness(), thickness(), Frame::link, role, drawn);
      return;
    }
    if (const auto* block = std::get_if<Block>(&shape)) {
      solid.form = Form::box;
      solid.place = X_BD * at({block->x / 2, 0, 0});
      solid.size = {block->x, block->y, block->z};
    } else if (const auto* cylinder = std::get_if<Cylinder>(&shape)) {
      solid.form = Form::cylinder;
      solid.place = X_BD * at({cylinder->length / 2, 0, 0});
      solid.size = {cylinder->length, cylinder->diameter, 0};
    } else if (const auto* mesh = std::get_if<Mesh>(&shape)) {
      const MeshSolid inside = mesh_solid(*mesh);  // drawn as its bounding box
      solid.form = Form::box;
      solid.place = X_BD * at((inside.low + inside.high) / 2);
      solid.size = inside.high - inside.low;
    } else {
      solid.form = Form::sphere;
      solid.place = X_BD;
      solid.size = {std::get<Sphere>(shape).diameter, 0, 0};
    }
    drawn.solids.push_back(solid);
  }

  void add_body(int i, const RigidBody& body, SceneLink& drawn) const {
    const Link& link = arm_.link(i);
    const BodyProperties properties = body_properties(body);
    const Pose X_BD = link.X_BT * at({-properties.length, 0, 0});
    if (body.shape) {
      add_shape(*body.shape, X_BD, Role::body, drawn);
      return;
    }
    if (link.X_BT.p.norm() > 1e-9 * scene_.reach) {
      bar({}, Vector3d::Zero(), link.X_BT.p, 1.25 * thickness(), 0.8 * thickness(), Frame::link, Role::body, drawn);
      return;
    }
    // A link without extent is shown by what it carries, or else by a knob.
    for (const Link& other : arm_.links())
      if (other.parent == i && other.X_PF.p.norm() > 1e-9 * scene_.reach) return;
    if (properties.mass > 0)
      drawn.solids.push_back(
          {Form::sphere, Frame::link, Role::body, X_BD * at(properties.com), Vector3d(1.2 * thickness(), 0, 0)});
  }

  /// The box with a body's mass and principal moments; false where there is none.
  bool equivalent_box(double mass, const Vector3d& com, const Matrix3d& inertia, SceneSolid& solid) const {
    if (!(mass > 0) || inertia.norm() == 0) return false;
    const Eigen::SelfAdjointEigenSolver<Matrix3d> principal(inertia);
    const Vector3d moments = principal.eigenvalues();
    Matrix3d R = principal.eigenvectors();
    if (R.determinant() < 0) R.col(0) *= -1;
    for (int k = 0; k < 3; ++k) {
      const double side2 = 6 * (moments.sum() - 2 * moments[k]) / mass;
      solid.size[k] = std::clamp(std::sqrt(std::max(side2, 0.0)), 0.6 * thickness(), 0.5 * scene_.reach);
    }
    solid.form = Form::box;
    solid.place = {R, com};
    return true;
  }

  /// Each body at its place: on the tip, or on its section.
  void add_payloads(const Link& link, const LinkSpec& spec, SceneLink& drawn) const {
    if (link.name == spec.name)
      for (const Payload& payload : spec.payloads)
        if (!payload.at || on_tip(link, spec, *payload.at))
          add_payload({payload.mass, payload.com, payload.inertia.matrix()}, {.frame = Frame::tip}, drawn);
    for (const AlongBody& along : link.along) {
      if (!link.flex) {
        SceneSolid solid{.frame = Frame::link};
        add_payload(along.body, solid, drawn, along.X_BS);
        continue;
      }
      const Vector3d place = along.shapes.place;
      const auto nearest = std::min_element(drawn.stations.begin(), drawn.stations.end(),
                                            [&](const SceneStation& a, const SceneStation& b) {
                                              return (a.place - place).squaredNorm() < (b.place - place).squaredNorm();
                                            });
      add_payload(along.body, {.frame = Frame::station, .station = int(nearest - drawn.stations.begin())}, drawn);
    }
  }
  /// The last piece of a segmented beam does not know where the beam begins.
  static bool on_tip(const Link& link, const LinkSpec& spec, double x) {
    if (spec.imported) return at_tip(link, {x, 0, 0});
    const double length = spec.beam ? spec.beam->length : spec.rigid ? body_properties(*spec.rigid).length : 0;
    return std::abs(x - length) <= 1e-9 * length;
  }

  void add_payload(const CarriedBody& payload, SceneSolid solid, SceneLink& drawn, const Pose& X = {}) const {
    if (!(payload.mass > 0)) return;
    solid.role = Role::payload;
    if (!equivalent_box(payload.mass, payload.com, payload.inertia_com, solid)) {
      // A ball of aluminium of that mass, kept within what looks like a load.
      const double diameter = std::cbrt(6 * payload.mass / (std::numbers::pi * 2700));
      solid.form = Form::sphere;
      solid.place = at(payload.com);
      solid.size = {std::clamp(diameter, 1.3 * thickness(), 3 * thickness()), 0, 0};
    }
    solid.place = X * solid.place;
    drawn.solids.push_back(solid);
  }

  void add_base_body(SceneLink& drawn) const {
    SceneSolid solid{.role = Role::base};
    solid.size = scene_.reach * Vector3d(0.16, 0.12, 0.06);
    if (spec_.base.body) {
      if (spec_.base.body->shape) {
        add_shape(*spec_.base.body->shape, {}, Role::base, drawn);
        return;
      }
      const BodyProperties body = body_properties(*spec_.base.body);
      equivalent_box(body.mass, body.com, body.inertia_com, solid);
    }
    drawn.solids.push_back(solid);
  }

  static void bar(const Pose& X, const Vector3d& from, const Vector3d& to, double first, double last, Frame frame,
                  Role role, SceneLink& drawn) {
    drawn.solids.push_back({Form::bar, frame, role, X * frame_along(from, (to - from).normalized()),
                            Vector3d((to - from).norm(), first, last)});
  }

  const Case& data_;
  const ArmSpec& spec_;
  const Arm& arm_;
  Scene scene_;
  double segment_start_ = 0;  // how far the pieces of the current segmented beam have come
};

}  // namespace

Pose frame_along(const Vector3d& place, const Vector3d& direction) {
  // rotation_taking_z_to has the direction as its third column.
  const Matrix3d R = rotation_taking_z_to(direction);
  Matrix3d turned;
  turned << R.col(2), R.col(0), R.col(1);
  return {turned, place};
}

Outline outline_of(const Section& section) { return std::visit(OutlineOf{}, section.shape); }

Scene scene_of(const Case& data, const Arm& arm) { return SceneMaker(data, arm).run(); }

}  // namespace lithe
