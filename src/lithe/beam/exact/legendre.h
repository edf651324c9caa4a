#pragma once

#include "lithe/spatial/spatial.h"

namespace lithe {

/// Legendre's polynomials of 2s − 1, by degree 0 … count − 1, at s in [0, 1].
VectorXd shifted_legendre(int count, double s);

/// Their integrals from 0 to s: s, and (P_{k+1} − P_{k−1})/(4k + 2).
VectorXd shifted_legendre_integrals(int count, double s);

/// Collocation on the nodes s_j: row i integrates the Lagrange polynomials ℓ_j of the nodes from 0 to `ends[i]`. With Gauss's nodes,
/// and the nodes themselves as ends, these are the coefficients A of Gauss's Runge–Kutta method; with the end 1 its weights.
MatrixXd collocation_integrals(const VectorXd& nodes, const VectorXd& ends);

}  // namespace lithe
