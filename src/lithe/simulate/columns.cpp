#include "lithe/simulate/columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lithe/arm/constraint.h"
#include "lithe/dynamics/link_stress.h"
#include "lithe/dynamics/segment_sections.h"

namespace lithe {
namespace {

const char* unit_word(CoordinateUnit unit) {
  return unit == CoordinateUnit::radians ? "rad" : unit == CoordinateUnit::metres ? "m" : "";
}

/// Of a coordinate's derivative by time, of that order.
std::string derivative_unit(CoordinateUnit unit, int order) {
  const std::string of = unit_word(unit);
  return fmt::format("{}/s{}", of.empty() ? "1" : of, order == 2 ? "^2" : "");
}

/// Of a joint's position number k: those of a coordinate, of a place, or none for a quaternion's.
std::string position_unit(const Joint& joint, int k) {
  if (joint.rates_are_coordinates()) return joint.coordinates()[k].turns ? "rad" : "m";
  return k >= joint.quaternion() && k < joint.quaternion() + 4 ? "" : "m";
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

/// Whether a link's joint is one of the case's own, whose reaction is of interest. Forces inside arms whose beams slide through
/// guides are not known (InternalForces).
bool has_reaction(const Arm& arm, const Link& link) {
  return link.i_case >= 0 && link.role != LinkRole::rotor && link.role != LinkRole::segment && !arm.has_guides();
}

}  // namespace

std::vector<Column> result_columns(const Arm& arm) {
  std::vector<Column> columns, rates, accelerations;
  for (const Link& link : arm.links()) {
    // Nodes of elements and hinges of segments are too many for a summary: their effect is shown by the sections and the tip.
    const bool few[] = {link.role != LinkRole::segment, link.flex && !link.flex->nodal};
    for (int k = 0; k < link.nq(); ++k)
      columns.push_back({arm.positions()[link.q0 + k], position_unit(*link.joint, k), few[0]});
    for (int k = 0; k < link.n_flex(); ++k)
      columns.push_back({arm.positions()[link.flex_q0() + k], unit_word(arm.unit(link.flex_v0() + k)), few[1]});
    for (int k = 0; k < link.nv() + link.n_flex(); ++k) {
      const std::string& name = arm.coordinates()[link.v0 + k];
      const CoordinateUnit unit = arm.unit(link.v0 + k);
      const bool is_rate = k < link.nv() && !link.joint->coordinates()[k].has_position;  // by its very name
      rates.push_back({is_rate ? name : name + ".rate", derivative_unit(unit, 1), few[k >= link.nv()]});
      accelerations.push_back({name + ".acceleration", derivative_unit(unit, 2), few[k >= link.nv()]});
    }
  }
  columns.insert(columns.end(), rates.begin(), rates.end());
  columns.insert(columns.end(), accelerations.begin(), accelerations.end());
  auto add = [&](const std::string& stem, std::initializer_list<const char*> names, const char* unit) {
    for (const char* name : names) columns.push_back({stem + name, unit});
  };
  // Columns that a summary omits.
  auto add_detail = [&](const std::string& stem, std::initializer_list<const char*> names, const char* unit) {
    for (const char* name : names) columns.push_back({stem + name, unit, false});
  };
  for (const TorqueInput& input : arm.torque_inputs())
    columns.push_back({input.name + ".torque", input.turns ? "N.m" : "N"});
  for (const auto& constraint : arm.constraints())
    for (const Constraint::Reaction& reaction : constraint->reactions())
      columns.push_back({reaction.name, reaction.unit});
  if (arm.root_moves()) {
    // As those of a free base: velocities [ω; v] and their rates in base axes.
    add("base.", {"x", "y", "z"}, "m");
    add("base.", {"qw", "qx", "qy", "qz"}, "");
    add("base.", {"wx", "wy", "wz"}, "rad/s");
    add("base.", {"vx", "vy", "vz"}, "m/s");
    add("base.", {"wx.acceleration", "wy.acceleration", "wz.acceleration"}, "rad/s^2");
    add("base.", {"vx.acceleration", "vy.acceleration", "vz.acceleration"}, "m/s^2");
  }
  add("tip.", {"x", "y", "z"}, "m");
  add_detail("tip.", {"qw", "qx", "qy", "qz"}, "");
  add("tip_error.", {"x", "y", "z"}, "m");
  columns.push_back({"|tip_error|", "m"});
  add_detail("tip_turn.", {"x", "y", "z"}, "rad");
  columns.push_back({"|tip_turn|", "rad"});
  add_detail("energy.", {"kinetic", "elastic", "gravity", "input", "dissipated", "residual"}, "J");
  for (const Link& link : arm.links()) {
    if (!has_reaction(arm, link)) continue;
    add_detail(link.joint_name + ".reaction.", {"mx", "my", "mz"}, "N.m");
    add_detail(link.joint_name + ".reaction.", {"fx", "fy", "fz"}, "N");
  }
  auto add_fibres = [&](const std::string& stem) {
    add(stem, {"strain"}, "");
    add_detail(stem, {"stress"}, "Pa");
  };
  for (const Link& link : arm.links()) {
    if (!link.flex || arm.has_guides()) continue;
    for_each_section(*link.flex, [&](int i, double fraction) {
      const std::string stem = fmt::format("{}@{:.3g}.", link.name, fraction);
      add_detail(stem, {"ux", "uy", "uz"}, "m");
      add_detail(stem, {"twist"}, "rad");
      add_detail(stem, {"N", "Vy", "Vz"}, "N");
      add_detail(stem, {"T", "My", "Mz"}, "N.m");
      if (link.flex->stations.fibres[i]) add_fibres(stem);
    });
  }
  for_each_segment_section(arm, [&](const SegmentSection& section) {
    const std::string stem = fmt::format("{}@{:.3g}.", arm.case_name(arm.link(section.i_root)), section.fraction);
    add_detail(stem, {"ux", "uy", "uz"}, "m");
    add_detail(stem, {"twist"}, "rad");
    if (section.kind == SegmentSection::tip)
      return;  // what a tip passes on is the next joint's reaction and the payload's
    add_detail(stem, {"N", "Vy", "Vz"}, "N");
    add_detail(stem, {"T", "My", "Mz"}, "N.m");
    if (arm.link(section.i_link).fibres) add_fibres(stem);
  });
  for (const StressedLink& link : stressed_links(arm)) {
    add_detail(link.name, {".stress"}, "Pa");
    add_detail(link.name, {".stress_at"}, "m");
  }
  return columns;
}

void fill_row(const Arm& arm, const Row& row, double residual, std::vector<double>& values) {
  size_t k = 0;
  auto put = [&](double value) { values[k++] = value; };
  for (const double q : row.state.q) put(q);
  for (const double v : row.state.v) put(v);
  for (const double a : row.vdot) put(a);
  for (const TorqueInput& input : arm.torque_inputs()) put(row.tau[input.v]);
  for (const double lambda : row.constraint_forces) put(lambda);
  if (arm.root_moves()) {
    const RootMotion root = arm.root(row.state.t);
    const Matrix3d R_RW = root.X_WR.R.transpose();
    const Quaterniond attitude(root.X_WR.R);
    const Vector3d w = R_RW * root.omega, v = R_RW * root.velocity;
    for (const double x : root.X_WR.p) put(x);
    for (const double x : {attitude.w(), attitude.x(), attitude.y(), attitude.z()}) put(x);
    for (const Vector3d& part : {w, v, Vector3d(R_RW * root.alpha), Vector3d(R_RW * root.acceleration - w.cross(v))})
      for (const double x : part) put(x);
  }
  for (const double x : row.X_WT.p) put(x);
  const Quaterniond turn(row.X_WT.R);
  for (const double x : {turn.w(), turn.x(), turn.y(), turn.z()}) put(x);
  for (const double x : row.tip_error) put(x);
  put(row.tip_error.norm());
  for (const double x : row.tip_turn) put(x);
  put(row.tip_turn.norm());
  for (const double e : {row.kinetic, row.elastic, row.gravity, row.put_in, row.lost, residual}) put(e);
  for (int i = 0; i < arm.n_links(); ++i)
    if (has_reaction(arm, arm.link(i)))
      for (const double x : row.internal->reaction(i)) put(x);
  auto put_fibres = [&](const Fibres* fibres, const Vector3d& force, const Vector3d& moment) {
    if (fibres == nullptr) return;
    put(fibres->strain(force, moment));
    put(fibres->stress(force, moment));
  };
  for (int i = 0; i < arm.n_links(); ++i) {
    const Link& link = arm.link(i);
    if (!link.flex || arm.has_guides()) continue;
    const InternalForces::Along& along = row.internal->along(i);
    for_each_section(*link.flex, [&](int at, double) {
      for (const double x : along.u.col(at)) put(x);
      put(along.theta(0, at));
      for (const double x : along.force.col(at)) put(x);
      for (const double x : along.moment.col(at)) put(x);
      put_fibres(link.flex->stations.fibres[at].get(), along.force.col(at), along.moment.col(at));
    });
  }
  for_each_segment_section(arm, [&](const SegmentSection& section) {
    const SegmentForces forces = through(arm, *row.internal, section);
    for (const double x : forces.u) put(x);
    put(forces.twist);
    if (section.kind == SegmentSection::tip) return;
    for (const double x : forces.force) put(x);
    for (const double x : forces.moment) put(x);
    put_fibres(arm.link(section.i_link).fibres.get(), forces.force, forces.moment);
  });
  for (int i = 0; i < arm.n_links(); ++i) {
    if (!is_stressed(arm.link(i)) || arm.has_guides()) continue;
    const StressPlace place = largest_stress(arm, *row.internal, i);
    put(place.stress);
    put(place.x);
  }
}

}  // namespace lithe
