#include <algorithm>
#include <array>
#include <cmath>

#include "lithe/beam/beam_basis.h"
#include "lithe/beam/beam_matter.h"
#include "lithe/beam/damping.h"
#include "lithe/beam/natural_modes.h"
#include "lithe/spatial/demand.h"
#include "lithe/spatial/quadrature.h"

namespace lithe {
namespace {

/// Gauss points between a and b that no break of the section falls between.
std::vector<QuadraturePoint> points_between(const BeamMatter& matter, double a, double b) {
  std::vector<double> places{a, b};
  for (double place : matter.breaks())
    if (place > a && place < b) places.push_back(place);
  std::sort(places.begin(), places.end());
  std::vector<QuadraturePoint> points;
  for (size_t i = 0; i + 1 < places.size(); ++i) {
    const auto part = gauss_points(places[i], places[i + 1], matter.constant_between_breaks() ? 2 : 12);
    points.insert(points.end(), part.begin(), part.end());
  }
  return points;
}

/// The beam between a and b as a rigid body about a.
RigidInertia rigid_part(const BeamMatter& matter, double a, double b) {
  RigidInertia body;
  for (const QuadraturePoint& point : points_between(matter, a, b)) {
    const SectionMatter here = matter.at(point.x);
    const double dm = here.mass * point.weight, x = point.x - a;
    body.mass += dm;
    body.first_moment.x() += dm * x;
    body.J += point_inertia(dm, {x, 0, 0});
    body.J += (point.weight * here.rotary).asDiagonal();
  }
  return body;
}

/// Springs about z, y, x as compliant as the beam between a and b: 1/k = ∫ dx/EI; EI/l where it is uniform.
Vector3d hinge_stiffness(const BeamMatter& matter, double a, double b) {
  Vector3d compliance = Vector3d::Zero();
  for (const QuadraturePoint& point : points_between(matter, a, b)) {
    const Vector3d bending = matter.at(point.x).bending;
    compliance += point.weight * Vector3d(1 / bending[2], 1 / bending[1], 1 / bending[0]);
  }
  return compliance.cwiseInverse();
}

/// The stiffnesses about z, y, x that the case gives instead; null if it gives none.
std::array<const std::vector<double>*, 3> given_stiffness(const Segments& segments) {
  std::array<const std::vector<double>*, 3> given{&segments.given.bending_y, &segments.given.bending_z,
                                                  &segments.given.torsion};
  for (auto& list : given)
    if (list->empty()) list = nullptr;
  return given;
}

/// The lowest frequency of the pieces turning about z, y or x (direction 0, 1, 2) on their hinges, clamped at the root.
double lowest_frequency(const std::vector<SegmentPiece>& pieces, int direction) {
  const int axis = 2 - direction;
  const bool bends = direction < 2;  // then turns of hinges swing all that is outboard
  std::vector<double> stiffness;
  for (const SegmentPiece& piece : pieces)
    if (piece.hinged) stiffness.push_back(piece.stiffness[direction]);
  const auto n = Eigen::Index(stiffness.size());
  // Momenta about the hinges by rates of their turns: outwards turn and velocity of every piece, inwards what it has of momentum.
  auto times_mass = [&](const VectorXd& rates) {
    VectorXd momenta(n);
    std::vector<double> linear, angular;
    double turn = 0, velocity = 0;
    Eigen::Index k = 0;
    for (const SegmentPiece& piece : pieces) {
      if (piece.hinged) turn += rates[k++];
      const double moment = bends ? piece.body.first_moment.x() : 0;
      linear.push_back(bends ? piece.body.mass * velocity + moment * turn : 0);
      angular.push_back(piece.body.J(axis, axis) * turn + moment * velocity);
      velocity += turn * piece.length;
    }
    double force = 0, about = 0;
    for (size_t i = pieces.size(); i-- > 0;) {
      about += force * pieces[i].length + angular[i];
      force += linear[i];
      if (pieces[i].hinged) momenta[--k] = about;
    }
    return momenta;
  };
  // Vector iteration: every step reduces the share of the second mode by (ω₁/ω₂)², a fortieth for a uniform beam.
  const Eigen::Map<const VectorXd> K(stiffness.data(), n);
  VectorXd shape = VectorXd::Ones(n);
  double square = 0;
  for (int step = 0; step < 1000; ++step) {
    shape = times_mass(shape).cwiseQuotient(K).normalized();
    const double before = square;
    square = shape.cwiseProduct(K).dot(shape) / shape.dot(times_mass(shape));
    if (std::abs(square - before) <= 1e-13 * square) break;
  }
  return std::sqrt(square);
}

/// Per unit of hinge stiffness, about z, y, x. Hinges are damped in proportion to their springs: for a ratio such that the
/// first mode of each direction, of the clamped link, has it (higher modes have more).
Vector3d damping_per_stiffness(const Beam& beam, bool rotary_inertia) {
  if (!beam.damping) return Vector3d::Zero();
  if (const auto* rayleigh = std::get_if<RayleighDamping>(&*beam.damping)) return Vector3d::Constant(rayleigh->beta);
  Beam bending = beam;
  bending.damping.reset();
  Vector3d result;
  const Modes kinds[] = {{.bending_y = 6}, {.bending_z = 6}, {.torsion = 6}};
  for (int i = 0; i < 3; ++i) {
    bending.flexibility = kinds[i];
    const FlexBasis basis = beam_basis(bending, i == 2 || rotary_inertia, {});
    result[i] = 2 * *damping_ratio(*beam.damping) / natural_modes(basis.K, basis.M, 1).omega[0];
  }
  return result;
}

}  // namespace

std::vector<SegmentPiece> beam_segments(const Beam& beam, bool rotary_inertia) {
  const auto* segments = std::get_if<Segments>(&beam.flexibility);
  LITHE_DEMAND(segments != nullptr);
  const BeamMatter matter(beam, rotary_inertia);
  const int n = segments->count;
  const double l = beam.length / n;
  const bool calibrated = segments->springs == SegmentSprings::calibrated;

  // Hinges sit in the middle of each segment, or at its root side (equations of abdelaziz04 §2). In the middle, a tip force
  // deflects the tip by 1 − 1/(4n²) of the beam's; at the root side by (1 + 1/n)(1 + 1/(2n)).
  std::vector<double> hinges;
  for (int i = 0; i < n; ++i) hinges.push_back(calibrated ? (i + 0.5) * l : i * l);

  const auto given = given_stiffness(*segments);
  auto pieces_of = [&](const BeamMatter& whose) {
    std::vector<SegmentPiece> pieces;
    if (calibrated) pieces.push_back({hinges[0], rigid_part(whose, 0, hinges[0])});
    for (int i = 0; i < n; ++i) {
      const double end = i + 1 < n ? hinges[i + 1] : beam.length;
      SegmentPiece piece{end - hinges[i], rigid_part(whose, hinges[i], end), true};
      piece.stiffness = hinge_stiffness(whose, i * l, i + 1 < n ? (i + 1) * l : beam.length);
      for (int k = 0; k < 3; ++k)
        if (given[k]) piece.stiffness[k] = given[k]->size() == 1 ? given[k]->front() : (*given[k])[size_t(i)];
      pieces.push_back(piece);
    }
    return pieces;
  };
  std::vector<SegmentPiece> pieces = pieces_of(matter);
  Vector3d damping = damping_per_stiffness(beam, rotary_inertia);
  if (const auto ratio = beam.damping ? damping_ratio(*beam.damping) : std::nullopt)
    for (int k = 0; k < 3; ++k)
      if (given[k]) damping[k] = 2 * *ratio / lowest_frequency(k == 2 ? pieces_of(BeamMatter(beam, true)) : pieces, k);
  for (SegmentPiece& piece : pieces) piece.damping = damping.cwiseProduct(piece.stiffness);
  std::vector<double> starts(hinges);
  if (calibrated) starts.insert(starts.begin(), 0);
  const auto fibres = matter.fibres_at(starts);
  for (size_t i = 0; i < pieces.size(); ++i) pieces[i].fibres = fibres[i];
  return pieces;
}

}  // namespace lithe
