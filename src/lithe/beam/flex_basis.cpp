#include "lithe/beam/flex_basis.h"

#include <algorithm>
#include <numeric>

#include "lithe/beam/natural_modes.h"
#include "lithe/beam/shortening.h"
#include "lithe/spatial/counted.h"
#include "lithe/spatial/demand.h"

namespace lithe {
namespace {

SparseMatrixd sparse(const MatrixXd& dense) { return dense.sparseView(0.0, 0.0); }

/// T with its columns in groups that move the same coordinates, and only those rows: shapes of one kind move a quarter of
/// a beam's coordinates, and products of kinds that do not couple are not worth forming.
struct Groups {
  struct Group {
    std::vector<int> rows, columns;
    MatrixXd T;
  };
  explicit Groups(const MatrixXd& T) : size(int(T.cols())) {
    // Columns that share a row are of one group, named after its first column.
    std::vector<int> group(T.cols()), of_row(T.rows(), -1);
    std::iota(group.begin(), group.end(), 0);
    auto first_of = [&](int k) {
      while (group[k] != k) k = group[k];
      return k;
    };
    for (int k = 0; k < T.cols(); ++k)
      for (int i = 0; i < T.rows(); ++i) {
        if (T(i, k) == 0) continue;
        if (of_row[i] < 0) of_row[i] = k;
        const int a = first_of(of_row[i]), b = first_of(k);
        group[std::max(a, b)] = std::min(a, b);
      }
    for (int k = 0; k < T.cols(); ++k) {
      if (first_of(k) != k) continue;
      Group one;
      for (int l = k; l < T.cols(); ++l)
        if (first_of(l) == k) one.columns.push_back(l);
      for (int i = 0; i < T.rows(); ++i)
        if (of_row[i] >= 0 && first_of(of_row[i]) == k) one.rows.push_back(i);
      one.T = T(one.rows, one.columns);
      list.push_back(std::move(one));
    }
  }
  std::vector<Group> list;
  int size;
};

SparseMatrixd congruent(const SparseMatrixd& A, const Groups& T) {
  MatrixXd result = MatrixXd::Zero(T.size, T.size);
  for (const Groups::Group& left : T.list)
    for (const Groups::Group& right : T.list) {
      const SparseMatrixd part = submatrix(A, left.rows, right.rows);
      if (part.nonZeros() == 0) continue;
      const MatrixXd AT = part * right.T;
      result(left.columns, right.columns) = left.T.transpose() * AT;
    }
  return sparse(result);
}

SparseMatrixd times(const SparseMatrixd& A, const MatrixXd& T) { return sparse(MatrixXd(A * T)); }

/// Whether a matrix has an entry other than zero in column k.
bool draws(const SparseMatrixd& G, int k) {
  for (SparseMatrixd::InnerIterator entry(G, k); entry; ++entry)
    if (entry.value() != 0) return true;
  return false;
}

/// An m × m matrix that is zero except for the given rows and columns.
SparseMatrixd scattered(const MatrixXd& block, const std::vector<int>& places, int m) {
  std::vector<Eigen::Triplet<double>> entries;
  for (int l = 0; l < block.cols(); ++l)
    for (int k = 0; k < block.rows(); ++k)
      if (block(k, l) != 0) entries.emplace_back(places[k], places[l], block(k, l));
  SparseMatrixd result(m, m);
  result.setFromTriplets(entries.begin(), entries.end());
  return result;
}

}  // namespace

RigidInertia FlexBasis::undeformed() const { return {mass, s0, Sigma0.trace() * Matrix3d::Identity() - Sigma0 + j0}; }

void FlexBasis::name_shapes(std::vector<Deflection> of_kinds) {
  nodal = false;
  names.clear();
  turns.clear();
  for (size_t k = 0; k < of_kinds.size(); ++k) {
    names.push_back(std::to_string(k + 1));
    turns.push_back(of_kinds[k] == Deflection::torsion);
  }
  kinds = std::move(of_kinds);
}

void FlexBasis::find_tip_coordinates() {
  tip_coordinates.clear();
  for (int k = 0; k < size(); ++k)
    if (!tip_phi.col(k).isZero(0) || !tip_psi.col(k).isZero(0) || (shortening && draws(shortening->tip, k)))
      tip_coordinates.push_back(k);
}

void add_places(std::vector<double>& ascending, std::span<const double> places) {
  for (const double place : places) {
    const double hair = 1e-9 * ascending.back();
    const auto beyond = std::lower_bound(ascending.begin(), ascending.end(), place - hair);
    if (beyond == ascending.end() || *beyond > place + hair) ascending.insert(beyond, place);
  }
}

FlexBasis transformed(const FlexBasis& basis, const MatrixXd& T) {
  FlexBasis result = basis;
  const int r = int(T.cols());
  const Groups groups(T);
  result.S = basis.S * T;
  result.H = basis.H * T;
  for (int a = 0; a < 3; ++a) result.P0[a] = basis.P0[a] * T;
  for (int ab = 0; ab < 9; ++ab) result.P[ab] = congruent(basis.P[ab], groups);
  result.M = congruent(basis.M, groups);
  result.K = congruent(basis.K, groups);
  result.D = congruent(basis.D, groups);
  result.tip_phi = basis.tip_phi * T;
  result.tip_psi = basis.tip_psi * T;
  if (basis.shortening) result.shortening = basis.shortening->transformed(T);
  result.find_tip_coordinates();
  result.stations.phi = times(basis.stations.phi, T);
  result.stations.psi = times(basis.stations.psi, T);
  result.stations.strain = times(basis.stations.strain, T);
  result.stations.curvature = times(basis.stations.curvature, T);
  if (basis.section_at)
    result.section_at = [inner = basis.section_at, T](double x) {
      std::optional<SectionShapes> section = inner(x);
      if (section) section = section->transformed(T);
      return section;
    };
  result.name_shapes(std::vector<Deflection>(size_t(r), Deflection::mixed));
  return result;
}

void add_section_body(FlexBasis& basis, const SectionShapes& section, const CarriedBody& body) {
  const double mass = body.mass;
  const Vector3d c = body.com, r0 = section.place + c;
  const Matrix3d& J = body.inertia_com;
  const Matrix3Xd phi = section.phi - skew(c) * section.psi, J_psi = J * section.psi;
  const std::vector<int>& moving = section.coordinates;
  basis.mass += mass;
  basis.s0 += mass * r0;
  basis.Sigma0 += mass * r0 * r0.transpose();
  basis.j0 += J;
  for (int k = 0; k < section.size(); ++k) {
    basis.S.col(moving[k]) += mass * phi.col(k);
    basis.H.col(moving[k]) += J_psi.col(k);
    for (int a = 0; a < 3; ++a) basis.P0[a].col(moving[k]) += mass * r0[a] * phi.col(k);
  }
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b)
      basis.P[3 * a + b] += scattered(mass * phi.row(a).transpose() * phi.row(b), moving, basis.size());
  basis.M += scattered(mass * phi.transpose() * phi + section.psi.transpose() * J_psi, moving, basis.size());
  if (basis.shortening) basis.shortening = basis.shortening->with_body(mass, r0, c.x(), section);
}

void add_straight_root(FlexBasis& basis, double length, double mass, const Vector3d& rotary) {
  // Places are r = c + r′ now, c along x.
  const Vector3d c(length, 0, 0);
  basis.Sigma0 += c * basis.s0.transpose() + basis.s0 * c.transpose() + basis.mass * c * c.transpose();
  basis.s0 += basis.mass * c;
  basis.P0[0] += length * basis.S;
  LITHE_DEMAND(!basis.shortening);  // sliding beams refuse it
  basis.tip0 += c;
  for (double& x : basis.stations.x) x += length;
  const double piece = mass * length;
  basis.mass += piece;
  basis.s0.x() += piece * length / 2;
  basis.Sigma0(0, 0) += piece * length * length / 3;
  basis.j0.diagonal() += length * rotary;
}

void add_tip_body(FlexBasis& basis, const RigidInertia& body_T) {
  if (body_T.mass == 0 && body_T.J.isZero(0)) return;
  // Its points, ρ from the mass centre c, move as φ(L) + ψ(L)×(c + ρ). The mass centre is a point mass; the rest enters by
  // ∫ρ ρᵀ dm = ½(tr J) 1 − J, as book83 would have it: appendages are among the C, C_k and C_kj of their link.
  const double mass = body_T.mass;
  const Vector3d c = body_T.com(), r0 = basis.tip0 + c;
  const Matrix3d J = body_T.inertia_com(), Sigma = J.trace() / 2 * Matrix3d::Identity() - J;
  const Matrix3Xd phi = basis.tip_phi - skew(c) * basis.tip_psi;
  basis.mass += mass;
  basis.s0 += mass * r0;
  basis.Sigma0 += mass * r0 * r0.transpose() + Sigma;
  basis.S += mass * phi;
  // Only coordinates that move the tip are affected: of thousands of element coordinates, six.
  const std::vector<int>& moving = basis.tip_coordinates;
  const int n = int(moving.size());
  std::array<MatrixXd, 9> P;
  P.fill(MatrixXd::Zero(n, n));
  for (int k = 0; k < n; ++k) {
    const Vector3d phi_k = phi.col(moving[k]);
    const Matrix3d turn_k = skew(basis.tip_psi.col(moving[k]));
    const Matrix3d P0_k = mass * r0 * phi_k.transpose() + Sigma * turn_k.transpose();
    for (int a = 0; a < 3; ++a) basis.P0[a].col(moving[k]) += P0_k.row(a).transpose();
    for (int l = 0; l < n; ++l) {
      const Matrix3d turn_l = skew(basis.tip_psi.col(moving[l]));
      const Matrix3d P_kl = mass * phi_k * phi.col(moving[l]).transpose() + turn_k * Sigma * turn_l.transpose();
      for (int ab = 0; ab < 9; ++ab) P[ab](k, l) = P_kl(ab / 3, ab % 3);
    }
  }
  for (int ab = 0; ab < 9; ++ab) basis.P[ab] += scattered(P[ab], moving, basis.size());
  basis.M += scattered(P[0] + P[4] + P[8], moving, basis.size());
}

namespace {

/// (3) and (4) of beam/shortening.h.
template <class S>
void shorten(const Shortening& shortening, const Eigen::Ref<const Eigen::VectorX<S>>& delta,
             FlexMomentsOf<S>& moments) {
  Drawn<S> drawn;
  draw_in<S>(shortening.mass, delta, drawn);
  moments.drawn = drawn;
  moments.s[0] -= S(0.5) * drawn.dot(delta);
  for (int a = 0; a < 3; ++a) {
    if (shortening.moment[size_t(a)].nonZeros() == 0) continue;
    draw_in<S>(shortening.moment[size_t(a)], delta, drawn);
    moments.P[size_t(a)].row(0) -= drawn.transpose();
    const S half = S(0.5) * drawn.dot(delta);
    moments.Sigma(0, a) -= half;
    moments.Sigma(a, 0) -= half;
  }
}

}  // namespace

template <class S>
void update_moments(const FlexBasis& basis, const Eigen::Ref<const Eigen::VectorX<std::type_identity_t<S>>>& delta,
                    FlexMomentsOf<S>& moments) {
  moments.s = basis.s0.template cast<S>();
  moments.s.noalias() += basis.S.template cast<S>() * delta;
  moments.Sigma = basis.Sigma0.template cast<S>();
  for (int a = 0; a < 3; ++a) {
    moments.P[a] = basis.P0[a].template cast<S>();
    // Σ gains δ_k (P0_k + P0_kᵀ), and δ_k δ_l P_kl where its terms are kept.
    const Eigen::Vector3<S> linear = basis.P0[a].template cast<S>() * delta;
    moments.Sigma.row(a) += linear.transpose();
    moments.Sigma.col(a) += linear;
    for (int b = 0; b < 3; ++b) {
      const SparseMatrixd& P = basis.P[3 * a + b];
      if (P.nonZeros() == 0) continue;
      S quadratic = 0;
      for (int k = 0; k < P.outerSize(); ++k) {
        S sum = 0;
        for (SparseMatrixd::InnerIterator entry(P, k); entry; ++entry) sum += entry.value() * delta[entry.row()];
        moments.P[a](b, k) += sum;
        quadratic += sum * delta[k];
      }
      if (basis.quadratic_inertia) moments.Sigma(a, b) += quadratic;
    }
  }
  if (!basis.shortening) moments.drawn.resize(0);
  if (basis.shortening) shorten<S>(*basis.shortening, delta, moments);
}

template void update_moments(const FlexBasis&, const Eigen::Ref<const VectorXd>&, FlexMoments&);
template void update_moments(const FlexBasis&, const Eigen::Ref<const Eigen::VectorX<Counted>>&,
                             FlexMomentsOf<Counted>&);

}  // namespace lithe
