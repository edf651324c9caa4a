#include "lithe/dynamics/deflection_limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lithe/beam/flex_tip.h"
#include "lithe/beam/natural_modes.h"
#include "lithe/dynamics/exact_limits.h"

namespace lithe {
namespace {

/// Mass of each link's payload and of everything it carries.
std::vector<double> carried_masses(const Arm& arm) {
  std::vector<double> carried(size_t(arm.n_links()), 0);
  for (int i = arm.n_links() - 1; i >= 0; --i) {
    const Link& link = arm.link(i);
    carried[size_t(i)] += link.payload_T.mass;
    if (link.parent >= 0) carried[size_t(link.parent)] += link.M_B.mass + carried[size_t(i)];
  }
  return carried;
}

/// M with a point mass on the tip.
SparseMatrixd loaded_mass(const FlexBasis& basis, double mass) {
  std::vector<Eigen::Triplet<double>> entries;
  const auto shapes = FlexTip(basis).shapes_in(Matrix3d::Identity());
  for (const int k : basis.tip_coordinates)
    for (const int l : basis.tip_coordinates)
      if (const double m = mass * shapes.slide(k).dot(shapes.slide(l)); m != 0) entries.emplace_back(k, l, m);
  SparseMatrixd tip(basis.size(), basis.size());
  tip.setFromTriplets(entries.begin(), entries.end());
  return basis.M + tip;
}

/// The number of modes that are checked: an axial force changes higher ones little.
constexpr int n_modes = 4;

/// Trapezoidal weights of places along a link.
VectorXd weights(const std::vector<double>& x) {
  VectorXd w = VectorXd::Zero(Eigen::Index(x.size()));
  for (size_t i = 0; i + 1 < x.size(); ++i) {
    const double half = (x[i + 1] - x[i]) / 2;
    w[Eigen::Index(i)] += half;
    w[Eigen::Index(i) + 1] += half;
  }
  return w;
}

}  // namespace

DeflectionLimits::DeflectionLimits(const Arm& arm) : arm_(arm) {
  const std::vector<double> carried = carried_masses(arm);
  for (int i = 0; i < arm.n_links(); ++i) {
    const Link& link = arm.link(i);
    if (!link.flex || link.flex->exact) continue;  // exact links have no such limits
    const FlexBasis& basis = *link.flex;
    // Shapes have φᵀKφ = 1: twice the elastic energy.
    const NaturalModes modes = natural_modes(basis.K, loaded_mass(basis, carried[size_t(i)]), n_modes);
    const VectorXd w = weights(basis.stations.x);
    const MatrixXd slopes = basis.stations.psi * modes.shapes;
    MatrixXd gain(modes.shapes.cols(), w.size());
    for (int m = 0; m < gain.rows(); ++m)
      for (int s = 0; s < gain.cols(); ++s) gain(m, s) = w[s] * slopes.col(m).segment<2>(3 * s + 1).squaredNorm();
    if (basis.shortening) gain.setZero();  // `stiffening` is what would be missed
    links_.push_back({link.name, i, std::move(gain)});
  }
}

double DeflectionLimits::tip_rotation(int k, const State& state) const {
  const Link& link = arm_.link(links_[k].i_link);
  return FlexTip::angle(*link.flex, state.q.data() + link.flex_q0());
}

double DeflectionLimits::stiffening(int k, const InternalForces& forces) const {
  const Watched& watched = links_[k];
  const Matrix3Xd& force = forces.along(watched.i_link).force;
  double most = 0;
  for (int m = 0; m < watched.gain.rows(); ++m) {
    double part = 0;
    for (int s = 0; s < watched.gain.cols(); ++s) part += watched.gain(m, s) * force(0, s);
    if (std::abs(part) > std::abs(most)) most = part;
  }
  return most;
}

/// What to write for a link instead of its shapes: strains in the directions in which it bends, as many terms as such a turn needs.
std::string DeflectionLimits::exact_line(int k, double rotation) const {
  const Link& link = arm_.link(links_[k].i_link);
  if (link.guide) return "stiffen the link or slow its motion: beams in guides have no model for more";
  const FlexBasis& basis = *link.flex;
  if (basis.stations.mass.empty())  // imported
    return "stiffen the link, or describe it as a `beam` whose flexibility is `strains`, which are valid for any "
           "deflection";
  const auto count = [&](Deflection kind) { return int(std::ranges::count(basis.kinds, kind)); };
  const int bending = rotation < 0.7 ? 2 : rotation < 1.3 ? 3 : 4;
  StrainTerms terms;
  if (count(Deflection::bending_y) > 0) terms.bending_y = bending;
  if (count(Deflection::bending_z) > 0) terms.bending_z = bending;
  // Elements have coordinates of every kind at every node.
  terms.torsion = basis.nodal ? std::min(count(Deflection::torsion), 1) : count(Deflection::torsion);
  terms.axial = basis.nodal ? 0 : count(Deflection::axial);
  return fmt::format("write {} for it, which is valid for any deflection (about 3 times this link's cost)",
                     strains_line(terms));
}

std::string DeflectionLimits::rotation_text(int k, double rotation, const std::string& when) const {
  return fmt::format("'{}': its tip turned by {:.2g} rad{}, beyond the {} rad that small deflections allow; {}",
                     links_[k].name, rotation, when, largest_tip_rotation, exact_line(k, rotation));
}

std::string DeflectionLimits::stiffening_text(int k, double stiffening, double rotation,
                                              const std::string& when) const {
  const std::string effect =
      stiffening > 0    ? fmt::format("tension would stiffen it by about {:.0f} %", 100 * stiffening)
      : stiffening > -1 ? fmt::format("compression would soften it by about {:.0f} %", -100 * stiffening)
                        : fmt::format("it would buckle: compression is {:.2g} times the critical load", -stiffening);
  // Of first order in deflections: of no use beyond buckling or where tips turn too far anyway.
  const FlexBasis& basis = *arm_.link(links_[k].i_link).flex;
  const bool of_modes = !basis.nodal && !basis.stations.mass.empty();
  const std::string line = of_modes && stiffening > -1 && rotation < largest_tip_rotation
                               ? "add `stiffening: true` to its `modes`, which includes it"
                               : exact_line(k, stiffening > -1 ? rotation : std::max(rotation, 0.7));
  return fmt::format("'{}': under axial forces{}, {}, which small deflections neglect; {}", links_[k].name, when,
                     effect, line);
}

std::vector<std::string> DeflectionLimits::exceeded(const State& state, const InternalForces& forces) const {
  std::vector<std::string> list;
  for (int k = 0; k < size(); ++k) {
    const double turn = tip_rotation(k, state);
    if (turn > largest_tip_rotation) list.push_back(rotation_text(k, turn, ""));
    if (const double part = stiffening(k, forces); std::abs(part) > largest_stiffening)
      list.push_back(stiffening_text(k, part, turn, ""));
  }
  return list;
}

}  // namespace lithe
