#pragma once

#include "lithe/beam/flex_basis.h"

namespace lithe {

/// Natural modes of K φ = ω² M φ, lowest first. Shapes satisfy φᵀKφ = 1, because M may be singular (a coordinate without
/// mass) where K never is; a mode that takes no mass has ω² = ∞.
struct NaturalModes {
  VectorXd omega;   // [rad/s]
  MatrixXd shapes;  // one column each
};

/// The lowest `count` modes, or all where there are fewer: by a dense solver up to a few hundred coordinates, by Lanczos's
/// method on a sparse factorisation of K beyond. K must be positive definite.
NaturalModes natural_modes(const SparseMatrixd& K, const SparseMatrixd& M, int count);

/// The lowest modes of those coordinates alone, the others held; shapes are as long as all coordinates.
NaturalModes natural_modes(const SparseMatrixd& K, const SparseMatrixd& M, const std::vector<int>& coordinates,
                           int count);

/// Rows and columns of a sparse matrix.
SparseMatrixd submatrix(const SparseMatrixd& A, const std::vector<int>& rows, const std::vector<int>& cols);

}  // namespace lithe
