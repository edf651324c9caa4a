#include "lithe/beam/imported_basis.h"

#include <algorithm>
#include <numeric>

namespace lithe {
namespace {

SparseMatrixd sparse(const MatrixXd& dense) { return dense.sparseView(0.0, 0.0); }

/// The node at the link frame's origin, or −1.
int root_node(const Matrix3Xd& nodes) {
  const double size = nodes.cwiseAbs().maxCoeff();
  for (int i = 0; i < nodes.cols(); ++i)
    if (nodes.col(i).cwiseAbs().maxCoeff() <= 1e-9 * size) return i;
  return -1;
}

/// The shape without the rigid motion of its root: u − a − b×r, θ − b, where the root is displaced by a and turned by b. A joint
/// holds or moves the root section, so that motion is the joint's; a rigid motion stores no energy, so the stiffness stays.
Matrix6Xd seen_from_root(const Matrix6Xd& shape, const Matrix3Xd& nodes, int root) {
  const Vector3d a = shape.col(root).head<3>(), b = shape.col(root).tail<3>();
  Matrix6Xd seen = shape;
  for (int i = 0; i < nodes.cols(); ++i) {
    seen.col(i).head<3>() -= a + b.cross(nodes.col(i));
    seen.col(i).tail<3>() -= b;
  }
  return seen;
}

/// The integrals behind the paper's constants, which carry a ½ each.
void set_integrals(const LinkConstants& constants, FlexBasis& basis) {
  const int m = int(constants.C_k.size());
  basis.mass = 2 * constants.C(0, 0);
  basis.s0 = 2 * constants.C.block<3, 1>(1, 0);
  basis.Sigma0 = 2 * constants.C.bottomRightCorner<3, 3>();
  basis.S = basis.H = Matrix3Xd::Zero(3, m);
  for (int a = 0; a < 3; ++a) basis.P0[a] = Matrix3Xd(3, m);
  std::array<MatrixXd, 9> P;
  P.fill(MatrixXd(m, m));
  for (int k = 0; k < m; ++k) {
    basis.S.col(k) = 2 * constants.C_k[size_t(k)].block<1, 3>(0, 1).transpose();
    for (int a = 0; a < 3; ++a) {
      basis.P0[a].col(k) = 2 * constants.C_k[size_t(k)].block<1, 3>(1 + a, 1).transpose();
      for (int b = 0; b < 3; ++b)
        for (int j = 0; j < m; ++j) P[3 * a + b](k, j) = 2 * constants.C_kj[size_t(k)][size_t(j)](1 + a, 1 + b);
    }
  }
  for (int ab = 0; ab < 9; ++ab) basis.P[ab] = sparse(P[ab]);
  basis.M = sparse(P[0] + P[4] + P[8]);
}

/// What follows from shapes at nodes and from matrices, whatever the integrals came from.
FlexBasis with_tip_and_stations(const ImportedLink& link, const std::array<MatrixXd, 3>& phi,
                                const std::array<MatrixXd, 3>& psi, FlexBasis basis) {
  const int n = int(link.nodes.cols()), m = int(link.shapes.size());
  basis.K = sparse(link.stiffness);
  basis.D = sparse(link.damping);
  basis.tip0 = link.nodes.col(link.tip);
  basis.tip_phi = basis.tip_psi = Matrix3Xd(3, m);
  for (int a = 0; a < 3; ++a) {
    basis.tip_phi.row(a) = phi[a].row(link.tip);
    basis.tip_psi.row(a) = psi[a].row(link.tip);
  }
  basis.find_tip_coordinates();

  basis.section_at = [nodes = link.nodes, phi, psi](double x) -> std::optional<SectionShapes> {
    const double size = nodes.cwiseAbs().maxCoeff();
    for (int i = 0; i < nodes.cols(); ++i) {
      if ((nodes.col(i) - Vector3d(x, 0, 0)).cwiseAbs().maxCoeff() > 1e-9 * size) continue;
      Matrix3Xd here(3, phi[0].cols()), turn = here;
      for (int a = 0; a < 3; ++a) {
        here.row(a) = phi[a].row(i);
        turn.row(a) = psi[a].row(i);
      }
      return SectionShapes::of(nodes.col(i), here, turn);
    }
    return {};
  };

  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int i, int j) { return link.nodes(0, i) < link.nodes(0, j); });
  MatrixXd station_phi(3 * n, m), station_psi(3 * n, m);
  for (int i = 0; i < n; ++i) {
    basis.stations.x.push_back(link.nodes(0, order[i]));
    for (int a = 0; a < 3; ++a) {
      station_phi.row(3 * i + a) = phi[a].row(order[i]);
      station_psi.row(3 * i + a) = psi[a].row(order[i]);
    }
  }
  basis.stations.phi = sparse(station_phi);
  basis.stations.psi = sparse(station_psi);
  basis.stations.strain.resize(3 * n, m);
  basis.stations.curvature.resize(3 * n, m);
  basis.stations.stiffness.assign(n, Vector3d::Zero());
  basis.stations.bending.assign(n, Vector3d::Zero());
  return basis;
}

}  // namespace

FlexBasis imported_basis(const ImportedLink& link) {
  const int n = int(link.nodes.cols()), m = int(link.shapes.size()), root = root_node(link.nodes);
  // Shapes by direction: node × coordinate.
  std::array<MatrixXd, 3> phi, psi;
  phi.fill(MatrixXd(n, m));
  psi.fill(MatrixXd(n, m));
  for (int k = 0; k < m; ++k) {
    const Matrix6Xd shape = root < 0 ? link.shapes[k] : seen_from_root(link.shapes[k], link.nodes, root);
    for (int a = 0; a < 3; ++a) {
      phi[a].col(k) = shape.row(a).transpose();
      psi[a].col(k) = shape.row(3 + a).transpose();
    }
  }

  FlexBasis basis;
  basis.name_shapes(std::vector<Deflection>(size_t(m), Deflection::mixed));
  if (link.constants) {
    set_integrals(*link.constants, basis);
    return with_tip_and_stations(link, phi, psi, std::move(basis));
  }
  const VectorXd mass = link.mass * VectorXd::Ones(n);  // what moves when all nodes move alike
  basis.mass = mass.sum();
  basis.s0 = link.nodes * mass;
  const Matrix3Xd moments = link.nodes * link.mass;
  basis.Sigma0 = moments * link.nodes.transpose();
  basis.j0 = link.inertia.rowwise().sum().asDiagonal();
  basis.S = basis.H = Matrix3Xd(3, m);
  MatrixXd M = MatrixXd::Zero(m, m);
  std::array<MatrixXd, 3> moved;  // momenta of the nodes per coordinate
  for (int a = 0; a < 3; ++a) moved[a] = link.mass * phi[a];
  for (int a = 0; a < 3; ++a) {
    basis.S.row(a) = mass.transpose() * phi[a];
    basis.H.row(a) = link.inertia.row(a) * psi[a];
    basis.P0[a] = Matrix3Xd(3, m);
    for (int b = 0; b < 3; ++b) {
      basis.P0[a].row(b) = moments.row(a) * phi[b];
      basis.P[3 * a + b] = sparse(phi[a].transpose() * moved[b]);
    }
    M += phi[a].transpose() * moved[a];
    M += psi[a].transpose() * link.inertia.row(a).asDiagonal() * psi[a];
  }
  basis.M = sparse(M);
  return with_tip_and_stations(link, phi, psi, std::move(basis));
}

}  // namespace lithe
