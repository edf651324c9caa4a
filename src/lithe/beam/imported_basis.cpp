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

}  // namespace lithe
