#pragma once

#include <Eigen/Core>

namespace lithe::testing {

// Functions of full matrices by Eigen's unsupported modules, whose templates take long to compile: instantiated once for all tests.

Eigen::MatrixXd matrix_exponential(const Eigen::MatrixXd& A);
Eigen::MatrixXd kronecker_product(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);

}  // namespace lithe::testing
