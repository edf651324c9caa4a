#include "lithe/spatial/dense_eigen.h"

#include <Eigen/Dense>

namespace lithe {

using Eigen::MatrixXd;

namespace {

template <class Solver>
SymmetricModes result_of(const Solver& solver) {
  if (solver.info() != Eigen::Success) return {};
  return {solver.eigenvalues(), solver.eigenvectors(), true};
}

}  // namespace

SymmetricModes symmetric_modes(const MatrixXd& A) { return result_of(Eigen::SelfAdjointEigenSolver<MatrixXd>(A)); }

SymmetricModes symmetric_modes(const MatrixXd& A, const MatrixXd& B) {
  return result_of(Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd>(A, B));
}

Eigen::VectorXd symmetric_eigenvalues(const MatrixXd& A) {
  return Eigen::SelfAdjointEigenSolver<MatrixXd>(A, Eigen::EigenvaluesOnly).eigenvalues();
}

ComplexModes complex_modes(const MatrixXd& A) {
  const Eigen::EigenSolver<MatrixXd> solver(A);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

Eigen::VectorXcd complex_eigenvalues(const MatrixXd& A) { return Eigen::EigenSolver<MatrixXd>(A, false).eigenvalues(); }

HessenbergForm hessenberg_form(const MatrixXd& A) {
  const Eigen::HessenbergDecomposition<MatrixXd> form(A);
  return {form.matrixH(), form.matrixQ()};
}

double definiteness(const MatrixXd& A) {
  const Eigen::LLT<MatrixXd> factors(A);
  return factors.info() == Eigen::Success ? factors.rcond() : 0;
}

MatrixXd solve_symmetric(const MatrixXd& A, const MatrixXd& B) { return Eigen::LDLT<MatrixXd>(A).solve(B); }

MatrixXd null_space(const MatrixXd& A) { return Eigen::FullPivLU<MatrixXd>(A).kernel(); }

}  // namespace lithe
