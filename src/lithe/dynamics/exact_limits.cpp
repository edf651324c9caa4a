#include "lithe/dynamics/exact_limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "lithe/beam/exact/strain_basis.h"
#include "lithe/spatial/quadrature.h"

namespace lithe {
namespace {

/// Intervals with turns of this size are well resolved [rad].
constexpr double good_turn = 0.7;

/// The integral of every coordinate's curvature between two places.
Matrix3Xd turn_between(const StrainBasis& basis, double from, double to) {
  Matrix3Xd sum = Matrix3Xd::Zero(3, basis.size());
  for (const QuadraturePoint& point : gauss_points(from, to, basis.most_terms() / 2 + 1))
    sum += point.weight * basis.strain_shapes(point.x / basis.length).topRows<3>();
  return sum;
}

}  // namespace

std::string strains_line(const StrainTerms& terms) {
  std::string text;
  const auto add = [&](const char* name, int count, int usual) {
    if (count != usual) text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", name, count);
  };
  add("bending_y", terms.bending_y, 0);
  add("bending_z", terms.bending_z, 0);
  add("torsion", terms.torsion, 0);
  add("axial", terms.axial, 0);
  add("shear_y", terms.shear_y, 0);
  add("shear_z", terms.shear_z, 0);
  add("pieces", terms.pieces, 1);
  return fmt::format("`flexibility: {{strains: {{{}}}}}`", text);
}

ExactLimits::ExactLimits(const Arm& arm) : arm_(arm) {
  for (int i = 0; i < arm.n_links(); ++i) {
    const Link& link = arm.link(i);
    if (!link.flex || !link.flex->exact) continue;
    const StrainBasis& basis = *link.flex->exact;
    const Strains& given = basis.strains;
    Watched watched{link.name, i};
    watched.terms = {given.bending_y, given.bending_z, given.torsion, given.axial, given.shear_y, given.shear_z};
    watched.terms.pieces = int(basis.breaks.size()) - 1;
    for (const double x : link.flex->stations.x) watched.strain.push_back(basis.strain_shapes(x / basis.length));
    double before = 0;
    for (const StrainBasis::Node& node : basis.nodes) {
      watched.turn.push_back(turn_between(basis, before, node.x));
      before = node.x;
    }
    links_.push_back(std::move(watched));
  }
}

double ExactLimits::strain(int k, const State& state) const {
  const Watched& watched = links_[size_t(k)];
  const Link& link = arm_.link(watched.i_link);
  const Stations& stations = link.flex->stations;
  const double* delta = state.q.data() + link.flex_q0();
  double most = 0;
  for (size_t s = 0; s < watched.strain.size(); ++s) {
    Vector6d strain = Vector6d::Zero();
    for (int i = 0; i < link.n_flex(); ++i) strain += delta[i] * watched.strain[s].col(i);
    double here = std::abs(strain[3]);
    if (const Fibres* fibres = stations.fibres[s].get())
      here = fibres->strain(stations.stiffness[s].cwiseProduct(strain.tail<3>()),
                            stations.bending[s].cwiseProduct(strain.head<3>()));
    most = std::max(most, here);
  }
  return most;
}

double ExactLimits::turn(int k, const State& state) const {
  const Watched& watched = links_[size_t(k)];
  const Link& link = arm_.link(watched.i_link);
  const double* delta = state.q.data() + link.flex_q0();
  double most = 0;
  for (const Matrix3Xd& interval : watched.turn) {
    Vector3d turn = Vector3d::Zero();
    for (int i = 0; i < link.n_flex(); ++i) turn += delta[i] * interval.col(i);
    most = std::max(most, turn.norm());
  }
  return most;
}

std::string ExactLimits::strain_text(int k, double strain, const std::string& when) const {
  return fmt::format(
      "'{}': its material was strained by {:.2g} %{}, beyond the {:g} % up to which constant stiffnesses describe it; "
      "a "
      "thinner section bears the same bend with less strain, or treat the result with doubt",
      links_[size_t(k)].name, 100 * strain, when, 100 * largest_strain);
}

std::string ExactLimits::turn_text(int k, double turn, const std::string& when) const {
  const Watched& watched = links_[size_t(k)];
  StrainTerms finer = watched.terms;
  finer.pieces = int(std::ceil(finer.pieces * turn / good_turn));
  return fmt::format(
      "'{}': it turned by {:.2g} rad between two of its points{}, beyond the {:g} rad that they resolve; write {}",
      watched.name, turn, when, largest_turn, strains_line(finer));
}

std::vector<std::string> ExactLimits::exceeded(const State& state) const {
  std::vector<std::string> list;
  for (int k = 0; k < size(); ++k) {
    if (const double most = strain(k, state); most > largest_strain) list.push_back(strain_text(k, most, ""));
    if (const double most = turn(k, state); most > largest_turn) list.push_back(turn_text(k, most, ""));
  }
  return list;
}

}  // namespace lithe
