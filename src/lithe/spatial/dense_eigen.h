#pragma once

#include <Eigen/Core>

namespace lithe {

// Eigenproblems and factorisations of full matrices, by Eigen. Its templates for them take long to compile: they are instantiated here,
// once for all rooms.

/// A x = λ x or A x = λ B x; values ascending, columns of `vectors` normalised (by B).
struct SymmetricModes {
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
  bool found = false;  // false: B is not positive definite, or the iteration did not converge
};
SymmetricModes symmetric_modes(const Eigen::MatrixXd& A);
SymmetricModes symmetric_modes(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);
Eigen::VectorXd symmetric_eigenvalues(const Eigen::MatrixXd& A);

/// Of any square matrix, in no particular order.
struct ComplexModes {
  Eigen::VectorXcd values;
  Eigen::MatrixXcd vectors;
};
ComplexModes complex_modes(const Eigen::MatrixXd& A);
Eigen::VectorXcd complex_eigenvalues(const Eigen::MatrixXd& A);

/// A = Q H Qᵀ with Q orthogonal and H zero below its first subdiagonal.
struct HessenbergForm {
  Eigen::MatrixXd H, Q;
};
HessenbergForm hessenberg_form(const Eigen::MatrixXd& A);

/// Whether A is positive definite by Cholesky's factors, and if so the reciprocal of its condition number; else 0.
double definiteness(const Eigen::MatrixXd& A);

/// A⁻¹ B of a symmetric matrix.
Eigen::MatrixXd solve_symmetric(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);

/// Columns that span what A takes to zero.
Eigen::MatrixXd null_space(const Eigen::MatrixXd& A);

}  // namespace lithe
