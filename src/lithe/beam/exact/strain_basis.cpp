#include "lithe/beam/exact/strain_basis.h"

#include <algorithm>
#include <cmath>

#include "lithe/beam/beam_matter.h"
#include "lithe/beam/exact/exact_link.h"
#include "lithe/beam/exact/legendre.h"
#include "lithe/beam/flex_basis.h"
#include "lithe/spatial/demand.h"
#include "lithe/spatial/quadrature.h"

namespace lithe {
namespace {

/// Rows of [κ; ν] and signs of the strains, by StrainKind.
constexpr int row_of[] = {2, 1, 0, 3, 4, 5};
constexpr double sign_of[] = {1, -1, 1, 1, 1, 1};

std::array<int, 6> counts(const Strains& s) {
  return {s.bending_y, s.bending_z, s.torsion, s.axial, s.shear_y, s.shear_z};
}

/// Of the length: how near a place must be to where two pieces meet to be there. Case files give both to some digits.
constexpr double place_slack = 2e-9;

/// Moments of polynomials over symmetric intervals vanish but for rounding.
double exact_zero(double value) { return std::abs(value) < 1e-15 ? 0 : value; }

std::vector<double> by_rows(const MatrixXd& A) {
  std::vector<double> result;
  for (Eigen::Index i = 0; i < A.rows(); ++i)
    for (Eigen::Index j = 0; j < A.cols(); ++j) result.push_back(A(i, j));
  return result;
}

/// C with G = CᵀC, upper triangular. G may be singular: a row whose pivot is rounding is zero.
MatrixXd upper_factor(MatrixXd G) {
  const Eigen::Index n = G.rows();
  const double least = 1e-15 * G.diagonal().maxCoeff();
  MatrixXd C = MatrixXd::Zero(n, n);
  for (Eigen::Index k = 0; k < n; ++k) {
    if (!(G(k, k) > least)) continue;
    C.row(k).tail(n - k) = G.row(k).tail(n - k) / std::sqrt(G(k, k));
    G.bottomRightCorner(n - k, n - k) -= C.row(k).tail(n - k).transpose() * C.row(k).tail(n - k);
  }
  return C;
}

}  // namespace

RodMatter RodMatter::of(const BeamMatter& beam) {
  return {beam.length(),
          beam.constant_between_breaks(),
          [beam](double x) { return beam.at(x); },
          {beam.breaks().begin() + 1, beam.breaks().end() - 1}};
}

int StrainBasis::points_by_rule(const Strains& strains) { return std::ranges::max(counts(strains)) + 2; }

StrainBasis::StrainBasis(const RodMatter& matter, const Strains& given, std::span<const SectionBody> bodies)
    : strains(given), length(matter.length), count(counts(given)) {
  LITHE_DEMAND(strains.order == 4 || strains.order == 6);
  LITHE_DEMAND(strains.pieces >= 1);
  if (strains.points == 0) strains.points = points_by_rule(strains);
  for (int i = 0; i <= strains.pieces; ++i) breaks.push_back(length * i / strains.pieces);
  for (const double jump : matter.jumps) LITHE_DEMAND(std::abs(on_piece(piece_at(jump), jump)) < place_slack * length);
  make_coordinates();
  if (strains.pieces > 1) {
    make_pieces(matter, bodies);
  } else {
    make_nodes(matter, bodies);
    make_masses(matter, bodies);
  }
  make_stiffness(matter);
  ExactLink<double> link(*this);
  link.place(VectorXd::Zero(size()).eval().data());
  M = MatrixXd::Zero(size(), size());
  for (int k = 0; k < size(); ++k)
    for (int l = k; l < size(); ++l) M(k, l) = M(l, k) = exact_zero(link.M_ff(k, l));
}

bool StrainBasis::is_plane() const {
  const bool one_plane = (count[0] > 0) != (count[1] > 0) && count[2] == 0;
  return pieces.empty() && one_plane && !stretches() && strains.initial_curvature.isZero(0) &&
         n_nodes() == strains.points + 1;
}

void StrainBasis::make_coordinates() {
  for (int kind = 1; kind < 6; ++kind) first[kind] = first[kind - 1] + count[kind - 1];
  for (int piece = 0; piece < strains.pieces; ++piece)
    for (int kind = 0; kind < 6; ++kind)
      for (int degree = 0; degree < count[kind]; ++degree) {
        terms.push_back({StrainKind(kind), degree, piece});
        names.push_back(std::to_string(size()));
        turns.push_back(kind < 3);
      }
}

int StrainBasis::piece_at(double x) const {
  return int(std::upper_bound(breaks.begin() + 1, breaks.end() - 1, x + place_slack * length) - breaks.begin()) - 1;
}

StrainBasis::Interval StrainBasis::interval(double from, double to) const {
  LITHE_DEMAND(pieces.empty());
  const int n = std::max({count[0], count[1], count[2]});
  Interval result;
  result.h = to - from;
  result.moment0.assign(size_t(n), 0);
  result.moment1 = result.moment2 = result.moment0;
  for (const QuadraturePoint& point : gauss_points(-0.5, 0.5, n + 2)) {
    const VectorXd P = shifted_legendre(n, (from + to) / 2 + point.x * result.h);
    const double weight = point.weight * result.h;
    for (int k = 0; k < n; ++k) {
      result.moment0[k] += weight * P[k];
      result.moment1[k] += weight * point.x * P[k];
      result.moment2[k] += weight * point.x * point.x * P[k];
    }
  }
  for (auto* moments : {&result.moment0, &result.moment1, &result.moment2})
    for (double& value : *moments) value = exact_zero(value);
  result.initial0 = length * result.h * strains.initial_curvature;
  result.initial2 = result.initial0 / 12;
  return result;
}

void StrainBasis::make_nodes(const RodMatter& matter, std::span<const SectionBody> bodies) {
  const int N = strains.points;
  const auto gauss = gauss_points(0, 1, N);
  points_.resize(N);
  std::vector<double> places;
  for (int j = 0; j < N; ++j) places.push_back(points_[j] = gauss[j].x);
  places.push_back(1);
  std::vector<double> of_bodies;
  for (const SectionBody& body : bodies) {
    LITHE_DEMAND(body.x >= 0 && body.x < length);
    of_bodies.push_back(body.x / length);
  }
  std::ranges::sort(of_bodies);
  add_places(places, of_bodies);

  double before = 0;
  for (const double s : places) {
    Node node;
    node.x = s * length;
    node.before = interval(before, s);
    before = s;
    nodes.push_back(node);
  }
  const auto node_at = [&](double s) {
    return int(std::ranges::min_element(places, {}, [&](double place) { return std::abs(place - s); }) -
               places.begin());
  };
  const int n = std::max({count[3], count[4], count[5]});
  for (int j = 0; j < N; ++j) {
    Arm arm;
    arm.node = node_at(points_[j]);
    const VectorXd P = shifted_legendre(n, points_[j]);
    arm.legendre.assign(P.begin(), P.end());
    arms.push_back(arm);
    Node& node = nodes[arm.node];
    node.inertia = length * gauss[j].weight * matter.at(node.x).rotary;
    node.has_inertia = !node.inertia.isZero(0);
    node.round = node.inertia.y() == node.inertia.z();
  }
  for (const SectionBody& body : bodies) {
    Node& node = nodes[node_at(body.x / length)];
    if (!body.body.inertia_com.isZero(0)) {
      node.body += body.body.inertia_com;
      node.has_body = node.has_inertia = true;
    }
    if (!body.body.com.isZero(0)) arms.push_back({node_at(body.x / length), body.body.com, {}});
  }
}

/// The pieces, and what they have in common: nodes and arms.
void StrainBasis::make_pieces(const RodMatter& matter, std::span<const SectionBody> bodies) {
  Strains of_a_piece = strains;
  of_a_piece.pieces = 1;
  for (int i = 0; i < strains.pieces; ++i) {
    const double start = breaks[i];
    std::vector<SectionBody> on_it;
    for (const SectionBody& body : bodies)
      if (piece_at(body.x) == i) on_it.push_back({on_piece(i, body.x), body.body});
    const RodMatter own{length / strains.pieces, matter.uniform, [&](double x) { return matter.at(start + x); }};
    const StrainBasis& piece = pieces.emplace_back(own, of_a_piece, on_it);
    for (Arm arm : piece.arms) {
      arm.node += n_nodes();
      arms.push_back(arm);
    }
    for (Node node : piece.nodes) {
      node.x = node.x == piece.length ? breaks[i + 1] : start + node.x;
      nodes.push_back(node);
    }
    reach.insert(reach.end(), piece.reach.begin(), piece.reach.end());
    mass += piece.mass;
  }
}

VectorXd StrainBasis::reach_at(double x) const {
  VectorXd result = VectorXd::Zero(n_arms());
  if (!pieces.empty()) {
    // All of the pieces before, and of its own as far as it is.
    const int own = piece_at(x);
    Eigen::Index at = 0;
    for (int i = 0; i < own; at += pieces[i].n_arms(), ++i)
      result.segment(at, pieces[i].n_arms()) = Eigen::Map<const VectorXd>(pieces[i].reach.data(), pieces[i].n_arms());
    result.segment(at, pieces[own].n_arms()) = pieces[own].reach_at(on_piece(own, x));
    return result;
  }
  VectorXd end(1);
  end << x / length;
  result.head(strains.points) = length * collocation_integrals(points_, end).row(0);
  return result;
}

void StrainBasis::make_masses(const RodMatter& matter, std::span<const SectionBody> bodies) {
  MatrixXd masses = MatrixXd::Zero(n_arms(), n_arms());
  VectorXd first_moments = VectorXd::Zero(n_arms());
  const auto add = [&](double mu, const VectorXd& a) {
    mass += mu;
    first_moments += mu * a;
    masses += mu * a * a.transpose();
  };
  const auto gauss = gauss_points(0, 1, strains.points);
  for (const QuadraturePoint& point : gauss)
    add(length * point.weight * matter.at(point.x * length).mass, reach_at(point.x * length));
  int own = strains.points;  // a body's own arm
  for (const SectionBody& body : bodies) {
    VectorXd a = reach_at(body.x);
    if (!body.body.com.isZero(0)) a[own++] = 1;
    add(body.body.mass, a);
  }
  c.assign(first_moments.begin(), first_moments.end());
  G = by_rows(masses);
  C = by_rows(upper_factor(masses));
  const VectorXd tip_reach = reach_at(length);
  reach.assign(tip_reach.begin(), tip_reach.end());
}

Matrix6Xd StrainBasis::strain_shapes(double s) const {
  Matrix6Xd shapes = Matrix6Xd::Zero(6, size());
  const int piece = piece_at(s * length);
  const VectorXd P =
      shifted_legendre(most_terms(), pieces.empty() ? s : on_piece(piece, s * length) * strains.pieces / length);
  const double of_a_piece = length / strains.pieces;
  for (int i = 0; i < size(); ++i) {
    if (terms[i].piece != piece) continue;
    const int kind = int(terms[i].kind), row = row_of[kind];
    shapes(row, i) = sign_of[kind] * P[terms[i].k] / (row < 3 ? of_a_piece : 1);
  }
  return shapes;
}

void StrainBasis::make_stiffness(const RodMatter& matter) {
  K = MatrixXd::Zero(size(), size());
  if (!pieces.empty()) {
    const int m = pieces[0].size();
    for (int i = 0; i < strains.pieces; ++i) K.block(i * m, i * m, m, m) = pieces[i].K;
    return;
  }
  // Exact for uniform beams and for dimensions that taper, which add up to four degrees.
  const int n = std::ranges::max(count) + (matter.uniform ? 1 : 12);
  for (const QuadraturePoint& point : gauss_points(0, 1, n)) {
    const Matrix6Xd shapes = strain_shapes(point.x);
    const SectionMatter here = matter.at(point.x * length);
    Vector6d stiffness;
    stiffness << here.bending, here.stretch;
    K += length * point.weight * shapes.transpose() * stiffness.asDiagonal() * shapes;
  }
  for (int k = 0; k < size(); ++k)
    for (int l = 0; l < size(); ++l)
      if (std::abs(K(k, l)) < 1e-14 * std::sqrt(K(k, k) * K(l, l))) K(k, l) = 0;
}

}  // namespace lithe
