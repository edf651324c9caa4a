#include "lithe/drive/lifting_surfaces.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "lithe/describe/case_limits.h"
#include "lithe/describe/limits.h"
#include "lithe/spatial/demand.h"

namespace lithe {
namespace {

/// A stretch of a link's x axis that moves as one body, or bends by shapes.
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
    if (link.i_case != i_case || link.is_rotor) continue;
    const double length = link.X_BT.p.x();
    // Of a hinge's three turns the last carries the piece; a root without length carries nothing.
    if (length <= 0) continue;
    pieces.push_back({i, x, x + length});
    x += length;
  }
  return pieces;
}

/// Which pieces a place moves with, and in what parts: with its own, and near a hinge more and more with the next, so that twist
/// and slope do not jump. As far as the pieces' middles; all of a first or last one.
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

/// An end of a surface in the world, undeformed: its two corners.
struct End {
  Vector3d leading, trailing;
  bool meets(const End& other, double tolerance) const {
    return (leading - other.leading).norm() < tolerance && (trailing - other.trailing).norm() < tolerance;
  }
  bool lies_in(const Vector3d& normal, double tolerance) const {
    const Vector3d n = normal.normalized();
    return std::abs(leading.dot(n)) < tolerance && std::abs(trailing.dot(n)) < tolerance;
  }
};

struct Sheet {
  const SurfaceSpec* spec;
  int i_case;
  std::vector<Piece> pieces;
  double length;
  End ends[2];

  double chord(double x) const {
    const double tip = spec->tip_chord.value_or(spec->chord);
    return spec->chord + (tip - spec->chord) * x / length;
  }
  /// From the axis to the place at `fraction` of the chord.
  Vector3d across(double x, double fraction) const {
    return (fraction - spec->axis) * chord(x) * spec->trailing.normalized();
  }
};

}  // namespace

LiftingSurfaces::LiftingSurfaces(const Case& data, const Arm& arm) : arm_(arm) {
  const Kinematics kin = kinematics_of(arm, State::zero(arm));
  std::vector<Sheet> sheets;
  for (size_t i = 0; i < data.arm.links.size(); ++i) {
    const LinkSpec& link = data.arm.links[i];
    if (!link.surface) continue;
    Sheet sheet{&*link.surface, int(i), pieces_of(arm, int(i)), 0, {}};
    LITHE_DEMAND(!sheet.pieces.empty());
    sheet.length = sheet.pieces.back().end;
    const Pose& X_WB = kin.X_WB[sheet.pieces.front().link];
    for (const int end : {0, 1}) {
      const double x = end * sheet.length;
      sheet.ends[end] = {X_WB * (Vector3d(x, 0, 0) + sheet.across(x, 0)),
                         X_WB * (Vector3d(x, 0, 0) + sheet.across(x, 1))};
    }
    names_.push_back(link.name);
    sheets.push_back(std::move(sheet));
  }
  LITHE_DEMAND(!sheets.empty());

  std::vector<aero::SurfaceShape> shapes;
  for (const Sheet& sheet : sheets) shapes.push_back({sheet.spec->panels_chord, sheet.spec->panels_span});
  lattice_.emplace(std::move(shapes));

  shortest_panel_ = std::numeric_limits<double>::infinity();
  for (size_t s = 0; s < sheets.size(); ++s) {
    const Sheet& sheet = sheets[s];
    const double tolerance = 1e-6 * sheet.spec->chord;
    auto is_free = [&](int end) {
      if (data.wind && data.wind->mirror && sheet.ends[end].lies_in(*data.wind->mirror, tolerance)) return false;
      for (size_t other = 0; other < sheets.size(); ++other)
        for (const int its : {0, 1})
          if (other != s && sheet.ends[end].meets(sheets[other].ends[its], tolerance)) return false;
      return true;
    };
    const double in_root = is_free(0) ? 0.25 : 0, in_tip = is_free(1) ? 0.25 : 0;
    const int n_chord = sheet.spec->panels_chord, n_span = sheet.spec->panels_span;
    const double width = sheet.length / (n_span + in_root + in_tip);
    for (int j = 0; j <= n_span; ++j) {
      const double x = std::clamp((in_root + j) * width, 0.0, sheet.length);
      longest_chord_ = std::max(longest_chord_, sheet.chord(x));
      shortest_panel_ = std::min(shortest_panel_, sheet.chord(x) / n_chord);
      const auto shares = shares_at(sheet.pieces, x);
      for (int i = 0; i <= n_chord; ++i) {
        const Vector3d across = sheet.across(x, double(i) / n_chord);
        for (const auto& [piece, share] : shares) {
          const Link& link = arm_.link(piece->link);
          const double own_x = x - piece->begin;  // beyond the piece where it shares
          Attachment at{lattice_->corner(int(s), i, j), piece->link, share, Vector3d(own_x, 0, 0) + across, {}};
          if (link.flex) at.shape = shape_at(*link.flex, own_x, across);
          attachments_.push_back(std::move(at));
        }
      }
    }
  }
  list_carriers();
}

void LiftingSurfaces::list_carriers() {
  on_links_.assign(arm_.n_links(), Vector6d::Zero());
  for (const Attachment& at : attachments_)
    if (std::find(carriers_.begin(), carriers_.end(), at.link) == carriers_.end()) carriers_.push_back(at.link);
}

Vector3d LiftingSurfaces::in_link(const Attachment& at, const State& state) const {
  Vector3d r = at.place;
  if (at.shape.cols() > 0) r.noalias() += at.shape * state.q.segment(arm_.link(at.link).flex_q0(), at.shape.cols());
  return r;
}

void LiftingSurfaces::place(const State& state, const Kinematics& kin, aero::Points& corners) const {
  corners.setZero(3, lattice_->n_corners());
  for (const Attachment& at : attachments_)
    corners.col(at.corner) += at.weight * (kin.X_WB[at.link] * in_link(at, state));
}

void LiftingSurfaces::move(const State& state, const Kinematics& kin, aero::Points& velocities) const {
  velocities.setZero(3, lattice_->n_corners());
  for (const Attachment& at : attachments_) {
    const Matrix3d& R = kin.X_WB[at.link].R;
    const Vector6d& V = kin.V_WB_W[at.link];
    Vector3d v = V.tail<3>() + V.head<3>().cross(R * in_link(at, state));
    if (at.shape.cols() > 0) {
      const Vector3d bending = at.shape * state.v.segment(arm_.link(at.link).flex_v0(), at.shape.cols());
      v += R * bending;
    }
    velocities.col(at.corner) += at.weight * v;
  }
}

/// Calls visit(column, velocity of the corner per unit rate of that coordinate).
template <class Visit>
void LiftingSurfaces::for_each_direction_of(const Attachment& at, const Vector3d& r_W, const Kinematics& kin,
                                            Visit visit) const {
  const Pose& X_WB = kin.X_WB[at.link];
  for (int k = 0; k < at.shape.cols(); ++k) visit(arm_.link(at.link).flex_v0() + k, Vector3d(X_WB.R * at.shape.col(k)));
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
    on_links_[at.link].head<3>() += (X_WB * in_link(at, state)).cross(force);
    on_links_[at.link].tail<3>() += force;
    if (at.shape.cols() == 0) continue;
    const Vector3d own = X_WB.R.transpose() * force;
    tau.segment(arm_.link(at.link).flex_v0(), at.shape.cols()).noalias() += at.shape.transpose() * own;
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
    const Vector3d force = at.weight * forces.col(at.corner), place = kin.X_WB[at.link] * in_link(at, state);
    if (at.shape.cols() > 0) {
      along.push_back({at.link, at.place.x(), place, force});
      continue;
    }
    on_tips[at.link].head<3>() += (place - kin.X_WT[at.link].p).cross(force);
    on_tips[at.link].tail<3>() += force;
  }
}

MatrixXd LiftingSurfaces::shapes(const State& state, const Kinematics& kin) const {
  MatrixXd shapes = MatrixXd::Zero(3 * lattice_->n_corners(), arm_.nv());
  for (const Attachment& at : attachments_)
    for_each_direction_of(at, kin.X_WB[at.link] * in_link(at, state), kin, [&](int column, const Vector3d& velocity) {
      shapes.block<3, 1>(3 * at.corner, column) += at.weight * velocity;
    });
  return shapes;
}

double air_step(const WindSpec& wind, const LiftingSurfaces& surfaces, const Simulate& run) {
  const double rows = std::min(run.output_step.value_or(run.duration / 500), run.duration);
  const double asked = wind.step.value_or(surfaces.shortest_panel() / wind.speed);
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
  if (wind.mirror) options.symmetry = aero::SymmetryPlane{Vector3d::Zero(), *wind.mirror};
  return options;
}

}  // namespace lithe
