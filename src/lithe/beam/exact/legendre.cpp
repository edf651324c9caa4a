#include "lithe/beam/exact/legendre.h"

namespace lithe {

VectorXd shifted_legendre(int count, double s) {
  VectorXd P(count);
  const double z = 2 * s - 1;
  double before = 0, p = 1;
  for (int k = 0; k < count; ++k) {
    P[k] = p;
    const double next = ((2 * k + 1) * z * p - k * before) / (k + 1);
    before = p;
    p = next;
  }
  return P;
}

VectorXd shifted_legendre_integrals(int count, double s) {
  const VectorXd P = shifted_legendre(count + 1, s);
  VectorXd integral(count);
  for (int k = 0; k < count; ++k) integral[k] = k == 0 ? s : (P[k + 1] - P[k - 1]) / (4 * k + 2);
  return integral;
}

MatrixXd collocation_integrals(const VectorXd& nodes, const VectorXd& ends) {
  // Through Legendre's polynomials, of which the nodes' values are a well-conditioned matrix for Gauss's nodes.
  const int n = int(nodes.size());
  MatrixXd values(n, n), integrals(ends.size(), n);
  for (int i = 0; i < n; ++i) values.row(i) = shifted_legendre(n, nodes[i]);
  for (int i = 0; i < ends.size(); ++i) integrals.row(i) = shifted_legendre_integrals(n, ends[i]);
  return values.transpose().partialPivLu().solve(integrals.transpose()).transpose();
}

}  // namespace lithe
