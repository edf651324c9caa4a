#include "lithe/dynamics/exact_sections.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <utility>

#include "lithe/beam/exact/strain_basis.h"
#include "lithe/spatial/demand.h"

namespace lithe {
namespace {

/// The rotation vector of R that continues `before`, a section's next to it, beyond half a turn.
Vector3d continued(const Matrix3d& R, const Vector3d& before) {
  const Vector3d theta = log_rotation(R);
  const double angle = theta.norm(), far = before.norm();
  const Vector3d axis = angle > 0 ? Vector3d(theta / angle) : far > 0 ? Vector3d(before / far) : Vector3d::Zero();
  return axis * (angle + 2 * M_PI * std::round((before.dot(axis) - angle) / (2 * M_PI)));
}

/// A part of a link with strains, points and bodies of its own, which begins at `start`.
struct Piece {
  const StrainBasis* basis;
  double start;
  std::vector<SectionBody> bodies = {};
};
std::vector<Piece> pieces_of(const StrainBasis& basis, std::span<const AlongBody> bodies) {
  std::vector<Piece> pieces;
  if (basis.pieces.empty()) pieces.push_back({&basis, 0});
  for (size_t i = 0; i < basis.pieces.size(); ++i) pieces.push_back({&basis.pieces[i], basis.breaks[i]});
  for (const AlongBody& body : bodies) pieces[size_t(basis.piece_at(body.x()))].bodies.push_back({body.x(), body.body});
  return pieces;
}

/// Those arms of a piece that are Gauss's points: they carry its tip's place.
std::vector<int> points_of(const StrainBasis& piece) {
  std::vector<int> arms;
  for (int j = 0; j < piece.n_arms(); ++j)
    if (piece.reach_at(piece.length)[j] > 0) arms.push_back(j);
  return arms;
}
double place_of(const StrainBasis& piece, int arm) { return piece.nodes[size_t(piece.arms[size_t(arm)].node)].x; }

/// The masses that a piece's points carry: c = Σ μ a over them and the bodies (docs/exact-links.md (3)), solved for the μ.
VectorXd masses_of(const Piece& piece, const std::vector<int>& arms) {
  const StrainBasis& basis = *piece.basis;
  const int n = int(arms.size());
  LITHE_DEMAND_EQUAL(Eigen::Index(basis.c.size()), Eigen::Index(basis.n_arms()));
  VectorXd first_moments = Eigen::Map<const VectorXd>(basis.c.data(), basis.n_arms());
  for (const SectionBody& body : piece.bodies) first_moments -= body.body.mass * basis.reach_at(body.x - piece.start);
  MatrixXd reach(n, n);
  for (int i = 0; i < n; ++i) reach.row(i) = basis.reach_at(place_of(basis, arms[size_t(i)]))(arms).transpose();
  return reach.transpose().partialPivLu().solve(first_moments(arms));
}

}  // namespace

ExactSections::ExactSections(const Link& link) {
  const StrainBasis& basis = *link.flex->exact;
  std::vector<double> places;
  for (const double x : link.flex->stations.x) places.push_back(std::min(x, basis.length));  // up to rounding
  for (const double x : places) stations_.emplace_back(basis, x);
  for (const AlongBody& body : link.along) bodies_.push_back({RodSection(basis, body.x()), body.body});
  std::vector<VectorXd> outboard;  // by point
  for (const Piece& piece : pieces_of(basis, link.along)) {
    const std::vector<int> arms = points_of(*piece.basis);
    const VectorXd masses = masses_of(piece, arms), tip_reach = piece.basis->reach_at(piece.basis->length);
    for (size_t i = 0; i < arms.size(); ++i) {
      Lump point{RodSection(basis, piece.start + place_of(*piece.basis, arms[i])), {}};
      point.body.mass = masses[Eigen::Index(i)];
      point.body.inertia_com = piece.basis->nodes[size_t(piece.basis->arms[size_t(arms[i])].node)].inertia.asDiagonal();
      points_.push_back(std::move(point));
      // From x outwards Lagrange's polynomial of a point has the integral of the tip's reach less that of x.
      VectorXd& shares = outboard.emplace_back(places.size());
      for (size_t k = 0; k < places.size(); ++k) {
        const double x = std::clamp(places[k] - piece.start, 0.0, piece.basis->length);
        shares[Eigen::Index(k)] = 1 - piece.basis->reach_at(x)[arms[i]] / tip_reach[arms[i]];
      }
    }
  }
  outboard_.resize(Eigen::Index(places.size()), Eigen::Index(outboard.size()));
  for (size_t i = 0; i < outboard.size(); ++i) outboard_.col(Eigen::Index(i)) = outboard[i];
}

void ExactSections::move(RodState& rod, const RootMotion& root, const double* rate, const double* second) {
  rod.move(root.omega, rate);
  const RodSectionMotion tip = rod.tip_motion();
  const Vector3d p = rod.X_BT().p;
  const RigidInertia own = rod.inertia();
  tip_acceleration_ = stacked(root.alpha + tip.zeta_angular, root.a + root.alpha.cross(p) + tip.zeta_linear);
  own_wrench_ = rod.bias() + stacked(own.J * root.alpha + own.first_moment.cross(root.a),
                                     own.mass * root.a + root.alpha.cross(own.first_moment));
  for (int k = 0; k < rod.basis().size(); ++k) {
    tip_acceleration_ += second[k] * stacked(rod.tip_turn(k), rod.tip_slide(k));
    own_wrench_ += second[k] * stacked(rod.angular(k), rod.linear(k));
  }
  for (Lump& point : points_) point.wrench = wrench_on(point, rod, root, second);
  for (Lump& body : bodies_) body.wrench = wrench_on(body, rod, root, second);
}

/// [moment; force] about B that accelerates a body with its section.
Vector6d ExactSections::wrench_on(const Lump& lump, const RodState& rod, const RootMotion& root,
                                  const double* second) const {
  RodSectionPose at;
  rod.section(lump.section, at);
  const RodSectionMotion motion = rod.section_motion(lump.section);
  Vector3d alpha = root.alpha + motion.zeta_angular, a = root.a + root.alpha.cross(at.p) + motion.zeta_linear;
  for (int k = 0; k < at.moves.cols(); ++k) {
    alpha += second[k] * at.turn(k);
    a += second[k] * at.slide(k);
  }
  const Vector3d& spin = motion.spin;
  const Vector3d c = at.R * lump.body.com;
  const Matrix3d j = at.R * lump.body.inertia_com * at.R.transpose();  // turns with the section
  const Vector3d force = lump.body.mass * (a + alpha.cross(c) + spin.cross(spin.cross(c)));
  return stacked((at.p + c).cross(force) + j * alpha + spin.cross(j * spin), force);
}

void ExactSections::go_along(const RodState& rod, const Vector6d& at_tip, std::span<const AlongLoad> loads, int i_link,
                             const Pose& X_WB, AlongLink& along) const {
  const Vector3d tip = rod.X_BT().p;
  const Vector6d beyond = stacked(at_tip.head<3>() + tip.cross(at_tip.tail<3>()), at_tip.tail<3>());
  RodSectionPose at;
  Vector3d theta = Vector3d::Zero();
  for (size_t k = 0; k < stations_.size(); ++k) {
    const double x = stations_[k].x;
    // What lies outboard, about B. The root's own loads and bodies are borne by the root.
    Vector6d sum = beyond;
    const auto is_beyond = [&](double place) { return k == 0 || place > x; };
    for (size_t i = 0; i < points_.size(); ++i) sum += outboard_(int(k), int(i)) * points_[i].wrench;
    for (const Lump& body : bodies_)
      if (is_beyond(body.section.x)) sum += body.wrench;
    for (const AlongLoad& load : loads) {
      if (load.link != i_link || !is_beyond(load.x)) continue;
      const Vector3d r = X_WB.R.transpose() * (load.place - X_WB.p), force = X_WB.R.transpose() * load.force;
      sum -= stacked(r.cross(force) + X_WB.R.transpose() * load.moment, force);
    }
    rod.section(stations_[k], at);
    theta = continued(at.R, theta);
    const Vector3d force = sum.tail<3>(), moment = sum.head<3>() - at.p.cross(force);
    along.u.col(int(k)) = at.p - Vector3d(x, 0, 0);
    along.theta.col(int(k)) = theta;
    along.force.col(int(k)) = -(at.R.transpose() * force);
    along.moment.col(int(k)) = -(at.R.transpose() * moment);
  }
}

}  // namespace lithe
