#include "lithe/simulate/columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lithe {
namespace {

std::string unit_of(const Link& link, const char* turning, const char* sliding) {
  return std::holds_alternative<Prismatic>(link.joint) ? sliding : turning;
}

/// Calls visit(index of the station, its place as a fraction of the length) for the five places along a beam that every run
/// records: both ends, the middle and the quarters, or the stations nearest to them.
template <class Visit>
void for_each_section(const FlexBasis& flex, Visit visit) {
  const std::vector<double>& x = flex.stations.x;
  if (flex.stations.mass.empty()) return;  // not a beam
  int last = -1;
  for (const double fraction : {0.0, 0.25, 0.5, 0.75, 1.0}) {
    const double wanted = fraction * x.back();
    const auto nearest = std::min_element(
        x.begin(), x.end(), [&](double a, double b) { return std::abs(a - wanted) < std::abs(b - wanted); });
    const int i = int(nearest - x.begin());
    if (i == last) continue;
    last = i;
    visit(i, *nearest / x.back());
  }
}

/// A place of a segmented link that every run records: its root, a hinge, or its tip.
struct SegmentSection {
  enum { root, hinge, tip } kind;
  int i_root;          // the piece on the link's own joint
  int i_link;          // whose joint bears what goes through the section; of a tip, the last piece
  double x, fraction;  // of the straight link
};

/// Calls visit(SegmentSection) along every segmented link, root to tip.
template <class Visit>
void for_each_segment_section(const Arm& arm, Visit visit) {
  for (int first = 0; first < arm.n_links(); ++first) {
    const int i_root = arm.link(first).parent;
    if (!arm.link(first).is_segment || arm.link(i_root).is_segment) continue;
    // A hinge is three turns, the third of which carries the next piece.
    double length = arm.link(i_root).X_BT.p.x();
    int end = first;
    for (; end < arm.n_links() && arm.link(end).is_segment && arm.link(end).i_case == arm.link(first).i_case; ++end)
      length += arm.link(end).X_BT.p.x();
    visit(SegmentSection{SegmentSection::root, i_root, i_root, 0, 0});
    double x = arm.link(i_root).X_BT.p.x();
    for (int i = first; i < end; i += 3) {
      if (x > 0) visit(SegmentSection{SegmentSection::hinge, i_root, i, x, x / length});
      x += arm.link(i + 2).X_BT.p.x();
    }
    visit(SegmentSection{SegmentSection::tip, i_root, end - 1, length, 1});
  }
}

/// The name of the case's link: the last piece bears it.
std::string name_of(const Arm& arm, const SegmentSection& section) {
  std::string name = arm.link(section.i_root).name;
  name.resize(name.rfind(".root"));
  return name;
}

/// How a section of a segmented link moves against the link's own frame B, and what goes through it.
struct SegmentForces {
  Vector3d u, force, moment;
  double twist;
};
SegmentForces through(const Arm& arm, const InternalForces& internal, const SegmentSection& section) {
  const Kinematics& kin = internal.kinematics();
  const Pose& X_WB = kin.X_WB[section.i_root];
  const bool at_root = section.kind == SegmentSection::root, at_tip = section.kind == SegmentSection::tip;
  // The frame inboard of the section, in whose axes forces are given.
  const Pose& X_WS = at_root ? X_WB : kin.X_WT[at_tip ? section.i_link : arm.link(section.i_link).parent];
  SegmentForces result;
  result.u = X_WB.R.transpose() * (X_WS.p - X_WB.p) - Vector3d(section.x, 0, 0);
  auto twist_of = [&](const Matrix3d& R_WS) { return log_rotation(X_WB.R.transpose() * R_WS).x(); };
  result.twist = twist_of(X_WS.R);
  // A hinge stands for the middle of a stretch of beam: half of its own turn has happened there.
  if (section.kind == SegmentSection::hinge)
    result.twist = (result.twist + twist_of(kin.X_WB[section.i_link + 2].R)) / 2;
  const Matrix3d R_SB = X_WS.R.transpose() * kin.X_WB[section.i_link].R;
  const Vector6d& reaction = internal.reaction(section.i_link);
  // The joint acts on the outboard part; the resultants are what that part does to the inboard one.
  result.moment = -(R_SB * reaction.head<3>());
  result.force = -(R_SB * reaction.tail<3>());
  return result;
}

/// Whether a link's joint is one of the case's own, whose reaction is of interest. Forces inside arms whose beams slide through
/// guides are not known (InternalForces).
bool has_reaction(const Arm& arm, const Link& link) {
  return link.i_case >= 0 && !link.is_rotor && !link.is_segment && !arm.has_guides();
}

/// The largest strain of a fibre in a section under [N, M_y, M_z]; sections known by numbers alone have no outline.
double fibre_strain(const Stations& stations, int i, const Vector3d& force, const Vector3d& moment) {
  const Outline& outline = stations.outline[i];
  const double axial = std::abs(force.x()) / stations.stiffness[i].x();
  const double about_y = outline.z * moment.y() / stations.bending[i].y();
  const double about_z = outline.y * moment.z() / stations.bending[i].z();
  return axial + (outline.round ? std::hypot(about_y, about_z) : std::abs(about_y) + std::abs(about_z));
}

}  // namespace

std::vector<Column> result_columns(const Arm& arm) {
  std::vector<Column> columns, rates, accelerations;
  for (const Link& link : arm.links()) {
    const bool free = std::holds_alternative<Free>(link.joint);
    for (int k = 0; k < link.nq(); ++k)
      columns.push_back({arm.positions()[link.q0 + k], free ? (k < 3 ? "m" : "") : unit_of(link, "rad", "m")});
    for (int k = 0; k < link.n_flex(); ++k)
      columns.push_back({arm.positions()[link.flex_q0() + k], arm.turns()[link.flex_v0() + k] ? "rad" : "m"});
    for (int k = 0; k < link.nv() + link.n_flex(); ++k) {
      const std::string& name = arm.coordinates()[link.v0 + k];
      const bool turns = arm.turns()[link.v0 + k];
      rates.push_back({free && k < 6 ? name : name + ".rate", turns ? "rad/s" : "m/s"});
      accelerations.push_back({name + ".acceleration", turns ? "rad/s^2" : "m/s^2"});
    }
  }
  columns.insert(columns.end(), rates.begin(), rates.end());
  columns.insert(columns.end(), accelerations.begin(), accelerations.end());
  auto add = [&](const std::string& stem, std::initializer_list<const char*> names, const char* unit) {
    for (const char* name : names) columns.push_back({stem + name, unit});
  };
  for (const int i : arm.torque_links()) {
    std::string name = arm.link(i).joint_name;
    if (arm.link(i).is_rotor) name.resize(name.rfind(".motor"));
    columns.push_back({name + ".torque", unit_of(arm.link(i), "N.m", "N")});
  }
  add("tip.", {"x", "y", "z"}, "m");
  add("tip.", {"qw", "qx", "qy", "qz"}, "");
  add("tip_error.", {"x", "y", "z"}, "m");
  add("energy.", {"kinetic", "elastic", "gravity", "input", "dissipated", "residual"}, "J");
  for (const Link& link : arm.links()) {
    if (!has_reaction(arm, link)) continue;
    add(link.joint_name + ".reaction.", {"mx", "my", "mz"}, "N.m");
    add(link.joint_name + ".reaction.", {"fx", "fy", "fz"}, "N");
  }
  for (const Link& link : arm.links()) {
    if (!link.flex || arm.has_guides()) continue;
    for_each_section(*link.flex, [&](int i, double fraction) {
      const std::string stem = fmt::format("{}@{:.3g}.", link.name, fraction);
      add(stem, {"ux", "uy", "uz"}, "m");
      add(stem, {"twist"}, "rad");
      add(stem, {"N", "Vy", "Vz"}, "N");
      add(stem, {"T", "My", "Mz"}, "N.m");
      if (link.flex->stations.outline[i].known()) add(stem, {"strain"}, "");
    });
  }
  for_each_segment_section(arm, [&](const SegmentSection& section) {
    const std::string stem = fmt::format("{}@{:.3g}.", name_of(arm, section), section.fraction);
    add(stem, {"ux", "uy", "uz"}, "m");
    add(stem, {"twist"}, "rad");
    if (section.kind == SegmentSection::tip)
      return;  // what a tip passes on is the next joint's reaction and the payload's
    add(stem, {"N", "Vy", "Vz"}, "N");
    add(stem, {"T", "My", "Mz"}, "N.m");
  });
  return columns;
}

void fill_row(const Arm& arm, const Row& row, double residual, std::vector<double>& values) {
  size_t k = 0;
  auto put = [&](double value) { values[k++] = value; };
  for (const double q : row.state.q) put(q);
  for (const double v : row.state.v) put(v);
  for (const double a : row.vdot) put(a);
  for (const int i : arm.torque_links()) put(row.tau[arm.link(i).v0]);
  for (const double x : row.X_WT.p) put(x);
  const Quaterniond turn(row.X_WT.R);
  for (const double x : {turn.w(), turn.x(), turn.y(), turn.z()}) put(x);
  for (const double x : row.tip_error) put(x);
  for (const double e : {row.kinetic, row.elastic, row.gravity, row.put_in, row.lost, residual}) put(e);
  for (int i = 0; i < arm.n_links(); ++i)
    if (has_reaction(arm, arm.link(i)))
      for (const double x : row.internal->reaction(i)) put(x);
  for (int i = 0; i < arm.n_links(); ++i) {
    const Link& link = arm.link(i);
    if (!link.flex || arm.has_guides()) continue;
    const InternalForces::Along& along = row.internal->along(i);
    for_each_section(*link.flex, [&](int at, double) {
      for (const double x : along.u.col(at)) put(x);
      put(along.theta(0, at));
      for (const double x : along.force.col(at)) put(x);
      for (const double x : along.moment.col(at)) put(x);
      if (link.flex->stations.outline[at].known())
        put(fibre_strain(link.flex->stations, at, along.force.col(at), along.moment.col(at)));
    });
  }
  for_each_segment_section(arm, [&](const SegmentSection& section) {
    const SegmentForces forces = through(arm, *row.internal, section);
    for (const double x : forces.u) put(x);
    put(forces.twist);
    if (section.kind == SegmentSection::tip) return;
    for (const double x : forces.force) put(x);
    for (const double x : forces.moment) put(x);
  });
}

}  // namespace lithe
