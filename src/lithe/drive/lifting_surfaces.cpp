#include "lithe/drive/lifting_surfaces.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

#include "lithe/describe/case_limits.h"
#include "lithe/describe/limits.h"
#include "lithe/drive/case_wind.h"
#include "lithe/spatial/demand.h"

namespace lithe {
namespace {

/// A part of a link's x axis that moves as one body, or bends by shapes.
struct Piece {
  int link;
  double begin, end;  // along the case's link
};

/// The pieces of a case's link, root to tip.
std::vector<Piece> pieces_of(const Arm& arm, int i_case) {
  std::vector<Piece> pieces;
  double x = 0;
  for (int i = 0; i < arm.n_links(); ++i) {
    const Link& link = arm.link(i);
    if (link.i_case != i_case || link.role == LinkRole::rotor) continue;
    const double length = link.X_BT.p.x();
    // Of a hinge's three turns the last carries the piece; a root without length carries nothing.
    if (length <= 0) continue;
    pieces.push_back({i, x, x + length});
    x += length;
  }
  return pieces;
}

/// The pieces with which a point moves, and their weights: with its own piece and, near a hinge, increasingly with the next, so that
/// twist and slope do not jump. The transition extends to the middles of the pieces.
std::vector<std::pair<const Piece*, double>> shares_at(const std::vector<Piece>& pieces, double x) {
  size_t k = 0;
  while (k + 1 < pieces.size() && x > pieces[k].end) ++k;
  auto reach = [&](size_t piece) {
    const bool at_end = piece == 0 || piece + 1 == pieces.size();
    return (pieces[piece].end - pieces[piece].begin) / (at_end ? 1 : 2);
  };
  for (const size_t inner : {k, k - 1}) {  // the hinges at this piece's end and at its begin
    if (inner >= pieces.size() || inner + 1 >= pieces.size()) continue;
    const double hinge = pieces[inner].end, d = std::min(reach(inner), reach(inner + 1));
    if (std::abs(x - hinge) >= d) continue;
    const double outer = (x - hinge + d) / (2 * d);
    return {{&pieces[inner], 1 - outer}, {&pieces[inner + 1], outer}};
  }
  return {{&pieces[k], 1.0}};
}

/// Displacement at x, c across the axis, per flexible coordinate: (1). Between stations straight lines.
Matrix3Xd shape_at(const FlexBasis& flex, double x, const Vector3d& c) {
  const std::vector<double>& stations = flex.stations.x;
  const size_t after = std::clamp<size_t>(
      size_t(std::lower_bound(stations.begin(), stations.end(), x) - stations.begin()), 1, stations.size() - 1);
  const double share = (x - stations[after - 1]) / (stations[after] - stations[after - 1]);
  Matrix3Xd shape = Matrix3Xd::Zero(3, flex.size());
  for (const auto& [station, weight] : {std::pair{after - 1, 1 - share}, {after, share}}) {
    const MatrixXd phi = flex.stations.phi.middleRows(Eigen::Index(3 * station), 3),
                   psi = flex.stations.psi.middleRows(Eigen::Index(3 * station), 3);
    for (int k = 0; k < flex.size(); ++k) shape.col(k) += weight * (phi.col(k) + Vector3d(psi.col(k)).cross(c));
  }
  return shape;
}

/// Two surfaces meet where their ends are closer than this, in chords; and they are one surface as long as their bodies
/// have not turned their edges further apart than that where the motion starts: half a radian about mid-chord.
constexpr double same_edge = 1e-6, one_surface = 0.25;
/// Edges closer than this, in chords, coincide.
constexpr double on_edge = 0.02;
/// How far off the chord the wind may blow over a surface: the sweep of a wing. Beyond, its tips are edges that the air leaves
/// at, where a surface sheds nothing.
constexpr double widest_sweep = 60 * std::numbers::pi / 180;
/// If less than this fraction of the wind is along a surface, the wind is perpendicular to it and has no direction in it.
constexpr double along_surface = 0.17;

/// The corners at an end of a surface, in the world.
struct Edge {
  Vector3d leading, trailing;
  double gap(const Edge& other) const {
    return std::max((leading - other.leading).norm(), (trailing - other.trailing).norm());
  }
  bool lies_in(const Vector3d& normal, double tolerance) const {
    const Vector3d n = normal.normalized();
    return std::abs(leading.dot(n)) < tolerance && std::abs(trailing.dot(n)) < tolerance;
  }
  double distance(const Vector3d& point) const {
    const Vector3d along = trailing - leading;
    const double share = std::clamp((point - leading).dot(along) / along.squaredNorm(), 0.0, 1.0);
    return (leading + share * along - point).norm();
  }
  /// Whether they run along each other, not only across.
  bool lies_on(const Edge& other, double tolerance) const {
    int near = 0;
    for (const double share : {0.0, 0.25, 0.5, 0.75, 1.0})
      near += other.distance(leading + share * (trailing - leading)) < tolerance;
    return near > 1;
  }
};

/// The link that carries this one without a coordinate between them, or itself.
int stiff_root(const Arm& arm, int i) {
  while (arm.link(i).parent >= 0 && arm.link(i).nv() == 0 && !arm.link(arm.link(i).parent).flex) i = arm.link(i).parent;
  return i;
}

}  // namespace

struct LiftingSurfaces::Sheet {
  const SurfaceSpec* spec;
  int i_case;
  std::vector<Piece> pieces;
  double length;

  double chord(double x) const {
    const double tip = spec->tip_chord.value_or(spec->chord);
    return spec->chord + (tip - spec->chord) * x / length;
  }
  /// From the axis to the place at `fraction` of the chord.
  Vector3d across(double x, double fraction) const {
    return (fraction - spec->axis) * chord(x) * spec->trailing.normalized();
  }
  /// How the point at x, `fraction` of the chord behind the leading edge, moves with the arm.
  std::vector<Attachment> attach(const Arm& arm, double x, double fraction) const {
    std::vector<Attachment> attachments;
    for (const auto& [piece, share] : shares_at(pieces, x)) {
      const Vector3d c = across(x, fraction);
      const double own_x = x - piece->begin;  // beyond the piece where it shares
      Attachment at{-1, piece->link, share, Vector3d(own_x, 0, 0) + c, {}};
      if (const FlexBasis* flex = arm.link(piece->link).flex.get(); flex != nullptr && flex->exact) {
        at.section = std::make_shared<const RodSection>(*flex->exact, std::clamp(own_x, 0.0, flex->exact->length));
        at.c = c;
      } else if (flex != nullptr) {
        at.shape = shape_at(*flex, own_x, c);
      }
      attachments.push_back(std::move(at));
    }
    return attachments;
  }
};

/// One end of one surface.
struct LiftingSurfaces::End {
  const Sheet* sheet;
  bool tip;
  Edge zero, start;        // of the arm at zero, and where it starts
  std::vector<int> meets;  // all ends that share this edge, itself among them; by number

  double x() const { return tip ? sheet->length : 0; }
  double chord() const { return sheet->chord(x()); }
};

LiftingSurfaces::LiftingSurfaces(const Case& data, const Arm& arm) : LiftingSurfaces(data, arm, State::zero(arm)) {}

LiftingSurfaces::LiftingSurfaces(const Case& data, const Arm& arm, const State& start) : arm_(arm) {
  std::vector<Sheet> sheets;
  std::vector<aero::SurfaceShape> shapes;
  for (size_t i = 0; i < data.arm.links.size(); ++i) {
    const LinkSpec& link = data.arm.links[i];
    if (!link.surface) continue;
    Sheet sheet{&*link.surface, int(i), pieces_of(arm, int(i)), 0};
    LITHE_DEMAND(!sheet.pieces.empty());
    sheet.length = sheet.pieces.back().end;
    names_.push_back(link.name);
    shapes.push_back({sheet.spec->panels_chord, sheet.spec->panels_span});
    sheets.push_back(std::move(sheet));
  }
  LITHE_DEMAND(!sheets.empty());
  lattice_.emplace(std::move(shapes));
  const std::vector<End> ends = ends_of(sheets, start);

  shortest_panel_ = std::numeric_limits<double>::infinity();
  for (size_t s = 0; s < sheets.size(); ++s) {
    const Sheet& sheet = sheets[s];
    auto is_free = [&](const End& end) {
      if (data.wind && data.wind->mirror && end.zero.lies_in(*data.wind->mirror, same_edge * end.chord())) return false;
      return end.meets.size() == 1;
    };
    const double in_root = is_free(ends[2 * s]) ? 0.25 : 0, in_tip = is_free(ends[2 * s + 1]) ? 0.25 : 0;
    const int n_chord = sheet.spec->panels_chord, n_span = sheet.spec->panels_span;
    const double width = sheet.length / (n_span + in_root + in_tip);
    for (int j = 0; j <= n_span; ++j) {
      const double x = std::clamp((in_root + j) * width, 0.0, sheet.length);
      longest_chord_ = std::max(longest_chord_, sheet.chord(x));
      shortest_panel_ = std::min(shortest_panel_, sheet.chord(x) / n_chord);
      const End* end = j == 0 ? &ends[2 * s] : j == n_span ? &ends[2 * s + 1] : nullptr;
      for (int i = 0; i <= n_chord; ++i) {
        const double fraction = double(i) / n_chord;
        auto add = [&](const Sheet& whose, double at_x, double share) {
          for (Attachment& at : whose.attach(arm_, at_x, fraction)) {
            at.corner = lattice_->corner(int(s), i, j);
            at.weight *= share;
            attachments_.push_back(std::move(at));
          }
        };
        if (end == nullptr || end->meets.size() == 1) {
          add(sheet, x, 1);
        } else {
          for (const int other : end->meets) add(*ends[other].sheet, ends[other].x(), 1.0 / double(end->meets.size()));
        }
      }
    }
  }
  list_carriers();
}

/// The ends of all surfaces, root and tip in turn, and which of them are one edge.
std::vector<LiftingSurfaces::End> LiftingSurfaces::ends_of(const std::vector<Sheet>& sheets, const State& start) const {
  const State zero = State::zero(arm_);
  const Kinematics kin_zero = kinematics_of(arm_, zero), kin_start = kinematics_of(arm_, start);
  std::vector<End> ends;
  for (const Sheet& sheet : sheets)
    for (const bool tip : {false, true}) {
      End end{&sheet, tip, {}, {}, {}};
      auto corner = [&](double fraction, const State& state, const Kinematics& kin) {
        Vector3d place = Vector3d::Zero();
        for (const Attachment& at : sheet.attach(arm_, end.x(), fraction))
          place += at.weight * (kin.X_WB[at.link] * in_link(at, state, kin));
        return place;
      };
      end.zero = {corner(0, zero, kin_zero), corner(1, zero, kin_zero)};
      end.start = {corner(0, start, kin_start), corner(1, start, kin_start)};
      ends.push_back(std::move(end));
    }
  for (int e = 0; e < int(ends.size()); ++e)
    for (int f = 0; f < int(ends.size()); ++f) {
      const double chord = ends[e].chord(), apart = ends[e].start.gap(ends[f].start);
      if (e == f || (e / 2 != f / 2 && std::min(apart, ends[e].zero.gap(ends[f].zero)) < same_edge * chord &&
                     apart < one_surface * chord))
        ends[e].meets.push_back(f);
    }
  check_edges(ends);
  return ends;
}

void LiftingSurfaces::check_edges(const std::vector<End>& ends) const {
  for (size_t e = 0; e < ends.size(); ++e)
    for (size_t f = 0; f < e; ++f) {
      const End &end = ends[e], &other = ends[f];
      if (end.sheet == other.sheet) continue;
      const std::string path = fmt::format("arm.links[{}].surface", end.sheet->i_case), &name = names_[f / 2];
      const int panels = other.sheet->spec->panels_chord;
      if (std::find(end.meets.begin(), end.meets.end(), int(f)) != end.meets.end()) {
        if (end.sheet->spec->panels_chord != panels)
          throw FieldError(path + ".panels_chord",
                           fmt::format("expected {} as on '{}': the two meet edge to edge and form one surface, got {}",
                                       panels, name, end.sheet->spec->panels_chord));
        continue;
      }
      auto root = [&](const End& of) {
        return stiff_root(arm_, of.tip ? of.sheet->pieces.back().link : of.sheet->pieces.front().link);
      };
      const double tolerance = on_edge * std::min(end.chord(), other.chord());
      if (root(end) != root(other) &&
          (end.start.lies_on(other.start, tolerance) || other.start.lies_on(end.start, tolerance)))
        throw FieldError(path, fmt::format("one of its ends lies on an end of '{}' and moves relative to it, but is "
                                           "not the same edge: give both the same chord, axis and direction from "
                                           "leading to trailing edge there, or leave a gap of at least {:g} chords",
                                           name, on_edge));
    }
}

void LiftingSurfaces::check_wind(const aero::Points& corners, const aero::Points& velocities,
                                 const Vector3d& wind) const {
  for (int s = 0; s < lattice_->n_surfaces(); ++s) {
    const auto [n_chord, n_span] = lattice_->shape(s);
    Vector3d chord = Vector3d::Zero(), air = wind;
    for (int j = 0; j <= n_span; ++j)
      for (const int i : {0, n_chord}) {
        const int corner = lattice_->corner(s, i, j);
        chord += (i > 0 ? 1 : -1) * corners.col(corner);
        air -= velocities.col(corner) / (2 * (n_span + 1));
      }
    const Vector3d span = corners.col(lattice_->corner(s, 0, n_span)) - corners.col(lattice_->corner(s, 0, 0));
    const Vector3d normal = chord.cross(span).normalized(), along = air - air.dot(normal) * normal;
    if (along.norm() < along_surface * air.norm()) continue;
    const double angle = std::atan2(along.cross(chord).norm(), along.dot(chord));
    if (angle <= widest_sweep) continue;
    const double degrees = angle * 180 / std::numbers::pi;
    const char* const how = degrees > 120 ? "from its trailing to its leading edge" : "along its span";
    throw FieldError("wind.direction",
                     fmt::format("the wind blows over the surface of '{}' {}, {:.0f} deg away from the direction from "
                                 "leading to trailing edge; a surface sheds its wake at the trailing edge only, which "
                                 "is valid up to {:.0f} deg. Turn the wind, or the surface by its `trailing`",
                                 names_[s], how, degrees, widest_sweep * 180 / std::numbers::pi));
  }
}

void LiftingSurfaces::list_carriers() {
  on_links_.assign(arm_.n_links(), Vector6d::Zero());
  for (const Attachment& at : attachments_)
    if (std::find(carriers_.begin(), carriers_.end(), at.link) == carriers_.end()) carriers_.push_back(at.link);
}

Vector3d LiftingSurfaces::in_link(const Attachment& at, const State& state, const Kinematics& kin) const {
  if (at.section) {
    RodSectionPose pose;
    kin.rods[size_t(at.link)]->section(*at.section, pose);
    return pose.p + pose.R * at.c;
  }
  Vector3d r = at.place;
  if (at.shape.cols() > 0) r.noalias() += at.shape * state.q.segment(arm_.link(at.link).flex_q0(), at.shape.cols());
  return r;
}

/// Calls visit(k, velocity of the corner in B axes per unit rate of the link's own coordinate k).
template <class Visit>
void LiftingSurfaces::for_each_own(const Attachment& at, const Kinematics& kin, Visit visit) const {
  if (at.section) {
    RodSectionPose pose;
    kin.rods[size_t(at.link)]->section(*at.section, pose);
    const Vector3d arm = pose.R * at.c;
    for (int k = 0; k < pose.moves.cols(); ++k) visit(k, Vector3d(pose.slide(k) + pose.turn(k).cross(arm)));
  }
  for (int k = 0; k < at.shape.cols(); ++k) visit(k, Vector3d(at.shape.col(k)));
}

void LiftingSurfaces::place(const State& state, const Kinematics& kin, aero::Points& corners) const {
  corners.setZero(3, lattice_->n_corners());
  for (const Attachment& at : attachments_)
    corners.col(at.corner) += at.weight * (kin.X_WB[at.link] * in_link(at, state, kin));
}

void LiftingSurfaces::move(const State& state, const Kinematics& kin, aero::Points& velocities) const {
  velocities.setZero(3, lattice_->n_corners());
  for (const Attachment& at : attachments_) {
    const Matrix3d& R = kin.X_WB[at.link].R;
    const Vector6d& V = kin.V_WB_W[at.link];
    Vector3d bending = Vector3d::Zero();
    const double* rate = state.v.data() + arm_.link(at.link).flex_v0();
    for_each_own(at, kin, [&](int k, const Vector3d& moves) { bending += rate[k] * moves; });
    const Vector3d v = V.tail<3>() + V.head<3>().cross(R * in_link(at, state, kin)) + R * bending;
    velocities.col(at.corner) += at.weight * v;
  }
}

/// Calls visit(column, velocity of the corner per unit rate of that coordinate).
template <class Visit>
void LiftingSurfaces::for_each_direction_of(const Attachment& at, const Vector3d& r_W, const Kinematics& kin,
                                            Visit visit) const {
  const Pose& X_WB = kin.X_WB[at.link];
  const int v0 = arm_.link(at.link).flex_v0();
  for_each_own(at, kin, [&](int k, const Vector3d& moves) { visit(v0 + k, Vector3d(X_WB.R * moves)); });
  for_each_direction(arm_, kin, at.link,
                     [&](int column, const Vector3d& turn, const Vector3d& slide, const Vector3d& origin) {
                       visit(column, Vector3d(slide + turn.cross(r_W - origin)));
                     });
}

void LiftingSurfaces::add_forces(const State& state, const Kinematics& kin, const aero::Points& forces,
                                 Eigen::Ref<VectorXd> tau) {
  for (const int link : carriers_) on_links_[link].setZero();
  for (const Attachment& at : attachments_) {
    const Vector3d force = at.weight * forces.col(at.corner);
    const Pose& X_WB = kin.X_WB[at.link];
    on_links_[at.link].head<3>() += (X_WB * in_link(at, state, kin)).cross(force);
    on_links_[at.link].tail<3>() += force;
    const Vector3d own = X_WB.R.transpose() * force;
    const int v0 = arm_.link(at.link).flex_v0();
    for_each_own(at, kin, [&](int k, const Vector3d& moves) { tau[v0 + k] += moves.dot(own); });
  }
  for (const int link : carriers_) {
    const Vector3d moment = on_links_[link].head<3>(), force = on_links_[link].tail<3>();
    for_each_direction(arm_, kin, link,
                       [&](int column, const Vector3d& turn, const Vector3d& slide, const Vector3d& origin) {
                         tau[column] += turn.dot(moment - origin.cross(force)) + slide.dot(force);
                       });
  }
}

void LiftingSurfaces::list(const State& state, const Kinematics& kin, const aero::Points& forces,
                           std::vector<Vector6d>& on_tips, std::vector<AlongLoad>& along) const {
  for (const Attachment& at : attachments_) {
    const Vector3d force = at.weight * forces.col(at.corner), place = kin.X_WB[at.link] * in_link(at, state, kin);
    if (at.bends()) {
      along.push_back({at.link, at.section ? at.section->x : at.place.x(), place, force});
      continue;
    }
    on_tips[at.link].head<3>() += (place - kin.X_WT[at.link].p).cross(force);
    on_tips[at.link].tail<3>() += force;
  }
}

MatrixXd LiftingSurfaces::shapes(const State& state, const Kinematics& kin) const {
  MatrixXd shapes = MatrixXd::Zero(3 * lattice_->n_corners(), arm_.nv());
  for (const Attachment& at : attachments_)
    for_each_direction_of(at, kin.X_WB[at.link] * in_link(at, state, kin), kin,
                          [&](int column, const Vector3d& velocity) {
                            shapes.block<3, 1>(3 * at.corner, column) += at.weight * velocity;
                          });
  return shapes;
}

double air_step(const WindSpec& wind, const LiftingSurfaces& surfaces, const Simulate& run) {
  const double rows = std::min(run.row_interval(), run.duration);
  const double fastest = CaseWind(wind).fastest(run.duration);
  const double asked = wind.step.value_or(surfaces.shortest_panel() / fastest);
  // Some parts in 1e9 too short is rounding.
  const long n =
      count_of_steps(rows * (1 - 1e-9), asked, limits::steps_between_rows, wind.step ? "wind.step" : "wind.speed",
                     "steps of the air between two rows", "a longer wind.step, or a shorter output_step");
  return rows / double(std::max(1L, n));
}

aero::LatticeOptions lattice_options(const WindSpec& wind, const LiftingSurfaces& surfaces, double step) {
  aero::LatticeOptions options;
  options.wake = wind.wake == WakeModel::free ? aero::WakeKind::free : aero::WakeKind::prescribed;
  const aero::Lattice& lattice = surfaces.lattice();
  const std::int64_t influences = std::int64_t(lattice.n_panels()) * lattice.n_edge_panels();  // of one row
  const long most = std::max<long>(2, std::min<long>(limits::wake_rows, limits::wake_influences / influences));
  const double length = wind.wake_length * surfaces.longest_chord();
  options.wake_rows = int(std::max(2L, count_of_steps(length, wind.speed * step, most, "wind.wake_length",
                                                      "rows of the wake", "a shorter wake, or a longer wind.step")));
  options.truncation = aero::Truncation::merge;
  if (wind.wake == WakeModel::free) options.core = wind.speed * step / 2;
  options.stall = wind.stall;
  if (wind.mirror) options.symmetry = aero::SymmetryPlane{Vector3d::Zero(), *wind.mirror};
  return options;
}

}  // namespace lithe
