#pragma once

#include "lithe/beam/flex_basis.h"
#include "lithe/error.h"

namespace lithe {

/// Solutions of K φ = λ M φ, lowest λ first, with φᵀMφ = 1.
struct Eigenmodes {
  VectorXd lambda;
  MatrixXd shapes;  // one column each
};

/// No modes were found: the message says which matrix is unsuitable, or that the iteration did not converge.
class EigenmodesError : public Error {
 public:
  using Error::Error;
};

/// The lowest `count` modes (all where there are fewer). M may be singular: a coordinate without mass has no mode of its own.
/// K may be singular or indefinite: λ is then zero, or negative. A λ that is zero up to rounding is given as zero.
///
/// Dense for a few hundred coordinates; beyond, Lanczos's method on (K − σM)⁻¹M with a sparse factorisation (Spectra), and a
/// count of negative pivots (Sylvester's law of inertia) that proves no mode was missed.
Eigenmodes lowest_modes(const SparseMatrixd& K, const SparseMatrixd& M, int count);

/// The two methods, for any size. `shift` > 0 must make K + shift·M definite; 0 where K is.
Eigenmodes dense_modes(const SparseMatrixd& K, const SparseMatrixd& M, int count, double shift);
Eigenmodes lanczos_modes(const SparseMatrixd& K, const SparseMatrixd& M, int count, double shift);

}  // namespace lithe
